//! The subflows of a link: which may send, and from when on.

use std::collections::{BTreeMap, BTreeSet};

/// A subflow that is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subflow {
    /// Its next cell may leave in that epoch of the link or later.
    Waits(u64),
    /// It queues or has to be answered.
    Busy,
}

/// Those of one link, by destination; one that is not here has never been used.
#[derive(Clone, Debug, Default)]
pub struct Subflows {
    states: BTreeMap<u16, Subflow>,
    /// (E, destination)
    waiting: BTreeSet<(u64, u16)>,
}

impl Subflows {
    /// A subflow's next cell may go from an epoch on.
    pub fn wait(&mut self, to: u16, epoch: u64) {
        if let Some(Subflow::Waits(old)) = self.states.insert(to, Subflow::Waits(epoch)) {
            self.waiting.remove(&(old, to));
        }
        self.waiting.insert((epoch, to));
    }

    /// A pair becomes active: step A.
    pub fn activate(&mut self, to: u16, epoch: u64) {
        match self.states.get(&to) {
            None => self.wait(to, epoch),
            Some(&Subflow::Waits(old)) => self.wait(to, old.max(epoch)),
            Some(Subflow::Busy) => {}
        }
    }

    /// Another schedule begins: all that wait may go at once.
    pub fn release(&mut self) {
        for (_, to) in self.waiting.clone() {
            self.wait(to, 0);
        }
    }

    /// The subflow is queued.
    pub fn queue(&mut self, to: u16) {
        if let Some(Subflow::Waits(old)) = self.states.insert(to, Subflow::Busy) {
            self.waiting.remove(&(old, to));
        }
    }

    /// The subflow is as if it had never been used.
    pub fn forget(&mut self, to: u16) {
        if let Some(Subflow::Waits(old)) = self.states.remove(&to) {
            self.waiting.remove(&(old, to));
        }
    }

    /// The first waiting subflow of those that are active. Others whose epoch has come are forgotten.
    pub fn first_waiting(
        &mut self,
        now: u64,
        is_active: impl Fn(u16) -> bool,
    ) -> Option<(u64, u16)> {
        let first = self.waiting.iter().copied().find(|&(_, to)| is_active(to));
        let end = first.map_or((now + 1, 0), |first| first.min((now + 1, 0)));
        let old: Vec<_> = self.waiting.range(..end).copied().collect();
        old.into_iter().for_each(|(_, to)| self.forget(to));
        first
    }
}
