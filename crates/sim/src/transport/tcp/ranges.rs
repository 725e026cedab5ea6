//! Sets of positions as sorted ranges: what a receiver holds out of order, and what a sender knows
//! of it.

/// Positions from `start` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: u64,
    pub(super) end: u64,
}

impl Range {
    fn length(self) -> u64 {
        self.end - self.start
    }
}

/// Ranges in order, with something missing between each two. Nothing is allocated before the first
/// one comes, and memory is kept when they go.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges {
    ranges: Vec<Range>,
    total: u64,
}

impl Ranges {
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Positions in the set.
    #[inline]
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn as_slice(&self) -> &[Range] {
        &self.ranges
    }

    /// Adds positions; how many were not yet in the set. Nothing happens if there are none.
    pub(super) fn insert(&mut self, start: u64, end: u64) -> u64 {
        if start >= end {
            return 0;
        }
        // Mostly what is new touches the last range.
        let first = match self.ranges.last() {
            None => 0,
            Some(last) if last.end < start => self.ranges.len(),
            Some(last) if last.start <= start => self.ranges.len() - 1,
            Some(_) => self.ranges.partition_point(|range| range.end < start),
        };
        let mut merged = Range { start, end };
        let mut known = 0;
        let mut behind = first;
        while let Some(range) = self.ranges.get(behind)
            && range.start <= end
        {
            merged.start = merged.start.min(range.start);
            merged.end = merged.end.max(range.end);
            known += range.length();
            behind += 1;
        }
        match behind - first {
            0 => self.ranges.insert(first, merged),
            _ => {
                self.ranges[first] = merged;
                self.ranges.drain(first + 1..behind);
            }
        }
        let new = merged.length() - known;
        self.total += new;
        new
    }

    /// Forgets everything before `position`.
    pub(super) fn advance(&mut self, position: u64) {
        let gone = self.ranges.partition_point(|range| range.end <= position);
        self.total -= self.ranges.drain(..gone).map(Range::length).sum::<u64>();
        if let Some(first) = self.ranges.first_mut()
            && first.start < position
        {
            self.total -= position - first.start;
            first.start = position;
        }
    }

    /// Takes positions out.
    pub(super) fn remove(&mut self, start: u64, end: u64) {
        if start >= end || self.ranges.is_empty() {
            return;
        }
        let first = self.ranges.partition_point(|range| range.end <= start);
        let behind = self.ranges.partition_point(|range| range.start < end).max(first);
        let Some((left, right)) =
            self.ranges[first..behind].first().zip(self.ranges[first..behind].last())
        else {
            return;
        };
        let rest = [
            Range { start: left.start, end: left.start.max(start) },
            Range { start: right.end.min(end), end: right.end },
        ];
        let gone = self.ranges[first..behind].iter().map(|range| range.length()).sum::<u64>();
        let stays = rest.into_iter().filter(|range| range.length() > 0);
        self.total -= gone - rest.iter().map(|range| range.length()).sum::<u64>();
        self.ranges.splice(first..behind, stays);
    }

    /// Takes the first range if it begins at `position`, or before; the position behind it.
    pub(super) fn take_from(&mut self, position: u64) -> Option<u64> {
        let first = *self.ranges.first()?;
        if first.start > position {
            return None;
        }
        self.ranges.remove(0);
        self.total -= first.length();
        Some(first.end.max(position))
    }

    /// The range that contains `position`.
    pub(super) fn containing(&self, position: u64) -> Option<Range> {
        let at = self.ranges.partition_point(|range| range.end <= position);
        self.ranges.get(at).copied().filter(|range| range.start <= position)
    }

    /// The first run of positions from `from` on that are not in the set: where it begins, and where
    /// the next range does, if there is one.
    pub(super) fn gap(&self, from: u64) -> (u64, Option<u64>) {
        let at = self.ranges.partition_point(|range| range.end <= from);
        match self.ranges.get(at) {
            Some(range) if range.start <= from => {
                (range.end, self.ranges.get(at + 1).map(|next| next.start))
            }
            next => (from, next.map(|next| next.start)),
        }
    }

    /// The first run of positions from `from` to before `end` that are not in the set; empty if there is none.
    pub(super) fn gap_before(&self, from: u64, end: u64) -> (u64, u64) {
        let (start, next) = self.gap(from);
        (start.min(end), next.unwrap_or(end).min(end))
    }

    /// Positions of the set before `position`.
    pub(super) fn below(&self, position: u64) -> u64 {
        match self.ranges.last() {
            None => 0,
            Some(last) if last.end <= position => self.total,
            Some(_) => {
                let before = self.ranges.iter().take_while(|range| range.start < position);
                before.map(|range| range.end.min(position) - range.start).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;
    use std::collections::BTreeSet;

    /// Against a set of single positions.
    #[test]
    fn against_single_positions() {
        let mut stream = Stream::new(3, 0, 0);
        for _ in 0..300 {
            let (mut ranges, mut set) = (Ranges::default(), BTreeSet::<u64>::new());
            for _ in 0..40 {
                let start = stream.below(100);
                match stream.below(9) {
                    0 => {
                        ranges.advance(start / 4);
                        set.retain(|position| *position >= start / 4);
                    }
                    1 => {
                        let end = ranges.take_from(start / 4);
                        let first = set.first().copied().filter(|first| *first <= start / 4);
                        let mut expected = first;
                        while let Some(position) = expected
                            && set.remove(&position)
                        {
                            expected = Some(position + 1);
                        }
                        assert_eq!(end, expected.map(|end| end.max(start / 4)));
                    }
                    2 | 3 => {
                        let end = start + stream.below(30);
                        ranges.remove(start, end);
                        set.retain(|position| !(start..end).contains(position));
                    }
                    _ => {
                        let end = start + stream.below(12);
                        let fresh = (start..end).filter(|position| set.insert(*position)).count();
                        assert_eq!(ranges.insert(start, end), fresh as u64);
                    }
                }
                let listed = ranges.as_slice().iter().flat_map(|range| range.start..range.end);
                assert!(listed.eq(set.iter().copied()));
                assert!(ranges.as_slice().windows(2).all(|pair| pair[0].end < pair[1].start));
                assert_eq!((ranges.total(), ranges.is_empty()), (set.len() as u64, set.is_empty()));
                let position = stream.below(120);
                assert_eq!(ranges.below(position), set.range(..position).count() as u64);
                assert_eq!(ranges.containing(position).is_some(), set.contains(&position));
                let gap = (position..).find(|position| !set.contains(position)).unwrap();
                let next = set.range(gap..).next().copied();
                assert_eq!(ranges.gap(position), (gap, next));
                let end = position + stream.below(20);
                let run = (gap < end).then(|| (gap, next.unwrap_or(end).min(end)));
                assert_eq!(Some(ranges.gap_before(position, end)).filter(|run| run.0 < run.1), run);
            }
        }
    }
}
