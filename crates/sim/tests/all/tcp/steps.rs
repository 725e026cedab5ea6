//! The sender step by step, with acknowledgements by hand. Segments of 1,000 bytes, counted from 0; the first
//! window is 0 to 9, and each acknowledgement comes 100 ms after the last one.

use crate::tcp::pipe::{MS, S, Time, plain};
use ww_sim::transport::tcp::{Block, Control, Pacing, Segment, Sender, Settings};

struct Hand {
    sender: Sender,
    now: Time,
}

impl Hand {
    /// Has sent the first window.
    fn new(settings: &Settings) -> Self {
        let mut hand = Self { sender: Sender::new(settings), now: 0 };
        hand.sender.write(10_000_000);
        assert_eq!(hand.sent(), (0..10).collect::<Vec<u64>>());
        hand
    }

    /// Numbers of the segments that are sent now.
    fn sent(&mut self) -> Vec<u64> {
        std::iter::from_fn(|| self.sender.poll(self.now))
            .map(|segment| segment.sequence / 1000)
            .collect()
    }

    fn answer(&mut self, next: u64, ece: bool, reported: &[(u64, u64)]) -> Vec<u64> {
        let mut sack = [Block::default(); 3];
        for (block, (start, end)) in sack.iter_mut().zip(reported) {
            *block =
                Block { offset: (start - next) as u32 * 1000, length: (end - start) as u32 * 1000 };
        }
        self.now += 100 * MS;
        let echo = self.now - 100 * MS;
        let acknowledgement = next * 1000;
        let segment = Segment { acknowledgement, echo, sack, ece, ack: true, ..Segment::default() };
        self.sender.receive(self.now, &segment);
        self.sent()
    }

    /// An acknowledgement of everything before this segment, and what is sent then.
    fn ack(&mut self, next: u64) -> Vec<u64> {
        self.answer(next, false, &[])
    }

    /// The timer expires.
    fn expire(&mut self) -> Vec<u64> {
        self.now = self.sender.timer().unwrap();
        self.sender.expire(self.now);
        self.sent()
    }

    fn recoveries(&self) -> u64 {
        self.sender.counters().fast_recoveries
    }
}

fn without_sack() -> Settings {
    Settings { sack: false, ..plain() }
}

/// RFC 5681 section 3.2: three duplicates in a row.
#[test]
fn duplicates_are_counted_in_a_row() {
    let mut hand = Hand::new(&without_sack());
    for next in [1, 1, 1, 2, 2, 2] {
        hand.ack(next);
        assert_eq!(hand.recoveries(), 0);
    }
    assert_eq!(hand.ack(2)[0], 2);
    assert_eq!(hand.recoveries(), 1);
}

/// RFC 6582 section 3.2: 0, 5 and 7 are lost, the other 7 give duplicates. Two send 10 and 11 (limited transmit);
/// at the third the window is 10 / 2 + 3 = 8; the others make it 12, which is what is outstanding. The partial
/// acknowledgement of 5 takes 5 off and gives 1 back: 8, and 5 to 11 are 7, so 5 and one new one leave. That of
/// 7 takes 2 and gives 1: 7, and 7 to 12 are 6. Only the first one restarts the timer of 1 s.
#[test]
fn partial_acknowledgements() {
    let mut hand = Hand::new(&without_sack());
    assert_eq!([hand.ack(0), hand.ack(0), hand.ack(0)], [vec![10], vec![11], vec![0]]);
    assert_eq!((hand.sender.window(), hand.sender.threshold()), (8000, 5000));
    for _ in 0..4 {
        assert!(hand.ack(0).is_empty());
    }
    assert_eq!(hand.sender.window(), 12_000);
    assert_eq!(hand.ack(5), [5, 12]);
    let deadline = hand.now + S;
    assert_eq!((hand.sender.window(), hand.sender.timer()), (8000, Some(deadline)));
    assert_eq!(hand.ack(7), [7, 13]);
    assert_eq!((hand.sender.window(), hand.sender.timer()), (7000, Some(deadline)));
    assert_eq!((hand.recoveries(), hand.sender.counters().timeouts), (1, 0));
}

