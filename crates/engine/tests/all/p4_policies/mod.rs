//! Policies in P4 against their Rust twins, decision for decision.

#[path = "../../../../sched/tests/all/driver/mod.rs"]
#[allow(dead_code, reason = "the driver serves more tests in its own crate")]
mod driver;
mod files;
mod lockstep;
mod workload;

use driver::{GIGABIT, Random, pace};
use lockstep::{Lockstep, Verdict};
use std::path::{Path, PathBuf};
use workload::{CHILDREN, Departure, Make, NODES, events, flat, serve, tree};
use ww_dataplane::policy::Size;
use ww_engine::policy::{P4Program, PolicyCompiler};
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{NodeSpec, Policy, Trigger};
use ww_sched::policies::program::{EngineName, Runner};
use ww_sched::policies::{
    drr, fair_shaper, fifo, rcsp, stfq, strict, token_bucket, urgency, wf2q, wfq,
};

/// Flows of the workloads on one node.
const FLOWS: usize = 9;

/// The policies in `p4/schedulers`, with their twins.
fn twin(name: &str) -> Option<Box<dyn Policy>> {
    use urgency::Urgency;
    let link = pace(GIGABIT);
    Some(match name {
        "fifo" => Box::new(fifo::Fifo),
        "strict" => Box::new(strict::StrictPriority::default()),
        "drr" => Box::new(drr::DeficitRoundRobin::default()),
        // Stochastic fair queueing is this policy behind a hash, which the classifier has.
        "sfq" => Box::new(drr::DeficitRoundRobin::default()),
        "stfq" => Box::new(stfq::StartTime::new(link)),
        "wfq" => Box::new(wfq::Wfq::new(link)),
        "wf2q" => Box::new(wf2q::Wf2q::new(link)),
        "token_bucket" => Box::new(token_bucket::TokenBucket::default()),
        "fair_shaper" => Box::new(fair_shaper::FairShaper::new(link)),
        "rcsp" => Box::new(rcsp::Rcsp::default()),
        "sjf" => Box::new(Urgency::ShortestJob),
        "srtf" => Box::new(Urgency::ShortestRemaining),
        "lstf" => Box::new(Urgency::LeastSlack),
        "edf" => Box::new(Urgency::EarliestDeadline),
        _ => return None,
    })
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers")
}

