//! Frames and gaps to blocks and back: exact sequences, every length, hostile blocks.

use crate::frames;

use std::convert::Infallible;

use frames::frame;
use proptest::prelude::*;
use ww_phy::block::{Block, DATA, TYPE_CONTROL, TYPE_START_0, TYPE_START_4, TYPES_TERMINATE};
use ww_phy::block_sync::{BlockSync, Step};
use ww_phy::fcs::is_good;
use ww_phy::gearbox::{Receive, Transmit};
use ww_phy::scrambler::{Descrambler, Scrambler};
use ww_phy::stream::{Captured, Reader, Ring, Rounding, Verdict, Writer};

/// The blocks of frames, and the gaps as they became.
fn write(rounding: Rounding, frames: &[(u64, Vec<u8>)]) -> (Vec<Block>, Vec<u64>) {
    let mut blocks = Vec::new();
    let mut ring = Ring::new(|headers: &[u8], payloads: &mut [u64]| {
        let both = headers.iter().zip(payloads);
        blocks.extend(both.map(|(header, payload)| Block { header: *header, payload: *payload }));
        Ok::<(), Infallible>(())
    });
    let mut writer = Writer::new(rounding);
    let gaps = frames
        .iter()
        .map(|(gap, frame)| writer.frame(&mut ring, *gap, frame).unwrap_or_else(|e| match e {}))
        .collect();
    ring.finish().unwrap_or_else(|e| match e {});
    (blocks, gaps)
}

/// A letter for each kind: S and s for starts in lanes 0 and 4, D, E, and the digit of a terminate.
fn letters(blocks: &[Block]) -> String {
    let letter = |block: &Block| match (block.header, block.payload as u8) {
        (DATA, _) => 'D',
        (_, TYPE_CONTROL) => 'E',
        (_, TYPE_START_0) => 'S',
        (_, TYPE_START_4) => 's',
        (_, t) => {
            let digit = TYPES_TERMINATE.iter().position(|known| *known == t).expect("a terminate");
            char::from_digit(digit as u32, 10).expect("0 to 7")
        }
    };
    blocks.iter().map(letter).collect()
}

/// Spec 000 section 2.3.
#[test]
fn exact_sequences() {
    let many = |bytes: usize, gap: u64| -> Vec<(u64, Vec<u8>)> {
        (0..20).map(|n| (if n == 0 { 0 } else { gap }, frame(bytes, n))).collect()
    };
    // Two frames of 64 bytes in 21 blocks.
    let text = letters(&write(Rounding::Mean, &many(64, 12)).0);
    let pattern = "SDDDDDDDD0sDDDDDDDD4E".to_owned();
    assert!(text.starts_with(&pattern.repeat(10)[..209]), "{text}");
    for (gap, idle) in [(200, 24), (536, 66), (1872, 233), (7200, 899)] {
        let text = letters(&write(Rounding::Mean, &many(792, gap)).0);
        let pattern = format!("S{}0{}", "D".repeat(99), "E".repeat(idle));
        assert!(text.starts_with(&pattern.repeat(19)), "gap {gap}");
        assert_eq!(
            pattern.len(),
            [125, 167, 334, 1000]
                [[24, 66, 233, 899].iter().position(|n| *n == idle).expect("listed")]
        );
    }
    // 9 Gb/s, the preamble counted: 10 (1518 + 8) / (1518 + 8 + gap) gives 169.6 characters; whole blocks make it 170.
    let text = letters(&write(Rounding::Block, &many(1518, 169)).0);
    let pattern = format!("S{}6{}", "D".repeat(189), "E".repeat(21));
    assert_eq!(pattern.len(), 212);
    assert!(text.starts_with(&pattern.repeat(19)));
    // 1,522 bytes with the preamble are 191 blocks.
    let text = letters(&write(Rounding::Mean, &many(1514, 12)).0);
    assert!(text.starts_with(&format!("S{}2", "D".repeat(189))));
}

/// Whether a gap of 12 holds an idle block: not always (spec 000 section 2.3).
#[test]
fn not_every_gap_holds_an_idle_block() {
    let gaps_without = |bytes: usize| {
        let frames: Vec<_> = (0..4001).map(|n| (12, frame(bytes, n))).collect();
        let text = letters(&write(Rounding::Mean, &frames).0);
        let ends: Vec<usize> =
            text.char_indices().filter(|(_, c)| c.is_ascii_digit()).map(|(n, _)| n).collect();
        ends[..4000].iter().filter(|end| text.as_bytes()[**end + 1] != b'E').count()
    };
    assert_eq!(gaps_without(64), 2000);
    assert_eq!(gaps_without(1518), 1000);
}

