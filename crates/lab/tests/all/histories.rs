//! Packet histories of a network of routers in P4: the ways that they tell are the true ones; a wrong rule and a stale
//! table are found with the first packet; a query finds exactly the packets that are meant (acceptance check 24 of spec
//! 003).

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::net::Ipv4Addr;
use std::path::Path;
use ww_host::filter::Fields;
use ww_io::capture::CaptureReader;
use ww_lab::expect;
use ww_lab::lab::{Lab, Planned, Request};
use ww_lab::plan::World;
use ww_lab::programs::Engines;
use ww_lab::results::Results;
use ww_lab::world::sim;
use ww_tpp_apps::histories::history::History;
use ww_tpp_apps::histories::ndb::Query;
use ww_tpp_apps::histories::netshark::Store;
use ww_tpp_apps::histories::netwatch::Watch;
use ww_tpp_apps::histories::values::Value;
use ww_tpp_apps::numbering::direction;

/// Four routers: from r1 to r4 by r2 or by r3. Switches are numbered with all nodes, from 1: r1 is switch 4.
const LAB: &str = r#"
title = "Four routers"
[run]
duration = "20 ms"
drain = "5 ms"
[[node]]
name = "h0"
kind = "host"
[[node]]
name = "h1"
kind = "host"
[[node]]
name = "h2"
kind = "host"
R1
[[node]]
name = "r2"
kind = "program"
program = "router.p4"
mac = "02:00:00:00:01:02"
routes = "ROUTES"
R3
[[node]]
name = "r4"
kind = "program"
program = "router.p4"
mac = "02:00:00:00:01:04"
routes = "ROUTES"
[[link]]
ends = ["h0", "r1:0"]
rate = "1 Gb/s"
[[link]]
ends = ["r1:1", "r2:0"]
rate = "1 Gb/s"
[[link]]
ends = ["r1:2", "r3:0"]
rate = "1 Gb/s"
[[link]]
ends = ["r2:1", "r4:0"]
rate = "1 Gb/s"
[[link]]
ends = ["r3:1", "r4:1"]
rate = "1 Gb/s"
[[link]]
ends = ["h1", "r4:2"]
rate = "1 Gb/s"
[[link]]
ends = ["h2", "r4:3"]
rate = "1 Gb/s"
[[traffic]]
name = "one"
kind = "stream"
from = "h0"
to = "h1"
bytes = "1000 B"
rate = "8 Mb/s"
[[traffic]]
name = "two"
kind = "stream"
from = "h0"
to = "h2"
bytes = "1000 B"
rate = "8 Mb/s"
[[traffic]]
name = "back"
kind = "stream"
from = "h1"
to = "h0"
bytes = "1000 B"
rate = "8 Mb/s"
[measure]
capture = ["h0-r1", "r1-r2", "r1-r3", "r2-r4", "r3-r4", "h1-r4", "h2-r4"]
[tpp]
[[tpp.app]]
name = "histories"
kind = "collect"
hops = 5
word = "16"
program = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:MatchedEntryID]\nPUSH [PacketMetadata:InputPort]\nPUSH [PacketMetadata:OutputPort]\nPUSH [Switch:Version]\n"
"#;

const ROUTES: &str = "table_add routes forward {ip}/32 => {port} {own} {next_mac}";

/// What a router knows by hand: of addresses, ports.
fn by_hand(name: &str, mac: &str, routes: &[(&str, u32)]) -> String {
    let line = |(host, port): &(&str, u32)| {
        format!(
            "\"table_add routes forward {host}/32 => {port} 02:00:00:00:01:01 02:00:00:00:01:09\""
        )
    };
    let lines: Vec<String> = routes.iter().map(line).collect();
    format!(
        "[[node]]\nname = \"{name}\"\nkind = \"program\"\nprogram = \"router.p4\"\nmac = \"{mac}\"\nentries = [{}]\n",
        lines.join(", ")
    )
}

fn router(name: &str, mac: &str) -> String {
    format!(
        "[[node]]\nname = \"{name}\"\nkind = \"program\"\nprogram = \"router.p4\"\nmac = \"{mac}\"\nroutes = \"{ROUTES}\"\n"
    )
}

const R1: &str = "02:00:00:00:01:01";
const R3: &str = "02:00:00:00:01:03";

/// By source and destination, the names of the directions of links that captures have its packets on, in order.
type Ways = BTreeMap<(Ipv4Addr, Ipv4Addr), Vec<String>>;

