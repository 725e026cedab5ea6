//! Time of scrambling, coding and checking, in nanoseconds a block and gigabits a second, as JSON.
//!
//! `cargo run --release -p wirewright-phy --example speed`. Each figure is the best of several runs, for what else the
//! machine does can only add.

use std::convert::Infallible;
use std::hint::black_box;
use std::time::Instant;

use ww_phy::block::Block;
use ww_phy::eight_b_ten_b::{Disparity, Octet, decode, encode};
use ww_phy::fcs::{bitwise, fcs, folding, slicing, table};
use ww_phy::gearbox::Transmit;
use ww_phy::gigabit;
use ww_phy::lanes::{Distributor, LANES, Receiver, Row};
use ww_phy::scrambler::serial::Serial;
use ww_phy::scrambler::{Descrambler, Scrambler};
use ww_phy::stream::{Reader, Ring, Rounding, Writer};

/// Blocks of a run: 32 pages, as the ring has them.
const BLOCKS: usize = 32 * 496;
const RUNS: usize = 200;

/// The least time of a run in nanoseconds.
fn best(runs: usize, mut run: impl FnMut()) -> f64 {
    let times = (0..runs).map(|_| {
        let begin = Instant::now();
        run();
        begin.elapsed().as_nanos()
    });
    times.min().unwrap_or(0) as f64
}

fn per_block(name: &str, blocks: usize, time: f64) {
    println!("  \"{name}_ns_per_block\": {:.3},", time / blocks as f64);
}

/// Frames of one size at the least gap, to `visit` in whole rings; gives the number of blocks.
fn write(frame: &[u8], frames: usize, mut visit: impl FnMut(&[u8], &mut [u64])) -> usize {
    let mut blocks = 0;
    let mut ring = Ring::new(|headers: &[u8], payloads: &mut [u64]| {
        blocks += payloads.len();
        visit(headers, payloads);
        Ok::<(), Infallible>(())
    });
    let mut writer = Writer::new(Rounding::Mean);
    for _ in 0..frames {
        writer.frame(&mut ring, 12, frame).unwrap_or_else(|never| match never {});
    }
    ring.finish().unwrap_or_else(|never| match never {});
    blocks
}

