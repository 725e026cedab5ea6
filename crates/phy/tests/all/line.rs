//! Blocks, gearboxes, synchronisation: every layer down to the bits of the line and up again.

use proptest::prelude::*;
use ww_phy::adapt::Adapter;
use ww_phy::ber::BerMonitor;
use ww_phy::block::{Block, CONTROL, DATA};
use ww_phy::block_sync::{BlockSync, Step};
use ww_phy::character::{CODES, ERROR, IDLE, SEQUENCE, SIGNAL, START, TERMINATE};
use ww_phy::decoder::Decoder;
use ww_phy::encoder::Encoder;
use ww_phy::gearbox::{Receive, Transmit};
use ww_phy::page::{PAGE_BLOCKS, PAGE_BYTES, Page};
use ww_phy::xgmii::Word;

fn word(lanes: [(u8, u8); 8]) -> Word {
    Word::of_lanes(lanes.map(|(control, octet)| (control == 1, octet)))
}

/// Table of spec 000 section 2.3, written out by hand: bits of a payload from the type on.
#[test]
fn blocks_of_the_standard() {
    let i = (1, IDLE);
    let e = (1, ERROR);
    let d = |n: u8| (0, 0xd0 + n);
    let t = (1, TERMINATE);
    let s = (1, START);
    let (q, sig) = ((1, SEQUENCE), (1, SIGNAL));
    for (lanes, header, payload) in [
        ([i; 8], CONTROL, 0x1e_u64),
        ([d(0), d(1), d(2), d(3), d(4), d(5), d(6), d(7)], DATA, 0xd7d6_d5d4_d3d2_d1d0),
        ([s, d(1), d(2), d(3), d(4), d(5), d(6), d(7)], CONTROL, 0xd7d6_d5d4_d3d2_d178),
        ([i, i, i, i, s, d(5), d(6), d(7)], CONTROL, 0xd7d6_d500_0000_0033),
        // The codes of /E/, 0x1e, of lanes 1 to 3 are at bits 15, 22 and 29.
        (
            [i, e, e, e, s, d(5), d(6), d(7)],
            CONTROL,
            0xd7d6_d500_0000_0033 | 0x1e << 15 | 0x1e << 22 | 0x1e << 29,
        ),
        ([t, i, i, i, i, i, i, i], CONTROL, 0x87),
        ([t, e, i, i, i, i, i, i], CONTROL, 0x87 | 0x1e << 15),
        ([d(0), t, i, i, i, i, i, i], CONTROL, 0xd099),
        ([d(0), d(1), t, i, i, i, i, e], CONTROL, 0xd1_d0aa | 0x1e << 57),
        ([d(0), d(1), d(2), t, i, i, i, i], CONTROL, 0xd2d1_d0b4),
        ([d(0), d(1), d(2), d(3), t, i, i, i], CONTROL, 0xd3_d2d1_d0cc),
        ([d(0), d(1), d(2), d(3), d(4), t, i, i], CONTROL, 0xd4d3_d2d1_d0d2),
        ([d(0), d(1), d(2), d(3), d(4), d(5), t, i], CONTROL, 0xd5_d4d3_d2d1_d0e1),
        ([d(0), d(1), d(2), d(3), d(4), d(5), d(6), t], CONTROL, 0xd6d5_d4d3_d2d1_d0ff),
        ([i, i, i, i, q, d(5), d(6), d(7)], CONTROL, 0xd7d6_d500_0000_002d),
        ([i, i, i, i, sig, d(5), d(6), d(7)], CONTROL, 0xd7d6_d5f0_0000_002d),
        ([q, d(1), d(2), d(3), i, i, i, i], CONTROL, 0xd3d2_d14b),
        ([sig, d(1), d(2), d(3), q, d(5), d(6), d(7)], CONTROL, 0xd7d6_d50f_d3d2_d155),
        ([q, d(1), d(2), d(3), s, d(5), d(6), d(7)], CONTROL, 0xd7d6_d500_d3d2_d166),
    ] {
        let word = word(lanes);
        let (kind, block) = Block::of_word(word);
        assert_eq!(block, Block { header, payload }, "{lanes:x?}");
        assert_eq!(block.to_word(), (kind, word), "{lanes:x?}");
    }
}

