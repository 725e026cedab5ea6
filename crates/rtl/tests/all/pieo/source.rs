//! Random operations for ordered lists, in phases that reach what random numbers alone would not: full and empty
//! lists, equal ranks, ranks and times at the ends of their widths, and elements next to each other.

use crate::two_level::equality::Random;
use std::collections::VecDeque;
use ww_blocks::facts::pieo::{DEQUEUE, DEQUEUE_ID, DEQUEUE_RANGE, ENQUEUE};
use ww_sched::list::reference::ReferenceList;
use ww_sched::list::{Element, Limits, OrderedList};

/// An operation as it stands at the ports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Operation {
    pub code: u64,
    pub id: u64,
    pub rank: u64,
    pub time: u64,
    pub now: u64,
    pub lo: u64,
    pub hi: u64,
}

/// Which operations.
#[derive(Clone, Copy, Debug, Default)]
pub struct Mix {
    /// Clocks without an operation, percent.
    pub gaps: u64,
    /// Dequeues in a range of ids among those that are not by id, percent.
    pub ranges: u64,
    /// Half of the ranges are those of a parent with so many ids; 0: no parents.
    pub parent: u64,
    /// Instead of everything at random, what a scheduler does: it fills the list to so many elements, then dequeues
    /// and enqueues in turn; flows come back with a later rank, the clock goes on. 0: no such thing.
    pub orderly: u64,
    /// The block ignores times, as a PIFO does.
    pub everything_eligible: bool,
}

/// Operations in phases: each has a number of elements to go to, a kind of ranks and one of times.
pub struct Source {
    random: Random,
    mix: Mix,
    capacity: u64,
    rank_max: u64,
    time_max: u64,
    /// The largest id that the ports can have.
    id_max: u64,
    goal: u64,
    /// Operations to the end of the phase.
    left: u64,
    drift: u64,
    clock: u64,
    filled: u64,
    enqueues: bool,
    /// Flows that have left and may come back.
    resting: VecDeque<u64>,
    rank_kind: u64,
    time_kind: u64,
    now_kind: u64,
    /// Ids that make no sense, percent.
    odd: u64,
    by_id: u64,
}

impl Source {
    pub fn new(seed: u64, mix: Mix, limits: Limits) -> Self {
        let capacity = u64::from(limits.capacity);
        Self {
            random: Random(seed),
            mix,
            capacity,
            rank_max: limits.max_rank(),
            time_max: limits.max_time(),
            id_max: capacity.next_power_of_two() - 1,
            goal: 0,
            left: 0,
            drift: 0,
            clock: 0,
            filled: 0,
            enqueues: true,
            resting: VecDeque::new(),
            rank_kind: 0,
            time_kind: 0,
            now_kind: 0,
            odd: 0,
            by_id: 0,
        }
    }

    fn below(&mut self, bound: u64) -> u64 {
        if bound == 0 { 0 } else { self.random.below(bound) }
    }

    /// The next operation on a list that is like this.
    pub fn next(&mut self, list: &ReferenceList) -> Operation {
        if self.mix.orderly != 0 { self.orderly() } else { self.anything(list) }
    }

    /// A flow has left.
    pub fn left(&mut self, id: u64) {
        self.resting.push_back(id);
    }

    /// The clock goes on by half an operation's step; flows come back for a time and a rank in the next rounds, so an
    /// eighth of them waits. At the end of their widths ranks and times stay.
    fn orderly(&mut self) -> Operation {
        let elements = self.mix.orderly;
        if self.filled < elements {
            let id = self.filled;
            self.filled += 1;
            let rank = self.below(elements).min(self.rank_max);
            return Operation { code: ENQUEUE, id, rank, ..Operation::default() };
        }
        self.enqueues = !self.enqueues;
        self.clock = (self.clock + self.below(2)).min(self.time_max);
        let now = self.clock;
        match self.resting.front().copied().filter(|_| self.enqueues) {
            None => Operation { code: DEQUEUE, now, ..Operation::default() },
            Some(id) => {
                self.resting.pop_front();
                let rank = (self.clock + self.below(elements)).min(self.rank_max);
                let time = (self.clock + self.below(elements / 4)).min(self.time_max);
                Operation { code: ENQUEUE, id, rank, time, now, ..Operation::default() }
            }
        }
    }

