//! Frames on their way out, in the order of their times.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use ww_dataplane::{Picoseconds, Transmit};

/// Holds frames until they are due; equal times leave in the order they came.
#[derive(Default)]
pub(super) struct Outbox {
    heap: BinaryHeap<Reverse<Entry>>,
    sequence: u64,
    /// Where a dataplane appends to.
    pub fresh: Vec<Transmit>,
}

struct Entry {
    at: Picoseconds,
    sequence: u64,
    transmit: Transmit,
}

impl Entry {
    fn key(&self) -> (Picoseconds, u64) {
        (self.at, self.sequence)
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Entry {}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl Outbox {
    /// Takes in what is in `fresh` and hands over what is due by `now`.
    pub fn release<E>(
        &mut self,
        now: Picoseconds,
        mut send: impl FnMut(Transmit) -> Result<(), E>,
    ) -> Result<(), E> {
        let in_order = self.fresh.is_sorted_by_key(|transmit| transmit.at);
        if self.heap.is_empty() && in_order && self.fresh.last().is_none_or(|t| t.at <= now) {
            // The usual case: all of it is due and nothing waits.
            return self.fresh.drain(..).try_for_each(send);
        }
        for transmit in self.fresh.drain(..) {
            let entry = Entry { at: transmit.at, sequence: self.sequence, transmit };
            self.sequence += 1;
            self.heap.push(Reverse(entry));
        }
        while self.next_due().is_some_and(|at| at <= now) {
            let Some(Reverse(entry)) = self.heap.pop() else { break };
            send(entry.transmit)?;
        }
        Ok(())
    }

    /// Whether nothing is held, nor waits to be taken in.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty() && self.fresh.is_empty()
    }

    /// When the next frame is due.
    pub fn next_due(&self) -> Option<Picoseconds> {
        self.heap.peek().map(|Reverse(entry)| entry.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn released(outbox: &mut Outbox, now: u64) -> Vec<(u64, u8)> {
        let mut out = Vec::new();
        let sent = outbox.release(now, |t| {
            out.push((t.at, t.frame[0]));
            Ok::<(), Infallible>(())
        });
        let Ok(()) = sent;
        out
    }

    #[test]
    fn by_time_then_by_arrival() {
        let mut outbox = Outbox::default();
        for (at, tag) in [(5, 0), (3, 1), (9, 2), (3, 3), (5, 4)] {
            outbox.fresh.push(Transmit { port: 0, at, frame: vec![tag] });
        }
        assert_eq!(released(&mut outbox, 5), [(3, 1), (3, 3), (5, 0), (5, 4)]);
        assert_eq!(outbox.next_due(), Some(9));
        outbox.fresh.push(Transmit { port: 0, at: 6, frame: vec![5] });
        assert_eq!(released(&mut outbox, 6), [(6, 5)]);
        assert_eq!(released(&mut outbox, 8), []);
        assert_eq!(released(&mut outbox, 9), [(9, 2)]);
        assert_eq!(outbox.next_due(), None);
    }
}
