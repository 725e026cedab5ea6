//! PIFO (push in, first out), for comparison: always the smallest rank, eligible or not.

use super::{Element, Limits, OrderedList, Refusal};
use std::collections::{BTreeMap, HashMap};
use std::ops::RangeInclusive;

/// A list that knows order but not time: eligibility is stored and handed back, never looked at. So
/// `now` has no effect, `dequeue` returns the head of the list, and `dequeue_range` the first whose id
/// is in the range.
#[derive(Clone, Debug)]
pub struct PifoList {
    limits: Limits,
    /// By rank, then by arrival.
    order: BTreeMap<(u64, u64), Element>,
    places: HashMap<u32, (u64, u64)>,
    arrivals: u64,
}

impl PifoList {
    /// An empty list.
    pub fn new(limits: Limits) -> Self {
        Self { limits, order: BTreeMap::new(), places: HashMap::new(), arrivals: 0 }
    }

    fn remove(&mut self, place: (u64, u64)) -> Option<Element> {
        let element = self.order.remove(&place)?;
        self.places.remove(&element.id);
        Some(element)
    }
}

impl OrderedList for PifoList {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn len(&self) -> usize {
        self.order.len()
    }

    fn contains(&self, id: u32) -> bool {
        self.places.contains_key(&id)
    }

    fn enqueue(&mut self, element: Element) -> Result<(), Refusal> {
        self.limits.admit(&element, self.contains(element.id), self.len())?;
        let place = (element.rank, self.arrivals);
        self.arrivals += 1;
        self.order.insert(place, element);
        self.places.insert(element.id, place);
        Ok(())
    }

    fn dequeue(&mut self, _now: u64) -> Option<Element> {
        let place = *self.order.first_key_value()?.0;
        self.remove(place)
    }

    fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        let place = *self.places.get(&id)?;
        self.remove(place)
    }

    fn dequeue_range(&mut self, _now: u64, ids: RangeInclusive<u32>) -> Option<Element> {
        let place = *self.order.iter().find(|(_, e)| ids.contains(&e.id))?.0;
        self.remove(place)
    }

    fn least_eligible(&self) -> Option<u64> {
        self.order.values().map(|e| e.eligible).min()
    }

    fn least_eligible_in(&mut self, ids: RangeInclusive<u32>) -> Option<u64> {
        self.order.values().filter(|e| ids.contains(&e.id)).map(|e| e.eligible).min()
    }
}
