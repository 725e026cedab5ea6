//! Many elements of one rank, in order of arrival, with the least time of every part.

use super::lanes::Time;
use super::minima::Minima;
use super::radix::Place;

/// Slots in order of arrival: an element takes the next slot and leaves a hole. When no slot is left
/// the elements move together, into twice as many slots as there are elements; likewise when few
/// slots are in use. That is one move for each operation in the long run, and memory in proportion
/// to the elements that are there.
#[derive(Clone, Debug)]
pub struct Log {
    ids: Vec<u32>,
    minima: Minima,
    /// The next slot.
    next: usize,
    len: usize,
}

/// Slots at least.
const LEAST: usize = 64;

impl Log {
    /// Nobody.
    pub fn new() -> Self {
        Self { ids: vec![0; LEAST], minima: Minima::new(LEAST), next: 0, len: 0 }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// The least time.
    pub fn least(&self) -> Option<Time> {
        self.minima.least()
    }

    /// The slot of the first with a time of `now` or less.
    pub fn first(&self, now: Time) -> Option<usize> {
        self.minima.first(now)
    }

    /// The element in a slot.
    pub fn member(&self, slot: usize) -> (u32, Time) {
        (self.ids[slot], self.minima.time(slot))
    }

    /// All, in order of arrival.
    pub fn members(&self) -> impl Iterator<Item = (u32, Time)> {
        let present = |&slot: &usize| self.minima.is_present(slot);
        (0..self.next).filter(present).map(|slot| self.member(slot))
    }

    /// Appends an element and notes its slot in `places`.
    pub fn push(&mut self, id: u32, time: Time, places: &mut [Place]) {
        if self.next == self.ids.len() {
            self.rearrange(places);
        }
        self.ids[self.next] = id;
        self.minima.lower(self.next, time);
        places[id as usize].slot = self.next as u32;
        self.next += 1;
        self.len += 1;
    }

    /// Takes out the element in a slot.
    pub fn remove(&mut self, slot: usize, places: &mut [Place]) -> (u32, Time) {
        let member = self.member(slot);
        self.minima.raise(slot, None);
        self.len -= 1;
        if self.ids.len() > LEAST && self.len * 8 < self.ids.len() {
            self.rearrange(places);
        }
        member
    }

    /// Everybody leaves, and the memory is given back.
    pub fn clear(&mut self) {
        *self = Self::new();
    }

    /// Moves all together, in twice as many slots.
    fn rearrange(&mut self, places: &mut [Place]) {
        let members: Vec<_> = self.members().collect();
        let slots = (2 * members.len()).next_multiple_of(LEAST).max(LEAST);
        self.ids.clear();
        self.ids.resize(slots, 0);
        self.ids.shrink_to(2 * slots);
        self.minima = Minima::new(slots);
        (self.next, self.len) = (0, 0);
        for (id, time) in members {
            self.push(id, time, places);
        }
    }
}
