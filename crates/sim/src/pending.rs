//! Events that are to come, in the order of their times.

/// Picoseconds since the start of the run.
pub type Time = u64;

/// Events of type `E` that are to come. Events of one time happen in the order in which they were
/// scheduled, so a run is a function of its inputs alone.
///
/// A heap in which each entry has four children: half as deep as one with two, and the children
/// of an entry share cache lines. Scheduling and taking are O(log n); with some hundred events
/// to come, as a network with a few dozen links has, all of it stays in the first-level cache.
#[derive(Clone, Debug)]
pub struct Pending<E> {
    heap: Vec<Entry<E>>,
    scheduled: u64,
    now: Time,
}

#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    /// Time, and below it the number of the event.
    key: u128,
    event: E,
}

const CHILDREN: usize = 4;

impl<E> Default for Pending<E> {
    fn default() -> Self {
        Self { heap: Vec::new(), scheduled: 0, now: 0 }
    }
}

impl<E: Copy> Pending<E> {
    /// The time of the event that was taken last.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Events that are to come.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is to come.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Events that were ever scheduled.
    pub fn scheduled(&self) -> u64 {
        self.scheduled
    }

    /// When the next event is.
    pub fn next_time(&self) -> Option<Time> {
        self.heap.first().map(|entry| (entry.key >> 64) as Time)
    }

    /// Schedules an event. One for the past happens now.
    pub fn schedule(&mut self, time: Time, event: E) {
        let time = time.max(self.now);
        let entry = Entry { key: u128::from(time) << 64 | u128::from(self.scheduled), event };
        self.scheduled += 1;
        let mut at = self.heap.len();
        self.heap.push(entry);
        while at > 0 {
            let parent = (at - 1) / CHILDREN;
            if self.heap[parent].key <= entry.key {
                break;
            }
            self.heap[at] = self.heap[parent];
            at = parent;
        }
        self.heap[at] = entry;
    }

    /// Takes the next event, if it is not after `limit`; time goes on to it.
    pub fn take(&mut self, limit: Time) -> Option<E> {
        let first = *self.heap.first()?;
        let time = (first.key >> 64) as Time;
        if time > limit {
            return None;
        }
        self.now = time;
        if let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.sift_down(last);
        }
        Some(first.event)
    }

    /// Puts an entry where the first one was, and then where it belongs.
    fn sift_down(&mut self, entry: Entry<E>) {
        let mut at = 0;
        loop {
            let from = at * CHILDREN + 1;
            let children = from..self.heap.len().min(from + CHILDREN);
            let Some(least) = children.min_by_key(|child| self.heap[*child].key) else { break };
            if self.heap[least].key >= entry.key {
                break;
            }
            self.heap[at] = self.heap[least];
            at = least;
        }
        self.heap[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use ww_engine::random::threefry;

    /// Against a sorted map, with many events of one time, and time that goes on.
    #[test]
    fn order_of_times_and_then_of_scheduling() {
        let mut pending = Pending::default();
        let mut expected = BTreeMap::new();
        for number in 0..20_000u64 {
            let draw = threefry(1, number);
            if !draw.is_multiple_of(3) {
                let time = pending.now() + (draw >> 8) % 50;
                pending.schedule(time, number);
                expected.insert((time, number), number);
            } else {
                let first = expected.first_key_value().map(|(key, _)| *key);
                let limit = pending.now() + (draw >> 8) % 30;
                let first = first.filter(|(time, _)| *time <= limit);
                assert_eq!(pending.take(limit), first.map(|(_, number)| number));
                if let Some(key) = first {
                    expected.remove(&key);
                    assert_eq!(pending.now(), key.0);
                }
            }
            assert_eq!(pending.len(), expected.len());
            assert_eq!(pending.next_time(), expected.first_key_value().map(|(key, _)| key.0));
        }
        assert!(pending.len() > 1000, "it was never full");
    }

    #[test]
    fn the_past_is_now() {
        let mut pending = Pending::default();
        pending.schedule(10, 'a');
        assert_eq!(pending.take(9), None);
        assert_eq!(pending.take(10), Some('a'));
        pending.schedule(3, 'b');
        assert_eq!((pending.take(u64::MAX), pending.now()), (Some('b'), 10));
        assert!(pending.is_empty());
    }
}
