//! The numbers by which clients know entries, members, groups and nodes, and those of the engine.

use std::collections::BTreeMap;

/// Relates the numbers that clients know (outer) to those of the engine (inner). Both are the
/// same until something is restored after a failed transaction or carried over to another
/// program: clients keep their numbers then.
#[derive(Clone, Debug, Default)]
pub(super) struct Handles {
    /// Runs of numbers, ascending on both sides; empty for "all the same".
    runs: Vec<Run>,
    /// From this inner number on, outer numbers are inner ones plus `ahead`.
    behind: u64,
    ahead: u64,
    /// Exceptions, from outer to inner and back.
    moved: BTreeMap<u64, u64>,
    back: BTreeMap<u64, u64>,
    /// More than every outer number that there has ever been.
    next: u64,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    outer: u64,
    inner: u64,
    length: u64,
}

impl Handles {
    /// For objects of which there are `count` already, numbered from 0.
    pub fn starting_with(count: u64) -> Self {
        Self { next: count, ..Self::default() }
    }

    /// For objects that are numbered from 0 inside, in the order of `outer`; `next` is more than
    /// every outer number.
    pub fn carried(outer: impl IntoIterator<Item = u64>, next: u64) -> Self {
        let pairs: Vec<(u64, u64)> = (0..).zip(outer).collect();
        Self::paired(&pairs, next)
    }

    /// For objects known by both numbers: pairs of inner and outer ones, ascending inside. `next`
    /// is more than every outer number.
    pub fn paired(pairs: &[(u64, u64)], next: u64) -> Self {
        let mut map = Self { next, ..Self::default() };
        let mut last = None;
        for &(inner, outer) in pairs {
            match map.runs.last_mut() {
                Some(run) if run.outer + run.length == outer && run.inner + run.length == inner => {
                    run.length += 1;
                }
                _ if last.is_some_and(|last| last > outer) => {
                    map.moved.insert(outer, inner);
                    map.back.insert(inner, outer);
                }
                _ => map.runs.push(Run { outer, inner, length: 1 }),
            }
            last = last.max(Some(outer));
        }
        map.behind = pairs.last().map_or(0, |(inner, _)| inner + 1);
        map.next = map.next.max(last.map_or(0, |last| last + 1)).max(map.behind);
        map.ahead = map.next - map.behind;
        map
    }

    /// More than every outer number so far.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Whether the two sides may stand in different orders.
    pub fn is_shuffled(&self) -> bool {
        !self.moved.is_empty()
    }

    /// The engine's number.
    pub fn inner(&self, outer: u64) -> Option<u64> {
        if let Some(inner) = self.moved.get(&outer) {
            return Some(*inner);
        }
        let run = self.runs.partition_point(|run| run.outer <= outer).checked_sub(1);
        let inner = match run.map(|n| self.runs[n]) {
            Some(run) if outer - run.outer < run.length => run.inner + (outer - run.outer),
            _ => {
                let inner = outer.checked_sub(self.ahead)?;
                (inner >= self.behind).then_some(inner)?
            }
        };
        (!self.back.contains_key(&inner)).then_some(inner)
    }

    /// The client's number.
    pub fn outer(&self, inner: u64) -> u64 {
        if let Some(outer) = self.back.get(&inner) {
            return *outer;
        }
        let run = self.runs.partition_point(|run| run.inner <= inner).checked_sub(1);
        match run.map(|n| self.runs[n]) {
            Some(run) if inner - run.inner < run.length => run.outer + (inner - run.inner),
            _ => inner.saturating_add(self.ahead),
        }
    }

    /// Something new has the engine's number `inner`; this is the client's.
    pub fn created(&mut self, inner: u64) -> u64 {
        let outer = self.outer(inner);
        self.next = self.next.max(outer.saturating_add(1));
        outer
    }

    /// What clients know as `outer` has another number inside from now on.
    pub fn moved_to(&mut self, outer: u64, inner: u64) {
        if let Some(old) = self.moved.insert(outer, inner) {
            self.back.remove(&old);
        }
        self.back.insert(inner, outer);
        self.next = self.next.max(outer.saturating_add(1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_until_something_moves() {
        let mut map = Handles::starting_with(3);
        assert_eq!((map.inner(7), map.outer(7), map.next()), (Some(7), 7, 3));
        assert_eq!(map.created(3), 3);
        // Entry 1 is restored as the engine's 4.
        map.moved_to(1, 4);
        assert_eq!((map.inner(1), map.outer(4)), (Some(4), 1));
        assert_eq!(map.inner(4), None, "4 is the number inside of another one");
        assert_eq!(map.created(5), 5);
        map.moved_to(1, 6);
        assert_eq!((map.inner(1), map.outer(6)), (Some(6), 1));
    }

    #[test]
    fn carried_over() {
        // Entries 0, 1, 5, 6, 9 were there, the next would have been 12.
        let mut map = Handles::carried([0, 1, 5, 6, 9], 12);
        for (inner, outer) in [0, 1, 5, 6, 9].into_iter().enumerate() {
            assert_eq!((map.inner(outer), map.outer(inner as u64)), (Some(inner as u64), outer));
        }
        for missing in [2, 4, 7, 8, 10, 11] {
            assert_eq!(map.inner(missing), None, "{missing}");
        }
        assert_eq!((map.created(5), map.created(6)), (12, 13));
        assert_eq!((map.inner(12), map.inner(13)), (Some(5), Some(6)));
        let shuffled = Handles::carried([7, 8, 2, 3], 9);
        for (inner, outer) in [7, 8, 2, 3].into_iter().enumerate() {
            assert_eq!(shuffled.inner(outer), Some(inner as u64), "{outer}");
            assert_eq!(shuffled.outer(inner as u64), outer);
        }
        assert_eq!(shuffled.outer(4), 9);
    }
}
