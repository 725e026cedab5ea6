//! Slot numbers in an order that somebody else knows.

use std::cmp::Ordering;

/// Most slots in a block.
const BLOCK: usize = 512;

/// Slots in order, in blocks: a B-tree of two levels. What the order is, the caller says with a
/// function that compares a slot with what is looked for.
#[derive(Debug, Default)]
pub(super) struct SortedSlots {
    blocks: Vec<Vec<u32>>,
    /// First slot of each block.
    firsts: Vec<u32>,
}

/// A place among [`SortedSlots`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    block: usize,
    index: usize,
}

impl SortedSlots {
    /// The first place whose slot is not less than what is looked for, and whether it is equal.
    pub(super) fn find(&self, compare: impl Fn(u32) -> Ordering) -> (Place, bool) {
        let after = self.firsts.partition_point(|&slot| compare(slot).is_le());
        let Some(block) = after.checked_sub(1) else {
            return (Place { block: 0, index: 0 }, false);
        };
        let slots = &self.blocks[block];
        let index = slots.partition_point(|&slot| compare(slot).is_lt());
        let equal = slots.get(index).is_some_and(|&slot| compare(slot).is_eq());
        (Place { block, index }, equal)
    }

    /// Puts a slot at a place that [`SortedSlots::find`] returned.
    pub(super) fn insert(&mut self, place: Place, slot: u32) {
        let Place { mut block, mut index } = place;
        match self.blocks.get(block).map(Vec::len) {
            None => self.add_block(block, Vec::with_capacity(BLOCK)),
            // Slots often come in order: then blocks stay full.
            Some(BLOCK) if index == BLOCK && block + 1 == self.blocks.len() => {
                self.add_block(block + 1, Vec::with_capacity(BLOCK));
                (block, index) = (block + 1, 0);
            }
            Some(BLOCK) => {
                let mut upper = Vec::with_capacity(BLOCK);
                upper.extend(self.blocks[block].drain(BLOCK / 2..));
                self.add_block(block + 1, upper);
                if index > BLOCK / 2 {
                    (block, index) = (block + 1, index - BLOCK / 2);
                }
            }
            Some(_) => {}
        }
        self.blocks[block].insert(index, slot);
        if index == 0 {
            self.firsts[block] = slot;
        }
    }

    fn add_block(&mut self, at: usize, slots: Vec<u32>) {
        self.firsts.insert(at, slots.first().copied().unwrap_or(0));
        self.blocks.insert(at, slots);
    }

    /// Takes away the slot at a place.
    pub(super) fn remove(&mut self, place: Place) {
        let Place { block, index } = place;
        let slots = &mut self.blocks[block];
        slots.remove(index);
        let (length, first) = (slots.len(), slots.first().copied());
        let next = self.blocks.get(block + 1).map_or(BLOCK, Vec::len);
        if let Some(first) = first {
            self.firsts[block] = first;
        }
        if length == 0 {
            self.blocks.remove(block);
            self.firsts.remove(block);
        } else if length + next <= BLOCK / 2 {
            let upper = self.blocks.remove(block + 1);
            self.firsts.remove(block + 1);
            self.blocks[block].extend(upper);
        }
    }

    /// All slots in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flatten().copied()
    }

    /// The slots from a place on.
    pub(super) fn iter_from(&self, place: Place) -> impl Iterator<Item = u32> {
        let first = self.blocks.get(place.block).map_or(&[][..], |slots| &slots[place.index..]);
        let rest = self.blocks.get(place.block + 1..).unwrap_or(&[]);
        first.iter().copied().chain(rest.iter().flatten().copied())
    }

    /// The slot in front of a place.
    pub(super) fn before(&self, place: Place) -> Option<u32> {
        match place.index.checked_sub(1) {
            Some(index) => Some(self.blocks[place.block][index]),
            None => self.blocks[place.block.checked_sub(1)?].last().copied(),
        }
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(|b| b.capacity() * 4).sum();
        blocks + self.blocks.capacity() * size_of::<Vec<u32>>() + self.firsts.capacity() * 4
    }
}
