//! What one would use without a list like ours.

use super::Queue;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Two maps: who waits, by eligible time, and who is ready, by rank. Each in order of arrival among
/// equals. The clock must not go back.
#[derive(Default)]
pub struct Maps {
    waiting: BTreeMap<(u64, u64), (u64, u32)>,
    ready: BTreeMap<(u64, u64), u32>,
    arrivals: u64,
    now: u64,
}

impl Queue for Maps {
    fn push(&mut self, id: u32, rank: u64, eligible: u64) {
        self.arrivals += 1;
        match eligible <= self.now {
            true => self.ready.insert((rank, self.arrivals), id).is_some(),
            false => self.waiting.insert((eligible, self.arrivals), (rank, id)).is_some(),
        };
    }

    fn pop(&mut self, now: u64) -> Option<(u32, u64)> {
        self.now = now;
        while let Some(entry) = self.waiting.first_entry() {
            let &(eligible, arrival) = entry.key();
            if eligible > now {
                break;
            }
            let (rank, id) = entry.remove();
            self.ready.insert((rank, arrival), id);
        }
        self.ready.pop_first().map(|((rank, _), id)| (id, rank))
    }
}

/// The standard library's binary heap by rank; equal ranks in no particular order, no eligibility.
#[derive(Default)]
pub struct Heap(BinaryHeap<Reverse<(u64, u32)>>);

impl Queue for Heap {
    fn push(&mut self, id: u32, rank: u64, _eligible: u64) {
        self.0.push(Reverse((rank, id)));
    }

    fn pop(&mut self, _now: u64) -> Option<(u32, u64)> {
        self.0.pop().map(|Reverse((rank, id))| (id, rank))
    }
}

/// A queue for each of 65,536 ranks and three levels of bitmaps, searched by find-first-set; no
/// eligibility, no removal by id.
pub struct Bitmap {
    bits: [Box<[u64]>; 3],
    first: Box<[u32]>,
    last: Box<[u32]>,
    next: Box<[u32]>,
}

impl Bitmap {
    /// For ids below `flows`.
    pub fn new(flows: u32) -> Self {
        let none = |count: usize| vec![u32::MAX; count].into_boxed_slice();
        Self {
            bits: [vec![0; 1024].into(), vec![0; 16].into(), vec![0; 1].into()],
            first: none(1 << 16),
            last: none(1 << 16),
            next: none(flows as usize),
        }
    }
}

impl Queue for Bitmap {
    #[inline]
    fn push(&mut self, id: u32, rank: u64, _eligible: u64) {
        let rank = rank as usize;
        self.next[id as usize] = u32::MAX;
        if self.first[rank] == u32::MAX {
            self.first[rank] = id;
            self.bits[0][rank >> 6] |= 1 << (rank & 63);
            self.bits[1][rank >> 12] |= 1 << (rank >> 6 & 63);
            self.bits[2][0] |= 1 << (rank >> 12);
        } else {
            self.next[self.last[rank] as usize] = id;
        }
        self.last[rank] = id;
    }

    #[inline]
    fn pop(&mut self, _now: u64) -> Option<(u32, u64)> {
        let a = self.bits[2][0].trailing_zeros() as usize;
        if a == 64 {
            return None;
        }
        let b = a << 6 | self.bits[1][a].trailing_zeros() as usize;
        let rank = b << 6 | self.bits[0][b].trailing_zeros() as usize;
        let id = self.first[rank];
        self.first[rank] = self.next[id as usize];
        if self.first[rank] == u32::MAX {
            self.bits[0][b] &= self.bits[0][b] - 1;
            if self.bits[0][b] == 0 {
                self.bits[1][a] &= self.bits[1][a] - 1;
                if self.bits[1][a] == 0 {
                    self.bits[2][0] &= self.bits[2][0] - 1;
                }
            }
        }
        Some((id, rank as u64))
    }
}
