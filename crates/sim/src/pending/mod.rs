//! The queue of future events, ordered by time.

mod wheel;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wheel::Wheel;

/// Picoseconds since the start of the run.
pub type Time = u64;

/// Future events of type `E`. Events with equal times happen in the order of their numbers, which is the order in
/// which they were scheduled, so a run is a function of its inputs alone.
///
/// Most events of a network lie a few packet times ahead and are spread evenly, so they go into a [`Wheel`] of buckets
/// of equal width in time. Events beyond its reach, such as timeouts, go into a heap, and so do those of a crowded
/// bucket. Both are asked for their first event, so the order never depends on where an event waits. Scheduling and
/// taking an event cost the same however many there are, and no more than in a heap if they are spread badly. The
/// width and the number of buckets follow the rate and the number of events.
#[derive(Clone, Debug)]
pub struct Pending<E> {
    wheel: Wheel<E>,
    far: BinaryHeap<Reverse<Entry<E>>>,
    scheduled: u64,
    now: Time,
    /// Events to take until the wheel's widths are reviewed, and when they were reviewed last.
    review_in: u32,
    reviewed: Time,
}

/// An event with its order.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    key: Key,
    event: E,
}

/// Time, and the number of the event among those of one time.
#[derive(Clone, Copy, Debug)]
struct Key {
    time: Time,
    number: u64,
}

impl Key {
    /// After all others.
    const NEVER: Key = Key { time: Time::MAX, number: u64::MAX };

    /// Keys in one word, which is compared without branches.
    #[inline]
    fn word(self) -> u128 {
        u128::from(self.time) << 64 | u128::from(self.number)
    }
}

impl<E> PartialEq for Entry<E> {
    fn eq(&self, other: &Self) -> bool {
        self.key.word() == other.key.word()
    }
}

impl<E> Eq for Entry<E> {}

impl<E> PartialOrd for Entry<E> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> Ord for Entry<E> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.key.word().cmp(&other.key.word())
    }
}

/// The number of an event among events of one time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Number(u64);

/// Events between two reviews of the wheel's widths.
const REVIEW: u32 = 4096;

impl<E: Copy> Default for Pending<E> {
    fn default() -> Self {
        Self {
            wheel: Wheel::default(),
            far: BinaryHeap::new(),
            scheduled: 0,
            now: 0,
            review_in: REVIEW,
            reviewed: 0,
        }
    }
}

impl<E: Copy> Pending<E> {
    /// The current time: that of the event that was taken last.
    #[inline]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Number of future events.
    pub fn len(&self) -> usize {
        self.wheel.len() + self.far.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// When the next event is.
    pub fn next_time(&self) -> Option<Time> {
        let near = self.wheel.first().map(|(_, key)| key.time);
        near.into_iter().chain(self.far.peek().map(|Reverse(entry)| entry.key.time)).min()
    }

    /// Reserves the number that an event scheduled now would get, for an event that is scheduled later.
    #[inline]
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
    #[inline]
    pub fn schedule_as(&mut self, time: Time, number: Number, event: E) {
        let key = Key { time: time.max(self.now), number: number.0 };
        let entry = Entry { key, event };
        if !self.wheel.insert(entry) {
            self.far.push(Reverse(entry));
        }
    }

    /// Takes the next event and advances time to it, unless it is after `limit`.
    #[inline]
    pub fn take(&mut self, limit: Time) -> Option<E> {
        let far = self.far.peek().map_or(Key::NEVER, |Reverse(entry)| entry.key);
        let Entry { key, event } = match self.wheel.first() {
            Some((place, near)) if near.word() < far.word() => {
                if near.time > limit {
                    return None;
                }
                self.wheel.take_first(place)
            }
            _ => {
                if far.time > limit {
                    return None;
                }
                self.far.pop()?.0
            }
        };
        self.now = key.time;
        self.wheel.turn_to(key.time);
        self.review_in -= 1;
        if self.review_in == 0 {
            self.review();
        }
        Some(event)
    }

    /// Makes the wheel's buckets as wide as events are apart.
    #[cold]
    fn review(&mut self) {
        let apart = (self.now - self.reviewed) / Time::from(REVIEW);
        (self.review_in, self.reviewed) = (REVIEW, self.now);
        for Entry { key, event } in self.wheel.resize(apart, self.len(), self.now) {
            self.schedule_as(key.time, Number(key.number), event);
        }
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

    /// Bursts at one time, events a few, some thousand and very many bucket widths ahead, and rates that change by
    /// several orders of magnitude: the order is that of a sorted map, wherever an event waits.
    #[test]
    fn order_does_not_depend_on_how_events_are_spread() {
        let mut pending = Pending::default();
        let mut expected = std::collections::BTreeSet::new();
        let (mut was_far, mut widths) = (0, std::collections::BTreeSet::new());
        for step in 0..60_000u64 {
            let draw = threefry(2, step);
            let scale = [20, 1 << 34, 1 << 12][(step / 20_000) as usize];
            let ahead = match draw % 16 {
                0..=2 => 0,
                3 => scale * 100_000,
                _ => (draw >> 8) % scale,
            };
            let count = if draw.is_multiple_of(997) { 100 } else { 1 };
            for _ in 0..count {
                let time = pending.now() + ahead;
                pending.schedule(time, (time, pending.scheduled + 1));
                expected.insert((time, pending.scheduled));
            }
            if step % 20_000 > 300 {
                assert_eq!(pending.take(u64::MAX), expected.pop_first());
            }
            was_far = was_far.max(pending.far.len());
            widths.insert(pending.wheel.width());
        }
        while let Some(event) = pending.take(u64::MAX) {
            assert_eq!(Some(event), expected.pop_first());
        }
        assert_eq!((expected.len(), pending.len()), (0, 0));
        assert!(was_far > 100 && widths.len() >= 3, "{was_far} {widths:?}");
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
