//! Policies in P4 that policy files name.

use super::PolicyCompiler;
use super::driver::{GIGABIT, Random, pace, packet, serve};
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
    let plans = [Plan::parse(&rust), Plan::parse_in("", &p4, &folder, &PolicyCompiler)];
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
        let read = Plan::parse_in("", &GOOD.replacen(old, new, 1), &folder, &PolicyCompiler);
        let report = read.expect_err(new);
        assert!(report.to_string().contains(words), "{new}: {report}");
        assert!(report.lines().contains(&line), "{new}: {report}");
    };
    refuse("\"strict\"", "\"none.p4\"", 5, "none.p4");
    refuse("\"strict\"", "\"../programs/l2l3/l2l3.p4\"", 5, "which is no scheduling policy");
    refuse("\"strict\"", "\"strict\"\nengine = \"jit\"", 6, "not to 'strict'");
    refuse("\"strict\"", "\"strict.p4\"\nengine = \"rtl\"", 6, "rtl");
    refuse("\"strict\"", "\"strict.p4\"\nqueues = 4", 6, "'queues' belongs to 'sfq'");
    refuse("weight = 2", "engine = \"jit\"", 29, "'web' has 'engine' but no 'policy'");
    let error = Plan::parse(&GOOD.replace("\"strict\"", "\"strict.p4\"")).expect_err("no folder");
    assert_eq!(error.first_position(), Some((5, 10)));
}

/// The same registers for as many nodes and children as a file has, within its limits.
#[test]
fn large_plans_with_policies_in_p4() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
    let text = "rate = \"40 Gb/s\"\n[root]\npolicy = \"wf2q.p4\"\n[[root.children]]\nname = \"a\"\ncount = 300\npolicy = \"drr.p4\"\n[[root.children.children]]\nname = \"b\"\ncount = 300\n";
    let plan = Plan::parse_in("", text, &folder, &PolicyCompiler)
        .unwrap_or_else(|error| panic!("{error}"));
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
