//! How pacing spreads segments in time.

use crate::tcp::pipe::{Fate, MS, Path, Pipe, S, plain};
use ww_sim::transport::tcp::{Pacing, Settings};

/// A window of 40 segments and a round trip of 100 ms: at 120 % they leave every 100 / 48 ms; without
/// pacing all of them leave at once.
#[test]
fn pacing_spreads_segments() {
    let pacing = Some(Pacing { slow_start: 120, avoidance: 120 });
    for pacing in [None, pacing] {
        let settings = Settings { pacing, maximum_window: 40_000, handshake: true, ..plain() };
        let mut pipe = Pipe::new(Path::of_delay(50 * MS), |_| Fate::Pass).logging();
        pipe.flow(&settings, 2_000_000, 0, true);
        assert!(pipe.run(60 * S));
        let sent = &pipe.log.as_ref().unwrap().sent;
        let late: Vec<u64> =
            sent.iter().map(|(time, ..)| *time).filter(|time| *time > 3 * S).collect();
        let gaps: Vec<u64> = late.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let together = gaps.iter().filter(|gap| **gap == 0).count();
        if pacing.is_none() {
            assert!(together * 41 >= gaps.len() * 39, "{together} of {}", gaps.len());
        } else {
            let least = *gaps.iter().min().unwrap();
            let expected = 100.0 * MS as f64 / 48.0;
            assert!((least as f64 / expected - 1.0).abs() < 1e-6, "{least} {expected}");
        }
        assert_eq!(pipe.flows[0].sender.counters().retransmitted, 0);
    }
}

/// In slow start at 200 % the window still doubles each round trip, a round trip later at most.
#[test]
fn paced_slow_start_doubles() {
    let settings = Settings { pacing: Some(Pacing::default()), handshake: true, ..plain() };
    let mut pipe = Pipe::new(Path::of_delay(50 * MS), |_| Fate::Pass).logging();
    pipe.flow(&settings, 5_000_000, 0, true);
    let mut windows = Vec::new();
    for round in 1..=8 {
        pipe.run(round * 100 * MS);
        windows.push(pipe.flows[0].sender.window() / 1000);
    }
    // The data begins at 100 ms. Unpaced it would be 1,280.
    assert!(windows[7] >= 640, "{windows:?}");
    assert!(windows[1..].windows(2).all(|pair| 10 * pair[1] >= 19 * pair[0]), "{windows:?}");
}
