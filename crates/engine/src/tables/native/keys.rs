//! Slot numbers in the order of their rows.

use super::packing;
use super::slab::Slab;
use std::cmp::Ordering;

/// Most slots in a block.
const BLOCK: usize = 512;

/// Bits of a hint.
const HINT: u32 = 16;

/// Slots in the order of their rows, in blocks: a B-tree of two levels. To find a row, mostly no
/// rows are read, for both levels have a few bits of each row beside the slot.
///
/// Slots with equal rows have an order that somebody else knows.
#[derive(Debug, Default)]
pub(super) struct KeyOrder {
    blocks: Vec<Block>,
    /// The first 64 bits of the first row of each block.
    firsts: Vec<u64>,
}

#[derive(Debug)]
struct Block {
    slots: Vec<u32>,
    /// For each slot, the bits of its row behind the first `depth` ones.
    hints: Vec<u16>,
    /// So many bits at least are the same in all rows of the block.
    depth: u32,
}

/// A place in a [`KeyOrder`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    block: usize,
    index: usize,
}

fn first_bits(row: &[u32]) -> u64 {
    let unit = |n: usize| u64::from(row.get(n).copied().unwrap_or(0));
    unit(0) << 32 | unit(1)
}

impl Block {
    /// The bits of a row that count in this block.
    fn hint(&self, row: &[u32]) -> u16 {
        packing::chunk(row, self.depth, HINT) as u16
    }

    /// Makes the hints anew, for the rows there are now.
    fn refresh(&mut self, slab: &Slab) {
        let (Some(&first), Some(&last)) = (self.slots.first(), self.slots.last()) else { return };
        let row = slab.key(first);
        self.depth = packing::common(row, slab.key(last), 32 * row.len() as u32);
        self.hints.clear();
        grow(&mut self.hints, self.slots.len());
        for &slot in &self.slots {
            self.hints.push(packing::chunk(slab.key(slot), self.depth, HINT) as u16);
        }
    }
}

/// Makes room for `more` items: blocks should not take much more than they need.
fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(BLOCK / 16));
    }
}

impl KeyOrder {
    /// The first place whose slot is not less than what is looked for, and whether it is equal.
    /// `compare` compares a slot with what is looked for: first by `row`, which is as long as the
    /// rows of the slab.
    pub(super) fn find(
        &self,
        slab: &Slab,
        row: &[u32],
        compare: impl Fn(u32) -> Ordering,
    ) -> (Place, bool) {
        let bits = first_bits(row);
        let mut after = self.firsts.partition_point(|&first| first < bits);
        if self.firsts.get(after) == Some(&bits) {
            let equal = self.firsts[after..].partition_point(|&first| first == bits);
            let blocks = &self.blocks[after..after + equal];
            after += blocks.partition_point(|block| compare(block.slots[0]).is_le());
        }
        let Some(at) = after.checked_sub(1) else {
            return (Place { block: 0, index: 0 }, false);
        };
        let block = &self.blocks[at];
        let depth = block.depth;
        let is_inside = match depth {
            0 => true,
            1..=64 => (bits ^ self.firsts[at]) >> (64 - depth) == 0,
            _ => packing::common(row, slab.key(block.slots[0]), depth) == depth,
        };
        if !is_inside {
            // It is not less than the first one.
            return (Place { block: at, index: block.slots.len() }, false);
        }
        let hint = block.hint(row);
        let from = block.hints.partition_point(|&h| h < hint);
        let equal = block.hints[from..].partition_point(|&h| h == hint);
        let slots = &block.slots[from..from + equal];
        let index = slots.partition_point(|&slot| compare(slot).is_lt());
        let is_equal = slots.get(index).is_some_and(|&slot| compare(slot).is_eq());
        (Place { block: at, index: from + index }, is_equal)
    }