#[test]
fn illegal_headers_and_types_are_errors() {
    for header in [0b00, 0b11] {
        assert_eq!(Block { header, payload: 0x1e }.to_word().1, Word::ERROR);
    }
    let known =
        [0x1e, 0x2d, 0x33, 0x4b, 0x55, 0x66, 0x78, 0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff];
    for block_type in 0..=255u8 {
        let word = Block { header: CONTROL, payload: u64::from(block_type) }.to_word().1;
        assert_eq!(word != Word::ERROR, known.contains(&block_type), "{block_type:#x}");
    }
}

/// Figures 49-16 and 49-17: words that may not follow one another.
#[test]
fn invalid_sequences_are_errors() {
    let start =
        Block::of_word(word([(1, START), (0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (0, 6), (0, 7)]));
    let (start, data) = (start.1.to_word().1, Word { data: 7, control: 0 });
    let end = word([(1, TERMINATE), (1, 7), (1, 7), (1, 7), (1, 7), (1, 7), (1, 7), (1, 7)]);
    let idle = Word::IDLE;
    for (words, errors) in [
        (vec![idle, start, data, end, start, data, end, idle], vec![]),
        (vec![idle, data, data, end, idle], vec![1]),
        (vec![idle, start, data, idle, idle], vec![3]),
        (vec![idle, start, start, data, end, idle], vec![2]),
        (vec![idle, end, idle], vec![1]),
        (vec![idle, start, data, end, data, end, idle], vec![4]),
    ] {
        let mut encoder = Encoder::default();
        let blocks: Vec<Block> = words.iter().map(|word| encoder.encode(*word)).collect();
        let found: Vec<usize> = (0..blocks.len()).filter(|n| blocks[*n] == Block::ERROR).collect();
        assert_eq!(found, errors, "{words:x?}");
        // What the encoder lets pass comes back as it was.
        let mut decoder = Decoder::default();
        let decoded: Vec<Word> =
            blocks.iter().chain([&Block::IDLE]).map(|block| decoder.decode(*block)).collect();
        assert_eq!(decoded[0], Word::LOCAL_FAULT);
        for (n, word) in words.iter().enumerate() {
            // A terminate behind which neither a start nor control comes is an error at this end.
            let ends_badly = *word == end && errors.contains(&(n + 1));
            if !errors.contains(&n) && !ends_badly {
                assert_eq!(decoded[n + 1], *word, "word {n} of {words:x?}");
            }
        }
    }
}

/// Spec 000 section 2.3: the clocks of a period of 33 in which a block goes in and comes out.
#[test]
fn gearbox_states_at_40_bits() {
    let takes = [0, 1, 3, 4, 6, 8, 9, 11, 13, 14, 16, 18, 19, 21, 23, 24, 26, 28, 29, 31];
    let gives = [1, 3, 4, 6, 8, 9, 11, 13, 14, 16, 18, 19, 21, 23, 24, 26, 28, 29, 31, 32];
    let (mut transmit, mut receive) = (Transmit::new(40), Receive::new(40));
    let mut number = 0;
    let mut sent = Vec::new();
    let mut received = Vec::new();
    for state in (0..33).chain(0..33).chain(0..33) {
        assert_eq!(transmit.needs_block(), takes.contains(&state), "state {state}");
        let word = transmit.word(|| {
            number += 1;
            sent.push(Block {
                header: (number % 4) as u8,
                payload: 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(number),
            });
            sent[sent.len() - 1]
        });
        let block = receive.word(word);
        assert_eq!(block.is_some(), gives.contains(&state), "state {state}");
        received.extend(block);
    }
    assert_eq!(sent, received);
    assert_eq!(sent.len(), 60);
}

fn locked() -> BlockSync {
    let mut sync = BlockSync::default();
    for n in 0..64 {
        assert!(!sync.locked(), "header {n}");
        assert_eq!(sync.header(DATA), Step::Stay);
    }
    assert!(sync.locked());
    sync
}

#[test]
fn lock_and_loss_of_lock() {
    let mut sync = locked();
    for _ in 0..10 {
        for n in 0..64 {
            let header = if n % 4 == 3 && n != 63 { 0b11 } else { CONTROL };
            assert_eq!(sync.header(header), Step::Stay);
            assert!(sync.locked(), "15 bad ones of 64 do not matter");
        }
    }
    for n in 0..16 {
        assert!(sync.locked());
        let step = sync.header(0);
        assert_eq!(step == Step::Slip, n == 15);
    }
    assert!(!sync.locked());
    assert_eq!(sync.offset(), 1);
    for n in 0..65 {
        assert_eq!(sync.header(0), Step::Slip);
        assert_eq!(sync.offset(), (n + 2) % 66);
    }
}

/// Clause 82: 64 bad headers of 1,024 do not matter, 65 do.
#[test]
fn lock_of_a_lane() {
    let mut sync = BlockSync::of_lane();
    (0..64).for_each(|_| assert_eq!(sync.header(DATA), Step::Stay));
    assert!(sync.locked());
    for _ in 0..3 {
        for n in 0..1024 {
            assert_eq!(sync.header(if n < 64 { 0 } else { DATA }), Step::Stay);
        }
    }
    for n in 0..65 {
        assert!(sync.locked());
        assert_eq!(sync.header(0) == Step::Slip, n == 64);
    }
    assert!(!sync.locked());
}

#[test]
fn too_many_errors() {
    let mut monitor = BerMonitor::new(100);
    for (bad, due) in [(15, false), (16, true), (40, true), (15, false), (0, false)] {
        for n in 0..100 {
            monitor.header(if n % 2 == 1 && n / 2 < bad { 0 } else { DATA }, true);
        }
        assert_eq!(monitor.hi_ber(), due, "{bad}");
    }
    for _ in 0..16 {
        monitor.header(0, true);
    }
    assert!(monitor.hi_ber());
    assert!(!monitor.header(DATA, false));
}

/// Blocks come out of words of 64 bits as they went in, wherever they begin: every bit of them.
#[test]
fn blocks_behind_any_offset() {
    for late in 0..66 {
        let (mut transmit, mut receive) = (Transmit::new(64), Receive::new(64));
        let mut line = late_line(late % 64);
        (0..late % 64).for_each(|_| receive.slip());
        let (mut sent, mut received) = (Vec::new(), Vec::new());
        for n in 0..500u64 {
            let word = transmit.word(|| {
                let payload = 0x9e37_79b9_7f4a_7c15u64.wrapping_mul(n + 1);
                sent.push(Block { header: 3, payload });
                sent[sent.len() - 1]
            });
            received.extend(receive.word(line(word)));
        }
        assert!(received.len() > 480);
        assert_eq!(received, sent[..received.len()], "late by {late} bits");
    }
}

/// Any delay of the line is found.
#[test]
fn finds_any_alignment() {
    for late in 0..66 {
        let (mut transmit, mut receive) = (Transmit::new(64), Receive::new(64));
        // A line that is late: so many bits of nothing first.
        let mut line = late_line(late);
        let mut sync = BlockSync::default();
        let mut payload = 1u64;
        let mut blocks = 0;
        for _ in 0..20_000 {
            let word = transmit.word(|| {
                payload = payload.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                Block { header: if payload >> 63 == 1 { DATA } else { CONTROL }, payload }
            });
            if let Some(block) = receive.word(line(word)) {
                if sync.header(block.header) == Step::Slip {
                    receive.slip();
                }
                blocks += 1;
            }
            if sync.locked() {
                break;
            }
        }
        assert!(sync.locked(), "late by {late} bits");
        assert_eq!(sync.offset(), late % 66);
        assert!(blocks < 66 * 70);
    }
}

fn late_line(bits: u8) -> impl FnMut(u64) -> u64 {
    let mut waiting = 0u128;
    move |word| {
        waiting |= u128::from(word) << bits;
        let out = waiting as u64;
        waiting >>= 64;
        out
    }
}

#[test]
fn pages() {
    let mut page = Page::default();
    for n in 0..PAGE_BLOCKS {
        page.headers[n] = (n * 7 % 4) as u8;
        page.payloads[n] = 0x0101_0101_0101_0101u64.wrapping_mul(n as u64);
    }
    let bytes = page.to_bytes();
    assert_eq!(bytes.len(), PAGE_BYTES);
    for n in 0..PAGE_BLOCKS {
        let word = u32::from_le_bytes(bytes[n / 16 * 4..][..4].try_into().expect("four bytes"));
        assert_eq!(word >> (2 * (n % 16)) & 3, u32::from(page.headers[n]), "header {n}");
        let payload = u64::from_le_bytes(bytes[128 + 8 * n..][..8].try_into().expect("eight"));
        assert_eq!(payload, page.payloads[n], "payload {n}");
    }
    assert_eq!(bytes[124..128], [0; 4]);
    assert_eq!(Page::of_bytes(&bytes), page);
}

/// Frames with gaps of 12 between clocks that differ by 200 ppm, the most that the standard allows, and by more. A gap of
/// 12 gives up one column; behind 9018 bytes that is one of 2260, or 440 ppm.
#[test]
fn adapts_between_clocks() {
    for (bytes, most) in [(64u64, 1000i64), (1522, 1000), (9018, 400)] {
        for ppm in [-most, -200, -100, 100, 200, most] {
            let mut adapter = Adapter::new(64);
            let mut encoder = Encoder::default();
            let mut source = frames(bytes);
            let (mut sent, mut words) = (Vec::new(), Vec::new());
            let mut phase = 0i64;
            for _ in 0..200_000 {
                let word = source();
                sent.push(word);
                adapter.push(word);
                phase += 1_000_000 + ppm;
                while phase >= 1_000_000 {
                    phase -= 1_000_000;
                    words.push(adapter.pop());
                }
            }
            let counts = adapter.counts();
            assert_eq!((counts.overflowed, counts.underflowed), (0, 0), "{ppm} ppm, {bytes} bytes");
            // 200,000 words are 400,000 columns.
            let changed = counts.inserted as i64 - counts.deleted as i64;
            assert!((changed - 400_000 * ppm / 1_000_000).abs() <= 8, "{changed} at {ppm} ppm");
            assert!(words.iter().all(|word| encoder.encode(*word) != Block::ERROR));
            let (before, after) = (gaps_and_data(&sent), gaps_and_data(&words));
            // The queue holds some at the end.
            assert!(before.1.starts_with(&after.1) && after.1.len() + 4 * 64 >= before.1.len());
            assert!(after.0.iter().all(|gap| *gap >= 5), "a gap of {:?}", after.0.iter().min());
        }
    }
}

/// Words of frames of so many bytes with gaps of 12.
fn frames(bytes: u64) -> impl FnMut() -> Word {
    let mut place = 0u64;
    let period = bytes + 8 + 12;
    move || {
        let lanes = std::array::from_fn(|_| {
            // Starts stand at multiples of four.
            let at = place % (period.next_multiple_of(4));
            place += 1;
            match at {
                0 => (true, START),
                _ if at < bytes + 8 => (false, (at * 31 + place) as u8),
                _ if at == bytes + 8 => (true, TERMINATE),
                _ => (true, IDLE),
            }
        });
        Word::of_lanes(lanes)
    }
}

/// Characters from terminates to starts, and all octets of data.
fn gaps_and_data(words: &[Word]) -> (Vec<u64>, Vec<u8>) {
    let (mut gaps, mut data, mut end) = (Vec::new(), Vec::new(), None);
    for (at, lane) in words.iter().flat_map(|word| word.lanes()).enumerate() {
        match lane {
            (false, octet) => data.push(octet),
            (true, TERMINATE) => end = Some(at as u64),
            (true, START) => gaps.extend(end.map(|end| at as u64 - end)),
            _ => {}
        }
    }
    (gaps, data)
}

fn any_lane() -> impl Strategy<Value = (bool, u8)> {
    let special = [IDLE, START, TERMINATE, ERROR, SEQUENCE, SIGNAL, 0x31];
    prop_oneof![
        4 => any::<u8>().prop_map(|octet| (false, octet)),
        4 => Just((true, IDLE)),
        1 => (0..special.len()).prop_map(move |n| (true, special[n])),
        1 => (0..CODES.len()).prop_map(|n| (true, CODES[n].0)),
    ]
}

proptest! {
    /// Whatever word has a block comes back from it, and what has none is an error block.
    #[test]
    fn words_round_trip(lanes in proptest::collection::vec(any_lane(), 8)) {
        let word = Word::of_lanes(lanes.try_into().expect("eight lanes"));
        let (kind, block) = Block::of_word(word);
        if block == Block::ERROR {
            prop_assert_eq!(kind, ww_phy::block::Kind::Error);
        } else {
            prop_assert_eq!(block.to_word(), (kind, word));
        }
    }

    /// Any bits are a block of some kind, and what decodes to a word is that word's block, but for the bits that
    /// the standard leaves to zero.
    #[test]
    fn blocks_round_trip(bits: u128) {
        let block = Block::of_bits(bits & ((1 << 66) - 1));
        let (kind, word) = block.to_word();
        if kind != ww_phy::block::Kind::Error {
            let (again, clean) = Block::of_word(word);
            prop_assert_eq!(again, kind);
            prop_assert_eq!(clean.header, block.header);
            prop_assert_eq!(clean.payload & !block.payload, 0);
        }
    }
}
