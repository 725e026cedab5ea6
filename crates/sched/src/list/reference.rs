//! The reference: a sorted vector, as simple as can be. All other lists are compared with it.

use super::{Element, Limits, OrderedList, Refusal};
use std::ops::RangeInclusive;

/// PIEO by its definition. Every operation takes time in proportion to the number of elements.
#[derive(Clone, Debug)]
pub struct ReferenceList {
    limits: Limits,
    /// Sorted by rank; equal ranks in order of arrival.
    elements: Vec<Element>,
}

impl ReferenceList {
    /// An empty list.
    pub fn new(limits: Limits) -> Self {
        Self { limits, elements: Vec::new() }
    }

    /// All elements in order.
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    fn take(&mut self, wanted: impl Fn(&Element) -> bool) -> Option<Element> {
        let index = self.elements.iter().position(wanted)?;
        Some(self.elements.remove(index))
    }
}

impl OrderedList for ReferenceList {
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
        let behind = self.elements.partition_point(|e| e.rank <= element.rank);
        self.elements.insert(behind, element);
        Ok(())
    }

    fn dequeue(&mut self, now: u64) -> Option<Element> {
        self.take(|e| e.eligible <= now)
    }

    fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        self.take(|e| e.id == id)
    }

    fn dequeue_range(&mut self, now: u64, ids: RangeInclusive<u32>) -> Option<Element> {
        self.take(|e| e.eligible <= now && ids.contains(&e.id))
    }

    fn least_eligible(&self) -> Option<u64> {
        self.elements.iter().map(|e| e.eligible).min()
    }

    fn least_eligible_in(&mut self, ids: RangeInclusive<u32>) -> Option<u64> {
        self.elements.iter().filter(|e| ids.contains(&e.id)).map(|e| e.eligible).min()
    }
}
