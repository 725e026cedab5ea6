//! One direction of the line: how long frames take, and what happens to them.

use super::impairment::{Fate, Impairer};
use super::{CLOCK_PS, Memory, Picoseconds, Plan, Scheme};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// 100 Gb/s.
const WIRE_PS: u64 = 80;
/// Preamble, start delimiter, FCS and the least gap, in bytes.
const WIRE_OVERHEAD: u64 = 24;
/// Bytes of a beat.
const BEAT: u64 = 64;
/// Picoseconds of a byte at 125 and 117.5 Gb/s (spec S49), in thousandths.
const ALIGNED_FS: u64 = 64_000;
const UNALIGNED_FS: u64 = 68_085;
/// Bytes in front of a segment's payload, without options.
const HEADERS: u64 = 54;
/// A frame that is to be overtaken waits at most so long.
const HELD_PS: Picoseconds = 100_000_000;

struct Flying {
    at: Picoseconds,
    order: u64,
    began: Picoseconds,
    frame: Vec<u8>,
}

impl PartialEq for Flying {
    fn eq(&self, other: &Self) -> bool {
        (self.at, self.order) == (other.at, other.order)
    }
}

impl Eq for Flying {}

impl PartialOrd for Flying {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The earliest is the greatest, for the heap.
impl Ord for Flying {
    fn cmp(&self, other: &Self) -> Ordering {
        (other.at, other.order).cmp(&(self.at, self.order))
    }
}

/// See the module.
pub(super) struct Line {
    scheme: Scheme,
    memory: Memory,
    delay: Picoseconds,
    free_at: Picoseconds,
    impairer: Impairer,
    flying: BinaryHeap<Flying>,
    /// Frames that others overtake: how many still, and when they come at the latest.
    held: Vec<(u8, Flying)>,
    order: u64,
    spare: Vec<Vec<u8>>,
}

impl Line {
    pub(super) fn new(plan: &Plan, direction: usize) -> Self {
        Self {
            scheme: plan.scheme,
            memory: plan.memory,
            delay: plan.rtt * 1_000 / 2,
            free_at: 0,
            impairer: Impairer::new(&plan.impairments, plan.seed, direction),
            flying: BinaryHeap::new(),
            held: Vec::new(),
            order: 0,
            spare: Vec::new(),
        }
    }

    pub(super) fn is_free(&self, now: Picoseconds) -> bool {
        self.free_at <= now
    }

    /// How long a frame without FCS takes.
    fn duration(&self, length: u64) -> Picoseconds {
        match self.scheme {
            Scheme::Wire => (length.max(60) + WIRE_OVERHEAD) * WIRE_PS,
            Scheme::Stream => {
                let beats = (length.div_ceil(BEAT) * CLOCK_PS.0).div_ceil(CLOCK_PS.1);
                let payload = length.saturating_sub(HEADERS);
                let byte = if payload.is_multiple_of(BEAT) { ALIGNED_FS } else { UNALIGNED_FS };
                match self.memory {
                    // Each byte crosses the memory once, for retransmission.
                    Memory::Ddr4 => beats.max(payload * byte / 1_000),
                    Memory::Uram => beats,
                }
            }
        }
    }

    /// Sends a frame at `now`.
    pub(super) fn send(&mut self, frame: &[u8], now: Picoseconds) {
        let duration = self.duration(frame.len() as u64);
        self.free_at = now + duration;
        let at = now + duration + self.delay;
        let fate = self.impairer.fate(frame.len());
        let copies = match fate {
            Fate::Lost => 0,
            Fate::Twice => 2,
            _ => 1,
        };
        for _ in 0..copies {
            let mut copy = self.spare.pop().unwrap_or_default();
            copy.clear();
            copy.extend_from_slice(frame);
            if let Fate::Damaged(bit) = fate {
                copy[bit / 8] ^= 1 << (bit % 8);
            }
            self.order += 1;
            let flying = Flying { at, order: self.order, began: now + self.delay, frame: copy };
            match fate {
                Fate::Overtaken(frames) => {
                    self.held.push((frames, Flying { at: at + HELD_PS, ..flying }));
                    return;
                }
                _ => self.flying.push(flying),
            }
        }
        // It overtakes those that are held.
        let mut index = 0;
        while index < self.held.len() {
            self.held[index].0 -= 1;
            if self.held[index].0 == 0 {
                let (_, held) = self.held.remove(index);
                self.order += 1;
                let (at, order) = (at.max(now), self.order);
                self.flying.push(Flying { at, order, ..held });
            } else {
                index += 1;
            }
        }
    }

    /// The next frame that has arrived by `now`, and when its first byte has.
    pub(super) fn arrived(&mut self, now: Picoseconds) -> Option<(Vec<u8>, Picoseconds)> {
        if let Some(index) = self.held.iter().position(|(_, held)| held.at <= now) {
            let (_, held) = self.held.remove(index);
            return Some((held.frame, held.began));
        }
        if self.flying.peek().is_none_or(|next| next.at > now) {
            return None;
        }
        self.flying.pop().map(|next| (next.frame, next.began))
    }

    /// A frame's memory is free.
    pub(super) fn recycle(&mut self, frame: Vec<u8>) {
        if self.spare.len() < 64 {
            self.spare.push(frame);
        }
    }

    /// When something happens next: it is free for another frame, or one arrives.
    pub(super) fn next(&self, now: Picoseconds) -> Option<Picoseconds> {
        let free = Some(self.free_at).filter(|at| *at > now);
        let arrival = self.flying.peek().map(|next| next.at);
        let held = self.held.iter().map(|(_, held)| held.at).min();
        [free, arrival, held].into_iter().flatten().min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pair::{Impairments, Peer};
    use crate::settings::Behaviour;

    fn line(scheme: Scheme, memory: Memory) -> Line {
        Line::new(
            &Plan {
                peer: Peer::Model,
                scheme,
                memory,
                segment: 1460,
                sessions: 1,
                bytes: None,
                cycles: 0,
                rtt: 0,
                impairments: Impairments::default(),
                seed: 1,
                receive: false,
                tcp: Behaviour::default(),
            },
            0,
        )
    }

    #[test]
    fn the_wire_takes_the_frame_and_24_bytes() {
        let line = line(Scheme::Wire, Memory::Ddr4);
        assert_eq!(line.duration(60), 6_720);
        assert_eq!(line.duration(1_514), 123_040);
    }

    #[test]
    fn the_stream_takes_a_beat_a_clock_or_what_the_memory_takes() {
        let uram = line(Scheme::Stream, Memory::Uram);
        assert_eq!(uram.duration(64), 3_104);
        assert_eq!(uram.duration(33 * 64), 102_400);
        let ddr4 = line(Scheme::Stream, Memory::Ddr4);
        assert_eq!(ddr4.duration(54 + 4_096), 262_144);
        assert_eq!(ddr4.duration(54 + 1_460), 99_404);
    }
}