    fn anything(&mut self, list: &ReferenceList) -> Operation {
        if self.left == 0 {
            self.phase();
        }
        self.left -= 1;
        let kind = self.below(100);
        let grows = kind
            < match (list.len() as u64).cmp(&self.goal) {
                std::cmp::Ordering::Less => 75,
                std::cmp::Ordering::Equal => 50,
                std::cmp::Ordering::Greater => 25,
            };
        let id = match self.below(100) < self.odd {
            true => self.below(self.id_max + 1),
            false => self.some_id(grows, list),
        };
        let rank = self.value(self.rank_kind, self.rank_max, list, |element| element.rank);
        let time = match self.time_kind {
            // Times do not drift.
            2 => 0,
            kind => self.value(kind, self.time_max, list, |element| element.eligible),
        };
        let now = self.now(list);
        let (mut lo, mut hi) = (self.below(self.id_max + 1), self.below(self.id_max + 1));
        if self.below(4) == 0 {
            lo = hi;
        }
        if lo > hi && self.below(8) != 0 {
            (lo, hi) = (hi, lo);
        }
        if self.mix.parent != 0 && self.below(2) == 1 {
            lo -= lo % self.mix.parent;
            hi = lo + self.mix.parent - 1;
        }
        let code = if grows {
            ENQUEUE
        } else if self.below(100) < self.mix.ranges {
            DEQUEUE_RANGE
        } else if self.below(100) < self.by_id {
            DEQUEUE_ID
        } else {
            DEQUEUE
        };
        Operation { code, id, rank, time, now, lo, hi }
    }

    fn phase(&mut self) {
        let capacity = self.capacity;
        let goals = [0, 1, capacity / 4, capacity / 2, capacity - 1, capacity, capacity * 2];
        self.goal = goals[self.below(7) as usize];
        self.left = 1 + self.below(if capacity < 200 { 8 * capacity } else { 4 * capacity });
        self.rank_kind = self.below(6);
        self.time_kind = self.below(6);
        self.now_kind = self.below(6);
        self.odd = self.below(3) * 5;
        self.by_id = [0, 30, 30, 100][self.below(4) as usize];
    }

    /// A rank or a time.
    fn value(
        &mut self,
        kind: u64,
        max: u64,
        list: &ReferenceList,
        of: impl Fn(&Element) -> u64,
    ) -> u64 {
        match kind {
            0 => [0, max][self.below(2) as usize],
            1 => (max / 2 + self.below(3)).min(max),
            2 => {
                self.drift += 1;
                (self.drift - 1) & max
            }
            // Of an element that is there.
            3 => self.some(list).map_or(max, |element| of(&element)),
            _ => self.below(max + 1),
        }
    }

    fn some(&mut self, list: &ReferenceList) -> Option<Element> {
        let place = self.below(list.len() as u64) as usize;
        list.elements().get(place).copied()
    }

    fn now(&mut self, list: &ReferenceList) -> u64 {
        match self.now_kind {
            0 => self.time_max,
            1 => match self.below(3) {
                0 => 0,
                _ => (self.time_max / 2 + self.below(4)).saturating_sub(1).min(self.time_max),
            },
            // Forward, slowly, with a step back at times.
            2 => {
                let back = self.below(64) == 0;
                self.clock = match back {
                    true => self.below(self.time_max),
                    false => self.clock + self.below(self.time_max / 64 + 2),
                };
                self.clock & self.time_max
            }
            3 => self.some(list).map_or(0, |element| element.eligible),
            _ => self.below(self.time_max + 1),
        }
    }

    /// An id that makes sense: not in the list for an enqueue, in it for a dequeue.
    fn some_id(&mut self, absent: bool, list: &ReferenceList) -> u64 {
        if !absent && let Some(element) = self.some(list) {
            return element.id.into();
        }
        for _ in 0..20 {
            let id = self.below(self.capacity);
            if list.contains(id as u32) != absent {
                return id;
            }
        }
        // Long lists would never be full otherwise.
        let first = self.below(self.capacity);
        let all = (0..self.capacity).map(|n| (first + n) % self.capacity);
        let mut fitting = all.filter(|id| list.contains(*id as u32) != absent);
        fitting.next().unwrap_or(first)
    }
}
