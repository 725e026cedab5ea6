//! Events of the near future in buckets of equal width in time (R. Brown: Calendar queues. CACM 31(10), 1988).

use super::{Entry, Key, Time};

/// No slot: the end of a list.
const NONE: u32 = u32::MAX;

/// Logarithms of the least and the greatest number of buckets.
const BUCKETS: (u32, u32) = (8, 16);

/// Buckets for each pending event, so that few events lie beyond the wheel's reach.
const BUCKETS_AN_EVENT: usize = 16;

/// Events of one bucket that an insertion passes at most.
const CROWDED: usize = 32;

/// Buckets, each a list of events in their order. Bucket `b` has the events from `b << shift` up to the next bucket's.
#[derive(Clone, Debug)]
pub(super) struct Wheel<E> {
    /// Of each bucket in reach its first slot. Bucket `b` is at `b` modulo their number, a power of two.
    heads: Vec<u32>,
    /// A bit for each bucket that has events.
    occupied: Vec<u64>,
    slots: Vec<Slot<E>>,
    /// First of the slots that are free.
    free: u32,
    len: usize,
    /// Logarithm of a bucket's width, ps.
    shift: u32,
    /// The bucket of the current time, the first one in reach.
    at: u64,
}

#[derive(Clone, Copy, Debug)]
struct Slot<E> {
    entry: Entry<E>,
    next: u32,
}

impl<E: Copy> Default for Wheel<E> {
    fn default() -> Self {
        let (heads, occupied, slots) = (Vec::new(), Vec::new(), Vec::new());
        let mut wheel = Self { heads, occupied, slots, free: NONE, len: 0, shift: 16, at: 0 };
        wheel.set_buckets(BUCKETS.0);
        wheel
    }
}

impl<E: Copy> Wheel<E> {
    /// So many empty buckets (a logarithm).
    fn set_buckets(&mut self, log: u32) {
        self.heads.clear();
        self.heads.resize(1 << log, NONE);
        self.occupied.clear();
        self.occupied.resize((1 << log) / 64, 0);
    }

    /// Events in it.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Width of a bucket, ps.
    #[cfg(test)]
    pub fn width(&self) -> Time {
        1 << self.shift
    }

    /// Inserts an event that is not in the past. False if its time is beyond reach, or its bucket is crowded.
    #[inline]
    pub fn insert(&mut self, entry: Entry<E>) -> bool {
        let bucket = entry.key.time >> self.shift;
        let last = self.heads.len() as u64 - 1;
        if bucket.wrapping_sub(self.at) > last {
            return false;
        }
        let place = (bucket & last) as usize;
        let first = self.heads[place];
        if let Some(slot) = self.slots.get(first as usize)
            && slot.entry.key.word() < entry.key.word()
        {
            return self.insert_behind(first, entry);
        }
        self.heads[place] = self.slot(entry, first);
        self.occupied[place / 64] |= 1 << (place % 64);
        true
    }

    /// Inserts an event into a list, somewhere behind this slot. False if the list is crowded.
    fn insert_behind(&mut self, mut before: u32, entry: Entry<E>) -> bool {
        for _ in 0..CROWDED {
            let next = self.slots[before as usize].next;
            match self.slots.get(next as usize) {
                Some(slot) if slot.entry.key.word() < entry.key.word() => before = next,
                _ => {
                    self.slots[before as usize].next = self.slot(entry, next);
                    return true;
                }
            }
        }
        false
    }

    /// A slot with an event and what follows it.
    #[inline]
    fn slot(&mut self, entry: Entry<E>, next: u32) -> u32 {
        self.len += 1;
        let place = self.free;
        if let Some(slot) = self.slots.get_mut(place as usize) {
            self.free = slot.next;
            *slot = Slot { entry, next };
            return place;
        }
        self.slots.push(Slot { entry, next });
        self.slots.len() as u32 - 1
    }

    /// The first event: the place of its bucket, and its key.
    #[inline]
    pub fn first(&self) -> Option<(usize, Key)> {
        if self.len == 0 {
            return None;
        }
        let place = self.next_occupied(self.at as usize & (self.heads.len() - 1));
        Some((place, self.slots[self.heads[place] as usize].entry.key))
    }

    /// Takes the first event of the bucket at this place, which has one.
    #[inline]
    pub fn take_first(&mut self, place: usize) -> Entry<E> {
        let first = self.heads[place];
        let slot = &mut self.slots[first as usize];
        let (entry, next) = (slot.entry, slot.next);
        slot.next = self.free;
        self.free = first;
        self.heads[place] = next;
        self.occupied[place / 64] ^= u64::from(next == NONE) << (place % 64);
        self.len -= 1;
        entry
    }

    /// Advances to this time; no event is before it.
    #[inline]
    pub fn turn_to(&mut self, time: Time) {
        self.at = time >> self.shift;
    }

    /// The place of the first bucket with events from this one on, around the wheel. There is one.
    #[inline]
    fn next_occupied(&self, from: usize) -> usize {
        let last = self.occupied.len() - 1;
        let mut word = from / 64;
        let mut bits = self.occupied[word] & (u64::MAX << (from % 64));
        while bits == 0 {
            word = (word + 1) & last;
            bits = self.occupied[word];
        }
        word * 64 + bits.trailing_zeros() as usize
    }

    /// Adapts to events that are `apart` picoseconds on average, when `pending` of them are to come. Returns what is
    /// to be inserted again: all that was in it, or nothing if the wheel stays as it is.
    pub fn resize(&mut self, apart: Time, pending: usize, now: Time) -> Vec<Entry<E>> {
        // The power of two below the distance of events: most buckets that have any have one.
        let shift = apart.max(1).ilog2().min(48);
        let buckets = (pending * BUCKETS_AN_EVENT).next_power_of_two().trailing_zeros();
        let buckets = buckets.clamp(BUCKETS.0, BUCKETS.1);
        let present = self.heads.len().trailing_zeros();
        if shift.abs_diff(self.shift) < 2 && buckets.abs_diff(present) < 2 {
            return Vec::new();
        }
        let mut all = Vec::with_capacity(self.len);
        while let Some((place, _)) = self.first() {
            all.push(self.take_first(place));
        }
        self.shift = shift;
        self.set_buckets(buckets);
        self.turn_to(now);
        all
    }
}
