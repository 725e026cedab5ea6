//! Links that fail, networks that part and merge, wrong bits, peers that jump, counters that wrap.
//!
//! spec: 000-p4fpga-sonic-dtp 2.6, checks 29, 30

use ww_dtp::counter::Counter;
use ww_dtp::message::Message;
use ww_dtp::port::{Config, Effect, PATIENCE, Port};
use ww_dtp::simulation::crossing::{BitErrors, Random};
use ww_dtp::simulation::oscillator::Oscillator;
use ww_dtp::simulation::{Cable, Simulation};

const SETTLED: u64 = 20_000;

/// Four devices in a row, each a little off.
fn row(interval: u64, seed: u64) -> Simulation<Random> {
    let ppm = [100.0, -100.0, 50.0, -50.0];
    let mut random = Random::new(seed);
    let oscillators =
        ppm.iter().map(|ppm| Oscillator::new(*ppm, random.below(6_000_000_000))).collect();
    let cables: Vec<Cable> =
        (0..3).map(|n| Cable::new([(n, usize::from(n > 0)), (n + 1, 0)], 10)).collect();
    Simulation::new(Config::new(interval), oscillators, &cables, Random::new(seed))
}

/// By how much two counters differ now.
fn apart(simulation: &Simulation<Random>, a: usize, b: usize) -> i128 {
    simulation.counter(a).ahead_of(simulation.counter(b))
}

/// Partition and merge: both parts end on the larger counter, wherever it was.
#[test]
fn parts_that_merge_end_on_the_larger_counter() {
    for (larger, ahead) in [(0, 5_000_000), (3, 5_000_000), (0, 1 << 60), (3, 1 << 60)] {
        let mut simulation = row(200, 3);
        simulation.link_up(0, 0);
        simulation.link_up(2, 1);
        simulation.run(SETTLED);
        let counter = simulation.counter(larger);
        simulation.link_down(if larger == 0 { 0 } else { 2 }, usize::from(larger == 3));
        // A device of one part alone was on for long.
        simulation.set_counter(larger, counter.plus(ahead));
        simulation.link_up(if larger == 0 { 0 } else { 2 }, usize::from(larger == 3));
        simulation.run(SETTLED);
        assert!(apart(&simulation, 0, 3).abs() > ahead / 2);
        simulation.link_up(1, 1);
        simulation.run(SETTLED);
        for (a, b, hops) in [(0, 1, 1), (1, 2, 1), (2, 3, 1), (0, 3, 3)] {
            let offset = apart(&simulation, a, b).abs();
            assert!(offset <= 4 * hops, "{a} to {b}: {offset}, {larger} was ahead by {ahead}");
        }
        assert!(simulation.counter(0).ahead_of(counter) > ahead);
    }
}

/// After JOIN both counters are together within two beacon intervals.
#[test]
fn a_newcomer_converges_in_two_intervals() {
    let mut simulation = row(200, 9);
    simulation.link_up(0, 0);
    simulation.run(1_000_000);
    // Its delay takes a round trip, and so does the answer to its JOIN.
    simulation.link_up(1, 1);
    simulation.run(2 * 100 + 2 * 200);
    assert!(apart(&simulation, 0, 2).abs() <= 8, "{}", apart(&simulation, 0, 2));
}

/// A flap measures the delay anew; without any link a counter begins anew.
#[test]
fn link_flaps() {
    let mut simulation = row(200, 5);
    simulation.all_up();
    simulation.run(SETTLED);
    for _ in 0..50 {
        simulation.link_down(1, 1);
        assert_eq!(simulation.device(1).port(1).delay(), None);
        simulation.run(333);
        simulation.link_up(1, 1);
        simulation.run(SETTLED);
        assert!(apart(&simulation, 0, 3).abs() <= 12);
        assert!(simulation.device(1).port(1).delay().is_some());
    }
    let before = simulation.counter(3);
    simulation.link_down(2, 1);
    assert!(simulation.counter(3).value() < 10);
    simulation.link_up(2, 1);
    simulation.run(SETTLED);
    assert!(simulation.counter(3).ahead_of(before) > 0);
}

/// A counter near 2^53 crosses the wrap of what messages carry, and one near the end of all begins at 0.
#[test]
fn counters_wrap() {
    for start in [(1 << 53) - 30_000, u128::MAX - 30_000] {
        let mut simulation = row(200, 7);
        for device in 0..4 {
            simulation.set_counter(device, Counter::new(start));
        }
        simulation.all_up();
        simulation.run(1000);
        simulation.watch(0, 3);
        simulation.run(200_000);
        assert!(simulation.take_offsets()[0].largest() <= 12);
        let expected = Counter::new(start).plus(201_000);
        assert!(simulation.counter(2).ahead_of(expected).abs() < 100);
    }
}