/// Runs the network with these two routers. Gives the plan, the histories, and the true ways.
fn run(r1: &str, r3: &str) -> (Planned, Vec<History>, Ways) {
    let folder = tempfile::tempdir().expect("a folder");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/hello/router.p4");
    std::fs::copy(own, folder.path().join("router.p4")).expect("the program");
    let text = LAB.replace("ROUTES", ROUTES).replace("\nR1\n", &format!("\n{r1}\n"));
    let text = text.replace("\nR3\n", &format!("\n{r3}\n"));
    std::fs::write(folder.path().join("lab.toml"), text).expect("a lab");
    let lab = Lab::open(folder.path()).unwrap_or_else(|report| panic!("{report}"));
    let planned = lab.plan(&Request::default()).unwrap_or_else(|report| panic!("{report}"));
    let out = folder.path().join("out");
    sim::run_all(&planned, &Engines::default(), Some(&out), 1, &()).expect("it runs");
    let file = File::open(out.join("histories.parquet")).expect("histories");
    let mut store = Store::new(file).expect("a store");
    let histories = std::iter::from_fn(|| store.history().expect("a good file")).collect();
    let mut reader = CaptureReader::open(&out.join("capture.pcapng")).expect("a capture");
    let mut ways = Ways::new();
    let mut frames = Vec::new();
    let plan = &planned.variants[0].plan;
    let mut bytes = Vec::new();
    while let Some(info) = reader.next_frame(&mut bytes).expect("a good capture") {
        let direction = plan.measure.captures[info.interface as usize];
        frames.push((info.timestamp, plan.directions[direction as usize].clone(), bytes.clone()));
    }
    frames.sort_by_key(|(at, ..)| *at);
    for (_, name, mut frame) in frames {
        ww_tpp::frame::strip(&mut frame);
        let Some(fields) = Fields::of(&frame) else { continue };
        let way = ways.entry((fields.source.into(), fields.destination.into())).or_default();
        if !way.contains(&name) {
            way.push(name);
        }
    }
    (planned, histories, ways)
}

/// What the hops of a history say, as directions of links.
fn told(planned: &Planned, history: &History) -> Vec<String> {
    let plan = &planned.variants[0].plan;
    let name = |switch, port| {
        let found = direction(&plan.network, switch, port).expect("a port with a link");
        plan.directions[found as usize].clone()
    };
    let hop = |hop: &ww_tpp_apps::histories::history::Hop| {
        name(hop.get(Value::Switch).expect("a switch"), hop.get(Value::OutPort).expect("a port"))
    };
    history.hops.iter().map(hop).collect()
}

const RULES: &str = "
loops = true
[[route]]
filter = '-d 10.0.0.2'
switch = 4
out_port = 2
[[table]]
switch = 4
version = 3
[[table]]
switch = 5
version = 3
[[table]]
switch = 6
version = 3
[[table]]
switch = 7
version = 3
";

fn to(history: &History, host: u8) -> bool {
    history.destination == Ipv4Addr::new(10, 0, 0, host)
}

#[test]
fn ways_are_the_true_ones() {
    let (planned, histories, ways) = run(&router("r1", R1), &router("r3", R3));
    // A packet each millisecond of three streams.
    assert_eq!(histories.len(), 60);
    for history in &histories {
        let way = &ways[&(history.source, history.destination)];
        assert_eq!(told(&planned, history), way[1..], "{history:?}");
        assert_eq!((history.hops.len(), history.is_cut(), history.length), (3, false, 1000));
    }
    let both: BTreeSet<&str> = ways.values().flatten().map(String::as_str).collect();
    assert!(both.contains("r1->r2") && both.contains("r1->r3"), "both ways are taken: {both:?}");
    let watch = Watch::parse("", RULES).expect("good rules");
    assert!(histories.iter().all(|history| watch.judge(history).is_empty()));
    // h1's packets go by r3, which is switch 6, h2's by r2, which is switch 5.
    let query = Query::new("^ 4 {switch=6, in-port=0} 7 $").expect("a good query");
    let found: Vec<&History> = histories.iter().filter(|one| query.fits(one)).collect();
    assert!(found.len() == 20 && found.iter().all(|one| to(one, 2)));
}

/// The lab of the tree, in which hosts' own file of rules and queries does the same.
#[test]
fn the_lab() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/histories");
    let lab = Lab::open(&folder).unwrap_or_else(|report| panic!("{report}"));
    let expectations = expect::open(&folder).unwrap_or_else(|report| panic!("{report}"));
    let request = Request::default();
    let planned = lab.plan(&request).unwrap_or_else(|report| panic!("{report}"));
    let outcomes = sim::run_all(&planned, &Engines::default(), None, 2, &()).expect("it runs");
    let results = Results::new(World::Sim, &lab, &request, &planned, outcomes, &expectations)
        .expect("judged");
    assert_eq!((results.verdicts.len(), results.missed()), (10, 0), "{:?}", results.verdicts);
}

