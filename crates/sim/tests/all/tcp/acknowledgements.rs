//! When a receiver acknowledges, and what it says.

use crate::tcp::pipe::{MS, Time, plain};
use ww_sim::transport::tcp::{Control, Receiver, Segment, Settings};

/// Segment `number` of 1,000 bytes, sent at `number` ms.
fn data(number: u64) -> Segment {
    Segment {
        sequence: number * 1000,
        length: 1000,
        ack: true,
        timestamp: number * MS,
        ecn_capable: true,
        ..Segment::default()
    }
}

fn delayed() -> Settings {
    Settings { acknowledge_every: 2, acknowledge_within: 40 * MS, ..plain() }
}

/// What a segment is answered with: what is acknowledged and ECE.
fn answer(
    receiver: &mut Receiver,
    now: Time,
    segment: &Segment,
    marked: bool,
) -> Option<(u64, bool)> {
    let answer = receiver.receive(now, segment, marked)?;
    Some((answer.acknowledgement / 1000, answer.ece))
}

/// RFC 5681 section 4.2: every second segment, or after the delay; RFC 7323 section 4.3: the echo is of
/// the first segment that the acknowledgement is for.
#[test]
fn every_second_or_after_the_delay() {
    let mut receiver = Receiver::new(&delayed());
    assert_eq!(receiver.receive(MS, &data(0), false), None);
    assert_eq!(receiver.timer(), Some(41 * MS));
    let both = receiver.receive(2 * MS, &data(1), false).unwrap();
    assert_eq!((both.acknowledgement, both.echo), (2000, 0));
    assert_eq!(receiver.timer(), None);
    assert_eq!(receiver.receive(10 * MS, &data(2), false), None);
    assert_eq!(receiver.expire(50 * MS - 1), None);
    let one = receiver.expire(50 * MS).unwrap();
    assert_eq!((one.acknowledgement, one.echo), (3000, 2 * MS));
    assert_eq!((receiver.timer(), receiver.expire(90 * MS)), (None, None));
    assert_eq!(receiver.delivered(), 3000);
}

/// RFC 5681 section 4.2: at once what is out of order, what was there, and what fills a gap. The end
/// is acknowledged at once too, and takes one place.
#[test]
fn at_once() {
    let mut receiver = Receiver::new(&Settings { acknowledge_every: 100, ..delayed() });
    assert_eq!(answer(&mut receiver, 0, &data(0), false), None);
    assert_eq!(answer(&mut receiver, 0, &data(2), false), Some((1, false)));
    assert_eq!(answer(&mut receiver, 0, &data(4), false), Some((1, false)));
    assert_eq!(answer(&mut receiver, 0, &data(1), false), Some((3, false)));
    assert_eq!(answer(&mut receiver, 0, &data(1), false), Some((3, false)));
    assert_eq!(answer(&mut receiver, 0, &data(3), false), Some((5, false)));
    assert_eq!(answer(&mut receiver, 0, &data(5), false), None);
    let last = Segment { fin: true, ..data(6) };
    let end = receiver.receive(0, &last, false).unwrap();
    assert_eq!((end.acknowledgement, receiver.delivered()), (7001, 7000));
    assert!(receiver.is_closed());
}

/// RFC 2018 section 4, by hand: segments 2, 4, 6, 8 arrive, then 3, which joins the first two runs. The
/// run that changed last comes first, then the others, the latest first, three at most.
#[test]
fn the_latest_block_comes_first() {
    let mut receiver = Receiver::new(&plain());
    let mut blocks = |number: u64| -> Vec<(u64, u64)> {
        let answer = receiver.receive(0, &data(number), false).unwrap();
        answer.blocks().map(|(start, end)| (start / 1000, end / 1000)).collect()
    };
    assert_eq!(blocks(0), []);
    assert_eq!(blocks(2), [(2, 3)]);
    assert_eq!(blocks(4), [(4, 5), (2, 3)]);
    assert_eq!(blocks(6), [(6, 7), (4, 5), (2, 3)]);
    assert_eq!(blocks(8), [(8, 9), (6, 7), (4, 5)]);
    assert_eq!(blocks(3), [(2, 5), (8, 9), (6, 7)]);
    assert_eq!(blocks(1), [(8, 9), (6, 7)]);
    assert_eq!(blocks(5), [(8, 9)]);
    assert_eq!(blocks(7), []);
}

