//! Policy files: what is accepted, what is refused and with which words, and that the scheduler built of
//! a file does what the file says.

use crate::driver;

use driver::{GIGABIT, MILLISECOND, Random, backlogged, pace, packet, serve};
use std::path::Path;
use ww_sched::policy_file::Plan;

const GOOD: &str = r#"
rate = "10 Gb/s"

[root]
policy = "strict"

[[root.children]]
name = "voice"
priority = 0
policy = "token-bucket"

[[root.children.children]]
name = "calls"
rate = "1 Gb/s"
burst = 3000

[[root.children]]
name = "data"
priority = 1
policy = "wf2q+"

[[root.children.children]]
name = "bulk"
count = 2
weight = 1

[[root.children.children]]
name = "web"
weight = 2
"#;

#[test]
fn a_file_becomes_a_scheduler() {
    let plan = Plan::parse(GOOD).expect("good");
    assert_eq!(plan.flows(), ["voice/calls", "data/bulk.0", "data/bulk.1", "data/web"]);
    let outline = "root: strict\n  voice, priority 0: token-bucket\n    calls, rate 1000000000 b/s, burst 3000 bytes\n  data, priority 1: wf2q+\n    bulk.0 to bulk.1, weight 1\n    web, weight 2\n";
    assert_eq!(plan.outline(), outline);
    let mut scheduler = plan.scheduler();
    let link = pace(10 * GIGABIT);
    let bytes = backlogged(&mut scheduler, link, 10 * MILLISECOND, &[0, 1, 2, 3], |_| 1500);
    // 1 Gb/s for voice; 9 in parts of 1, 1 and 2.
    for (flow, expected) in [1_250_000.0, 2_812_500.0, 2_812_500.0, 5_625_000.0].iter().enumerate()
    {
        assert!((bytes[flow] as f64 / expected - 1.0).abs() < 0.01, "{bytes:?}");
    }
}

#[test]
fn all_policies_are_known() {
    for policy in [
        "fifo",
        "strict",
        "drr",
        "stfq",
        "wfq",
        "wf2q+",
        "fair-shaper",
        "rcsp",
        "sjf",
        "srtf",
        "lstf",
        "edf",
    ] {
        let text = format!(
            "rate = \"1 Gb/s\"\n[root]\npolicy = \"{policy}\"\n[[root.children]]\nname = \"a\"\ncount = 3\n"
        );
        let plan = Plan::parse(&text).expect(policy);
        assert_eq!(plan.flows(), ["a.0", "a.1", "a.2"]);
        let bytes =
            backlogged(&mut plan.scheduler(), pace(GIGABIT), MILLISECOND, &[0, 1, 2], |_| 1000);
        let sum: u64 = bytes.iter().sum();
        assert!((124_000..=126_000).contains(&sum), "{policy}: {bytes:?}");
    }
    let aging = "rate = \"1 Gb/s\"\n[root]\npolicy = \"aging\"\nthreshold = \"10 us\"\n[[root.children]]\nname = \"a\"\npriority = 3\n";
    assert!(Plan::parse(aging).expect("aging").outline().contains("threshold 10000000 ps"));
    let sfq = "rate = \"1 Gb/s\"\n[root]\npolicy = \"sfq\"\nqueues = 4\n";
    assert_eq!(Plan::parse(sfq).expect("sfq").flows().len(), 4);
}

/// Each line replaces or follows something in the good file; the message must have the words, and point at
/// the line.
#[test]
fn what_is_refused_and_where() {
    let refuse = |old: &str, new: &str, line: usize, words: &str| {
        let text = GOOD.replacen(old, new, 1);
        assert_ne!(text, GOOD, "{old}");
        let error = Plan::parse(&text).expect_err(new);
        assert!(error.message.contains(words), "{new}: {error}");
        assert_eq!(error.line, line, "{new}: {error}");
    };
    refuse("rate = \"10 Gb/s\"", "rate = \"10 GB/s\"", 2, "\"40 Gb/s\"");
    refuse("rate = \"10 Gb/s\"", "rate = \"10 b/s\"", 2, "466 b/s");
    refuse("policy = \"strict\"", "policy = \"stict\"", 5, "stict");
    refuse("burst = 3000", "bursts = 3000", 15, "bursts");
    refuse("burst = 3000", "burst = 0", 15, "'burst' must be 1 to");
    refuse("rate = \"1 Gb/s\"\n", "", 13, "needs the 'rate' of 'calls'");
    refuse(
        "weight = 1",
        "priority = 1",
        25,
        "policy 'wf2q+', which orders 'bulk', has no 'priority'",
    );
    refuse("count = 2", "count = 70000", 24, "'count' must be");
    refuse("name = \"web\"", "name = \"bulk\"", 28, "two children are called 'bulk'");
    refuse("name = \"web\"", "name = \"a/b\"", 28, "a name has");
    refuse(
        "name = \"web\"",
        "name = \"web\"\nthreshold = \"1 ms\"",
        29,
        "has 'threshold' but no 'policy'",
    );
    refuse("policy = \"wf2q+\"", "policy = \"wf2q+\"\nqueues = 3", 21, "'queues' belongs to 'sfq'");
    refuse("policy = \"wf2q+\"\n", "", 18, "'data' has children but no 'policy'");
    refuse("policy = \"wf2q+\"", "policy = \"aging\"", 20, "'aging' needs 'threshold'");
    refuse("[root]", "[root", 4, "");
    let error =
        Plan::parse("rate = \"1 Gb/s\"\n[root]\npolicy = \"drr\"\n").expect_err("no children");
    assert!(error.message.contains("needs children"), "{error}");
}