/// 40GBASE-R: blocks to rows with markers and parity, and words of lanes to descrambled blocks.
fn lanes() {
    // Four periods of markers.
    let count = 4 * 65_532;
    let headers = vec![0b10; count];
    let payloads: Vec<u64> =
        (0..count as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut distributor = Distributor::default();
    let time = best(20, || {
        distributor.blocks(&headers, &payloads, &mut |rows: &[Row]| {
            black_box(rows);
        });
    });
    per_block("lanes_scramble_distribute_and_bip", count, time);
    let (mut distributor, mut rows) = (Distributor::default(), Vec::new());
    distributor.blocks(&headers, &payloads, &mut |some: &[Row]| rows.extend_from_slice(some));
    let mut gearboxes: [Transmit; LANES] = std::array::from_fn(|_| Transmit::new(64));
    let mut words: Vec<[u64; LANES]> = Vec::new();
    let mut blocks = rows.iter().peekable();
    for _ in 0..rows.len() * 66 / 64 {
        let row = if gearboxes[0].needs_block() { blocks.next() } else { blocks.peek().copied() };
        let row = row.unwrap_or(&rows[0]);
        words.push(std::array::from_fn(|lane| gearboxes[lane].word(|| row[lane])));
    }
    let mut receiver = Receiver::default();
    let mut receive = || {
        let mut last = Block::IDLE;
        words.iter().for_each(|words| receiver.words(*words, &mut |block| last = block));
        black_box(last);
    };
    // Once to lock. The words end where a block ends, and begin with a marker: so they follow themselves.
    receive();
    let time = best(20, receive);
    assert!(receiver.aligned() && receiver.counts().alignments == 1);
    per_block("lanes_deskew_and_descramble", count, time);
}

/// 1000BASE-X: the code alone, and frames to code-groups and back, in nanoseconds a character.
fn gigabit() {
    let per_character = |name: &str, count: usize, time: f64| {
        println!("  \"{name}_ns_per_character\": {:.3},", time / count as f64)
    };
    let octets: Vec<Octet> = (0..=255).map(Octet::data).collect();
    let mut disparity = Disparity::Negative;
    let mut code_groups = Vec::new();
    let time = best(RUNS, || {
        code_groups.clear();
        for octet in &octets {
            let (code_group, behind) = encode(*octet, disparity).expect("data");
            disparity = behind;
            code_groups.push(code_group);
        }
    });
    per_character("encode_8b10b", octets.len(), time);
    let time = best(RUNS, || {
        for code_group in &code_groups {
            let (octet, behind) = decode(*code_group, disparity);
            disparity = behind;
            let _ = black_box(octet);
        }
    });
    per_character("decode_8b10b", octets.len(), time);
    for bytes in [64, 1518] {
        let mut frame = vec![0x5a; bytes - 4];
        frame.extend(fcs(&frame).to_le_bytes());
        let frames = 1_000_000 / (bytes + 20);
        let mut line: Vec<u16> = Vec::with_capacity(1_100_000);
        let time = best(20, || {
            line.clear();
            let mut transmitter = gigabit::Transmitter::new(Rounding::Mean);
            for _ in 0..frames {
                transmitter.frame(12, &frame, &mut |code_group| line.push(code_group));
            }
        });
        per_character(&format!("gigabit_encode_{bytes}"), line.len(), time);
        let time = best(20, || {
            let mut receiver = gigabit::Receiver::new(1522);
            for word in &line {
                receiver.word(*word, &mut |captured| {
                    black_box(captured.verdict);
                });
            }
            assert!(receiver.counts().good as usize + 2 > frames);
        });
        per_character(&format!("gigabit_decode_and_check_{bytes}"), line.len(), time);
    }
}

fn main() {
    println!("{{");
    let mut words: Vec<u64> =
        (0..BLOCKS as u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
    let mut serial = Serial::new(1);
    per_block(
        "scramble_serial",
        1000,
        best(20, || {
            for word in &mut words[..1000] {
                *word = serial.scramble(*word);
            }
        }),
    );
    let mut scrambler = Scrambler::default();
    per_block(
        "scramble_word_by_word",
        BLOCKS,
        best(RUNS, || {
            for word in &mut words {
                *word = scrambler.word(*word);
            }
        }),
    );
    per_block("scramble", BLOCKS, best(RUNS, || scrambler.scramble(&mut words)));
    per_block(
        "scramble_by_pages",
        BLOCKS,
        best(RUNS, || {
            for page in words.chunks_mut(496) {
                scrambler.scramble(page);
            }
        }),
    );
    let mut descrambler = Descrambler::default();
    per_block("descramble", BLOCKS, best(RUNS, || descrambler.descramble(&mut words)));
    for bytes in [64, 1518, 9018] {
        let mut frame = vec![0x5a; bytes - 4];
        frame.extend(fcs(&frame).to_le_bytes());
        let frames = 8 * BLOCKS * 8 / (bytes + 20);
        let mut blocks = 0;
        let time = best(40, || {
            blocks = write(&frame, frames, |_, payloads| {
                black_box(payloads);
            })
        });
        per_block(&format!("encode_{bytes}"), blocks, time);
        let time = best(40, || {
            write(&frame, frames, |_, payloads| scrambler.scramble(black_box(payloads)));
        });
        per_block(&format!("encode_and_scramble_{bytes}"), blocks, time);
        let (mut headers, mut payloads) = (Vec::new(), Vec::new());
        write(&frame, frames, |some, words| {
            headers.extend_from_slice(some);
            payloads.extend_from_slice(words);
        });
        let mut copy = payloads.clone();
        let time = best(40, || {
            copy.copy_from_slice(&payloads);
            descrambler.descramble(&mut copy);
            let mut reader = Reader::new(9018);
            reader.blocks(&headers, &payloads, &mut |captured| {
                black_box(captured.verdict);
            });
        });
        per_block(&format!("descramble_decode_and_check_{bytes}"), blocks, time);
    }
    lanes();
    gigabit();
    let mut lines = Vec::new();
    for bytes in [64usize, 1518, 9018] {
        let frame = vec![0xa5; bytes - 4];
        let count = 2_000_000 / bytes;
        type Engine = fn(&[u8]) -> u32;
        let engines: [(&str, Engine); 4] = [
            ("bitwise", bitwise::crc32),
            ("table", table::crc32),
            ("slicing", slicing::crc32),
            ("folding", folding::crc32),
        ];
        // One after the other in each round, so that what disturbs one disturbs all.
        let mut times = [f64::MAX; 4];
        for _ in 0..15 {
            for (time, (_, engine)) in times.iter_mut().zip(&engines) {
                let now = best(1, || {
                    for _ in 0..count {
                        black_box(engine(black_box(&frame)));
                    }
                });
                *time = time.min(now);
            }
        }
        for (time, (name, _)) in times.iter().zip(&engines) {
            let rate = (count * bytes * 8) as f64 / time;
            lines.push(format!("  \"crc_{name}_{bytes}_gbps\": {rate:.2}"));
        }
        lines.push(format!("  \"folding_to_slicing_{bytes}\": {:.2}", times[2] / times[3]));
    }
    println!("{}\n}}", lines.join(",\n"));
}
