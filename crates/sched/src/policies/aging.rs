//! Strict priority in which those that wait too long rise (dissertation, section 2.3, S9).

use super::slot;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};
use crate::list::fast::FastList;
use crate::list::{Element, Limits, MAX_ELEMENTS, OrderedList};

/// After `threshold` picoseconds in the list without service, a child's priority improves by one, down
/// to 0; service brings its own priority back. The alarm that finds expired children is a second
/// PIEO: everybody of one rank, eligible when the threshold is over.
#[derive(Debug)]
pub struct Aging {
    threshold: u64,
    children: Vec<State>,
    expiry: FastList,
}

#[derive(Clone, Debug, Default)]
struct State {
    own: u64,
    now: u64,
    /// Since when it waits at this priority.
    since: u64,
}

impl Aging {
    /// `threshold` picoseconds, at least 1.
    pub fn new(threshold: u64) -> Self {
        let limits = Limits { capacity: 1, ids: 1, rank_bits: 64, time_bits: 64 };
        Self { threshold: threshold.max(1), children: Vec::new(), expiry: FastList::new(limits) }
    }

    /// The clock of this child starts at `since`.
    fn watch(&mut self, child: usize, since: u64) {
        self.expiry.dequeue_id(child as u32);
        self.children[child].since = since;
        if self.children[child].now > 0 {
            let eligible = since.saturating_add(self.threshold);
            // There is room: the list has as many places as there are children.
            let _ = self.expiry.enqueue(Element { id: child as u32, rank: 0, eligible });
        }
    }
}

impl Policy for Aging {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        let state = slot(&mut self.children, child);
        (state.own, state.now) = (parameters.priority, parameters.priority);
        let count = self.children.len() as u32;
        if self.expiry.limits().capacity < count {
            let capacity = count.next_power_of_two().min(MAX_ELEMENTS);
            let limits = Limits { capacity, ids: capacity, rank_bits: 64, time_bits: 64 };
            let mut larger = FastList::new(limits);
            while let Some(element) = self.expiry.dequeue(u64::MAX) {
                let _ = larger.enqueue(element);
            }
            self.expiry = larger;
        }
    }

    fn pre_enqueue(&mut self, child: usize, head: &Head, now: u64) -> Stamp {
        if head.fresh {
            self.watch(child, now);
        }
        Stamp::always(self.children[child].now)
    }

    fn post_dequeue(&mut self, child: usize, _sent: &Sent, now: u64) {
        self.children[child].now = self.children[child].own;
        self.watch(child, now);
    }

    fn emptied(&mut self, child: usize) {
        self.children[child].now = self.children[child].own;
        self.expiry.dequeue_id(child as u32);
    }

    fn has_alarms(&self) -> bool {
        true
    }

    fn next_alarm(&self) -> Option<u64> {
        self.expiry.least_eligible()
    }

    fn alarm(&mut self, now: u64) -> Option<usize> {
        self.expiry.dequeue(now).map(|element| element.id as usize)
    }

    fn handle(&mut self, child: usize, _now: u64) {
        let state = &mut self.children[child];
        state.now = state.now.saturating_sub(1);
        // From when the threshold was over, not from when somebody looked.
        let since = state.since.saturating_add(self.threshold);
        self.watch(child, since);
    }
}
