//! The entries of a store, by slot.

use super::packing;

/// Columns of entries. A slot is a position in all of them; slots of removed entries are used
/// again.
#[derive(Debug)]
pub(super) struct Slab {
    /// Units in a row of `keys`.
    row: usize,
    keys: Vec<u32>,
    handles: Vec<u64>,
    targets: Vec<u32>,
    /// Empty as long as all are zero.
    priorities: Vec<i64>,
    /// One bit per slot.
    constant: Vec<u64>,
    free: Vec<u32>,
}

impl Slab {
    pub(super) fn new(row: usize) -> Self {
        let (keys, handles, targets) = (Vec::new(), Vec::new(), Vec::new());
        let (priorities, constant, free) = (Vec::new(), Vec::new(), Vec::new());
        Self { row, keys, handles, targets, priorities, constant, free }
    }

    pub(super) fn len(&self) -> usize {
        self.handles.len() - self.free.len()
    }

    /// Adds an entry; `None` if slot numbers are used up.
    pub(super) fn add(
        &mut self,
        key: &[u32],
        handle: u64,
        priority: i64,
        target: u32,
        is_const: bool,
    ) -> Option<u32> {
        let slot = match self.free.pop() {
            Some(slot) => slot,
            None => {
                let slot = u32::try_from(self.handles.len()).ok()?;
                grow(&mut self.keys, self.row);
                self.keys.resize(self.keys.len() + self.row, 0);
                push(&mut self.handles, 0);
                push(&mut self.targets, 0);
                if !self.priorities.is_empty() {
                    push(&mut self.priorities, 0);
                }
                self.constant.resize(self.handles.len().div_ceil(64), 0);
                slot
            }
        };
        let n = slot as usize;
        self.keys[n * self.row..][..self.row].copy_from_slice(key);
        self.handles[n] = handle;
        self.targets[n] = target;
        if priority != 0 && self.priorities.is_empty() {
            self.priorities = vec![0; self.handles.len()];
        }
        if let Some(place) = self.priorities.get_mut(n) {
            *place = priority;
        }
        let bit = 1 << (n % 64);
        self.constant[n / 64] = self.constant[n / 64] & !bit | if is_const { bit } else { 0 };
        Some(slot)
    }

    pub(super) fn remove(&mut self, slot: u32) {
        self.free.push(slot);
    }

    pub(super) fn key(&self, slot: u32) -> &[u32] {
        &self.keys[slot as usize * self.row..][..self.row]
    }

    pub(super) fn handle(&self, slot: u32) -> u64 {
        self.handles[slot as usize]
    }

    pub(super) fn target(&self, slot: u32) -> u32 {
        self.targets[slot as usize]
    }

    pub(super) fn set_target(&mut self, slot: u32, target: u32) {
        self.targets[slot as usize] = target;
    }

    pub(super) fn priority(&self, slot: u32) -> i64 {
        self.priorities.get(slot as usize).copied().unwrap_or(0)
    }

    pub(super) fn is_const(&self, slot: u32) -> bool {
        self.constant[slot as usize / 64] >> (slot % 64) & 1 == 1
    }

    /// Bytes of heap memory.
    pub(super) fn memory_bytes(&self) -> usize {
        4 * (self.keys.capacity() + self.targets.capacity() + self.free.capacity())
            + 8 * (self.handles.capacity() + self.priorities.capacity() + self.constant.capacity())
    }
}

/// Makes room for `more` items. By an eighth at a time: large tables should not take twice what
/// they need.
pub(super) fn grow<T>(items: &mut Vec<T>, more: usize) {
    if items.capacity() - items.len() < more {
        items.reserve_exact(more.max(items.len() / 8).max(16));
    }
}

fn push<T>(items: &mut Vec<T>, item: T) {
    grow(items, 1);
    items.push(item);
}

/// A prefix in a row of a store for longest prefix match: value, then length.
pub(super) fn prefix(row: &[u32]) -> (&[u32], u32) {
    match row.split_last() {
        Some((&length, value)) => (value, length),
        None => (&[], 0),
    }
}

/// Whether the prefix in `row` holds the first `length` bits of `value`, too.
pub(super) fn covers(row: &[u32], value: &[u32], length: u32) -> bool {
    let (own, own_length) = prefix(row);
    own_length <= length && packing::common(own, value, own_length) == own_length
}
