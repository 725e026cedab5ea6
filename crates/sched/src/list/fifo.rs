//! FIFO (first in, first out), for comparison: arrival is all that counts.

use super::{Element, Limits, OrderedList, Refusal};
use std::collections::VecDeque;
use std::ops::RangeInclusive;

/// A list that knows neither order nor time: rank and eligibility are stored and handed back, never
/// looked at.
#[derive(Clone, Debug)]
pub struct FifoList {
    limits: Limits,
    elements: VecDeque<Element>,
}

impl FifoList {
    /// An empty list.
    pub fn new(limits: Limits) -> Self {
        Self { limits, elements: VecDeque::new() }
    }

    fn take(&mut self, wanted: impl Fn(&Element) -> bool) -> Option<Element> {
        let index = self.elements.iter().position(wanted)?;
        self.elements.remove(index)
    }
}

impl OrderedList for FifoList {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn len(&self) -> usize {
        self.elements.len()
    }

    fn contains(&self, id: u32) -> bool {
        self.elements.iter().any(|e| e.id == id)
    }

    fn enqueue(&mut self, element: Element) -> Result<(), Refusal> {
        self.limits.admit(&element, self.contains(element.id), self.len())?;
        self.elements.push_back(element);
        Ok(())
    }

    fn dequeue(&mut self, _now: u64) -> Option<Element> {
        self.elements.pop_front()
    }

    fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        self.take(|e| e.id == id)
    }

    fn dequeue_range(&mut self, _now: u64, ids: RangeInclusive<u32>) -> Option<Element> {
        self.take(|e| ids.contains(&e.id))
    }

    fn least_eligible(&self) -> Option<u64> {
        self.elements.iter().map(|e| e.eligible).min()
    }

    fn least_eligible_in(&mut self, ids: RangeInclusive<u32>) -> Option<u64> {
        self.elements.iter().filter(|e| ids.contains(&e.id)).map(|e| e.eligible).min()
    }
}