/// All policies of the folder.
fn names() -> Vec<String> {
    let entries = std::fs::read_dir(folder()).expect("p4/schedulers");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let mut names: Vec<String> = paths
        .filter(|path| path.extension().is_some_and(|e| e == "p4"))
        .map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// One node, a node that stamps packets on arrival, a hierarchy.
#[derive(Clone, Copy, Debug)]
enum Shape {
    Flat,
    FlatInput,
    Tree,
}

impl Shape {
    const ALL: [Shape; 3] = [Shape::Flat, Shape::FlatInput, Shape::Tree];

    fn size(self) -> Size {
        match self {
            Self::Tree => Size { nodes: NODES, children: CHILDREN },
            _ => Size { nodes: 1, children: FLOWS as u32 },
        }
    }

    fn build(self, seed: u64, make: &mut Make<'_>) -> NodeSpec {
        match self {
            Self::Flat => flat(seed, Trigger::Output, FLOWS, make),
            Self::FlatInput => flat(seed, Trigger::Input, FLOWS, make),
            Self::Tree => tree(seed, Trigger::Output, make),
        }
    }
}

/// What a policy in P4 and its twin did with the same workload.
struct Run {
    difference: Option<String>,
    compared: u64,
    departures: [Vec<Departure>; 2],
}

fn compare(program: &P4Program, name: &str, engine: EngineName, shape: Shape, packets: u64) -> Run {
    let seed = 1 + name.len() as u64 * 1000 + packets;
    let twin = || twin(name).unwrap_or_else(|| panic!("{name} has no twin"));
    let runner =
        || Runner::new(program, shape.size(), Some(engine)).unwrap_or_else(|e| panic!("{e}"));
    let scheduler = |make: &mut Make<'_>| Scheduler::new(shape.build(seed, make)).expect("a tree");

    // Each answer beside that of the twin.
    let (verdict, side) = (Verdict::default(), runner());
    let mut both = scheduler(&mut |node, first| {
        let policy = Box::new(side.node(node, first, pace(GIGABIT)));
        Box::new(Lockstep { twin: twin(), policy, verdict: verdict.clone() })
    });
    let events = events(&mut Random(seed), both.flows(), packets);
    serve(&mut both, &events);

    // Each alone.
    let alone = runner();
    let mut rust = scheduler(&mut |_, _| twin());
    let mut p4 = scheduler(&mut |node, first| Box::new(alone.node(node, first, pace(GIGABIT))));
    let departures = [serve(&mut rust, &events), serve(&mut p4, &events)];
    Run { difference: verdict.difference(), compared: verdict.compared(), departures }
}

fn all(engine: EngineName, packets: u64) {
    let names = names();
    assert!(names.len() >= 13, "{names:?}");
    for name in names {
        let program = P4Program::load(&folder().join(format!("{name}.p4")));
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        for shape in Shape::ALL {
            let run = compare(&program, &name, engine, shape, packets);
            assert_eq!(run.difference, None, "{name} {engine:?} {shape:?}");
            assert!(run.compared > packets, "{name}: only {} answers", run.compared);
            let [rust, p4] = &run.departures;
            assert_eq!(rust.len() as u64, packets, "{name} {shape:?}: all packets leave");
            let first = rust.iter().zip(p4).position(|(a, b)| a != b);
            let around = first.map(|n| (rust[n], p4[n]));
            assert_eq!((first, around), (None, None), "{name} {engine:?} {shape:?}");
            assert_eq!(rust.len(), p4.len());
        }
    }
}

#[test]
fn native_engine_decides_as_rust_does() {
    all(EngineName::Jit, 30_000);
}

#[test]
fn reference_engine_decides_as_rust_does() {
    all(EngineName::Interp, 3_400);
}

/// Faults that are planted in a policy must be found, or the comparison is worth nothing.
#[test]
fn planted_faults_are_found() {
    let faults = [
        ("drr", "flow.deficit = 0;", "flow.deficit = 1;", Shape::Flat),
        ("drr", "flow.deficit - (int<64>)", "flow.deficit + (int<64>)", Shape::Flat),
        (
            "wf2q",
            "tag(sent.stamped, parameters.share)",
            "tag(sent.bytes, parameters.share)",
            Shape::Tree,
        ),
        ("wf2q", "node.virtual_time = largest(node.virtual_time, least);", "", Shape::Flat),
        ("wf2q", "flow.finish = flow.finish |-| tag(bytes, parameters.share);", "", Shape::Flat),
        (
            "wf2q",
            "start |+| tag(head.bytes, parameters.share)",
            "start |+| tag(head.bytes, parameters.node_pace)",
            Shape::Flat,
        ),
        (
            "wfq",
            "stamp = { flow.finish, ALWAYS };",
            "stamp = { flow.finish + 1, ALWAYS };",
            Shape::Flat,
        ),
        ("stfq", "head.fresh ? largest", "!head.fresh ? largest", Shape::Flat),
        ("token_bucket", "+ 255", "", Shape::Flat),
        ("token_bucket", "tokens > burst", "tokens > burst + burst", Shape::Flat),
        ("fair_shaper", " || send > head.now", "", Shape::Flat),
        ("lstf", "|+|", "+", Shape::Flat),
        ("edf", "head.deadline", "head.release", Shape::Flat),
    ];
    for (name, old, new, shape) in faults {
        let path = folder().join(format!("{name}.p4"));
        let text = std::fs::read_to_string(&path).expect(name);
        let planted = text.replacen(old, new, 1);
        assert_ne!(text, planted, "{name}: {old}");
        let program = P4Program::of_text(&path, &planted).unwrap_or_else(|e| panic!("{e}"));
        let run = compare(&program, name, EngineName::Jit, shape, 5_000);
        assert!(run.difference.is_some(), "{name}: nobody noticed {new:?} for {old:?}");
    }
}

/// States can be read while a policy runs: here virtual time, as wf2q.rs says it.
#[test]
fn states_are_registers() {
    use ww_dataplane::control::RegisterIndex;
    use ww_sched::framework::{Head, Packet, Sent};
    let program = P4Program::load(&folder().join("wf2q.p4")).expect("wf2q");
    let size = Size { nodes: 3, children: 5 };
    let runner = Runner::new(&program, size, None).expect("an engine");
    let mut policy = runner.node(2, 3, pace(GIGABIT));
    let mut rust = wf2q::Wf2q::new(pace(GIGABIT));
    let head = Head { packet: Packet { bytes: 700, ..Packet::default() }, fresh: true };
    let policies: [&mut dyn Policy; 2] = [&mut policy, &mut rust];
    for policy in policies {
        policy.configure(0, &driver::plain());
        policy.configure(1, &driver::plain());
        policy.pre_enqueue(1, &head, 5);
        policy.post_dequeue(1, &Sent { bytes: 900, stamped: 700 }, 9);
    }
    let mut engine = runner.engine();
    let mut read = |name: &str, index| {
        let found = engine.schema().registers.iter().position(|r| r.name.ends_with(name));
        let value = engine.register_read(RegisterIndex(found.expect(name) as u32), index);
        u64::try_from(value.expect(name)).expect("64 bits")
    };
    assert_eq!(read("node.virtual_time", 2), rust.virtual_time());
    // Half of 1 Gb/s: 900 bytes take 14,400 ns.
    assert_eq!(read("child.finish", 4), 14_400_000 << 8);
    assert_eq!(read("child.finish", 3), 0);
}