/// A gap of 8, a start and its preamble (8), 64 bytes; then all is idle, the terminate included.
#[test]
fn idle_behind_the_last_frame_is_counted() {
    let (mut blocks, _) = write(Rounding::Mean, &[(8, frame(64, 1))]);
    blocks.extend([Block::IDLE; 3]);
    let mut reader = Reader::new(1522);
    blocks.iter().for_each(|block| reader.block(*block, &mut |_: Captured<'_>| {}));
    reader.finish_stream(&mut |_: Captured<'_>| {});
    assert_eq!(reader.idle_at_end(), 8 * blocks.len() as u64 - (8 + 8 + 64));
    assert!(reader.idle_at_end() >= 3 * 8);
}

/// Frames of every length, each with a start in lane 0 and in lane 4, and the gaps in front of them.
fn every_length() -> Vec<(u64, Vec<u8>)> {
    let mut frames = Vec::new();
    for bytes in 64..=1522 {
        // Characters from a start to the terminate, and what makes the next start come in lane 0 and 4 in turn.
        for lane in [0u64, 4] {
            let end = (8 + bytes as u64 + if frames.len() % 2 == 0 { 4 } else { 0 }) % 8;
            let gap = 16 + (lane + 8 - end) % 8;
            frames.push((if frames.is_empty() { 8 } else { gap }, frame(bytes, bytes as u64)));
        }
    }
    frames
}

/// Every length from 64 to 1522, starts in both lanes, through scrambler and back.
#[test]
fn every_length_in_both_lanes() {
    let frames = every_length();
    let (mut blocks, gaps) = write(Rounding::Mean, &frames);
    let starts = letters(&blocks);
    assert!(starts.matches('S').count() > 1400 && starts.matches('s').count() > 1400);
    let mut scrambler = Scrambler::default();
    let mut descrambler = Descrambler::new(77);
    for block in &mut blocks {
        block.payload = descrambler.word(scrambler.word(block.payload));
    }
    // The descrambler did not know the state: it spoils at most the first block.
    blocks[0] = Block::IDLE;
    let mut reader = Reader::new(1522);
    let mut found = 0;
    let mut visit = |captured: Captured<'_>| {
        assert_eq!(captured.verdict, Verdict::Good);
        assert_eq!(captured.frame, frames[found].1, "frame {found}");
        assert_eq!(captured.gap, gaps[found], "frame {found}");
        found += 1;
    };
    for block in &blocks {
        reader.block(*block, &mut visit);
    }
    reader.finish_stream(&mut visit);
    assert_eq!(found, frames.len());
    assert_eq!(reader.counts().bad_blocks, 0);
}

/// The whole way, over a line of words of 40 and 64 bits that begins anywhere: scrambled, 66 bits to words and back, blocks found by their
/// sync headers, descrambled (check 4).
#[test]
fn every_length_over_the_line() {
    let frames = every_length();
    let (mut blocks, _) = write(Rounding::Mean, &frames);
    // Idle first, so that the receiver finds the blocks: 64 headers for each of 66 places.
    blocks.splice(0..0, vec![Block::IDLE; 66 * 65]);
    blocks.extend([Block::IDLE; 64]);
    for (width, late) in [(40, 17u32), (64, 1), (64, 63)] {
        let mut scrambler = Scrambler::default();
        let scrambled = |block: &Block| Block { payload: scrambler.word(block.payload), ..*block };
        let line: Vec<Block> = blocks.iter().map(scrambled).collect();
        let mut line = line.into_iter();
        let (mut transmit, mut receive) = (Transmit::new(width), Receive::new(width));
        let (mut sync, mut descrambler) = (BlockSync::default(), Descrambler::default());
        let mut reader = Reader::new(1522);
        let mut found = 0;
        let mut visit = |captured: Captured<'_>| {
            assert_eq!(captured.verdict, Verdict::Good);
            assert_eq!(captured.frame, frames[found].1, "frame {found} at {width} bits");
            found += 1;
        };
        let mask = u64::MAX >> (64 - width);
        let mut carry = 0;
        while line.len() > 0 {
            let word = transmit.word(|| line.next().unwrap_or(Block::IDLE));
            let shifted = (carry | word << late) & mask;
            carry = word >> (width - late);
            let Some(block) = receive.word(shifted) else { continue };
            let was_locked = sync.locked();
            if sync.header(block.header) == Step::Slip {
                receive.slip();
            }
            let payload = descrambler.word(block.payload);
            if was_locked {
                reader.block(Block { payload, ..block }, &mut visit);
            }
        }
        reader.finish_stream(&mut visit);
        assert_eq!(found, frames.len(), "{width} bits, {late} late");
        assert_eq!(reader.counts().bad_blocks, 0);
    }
}

/// Whole frames, runs and single blocks are read alike, wherever a batch ends and whatever a block becomes.
#[test]
fn batches_are_read_as_blocks_are() {
    type Found = Vec<(u64, u64, Vec<u8>, Verdict)>;
    let frames: Vec<_> = (0..120).map(|n| (8 + n % 9, frame(64 + n as usize % 41, n))).collect();
    let (clean, _) = write(Rounding::Mean, &frames);
    let mut random = proptest::test_runner::TestRng::deterministic_rng(Default::default());
    for round in 0..400u64 {
        let mut blocks = clean.clone();
        for _ in 0..round % 8 {
            let place = random.next_u64() as usize % blocks.len();
            match random.next_u64() % 4 {
                0 => blocks[place].header ^= 1 + (random.next_u64() % 3) as u8,
                1 => blocks[place].payload ^= 1 << (random.next_u64() % 64),
                2 => blocks[place] = blocks[random.next_u64() as usize % blocks.len()],
                _ => blocks[place].payload = random.next_u64(),
            }
        }
        let mut one = Reader::new(100);
        let mut by_one: Found = Vec::new();
        let mut keep = |c: Captured<'_>| by_one.push((c.start, c.gap, c.frame.to_vec(), c.verdict));
        blocks.iter().for_each(|block| one.block(*block, &mut keep));
        one.finish_stream(&mut keep);
        let mut many = Reader::new(100);
        let mut at_once: Found = Vec::new();
        let mut keep =
            |c: Captured<'_>| at_once.push((c.start, c.gap, c.frame.to_vec(), c.verdict));
        let mut rest = &blocks[..];
        while !rest.is_empty() {
            let (batch, after) = rest.split_at(rest.len().min(1 + random.next_u64() as usize % 60));
            let headers: Vec<u8> = batch.iter().map(|block| block.header).collect();
            let payloads: Vec<u64> = batch.iter().map(|block| block.payload).collect();
            many.blocks(&headers, &payloads, &mut keep);
            rest = after;
        }
        many.finish_stream(&mut keep);
        assert_eq!(at_once, by_one, "round {round}");
        assert_eq!(many.counts(), one.counts(), "round {round}");
        assert!(by_one.iter().any(|found| found.3 == Verdict::Good));
    }
}

/// A block of errors in place of a frame's last data: it is cut, whatever its bytes say.
#[test]
fn truncated_frame_is_bad() {
    let (mut blocks, _) = write(Rounding::Mean, &[(0, frame(64, 3))]);
    // All of the frame is in front of the terminate, which becomes errors.
    assert_eq!(letters(&blocks[..10]), "SDDDDDDDD0");
    blocks[9] = Block::ERROR;
    let mut reader = Reader::new(1522);
    let mut verdicts = Vec::new();
    let mut visit =
        |captured: Captured<'_>| verdicts.push((captured.verdict, captured.frame.len()));
    blocks.iter().for_each(|block| reader.block(*block, &mut visit));
    reader.finish_stream(&mut visit);
    assert_eq!(verdicts, [(Verdict::Cut, 64)]);
}

/// Check 11: a second of the line, scrambled and back; all that is sent is found.
#[test]
#[ignore = "312 million blocks: with --release, some seconds"]
fn a_second_of_the_line() {
    for bytes in [64, 1518] {
        // 1.25 billion characters a second.
        let count = 1_250_000_000 / (8 + bytes as u64 + 12);
        let frame = frame(bytes, 7);
        let mut descrambler = Descrambler::default();
        let mut scrambler = Scrambler::default();
        let mut reader = Reader::new(1518);
        let (mut good, mut records) = (0u64, 0u64);
        let mut visit = |captured: Captured<'_>| {
            good += u64::from(captured.verdict == Verdict::Good && captured.frame == frame);
            // The first 48 bytes, and gap, length and offset.
            records += 48 + 12;
        };
        let mut ring = Ring::new(|headers: &[u8], payloads: &mut [u64]| {
            scrambler.scramble(payloads);
            descrambler.descramble(payloads);
            reader.blocks(headers, payloads, &mut visit);
            Ok::<(), Infallible>(())
        });
        let mut writer = Writer::new(Rounding::Mean);
        for n in 0..count {
            let gap = if n == 0 { 0 } else { 12 };
            writer.frame(&mut ring, gap, &frame).unwrap_or_else(|e| match e {});
        }
        ring.finish().unwrap_or_else(|e| match e {});
        reader.finish_stream(&mut visit);
        let counts = reader.counts();
        assert_eq!((counts.frames, counts.good, counts.bad_blocks), (count, count, 0));
        assert_eq!((good, records), (count, 60 * count));
    }
}

