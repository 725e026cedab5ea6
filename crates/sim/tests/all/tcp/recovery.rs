//! Loss, and what repairs it, by hand from the RFCs. Time is in round trips of 100 ms; the line has no
//! rate, so that a window leaves, arrives and is acknowledged at one time.

use crate::tcp::pipe::{Fate, Log, MS, Passage, Path, Pipe, S, Time, US, plain};
use ww_sim::transport::tcp::{Counters, Sender, Settings};

const RTT: Time = 100 * MS;

/// Runs a flow of so many segments of 1,000 bytes, and loses the packets (counted from 0, in the order in
/// which they are sent) of a list.
fn lose(settings: &Settings, segments: u64, lost: &[u64]) -> (Log, Counters, u64) {
    let fate = |passage: &Passage| match passage.forward && lost.contains(&passage.number) {
        true => Fate::Drop,
        false => Fate::Pass,
    };
    let mut pipe = Pipe::new(Path::of_delay(RTT / 2), fate).logging();
    pipe.flow(settings, segments * 1000, 0, true);
    assert!(pipe.run(1000 * S));
    let sender = &pipe.flows[0].sender;
    assert!(sender.is_done());
    let result = (sender.counters(), sender.threshold());
    (pipe.log.take().unwrap_or_default(), result.0, result.1)
}

/// Windows after the last acknowledgement of each round trip, in bytes.
fn window_of_rounds(log: &Log) -> Vec<u64> {
    let rounds = log.windows.iter().map(|(time, ..)| time / RTT).max().unwrap_or(0);
    let last = |round| log.windows.iter().rev().find(|(time, ..)| time / RTT == round);
    (1..=rounds).filter_map(last).map(|(.., window)| *window).collect()
}

/// Times, in round trips, and segment numbers of what was sent again.
fn sent_again(log: &Log) -> Vec<(u64, u64)> {
    let mut sent = 0;
    let mut again = Vec::new();
    for (time, _, segment) in &log.sent {
        if segment.sequence < sent {
            again.push((time / RTT, segment.sequence / 1000));
        }
        sent = sent.max(segment.end());
    }
    again
}

/// RFC 5681 section 3.1: a segment for each acknowledgement. With delayed acknowledgements: 5 for
/// the first window of 10; with L = 2 (RFC 3465) it doubles again.
#[test]
fn slow_start_doubles() {
    let (log, counters, _) = lose(&plain(), 150, &[]);
    assert_eq!(window_of_rounds(&log)[..3], [20_000, 40_000, 80_000]);
    assert_eq!((counters.segments, counters.retransmitted, counters.timeouts), (150, 0, 0));
    let delayed = Settings { acknowledge_every: 2, ..plain() };
    assert_eq!(window_of_rounds(&lose(&delayed, 150, &[]).0)[0], 15_000);
    let counted = Settings { slow_start_limit: 2, ..delayed };
    assert_eq!(window_of_rounds(&lose(&counted, 150, &[]).0)[..3], [20_000, 40_000, 80_000]);
}

/// The second window is 20 segments, 10 to 29; the first of it is lost. Limited transmit sends 30 and
/// 31 for two duplicates. At the third, 20 segments are outstanding without those: the threshold is
/// 10. Both ways of recovery then send 7 new ones before the first round trip is over (NewReno:
/// 10 + 3 + 16 - 22; SACK: 10 - (22 - 19)), so 39 segments are out. When recovery ends the window is 10; it
/// grows by one a round trip.
#[test]
fn one_loss_halves_the_window() {
    for sack in [false, true] {
        let settings = Settings { sack, ..plain() };
        let (log, counters, threshold) = lose(&settings, 400, &[10]);
        assert_eq!(sent_again(&log), [(2, 10)], "sack {sack}");
        let expected = (401, 1, 0, 1);
        let found = (
            counters.segments,
            counters.retransmitted,
            counters.timeouts,
            counters.fast_recoveries,
        );
        assert_eq!(found, expected, "sack {sack}");
        assert_eq!(threshold, 10_000);
        let before = log.sent.iter().filter(|(time, ..)| *time < 3 * RTT);
        assert_eq!(before.map(|(.., segment)| segment.end()).max(), Some(39_000), "sack {sack}");
        let rounds = window_of_rounds(&log);
        let inflated = if sack { 10_000 } else { 29_000 };
        assert_eq!(rounds[..2], [20_000, inflated], "sack {sack}");
        // 30 and 31 left before segment 10 did again; their acknowledgements are two more duplicates, for
        // which two more are sent. Then it ends with 32 to 40 outstanding: min(10, 9 + 1) without SACK.
        let then = log.windows.iter().filter(|(time, ..)| *time == 3 * RTT);
        let then: Vec<u64> = then.map(|(.., window)| *window).take(3).collect();
        let inflated = if sack { [10_000, 10_000] } else { [30_000, 31_000] };
        assert_eq!((&then[..2], then[2]), (inflated.as_slice(), 10_000), "sack {sack}");
        let grown: Vec<u64> = rounds.windows(2).skip(6).map(|pair| pair[1] - pair[0]).collect();
        assert!(grown.len() > 10 && grown.iter().take(10).all(|by| *by == 1000), "{rounds:?}");
    }
}

