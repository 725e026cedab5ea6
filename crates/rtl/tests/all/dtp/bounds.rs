//! How far apart neighbours are in hardware, and how fast: docs/clock-sync.md has the proof.

use crate::dtp::Random;
use crate::dtp::network::{Crossings, Network, Offsets};
use crate::dtp::node::Node;
use ww_dtp::simulation::oscillator::{NANOSECOND, NOMINAL_PERIOD, Oscillator};

/// Ticks until delays are measured and counters joined, and the slower one has fallen behind.
const SETTLED: u64 = 25_000;

/// Two devices, 100 ppm fast and slow. The way takes `way` thousandths of a tick more than a whole number of ticks, and the second
/// oscillator is `phase` thousandths late.
fn neighbours(alpha: u64, way: u64, phase: u64, crossings: Crossings, frame: u64) -> Network {
    let thousandths = |n: u64| NOMINAL_PERIOD / 1000 * n;
    let oscillators = [Oscillator::new(100.0, 0), Oscillator::new(-100.0, thousandths(phase))];
    let nodes = oscillators.map(|oscillator| (Node::new(1, alpha, 200), oscillator)).into();
    let cable = ((0, 0), (1, 0), 7 * NOMINAL_PERIOD + thousandths(way));
    let mut network = Network::new(nodes, &[cable], crossings, frame, 7 * way + phase + 1);
    network.all_up();
    network.run(SETTLED);
    assert!(network.node(0).in_step(1) && network.node(1).in_step(1));
    network.watch(0, 1);
    network
}

fn largest(offsets: &Offsets) -> u64 {
    offsets.keys().map(|offset| offset.unsigned_abs()).max().expect("counters were compared")
}

fn at_random(ticks: u64, frame: u64) {
    for (way, phase) in [(300, 700), (985, 120)] {
        let mut network = neighbours(3, way, phase, Crossings::Random, frame);
        let rate = network.run(ticks);
        let offsets = network.offsets().remove(0);
        println!("way {way}, phase {phase}, frames of {frame}: {offsets:?}, {rate:.3} ppm");
        assert!(largest(&offsets) <= 4, "{offsets:?}");
        assert_eq!(offsets.values().sum::<u64>() / 1000, (ticks + ticks / 10_000) / 1000);
        // A move of a counter at either end.
        let granularity = 5e6 / ticks as f64;
        assert!((rate - 100.0).abs() < granularity, "{rate}");
    }
}

/// Check 28: an extra cycle at crossings or none, by chance.
#[test]
fn neighbours_stay_within_four_ticks() {
    at_random(500_000, 0);
}

/// Behind frames of 1,522 bytes messages wait.
#[test]
fn full_links_change_nothing() {
    at_random(300_000, 191);
}

/// Check 28 in full.
#[test]
#[ignore = "takes minutes; make test-all runs it"]
fn a_hundred_million_ticks() {
    at_random(100_000_000, 0);
}

/// Crossings that measure as short as can be and tell counters as late as can be: 5 ticks where the way is nearly a whole number of
/// them, and never more.
#[test]
fn an_adversary_reaches_the_bound() {
    for (way, expected) in [(985, 5), (400, 4)] {
        let mut worst = (0, 0, 0);
        let mut counts = Offsets::new();
        for phase in (0..1000).step_by(8) {
            let crossings = Crossings::Constant { measures: [false; 2], tells: [true; 2] };
            let mut network = neighbours(3, way, phase, crossings, 0);
            network.run(6_000);
            let offsets = network.offsets().remove(0);
            worst = worst.max((largest(&offsets), way, phase));
            offsets.into_iter().for_each(|(offset, n)| *counts.entry(offset).or_default() += n);
        }
        println!("(ticks, way, phase) {worst:?} of {counts:?}");
        assert_eq!(worst.0, expected);
    }
}

/// All constant choices at crossings.
#[test]
fn no_adversary_passes_the_bound() {
    for choice in 0..16 {
        let cycle = |n: u32| choice >> n & 1 == 1;
        let (measures, tells) = ([cycle(0), cycle(1)], [cycle(2), cycle(3)]);
        for (way, phase) in [(20, 10), (20, 600), (400, 250), (700, 900), (985, 450), (985, 984)] {
            let crossings = Crossings::Constant { measures, tells };
            let mut network = neighbours(3, way, phase, crossings, 0);
            network.run(6_000);
            // Three, the fraction of a tick on the way, and the drift of an interval and two ticks.
            let bound = (3.0 + way as f64 / 1000.0 + 200e-6 * 202.0 + 0.01).ceil() as u64;
            let found = largest(&network.offsets()[0]);
            assert!(found <= bound, "{found} at way {way}, phase {phase}, {crossings:?}");
        }
    }
}

/// What alpha is for: with 2, two delays that are too large together drive the counters, faster than any oscillator.
#[test]
fn a_smaller_alpha_runs_away() {
    let fastest = |alpha: u64| {
        let crossings = Crossings::Constant { measures: [true; 2], tells: [false; 2] };
        let rates = (0..1000).step_by(125).map(|way| {
            let mut network = neighbours(alpha, way, (way * 7) % 1000, crossings, 0);
            network.run(100_000)
        });
        rates.fold(0.0, f64::max)
    };
    let (published, smaller) = (fastest(3), fastest(2));
    println!("alpha 3: {published:.0} ppm, 2: {smaller:.0} ppm");
    assert!(published < 120.0 && smaller > 400.0, "{published} {smaller}");
}

/// A device with three others: neighbours as above, and two others within twice as much. The middle one is not the fastest.
#[test]
fn a_tree() {
    let mut random = Random(29);
    let nodes = [(3, -40.0), (1, 100.0), (1, -100.0), (1, 70.0)].map(|(ports, ppm)| {
        (Node::new(ports, 3, 200), Oscillator::new(ppm, random.below(NOMINAL_PERIOD)))
    });
    let cables = [(0, 10), (1, 3), (2, 37)]
        .map(|(port, metres)| ((0, port), (port + 1, 0), 5 * NANOSECOND * metres));
    let mut network = Network::new(nodes.into(), &cables, Crossings::Random, 0, 31);
    network.all_up();
    network.run(SETTLED);
    let pairs = [(0, 1, 4), (0, 2, 4), (0, 3, 4), (1, 2, 8), (1, 3, 8), (2, 3, 8)];
    pairs.iter().for_each(|(a, b, _)| network.watch(*a, *b));
    let rate = network.run(300_000);
    for (offsets, (a, b, most)) in network.offsets().iter().zip(pairs) {
        println!("{a} to {b}: {offsets:?}");
        assert!(largest(offsets) <= most, "{a} to {b}: {offsets:?}");
    }
    assert!((rate - 100.0).abs() < 20.0, "{rate}");
}
