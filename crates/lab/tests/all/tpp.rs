//! `[tpp]` of a lab: what it becomes, what is said of mistakes, and what a program collects.

use ww_lab::lab::{Lab, Planned, Request};
use ww_lab::world::sim;

const LAB: &str = r#"
title = "Two switches"
[run]
duration = "20 ms"
[topology]
kind = "dumbbell"
left = 2
right = 2
edge = { rate = "100 Mb/s", delay = "1 us" }
core = { rate = "100 Mb/s", delay = "1 us" }
[[traffic]]
name = "there"
kind = "stream"
from = "h0"
to = "h2"
bytes = "1000 B"
rate = "8 Mb/s"
[[traffic]]
name = "back"
kind = "stream"
from = "h3"
to = "h0"
bytes = "1000 B"
rate = "8 Mb/s"
"#;

fn planned(text: &str) -> Planned {
    let plan = Lab::of_text("t", text).plan(&Request::default());
    plan.unwrap_or_else(|report| panic!("{report}"))
}

fn with(tpp: &str) -> String {
    format!("{LAB}{tpp}\n")
}

const PATHS: &str = r#"
[tpp]
outside = ["h3"]
[[tpp.app]]
name = "paths"
kind = "collect"
program = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [PacketMetadata:InputPort]\n"
hops = 3
word = "16"
"#;

/// A packet each millisecond each way; those of h3 carry a TPP and come from outside, so that none arrives. Switch 1 is
/// s0: its ports 0 and 1 lead to h0 and h1, port 2 to s1.
#[test]
fn what_a_program_collects() {
    let planned = planned(&with(PATHS));
    let plan = &planned.variants[0].plan;
    let tpps = plan.tpps.as_ref().expect("there are TPPs");
    let (_, assignment) = tpps.hosts(plan, 1).pop_first().expect("it runs at all hosts");
    assert_eq!(assignment.kind, "collect");
    // 12 bytes, 3 instructions, 3 hops of 3 words of 2 bytes.
    let tpp = assignment.settings["shim"]["rules"][0]["tpp"].as_array().expect("bytes");
    assert_eq!(tpp.len(), 12 + 12 + 18);
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let numbers = &outcomes[0][0].numbers;
    let figure = |path: &[&str]| numbers.get(&[&["tpp", "paths"], path].concat());
    assert_eq!(figure(&["stamped"]), Some(40.0));
    assert_eq!(figure(&["collected"]), Some(20.0));
    assert_eq!(figure(&["stamp_bytes"]), Some(40.0 * 42.0));
    assert_eq!(figure(&["mean_hops"]), Some(2.0));
    assert_eq!(figure(&["s0->s1", "InputPort", "readings"]), Some(20.0));
    assert_eq!(figure(&["s0->s1", "InputPort", "zero_share"]), Some(1.0));
    assert_eq!(figure(&["s1->h2", "InputPort", "mean"]), Some(2.0));
    assert_eq!(figure(&["s1->s0", "InputPort", "readings"]), None);
}

/// The same with a word in front of what is pushed, which switches store.
#[test]
fn what_a_program_collects_behind_words_of_its_own() {
    let program = ".memory 7\\nSTORE [Stage1:Reg0], [Packet:Word[0]]\\nPUSH [Switch:SwitchID]";
    let text = PATHS.replace("PUSH [Switch:SwitchID]", program);
    let planned = planned(&with(&text.replace("hops = 3", "hops = 3\nwrite = [\"Stage1:Reg0\"]")));
    let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
    let figure = |path: &[&str]| outcomes[0][0].numbers.get(&[&["tpp", "paths"], path].concat());
    assert_eq!(figure(&["collected"]), Some(20.0));
    assert_eq!(figure(&["s0->s1", "InputPort", "readings"]), Some(20.0));
    assert_eq!(figure(&["s0->s1", "InputPort", "zero_share"]), Some(1.0));
    assert_eq!(figure(&["s1->h2", "InputPort", "mean"]), Some(2.0));
}

