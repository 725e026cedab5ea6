//! Slot numbers in the order of their entries' handles.

use super::slab::{Slab, grow};

/// Most slots in a block.
const BLOCK: usize = 512;

/// Slots in the order of their handles, in blocks: a B-tree of two levels. Handles only grow, so
/// that slots are added at the end.
#[derive(Debug, Default)]
pub(super) struct HandleOrder {
    blocks: Vec<Vec<u32>>,
    /// First handle of each block.
    firsts: Vec<u64>,
}

/// A place in a [`HandleOrder`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    block: usize,
    index: usize,
}

impl HandleOrder {
    /// The place and slot of a handle.
    pub(super) fn find(&self, slab: &Slab, handle: u64) -> Option<(Place, u32)> {
        let block = self.firsts.partition_point(|&first| first <= handle).checked_sub(1)?;
        let slots = &self.blocks[block];
        let index = slots.binary_search_by(|&slot| slab.handle(slot).cmp(&handle)).ok()?;
        Some((Place { block, index }, slots[index]))
    }

    /// Adds a slot whose handle is higher than all others.
    pub(super) fn push(&mut self, slot: u32, handle: u64) {
        match self.blocks.last_mut() {
            Some(block) if block.len() < BLOCK => {
                grow(block, 1);
                block.push(slot);
            }
            _ => {
                self.blocks.push(vec![slot]);
                self.firsts.push(handle);
            }
        }
    }

    /// Takes away the slot at a place.
    pub(super) fn remove(&mut self, slab: &Slab, place: Place) {
        let Place { block, index } = place;
        let next = self.blocks.get(block + 1).map_or(BLOCK, Vec::len);
        let slots = &mut self.blocks[block];
        slots.remove(index);
        let Some(&first) = slots.first() else {
            self.blocks.remove(block);
            self.firsts.remove(block);
            return;
        };
        self.firsts[block] = slab.handle(first);
        if slots.len() + next <= BLOCK / 2 {
            let upper = self.blocks.remove(block + 1);
            self.firsts.remove(block + 1);
            self.blocks[block].extend(upper);
        }
    }

    /// All slots in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> {
        self.blocks.iter().flatten().copied()
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let blocks: usize = self.blocks.iter().map(|b| b.capacity() * 4).sum();
        blocks + self.blocks.capacity() * size_of::<Vec<u32>>() + self.firsts.capacity() * 8
    }
}
