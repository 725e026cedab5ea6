//! The ASIC model of [`super::latency`], cycle by cycle: what TPPs add to the time and the buffer of its packets.
//!
//! The chip is a number of lanes that each take their share of its rate, with a memory of their own, as the prototype has a
//! TCPU at each port. Packets come in one behind the other; one begins to leave when its TPP has come in and been
//! executed, and leaves at the rate of the lane. What is added is the difference to the same lane with instructions that
//! take no time.

use super::latency::{ASIC_ACCESS, ASIC_MHZ};
use crate::header::HEADER_LENGTH;
use crate::instruction::Opcode;
use crate::packet::Repr;
use std::collections::VecDeque;

/// How many accesses a memory has under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// One: a packet's instructions wait for those of the packet before.
    SinglePort,
    /// A new one each cycle: only instructions of the same packet wait for each other.
    Pipelined,
}

/// A chip with a clock of [`ASIC_MHZ`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chip {
    /// Bits a second of all lanes together.
    pub rate: u64,
    /// Lanes, 1 or more.
    pub lanes: u32,
    /// The memory of each.
    pub memory: Memory,
}

/// A packet on a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Bytes in front of the first that is not needed to execute it.
    pub needed: u32,
    /// Bytes that it takes on the line, with preamble, FCS and gap.
    pub line: u32,
    /// Cycles of its instructions.
    pub cycles: u32,
}

/// The least frame with FCS, and what it takes on the line besides (IEEE 802.3 clauses 3 and 4): preamble, start, gap.
const LEAST_FRAME: u32 = 64;
const LINE_OVERHEAD: u32 = 20;
const FCS: u32 = 4;
const ETHERNET_HEADER: u32 = 14;

impl Packet {
    /// A frame with a transparent TPP and `behind` bytes behind it, at least a minimum-size frame.
    ///
    /// An access of memory takes [`ASIC_ACCESS`] cycles; a CSTORE is two of them, one behind the other.
    pub fn of(tpp: &Repr, behind: u32) -> Self {
        let accesses = tpp.instructions.iter().map(|instruction| match instruction.opcode() {
            None | Some(Opcode::Nop) => 0,
            Some(Opcode::Cstore) => 2,
            Some(_) => 1,
        });
        let length = HEADER_LENGTH + 4 * tpp.instructions.len() + tpp.memory.len();
        let needed = ETHERNET_HEADER + length as u32;
        let line = (needed + behind + FCS).max(LEAST_FRAME) + LINE_OVERHEAD;
        Self { needed, line, cycles: accesses.sum::<u32>() * ASIC_ACCESS }
    }
}

/// What TPPs have added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Added {
    /// The longest that a packet was held up, cycles.
    pub latency: u64,
    /// The most bits that were in the buffers of all lanes because of it, if all lanes have the same packets at the same
    /// time.
    pub buffered: u64,
}

/// A packet that has begun to come in.
struct Under {
    packet: Packet,
    arrived: u64,
    sent: u64,
    /// When it is executed, once that has begun.
    executed: Option<u64>,
}

/// A lane with all its packets; `costs` is false for one whose instructions take no time.
struct Lane<'p> {
    rate: u64,
    memory: Memory,
    costs: bool,
    coming: std::slice::Iter<'p, Packet>,
    inside: VecDeque<Under>,
    /// From when on the memory is free.
    free: u64,
    /// When each packet began to leave.
    left: Vec<u64>,
    buffered: u64,
}

impl<'p> Lane<'p> {
    fn new(rate: u64, memory: Memory, costs: bool, packets: &'p [Packet]) -> Self {
        Self {
            rate,
            memory,
            costs,
            coming: packets.iter(),
            inside: VecDeque::new(),
            free: 0,
            left: Vec::new(),
            buffered: 0,
        }
    }

    fn arrive(&mut self) {
        let mut room = self.rate;
        while room > 0 {
            let is_whole = |under: &Under| under.arrived == 8 * u64::from(under.packet.line);
            if self.inside.back().is_none_or(is_whole) {
                let Some(packet) = self.coming.next() else { return };
                let packet = *packet;
                self.inside.push_back(Under { packet, arrived: 0, sent: 0, executed: None });
            }
            if let Some(last) = self.inside.back_mut() {
                let bits = room.min(8 * u64::from(last.packet.line) - last.arrived);
                last.arrived += bits;
                self.buffered += bits;
                room -= bits;
            }
        }
    }

    fn execute(&mut self, cycle: u64) {
        for under in self.inside.iter_mut().filter(|under| under.executed.is_none()) {
            let is_here = under.arrived >= 8 * u64::from(under.packet.needed);
            if !is_here || cycle < self.free {
                return;
            }
            let cycles = if self.costs { under.packet.cycles.into() } else { 0 };
            under.executed = Some(cycle + cycles);
            self.free = match self.memory {
                Memory::SinglePort => cycle + cycles,
                Memory::Pipelined => cycle + cycles.min(1),
            };
        }
    }