/// Queues in front of which a switch executes TPPs are those of its links, each with limits of its own: what is read
/// of a full one is the limit less what is on its way out.
#[test]
fn queues_are_those_of_the_links() {
    let text = r#"
title = "Two narrow links"
[run]
duration = "100 ms"
[topology]
kind = "star"
hosts = 3
edge = { rate = "10 Mb/s", delay = "1 us" }
[[link]]
ends = ["h0", "s0"]
rate = "100 Mb/s"
[[link]]
ends = ["s0", "h1"]
queue = "3 KB"
[[link]]
ends = ["s0", "h2"]
queue = "30 KB"
[tpp]
[[tpp.app]]
name = "queues"
kind = "collect"
hosts = ["h0", "h1", "h2"]
program = "PUSH [Switch:SwitchID]\nPUSH [PacketMetadata:OutputPort]\nPUSH [Queue:QueueOccupancy]"
hops = 1
[[traffic]]
name = "one"
kind = "stream"
from = "h0"
to = "h1"
bytes = "500 B"
rate = "20 Mb/s"
[[traffic]]
name = "two"
kind = "stream"
from = "h0"
to = "h2"
bytes = "500 B"
rate = "20 Mb/s"
"#;
    let outcomes = sim::run_all(&planned(text), &(), None, 1, &()).expect("it runs");
    for (link, limit) in [("s0->h1", 3000.0), ("s0->h2", 30_000.0)] {
        let path = ["tpp", "queues", link, "QueueOccupancy", "largest"];
        let largest = outcomes[0][0].numbers.get(&path).expect("it was read");
        assert!(largest <= limit && largest > limit - 1200.0, "{link}: {largest} of {limit}");
    }
}

