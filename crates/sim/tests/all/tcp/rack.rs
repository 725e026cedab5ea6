//! RACK-TLP by hand from RFC 8985. Time is in round trips of 100 ms; the line has no rate.

use crate::tcp::pipe::{Fate, Log, MS, Passage, Path, Pipe, S, Time, US, plain};
use ww_sim::transport::tcp::{Block, Counters, Segment, Sender, Settings};

const RTT: Time = 100 * MS;

fn rack() -> Settings {
    Settings { rack: true, prr: true, ..plain() }
}

fn run(
    settings: &Settings,
    segments: u64,
    fate: impl Fn(&Passage) -> Fate,
) -> (Log, Counters, Time) {
    let mut pipe = Pipe::new(Path::of_delay(RTT / 2), fate).logging();
    pipe.flow(settings, segments * 1000, 0, true);
    assert!(pipe.run(1000 * S));
    let sender = &pipe.flows[0].sender;
    assert!(sender.is_done());
    let counters = sender.counters();
    let log = pipe.log.take().unwrap();
    let end = log.windows.last().unwrap().0;
    (log, counters, end)
}

fn lose(settings: &Settings, segments: u64, lost: &[u64]) -> (Log, Counters, Time) {
    run(settings, segments, |passage| match passage.forward && lost.contains(&passage.number) {
        true => Fate::Drop,
        false => Fate::Pass,
    })
}

/// Packet number, time and segment number of what was sent again.
fn sent_again(log: &Log) -> Vec<(u64, Time, u64)> {
    let mut sent = 0;
    let mut again = Vec::new();
    for (number, (time, _, segment)) in log.sent.iter().enumerate() {
        if segment.sequence < sent {
            again.push((number as u64, *time, segment.sequence / 1000));
        }
        sent = sent.max(segment.end());
    }
    again
}

fn times(log: &Log) -> Vec<(Time, u64)> {
    sent_again(log).into_iter().map(|(_, time, segment)| (time, segment)).collect()
}

/// Section 7.2: the last acknowledgement comes after a round trip; two smoothed ones later the last segment is sent
/// again, and acknowledged one later. A receiver that delays acknowledgements by up to 40 ms may have waited with
/// that of a single segment. RFC 6298 alone takes a second.
#[test]
fn the_last_segment_is_repaired_by_a_probe() {
    for (every, delay, smoothed) in [(1, 0, RTT), (2, 40 * MS, 105 * MS)] {
        let settings = Settings { acknowledge_every: every, ..rack() };
        let (log, counters, end) = lose(&settings, 10, &[9]);
        // An acknowledgement of every second one leaves the ninth to the delay; that moves SRTT by an eighth of it.
        let probe = RTT + delay + 2 * smoothed + delay;
        assert_eq!(times(&log), [(probe, 9)], "every {every}");
        assert_eq!((counters.timeouts, counters.probes), (0, 1));
        assert_eq!(end, probe + RTT);
    }
    // The FIN does not fit in the window of one segment, and follows a round trip later.
    let (_, counters, end) = lose(&plain(), 10, &[9]);
    assert_eq!((counters.timeouts, end), (1, RTT + S + 2 * RTT));
}

/// Of three lost segments at the end the probe repairs the last one, and its SACK, at 4 round trips, shows that the others
/// are lost, which were sent 4 before: with the flight of 3 the reduction lets one leave then, and the other one
/// with its acknowledgement.
#[test]
fn the_probe_shows_what_else_is_lost() {
    let (log, counters, end) = lose(&rack(), 10, &[7, 8, 9]);
    assert_eq!(times(&log), [(3 * RTT, 9), (4 * RTT, 7), (5 * RTT, 8)]);
    assert_eq!((counters.timeouts, counters.fast_recoveries, counters.probes), (0, 1, 1));
    assert_eq!(end, 6 * RTT);
}

/// Section 7.3: new data goes first, beyond the window. All acknowledgements of the first window of 10 are lost; the round
/// trip was measured by the handshake. The acknowledgement of the probe, of all, ends it without a reduction.
#[test]
fn a_probe_of_new_data() {
    let settings = Settings { handshake: true, ..rack() };
    let (log, counters, _) =
        run(&settings, 40, |passage| match !passage.forward && (1..11).contains(&passage.number) {
            true => Fate::Drop,
            false => Fate::Pass,
        });
    let (time, _, segment) = &log.sent[11];
    assert_eq!((*time, segment.sequence), (3 * RTT, 10_000));
    assert_eq!((counters.retransmitted, counters.timeouts, counters.probes), (0, 0, 1));
    assert!(log.windows.iter().all(|(.., window)| *window >= 10_000));
}

