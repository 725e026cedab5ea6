//! The modules of `rtl/phy` against `ww_phy`, clock by clock.
//!
//! spec: 000-p4fpga-sonic-dtp 2.3, checks 1 to 6

use std::convert::Infallible;

use ww_phy::ber::BerMonitor;
use ww_phy::block::{Block, CONTROL, DATA};
use ww_phy::block_sync::{BlockSync, Step};
use ww_phy::character::{CODES, ERROR, IDLE, SEQUENCE, SIGNAL, START, TERMINATE};
use ww_phy::decoder::Decoder;
use ww_phy::encoder::Encoder;
use ww_phy::fcs::fcs;
use ww_phy::gearbox::{Receive, Transmit};
use ww_phy::scrambler::{Descrambler, Scrambler};
use ww_phy::stream::{Ring, Rounding, Writer};
use ww_phy::xgmii::Word;
use ww_rtl::bench::{Bench, Top};

const SEED: u64 = 20_140_402;

/// A generator of numbers (Knuth's linear congruence).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        let mut half = || {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            self.0 >> 32
        };
        half() << 32 | half()
    }

    fn below(&mut self, most: u64) -> u64 {
        self.next() % most
    }
}

/// The modules side by side.
fn bench() -> Bench {
    let top = Top::of("side_by_side").file("side_by_side.sv", include_str!("side_by_side.sv"));
    let mut bench = Bench::new(&top).expect("it builds");
    bench.reset(2).expect("it runs");
    bench
}

fn lane(random: &mut Random) -> (bool, u8) {
    let special = [START, TERMINATE, ERROR, SEQUENCE, SIGNAL, 0x31];
    match random.below(20) {
        0..9 => (false, random.next() as u8),
        9..17 => (true, IDLE),
        17 => (true, CODES[random.below(9) as usize].0),
        _ => (true, special[random.below(6) as usize]),
    }
}

/// Words that often mean something, and at times nothing.
fn word(random: &mut Random) -> Word {
    let data = |random: &mut Random| (false, random.next() as u8);
    let half = |random: &mut Random, kind: u64| -> [(bool, u8); 4] {
        let mut lanes = std::array::from_fn(|_| data(random));
        match kind {
            0 => lanes = [(true, IDLE); 4],
            1 => lanes[0] = (true, if random.below(2) == 0 { SEQUENCE } else { SIGNAL }),
            2 => lanes[0] = (true, START),
            3 => lanes = std::array::from_fn(|_| (true, CODES[random.below(9) as usize].0)),
            _ => {}
        }
        lanes
    };
    match random.below(10) {
        0 | 1 => Word::IDLE,
        2..5 => Word { data: random.next(), control: 0 },
        5 | 6 => {
            let end = random.below(8) as usize;
            Word::of_lanes(std::array::from_fn(|n| match n {
                _ if n < end => data(random),
                _ if n == end => (true, TERMINATE),
                _ => (true, IDLE),
            }))
        }
        7 | 8 => {
            let (kind, other) = (random.below(5), random.below(5));
            let (first, second) = (half(random, kind), half(random, other));
            Word::of_lanes(std::array::from_fn(|n| if n < 4 { first[n] } else { second[n - 4] }))
        }
        _ => Word::of_lanes(std::array::from_fn(|_| lane(random))),
    }
}

/// Blocks of words, and bits of no kind.
fn block(random: &mut Random) -> Block {
    let block = Block::of_word(word(random)).1;
    match random.below(16) {
        0 => Block::of_bits(u128::from(random.next()) << 2 | u128::from(random.below(4))),
        1 => Block { header: CONTROL, payload: block.payload ^ 1 << random.below(64) },
        2 => Block { header: random.below(4) as u8, ..block },
        _ => block,
    }
}

#[test]
fn coding_and_scrambling() {
    let mut bench = bench();
    let mut random = Random(SEED);
    let (mut encoder, mut decoder) = (Encoder::default(), Decoder::default());
    let (mut scrambler, mut descrambler) = (Scrambler::default(), Descrambler::default());
    let mut errors = 0;
    for clock in 0..200_000 {
        let (word, back) = (word(&mut random), block(&mut random));
        let (plain, noise) = (random.next(), random.next());
        bench.set("word_data", word.data);
        bench.set("word_control", u64::from(word.control));
        bench.set("plain", plain);
        bench.set("back_payload", back.payload);
        bench.set("back_header", u64::from(back.header));
        bench.set("back_scrambled", noise);
        bench.cycle().expect("it runs");
        let made =
            Block { header: bench.get("block_header") as u8, payload: bench.get("block_payload") };
        let found = Word { data: bench.get("back_data"), control: bench.get("back_control") as u8 };
        assert_eq!(made, encoder.encode(word), "seed {SEED}, clock {clock}: {word:x?}");
        assert_eq!(found, decoder.decode(back), "seed {SEED}, clock {clock}: {back:x?}");
        assert_eq!(bench.get("scrambled"), scrambler.word(plain));
        assert_eq!(bench.get("back_plain"), descrambler.word(noise));
        errors += u64::from(made == Block::ERROR);
    }
    // Both ways of the state machines were gone.
    assert!((20_000..180_000).contains(&errors), "{errors}");
}

