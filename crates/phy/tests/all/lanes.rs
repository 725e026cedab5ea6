//! 40GBASE-R: frames to four lanes and back, whatever lanes do.

use crate::frames;

use std::convert::Infallible;

use frames::frame;
use proptest::prelude::*;
use ww_phy::block::{Block, CONTROL};
use ww_phy::coding::Coding;
use ww_phy::lanes::{
    Distributor, DistributorCounts, LANES, MARKER_PERIOD, MAXIMUM_SKEW, Receiver, Row,
};
use ww_phy::stream::{Captured, Reader, Ring, Rounding, Verdict, Writer};

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 ^ self.0 >> 29
    }
}

/// Frames on four lanes, behind idle for `periods` of markers, with idle for half a period behind them.
struct Sent {
    frames: Vec<Vec<u8>>,
    /// Where they started, in characters.
    starts: Vec<u64>,
    rows: Vec<Row>,
    counts: DistributorCounts,
}

fn send(lengths: impl IntoIterator<Item = usize>, gap: u64, periods: u64) -> Sent {
    let frames: Vec<_> = lengths.into_iter().enumerate().map(|(n, l)| frame(l, n as u64)).collect();
    let mut distributor = Distributor::default();
    let mut rows = Vec::new();
    let mut add = |some: &[Row]| rows.extend_from_slice(some);
    let mut ring = Ring::new(|headers: &[u8], payloads: &mut [u64]| {
        // In pieces of odd lengths, too.
        let (front, back) = payloads.split_at(payloads.len() / 3);
        distributor.blocks(&headers[..front.len()], front, &mut add);
        distributor.blocks(&headers[front.len()..], back, &mut add);
        Ok::<(), Infallible>(())
    });
    let mut writer = Writer::with_coding(Coding::Xlgmii, Rounding::Mean);
    // A period of four lanes, in characters.
    let period = 8 * 4 * u64::from(MARKER_PERIOD);
    let mut starts = Vec::new();
    for (n, frame) in frames.iter().enumerate() {
        let gap = if n == 0 { periods * period } else { gap };
        let before = writer.at();
        let Ok(gap) = writer.frame(&mut ring, gap, frame);
        starts.push(before + gap);
    }
    let end = writer.at() + period / 2;
    let Ok(()) = writer.idle_until(&mut ring, end);
    let Ok(()) = ring.finish();
    distributor.finish(&mut add);
    Sent { frames, starts, rows, counts: distributor.counts() }
}

/// A lane as bits.
#[derive(Clone, Default)]
struct Bits {
    words: Vec<u64>,
    used: usize,
}

impl Bits {
    fn push(&mut self, bits: u64, count: usize) {
        let place = self.used % 64;
        if place == 0 {
            self.words.push(0);
        }
        let bits = bits & (u64::MAX >> (64 - count));
        *self.words.last_mut().expect("there is one") |= bits << place;
        if place + count > 64 {
            self.words.push(bits >> (64 - place));
        }
        self.used += count;
    }

    fn noise(&mut self, count: usize, random: &mut Random) {
        (0..count).for_each(|_| self.push(random.next() >> 17, 1));
    }

    fn block(&mut self, block: Block) {
        self.push(u64::from(block.header), 2);
        self.push(block.payload, 64);
    }
}

/// A lane of rows, so many bits late.
fn lane(rows: &[Row], lane: usize, late: usize) -> Bits {
    let mut bits = Bits::default();
    bits.noise(late, &mut Random(late as u64 + 99));
    rows.iter().for_each(|row| bits.block(row[lane]));
    bits
}

/// What a receiver makes of lanes: it, its reader, and what was found: start, verdict, bytes.
struct Received {
    receiver: Receiver,
    bad_blocks: u64,
    found: Vec<(u64, Verdict, Vec<u8>)>,
}

