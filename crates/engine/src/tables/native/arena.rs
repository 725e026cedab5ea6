//! Short arrays in one piece of memory.

use super::slab::grow;

/// Longest array.
const LONGEST: usize = 64;

/// Arrays of 1 to 64 items, by the position of their first item. Freed ones are used again for
/// arrays of about the same length.
#[derive(Debug)]
pub(super) struct Arena<T> {
    items: Vec<T>,
    /// Freed arrays by their length.
    free: Vec<Vec<u32>>,
    free_items: usize,
}

/// The length that is reserved for an array: few different ones, so that freed arrays fit again.
fn reserved(length: usize) -> usize {
    match length {
        0..=8 => length,
        9..=16 => length.next_multiple_of(2),
        17..=32 => length.next_multiple_of(4),
        _ => length.next_multiple_of(8),
    }
}

impl<T: Copy> Arena<T> {
    pub(super) fn new() -> Self {
        Self { items: Vec::new(), free: vec![Vec::new(); LONGEST + 1], free_items: 0 }
    }

    /// Adds an array.
    pub(super) fn add(&mut self, array: &[T]) -> u32 {
        let Some(&last) = array.last() else { return 0 };
        let length = reserved(array.len());
        if let Some(base) = self.free[length].pop() {
            self.free_items -= length;
            self.items[base as usize..][..array.len()].copy_from_slice(array);
            return base;
        }
        grow(&mut self.items, length);
        let base = self.items.len();
        self.items.extend_from_slice(array);
        self.items.resize(base + length, last);
        base as u32
    }

    /// Frees an array.
    pub(super) fn remove(&mut self, base: u32, length: usize) {
        if length > 0 {
            self.free[reserved(length)].push(base);
            self.free_items += reserved(length);
        }
    }

    pub(super) fn get(&self, base: u32, length: usize) -> &[T] {
        if length == 0 { &[] } else { &self.items[base as usize..][..length] }
    }

    pub(super) fn as_ptr(&self) -> *const T {
        self.items.as_ptr()
    }

    /// Whether more than half of the memory is of freed arrays.
    pub(super) fn is_sparse(&self) -> bool {
        self.items.len() > 1 << 14 && self.free_items > self.items.len() / 2
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        let free: usize = self.free.iter().map(|f| f.capacity() * 4).sum();
        self.items.capacity() * size_of::<T>() + free + self.free.capacity() * 24
    }
}
