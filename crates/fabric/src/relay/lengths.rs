//! How long queues are at the end of each slot, kept by what changes.

/// Samples of the lengths of queues: one for each slot and queue.
#[derive(Debug)]
pub struct Lengths {
    /// By length.
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    /// Queues of that length now.
    queues: u64,
    /// Samples before slot `counted`.
    samples: u64,
    counted: u64,
}

impl Entry {
    /// Counts the samples of the slots before `slot`, in which nothing has changed.
    fn count(&mut self, slot: u64) {
        self.samples += self.queues * (slot - self.counted);
        self.counted = slot;
    }
}

impl Lengths {
    /// So many empty queues, before the first slot.
    pub fn new(queues: u64) -> Self {
        Self { entries: vec![Entry { queues, ..Entry::default() }] }
    }

    /// In `slot` a queue has changed from one length to another.
    pub fn change(&mut self, slot: u64, from: u32, to: u32) {
        let (from, to) = (from as usize, to as usize);
        if self.entries.len() <= to {
            self.entries.resize(to + 1, Entry::default());
        }
        self.entries[from].count(slot);
        self.entries[from].queues -= 1;
        self.entries[to].count(slot);
        self.entries[to].queues += 1;
    }

    /// The samples of the slots before `slot`, by length.
    pub fn samples(&self, slot: u64) -> Vec<u64> {
        let samples = self.entries.iter().map(|entry| {
            let mut entry = *entry;
            entry.count(slot);
            entry.samples
        });
        samples.collect()
    }
}