fn receive(lanes: &[Bits; LANES]) -> Received {
    let mut receiver = Receiver::default();
    let mut reader = Reader::with_coding(Coding::Xlgmii, 9018);
    let mut found = Vec::new();
    let mut visit = |captured: Captured<'_>| {
        found.push((captured.start, captured.verdict, captured.frame.to_vec()));
    };
    let words = lanes.iter().map(|bits| bits.used / 64).min().expect("four");
    for n in 0..words {
        let words = std::array::from_fn(|input| lanes[input].words[n]);
        receiver.words(words, &mut |block| reader.block(block, &mut visit));
    }
    reader.finish_stream(&mut visit);
    let counts = reader.counts();
    assert_eq!(counts.blocks, receiver.counts().blocks);
    Received { receiver, bad_blocks: counts.bad_blocks, found }
}

impl Received {
    /// All that was sent, in order, and nothing else.
    fn is(&self, sent: &Sent) {
        assert_eq!(self.found.len(), sent.frames.len());
        for (n, ((_, verdict, bytes), frame)) in self.found.iter().zip(&sent.frames).enumerate() {
            assert_eq!((*verdict, bytes == frame), (Verdict::Good, true), "frame {n}");
        }
    }

    /// Frames that are called good were sent, in this order; gives their numbers.
    fn good(&self, sent: &Sent) -> Vec<usize> {
        let mut numbers = Vec::new();
        let mut from = 0;
        for (_, _, bytes) in self.found.iter().filter(|found| found.1 == Verdict::Good) {
            let more = sent.frames[from..].iter().position(|frame| frame == bytes);
            from += more.expect("a good frame was sent, and not twice") + 1;
            numbers.push(from - 1);
        }
        numbers
    }
}

fn permutations() -> Vec<[usize; LANES]> {
    let mut all = Vec::new();
    for n in 0..256usize {
        let order = [n & 3, n >> 2 & 3, n >> 4 & 3, n >> 6];
        if (0..LANES).all(|lane| order.contains(&lane)) {
            all.push(order);
        }
    }
    all
}

/// Every length through every order of lanes, each with offsets of its own.
#[test]
fn every_length_in_any_order() {
    let sent = send(64..=1522, 12, 3);
    let mut random = Random(1);
    let orders = permutations();
    assert_eq!(orders.len(), 24);
    for order in orders {
        let late = order.map(|_| (random.next() >> 20) as usize % 1857);
        let lanes = std::array::from_fn(|input| lane(&sent.rows, order[input], late[input]));
        let received = receive(&lanes);
        received.is(&sent);
        let first = *late.iter().min().expect("four");
        for (input, late) in late.iter().enumerate() {
            let status = received.receiver.lane(input);
            assert_eq!(status.number, Some(order[input]));
            assert_eq!(status.skew, (*late - first) as u64, "skew to the bit");
            assert_eq!((status.bip_errors, status.bad_markers), (0, 0));
            assert!(status.markers >= 3);
        }
        let counts = received.receiver.counts();
        assert_eq!((counts.alignments, counts.alignment_losses), (1, 0));
        assert_eq!(received.bad_blocks, 0);
        // Times: the same but for whole blocks, of which no more are in another place than two rows of markers
        // and the lane's own delay have.
        let shift = received.found[0].0 as i64 - sent.starts[0] as i64;
        for ((start, ..), due) in received.found.iter().zip(&sent.starts) {
            let moved = *start as i64 - *due as i64 - shift;
            assert_eq!(moved % 8, 0);
            assert!(moved.abs() <= 8 * 8, "moved by {moved} characters");
        }
    }
}