    /// Puts a slot at a place that [`KeyOrder::find`] returned.
    pub(super) fn insert(&mut self, slab: &Slab, place: Place, slot: u32) {
        let Place { block: mut at, mut index } = place;
        match self.blocks.get(at).map(|block| block.slots.len()) {
            None => self.add_block(slab, at, vec![slot]),
            // Rows often come in order: then blocks stay full.
            Some(BLOCK) if index == BLOCK && at + 1 == self.blocks.len() => {
                self.add_block(slab, at + 1, vec![slot]);
            }
            length => {
                if length == Some(BLOCK) {
                    let block = &mut self.blocks[at];
                    let upper = block.slots.split_off(BLOCK / 2);
                    block.slots.shrink_to_fit();
                    block.hints = Vec::new();
                    block.refresh(slab);
                    self.add_block(slab, at + 1, upper);
                    if index > BLOCK / 2 {
                        (at, index) = (at + 1, index - BLOCK / 2);
                    }
                }
                self.insert_in_block(slab, Place { block: at, index }, slot);
            }
        }
    }

    fn insert_in_block(&mut self, slab: &Slab, Place { block: at, index }: Place, slot: u32) {
        let block = &mut self.blocks[at];
        grow(&mut block.slots, 1);
        block.slots.insert(index, slot);
        let row = slab.key(slot);
        let is_last = index + 1 == block.slots.len();
        let neighbor = slab.key(block.slots[if index == 0 { 1 } else { 0 }]);
        if (index == 0 || is_last) && packing::common(row, neighbor, block.depth) < block.depth {
            block.refresh(slab);
        } else {
            grow(&mut block.hints, 1);
            let hint = block.hint(row);
            block.hints.insert(index, hint);
        }
        if index == 0 {
            self.firsts[at] = first_bits(row);
        }
    }

    fn add_block(&mut self, slab: &Slab, at: usize, slots: Vec<u32>) {
        let first = slots.first().map_or(0, |&slot| first_bits(slab.key(slot)));
        let mut block = Block { slots, hints: Vec::new(), depth: 0 };
        block.refresh(slab);
        self.firsts.insert(at, first);
        self.blocks.insert(at, block);
    }

    /// Takes away the slot at a place; its row is still there.
    pub(super) fn remove(&mut self, slab: &Slab, place: Place) {
        let Place { block: at, index } = place;
        let next = self.blocks.get(at + 1).map_or(BLOCK, |block| block.slots.len());
        let block = &mut self.blocks[at];
        block.slots.remove(index);
        block.hints.remove(index);
        let length = block.slots.len();
        let Some(&first) = block.slots.first() else {
            self.blocks.remove(at);
            self.firsts.remove(at);
            return;
        };
        self.firsts[at] = first_bits(slab.key(first));
        if length + next <= BLOCK / 2 {
            let upper = self.blocks.remove(at + 1);
            self.firsts.remove(at + 1);
            self.blocks[at].slots.extend(upper.slots);
            self.blocks[at].refresh(slab);
        }
    }

    /// All slots in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flat_map(|block| &block.slots).copied()
    }

    /// The slots from a place on.
    pub(super) fn iter_from(&self, place: Place) -> impl Iterator<Item = u32> {
        let first = self.blocks.get(place.block).map_or(&[][..], |b| &b.slots[place.index..]);
        let rest = self.blocks.get(place.block + 1..).unwrap_or(&[]);
        first.iter().copied().chain(rest.iter().flat_map(|block| &block.slots).copied())
    }

    /// The slot in front of a place.
    pub(super) fn before(&self, place: Place) -> Option<u32> {
        match place.index.checked_sub(1) {
            Some(index) => Some(self.blocks[place.block].slots[index]),
            None => self.blocks[place.block.checked_sub(1)?].slots.last().copied(),
        }
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let of_block = |b: &Block| b.slots.capacity() * 4 + b.hints.capacity() * 2;
        self.blocks.iter().map(of_block).sum::<usize>()
            + self.blocks.capacity() * size_of::<Block>()
            + self.firsts.capacity() * 8
    }
}
