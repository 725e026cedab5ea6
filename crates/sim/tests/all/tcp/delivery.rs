//! Whatever the network does, each byte arrives once and in order, and the sender learns it.

use crate::tcp::pipe::{Fate, MS, Path, Pipe, S, US};
use ww_sim::random::Stream;
use ww_sim::transport::tcp::{Control, Pacing, Settings};

/// Any settings.
fn settings(stream: &mut Stream) -> Settings {
    let control = match stream.below(4) {
        0 => Control::NewReno,
        1 => Control::Cubic { fast_convergence: true },
        2 => Control::Cubic { fast_convergence: false },
        _ => Control::Dctcp { gain: 0.0625 },
    };
    let dctcp = matches!(control, Control::Dctcp { .. });
    let segment = 1 + stream.below(12) as u16;
    let paced = stream.happens(0.3);
    Settings {
        control,
        segment,
        initial_window: 1 + stream.below(12) as u32,
        maximum_window: u64::from(segment) + stream.below(400),
        slow_start_limit: 1 + stream.below(3) as u32,
        sack: stream.happens(0.8),
        rack: stream.happens(0.5),
        prr: stream.happens(0.5),
        ecn: dctcp || stream.happens(0.4),
        pacing: paced.then(Pacing::default),
        handshake: stream.happens(0.5),
        minimum_timeout: 50 * US + stream.below(2 * MS),
        initial_timeout: 3 * MS,
        maximum_timeout: 20 * MS,
        restart_after_idle: stream.happens(0.5),
        acknowledge_every: 1 + stream.below(4) as u32,
        acknowledge_within: stream.below(MS),
    }
}

/// 10,000 networks, each with its own probabilities of loss, delay, doubling and marking in both
/// directions, some with a bottleneck, and one to three flows. The pipe checks each step.
#[test]
fn every_byte_arrives_once_and_in_order() {
    let mut totals = (0u64, 0u64, 0u64, 0u64);
    for case in 0..10_000u32 {
        let mut stream = Stream::new(20, 1, case);
        let mut probability = |most: f64| stream.unit() * stream.unit() * most;
        let (loss, answer_loss) = (probability(0.5), probability(0.5));
        let (late, twice, mark) = (probability(0.5), probability(0.3), probability(0.5));
        let mut path = Path::of_delay(1 + stream.below(300) * US);
        if stream.happens(0.4) {
            path.pace = 1 + stream.below(US);
            path.room = 200 + stream.below(2000);
            path.mark_at = stream.happens(0.5).then_some(150);
        }
        let mut chance = Stream::new(20, 2, case);
        let mut pipe = Pipe::new(path, |passage| {
            if chance.happens(if passage.forward { loss } else { answer_loss }) {
                Fate::Drop
            } else if chance.happens(late) {
                Fate::Late(chance.below(500 * US))
            } else if chance.happens(twice) {
                Fate::Twice(chance.below(500 * US))
            } else if chance.happens(mark) {
                Fate::Mark
            } else {
                Fate::Pass
            }
        });
        for _ in 0..1 + stream.below(3) {
            let bytes = stream.below(1200);
            pipe.flow(&settings(&mut stream), bytes, stream.below(MS), true);
        }
        let finished = pipe.run(3600 * S);
        assert!(finished, "case {case}: something is to come after an hour");
        for flow in &pipe.flows {
            assert!(flow.sender.is_done() && flow.receiver.is_closed(), "case {case}: not done");
            assert_eq!(flow.sender.acknowledged(), flow.receiver.delivered(), "case {case}");
            let counters = flow.sender.counters();
            totals.0 += counters.retransmitted;
            totals.1 += counters.timeouts;
            totals.2 += counters.fast_recoveries;
            totals.3 += counters.ece_reductions;
        }
    }
    // The cases reach all of these.
    assert!(totals.0.min(totals.1).min(totals.2).min(totals.3) > 10_000, "{totals:?}");
}

/// Bytes that come in portions, with a stream that ends later.
#[test]
fn portions() {
    let settings = Settings { minimum_timeout: MS, ..Settings::default() };
    let mut chance = Stream::new(21, 0, 0);
    let mut pipe = Pipe::new(Path::of_delay(50 * US), |_| {
        if chance.happens(0.1) { Fate::Drop } else { Fate::Pass }
    });
    let sender = ww_sim::transport::tcp::Sender::new(&settings);
    let mut portions = Stream::new(21, 1, 0);
    let sizes: Vec<u64> = (0..200).map(|_| portions.below(5000)).collect();
    pipe.add(sender, &settings, sizes.iter().sum(), 0, true);
    for size in sizes {
        pipe.flows[0].sender.write(size);
        pipe.wake(0);
        pipe.run(pipe.now + portions.below(3 * MS));
        assert!(!pipe.flows[0].sender.is_done());
    }
    pipe.run(pipe.now + 10 * S);
    assert_eq!(pipe.flows[0].sender.outstanding(), 0);
    pipe.flows[0].sender.finish();
    pipe.flows[0].sender.write(1);
    pipe.wake(0);
    assert!(pipe.run(pipe.now + 10 * S));
    assert!(pipe.flows[0].sender.is_done() && pipe.flows[0].receiver.is_closed());
}
