//! Long incasts: check 28 of the acceptance checks.

use ww_fabric::relay::{Rules, Settings, run};
use ww_fabric::schedule::{Order, Schedule};
use ww_fabric::workload::{Pattern, generate};

/// 130 KB a sender, 56 bytes a cell.
const CELLS: u64 = 130_000_u64.div_ceil(56);

/// Slots until the slowest flow is complete, and the mean over the slowest.
fn completions(hosts: usize, order: Order, senders: usize) -> (f64, f64) {
    let schedule = Schedule::new(hosts, order, 1).unwrap();
    let gate = schedule.slots() as u64;
    let settings = Settings { delay: 3, gate, ..Settings::new(Rules::Shoal) };
    let flows = generate(&Pattern::Incast { senders, cells: CELLS }, hosts, 1).unwrap();
    let outcome = run(&schedule, &settings, &flows, 1, None).unwrap();
    assert_eq!(outcome.finished.len(), senders);
    assert_eq!(outcome.bound_violations, 0, "{hosts} hosts, {order}, {senders} senders");
    let times: Vec<f64> = outcome.finished.iter().map(|flow| flow.completion() as f64).collect();
    let slowest = times.iter().copied().fold(0.0, f64::max);
    (slowest, times.iter().sum::<f64>() / senders as f64 / slowest)
}

/// The part of the variance of `y` that a straight line over `x` explains.
fn r_squared(points: &[(f64, f64)]) -> f64 {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|(x, _)| x).sum::<f64>() / count;
    let mean_y = points.iter().map(|(_, y)| y).sum::<f64>() / count;
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|(x, y)| term(x - mean_x, y - mean_y)).sum()
    };
    sum(&|x, y| x * y).powi(2) / sum(&|x, _| x * x) / sum(&|_, y| y * y)
}

/// All flows end together, and the more there are the later, in proportion.
fn check(hosts: usize, order: Order, senders: &[usize]) {
    let mut points = Vec::new();
    for &senders in senders {
        let (slowest, mean) = completions(hosts, order, senders);
        // The destination takes a cell a slot at most.
        assert!(slowest >= (senders as u64 * CELLS) as f64);
        assert!(mean > 0.95, "{hosts} hosts, {order}, {senders} senders: {mean}");
        points.push((senders as f64, slowest));
    }
    let line = r_squared(&points);
    assert!(line > 0.999, "{hosts} hosts, {order}: {line}");
}

/// Check 28: the slowest flow takes time in proportion to the senders.
#[test]
fn check_28_the_slowest_flow_of_an_incast_is_linear_in_the_senders() {
    check(32, Order::Reordered, &[4, 8, 16, 24, 31]);
    check(32, Order::Plain, &[4, 8, 16, 24, 31]);
}