/// RFC 6582 section 3.2, step 2: after a timeout duplicates of what had been sent then are not trusted; RFC 6675
/// section 5.1 asks for no more than that it is acknowledged.
#[test]
fn duplicates_after_a_timeout() {
    let mut hand = Hand::new(&without_sack());
    assert_eq!(hand.expire(), [0]);
    assert_eq!(hand.ack(10), [10, 11]);
    for _ in 0..4 {
        hand.ack(10);
    }
    assert_eq!(hand.recoveries(), 0);
    hand.ack(11);
    for _ in 0..3 {
        hand.ack(11);
    }
    assert_eq!(hand.recoveries(), 1);
    let mut hand = Hand::new(&plain());
    assert_eq!(hand.expire(), [0]);
    assert_eq!(hand.ack(10), [10, 11]);
    hand.answer(10, false, &[(11, 12)]);
    hand.answer(10, false, &[(11, 13)]);
    hand.answer(10, false, &[(11, 14)]);
    assert_eq!(hand.recoveries(), 1);
}

/// RFC 6675 section 5, step 2: one acknowledgement that reports three segments is enough.
#[test]
fn one_acknowledgement_may_show_a_loss() {
    let mut hand = Hand::new(&plain());
    assert_eq!(hand.answer(0, false, &[(1, 3)]), [10, 11]);
    assert_eq!(hand.recoveries(), 0);
    assert_eq!(hand.answer(0, false, &[(1, 4)])[0], 0);
    assert_eq!(hand.recoveries(), 1);
}

/// RFC 5681 section 3.1: the threshold is set without what limited transmit has sent, and is not set again when
/// the timer expires again.
#[test]
fn the_threshold_is_set_by_the_first_timeout() {
    let mut hand = Hand::new(&without_sack());
    assert_eq!([hand.ack(0), hand.ack(0)], [[10], [11]]);
    assert_eq!(hand.expire(), [0]);
    assert_eq!(hand.sender.threshold(), 5000);
    assert_eq!(hand.expire(), [0]);
    assert_eq!(hand.sender.threshold(), 5000);
}

/// After a timeout the window grows by a segment an acknowledgement, whatever it acknowledges (RFC 3465 section
/// 2.3), up to the threshold, and what SACK has reported is not sent again.
#[test]
fn slow_start_after_a_timeout() {
    let mut hand = Hand::new(&Settings { slow_start_limit: 4, ..plain() });
    assert_eq!(hand.answer(0, false, &[(3, 5)]), [10, 11]);
    assert_eq!(hand.expire(), [0]);
    assert_eq!(hand.ack(2), [2, 5]);
    assert_eq!(hand.sender.window(), 2000);
    assert_eq!(hand.ack(5), [6, 7]);
    assert_eq!(hand.sender.window(), 3000);
}

/// The window of a sender that had little to send grows too while it repairs a timeout.
#[test]
fn slow_start_after_a_timeout_of_little() {
    let mut hand = Hand { sender: Sender::new(&plain()), now: 0 };
    hand.sender.write(4000);
    assert_eq!(hand.sent(), [0, 1, 2, 3]);
    assert_eq!(hand.expire(), [0]);
    assert_eq!(hand.ack(1), [1, 2]);
    assert_eq!(hand.sender.window(), 2000);
}

/// RFC 3168 section 6.1.2: one reduction for a mark and a loss in the same window; RFC 8257 section 3.5: DCTCP
/// halves the window for the loss.
#[test]
fn a_loss_after_a_mark() {
    let dctcp = Control::Dctcp { gain: 0.5 };
    for (control, expected) in [(Control::NewReno, 5000), (dctcp, 4500)] {
        let mut hand = Hand::new(&Settings { control, ecn: true, ..without_sack() });
        hand.answer(1, true, &[]);
        // Alpha was 1 until this acknowledgement, which is all marked.
        assert_eq!((hand.sender.window(), hand.sender.threshold()), (5000, 5000));
        for _ in 0..3 {
            hand.ack(1);
        }
        // 1 to 9 are outstanding.
        assert_eq!((hand.recoveries(), hand.sender.threshold()), (1, expected));
    }
}