/// Many of many: refused before anything is built.
#[test]
fn size_is_bounded() {
    let mut text = String::from("rate = \"1 Gb/s\"\n[root]\npolicy = \"drr\"\n");
    let mut table = String::from("root");
    for _ in 0..3 {
        table += ".children";
        text += &format!("[[{table}]]\nname = \"a\"\ncount = 60000\npolicy = \"drr\"\n");
    }
    text = text.trim_end().trim_end_matches("policy = \"drr\"").to_owned();
    let error = Plan::parse(&text).expect_err("too many");
    assert!(error.message.contains("more than 1048576"), "{error}");
    let mut deep = String::from("rate = \"1 Gb/s\"\n[root]\npolicy = \"drr\"\n");
    let mut table = String::from("root");
    for _ in 0..40 {
        table += ".children";
        deep += &format!("[[{table}]]\nname = \"a\"\npolicy = \"drr\"\n");
    }
    Plan::parse(&deep).expect_err("too deep");
}

/// The built-in policies of a hierarchy, replaced by those in P4: the same departures. Two nodes share a
/// program, and so an engine.
#[test]
fn policies_in_p4_stand_in_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
    let rust = GOOD.replace("name = \"voice\"", "name = \"voice\"\ncount = 2");
    let p4 = rust
        .replace("\"strict\"", "\"strict.p4\"\nengine = \"interp\"")
        .replace("\"token-bucket\"", "\"token_bucket.p4\"")
        .replace("\"wf2q+\"", "\"./wf2q.p4\"\ntrigger = \"input\"");
    let rust = rust.replace("\"wf2q+\"", "\"wf2q+\"\ntrigger = \"input\"");
    let plans = [Plan::parse(&rust), Plan::parse_in(&p4, &folder)];
    let [rust, p4] = plans.map(|plan| plan.unwrap_or_else(|error| panic!("{error}")));
    assert!(p4.outline().contains("data, weight 1, priority 1"), "{}", p4.outline());
    let link = pace(10 * GIGABIT);
    let departures = [rust, p4].map(|plan| {
        let (mut scheduler, mut random, mut left) = (plan.scheduler(), Random(5), Vec::new());
        for flow in 0..scheduler.flows() {
            for _ in 0..200 {
                scheduler.enqueue(flow, packet(64 + random.below(1437) as u32), 0);
            }
        }
        serve(&mut scheduler, link, 0, u64::MAX, |_, flow, _, now| left.push((flow, now)));
        left
    });
    assert_eq!(departures[0].len(), 1000);
    assert_eq!(departures[0], departures[1]);

    let refuse = |old: &str, new: &str, line: usize, words: &str| {
        let error = Plan::parse_in(&GOOD.replacen(old, new, 1), &folder).expect_err(new);
        assert!(error.message.contains(words), "{new}: {error}");
        assert_eq!(error.line, line, "{new}: {error}");
    };
    refuse("\"strict\"", "\"none.p4\"", 5, "none.p4");
    refuse("\"strict\"", "\"../programs/l2l3/l2l3.p4\"", 5, "which is no scheduling policy");
    refuse("\"strict\"", "\"strict\"\nengine = \"jit\"", 6, "not to 'strict'");
    refuse("\"strict\"", "\"strict.p4\"\nengine = \"rtl\"", 6, "rtl");
    refuse("\"strict\"", "\"strict.p4\"\nqueues = 4", 6, "'queues' belongs to 'sfq'");
    refuse("weight = 2", "engine = \"jit\"", 29, "'web' has 'engine' but no 'policy'");
    let error = Plan::parse(&GOOD.replace("\"strict\"", "\"strict.p4\"")).expect_err("no folder");
    assert_eq!((error.line, error.column), (5, 10));
}

/// The same registers for as many nodes and children as a file has, within its limits.
#[test]
fn large_plans_with_policies_in_p4() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
    let text = "rate = \"40 Gb/s\"\n[root]\npolicy = \"wf2q.p4\"\n[[root.children]]\nname = \"a\"\ncount = 300\npolicy = \"drr.p4\"\n[[root.children.children]]\nname = \"b\"\ncount = 300\n";
    let plan = Plan::parse_in(text, &folder).unwrap_or_else(|error| panic!("{error}"));
    let mut scheduler = plan.scheduler();
    assert_eq!(scheduler.flows(), 90_000);
    for flow in [0, 299, 300, 89_999] {
        assert!(scheduler.enqueue(flow, packet(100), 0));
    }
    let link = pace(40 * GIGABIT);
    let mut left = Vec::new();
    serve(&mut scheduler, link, 0, u64::MAX, |_, flow, _, now| left.push((flow, now)));
    // 20 ns each. The second packet of the first class waits for those of the others.
    assert_eq!(left, [(0, 0), (300, 20_000), (89_999, 40_000), (299, 60_000)]);
}