/// A row of markers each 16,384 rows, nowhere else; idle gives way.
#[test]
fn markers_and_room_for_them() {
    // Table 82-3: M0, M1, M2, and M4, M5, M6.
    let table = [
        ([0x90, 0x76, 0x47], [0x6f, 0x89, 0xb8]),
        ([0xf0, 0xc4, 0xe6], [0x0f, 0x3b, 0x19]),
        ([0xc5, 0x65, 0x9b], [0x3a, 0x9a, 0x64]),
        ([0xa2, 0x79, 0x3d], [0x5d, 0x86, 0xc2]),
    ];
    for (lengths, gap) in [(vec![64; 40_000], 12), (vec![1518; 2000], 12), (vec![9018; 300], 12)] {
        let sent = send(lengths, gap, 1);
        let mut markers = 0;
        for (n, row) in sent.rows.iter().enumerate() {
            let is = std::array::from_fn(|lane: usize| {
                let octets = row[lane].payload.to_le_bytes();
                let (low, high) = table[lane];
                row[lane].header == CONTROL && octets[..3] == low && octets[4..7] == high
            });
            assert_eq!(is, [n % 16_384 == 0; LANES], "row {n}");
            if is[0] {
                markers += 1;
                for block in row {
                    let octets = block.payload.to_le_bytes();
                    assert_eq!(octets[3], !octets[7]);
                }
            }
        }
        assert_eq!(sent.counts.markers, markers);
        assert!(markers >= 3);
        assert_eq!(sent.counts.deleted, 4 * markers - sent.counts.behind);
        assert_eq!((sent.counts.behind, sent.counts.most_behind), (0, 4));
    }
}

/// Without a gap that holds a block of idle, markers still come, and the debt is told.
#[test]
fn no_idle_leaves_no_room_for_markers() {
    let mut distributor = Distributor::default();
    let payloads = vec![7u64; 2 * 65_532];
    let mut rows = 0;
    distributor
        .blocks(&vec![0b10; payloads.len()], &payloads, &mut |some: &[Row]| rows += some.len());
    assert_eq!(rows, 2 * 16_384);
    let counts = distributor.counts();
    assert_eq!((counts.markers, counts.deleted, counts.behind, counts.most_behind), (2, 0, 8, 8));
}

/// Table 82-4, bit for bit: the places of a block that count in each bit of BIP-8.
const PARITY: [&[usize]; 8] = [
    &[2, 10, 18, 26, 34, 42, 50, 58],
    &[3, 11, 19, 27, 35, 43, 51, 59],
    &[4, 12, 20, 28, 36, 44, 52, 60],
    &[0, 5, 13, 21, 29, 37, 45, 53, 61],
    &[1, 6, 14, 22, 30, 38, 46, 54, 62],
    &[7, 15, 23, 31, 39, 47, 55, 63],
    &[8, 16, 24, 32, 40, 48, 56, 64],
    &[9, 17, 25, 33, 41, 49, 57, 65],
];

#[test]
fn parity_is_that_of_the_table() {
    let sent = send(vec![200; 3000], 12, 2);
    let mut compared = 0;
    for lane in 0..LANES {
        for marker in (16_384..sent.rows.len()).step_by(16_384) {
            let mut parity = 0u8;
            for row in &sent.rows[marker - 16_384..marker] {
                let bits = row[lane].to_bits();
                for (n, places) in PARITY.iter().enumerate() {
                    let ones = places.iter().filter(|place| bits >> **place & 1 == 1).count();
                    parity ^= ((ones % 2) as u8) << n;
                }
            }
            let octets = sent.rows[marker][lane].payload.to_le_bytes();
            assert_eq!(octets[3], parity, "lane {lane}, row {marker}");
            compared += 1;
        }
    }
    assert!(compared >= 8);
}

/// A wrong bit, anywhere in a block, is one error of its lane, and at most one wrong sync header.
#[test]
fn a_wrong_bit_is_counted() {
    let sent = send(vec![64; 100], 12, 4);
    for place in 0..66 {
        let wrong = place % LANES;
        let mut rows = sent.rows.clone();
        // Between the third marker and the fourth.
        let block = &mut rows[2 * 16_384 + 5 + 211 * place][wrong];
        *block = Block::of_bits(block.to_bits() ^ 1 << place);
        let received = receive(&std::array::from_fn(|n| lane(&rows, n, 7 * n)));
        received.is(&sent);
        for n in 0..LANES {
            let status = received.receiver.lane(n);
            assert_eq!(status.bip_errors, u64::from(n == wrong), "bit {place}, lane {n}");
            assert_eq!(status.bad_headers, u64::from(n == wrong && place < 2));
        }
    }
}

