//! Lists of blocks of ids, for ranges that were not declared.
//!
//! Blocks of 64 ids, of 1,024, of 16,384 and so on have a list each. A range is put together from
//! at most 30 blocks of each size (what fills the largest, from at most 16) and at most 126 single
//! ids; the first of their firsts, by rank and then by arrival, is the first of the range.

use super::tree::Forest;
use crate::list::Element;
use std::ops::RangeInclusive;

/// Ids of the smallest block.
const BLOCK: u64 = 64;
/// Blocks that make one of the next size.
const GROWTH: u64 = 16;

/// What a single id has.
#[derive(Clone, Copy, Debug)]
struct Single {
    rank: u64,
    eligible: u64,
    /// Number of the arrival; [`ABSENT`] if there is none.
    arrival: u64,
}

const ABSENT: u64 = u64::MAX;

/// The lists.
#[derive(Clone, Debug)]
pub struct ById {
    singles: Box<[Single]>,
    /// Smallest blocks first.
    sizes: Vec<(u64, Forest)>,
    arrivals: u64,
}

/// A part of a range.
enum Part {
    Single(u32),
    Block { size: usize, tree: usize },
}

impl ById {
    /// Nobody yet; ids below `ids`.
    pub fn new(ids: u32) -> Self {
        let mut sizes = Vec::new();
        let mut size = BLOCK;
        while size < u64::from(ids) {
            let blocks = u64::from(ids).div_ceil(size) as usize;
            sizes.push((size, Forest::new(blocks, ids)));
            size *= GROWTH;
        }
        let nobody = Single { rank: 0, eligible: 0, arrival: ABSENT };
        Self { singles: vec![nobody; ids as usize].into(), sizes, arrivals: 0 }
    }

    /// The element has come; later ones of the same rank are behind it.
    pub fn insert(&mut self, element: Element) {
        let Element { id, rank, eligible } = element;
        self.singles[id as usize] = Single { rank, eligible, arrival: self.arrivals };
        self.arrivals += 1;
        for (size, forest) in &mut self.sizes {
            forest.enqueue((u64::from(id) / *size) as usize, element);
        }
    }

    /// The element has left.
    pub fn remove(&mut self, id: u32) {
        self.singles[id as usize].arrival = ABSENT;
        for (size, forest) in &mut self.sizes {
            forest.dequeue_id((u64::from(id) / *size) as usize, id);
        }
    }

    /// Calls `visit` for the parts that make up the range.
    fn parts(&self, ids: RangeInclusive<u32>, mut visit: impl FnMut(Part)) {
        let end = (u64::from(*ids.end()) + 1).min(self.singles.len() as u64);
        let mut at = u64::from(*ids.start());
        while at < end {
            // The largest block that begins here and is inside.
            let fits = |&(size, _): &(u64, Forest)| at.is_multiple_of(size) && at + size <= end;
            let Some(size) = self.sizes.iter().take_while(|size| fits(size)).count().checked_sub(1)
            else {
                visit(Part::Single(at as u32));
                at += 1;
                continue;
            };
            let width = self.sizes[size].0;
            visit(Part::Block { size, tree: (at / width) as usize });
            at += width;
        }
    }

    /// The id of the first element of the range that is eligible.
    pub fn first(&self, now: u64, ids: RangeInclusive<u32>) -> Option<u32> {
        let mut first: Option<(u64, u64, u32)> = None;
        self.parts(ids, |part| {
            let id = match part {
                Part::Single(id) => id,
                Part::Block { size, tree } => match self.sizes[size].1.peek(tree, now) {
                    Some(element) => element.id,
                    None => return,
                },
            };
            let single = self.singles[id as usize];
            let key = (single.rank, single.arrival, id);
            let better = first.is_none_or(|first| key < first);
            if single.arrival != ABSENT && single.eligible <= now && better {
                first = Some(key);
            }
        });
        first.map(|(_, _, id)| id)
    }

    /// The least eligible time in the range.
    pub fn least(&self, ids: RangeInclusive<u32>) -> Option<u64> {
        let mut least = None;
        self.parts(ids, |part| {
            let time = match part {
                Part::Single(id) => {
                    let single = self.singles[id as usize];
                    (single.arrival != ABSENT).then_some(single.eligible)
                }
                Part::Block { size, tree } => self.sizes[size].1.least(tree),
            };
            least = match (least, time) {
                (Some(a), Some(b)) => Some(std::cmp::min::<u64>(a, b)),
                (a, b) => a.or(b),
            };
        });
        least
    }
}