proptest! {
    /// Gaps are what was wished for, by no more than three characters, and in the mean by nothing.
    #[test]
    fn gaps_keep_their_mean(wishes in proptest::collection::vec((8u64..400, 64usize..300), 2..200)) {
        let frames: Vec<_> =
            wishes.iter().map(|(gap, bytes)| (*gap + 4, frame(*bytes, *gap))).collect();
        let (_, gaps) = write(Rounding::Mean, &frames);
        let mut deficit = 0i64;
        for ((wish, _), gap) in frames.iter().zip(&gaps) {
            prop_assert!(wish.abs_diff(*gap) <= 3);
            deficit += *wish as i64 - *gap as i64;
            prop_assert!((0..=3).contains(&deficit), "{}", deficit);
        }
    }

    /// Gaps below the standard's least.
    #[test]
    fn short_gaps_are_read(gap in 0u64..12, lengths in proptest::collection::vec(64usize..90, 1..40)) {
        let frames: Vec<_> = lengths.iter().map(|bytes| (gap, frame(*bytes, gap))).collect();
        let (blocks, gaps) = write(Rounding::Mean, &frames);
        let mut reader = Reader::new(1522);
        let mut found = Vec::new();
        let mut visit = |c: Captured<'_>| found.push((c.gap, c.frame.to_vec(), c.verdict));
        blocks.iter().for_each(|block| reader.block(*block, &mut visit));
        reader.finish_stream(&mut visit);
        let wanted: Vec<_> =
            gaps.iter().zip(&frames).map(|(gap, f)| (*gap, f.1.clone(), Verdict::Good)).collect();
        prop_assert_eq!(found, wanted);
    }

    /// Any blocks: no panic, and what is called good has its own check sequence.
    #[test]
    fn arbitrary_blocks_do_not_panic(bits in proptest::collection::vec((0u8..4, any::<u64>(), 0usize..16), 0..400)) {
        let types = [0x1e, 0x78, 0x33, 0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff];
        let mut reader = Reader::new(256);
        let mut visit = |captured: Captured<'_>| {
            assert!(captured.frame.len() <= 256 || captured.verdict == Verdict::BadPreamble);
            if captured.verdict == Verdict::Good {
                assert!(is_good(captured.frame));
            }
        };
        for (header, payload, kind) in bits {
            let payload = match types.get(kind) {
                Some(t) => payload >> 8 << 8 | *t,
                None => payload,
            };
            // Headers of data are more frequent than others.
            let header = if header == 0 && kind > 3 { DATA } else { header };
            reader.block(Block { header, payload }, &mut visit);
        }
        reader.finish_stream(&mut visit);
    }

    /// Single bits wrong on the line: no frame passes for good that was not sent.
    #[test]
    fn wrong_bits(places in proptest::collection::vec(0usize..66 * 900, 1..20)) {
        let frames: Vec<_> = (0..80).map(|n| (12, frame(64 + n, n as u64))).collect();
        let (mut blocks, _) = write(Rounding::Mean, &frames);
        let mut scrambler = Scrambler::default();
        for block in &mut blocks {
            block.payload = scrambler.word(block.payload);
        }
        for place in &places {
            let block = &mut blocks[place / 66];
            *block = Block::of_bits(block.to_bits() ^ 1 << (place % 66));
        }
        let mut descrambler = Descrambler::default();
        let mut reader = Reader::new(1522);
        let mut good = 0;
        let mut visit = |captured: Captured<'_>| {
            if captured.verdict == Verdict::Good {
                assert!(frames.iter().any(|(_, frame)| frame == captured.frame));
                good += 1;
            }
        };
        for block in &blocks {
            let block = Block { payload: descrambler.word(block.payload), ..*block };
            reader.block(block, &mut visit);
        }
        reader.finish_stream(&mut visit);
        // A wrong bit costs its frame; through the scrambler it is wrong again up to 58 bits later, and if it made a
        // terminate or a start wrong, the neighbour goes, too.
        prop_assert!(good >= 80 - 3 * places.len());
    }
}
