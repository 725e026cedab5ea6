//! Policy files: what is accepted, what is refused and with which words, and that the scheduler built of
//! a file does what the file says.

use crate::driver;

use driver::{GIGABIT, MILLISECOND, backlogged, pace};
use ww_config::{Mistake, Report};
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

/// One mistake at this line has these words.
fn expect(report: &Report, line: usize, words: &str) {
    let is_it = |mistake: &Mistake| {
        mistake.position.is_some_and(|(at, _)| at == line) && mistake.message.contains(words)
    };
    assert!(report.mistakes.iter().any(is_it), "{line}: {words}: {report}");
}

/// Each line replaces or follows something in the good file; the message must have the words, and point at
/// the line.
#[test]
fn invalid_policy_files_are_refused() {
    let refuse = |old: &str, new: &str, line: usize, words: &str| {
        let text = GOOD.replacen(old, new, 1);
        assert_ne!(text, GOOD, "{old}");
        expect(&Plan::parse(&text).expect_err(new), line, words);
    };
    refuse("rate = \"10 Gb/s\"", "rate = \"10 GB/s\"", 2, "\"40 Gb/s\"");
    refuse("rate = \"10 Gb/s\"", "rate = \"10 b/s\"", 2, "466 b/s");
    refuse("policy = \"strict\"", "policy = \"stict\"", 5, "stict");
    refuse("burst = 3000", "bursts = 3000", 15, "bursts");
    refuse("burst = 3000", "burst = 0", 15, "'burst': expected 1 to");
    refuse("rate = \"1 Gb/s\"\n", "", 13, "needs the 'rate' of 'calls'");
    refuse(
        "weight = 1",
        "priority = 1",
        25,
        "policy 'wf2q+', which orders 'bulk', has no 'priority'",
    );
    refuse("count = 2", "count = 70000", 24, "'count': expected 1 to 65536");
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
    expect(&error, 3, "needs children");
}

/// One report has the mistakes of the hierarchy, of the traffic, unknown keys and what is not TOML.
#[test]
fn all_mistakes_are_in_one_report() {
    let text = GOOD
        .replace("rate = \"10 Gb/s\"", "rate = \"10 GB/s\"")
        .replace("burst = 3000", "burts = 3000")
        .replace("\"wf2q+\"", "\"wf2q\"")
        .replace("count = 2", "count 2")
        + "[traffic]\noverhead = 2000\n[[traffic.classes]]\nflow = \"data/web\"\ndscp = 64\n";
    let report = Plan::parse(&text).expect_err("six mistakes");
    let lines: Vec<_> = report.mistakes.iter().filter_map(|m| Some(m.position?.0)).collect();
    assert_eq!(lines, [2, 15, 20, 24, 31, 34], "{report}");
    assert!(report.to_string().contains("did you mean 'burst'?"), "{report}");
    assert!(report.to_string().contains("did you mean 'wf2q+'?"), "{report}");
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
    assert!(error.to_string().contains("more than 1048576"), "{error}");
    let mut deep = String::from("rate = \"1 Gb/s\"\n[root]\npolicy = \"drr\"\n");
    let mut table = String::from("root");
    for _ in 0..40 {
        table += ".children";
        deep += &format!("[[{table}]]\nname = \"a\"\npolicy = \"drr\"\n");
    }
    let error = Plan::parse(&deep).expect_err("too deep");
    assert!(error.to_string().contains("more than 16 levels"), "{error}");
}