/// RFC 6582 section 3.2, step 3: with little outstanding at the end of a recovery the window is one segment
/// more than that, so that nothing leaves in a burst. Here 32, 33 and the FIN are.
#[test]
fn no_burst_after_a_recovery() {
    let (log, ..) = lose(&Settings { sack: false, ..plain() }, 34, &[10]);
    let at_end = log.windows.iter().filter(|(time, ..)| *time == 3 * RTT).nth(2).unwrap();
    assert_eq!(at_end.2, 3001);
}

/// RFC 3042: with two duplicates only, two new segments leave, and nothing is sent again.
#[test]
fn limited_transmit() {
    // Packets 10 and 11 change places, as 12 does with both: two duplicates.
    for sack in [false, true] {
        let fate = |passage: &Passage| match passage.forward && passage.number == 10 {
            true => Fate::Late(US),
            false if passage.forward && passage.number > 12 => Fate::Late(2 * US),
            false => Fate::Pass,
        };
        let mut pipe = Pipe::new(Path::of_delay(RTT / 2), fate).logging();
        pipe.flow(&Settings { sack, ..plain() }, 60_000, 0, true);
        pipe.run(2 * RTT);
        let log = pipe.log.as_ref().unwrap();
        let of_duplicates = log.sent.iter().filter(|(time, ..)| *time == 2 * RTT);
        let numbers: Vec<u64> =
            of_duplicates.map(|(.., segment)| segment.sequence / 1000).collect();
        assert_eq!(numbers, [30, 31], "sack {sack}");
        assert!(pipe.run(S));
        assert_eq!(pipe.flows[0].sender.counters().retransmitted, 0);
    }
}

/// Segments 10, 13 and 17 of a window of 20. RFC 6582: one is repaired a round trip, and a partial
/// acknowledgement needs no duplicates. RFC 6675: all in one round trip.
#[test]
fn several_losses_in_a_window() {
    let (log, counters, _) = lose(&Settings { sack: false, ..plain() }, 200, &[10, 13, 17]);
    assert_eq!(sent_again(&log), [(2, 10), (3, 13), (4, 17)]);
    assert_eq!((counters.fast_recoveries, counters.timeouts), (1, 0));
    let (log, counters, threshold) = lose(&plain(), 200, &[10, 13, 17]);
    assert_eq!(sent_again(&log), [(2, 10), (2, 13), (2, 17)]);
    assert_eq!((counters.fast_recoveries, counters.timeouts, threshold), (1, 0, 10_000));
}

/// RFC 6675 repairs half a window in one recovery, without a timeout and without sending anything again
/// that has arrived.
#[test]
fn every_second_segment_of_a_window() {
    let lost: Vec<u64> = (30..70).filter(|number| number % 2 == 0).collect();
    let (log, counters, _) = lose(&plain(), 300, &lost);
    let mut again: Vec<u64> = sent_again(&log).iter().map(|(_, number)| *number).collect();
    again.sort_unstable();
    assert_eq!(again, lost);
    assert_eq!((counters.fast_recoveries, counters.timeouts), (1, 0));
}

/// The last three segments are lost: nothing comes behind them, so only the timer repairs them. A
/// retransmission that is lost again is a timeout too (there is no RACK here).
#[test]
fn what_only_the_timer_repairs() {
    for sack in [false, true] {
        let settings = Settings { sack, ..plain() };
        let (_, counters, _) = lose(&settings, 10, &[7, 8, 9]);
        assert_eq!((counters.timeouts, counters.fast_recoveries), (1, 0));
        // Packet 32 is segment 10 sent again: 10 to 31 went before.
        let (log, counters, _) = lose(&settings, 100, &[10, 32]);
        assert_eq!(sent_again(&log)[0], (2, 10));
        assert_eq!(counters.timeouts, 1, "sack {sack}");
        let (time, ..) = log.sent.iter().rfind(|(.., segment)| segment.sequence == 10_000).unwrap();
        // The minimum of a second after the retransmission.
        assert_eq!(*time, 2 * RTT + S);
    }
}