/// RFC 3168 section 6.1.3: ECE from the mark on until CWR; a mark on the segment with CWR counts.
#[test]
fn classic_echo_lasts_until_cwr() {
    let mut receiver = Receiver::new(&Settings { ecn: true, ..plain() });
    let cwr = |number| Segment { cwr: true, ..data(number) };
    assert_eq!(answer(&mut receiver, 0, &data(0), false), Some((1, false)));
    assert_eq!(answer(&mut receiver, 0, &data(1), true), Some((2, true)));
    assert_eq!(answer(&mut receiver, 0, &data(2), false), Some((3, true)));
    assert_eq!(answer(&mut receiver, 0, &cwr(3), false), Some((4, false)));
    assert_eq!(answer(&mut receiver, 0, &cwr(4), true), Some((5, true)));
    assert_eq!(answer(&mut receiver, 0, &cwr(5), false), Some((6, false)));
    let mut off = Receiver::new(&plain());
    assert_eq!(answer(&mut off, 0, &data(0), true), Some((1, false)));
}

/// RFC 8257 section 3.2, figure 1: at a change, at once with the old state for what came before; ECE is
/// exact although acknowledgements are delayed.
#[test]
fn dctcp_acknowledges_changes() {
    let control = Control::Dctcp { gain: 0.0625 };
    let mut receiver = Receiver::new(&Settings { control, ecn: true, ..delayed() });
    // Nothing waits at the first change: it is acknowledged itself.
    assert_eq!(answer(&mut receiver, 0, &data(0), true), Some((1, true)));
    assert_eq!(answer(&mut receiver, 0, &data(1), true), None);
    assert_eq!(answer(&mut receiver, 0, &data(2), true), Some((3, true)));
    assert_eq!(answer(&mut receiver, 0, &data(3), true), None);
    // Segment 3 was marked, 4 is not.
    assert_eq!(answer(&mut receiver, 0, &data(4), false), Some((4, true)));
    assert_eq!(receiver.timer(), Some(40 * MS));
    assert_eq!(answer(&mut receiver, 0, &data(5), false), Some((6, false)));
    assert_eq!(answer(&mut receiver, 0, &data(6), false), None);
    assert_eq!(answer(&mut receiver, 0, &data(7), true), Some((7, false)));
    assert_eq!(answer(&mut receiver, 0, &data(8), false), Some((8, true)));
}

/// With a random sequence of marks and no disorder, the bytes acknowledged with ECE are those that
/// were marked, exactly.
#[test]
fn dctcp_counts_marked_bytes_exactly() {
    let control = Control::Dctcp { gain: 0.0625 };
    for every in 1..5 {
        let settings = Settings { control, ecn: true, acknowledge_every: every, ..delayed() };
        let mut receiver = Receiver::new(&settings);
        let mut stream = ww_sim::random::Stream::new(5, every, 0);
        let (mut marked, mut echoed, mut acknowledged) = (0, 0, 0);
        for number in 0..10_000 {
            let mark = stream.happens(0.4);
            marked += u64::from(mark) * 1000;
            if let Some(answer) = receiver.receive(0, &data(number), mark) {
                echoed += u64::from(answer.ece) * (answer.acknowledgement - acknowledged);
                acknowledged = answer.acknowledgement;
            }
        }
        if let Some(answer) = receiver.expire(40 * MS) {
            echoed += u64::from(answer.ece) * (answer.acknowledgement - acknowledged);
        }
        assert_eq!(echoed, marked, "every {every}");
    }
}
