//! PIEO for ranks and times of up to 16 bits: a tree over all ranks, and a queue for each rank.

use super::few::{CROWD, Few};
use super::lanes::{Time, plain, sortable};
use super::log::Log;
use super::minima::Minima;
use crate::list::{Element, Limits};

/// What a rank has.
///
/// One element is in the tree itself: its time is the rank's lane, its id is here. A few are in one
/// piece of memory; more are in a [`Log`]. So a list of flows with ranks of their own touches nothing
/// but the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Queue(u32);

/// The kind: one (0), a few, or many.
const KIND: u32 = 3 << 30;
const FEW: u32 = 1 << 30;
const MANY: u32 = 2 << 30;
/// Of a few: how many, less one. 24 bits are left for ids and indices.
const LEN: u32 = 31 << 25;
const ONE_MORE: u32 = 1 << 25;
const _: () = assert!(CROWD == 32 && crate::list::MAX_ELEMENTS <= ONE_MORE);

impl Queue {
    /// The id, or the index of the few or many.
    #[inline]
    fn index(self) -> usize {
        (self.0 & !(KIND | LEN)) as usize
    }

    /// How many there are, if they are a few.
    #[inline]
    fn len(self) -> usize {
        ((self.0 & LEN) >> 25) as usize + 1
    }

    fn few(index: u32, len: usize) -> Self {
        Self(FEW | index | ((len as u32 - 1) << 25))
    }
}

/// Where an element is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its rank, or [`Place::ABSENT`].
    pub rank: u32,
    /// Its slot, if its rank has a [`Log`].
    pub slot: u32,
}

impl Place {
    /// The element is not in the list.
    pub const ABSENT: u32 = u32::MAX;
}

/// The list.
#[derive(Clone, Debug)]
pub struct Radix {
    minima: Minima<3>,
    queues: Box<[Queue]>,
    few: Vec<Few>,
    unused_few: Vec<u32>,
    many: Vec<Log>,
    unused_many: Vec<u32>,
    places: Box<[Place]>,
}

impl Radix {
    /// An empty list; ranks and times of 16 bits at most.
    pub fn new(limits: Limits) -> Self {
        let ranks = 1 << limits.rank_bits;
        let absent = Place { rank: Place::ABSENT, slot: 0 };
        Self {
            minima: Minima::new(ranks),
            queues: vec![Queue(0); ranks].into(),
            few: Vec::new(),
            unused_few: Vec::new(),
            many: Vec::new(),
            unused_many: Vec::new(),
            places: vec![absent; limits.ids as usize].into(),
        }
    }

    /// Whether this one is there.
    #[inline]
    pub fn contains(&self, id: u32) -> bool {
        self.places.get(id as usize).is_some_and(|p| p.rank != Place::ABSENT)
    }

    /// The least time of all elements.
    #[inline]
    pub fn least(&self) -> Option<u64> {
        self.minima.least().map(plain)
    }

    /// Puts in an element that has been admitted.
    #[inline]
    pub fn enqueue(&mut self, element: Element) {
        let rank = element.rank as usize;
        let time = sortable(element.eligible);
        self.places[element.id as usize] = Place { rank: rank as u32, slot: 0 };
        if self.minima.is_present(rank) {
            self.join(rank, element.id, time);
        } else {
            self.queues[rank] = Queue(element.id);
        }
        self.minima.lower(rank, time);
    }

    /// An unused piece of memory for a few.
    fn new_few(&mut self) -> u32 {
        self.unused_few.pop().unwrap_or_else(|| {
            self.few.push(Few::EMPTY);
            self.few.len() as u32 - 1
        })
    }

    fn free_few(&mut self, index: usize) {
        self.few[index] = Few::EMPTY;
        self.unused_few.push(index as u32);
    }

    /// Joins the queue of a rank that has one.
    #[inline]
    fn join(&mut self, rank: usize, id: u32, time: Time) {
        let queue = self.queues[rank];
        let index = queue.index();
        match queue.0 & KIND {
            FEW if queue.len() < CROWD => {
                self.few[index].put(queue.len(), id, time);
                self.queues[rank].0 += ONE_MORE;
            }
            FEW => self.crowd(rank, id, time),
            MANY => self.many[index].push(id, time, &mut self.places),
            _ => {
                let few = self.new_few();
                self.few[few as usize].put(0, index as u32, self.minima.time(rank));
                self.few[few as usize].put(1, id, time);
                self.queues[rank] = Queue::few(few, 2);
            }
        }
    }

