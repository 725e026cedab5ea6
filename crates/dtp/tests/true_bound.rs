//! How far apart neighbours can be, whatever crossings do: docs/clock-sync.md has the proof of what is checked here.
//!
//! spec: 000-p4fpga-sonic-dtp 2.6, check 28

use ww_dtp::port::Config;
use ww_dtp::simulation::crossing::Crossing;
use ww_dtp::simulation::oscillator::{NOMINAL_PERIOD, Oscillator};
use ww_dtp::simulation::{Cable, PHY_TICKS, Simulation};

/// Cycles at crossings: of INIT and its answer on their way to the first device and to the second, and of beacons.
type Cycles = [[u64; 2]; 2];

/// The largest difference of two neighbours, 100 ppm fast and slow. The way between them takes `way` thousandths of a tick more
/// than 43 ticks; the second oscillator is `phase` thousandths of a tick late.
fn largest(interval: u64, way: u64, phase: u64, cycles: Cycles, ticks: u64) -> u128 {
    let thousandths = |n: u64| NOMINAL_PERIOD / 1000 * n;
    let oscillators = vec![Oscillator::new(100.0, 0), Oscillator::new(-100.0, thousandths(phase))];
    let latency = (43 - PHY_TICKS) * NOMINAL_PERIOD + thousandths(way);
    let cable = Cable { latency, ..Cable::new([(0, 0), (1, 0)], 0) };
    let crossings =
        move |crossing: Crossing| cycles[usize::from(!crossing.measures)][crossing.receiver];
    let mut simulation = Simulation::new(Config::new(interval), oscillators, &[cable], crossings);
    simulation.all_up();
    simulation.run(4 * interval + 400);
    simulation.watch(0, 1);
    simulation.run(ticks);
    simulation.take_offsets()[0].largest()
}

/// Drift from one beacon to the next: 200 parts in a million of an interval and two ticks that a crossing may add.
fn drift(interval: u64) -> f64 {
    200e-6 * (interval + 2) as f64
}

/// The bound: 3 and the fraction of a tick on the way and the drift, upwards. Ways and delays are measured in ticks of
/// oscillators that differ by 200 ppm: that is a hundredth of a tick on 44.
fn bound(interval: u64, way: u64) -> u128 {
    let fraction = way as f64 / 1000.0;
    (3.0 + fraction + drift(interval) + 0.01).ceil() as u128
}

/// All constant choices at crossings, ways and phases in steps: never more than the bound.
#[test]
fn never_more() {
    for interval in [200, 1200, 4000] {
        for choice in 0..16 {
            let cycle = |n: u64| choice >> n & 1;
            let cycles = [[cycle(0), cycle(1)], [cycle(2), cycle(3)]];
            for way in (20..=1000).step_by(70) {
                for phase in (0..1000).step_by(83) {
                    let found = largest(interval, way, phase, cycles, 30_000);
                    assert!(
                        found <= bound(interval, way),
                        "{found} at interval {interval}, way {way}, phase {phase}, {cycles:?}"
                    );
                }
            }
        }
    }
}

/// Crossings that measure as short as can be, and tell counters as late as can be, reach it: five ticks, already at interval
/// 200, where the way is nearly a whole number of ticks.
#[test]
fn reached() {
    let cycles = [[0, 0], [1, 1]];
    for (interval, way, expected) in [
        (200, 985, 5),
        (200, 900, 4),
        (200, 400, 4),
        (1200, 900, 5),
        (1200, 600, 4),
        (4000, 300, 5),
    ] {
        assert_eq!(bound(interval, way), expected);
        // At first the counters are nearly equal: it takes them 20,000 ticks to drift so far apart.
        let worst =
            (0..1000).step_by(4).map(|phase| largest(interval, way, phase, cycles, 30_000)).max();
        assert_eq!(worst, Some(expected), "interval {interval}, way {way}");
    }
}
