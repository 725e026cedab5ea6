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
fn largest(config: Config, way: u64, phase: u64, cycles: Cycles) -> u128 {
    let thousandths = |n: u64| NOMINAL_PERIOD / 1000 * n;
    let oscillators = vec![Oscillator::new(100.0, 0), Oscillator::new(-100.0, thousandths(phase))];
    let latency = (43 - PHY_TICKS) * NOMINAL_PERIOD + thousandths(way);
    let cable = Cable { latency, ..Cable::new([(0, 0), (1, 0)], 0) };
    let crossings =
        move |crossing: Crossing| cycles[usize::from(!crossing.measures)][crossing.receiver];
    let mut simulation = Simulation::new(config, oscillators, &[cable], crossings);
    simulation.all_up();
    simulation.run(4 * config.interval / config.phases + 400);
    simulation.watch(0, 1);
    // At first the counters are nearly equal: it takes them 20,000 ticks to drift so far apart.
    simulation.run(30_000);
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
fn bound_is_never_exceeded() {
    for interval in [200, 1200, 4000] {
        for choice in 0..16 {
            let cycle = |n: u64| choice >> n & 1;
            let cycles = [[cycle(0), cycle(1)], [cycle(2), cycle(3)]];
            for way in (20..=1000).step_by(70) {
                for phase in (0..1000).step_by(83) {
                    let found = largest(Config::new(interval), way, phase, cycles);
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
fn bound_is_reached() {
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
        let config = Config::new(interval);
        let phases = (0..1000).step_by(4);
        let worst = phases.map(|phase| largest(config, way, phase, cycles)).max();
        assert_eq!(worst, Some(expected), "interval {interval}, way {way}");
    }
}

/// The same protocol in eighths of a tick: by the same proof, neighbours differ by at most 4 eighths and the drift, 0.32 of one at
/// interval 200 and 1.93 at 1,200, which is 5 and 6, and so by at most one tick where whole ticks are read.
#[test]
fn eighths_of_a_tick_keep_within_one() {
    for interval in [200, 1200] {
        let config = Config::with_phases(interval, 8);
        let mut worst = 0;
        for choice in 0..16 {
            let cycle = |n: u64| choice >> n & 1;
            let cycles = [[cycle(0), cycle(1)], [cycle(2), cycle(3)]];
            for way in (3..=1000).step_by(61) {
                for phase in (0..1000).step_by(83) {
                    worst = worst.max(largest(config, way, phase, cycles));
                }
            }
        }
        assert_eq!(worst, 1, "interval {interval}");
    }
}

/// One step coarser it is not so: in quarters of a tick 5 of them are reached, and whole ticks that differ by two.
#[test]
fn quarters_of_a_tick_exceed_one() {
    let config = Config::with_phases(200, 4);
    let ways = (0..1000).step_by(10).flat_map(|way| (0..1000).step_by(18).map(move |at| (way, at)));
    let found = ways
        .filter(|(way, phase)| largest(config, *way, *phase, [[0, 0], [1, 1]]) > 1)
        .collect::<Vec<_>>();
    println!("{} of 5,600 ways and phases, the first at {:?}", found.len(), found.first());
    assert!(!found.is_empty());
    assert!(found.iter().all(|(way, at)| largest(config, *way, *at, [[0, 0], [1, 1]]) == 2));
}
