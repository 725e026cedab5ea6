//! The same frames at 1, 10 and 40 Gb/s: to code-groups, blocks and the bits of four lanes, and back.
//!
//! `cargo run -p wirewright-phy --example rates`. At 40 Gb/s lanes are crossed and late, and one has a wrong bit.

use std::convert::Infallible;
use std::fmt::Write as _;

use ww_phy::block::Block;
use ww_phy::coding::Coding;
use ww_phy::fcs::fcs;
use ww_phy::gearbox::Transmit;
use ww_phy::lanes::{self, Distributor, LANES, MARKER_PERIOD, Row};
use ww_phy::stream::{Captured, Reader, Ring, Rounding, Verdict, Writer};
use ww_phy::{CHARACTER_PS, gigabit};

const FRAMES: u64 = 10_000;
const GAP: u64 = 12;
/// Characters of idle in front: at 40 Gb/s lanes need two markers to be found.
const IDLE: u64 = 3 * 8 * 4 * MARKER_PERIOD as u64;
/// Lanes on inputs 0 to 3, and the bits by which each is late.
const ORDER: [usize; LANES] = [2, 0, 3, 1];
const LATE: [u32; LANES] = [0, 7, 1000, 1856];

/// What is found of frames.
#[derive(Default)]
struct Starts {
    good: u64,
    others: u64,
    first: u64,
    last: u64,
}

impl Starts {
    fn visit(&mut self, found: Captured<'_>) {
        if found.verdict != Verdict::Good {
            self.others += 1;
            return;
        }
        if self.good == 0 {
            self.first = found.start;
        }
        self.last = found.start;
        self.good += 1;
    }

    fn line(&self, rate: &str, character_ps: u64) -> String {
        let mean = (self.last - self.first) as f64 / (FRAMES - 1) as f64;
        format!(
            "{rate:>2} Gb/s: {} frames good, {} not; one each {:.3} ns in the mean, a character is {} ns\n",
            self.good,
            self.others,
            mean * character_ps as f64 / 1000.0,
            character_ps as f64 / 1000.0
        )
    }
}

/// The blocks of all frames, in whole pages.
fn blocks(coding: Coding, frame: &[u8]) -> (Vec<u8>, Vec<u64>) {
    let (mut headers, mut words) = (Vec::new(), Vec::new());
    let mut ring = Ring::new(|some: &[u8], payloads: &mut [u64]| {
        headers.extend_from_slice(some);
        words.extend_from_slice(payloads);
        Ok::<(), Infallible>(())
    });
    let mut writer = Writer::with_coding(coding, Rounding::Mean);
    for n in 0..FRAMES {
        let Ok(_) = writer.frame(&mut ring, if n == 0 { IDLE } else { GAP }, frame);
    }
    let end = writer.at() + 1000;
    let Ok(()) = writer.idle_until(&mut ring, end);
    let Ok(()) = ring.finish();
    (headers, words)
}

fn one(frame: &[u8]) -> String {
    let mut starts = Starts::default();
    let mut receiver = gigabit::Receiver::new(1522);
    let mut visit = |word| receiver.word(word, &mut |found: Captured<'_>| starts.visit(found));
    let mut transmitter = gigabit::Transmitter::new(Rounding::Mean);
    for n in 0..FRAMES {
        transmitter.frame(if n == 0 { IDLE } else { GAP }, frame, &mut visit);
    }
    transmitter.idle_until(transmitter.at() + 20, &mut visit);
    starts.line("1", gigabit::CHARACTER_PS)
}

fn ten(frame: &[u8]) -> String {
    let (headers, payloads) = blocks(Coding::Xgmii, frame);
    let mut starts = Starts::default();
    let mut reader = Reader::new(1522);
    reader.blocks(&headers, &payloads, &mut |found: Captured<'_>| starts.visit(found));
    starts.line("10", CHARACTER_PS)
}

/// The words of a lane, so many bits late.
fn words(rows: &[Row], lane: usize, late: u32) -> Vec<u64> {
    let mut gearbox = Transmit::new(64);
    let mut words = vec![0; late as usize / 64];
    let (late, mut waiting) = (late % 64, 0u128);
    let mut rows = rows.iter().peekable();
    while let Some(row) = rows.peek() {
        let row = **row;
        if gearbox.needs_block() {
            rows.next();
        }
        waiting |= u128::from(gearbox.word(|| row[lane])) << late;
        words.push(waiting as u64);
        waiting >>= 64;
    }
    words
}

fn forty(frame: &[u8]) -> String {
    let (headers, payloads) = blocks(Coding::Xlgmii, frame);
    let (mut distributor, mut rows) = (Distributor::default(), Vec::new());
    distributor.blocks(&headers, &payloads, &mut |some: &[Row]| rows.extend_from_slice(some));
    // In a frame, a hundred rows in front of the last markers but one.
    let wrong = &mut rows[4 * MARKER_PERIOD as usize - 100][3];
    *wrong = Block::of_bits(wrong.to_bits() ^ 1 << 20);
    let inputs: [_; LANES] = std::array::from_fn(|n| words(&rows, ORDER[n], LATE[n]));
    let mut starts = Starts::default();
    let mut receiver = lanes::Receiver::default();
    let mut reader = Reader::with_coding(Coding::Xlgmii, 1522);
    let count = inputs.iter().map(Vec::len).min().unwrap_or(0);
    for n in 0..count {
        receiver.words(inputs.each_ref().map(|words| words[n]), &mut |block| {
            reader.block(block, &mut |found: Captured<'_>| starts.visit(found));
        });
    }
    let mut text = starts.line("40", lanes::CHARACTER_PS);
    let counts = distributor.counts();
    let _ = writeln!(
        text,
        "         {} rows of markers, {} blocks of idle left out",
        counts.markers, counts.deleted
    );
    for input in 0..LANES {
        let status = receiver.lane(input);
        let number = status.number.map_or("none".to_owned(), |number| number.to_string());
        let _ = writeln!(
            text,
            "         input {input}: lane {number}, {} bits late, {} markers, {} parity errors",
            status.skew, status.markers, status.bip_errors
        );
    }
    text
}

/// A line or more for each rate.
pub fn report() -> String {
    let mut frame = vec![0x5a; 60];
    frame.extend(fcs(&frame).to_le_bytes());
    [one(&frame), ten(&frame), forty(&frame)].concat()
}

/// Prints it.
#[allow(dead_code, reason = "the test of the example has its own")]
fn main() {
    print!("{}", report());
}