    /// One more than a few.
    #[cold]
    fn crowd(&mut self, rank: usize, id: u32, time: Time) {
        let index = self.queues[rank].index();
        let many = self.unused_many.pop().unwrap_or_else(|| {
            self.many.push(Log::new());
            self.many.len() as u32 - 1
        });
        let log = &mut self.many[many as usize];
        for (id, time) in self.few[index].members(CROWD).chain([(id, time)]) {
            log.push(id, time, &mut self.places);
        }
        self.free_few(index);
        self.queues[rank] = Queue(MANY | many);
    }

    /// Takes out the first element that is eligible.
    #[inline]
    pub fn dequeue(&mut self, now: u64) -> Option<Element> {
        let now = sortable(now.min(u64::from(u16::MAX)));
        let rank = self.minima.first(now)?;
        let queue = self.queues[rank];
        let index = queue.index();
        Some(match queue.0 & KIND {
            FEW => {
                let place = self.few[index].first(queue.len(), now)?;
                self.leave_few(rank, queue, place)
            }
            MANY => {
                let slot = self.many[index].first(now)?;
                self.leave_many(rank, index, slot)
            }
            _ => self.leave_alone(rank, index as u32),
        })
    }

    /// Takes out this element.
    pub fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        let place = *self.places.get(id as usize)?;
        if place.rank == Place::ABSENT {
            return None;
        }
        let rank = place.rank as usize;
        let queue = self.queues[rank];
        let index = queue.index();
        Some(match queue.0 & KIND {
            FEW => {
                let place = self.few[index].find(queue.len(), id)?;
                self.leave_few(rank, queue, place)
            }
            MANY => self.leave_many(rank, index, place.slot as usize),
            _ => self.leave_alone(rank, id),
        })
    }

    /// All elements in order.
    pub fn elements(&self) -> Vec<Element> {
        let mut elements = Vec::new();
        for rank in (0..self.queues.len()).filter(|&rank| self.minima.is_present(rank)) {
            let queue = self.queues[rank];
            let index = queue.index();
            let mut add = |(id, time)| {
                elements.push(Element { id, rank: rank as u64, eligible: plain(time) });
            };
            match queue.0 & KIND {
                FEW => self.few[index].members(queue.len()).for_each(add),
                MANY => self.many[index].members().for_each(add),
                _ => add((index as u32, self.minima.time(rank))),
            }
        }
        elements
    }

    #[inline]
    fn out(&mut self, id: u32, rank: usize, time: Time) -> Element {
        self.places[id as usize].rank = Place::ABSENT;
        Element { id, rank: rank as u64, eligible: plain(time) }
    }

    #[inline]
    fn leave_alone(&mut self, rank: usize, id: u32) -> Element {
        let time = self.minima.time(rank);
        self.minima.raise(rank, None);
        self.out(id, rank, time)
    }

    #[inline]
    fn leave_few(&mut self, rank: usize, queue: Queue, place: usize) -> Element {
        let (index, len) = (queue.index(), queue.len());
        let few = &mut self.few[index];
        let (id, time) = few.remove(len, place);
        if len == 2 {
            let (last, its_time) = few.member(0);
            few.put(0, 0, Time::MAX);
            self.unused_few.push(index as u32);
            self.queues[rank] = Queue(last);
            self.minima.raise(rank, Some(its_time));
        } else {
            self.queues[rank].0 -= ONE_MORE;
            let known = self.minima.time(rank);
            if time == known && few.member(0).1 != known {
                let least = few.least();
                self.minima.raise(rank, Some(least));
            }
        }
        self.out(id, rank, time)
    }

    fn leave_many(&mut self, rank: usize, index: usize, slot: usize) -> Element {
        let log = &mut self.many[index];
        let (id, time) = log.remove(slot, &mut self.places);
        // Not as soon as a few would do, so that one element more or less does not move all.
        if log.len() <= CROWD / 2 {
            let members: Vec<_> = log.members().collect();
            log.clear();
            self.unused_many.push(index as u32);
            let few = self.new_few();
            for (place, &(id, time)) in members.iter().enumerate() {
                self.few[few as usize].put(place, id, time);
            }
            self.queues[rank] = Queue::few(few, members.len());
            let least = self.few[few as usize].least();
            self.minima.raise(rank, Some(least));
        } else {
            self.minima.raise(rank, log.least());
        }
        self.out(id, rank, time)
    }
}