#[test]
fn synchronisation() {
    let mut bench = bench();
    let mut random = Random(SEED);
    let (mut sync, mut monitor) = (BlockSync::default(), BerMonitor::new(200));
    let (mut locks, mut alarms) = (0, 0);
    for round in 0..300_000 {
        // Times in which few headers are bad, and others.
        let bad = random.below(1000) < [0, 20, 120, 300][(round / 1000) % 4];
        let good = if random.below(2) == 0 { DATA } else { CONTROL };
        let header = if bad { 3 * random.below(2) as u8 } else { good };
        bench.set("header", u64::from(header));
        bench.set("header_valid", 1);
        let was_locked = sync.locked();
        bench.cycle().expect("it runs");
        monitor.header(header, was_locked);
        let step = sync.header(header);
        assert_eq!(bench.get("slip") == 1, step == Step::Slip, "seed {SEED}, header {round}");
        assert_eq!(bench.get("locked") == 1, sync.locked(), "seed {SEED}, header {round}");
        assert_eq!(bench.get("offset"), u64::from(sync.offset()));
        bench.set("header_valid", 0);
        bench.cycle().expect("it runs");
        // Without a lock the monitor is reset.
        if !sync.locked() {
            monitor.header(header, false);
        }
        assert_eq!(bench.get("hi_ber") == 1, monitor.hi_ber(), "seed {SEED}, header {round}");
        locks += u64::from(sync.locked() && !was_locked);
        alarms += u64::from(monitor.hi_ber());
    }
    assert!(locks > 20 && alarms > 1000, "{locks} {alarms}");
}

#[test]
fn gearboxes() {
    let mut bench = bench();
    let mut random = Random(SEED);
    let (mut transmit, mut receive) = (Transmit::new(40), Receive::new(40));
    // The receiver takes what the transmitter gave in the clock before.
    let mut given = bench.get("gear_word");
    for clock in 0..100_000 {
        let block = Block::of_bits(u128::from(random.next()) << 2 | u128::from(random.below(4)));
        bench.set("gear_payload", block.payload);
        bench.set("gear_header", u64::from(block.header));
        bench.settle().expect("it runs");
        assert_eq!(bench.get("take") == 1, transmit.needs_block(), "clock {clock}");
        bench.cycle().expect("it runs");
        let word = transmit.word(|| block);
        assert_eq!(bench.get("gear_word"), word, "clock {clock}");
        let found = receive.word(given);
        given = word;
        assert_eq!(bench.get("gear_valid") == 1, found.is_some(), "clock {clock}");
        if let Some(found) = found {
            let (payload, header) = (bench.get("geared_payload"), bench.get("geared_header") as u8);
            assert_eq!(Block { header, payload }, found, "clock {clock}");
        }
    }
}

/// Frames of any length with any gap: what the MAC puts on XGMII are the blocks of the writer.
#[test]
fn frames_and_gaps() {
    let mut bench = bench();
    let mut random = Random(SEED);
    for gap in [12, 5, 8, 9, 11, 13, 15, 100, 12] {
        let payloads: Vec<Vec<u8>> = (0..400)
            .map(|_| {
                let most = if random.below(4) == 0 { 400 } else { 80 };
                (0..random.below(most) + 1).map(|_| random.next() as u8).collect()
            })
            .collect();
        let expected = written(gap, &payloads);
        bench.reset(1).expect("it runs");
        bench.set("gap", gap);
        let beats: Vec<(u64, u64, u64)> = payloads.iter().flat_map(|frame| beats(frame)).collect();
        let mut encoder = Encoder::default();
        let (mut next, mut made) = (0, Vec::new());
        while made.len() < expected.len() {
            let beat = beats.get(next);
            let (data, keep, last) = beat.copied().unwrap_or_default();
            bench.set("s_axis_tdata", data);
            bench.set("s_axis_tkeep", keep);
            bench.set("s_axis_tlast", last);
            let moves = bench.accepts("s_axis_tvalid", "s_axis_tready", beat.is_some());
            next += usize::from(moves.expect("it runs"));
            bench.cycle().expect("it runs");
            let word =
                Word { data: bench.get("mac_data"), control: bench.get("mac_control") as u8 };
            let block = encoder.encode(word);
            // From the first start on.
            if !made.is_empty() || block != Block::IDLE {
                made.push(block);
            }
        }
        let different = made.iter().zip(&expected).position(|(made, expected)| made != expected);
        assert_eq!(different, None, "seed {SEED}, gap {gap}");
    }
}

/// Data, keep and last of each beat.
fn beats(frame: &[u8]) -> impl Iterator<Item = (u64, u64, u64)> + '_ {
    let count = frame.len().div_ceil(8);
    frame.chunks(8).enumerate().map(move |(n, chunk)| {
        let mut eight = [0; 8];
        eight[..chunk.len()].copy_from_slice(chunk);
        (u64::from_le_bytes(eight), (1 << chunk.len()) - 1, u64::from(n + 1 == count))
    })
}

/// Blocks up to the last terminate.
fn written(gap: u64, payloads: &[Vec<u8>]) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut ring = Ring::new(|headers: &[u8], payloads: &mut [u64]| {
        let both = headers.iter().zip(payloads);
        blocks.extend(both.map(|(header, payload)| Block { header: *header, payload: *payload }));
        Ok::<(), Infallible>(())
    });
    let mut writer = Writer::new(Rounding::Mean);
    for (n, payload) in payloads.iter().enumerate() {
        let mut frame = payload.clone();
        frame.resize(frame.len().max(60), 0);
        frame.extend(fcs(&frame).to_le_bytes());
        let gap = if n == 0 { 0 } else { gap };
        writer.frame(&mut ring, gap, &frame).unwrap_or_else(|never| match never {});
    }
    ring.finish().unwrap_or_else(|never| match never {});
    let end = blocks.iter().rposition(|block| *block != Block::IDLE).expect("there are frames");
    blocks.truncate(end + 1);
    blocks
}
