//! Lanes side by side again (IEEE 802.3 clause 82.2.12 and figure 82-12).

use super::{LANES, Row};
use crate::block::Block;
use std::collections::VecDeque;

/// The most by which lanes may be late against each other, in bits of a lane: the 180 ns that clause 82.2.12
/// asks a receiver to bear.
pub const MAXIMUM_SKEW: u64 = 1856;

/// Blocks that a lane may hold in front of the others: as many, some bits of a word and a block.
const MOST_BLOCKS: usize = MAXIMUM_SKEW as usize / 66 + 3;

/// Holds back lanes that are early. While lanes are not aligned, a queue is empty or begins with a marker.
#[derive(Debug, Clone, Default)]
pub(super) struct Deskew {
    queues: [VecDeque<Block>; LANES],
    /// Where in the queue of each input the next marker is, if one is.
    places: [Option<usize>; LANES],
    /// Where the last marker of each input ended, in bits.
    markers: [u64; LANES],
    /// The inputs of lanes 0 to 3, if they are aligned.
    order: Option<[usize; LANES]>,
}

/// What came of an attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// Not all markers are here.
    Waiting,
    /// Lanes are aligned; skew of each relative to the first one, in bits.
    Aligned([u64; LANES]),
    /// Markers are further apart than may be.
    TooFar,
    /// Two inputs say that they are the same lane.
    Repeated,
}

/// Blocks of all lanes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Next {
    /// In the order of lanes.
    Blocks(Row),
    /// Markers.
    Markers,
    /// Markers of some and blocks of others: this is no row.
    Torn,
}

impl Deskew {
    pub(super) fn aligned(&self) -> bool {
        self.order.is_some()
    }

    /// A block between markers.
    #[inline]
    pub(super) fn block(&mut self, input: usize, block: Block) {
        let queue = &mut self.queues[input];
        if self.order.is_some() || !queue.is_empty() {
            queue.push_back(block);
        }
    }

    /// A marker, and where it ended.
    pub(super) fn marker(&mut self, input: usize, block: Block, at: u64) {
        if self.order.is_none() {
            self.queues[input].clear();
        }
        self.places[input] = Some(self.queues[input].len());
        self.queues[input].push_back(block);
        self.markers[input] = at;
    }

    /// Begins again.
    pub(super) fn reset(&mut self) {
        self.queues.iter_mut().for_each(VecDeque::clear);
        self.order = None;
    }

    /// An input is not locked: what it holds is worth nothing.
    pub(super) fn forget(&mut self, input: usize) {
        self.queues[input].clear();
    }

    /// Looks whether markers of all lanes are here; `numbers` are the lanes of the inputs.
    pub(super) fn align(&mut self, numbers: [Option<usize>; LANES]) -> Attempt {
        if self.queues.iter().any(VecDeque::is_empty) {
            let mut late = false;
            for queue in &mut self.queues {
                if queue.len() > MOST_BLOCKS {
                    queue.clear();
                    late = true;
                }
            }
            let all = numbers.iter().all(Option::is_some);
            return if late && all { Attempt::TooFar } else { Attempt::Waiting };
        }
        let mut order = [LANES; LANES];
        for (input, number) in numbers.iter().enumerate() {
            if let Some(number) = number {
                order[*number] = input;
            }
        }
        if order.contains(&LANES) {
            self.reset();
            return Attempt::Repeated;
        }
        let first = self.markers.iter().copied().min().unwrap_or(0);
        let skews = self.markers.map(|at| at - first);
        if skews.iter().any(|skew| *skew > MAXIMUM_SKEW) {
            self.reset();
            return Attempt::TooFar;
        }
        self.order = Some(order);
        Attempt::Aligned(skews)
    }

    /// The next row, if all of it is here and lanes are aligned.
    #[inline]
    pub(super) fn row(&mut self) -> Option<Next> {
        let order = self.order?;
        if self.queues.iter().any(VecDeque::is_empty) {
            return None;
        }
        let mut row = [Block::IDLE; LANES];
        let mut markers = 0;
        for (block, input) in row.iter_mut().zip(order) {
            if let Some(first) = self.queues[input].pop_front() {
                *block = first;
            }
            let place = &mut self.places[input];
            markers += usize::from(*place == Some(0));
            *place = place.and_then(|place| place.checked_sub(1));
        }
        Some(match markers {
            0 => Next::Blocks(row),
            LANES => Next::Markers,
            _ => Next::Torn,
        })
    }
}
