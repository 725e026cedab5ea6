//! The worker: random packets at full speed. Every frame that leaves is looked at, and one in
//! [`SAMPLED`] is passed on to be executed again.

use crate::random::Random;
use crate::run::Problems;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::SyncSender;
use std::time::{Duration, Instant};
use ww_dataplane::control::CounterValue;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Transmit};
use ww_engine::jit::{BATCH, Worker};

/// One packet in so many is executed by the reference engine, too.
pub const SAMPLED: u64 = 1000;

/// Values of `keys.number`.
pub const NUMBERS: u64 = 2048;
/// Bits of `keys.address` in use.
pub const ADDRESSES: u64 = 0x3f00_1fff;
/// Bits of `keys.flow` in use.
pub const FLOWS: u64 = 0xffff;
/// Bits of `keys.port` in use.
pub const PORTS: u64 = 0x0ff0;
/// Values of `keys.group`.
pub const GROUPS: u64 = 16;
/// Values of `keys.pair`.
pub const PAIRS: usize = 8;
/// Values of `keys.counted`, each with an entry from the beginning.
pub const COUNTED: usize = 16;

/// Bytes of both headers; shorter packets are rejected.
const HEADERS: usize = 16 + 68;
const LONGEST: usize = 160;
/// Positions of fields that come in pairs.
const STAMP: usize = 16;
const STAMP_AGAIN: usize = 24;
const LEFT: usize = 32;
const RIGHT: usize = 40;

/// A packet, and what became of it.
pub struct Sample {
    pub generation: u64,
    pub port: PortId,
    pub now: Picoseconds,
    pub packet: Vec<u8>,
    pub output: Vec<Transmit>,
}

/// What a worker's run came to.
#[derive(Default)]
pub struct Sent {
    /// Packets that arrived at each entry of `counted`.
    pub counted: [CounterValue; COUNTED],
    /// How long the worker waited for the reference engine.
    pub waited: Duration,
    /// Batches whose generation was another than that of the batch before.
    pub changes: u64,
}

/// Shared with the thread that watches the run.
#[derive(Default)]
pub struct Progress {
    pub packets: AtomicU64,
    pub sampled: AtomicU64,
}

/// How far behind the generation the stamp may be: changes in a row without a stamp.
pub const UNSTAMPED: u64 = 8;

struct Look {
    /// The place in the batch of the packet that is sampled.
    sampled: Option<u8>,
    output: Vec<Transmit>,
    stamp: Option<u64>,
    problem: Option<String>,
}

fn number(frame: &[u8], at: usize) -> u64 {
    frame.get(at..at + 8).map_or(0, |b| u64::from_be_bytes(b.try_into().unwrap_or_default()))
}

impl Sink for Look {
    fn transmit(&mut self, port: PortId, at: Picoseconds, frame: &[u8]) {
        let [stamp, again, left, right] =
            [STAMP, STAMP_AGAIN, LEFT, RIGHT].map(|at| number(frame, at));
        let first = *self.stamp.get_or_insert(stamp);
        if stamp != again || stamp != first || left != right || frame.len() < HEADERS {
            self.problem = Some(format!(
                "a mixture of generations: stamps {stamp} and {again}, of the batch's first \
                 packet {first}, pair {left} and {right}"
            ));
        }
        if self.sampled.is_some() && self.sampled == frame.first().copied() {
            self.output.push(Transmit { port, at, frame: frame.to_vec() });
        }
    }
}

/// Fills a buffer with a packet; gives its length and its key of `counted`.
fn packet(random: &mut Random, block: &[u8], place: usize, to: &mut [u8; LONGEST]) -> (usize, u8) {
    let shape = random.bits();
    let length = match shape % 64 {
        0 => (shape >> 8) as usize % HEADERS,
        _ => HEADERS + (shape >> 8) as usize % (LONGEST - HEADERS),
    };
    let at = (shape >> 40) as usize % (block.len() - LONGEST);
    to[..length].copy_from_slice(&block[at..at + length]);
    let (a, b) = (random.bits(), random.bits());
    let counted = (b >> 40) as u8 % COUNTED as u8;
    to[0] = place as u8;
    to[1] = (a >> 60) as u8 % PAIRS as u8;
    to[2..4].copy_from_slice(&((a % NUMBERS) as u16).to_be_bytes());
    to[4..8].copy_from_slice(&(((a >> 16) & ADDRESSES) as u32).to_be_bytes());
    to[8..12].copy_from_slice(&((b & FLOWS) as u32).to_be_bytes());
    to[12] = (b >> 32) as u8 % GROUPS as u8;
    to[13] = counted;
    to[14..16].copy_from_slice(&(((b >> 16) & PORTS) as u16).to_be_bytes());
    (length, counted)
}

/// Sends packets until `stop`, or until nobody takes samples any more.
pub fn send(
    mut worker: Worker,
    samples: &SyncSender<Sample>,
    progress: &Progress,
    stop: &AtomicBool,
    problems: &Problems,
) -> Sent {
    let mut random = Random::new(2);
    let block: Vec<u8> = (0..1 << 16).map(|_| (random.bits() >> 56) as u8).collect();
    let mut buffers = [[0u8; LONGEST]; BATCH];
    let mut sent = Sent::default();
    let (mut until_sample, mut now, mut last) = (SAMPLED, 0u64, 0u64);
    while !stop.load(Relaxed) && problems.is_empty() {
        now += 1_000_000;
        let mut lengths = [(0, 0); BATCH];
        let each = buffers.iter_mut().zip(&mut lengths).enumerate();
        for (place, (buffer, length)) in each {
            *length = packet(&mut random, &block, place, buffer);
        }
        let sampled = (until_sample <= BATCH as u64).then(|| (until_sample - 1) as u8);
        until_sample += if sampled.is_some() { SAMPLED } else { 0 };
        until_sample -= BATCH as u64;
        let kept = sampled.map(|n| buffers[n as usize][..lengths[n as usize].0].to_vec());
        let each = buffers.iter_mut().zip(lengths).enumerate();
        let mut frames = each.map(|(place, (buffer, (length, _)))| Frame {
            port: place as PortId,
            bytes: &mut buffer[..length],
        });
        let mut frames: [Frame<'_>; BATCH] =
            std::array::from_fn(|_| frames.next().expect("one for each buffer"));
        let mut look = Look { sampled, output: Vec::new(), stamp: None, problem: None };
        worker.receive_batch(now, &mut frames, &mut look);
        let generation = worker.generation();
        let in_time = |stamp| stamp <= generation && generation - stamp <= UNSTAMPED;
        if !look.stamp.is_none_or(in_time) {
            problems.add(format!("stamp {:?} in generation {generation}", look.stamp));
        }
        if generation < last {
            problems.add(format!("generation {generation} after {last}"));
        }
        if let Some(problem) = look.problem {
            problems.add(format!("generation {generation}: {problem}"));
        }
        sent.changes += u64::from(generation != last);
        last = generation;
        for (length, key) in lengths.into_iter().filter(|(length, _)| *length >= HEADERS) {
            let counter = &mut sent.counted[usize::from(key)];
            counter.packets += 1;
            counter.bytes += length as u64;
        }
        progress.packets.fetch_add(BATCH as u64, Relaxed);
        if let (Some(place), Some(packet)) = (sampled, kept) {
            let port = PortId::from(place);
            let sample = Sample { generation, port, now, packet, output: look.output };
            let begin = Instant::now();
            if samples.send(sample).is_err() {
                break;
            }
            sent.waited += begin.elapsed();
            progress.sampled.fetch_add(1, Relaxed);
        }
    }
    sent
}
