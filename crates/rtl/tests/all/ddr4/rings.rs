//! Bytes of sessions that are written and read in any order, through few rows in the chip and a memory.

use crate::fresh::first_seed;
use std::collections::VecDeque;
use ww_rtl::bench::{Bench, Top};
use ww_rtl::ddr4::{AddressMap, Counts, Memory, Technology};
use ww_tcp::random::Random;

const SESSIONS: usize = 4;
const RING: u32 = 1 << 16;
/// Bits of a command.
const MOVE: usize = 126;

/// The byte at a position of a session's stream.
fn byte(direction: usize, session: usize, life: u32, position: u32) -> u8 {
    let mix = (u64::from(position) | u64::from(life) << 32)
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add((direction * SESSIONS + session) as u64 * 0x1234_5678_9abc_def1);
    (mix >> 40) as u8
}

/// A session in one direction: bytes before `read` are done with, those before `whole` were written, and of the next ones
/// some, in pieces.
#[derive(Clone, Default)]
struct Session {
    life: u32,
    read: u32,
    whole: u32,
    /// The next one at its place begins when nothing is read any more.
    over: bool,
    pieces: Vec<(u32, u32)>,
}

struct Direction {
    sessions: Vec<Session>,
    input: VecDeque<[u8; 64]>,
    /// Reads: of which session, from where on, and the bytes.
    expected: VecDeque<(usize, u32, Vec<u8>)>,
    coming: Vec<u8>,
    /// How far in front of what was read a session writes.
    ahead: u32,
}

struct Rings {
    bench: Bench,
    memory: Memory,
    random: Random,
    directions: [Direction; 2],
    bytes: u64,
    /// Writes over bytes that are still read.
    overwriting: u64,
}

impl Rings {
    fn new(technology: Technology, seed: u64) -> Self {
        let top = Top::of("rings").file("rings.sv", include_str!("rings.sv"));
        let mut bench = Bench::new(&top).expect("it builds");
        let memory = Memory::new(&mut bench, technology).expect("it has the ports");
        bench.reset(2).unwrap();
        // The rows in the chip are made empty.
        for _ in 0..64 {
            bench.cycle().unwrap();
        }
        let mut random = Random(seed);
        let directions = [0, 1].map(|_| Direction {
            sessions: (0..SESSIONS).map(|_| Session::begins(&mut random, 0)).collect(),
            input: VecDeque::new(),
            expected: VecDeque::new(),
            coming: Vec::new(),
            ahead: 4_000,
        });
        Self { bench, memory, random, directions, bytes: 0, overwriting: 0 }
    }

    fn command(&mut self, port: &str, direction: usize, fields: [u64; 5]) {
        // total, skip, length, start, session: the lowest bits first.
        let mut at = MOVE * direction;
        for (value, width) in fields.into_iter().zip([32, 14, 32, 32, 16]) {
            self.bench.set_field(port, at..at + width, value);
            at += width;
        }
    }

