//! A tree over numbered slots that knows the least time below every node.

use super::lanes::{Lanes, Time};

/// Slots 0 to `slots() - 1`, each empty or with a time. A node has 64 children; a bitmap says which are
/// there, and [`Lanes`] have the least time of each. Every operation is one step for each level:
/// log64 of the number of slots. DEPTH fixes the number of levels if it is not 0, which lets the compiler
/// unroll them; then there are 64^DEPTH slots at most.
#[derive(Clone, Debug)]
pub struct Minima<const DEPTH: usize = 0> {
    /// Nodes of all levels, the ones above the slots first.
    lanes: Box<[Lanes]>,
    present: Box<[u64]>,
    /// Where the nodes of each level begin; the root's is the last.
    starts: [u32; LEVELS],
    levels: usize,
}

/// 64^5 slots are more than twice [`crate::list::MAX_ELEMENTS`], which is what a list may ask for.
const LEVELS: usize = 5;

impl<const DEPTH: usize> Minima<DEPTH> {
    #[inline]
    fn levels(&self) -> usize {
        if DEPTH == 0 { self.levels } else { DEPTH }
    }

    /// `slots` empty slots, rounded up to a multiple of 64; at most 2^30.
    pub fn new(slots: usize) -> Self {
        let mut starts = [0; LEVELS];
        let (mut nodes, mut level, mut width) = (0, 0, slots.max(1));
        loop {
            width = width.div_ceil(64);
            starts[level] = nodes as u32;
            nodes += width;
            level += 1;
            if width == 1 && level >= DEPTH {
                break;
            }
        }
        Self {
            lanes: vec![Lanes::LATEST; nodes].into(),
            present: vec![0; nodes].into(),
            starts,
            levels: level,
        }
    }

    fn root(&self) -> usize {
        self.lanes.len() - 1
    }

    /// The least time of all slots; `None` if all are empty.
    #[inline]
    pub fn least(&self) -> Option<Time> {
        let root = self.root();
        (self.present[root] != 0).then(|| self.lanes[root].least())
    }

    /// The time of a slot that is not empty.
    #[inline]
    pub fn time(&self, slot: usize) -> Time {
        self.lanes[slot / 64].0[slot % 64]
    }

    /// Whether a slot has a time.
    #[inline]
    pub fn is_present(&self, slot: usize) -> bool {
        self.present[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The first slot with a time of `now` or less.
    #[inline]
    pub fn first(&self, now: Time) -> Option<usize> {
        let mut index = 0;
        for level in (0..self.levels()).rev() {
            let node = self.starts[level] as usize + index;
            let (lanes, present) = (&self.lanes[node], self.present[node]);
            let first = present.trailing_zeros() as usize;
            // Often the first child will do, and nothing need be compared.
            let child = match lanes.0[first % 64] <= now && present != 0 {
                true => first,
                false => match lanes.at_most(now) & present {
                    0 => return None,
                    fit => fit.trailing_zeros() as usize,
                },
            };
            index = index * 64 + child;
        }
        Some(index)
    }

    /// Gives a slot a time that is not later than the one it has, or its first time.
    #[inline]
    pub fn lower(&mut self, slot: usize, time: Time) {
        let mut index = slot;
        for level in 0..self.levels() {
            let (node, child) = (self.starts[level] as usize + index / 64, index % 64);
            let bit = 1 << child;
            let known = self.present[node] & bit != 0;
            let lane = &mut self.lanes[node].0[child];
            if known && *lane <= time {
                return;
            }
            self.present[node] |= bit;
            *lane = (*lane).min(time);
            index /= 64;
        }
    }

    /// Gives a slot that has a time a later one, or none.
    #[inline]
    pub fn raise(&mut self, slot: usize, time: Option<Time>) {
        let (mut index, mut time) = (slot, time);
        for level in 0..self.levels() {
            let (node, child) = (self.starts[level] as usize + index / 64, index % 64);
            let lanes = &mut self.lanes[node];
            let before = lanes.0[child];
            lanes.0[child] = time.unwrap_or(Time::MAX);
            if time.is_none() {
                self.present[node] &= !(1 << child);
            } else if time == Some(before) {
                return;
            }
            let present = self.present[node];
            index /= 64;
            if present == 0 {
                time = None;
                continue;
            }
            if level + 1 == self.levels() {
                return;
            }
            // What the parent knows stays right if another child is as early.
            let (up, place) = (self.starts[level + 1] as usize + index / 64, index % 64);
            let least = self.lanes[up].0[place];
            let lanes = &self.lanes[node];
            if before > least || lanes.0[present.trailing_zeros() as usize] == least {
                return;
            }
            time = Some(lanes.least());
        }
    }
}
