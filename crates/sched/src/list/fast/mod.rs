//! PIEO in software, fast: decisions are those of [`crate::list::reference`].
//!
//! | operation | time, N elements |
//! |---|---|
//! | `enqueue`, `dequeue`, `dequeue_id` | O(log N); with ranks and times of up to 16 bits at most three steps for the rank and log64 N for the place in a queue of equal ranks, amortised |
//! | `dequeue_range`, the range declared as a parent | O(log N), and as much again on every other operation |
//! | `dequeue_range`, any other range | O(log² N): lists of blocks of ids, made at the first such call, which takes O(N log² N); from then on every operation keeps them, O(log² N) |
//! | `least_eligible` | O(1) |
//!
//! Up to 16 bits: [`radix`], a tree over all ranks. More: [`tree`], B+ trees. In both, every node knows
//! the least eligible time below each child, and a search goes down to the first child that has
//! something to offer.

mod by_id;
mod few;
mod lanes;
mod log;
mod minima;
mod parents;
mod radix;
pub(crate) mod tree;

use super::{Element, Limits, OrderedList, Refusal};
use by_id::ById;
use parents::Parents;
use radix::Radix;
use std::ops::RangeInclusive;
use tree::Forest;

/// The list.
#[derive(Clone, Debug)]
pub struct FastList {
    limits: Limits,
    order: Order,
    len: usize,
    parents: Option<Parents>,
    by_id: Option<Box<ById>>,
}

#[derive(Clone, Debug)]
enum Order {
    Radix(Radix),
    Tree(Forest),
}

impl FastList {
    /// An empty list.
    pub fn new(limits: Limits) -> Self {
        let order = match limits.rank_bits <= 16 && limits.time_bits <= 16 {
            true => Order::Radix(Radix::new(limits)),
            false => Order::Tree(Forest::new(1, limits.ids)),
        };
        Self { limits, order, len: 0, parents: None, by_id: None }
    }

    /// An empty list that is quick with ranges: each of `parents`, the ids of the children of one
    /// node of a hierarchy, has a list of its own.
    ///
    /// # Errors
    /// A sentence, if two ranges overlap.
    pub fn with_parents(limits: Limits, parents: Vec<RangeInclusive<u32>>) -> Result<Self, String> {
        let parents = Some(Parents::new(limits.ids, parents)?);
        Ok(Self { parents, ..Self::new(limits) })
    }

    /// Tells the other lists of an element that has left.
    #[inline]
    fn left(&mut self, element: Option<Element>) -> Option<Element> {
        let element = element?;
        self.len -= 1;
        if let Some(parents) = &mut self.parents {
            parents.remove(element.id);
        }
        if let Some(by_id) = &mut self.by_id {
            by_id.remove(element.id);
        }
        Some(element)
    }

    /// All elements in order.
    fn elements(&self) -> Vec<Element> {
        match &self.order {
            Order::Radix(list) => list.elements(),
            Order::Tree(list) => list.elements(0),
        }
    }

    fn by_id(&mut self) -> &mut ById {
        if self.by_id.is_none() {
            let mut by_id = Box::new(ById::new(self.limits.ids));
            for element in self.elements() {
                by_id.insert(element);
            }
            self.by_id = Some(by_id);
        }
        self.by_id.as_mut().expect("just made")
    }
}

impl OrderedList for FastList {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn len(&self) -> usize {
        self.len
    }

    #[inline]
    fn contains(&self, id: u32) -> bool {
        match &self.order {
            Order::Radix(list) => list.contains(id),
            Order::Tree(list) => list.contains(id),
        }
    }

    #[inline]
    fn enqueue(&mut self, element: Element) -> Result<(), Refusal> {
        self.limits.admit(&element, self.contains(element.id), self.len)?;
        self.len += 1;
        match &mut self.order {
            Order::Radix(list) => list.enqueue(element),
            Order::Tree(list) => list.enqueue(0, element),
        }
        if let Some(parents) = &mut self.parents {
            parents.insert(element);
        }
        if let Some(by_id) = &mut self.by_id {
            by_id.insert(element);
        }
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, now: u64) -> Option<Element> {
        let element = match &mut self.order {
            Order::Radix(list) => list.dequeue(now),
            Order::Tree(list) => list.dequeue(0, now),
        };
        self.left(element)
    }

    #[inline]
    fn dequeue_id(&mut self, id: u32) -> Option<Element> {
        let element = match &mut self.order {
            Order::Radix(list) => list.dequeue_id(id),
            Order::Tree(list) => list.dequeue_id(0, id),
        };
        self.left(element)
    }

    fn dequeue_range(&mut self, now: u64, ids: RangeInclusive<u32>) -> Option<Element> {
        if let Some(tree) = self.parents.as_ref().and_then(|p| p.tree(&ids)) {
            let element = self.parents.as_ref()?.peek(tree, now)?;
            return self.dequeue_id(element.id);
        }
        if *ids.start() == 0 && *ids.end() >= self.limits.ids - 1 {
            return self.dequeue(now);
        }
        let first = self.by_id().first(now, ids)?;
        self.dequeue_id(first)
    }

    fn least_eligible(&self) -> Option<u64> {
        match &self.order {
            Order::Radix(list) => list.least(),
            Order::Tree(list) => list.least(0),
        }
    }

    fn least_eligible_in(&mut self, ids: RangeInclusive<u32>) -> Option<u64> {
        if let Some(parents) = &self.parents
            && let Some(tree) = parents.tree(&ids)
        {
            return parents.least(tree);
        }
        self.by_id().least(ids)
    }
}