    /// A command to write some bytes of a session, with others around them.
    fn write(&mut self, direction: usize) -> bool {
        let random = &mut self.random;
        let side = &mut self.directions[direction];
        let n = random.below(SESSIONS as u64) as usize;
        let session = &mut side.sessions[n];
        if session.over && side.expected.is_empty() {
            *session = Session::begins(random, session.life + 1);
        }
        if session.over {
            return false;
        }
        let room = (session.read.wrapping_add(side.ahead)).wrapping_sub(session.whole) as i32;
        if room <= 0 {
            return false;
        }
        let gap = if random.once_in(4) { random.below(3_000) as u32 } else { 0 };
        let most = (room as u32).saturating_sub(gap);
        if most == 0 {
            return false;
        }
        let longest = random.pick(&[70, 300, 3_000]);
        let length = (1 + random.below(longest)) as u32;
        let length = length.min(most);
        let drops = random.once_in(16);
        let skip = if random.once_in(3) { random.below(200) as u32 } else { 0 };
        let behind = if random.once_in(3) { random.below(100) as u32 } else { 0 };
        let start = session.whole.wrapping_add(gap);
        let total = skip + length + behind;
        let mut packet: Vec<u8> = (0..total)
            .map(|at| {
                let value =
                    byte(direction, n, session.life, start.wrapping_add(at).wrapping_sub(skip));
                let is_kept = at >= skip && at < skip + length;
                if is_kept { value } else { !value }
            })
            .collect();
        packet.resize(packet.len().next_multiple_of(64), 0xee);
        side.input.extend(packet.chunks(64).map(|beat| <[u8; 64]>::try_from(beat).unwrap()));
        let end = start.wrapping_add(length);
        let waits = |(of, from, _): &(usize, u32, Vec<u8>)| {
            *of == n && end.wrapping_sub(*from) > RING && !drops
        };
        self.overwriting += u64::from(side.expected.iter().any(waits));
        if !drops {
            session.pieces.push((start, length));
            session.join();
        }
        let kept = if drops { 0 } else { length };
        let fields = [total, skip, kept, start, n as u32].map(u64::from);
        self.command("write", direction, fields);
        true
    }

    /// A command to read bytes of a session: the receiver its next ones, the sender any.
    fn read(&mut self, direction: usize) -> bool {
        let random = &mut self.random;
        let side = &mut self.directions[direction];
        let n = random.below(SESSIONS as u64) as usize;
        let session = &mut side.sessions[n];
        let there = session.whole.wrapping_sub(session.read);
        if there == 0 || session.over {
            return false;
        }
        let most = random.pick(&[64, 500, 3_000]);
        // The sender often at the front, so that the ring fills behind it.
        let far = random.pick(&[u64::from(there), 1_000, 1_000, 1_000]);
        let start = if direction == 0 { 0 } else { random.below(far.min(u64::from(there))) as u32 };
        let length = (1 + random.below(most) as u32).min(there - start);
        let position = session.read.wrapping_add(start);
        let packet = (0..length)
            .map(|at| byte(direction, n, session.life, position.wrapping_add(at)))
            .collect();
        side.expected.push_back((n, position, packet));
        self.bytes += u64::from(length);
        if direction == 0 {
            session.read = position.wrapping_add(length);
        } else if random.once_in(2) {
            // It is acknowledged: its place may be written at once, also while it is read.
            session.read = position;
        }
        // Now and then the connection is another one, at the same place.
        session.over = random.once_in(200);
        let fields = [0, 0, length, position, n as u32].map(u64::from);
        self.command("read", direction, fields);
        true
    }

    fn clock(&mut self, gives: bool, pace: u64, stalls: bool) {
        for direction in 0..2 {
            let has = |bench: &Bench, port: &str| bench.get(port) >> direction & 1 == 1;
            let writes = gives
                && has(&self.bench, "write_room")
                && self.directions[direction].input.len() < 200
                && self.random.once_in(pace)
                && self.write(direction);
            let reads = gives
                && has(&self.bench, "read_room")
                && self.random.once_in(pace)
                && self.read(direction);
            let lane = direction..direction + 1;
            self.bench.set_field("write_valid", lane.clone(), u64::from(writes));
            self.bench.set_field("read_valid", lane.clone(), u64::from(reads));
            let offers = !self.random.once_in(8);
            let beat = self.directions[direction].input.front().filter(|_| offers);
            self.bench.set_field("s_valid", lane.clone(), u64::from(beat.is_some()));
            if let Some(beat) = beat {
                self.bench.set_bytes("s_data", 64 * direction, beat);
            }
            let ready = if stalls { self.random.once_in(32) } else { !self.random.once_in(8) };
            self.bench.set_field("m_ready", lane, u64::from(ready));
        }
        self.bench.settle().unwrap();
        for direction in 0..2 {
            let is = |port: &str| self.bench.get(port) >> direction & 1 == 1;
            let side = &mut self.directions[direction];
            if is("s_valid") && is("s_ready") {
                side.input.pop_front();
            }
            if is("m_valid") && is("m_ready") {
                let keep = self.bench.field("m_keep", 64 * direction..64 * (direction + 1));
                let count = keep.trailing_ones() as usize;
                assert_eq!(keep.count_ones() as usize, count, "full from the first byte on");
                let data = &self.bench.bytes("m_data")[64 * direction..64 * direction + count];
                side.coming.extend_from_slice(data);
                if is("m_last") {
                    let (_, _, expected) = side.expected.pop_front().expect("a packet a command");
                    let came = std::mem::take(&mut side.coming);
                    let first = came.iter().zip(&expected).position(|(a, b)| a != b);
                    assert!(
                        came == expected,
                        "direction {direction}: {} bytes for {}, the first wrong one {first:?}",
                        came.len(),
                        expected.len(),
                    );
                } else {
                    assert_eq!(count, 64, "only the last beat is short");
                }
            }
        }
        self.memory.before_edge(&self.bench);
        self.bench.edge().unwrap();
        self.memory.after_edge(&mut self.bench);
    }