/// What happens to a lane in the middle: bits that come in place of some that were sent (`replace`), or between them.
fn with_accident(
    sent: &Sent,
    hurt: usize,
    replace: bool,
    accident: impl Fn(&mut Bits, &mut Random),
) -> Received {
    let middle = sent.rows.len() / 3;
    receive(&std::array::from_fn(|n| {
        let mut bits = Bits::default();
        bits.noise(31 * n, &mut Random(5));
        sent.rows[..middle].iter().for_each(|row| bits.block(row[n]));
        let before = bits.used;
        if n == hurt {
            accident(&mut bits, &mut Random(n as u64));
        }
        let lost = if replace { (bits.used - before) / 66 } else { 0 };
        sent.rows[middle + lost..].iter().for_each(|row| bits.block(row[n]));
        bits
    }))
}

/// One lane is noise or silence for a while, or loses bits: frames are lost, the lanes come back, nothing wrong is called good.
#[test]
fn a_lane_is_lost_and_comes_back() {
    let sent = send(vec![300; 30_000], 12, 3);
    let third = sent.frames.len() / 3;
    for hurt in 0..LANES {
        for (what, bits) in [("noise", 66 * 3000), ("silence", 66 * 3000), ("ones", 66 * 700)] {
            let received = with_accident(&sent, hurt, true, |lane, random| match what {
                "noise" => lane.noise(bits, random),
                _ => (0..bits).for_each(|_| lane.push(u64::from(what == "ones"), 1)),
            });
            let status = received.receiver.lane(hurt);
            assert_eq!((status.block_lock_losses, status.marker_lock_losses), (1, 1), "{what}");
            let counts = received.receiver.counts();
            assert_eq!((counts.alignments, counts.alignment_losses), (2, 1), "{what}");
            assert!(received.receiver.aligned());
            for other in (0..LANES).filter(|n| *n != hurt) {
                assert_eq!(received.receiver.lane(other).block_lock_losses, 0);
                assert_eq!(received.receiver.lane(other).bip_errors, 0);
            }
            let good = received.good(&sent);
            assert!(good.len() < sent.frames.len());
            // It takes three periods at most to find two markers, and then all frames are there.
            assert_eq!(good.first(), Some(&0));
            assert!(good.ends_with(&(2 * third..sent.frames.len()).collect::<Vec<_>>()), "{what}");
        }
    }
}

/// Bits too many in a lane: block synchronisation is lost, or, if they are whole blocks, the place of markers.
#[test]
fn a_lane_slips() {
    let sent = send(vec![300; 25_000], 12, 3);
    for (bits, block_lock_losses) in [(1, 1), (65, 1), (66, 0), (660, 0)] {
        let received = with_accident(&sent, 1, false, |lane, random| lane.noise(bits, random));
        let status = received.receiver.lane(1);
        assert_eq!(status.block_lock_losses, block_lock_losses, "{bits} bits");
        assert_eq!((status.marker_lock_losses, status.number), (1, Some(1)), "{bits} bits");
        assert_eq!(status.bad_markers, if block_lock_losses == 0 { 4 } else { 0 }, "{bits} bits");
        let counts = received.receiver.counts();
        assert_eq!((counts.alignments, counts.alignment_losses), (2, 1), "{bits} bits");
        assert_eq!(status.skew, bits as u64 + 31, "{bits} bits");
        let good = received.good(&sent);
        let last = sent.frames.len() - 1000..sent.frames.len();
        assert!(good.ends_with(&last.collect::<Vec<_>>()), "{bits} bits");
    }
}

