//! The queue of future events, ordered by time.

/// Picoseconds since the start of the run.
pub type Time = u64;

/// Future events of type `E`. Events with equal times happen in the order of their numbers, which is the order in
/// which they were scheduled, so a run is a function of its inputs alone.
///
/// A heap in which each entry has four children: half as deep as one with two, and the children of an entry are
/// side by side. Taking an event leaves a hole at the top, which the next event to be scheduled fills: most events
/// schedule one other. Every operation is O(log n), and n stays small if only the first of a sequence of events is
/// here ([`reserve`](Self::reserve)): some hundred events fit in the first-level cache.
#[derive(Clone, Debug)]
pub struct Pending<E> {
    heap: Vec<Entry<E>>,
    /// The first entry has been taken.
    hole: bool,
    scheduled: u64,
    now: Time,
}

#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    /// Time, and below it the number of the event.
    key: u128,
    event: E,
}

/// The number of an event among events of one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number(u64);

const CHILDREN: usize = 4;

impl<E> Default for Pending<E> {
    fn default() -> Self {
        Self { heap: Vec::new(), hole: false, scheduled: 0, now: 0 }
    }
}

impl<E: Copy> Pending<E> {
    /// The current time: that of the event that was taken last.
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of future events.
    pub fn len(&self) -> usize {
        self.heap.len() - usize::from(self.hole)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When the next event is.
    pub fn next_time(&mut self) -> Option<Time> {
        self.close();
        self.heap.first().map(|entry| (entry.key >> 64) as Time)
    }

    /// Reserves the number that an event scheduled now would get, for an event that is scheduled later.
    pub fn reserve(&mut self) -> Number {
        self.scheduled += 1;
        Number(self.scheduled)
    }

    /// Schedules an event; a time in the past means now.
    #[inline]
    pub fn schedule(&mut self, time: Time, event: E) {
        let number = self.reserve();
        self.schedule_as(time, number, event);
    }

    /// Schedules an event under a number from [`reserve`](Self::reserve).
    pub fn schedule_as(&mut self, time: Time, number: Number, event: E) {
        let time = time.max(self.now);
        let entry = Entry { key: u128::from(time) << 64 | u128::from(number.0), event };
        if self.hole {
            self.hole = false;
            return self.sift_down(entry);
        }
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

    /// Takes the next event and advances time to it, unless it is after `limit`.
    #[inline]
    pub fn take(&mut self, limit: Time) -> Option<E> {
        self.close();
        let first = *self.heap.first()?;
        let time = (first.key >> 64) as Time;
        if time > limit {
            return None;
        }
        self.now = time;
        self.hole = true;
        Some(first.event)
    }

    /// Fills the hole with the last entry.
    #[inline]
    fn close(&mut self) {
        if !self.hole {
            return;
        }
        self.hole = false;
        if let Some(last) = self.heap.pop()
            && !self.heap.is_empty()
        {
            self.sift_down(last);
        }
    }

    /// Puts an entry where the first one was, and then where it belongs.
    fn sift_down(&mut self, entry: Entry<E>) {
        let heap = &mut self.heap[..];
        let mut at = 0;
        loop {
            let from = at * CHILDREN + 1;
            // The least child, without unpredictable branches.
            let (least, key) = match heap.get(from..from + CHILDREN) {
                Some([a, b, c, d]) => {
                    let (low, low_key) = if b.key < a.key { (1, b.key) } else { (0, a.key) };
                    let (high, high_key) = if d.key < c.key { (3, d.key) } else { (2, c.key) };
                    if high_key < low_key { (from + high, high_key) } else { (from + low, low_key) }
                }
                _ => {
                    let children = from..heap.len();
                    let Some(least) = children.min_by_key(|child| heap[*child].key) else { break };
                    (least, heap[least].key)
                }
            };
            if key >= entry.key {
                break;
            }
            heap[at] = heap[least];
            at = least;
        }
        heap[at] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use ww_dataplane::random::threefry;

    /// Against a sorted map, with many events of one time, and time that goes on.
    #[test]
    fn events_are_ordered_by_time_then_number() {
        let mut pending = Pending::default();
        let mut expected = BTreeMap::new();
        for number in 0..20_000u64 {
            let draw = threefry(1, number);
            if !draw.is_multiple_of(3) {
                let time = pending.now() + (draw >> 8) % 50;
                match number % 2 {
                    0 => pending.schedule(time, number),
                    _ => {
                        let order = pending.reserve();
                        pending.schedule_as(time, order, number);
                    }
                }
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

    /// An event that was given its number early comes before others of its time.
    #[test]
    fn reserved_numbers_order_equal_times() {
        let mut pending = Pending::default();
        let early = pending.reserve();
        pending.schedule(5, 'b');
        pending.schedule(5, 'c');
        pending.schedule_as(5, early, 'a');
        let taken: Vec<_> = std::iter::from_fn(|| pending.take(5)).collect();
        assert_eq!((taken, pending.len()), (vec!['a', 'b', 'c'], 0));
    }

    #[test]
    fn event_in_the_past_happens_now() {
        let mut pending = Pending::default();
        pending.schedule(10, 'a');
        assert_eq!(pending.take(9), None);
        assert_eq!(pending.take(10), Some('a'));
        pending.schedule(3, 'b');
        assert_eq!((pending.take(u64::MAX), pending.now()), (Some('b'), 10));
        assert!(pending.is_empty());
    }
}