/// RFC 3168 section 6.1.2: a mark on what had been sent when a loss was found, or the timer expired, does not
/// reduce the window again; the next one does. CWR tells the receiver of each reduction (same section), and
/// what is sent again is not ECN-capable (section 6.1.5).
#[test]
fn a_mark_after_a_loss() {
    for timeout in [false, true] {
        let mut hand = Hand::new(&Settings { ecn: true, ..without_sack() });
        let mut again = None;
        if timeout {
            hand.now = hand.sender.timer().unwrap();
            hand.sender.expire(hand.now);
            again = hand.sender.poll(hand.now);
        } else {
            for _ in 0..3 {
                let segment = Segment { ack: true, ..Segment::default() };
                hand.sender.receive(hand.now, &segment);
                again = hand.sender.poll(hand.now);
            }
        }
        let again = again.unwrap();
        assert_eq!((again.sequence, again.ecn_capable, again.cwr), (0, false, false));
        let all =
            Segment { acknowledgement: hand.sender.outstanding(), ack: true, ece: true, ..again };
        hand.sender.receive(hand.now, &all);
        assert_eq!(hand.sender.counters().ece_reductions, 0);
        let next = hand.sender.poll(hand.now).unwrap();
        assert_eq!((next.sequence, next.ecn_capable, next.cwr), (all.acknowledgement, true, true));
        let beyond = Segment { acknowledgement: next.end(), ..all };
        hand.sender.receive(hand.now, &beyond);
        assert_eq!(hand.sender.counters().ece_reductions, 1);
    }
}

/// The window stays within its bounds: at least one segment after marks, with a threshold of two; at most the
/// maximum.
#[test]
fn bounds_of_the_window() {
    let mut hand = Hand::new(&Settings { ecn: true, ..plain() });
    let mut next = 10;
    for _ in 0..8 {
        hand.answer(next, true, &[]);
        next += hand.sender.outstanding() / 1000;
    }
    assert_eq!((hand.sender.window(), hand.sender.threshold()), (1000, 2000));
    let mut hand = Hand::new(&Settings { maximum_window: 12_500, ..plain() });
    for next in 1..8 {
        hand.ack(next);
    }
    assert_eq!((hand.sender.window(), hand.sender.outstanding()), (12_500, 12_000));
}

/// RFC 9438 section 4.2: the target is at most 1.5 windows, here with a round trip of 20 s, for which the curve
/// is far higher. The first acknowledgement begins the curve at 7 segments, where Reno's window is the larger one:
/// 0.529 / 7 more. Each of the other six, a second apart, adds half a segment.
#[test]
fn cubic_grows_by_half_a_window_at_most() {
    let control = Control::Cubic { fast_convergence: true };
    let mut hand = Hand::new(&Settings { control, ecn: true, ..plain() });
    let answer = Segment { acknowledgement: 10_000, ack: true, ece: true, ..Segment::default() };
    hand.sender.receive(20 * S, &answer);
    assert_eq!(hand.sender.window(), 7000);
    hand.now = 20 * S;
    let sent = hand.sent();
    assert_eq!(sent, (10..17).collect::<Vec<u64>>());
    for number in sent {
        let acknowledgement = (number + 1) * 1000;
        let echo = (10 + number) * S;
        let answer = Segment { acknowledgement, echo, ece: false, ..answer };
        hand.sender.receive(echo + 20 * S, &answer);
    }
    let expected = 7000.0 + 529.4 / 7.0 + 6.0 * 500.0;
    assert!((hand.sender.window() as f64 - expected).abs() < 2.0, "{}", hand.sender.window());
}

/// In slow start one of the two rates, else the other: after a segment of 1,000 bytes the next one waits for the
/// round trip of 100 ms / (window / 1,000) / rate.
#[test]
fn both_rates_of_pacing() {
    let pacing = Some(Pacing { slow_start: 200, avoidance: 125 });
    for (marked, window, rate) in [(false, 11_000, 2.0), (true, 5000, 1.25)] {
        let mut hand = Hand::new(&Settings { pacing, ecn: true, ..plain() });
        let first = hand.answer(10, marked, &[]);
        assert_eq!((first.len(), hand.sender.window()), (1, window));
        let expected = 100.0 * MS as f64 / (window as f64 / 1000.0) / rate;
        let waits = hand.sender.timer().unwrap() - hand.now;
        assert!((waits as f64 / expected - 1.0).abs() < 1e-6, "{waits} {expected}");
        hand.now += waits - 1;
        assert!(hand.sent().is_empty());
        hand.now += 1;
        assert_eq!(hand.sent(), [11]);
    }
}