#[test]
fn skew_up_to_the_maximum() {
    let sent = send(vec![64; 50], 12, 3);
    for (late, fine) in [(MAXIMUM_SKEW, true), (MAXIMUM_SKEW + 1, false), (66 * 5000, false)] {
        for early in 0..LANES {
            let late = std::array::from_fn(|n| {
                lane(&sent.rows, n, if n == early { 0 } else { late as usize })
            });
            let received = receive(&late);
            let counts = received.receiver.counts();
            assert_eq!(received.receiver.aligned(), fine);
            assert_eq!(counts.too_far > 0, !fine);
            if fine {
                received.is(&sent);
            } else {
                assert_eq!(received.found, []);
                assert_eq!(counts.faults, counts.blocks);
            }
        }
    }
}

/// A cable that carries lane 0 twice.
#[test]
fn duplicate_lane_is_refused() {
    let sent = send(vec![64; 50], 12, 3);
    let received = receive(&[0, 0, 2, 3].map(|n| lane(&sent.rows, n, 0)));
    assert!(!received.receiver.aligned());
    assert!(received.receiver.counts().repeated > 0);
    assert_eq!(received.found, []);
    assert_eq!(received.receiver.lane(1).number, Some(0));
}

/// 97 bad sync headers in a window of 781,250: local fault until a window has fewer.
#[test]
fn too_many_errors() {
    let sent = send(vec![300; 25_000], 12, 3);
    let mut rows = sent.rows.clone();
    // One in 500 of a lane: it stays locked.
    let from = 4 * 16_384;
    for n in 0..97 {
        rows[from + 1 + 500 * n][n % LANES].header = 0;
    }
    let received = receive(&std::array::from_fn(|n| lane(&rows, n, 0)));
    assert!(received.receiver.hi_ber());
    assert!(received.receiver.aligned());
    let good = received.good(&sent);
    // A frame of 300 bytes and its gap are 40 blocks, and the first one is a period in front of the first bad header;
    // behind the last one there are none.
    assert!(good.len() < (16_384 + 97 * 500) * 4 / 40 + 10);
    assert!(received.receiver.counts().faults > 100_000);
    rows[from + 1] = sent.rows[from + 1];
    let received = receive(&std::array::from_fn(|n| lane(&rows, n, 0)));
    assert!(!received.receiver.hi_ber());
    assert!(received.good(&sent).len() > sent.frames.len() - 97 * 3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Any bits: no panic, and nothing is called good.
    #[test]
    fn arbitrary_bits_do_not_panic(seed: u64, count in 0usize..4000, constant in proptest::option::of(any::<u64>())) {
        let mut random = Random(seed);
        let mut receiver = Receiver::default();
        let mut reader = Reader::with_coding(Coding::Xlgmii, 1522);
        let mut good = 0;
        let mut visit = |captured: Captured<'_>| good += u32::from(captured.verdict == Verdict::Good);
        for n in 0..count {
            let words = std::array::from_fn(|input| match constant {
                Some(word) if (n + input) % 3 > 0 => word,
                _ => random.next(),
            });
            receiver.words(words, &mut |block| reader.block(block, &mut visit));
        }
        reader.finish_stream(&mut visit);
        prop_assert_eq!(good, 0);
    }

    /// Wrong bits of locked lanes: what is called good was sent, and what no wrong bit is near is there.
    #[test]
    fn wrong_bits(places in proptest::collection::vec((0usize..LANES, 0usize..66, 0usize..4000), 1..30)) {
        let sent = send(vec![250; 400], 12, 3);
        let mut rows = sent.rows.clone();
        let from = 3 * 16_384 - 16;
        for (lane, place, row) in &places {
            let block = &mut rows[from + row][*lane];
            *block = Block::of_bits(block.to_bits() ^ 1 << place);
        }
        let received = receive(&std::array::from_fn(|n| lane(&rows, n, 60 * n)));
        let good = received.good(&sent);
        prop_assert!(good.len() + 3 * places.len() >= sent.frames.len());
        let errors: u64 = (0..LANES).map(|n| received.receiver.lane(n).bip_errors).sum();
        let bad: u64 = (0..LANES).map(|n| received.receiver.lane(n).bad_markers).sum();
        // Two in the same bit of BIP-8 hide each other.
        prop_assert!(errors + bad <= places.len() as u64 * 2);
    }
}