/// A retransmission is lost, and the next ones too: each is found lost when what was sent just behind it is reported, a
/// round trip later. RFC 6675 waits for the timer.
#[test]
fn lost_retransmissions_take_a_round_trip_each() {
    let mut lost = vec![10];
    for losses in 1..5u64 {
        let (log, counters, _) = lose(&rack(), 200, &lost);
        let again = sent_again(&log);
        let expected: Vec<(Time, u64)> = (0..losses).map(|at| ((2 + at) * RTT, 10)).collect();
        assert_eq!(times(&log), expected);
        assert_eq!((counters.timeouts, counters.fast_recoveries), (0, 1));
        lost.push(again.last().unwrap().0);
    }
    assert_eq!(lose(&plain(), 200, &lost[..2]).1.timeouts, 1);
}

/// Section 6.2 step 4: the window for reordering is a quarter of the least round trip, 25 ms, as long as fewer than three
/// segments are reported, and for any number once reordering was seen. Packet 28, with only 29 behind it, comes
/// 20 ms late; then packet 40, with 29 behind it, by 20 or 30 ms.
#[test]
fn reordering_within_the_window_is_no_loss() {
    for (late, expected) in [(20, None), (30, Some(3 * RTT + 25 * MS))] {
        let fate = |passage: &Passage| match (passage.forward, passage.number) {
            (true, 28) => Fate::Late(20 * MS),
            (true, 40) => Fate::Late(late * MS),
            _ => Fate::Pass,
        };
        let (log, counters, _) = run(&rack(), 300, fate);
        let again: Vec<(Time, u64)> = expected.into_iter().map(|time| (time, 40)).collect();
        assert_eq!(times(&log), again, "{late} ms");
        assert_eq!((counters.timeouts, counters.probes), (0, 0));
        // Three segments behind it are a loss for RFC 6675.
        assert_eq!(run(&plain(), 300, fate).1.retransmitted, 1);
    }
}

/// Before reordering was seen, three reported segments make the window zero, as three duplicates do (same section); one
/// does not, and then the window passes.
#[test]
fn three_segments_are_a_loss_at_once() {
    let (log, ..) = lose(&rack(), 200, &[26]);
    assert_eq!(times(&log), [(2 * RTT, 26)]);
    let (log, counters, _) = lose(&rack(), 30, &[28]);
    assert_eq!(times(&log), [(2 * RTT + 25 * MS, 28)]);
    assert_eq!((counters.timeouts, counters.probes), (0, 0));
}

/// Half a window is repaired without a timeout, and nothing is sent again that has arrived.
#[test]
fn every_second_segment_of_a_window() {
    let lost: Vec<u64> = (30..70).filter(|number| number % 2 == 0).collect();
    let (log, counters, _) = lose(&rack(), 300, &lost);
    let mut again: Vec<u64> = sent_again(&log).iter().map(|(.., segment)| *segment).collect();
    again.sort_unstable();
    assert_eq!(again, lost);
    assert_eq!((counters.fast_recoveries, counters.timeouts), (1, 0));
}

/// Section 7.4.2: the probe is acknowledged, and then what comes behind it. Without a duplicate in between the probe has
/// repaired a loss, and the window answers: half of the three segments that were outstanding, at least two. A
/// duplicate says that both came.
#[test]
fn a_repair_by_a_probe_is_a_loss() {
    for duplicate in [false, true] {
        let mut sender = Sender::new(&rack());
        sender.write(5000);
        while sender.poll(0).is_some() {}
        let mut now = 0;
        let mut answer = |sender: &mut Sender, next: u64| {
            now += 2 * RTT;
            let segment = Segment {
                acknowledgement: next * 1000,
                echo: now - RTT,
                // The round trip is 100 ms, though each acknowledgement comes 200 ms after the last one.
                sack: [Block::default(); 3],
                ack: true,
                ..Segment::default()
            };
            sender.receive(now, &segment);
            now
        };
        let time = answer(&mut sender, 2);
        assert_eq!(sender.timer(), Some(time + 2 * RTT));
        sender.expire(time + 2 * RTT - US);
        assert_eq!(sender.poll(time + 2 * RTT - US), None);
        sender.expire(time + 2 * RTT);
        let probe = sender.poll(time + 2 * RTT).unwrap();
        assert_eq!((probe.sequence, probe.length), (4000, 1000));
        // The retransmission timer runs from the probe on, and there is no second probe.
        assert_eq!(sender.timer(), Some(time + 2 * RTT + S));
        answer(&mut sender, 2);
        let mut time = answer(&mut sender, 5);
        if duplicate {
            time = answer(&mut sender, 5);
        }
        sender.write(1000);
        assert!(sender.poll(time).is_some());
        let window = sender.window();
        answer(&mut sender, 6);
        let threshold = if duplicate { u64::MAX } else { 2000 };
        assert_eq!(sender.threshold(), threshold);
        assert!(sender.window() >= if duplicate { window } else { 2000 });
        assert_eq!(sender.counters().timeouts, 0);
    }
}