#[test]
fn mistakes_in_what_is_asked_of_histories() {
    let folder = tempfile::tempdir().expect("a folder");
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs/hello/router.p4");
    std::fs::copy(own, folder.path().join("router.p4")).expect("the program");
    let text =
        LAB.replace("ROUTES", ROUTES).replace("\nR1\n", &format!("\n{}\n", router("r1", R1)));
    let text = text.replace("\nR3\n", &format!("\n{}\n", router("r3", R3)));
    let (begin, _) = text.split_once("[[tpp.app]]").expect("an application");
    let rules = "lops = true\n";
    std::fs::write(folder.path().join("rules.toml"), rules).expect("a file");
    let asked = "[[tpp.app]]\nname = 'ways'\nkind = 'histories'\n";
    for (keys, expected) in [
        ("values = ['switch', 'entri']", "'values': expected some of switch, entry, in-port"),
        ("values = ['switch', 'switch']", "'values': a value is there twice"),
        ("values = []", "'values': a TPP collects 1 to 5 values at a hop, found 0"),
        ("rules = 'missing.toml'", "'rules': "),
        (
            "rules = 'rules.toml'",
            "rules.toml:1:1: unknown key 'lops' in the file; did you mean 'loops'?",
        ),
        ("queries = { loose = '^ 4 (5' }", "query 'loose': column "),
        ("queries = 4", "'queries'"),
        ("hops = 200", "a path of 200 switches is too long for one TPP"),
    ] {
        let text = format!("{begin}{asked}{keys}\n");
        std::fs::write(folder.path().join("lab.toml"), text).expect("a lab");
        let lab = Lab::open(folder.path()).unwrap_or_else(|report| panic!("{report}"));
        let report = match lab.plan(&Request::default()) {
            Ok(_) => panic!("expected: {expected}"),
            Err(report) => report.to_string(),
        };
        assert!(report.contains(expected), "expected {expected}\n{report}");
    }
}

/// r1 sends what is for h1 to r2 instead of r3: each of its packets breaks the rule, the first one as well, and the
/// query for what comes by there finds these and no others.
#[test]
fn a_wrong_rule() {
    let wrong = by_hand("r1", R1, &[("10.0.0.1", 0), ("10.0.0.2", 1), ("10.0.0.3", 1)]);
    let (planned, histories, ways) = run(&wrong, &router("r3", R3));
    assert_eq!(histories.len(), 60);
    let watch = Watch::parse("", RULES).expect("good rules");
    for history in &histories {
        assert_eq!(told(&planned, history), ways[&(history.source, history.destination)][1..]);
        let violations = watch.judge(history);
        match to(history, 2) {
            true => {
                assert_eq!(violations.len(), 1, "{violations:?}");
                let text = violations[0].to_string();
                assert_eq!(text, "route at hop 0: switch 4: expected out-port 2, found 1");
            }
            false => assert!(violations.is_empty(), "{violations:?}"),
        }
    }
    let query = Query::new("{switch=4, out-port=1} where -d 10.0.0.2").expect("a good query");
    let found: Vec<bool> = histories.iter().map(|one| query.fits(one)).collect();
    let affected: Vec<bool> = histories.iter().map(|one| to(one, 2)).collect();
    assert_eq!(found, affected);
    assert_eq!(affected.iter().filter(|is| **is).count(), 20);
}

/// r3 has missed the last change of its table: nothing else is wrong with what comes by it.
#[test]
fn a_stale_table() {
    let stale = by_hand("r3", R3, &[("10.0.0.1", 0), ("10.0.0.2", 1)]);
    let (_, histories, _) = run(&router("r1", R1), &stale);
    let watch = Watch::parse("", RULES).expect("good rules");
    for history in &histories {
        let violations: Vec<String> =
            watch.judge(history).iter().map(ToString::to_string).collect();
        let by_r3 = history.hops.iter().position(|hop| hop.get(Value::Switch) == Some(6));
        let expected =
            by_r3.map(|hop| format!("table at hop {hop}: switch 6: expected version 3, found 2"));
        assert_eq!(violations, Vec::from_iter(expected));
    }
    assert!(histories.iter().any(|history| to(history, 2)));
}