    fn leave(&mut self, cycle: u64) {
        let mut room = self.rate;
        while room > 0
            && let Some(first) = self.inside.front_mut()
            && first.executed.is_some_and(|executed| executed <= cycle)
        {
            if first.sent == 0 {
                self.left.push(cycle);
            }
            let bits = room.min(first.arrived - first.sent);
            first.sent += bits;
            self.buffered -= bits;
            room -= bits;
            if first.sent < 8 * u64::from(first.packet.line) {
                return;
            }
            self.inside.pop_front();
        }
    }

    fn cycle(&mut self, cycle: u64) {
        self.arrive();
        self.execute(cycle);
        self.leave(cycle);
    }
}

/// Sends packets through each lane of a chip, one behind the other. `None` if a lane does not take a whole number of bits
/// a cycle, 1 or more.
pub fn run(chip: &Chip, packets: &[Packet]) -> Option<Added> {
    let lanes = u64::from(chip.lanes);
    let a_cycle = lanes.checked_mul(u64::from(ASIC_MHZ) * 1_000_000)?;
    let rate = chip.rate.checked_div(a_cycle)?;
    if rate == 0 || rate * a_cycle != chip.rate {
        return None;
    }
    let lane = |costs| Lane::new(rate, chip.memory, costs, packets);
    let (mut with, mut without) = (lane(true), lane(false));
    let (mut added, mut cycle) = (Added::default(), 0);
    while with.left.len() < packets.len() || !with.inside.is_empty() {
        with.cycle(cycle);
        without.cycle(cycle);
        added.buffered = added.buffered.max((with.buffered - without.buffered) * lanes);
        cycle += 1;
    }
    let held = with.left.iter().zip(&without.left).map(|(with, without)| with - without);
    added.latency = held.max().unwrap_or(0);
    Some(added)
}

#[cfg(test)]
mod tests {
    use super::super::latency::{ASIC_RATE, asic, asic_buffer};
    use super::*;
    use crate::instruction::Instruction;

    fn tpp(cstores: usize) -> Repr {
        // Five CSTOREs of the same two words of 16 bits: 12 + 20 + 4 bytes, which fit into the least frame.
        let instructions = vec![Instruction::new(Opcode::Cstore, 0xd000, 0, 1); cstores];
        Repr { instructions, memory: vec![0; 4], ..Repr::default() }
    }

    fn chip(lanes: u32, memory: Memory) -> Chip {
        Chip { rate: ASIC_RATE, lanes, memory }
    }

    /// Acceptance check 15 of spec 003: 50 ns and 6.25 kB, with 100 lanes of 10 Gb/s, least packets without a gap.
    #[test]
    fn five_cstores_in_every_least_packet() {
        let packets = vec![Packet::of(&tpp(5), 0); 10_000];
        assert_eq!(packets[0], Packet { needed: 50, line: 84, cycles: 50 });
        let wanted = Added { latency: 50, buffered: 8 * 6250 };
        for memory in [Memory::SinglePort, Memory::Pipelined] {
            assert_eq!(run(&chip(100, memory), &packets), Some(wanted), "{memory:?}");
        }
        assert_eq!((asic(&tpp(5)), asic_buffer(50)), (50, 6250), "the closed form");
    }

    /// A lane of 40 Gb/s has a least packet in 16.8 cycles, of which each takes 50 of a memory with one port: what waits
    /// grows with every packet. Pipelined memory keeps the bound.
    #[test]
    fn faster_lanes_need_pipelined_memory() {
        let run = |memory, count| {
            run(&chip(25, memory), &vec![Packet::of(&tpp(5), 0); count]).expect("whole bits")
        };
        assert_eq!(run(Memory::Pipelined, 1000), Added { latency: 50, buffered: 50_000 });
        let (few, many) = (run(Memory::SinglePort, 100), run(Memory::SinglePort, 1000));
        // 50 - 16.8 cycles more for every packet behind the first.
        assert!(few.latency.abs_diff(50 + 99 * 332 / 10) <= 1, "{few:?}");
        assert!(many.latency.abs_diff(50 + 999 * 332 / 10) <= 1, "{many:?}");
        assert!(many.buffered > 9 * few.buffered);
    }

    /// Bursts of packets of all sizes with 0 to 5 CSTOREs: never more than the closed form, and as much.
    #[test]
    fn bursts_stay_within_the_closed_form() {
        let mut draws = fastrand::Rng::with_seed(15);
        let packets: Vec<Packet> = (0..20_000)
            .map(|_| {
                Packet::of(
                    &tpp(draws.usize(..=5)),
                    if draws.bool() { 0 } else { draws.u32(..1400) },
                )
            })
            .collect();
        let added = run(&chip(100, Memory::SinglePort), &packets).expect("whole bits");
        assert_eq!(added, Added { latency: 50, buffered: 50_000 });
        let few: Vec<Packet> = packets.iter().copied().filter(|p| p.cycles <= 30).collect();
        assert_eq!(run(&chip(100, Memory::SinglePort), &few).expect("whole bits").latency, 30);
    }

    #[test]
    fn rates_that_are_no_whole_bits() {
        assert_eq!(run(&chip(3, Memory::Pipelined), &[]), None);
        assert_eq!(run(&chip(0, Memory::Pipelined), &[]), None);
        assert_eq!(run(&chip(100, Memory::Pipelined), &[]), Some(Added::default()));
    }
}