/// One mistake each.
#[test]
fn mistakes() {
    let app = |text: &str| with(&format!("[tpp]\n[[tpp.app]]\nname = 'a'\n{text}"));
    let collect = |text: &str| app(&format!("kind = 'collect'\n{text}"));
    let rcp = |text: &str| app(&format!("kind = 'rcp'\n{text}"));
    for (text, expected) in [
        (
            with("[tpp]\nswitch = ['s0']"),
            "unknown key 'switch' in 'tpp' of the lab; did you mean 'switches'?",
        ),
        (with("[tpp]\nswitches = ['s7']"), "there is no switch 's7'"),
        (with("[tpp]\nwindow = '1 ns'"), "'window': expected whole microseconds, 1 us or more"),
        (app("kind = 'rpc'\npairs = [['h0', 'h2']]"), "found \"rpc\"; did you mean 'rcp'?"),
        (
            collect("program = 'PUSH [Queue:Occupancy]'"),
            "'program':1:7: 'Queue' has no 'Occupancy'",
        ),
        (collect("program = 'STORE [Stage1:Reg0], 5'"), "say under 'write'"),
        (
            collect("program = 'STORE [Stage1:Reg0], 5'\nwrite = ['Stage1:Rag0']"),
            "'write': there is no address 'Stage1:Rag0'",
        ),
        (collect("program = 'PUSH [Switch:ID]'\nfilter = '-p tpc'"), "'filter': "),
        (collect("program = 'missing.tpp'"), "there is no folder in which 'missing.tpp' could be"),
        (collect("hops = 5"), "needs 'program'"),
        (rcp("pairs = [['h0', 'h0']]"), "expected two hosts, found one twice"),
        (rcp("pairs = [['h0', 'h2']]\nshare = 0.0"), "'share': expected more than 0"),
        (rcp("pairs = [['h0', 'h2']]\nalpha = -1.0"), "'alpha': expected 0 to 100, found -1"),
        (rcp("pairs = [['h0', 'h2']]\nbytes = '9 KB'"), "'bytes': expected 100 B to 8700 B"),
        (
            with(
                "[tpp]\n[[tpp.app]]\nname='a'\nkind='rcp'\npairs=[['h0','h2']]\n[[tpp.app]]\nname='b'\nkind='rcp'\npairs=[['h1','h3']]",
            ),
            "only one application of a lab can be \"rcp\"",
        ),
        (
            with(
                "[tpp]\n[[tpp.app]]\nname='a'\nkind='rcp'\npairs=[['h0','h2']]\n[[tpp.app]]\nname='b'\nkind='collect'\nprogram='PUSH [Switch:ID]'",
            ),
            "'h0' has an application already",
        ),
        (app("kind = 'conga'"), "needs 'demand'"),
        (app("kind = 'drops'"), "needs 'collector'"),
        (app("kind = 'drops'\ncollector = 'h0'\nrate = '0.1 /s'"), "'rate': expected \"1 /s\""),
        (
            app(
                "kind='drops'\ncollector='h0'\n[[tpp.app]]\nname='b'\nkind='drops'\ncollector='h1'",
            ),
            "only one application of a lab can be \"drops\"",
        ),
        (
            app(
                "kind='drops'\ncollector='h0'\n[[node]]\nname='s0'\nkind='program'\nprogram='r.p4'",
            ),
            "'s0' is a program: it executes TPPs, but does not report drops",
        ),
        (app("kind = 'update'\nfrom = 'h0'\nto = 'h1'"), "needs 'prefix'"),
        (
            app("kind = 'update'\nfrom = 'h0'\nto = 'h1'\nprefix = '10.9.0.1/16'"),
            "'prefix': expected an IPv4 prefix without bits behind it",
        ),
        (app("kind = 'update'\nfrom = 'h0'\nto = 'h0'\nprefix = '10.9.0.0/16'"), "found one twice"),
        (app("kind = 'vendors'\nfrom = 'h0'\nto = 'h1'"), "is on the way and of no vendor"),
        (
            app(
                "kind='vendors'\nfrom='h0'\nto='h1'\nexpected=[2]\n[[tpp.vendor]]\nid=1\naddress=0xf000\nshows='Link:ID'",
            ),
            "'expected': there is no [[tpp.vendor]] with the id 2",
        ),
        (
            app("kind='collect'\n[[tpp.vendor]]\nid=1\naddress=0x8000\nshows='Link:ID'"),
            "'address': expected 61440 to 65535",
        ),
        (
            app("kind='collect'\n[[tpp.vendor]]\nid=1\naddress=0xf000\nshows='Link:Idd'"),
            "'shows': there is no address 'Link:Idd'",
        ),
        (app("kind = 'paths'\nhops = 60"), "a path of 60 switches is too long for one TPP"),
    ] {
        let report = match Lab::of_text("t", &text).plan(&Request::default()) {
            Ok(_) => panic!("expected: {expected}"),
            Err(report) => report.to_string(),
        };
        assert!(report.contains(expected), "expected {expected}\n{report}");
    }
}

/// Of the two ways between leaves each has its tag, and with both balanced or not packets take both.
#[test]
fn a_tag_for_each_path() {
    let lab = r#"
title = "Two spines"
[run]
duration = "200 ms"
[topology]
kind = "leaf-spine"
leaves = 2
spines = 2
hosts = 1
edge = { rate = "1 Gb/s", delay = "1 us" }
core = { rate = "100 Mb/s", delay = "1 us" }
[tpp]
[[tpp.app]]
name = "paths"
kind = "conga"
balanced = false
demand = [{ from = "h0", to = "h1", rate = "100 Mb/s", flows = 20 }]
"#;
    for seed in 1..4 {
        let planned = planned(&lab.replace("[topology]", &format!("seed = {seed}\n[topology]")));
        let outcomes = sim::run_all(&planned, &(), None, 1, &()).expect("it runs");
        let used = |link| outcomes[0][0].numbers.get(&["links", link, "utilisation"]).expect(link);
        let [first, second] = ["leaf0->spine0", "leaf0->spine1"].map(used);
        assert!((first - 0.5).abs() < 0.05 && (second - 0.5).abs() < 0.05, "{first} {second}");
    }
}
