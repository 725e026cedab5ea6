//! The labs that come with Wirewright: that they are right, and what they measure. Those without programs run here; `hello` and
//! `stack` run with an engine in `crates/cli/tests/all/lab.rs` and `lab_stack.rs`.

use std::path::{Path, PathBuf};
use ww_lab::expect;
use ww_lab::lab::{Lab, Request, names};
use ww_lab::plan::World;
use ww_lab::report;
use ww_lab::results::Results;
use ww_lab::starter;
use ww_lab::world::sim;

fn labs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs")
}

fn run(name: &str, workers: usize) -> (String, String) {
    let folder = labs().join(name);
    let lab = Lab::open(&folder).unwrap_or_else(|report| panic!("{report}"));
    let expectations = expect::open(&folder).unwrap_or_else(|report| panic!("{report}"));
    assert!(!expectations.is_empty(), "{name} expects nothing");
    let request = Request { quick: true, ..Request::default() };
    let planned = lab.plan(&request).unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &(), None, workers, &()).expect("it runs");
    let results = Results::new(World::Sim, &lab, &request, &planned, outcomes, &expectations)
        .expect("judged");
    for verdict in &results.verdicts {
        let expectation = &verdict.expectation;
        let (measured, published) = (&verdict.measured, expectation.published);
        println!(
            "{name}: {}: {}: {measured:?}, expected {published}",
            verdict.word(),
            expectation.name
        );
    }
    assert_eq!(results.missed(), 0, "{name}: see above");
    (results.text(), report::html(&results))
}

/// Each lab is without mistakes, in all its variants, quick or not, and at the points of its sweep; all that have files for
/// installed programs are the ones that are there.
#[test]
fn all_are_right() {
    let all = names(&labs());
    for name in &all {
        let lab = Lab::open(&labs().join(name)).expect("it is there");
        lab.check().unwrap_or_else(|report| panic!("{report}"));
        assert!(lab.title().is_some_and(|title| !title.is_empty()), "{name} has no title");
        assert!(labs().join(name).join("README.md").is_file(), "{name} has no README.md");
    }
    let mut packed = starter::names();
    packed.sort_unstable();
    assert_eq!(all, packed);
    for name in all {
        let lab = Lab::of_text("packed", starter::text(&name).expect("it has a file"));
        assert_eq!(
            lab.text,
            std::fs::read_to_string(labs().join(&name).join("lab.toml")).expect("a file")
        );
    }
    Lab::of_text("new", starter::TEMPLATE).check().unwrap_or_else(|report| panic!("{report}"));
    expect::parse(starter::EXPECTED, "expected.toml").unwrap_or_else(|report| panic!("{report}"));
}

macro_rules! quick {
    ($($test:ident: $name:literal),* $(,)?) => {
        $(
            #[test]
            fn $test() {
                run($name, 2);
            }
        )*
    };
}

quick! {
    incast: "incast",
    leaf_spine: "leaf-spine",
    dctcp: "dctcp",
    schedulers: "schedulers",
    shoal_incast: "shoal-incast",
    shoal_permutation: "shoal-permutation",
    shoal_load: "shoal-load",
    shoal_failures: "shoal-failures",
    shoal_tcp: "shoal-tcp",
    shoal_epoch: "shoal-epoch",
    shoal_applications: "shoal-applications",
    shoal_fairness: "shoal-fairness",
    shoal_senders: "shoal-senders",
    shoal_packets: "shoal-packets",
    shoal_torus: "shoal-torus",
    rotors: "rotors",
    limago_throughput: "limago-throughput",
    limago_connections: "limago-connections",
    limago_window: "limago-window",
    limago_loss: "limago-loss",
    max_min: "max-min",
    fat_tree: "fat-tree",
    dumbbell: "dumbbell",
    queue_md1: "md1",
    queue_mm1: "mm1",
    micro_bursts: "micro-bursts",
    rcp: "rcp",
    rcp_overhead: "rcp-overhead",
    tcp_overhead: "tcp-overhead",
    conga: "conga",
    silent_drops: "silent-drops",
    convergence: "convergence",
    paths: "paths",
    drops: "drops",
    sketch: "sketch",
    update: "update",
    vendors: "vendors",
    dtp: "dtp",
    dtp_hops: "dtp-hops",
    ptp: "ptp",
}

/// Results and report are the same bytes, however many threads there are.
#[test]
fn bytes_do_not_depend_on_threads() {
    assert!(run("leaf-spine", 1) == run("leaf-spine", 3));
}
