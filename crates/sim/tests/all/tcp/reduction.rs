//! Proportional rate reduction by hand. The example of RFC 6937 section 3.1: a window of 20 segments is lost in part, a
//! threshold of 10, two new segments by limited transmit.

use crate::tcp::pipe::{MS, Time, plain};
use ww_sim::transport::tcp::{Block, Segment, Sender, Settings};

/// Loses the first segments of 20, and reports the others one by one: the segments that leave with each report.
fn recover(settings: &Settings, lost: u64) -> (Sender, Vec<Vec<u64>>) {
    let settings = Settings { initial_window: 20, ..*settings };
    let mut sender = Sender::new(&settings);
    sender.write(1_000_000);
    while sender.poll(0).is_some() {}
    let now: Time = 100 * MS;
    let reports = (lost..20).map(|last| {
        let block = Block { offset: lost as u32 * 1000, length: (last + 1 - lost) as u32 * 1000 };
        let none = Block::default();
        let segment = Segment { ack: true, sack: [block, none, none], ..Segment::default() };
        sender.receive(now, &segment);
        std::iter::from_fn(|| sender.poll(now)).map(|segment| segment.sequence / 1000).collect()
    });
    let sent = reports.collect();
    (sender, sent)
}

/// One loss: RecoverFS is 20, as 3 of 22 are reported, one of them by the acknowledgement that begins the recovery. Then a
/// segment leaves whenever half of what has arrived, rounded up, is more than what has left: with every second one.
/// After the last report 10 are in the network.
#[test]
fn one_loss_halves_the_rate() {
    for rack in [false, true] {
        let (sender, sent) = recover(&Settings { prr: true, rack, ..plain() }, 1);
        let mut expected = vec![vec![20], vec![21], vec![0]];
        for number in 22..29 {
            expected.extend([vec![], vec![number]]);
        }
        expected.extend([vec![], vec![]]);
        assert_eq!(sent, expected, "rack {rack}");
        assert_eq!((sender.threshold(), sender.window()), (10_000, 10_000));
    }
    // RFC 6675 waits until 9 of 22 are left, and then sends with each of the other seven reports.
    let (_, sent) = recover(&plain(), 1);
    let silent = sent[3..].iter().take_while(|sent| sent.is_empty()).count();
    assert_eq!((silent, sent.iter().flatten().count()), (9, 10));
}

/// 15 losses: 4 are left in the network, below the threshold; one leaves for each that arrives (the row PRR-CRB of the
/// example). RFC 6675 sends a burst of 7 to fill the window of 10.
#[test]
fn a_burst_of_losses_keeps_what_is_in_the_network() {
    for rack in [false, true] {
        let (_, sent) = recover(&Settings { prr: true, rack, ..plain() }, 15);
        assert_eq!(sent, [[20], [21], [0], [1], [2]], "rack {rack}");
    }
    let (_, sent) = recover(&plain(), 15);
    assert_eq!(sent[2], [0, 1, 2, 3, 4, 5]);
}

/// When what was sent again is acknowledged, and nothing more is found lost, one more leaves for each acknowledgement
/// (SafeACK): 0 is acknowledged, 5 are in the network and 1 was delivered, so 2 leave. The window at the end is the
/// threshold.
#[test]
fn safe_acknowledgements_grow() {
    let (mut sender, _) = recover(&Settings { prr: true, rack: true, ..plain() }, 15);
    let mut answer = |next: u64, reported: (u64, u64)| {
        let offset = reported.0.saturating_sub(next) as u32 * 1000;
        let block = Block { offset, length: (reported.1 - reported.0) as u32 * 1000 };
        let segment = Segment {
            acknowledgement: next * 1000,
            echo: 100 * MS,
            ack: true,
            sack: [block, Block::default(), Block::default()],
            ..Segment::default()
        };
        sender.receive(200 * MS, &segment);
        let sent = std::iter::from_fn(|| sender.poll(200 * MS)).map(|sent| sent.sequence / 1000);
        sent.collect::<Vec<u64>>()
    };
    assert_eq!(answer(0, (15, 21)), [3]);
    assert_eq!(answer(0, (15, 22)), [4]);
    assert_eq!(answer(1, (15, 22)), [5, 6]);
    assert_eq!(answer(22, (22, 22)).first(), Some(&22));
    assert_eq!((sender.window(), sender.threshold()), (10_000, 10_000));
}