/// A wrong bit in a message never moves a counter by more than 8; with one in a hundred wrong the bound still holds.
#[test]
fn bit_errors_are_tolerated() {
    for seed in 0..6 {
        let mut simulation = row(200, seed);
        simulation.all_up();
        simulation.run(SETTLED);
        simulation.set_errors(BitErrors::new(100, seed));
        simulation.watch(0, 1);
        simulation.watch(0, 3);
        simulation.run(3_000_000);
        let offsets = simulation.take_offsets();
        assert!(offsets[0].largest() <= 5 && offsets[1].largest() <= 12, "{offsets:?}");
    }
    // Each bit of a beacon, at a port that is in step.
    let mut port = Port::new(Config::new(200));
    let counter = Counter::new(1_000_000);
    port.link_up();
    assert_eq!(port.slot(0, counter), Some(Message::Init(0)));
    assert_eq!(port.receive(Message::InitAck(0), 90, counter), Effect::None);
    assert_eq!(port.delay(), Some(43));
    let bits = Message::Beacon(counter.plus(-43).low()).to_bits();
    for bit in 0..56 {
        let mut port = port.clone();
        if let Some(message) = Message::of_bits(bits ^ 1 << bit) {
            match port.receive(message, 100, counter) {
                Effect::None => {}
                Effect::Near(now) => assert!(now.ahead_of(counter).abs() <= 8, "bit {bit}"),
                Effect::Far(_) => panic!("bit {bit}"),
            }
        }
    }
}

/// A peer whose counter jumps on and on is not listened to any more.
#[test]
fn a_peer_that_jumps_is_isolated() {
    let mut simulation = row(200, 11);
    simulation.all_up();
    simulation.run(SETTLED);
    let before = simulation.counter(3);
    let mut jumps = 0;
    while !simulation.device(1).port(0).is_faulty() {
        let counter = simulation.counter(0);
        simulation.set_counter(0, counter.plus(6));
        simulation.run(400);
        jumps += 1;
        assert!(jumps < 100, "it is still believed");
    }
    let budget = simulation.config().most_jumps;
    assert!(jumps * 6 > budget && jumps * 6 < budget + 60, "{jumps} jumps");
    // The others go on, no further ahead than what was believed.
    let isolated = simulation.counter(1);
    for _ in 0..100 {
        let counter = simulation.counter(0);
        simulation.set_counter(0, counter.plus(6));
        simulation.run(400);
    }
    assert!(apart(&simulation, 1, 3).abs() <= 8);
    assert!(simulation.counter(1).ahead_of(isolated) < 40_000 + 10);
    assert!(simulation.counter(3).ahead_of(before) > 0);
    // A flap begins anew.
    simulation.link_down(0, 0);
    simulation.link_up(0, 0);
    simulation.run(SETTLED);
    assert!(!simulation.device(1).port(0).is_faulty());
    assert!(apart(&simulation, 0, 1).abs() <= 4);
}

/// An INIT that the peer did not see is sent anew, and an answer to the one before it is not believed.
#[test]
fn lost_init_is_resent() {
    let mut port = Port::new(Config::new(200));
    let counter = Counter::default();
    port.link_up();
    assert_eq!(port.slot(7, counter), Some(Message::Init(7)));
    assert_eq!(port.wants(8), Some(7 + PATIENCE));
    assert_eq!(port.slot(6 + PATIENCE, counter), None);
    assert_eq!(port.slot(9 + PATIENCE, counter), Some(Message::Init(9 + PATIENCE)));
    port.receive(Message::InitAck(7), 20 + PATIENCE, counter);
    assert_eq!((port.delay(), port.counts().unexpected), (None, 1));
    port.receive(Message::InitAck(9 + PATIENCE), 99 + PATIENCE, counter);
    assert_eq!(port.delay(), Some(43));
    // One that comes too late is not believed either.
    port.link_up();
    assert_eq!(port.slot(0, counter), Some(Message::Init(0)));
    port.receive(Message::InitAck(4000), PATIENCE, counter);
    assert_eq!(port.delay(), None);
    port.receive(Message::InitAck(4000), PATIENCE - 1, counter);
    assert_eq!(port.delay(), Some((PATIENCE as i64 - 4004) / 2));
}

/// Messages at any time, in any state: nothing breaks, and a far counter is not believed for one message.
#[test]
fn arbitrary_messages_do_not_panic() {
    let mut random = Random::new(1);
    for _ in 0..2000 {
        let mut port = Port::new(Config::new(200));
        let mut tick = random.below(1 << 40);
        port.link_up();
        for _ in 0..50 {
            tick += random.below(500);
            let counter = Counter::new(u128::from(random.bits()) << random.below(60));
            match random.below(8) {
                0 => port.link_up(),
                1 => port.link_down(),
                2 => {
                    port.slot(tick, counter);
                }
                3 => port.join(),
                _ => {
                    if let Some(message) = Message::of_bits(random.bits() >> 8) {
                        port.receive(message, tick, counter);
                    }
                }
            }
        }
    }
}