/// RFC 6298 rules 5.5 and 2.5: 1, 2, 4, .. s, at most 60. RFC 5681 equation 4: the threshold is half of the
/// ten that were outstanding, and stays when the same segment times out again.
#[test]
fn back_off() {
    for handshake in [false, true] {
        let mut sender = Sender::new(&Settings { handshake, ..plain() });
        sender.write(20_000);
        let mut times = Vec::new();
        while sender.poll(0).is_some() {}
        for _ in 0..8 {
            let time = sender.timer().unwrap();
            sender.expire(time - 1);
            assert_eq!(sender.poll(time - 1), None);
            sender.expire(time);
            let segment = sender.poll(time).unwrap();
            assert_eq!((segment.sequence, segment.syn), (0, handshake));
            assert_eq!(sender.poll(time), None, "the window is one segment");
            times.push(time / S);
        }
        assert_eq!(times, [1, 3, 7, 15, 31, 63, 123, 183]);
        assert_eq!(sender.counters().timeouts, 8);
        if !handshake {
            assert_eq!((sender.threshold(), sender.window()), (5000, 1000));
        }
    }
}

/// After the measurement of 100 us the timeout is SRTT + 4 RTTVAR = 300 us, or the minimum.
#[test]
fn the_minimum_timeout_is_honoured() {
    for (minimum, expected) in [(1, 300 * US), (10 * MS, 10 * MS), (S, S)] {
        let settings = Settings { minimum_timeout: minimum, handshake: true, ..plain() };
        let fate = |passage: &Passage| match passage.forward && passage.number > 0 {
            true => Fate::Drop,
            false => Fate::Pass,
        };
        let mut pipe = Pipe::new(Path::of_delay(50 * US), fate).logging();
        pipe.flow(&settings, 1000, 0, true);
        pipe.run(99 * S);
        let sent = &pipe.log.as_ref().unwrap().sent;
        // The SYN, the data a round trip later, and again.
        assert_eq!((sent[1].0, sent[2].0), (100 * US, 100 * US + expected));
    }
    // A small minimum does not lead to timeouts where nothing is lost and the delay is steady.
    let settings = Settings { minimum_timeout: 1, ..plain() };
    let mut pipe = Pipe::new(Path::of_delay(50 * US), |_| Fate::Pass);
    pipe.flow(&settings, 10_000_000, 0, true);
    assert!(pipe.run(S));
    assert_eq!(pipe.flows[0].sender.counters().timeouts, 0);
}

/// A round trip for SYN and SYN-ACK. When the SYN is lost the initial window is one segment (RFC 5681 section 3.1).
#[test]
fn the_handshake_costs_a_round_trip() {
    let settings = Settings { handshake: true, ..plain() };
    let (log, ..) = lose(&settings, 20, &[]);
    let times: Vec<Time> = log.sent.iter().map(|(time, ..)| *time).collect();
    assert!(log.sent[0].2.syn && log.sent[0].2.length == 0);
    assert_eq!(times[..11], [[0].as_slice(), &[RTT; 10]].concat());
    let (log, counters, _) = lose(&settings, 20, &[0]);
    let at_first = log.sent.iter().filter(|(time, ..)| *time == S + RTT).count();
    assert_eq!((at_first, counters.timeouts, counters.retransmitted), (1, 1, 1));
}

/// RFC 5681 section 4.1: after 10 s of silence the window of 80 segments is 10 again, if wanted.
#[test]
fn restart_after_idle() {
    for restart in [false, true] {
        let settings = Settings { restart_after_idle: restart, ..plain() };
        let mut pipe = Pipe::new(Path::of_delay(RTT / 2), |_| Fate::Pass).logging();
        let mut sender = Sender::new(&settings);
        sender.write(70_000);
        pipe.add(sender, &settings, 200_000, 0, true);
        pipe.run(10 * S);
        assert_eq!(pipe.flows[0].sender.window(), 80_000);
        pipe.flows[0].sender.write(130_000);
        pipe.wake(0);
        pipe.run(10 * S + 1);
        assert_eq!(pipe.flows[0].sender.outstanding(), if restart { 10_000 } else { 80_000 });
    }
}

/// A window that the application does not use does not grow: one segment a round trip, for 50 of them.
#[test]
fn a_window_that_is_not_used_does_not_grow() {
    let settings = plain();
    let mut pipe = Pipe::new(Path::of_delay(RTT / 2), |_| Fate::Pass);
    pipe.add(Sender::new(&settings), &settings, 50_000, 0, true);
    for _ in 0..50 {
        pipe.flows[0].sender.write(1000);
        pipe.wake(0);
        pipe.run(pipe.now + RTT);
    }
    assert_eq!(pipe.flows[0].sender.window(), 10_000);
}
