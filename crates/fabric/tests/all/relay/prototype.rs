//! The published prototype: 8 hosts, slots of 76.8 ns, 1,576 ns from host to host.

use ww_fabric::configuration::{Options, Profile};
use ww_fabric::flows::Flow;

/// Seven hosts send 7 cells each to the eighth: the slowest takes 6.9 us and the fastest about 6.05, as measured; here to
/// an epoch of 0.54 us. No queue has more than 7 cells.
#[test]
fn an_incast_takes_as_long_as_measured() {
    let options = Options { profile: Some(Profile::Prototype), ..Options::default() };
    let configuration = options.configuration().unwrap();
    let flow = |src: u32| Flow { id: u64::from(src), src, dst: 0, cells: 7, start: 0 };
    let flows: Vec<Flow> = (1..8).map(flow).collect();
    let outcome = configuration.run(&flows, None).unwrap();
    let times =
        outcome.finished.iter().map(|flow| flow.completion() as f64 * outcome.slot_ns / 1000.0);
    let mut times: Vec<f64> = times.collect();
    times.sort_by(f64::total_cmp);
    assert_eq!(times.len(), 7);
    let (fastest, slowest) = (times[0], times[6]);
    assert!((fastest - 6.05).abs() <= 0.54, "{fastest}");
    assert!((slowest - 6.9).abs() <= 0.54, "{slowest}");
    assert!(outcome.queue_samples.len() <= 8, "{:?}", outcome.queue_samples);
    assert_eq!(outcome.bound_violations, 0);
}
