//! Declared ranges of ids: a tree for each.

use super::tree::Forest;
use crate::list::Element;
use std::ops::RangeInclusive;

/// Ranges that do not overlap, in order, with a tree each.
#[derive(Clone, Debug)]
pub struct Parents {
    ranges: Vec<RangeInclusive<u32>>,
    forest: Forest,
}

impl Parents {
    /// No elements yet.
    ///
    /// # Errors
    /// A sentence, if two ranges overlap.
    pub fn new(ids: u32, mut ranges: Vec<RangeInclusive<u32>>) -> Result<Self, String> {
        ranges.retain(|range| !range.is_empty());
        ranges.sort_by_key(|range| *range.start());
        for pair in ranges.windows(2) {
            if pair[0].end() >= pair[1].start() {
                let (a, b) = (&pair[0], &pair[1]);
                return Err(format!(
                    "the ids {} to {} and {} to {} overlap: an element has one parent",
                    a.start(),
                    a.end(),
                    b.start(),
                    b.end()
                ));
            }
        }
        let forest = Forest::new(ranges.len(), ids);
        Ok(Self { ranges, forest })
    }

    /// The tree of exactly this range.
    pub fn tree(&self, ids: &RangeInclusive<u32>) -> Option<usize> {
        let tree = self.owner(*ids.start())?;
        (self.ranges[tree] == *ids).then_some(tree)
    }

    fn owner(&self, id: u32) -> Option<usize> {
        let behind = self.ranges.partition_point(|range| *range.start() <= id);
        let tree = behind.checked_sub(1)?;
        self.ranges[tree].contains(&id).then_some(tree)
    }

    /// The element has come.
    pub fn insert(&mut self, element: Element) {
        if let Some(tree) = self.owner(element.id) {
            self.forest.enqueue(tree, element);
        }
    }

    /// The element has left.
    pub fn remove(&mut self, id: u32) {
        if let Some(tree) = self.owner(id) {
            self.forest.dequeue_id(tree, id);
        }
    }

    /// The first element of a tree that is eligible.
    pub fn peek(&self, tree: usize, now: u64) -> Option<Element> {
        self.forest.peek(tree, now)
    }

    /// The least eligible time of a tree.
    pub fn least(&self, tree: usize) -> Option<u64> {
        self.forest.least(tree)
    }
}
