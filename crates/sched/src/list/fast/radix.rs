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

const KIND: u32 = 3 << 30;
const FEW: u32 = 1 << 30;
const MANY: u32 = 2 << 30;

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
    minima: Minima,
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

    /// Joins the queue of a rank that has one.
    fn join(&mut self, rank: usize, id: u32, time: Time) {
        let queue = self.queues[rank].0;
        let index = (queue & !KIND) as usize;
        match queue & KIND {
            FEW => {
                let few = &mut self.few[index];
                if !few.is_full() {
                    few.push(id, time);
                    return;
                }
                let members = few.members();
                let many = self.unused_many.pop().unwrap_or_else(|| {
                    self.many.push(Log::new());
                    self.many.len() as u32 - 1
                });
                let log = &mut self.many[many as usize];
                for (id, time) in members.chain([(id, time)]) {
                    log.push(id, time, &mut self.places);
                }
                self.few[index].clear();
                self.unused_few.push(index as u32);
                self.queues[rank] = Queue(MANY | many);
            }
            MANY => self.many[index].push(id, time, &mut self.places),
            _ => {
                let few = self.unused_few.pop().unwrap_or_else(|| {
                    self.few.push(Few::new());
                    self.few.len() as u32 - 1
                });
                let two = &mut self.few[few as usize];
                two.push(queue, self.minima.time(rank));
                two.push(id, time);
                self.queues[rank] = Queue(FEW | few);
            }
        }
    }

    /// Takes out the first element that is eligible.
    #[inline]
    pub fn dequeue(&mut self, now: u64) -> Option<Element> {
        let now = sortable(now.min(u64::from(u16::MAX)));
        let rank = self.minima.first(now)?;
        let queue = self.queues[rank].0;
        let index = (queue & !KIND) as usize;
        Some(match queue & KIND {
            FEW => {
                let place = self.few[index].first(now)?;
                self.leave_few(rank, index, place)
            }
            MANY => {
                let slot = self.many[index].first(now)?;
                self.leave_many(rank, index, slot)
            }
            _ => self.leave_alone(rank, queue),
        })
    }

    /// Takes out this element.
    pub fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        let place = *self.places.get(id as usize)?;
        if place.rank == Place::ABSENT {
            return None;
        }
        let rank = place.rank as usize;
        let queue = self.queues[rank].0;
        let index = (queue & !KIND) as usize;
        Some(match queue & KIND {
            FEW => {
                let place = self.few[index].find(id)?;
                self.leave_few(rank, index, place)
            }
            MANY => self.leave_many(rank, index, place.slot as usize),
            _ => self.leave_alone(rank, id),
        })
    }

    /// All elements in order.
    pub fn elements(&self) -> Vec<Element> {
        let mut elements = Vec::new();
        for rank in (0..self.queues.len()).filter(|&rank| self.minima.is_present(rank)) {
            let queue = self.queues[rank].0;
            let index = (queue & !KIND) as usize;
            let mut add = |(id, time)| {
                elements.push(Element { id, rank: rank as u64, eligible: plain(time) });
            };
            match queue & KIND {
                FEW => self.few[index].members().for_each(add),
                MANY => self.many[index].members().for_each(add),
                _ => add((queue, self.minima.time(rank))),
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
    fn leave_few(&mut self, rank: usize, index: usize, place: usize) -> Element {
        let few = &mut self.few[index];
        let (id, time) = few.remove(place);
        if few.len() == 1 {
            let (last, its_time) = few.member(0);
            few.clear();
            self.unused_few.push(index as u32);
            self.queues[rank] = Queue(last);
            self.minima.raise(rank, Some(its_time));
        } else if time == self.minima.time(rank) {
            let least = few.least();
            self.minima.raise(rank, Some(least));
        }
        self.out(id, rank, time)
    }

    fn leave_many(&mut self, rank: usize, index: usize, slot: usize) -> Element {
        let log = &mut self.many[index];
        let (id, time) = log.remove(slot, &mut self.places);
        // Not as soon as a few would do, so that one element more or less does not move all.
        if log.len() <= CROWD / 2 {
            let few = self.unused_few.pop().unwrap_or_else(|| {
                self.few.push(Few::new());
                self.few.len() as u32 - 1
            });
            for (id, time) in log.members() {
                self.few[few as usize].push(id, time);
            }
            log.clear();
            self.unused_many.push(index as u32);
            self.queues[rank] = Queue(FEW | few);
            let least = self.few[few as usize].least();
            self.minima.raise(rank, Some(least));
        } else {
            self.minima.raise(rank, log.least());
        }
        self.out(id, rank, time)
    }
}