    /// Runs until so many bytes were read, and until nothing is on its way. With the count of writes that had to wait for
    /// a read.
    fn run(mut self, bytes: u64) -> (Counts, u64) {
        let mut clocks = 0u64;
        while self.bytes < bytes {
            if clocks.is_multiple_of(6_000) {
                for side in &mut self.directions {
                    side.ahead = self.random.pick(&[600, 8_000, RING - 64, RING]);
                }
            }
            let pace = [1, 2, 16][(clocks / 1_500 % 3) as usize];
            // Reads that wait long: what they want must not be overwritten.
            self.clock(true, pace, clocks / 3_000 % 4 == 3);
            clocks += 1;
            assert!(clocks < bytes, "it goes on: {} of {bytes} bytes were asked for", self.bytes);
        }
        for _ in 0..20_000 {
            self.clock(false, 1, false);
        }
        for (direction, side) in self.directions.iter().enumerate() {
            assert_eq!(side.expected.len(), 0, "direction {direction}: all was read");
        }
        assert!(self.bench.is("quiet"), "nothing is left");
        (self.memory.counts(), self.overwriting)
    }
}

impl Session {
    fn begins(random: &mut Random, life: u32) -> Self {
        let at = random.bits() as u32;
        // Laps of the ring and of the numbers end within a run.
        let at = if random.once_in(2) { at } else { 0u32.wrapping_sub(random.below(9_000) as u32) };
        Self { life, read: at, whole: at, over: false, pieces: Vec::new() }
    }

    /// What has become whole.
    fn join(&mut self) {
        loop {
            let whole = self.whole;
            let next = self.pieces.iter().position(|(start, length)| {
                start.wrapping_sub(whole) as i32 <= 0
                    && start.wrapping_add(*length).wrapping_sub(whole) as i32 > 0
            });
            let Some(next) = next else { break };
            let (start, length) = self.pieces.swap_remove(next);
            self.whole = start.wrapping_add(length);
        }
    }
}

fn runs(seed: u64, bytes: u64) -> u64 {
    let mut waited = 0;
    for technology in [Technology::Ddr4(AddressMap::RowColumnBank), Technology::Chip] {
        let (counts, overwriting) = Rings::new(technology, seed).run(bytes);
        assert!(counts.written > 1_000 && counts.read > 1_000, "rows cross the memory: {counts:?}");
        waited += overwriting;
    }
    waited
}

#[test]
fn bytes_are_read_as_they_were_written() {
    let waited = runs(1, 3_000_000);
    assert!(waited > 10, "writes over bytes that are still read: {waited}");
}

#[test]
#[ignore = "32 fresh seeds: make test-all"]
fn bytes_are_read_as_they_were_written_for_32_fresh_seeds() {
    let first = first_seed();
    for seed in first..first + 32 {
        runs(seed, 3_000_000);
    }
}
