//! What a sender knows of the receiver's buffer from SACK, and what follows from it (RFC 6675).
//!
//! RFC 6675 goes through the positions one by one. Here they are ranges: a position that has not been
//! reported is lost if enough was reported above it, so all such positions below one edge are lost,
//! and no others. Without losses nothing is stored and nothing allocated.

use super::ranges::Ranges;
use super::segment::Segment;

/// Duplicate acknowledgements, or runs beyond a hole, that mean a loss (RFC 5681 section 3.2, RFC 6675
/// section 2).
pub(super) const DUPLICATE_THRESHOLD: u32 = 3;

/// The scoreboard of one sender.
#[derive(Clone, Debug)]
pub(super) struct Scoreboard {
    reported: Ranges,
    segment: u64,
    /// What is behind the last retransmission of this recovery (HighRxt + 1).
    retransmitted: u64,
    /// RescueRxt + 1, if there was a rescue retransmission.
    rescued: Option<u64>,
}

impl Scoreboard {
    pub(super) fn new(segment: u64) -> Self {
        Self { reported: Ranges::default(), segment, retransmitted: 0, rescued: None }
    }

    /// Takes in the blocks of an acknowledgement (Update); how many positions were not known before.
    /// What is not between `first`, the first position that is not acknowledged, and `sent` is ignored.
    pub(super) fn update(&mut self, segment: &Segment, first: u64, sent: u64) -> u64 {
        let blocks = segment.blocks();
        blocks.map(|(start, end)| self.reported.insert(start.max(first), end.min(sent))).sum()
    }

    /// Everything before `first` is acknowledged.
    #[inline]
    pub(super) fn advance(&mut self, first: u64) {
        if !self.reported.is_empty() {
            self.reported.advance(first);
        }
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.reported.is_empty()
    }

    /// Positions that were reported.
    #[inline]
    pub(super) fn total(&self) -> u64 {
        self.reported.total()
    }

    /// Positions below this one that were reported.
    pub(super) fn below(&self, position: u64) -> u64 {
        self.reported.below(position)
    }

    /// The first run of positions from `from` on that were not reported, up to `sent`; empty if there is none.
    pub(super) fn gap(&self, from: u64, sent: u64) -> (u64, u64) {
        self.reported.gap_before(from, sent)
    }

    /// Positions below this one that were not reported are lost (IsLost): above them are
    /// three runs that were, or more than two segments' bytes. 0 if nothing is lost.
    pub(super) fn lost_below(&self) -> u64 {
        let (mut runs, mut bytes) = (0, 0);
        for range in self.reported.as_slice().iter().rev() {
            runs += 1;
            bytes += range.end - range.start;
            if runs >= DUPLICATE_THRESHOLD
                || bytes > u64::from(DUPLICATE_THRESHOLD - 1) * self.segment
            {
                return range.start;
            }
        }
        0
    }

    /// A recovery begins (section 5, step 4).
    pub(super) fn begin(&mut self, first: u64) {
        self.retransmitted = first;
        self.rescued = None;
    }

    /// Bytes that are thought to be in the network (SetPipe).
    pub(super) fn pipe(&self, first: u64, sent: u64) -> u64 {
        let unreported = |until: u64| {
            let until = until.max(first);
            until - first - self.reported.below(until)
        };
        unreported(sent) - unreported(self.lost_below()) + unreported(self.retransmitted)
    }

    /// The next run to send again: of what is lost (rule 1 of NextSeg). At most a segment.
    pub(super) fn next_lost(&self, first: u64, sent: u64) -> Option<(u64, u64)> {
        let run = self.next_unreported(first, sent)?;
        (run.0 < self.lost_below()).then_some(run)
    }

    /// The next run to send again when there is nothing new to send: it is below something reported, but
    /// not yet lost (rule 3). At most a segment.
    pub(super) fn next_doubtful(&self, first: u64, sent: u64) -> Option<(u64, u64)> {
        let highest = self.reported.as_slice().last()?;
        self.next_unreported(first, sent).filter(|run| run.0 < highest.end)
    }

    /// When there is nothing else to send, once in a recovery: the end of what is outstanding and was not
    /// reported (rule 4). At most a segment.
    pub(super) fn rescue(&self, first: u64, sent: u64) -> Option<(u64, u64)> {
        if self.rescued.is_some_and(|rescued| first <= rescued) {
            return None;
        }
        let mut runs = self.reported.as_slice().iter().rev();
        let highest = runs.next()?;
        let (start, end) = if highest.end < sent {
            (highest.end, sent)
        } else {
            (runs.next().map_or(first, |range| range.end), highest.start)
        };
        Some((start.max(end.saturating_sub(self.segment)), end)).filter(|(start, end)| start < end)
    }

    /// Everything before `end` that was lost was sent again.
    pub(super) fn note_retransmission(&mut self, end: u64) {
        self.retransmitted = self.retransmitted.max(end);
    }

    /// The rescue retransmission was sent.
    pub(super) fn note_rescue(&mut self, recovery_point: u64) {
        self.rescued = Some(recovery_point);
    }

    fn next_unreported(&self, first: u64, sent: u64) -> Option<(u64, u64)> {
        let (start, end) = self.gap(self.retransmitted.max(first), sent);
        (start < end).then(|| (start, end.min(start + self.segment)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::segment::Block;
    use super::*;
    use crate::random::Stream;

    /// Segments of 10 bytes; an acknowledgement of `first` with blocks in segments.
    fn report(board: &mut Scoreboard, first: u64, sent: u64, blocks: &[(u64, u64)]) -> u64 {
        let mut segment = Segment { acknowledgement: first, ack: true, ..Segment::default() };
        for (block, (start, end)) in segment.sack.iter_mut().zip(blocks) {
            let offset = (start * 10 - first) as u32;
            *block = Block { offset, length: ((end - start) * 10) as u32 };
        }
        board.update(&segment, first, sent)
    }

    /// Section 2's IsLost by hand, ten segments sent: 2 to 4 reported are not more than two segments'
    /// bytes above the hole; 2 to 5 are.
    #[test]
    fn more_than_two_segments_above_are_a_loss() {
        let mut board = Scoreboard::new(10);
        assert_eq!(report(&mut board, 0, 100, &[(2, 4)]), 20);
        assert_eq!((board.lost_below(), board.pipe(0, 100)), (0, 80));
        assert_eq!(board.next_lost(0, 100), None);
        assert_eq!(board.next_doubtful(0, 100), Some((0, 10)));
        assert_eq!(report(&mut board, 0, 100, &[(2, 5)]), 10);
        assert_eq!((board.lost_below(), board.pipe(0, 100)), (20, 50));
        assert_eq!(board.next_lost(0, 100), Some((0, 10)));
        board.note_retransmission(10);
        assert_eq!((board.next_lost(0, 100), board.pipe(0, 100)), (Some((10, 20)), 60));
        board.note_retransmission(20);
        assert_eq!((board.next_lost(0, 100), board.next_doubtful(0, 100)), (None, None));
        // Rule 4: the last that is outstanding, once.
        assert_eq!(board.rescue(0, 100), Some((90, 100)));
        board.note_rescue(100);
        assert_eq!(board.rescue(0, 100), None);
        board.begin(0);
        assert_eq!(board.rescue(0, 100), Some((90, 100)));
    }

    /// Three runs, each less than a segment's bytes, are a loss of what is below the lowest of them.
    #[test]
    fn three_runs_above_are_a_loss() {
        let mut board = Scoreboard::new(1000);
        report(&mut board, 0, 100, &[(1, 2), (3, 4)]);
        assert_eq!(board.lost_below(), 0);
        report(&mut board, 0, 100, &[(5, 6)]);
        assert_eq!(board.lost_below(), 10);
    }

    /// Against SetPipe, IsLost and NextSeg as RFC 6675 writes them, position by position.
    #[test]
    fn against_the_text_position_by_position() {
        let mut stream = Stream::new(11, 0, 0);
        for _ in 0..3000 {
            let mut board = Scoreboard::new(4);
            let (first, sent) = (stream.below(5), 60);
            let mut reported = [false; 64];
            for _ in 0..stream.below(6) {
                let start = first + 1 + stream.below(50);
                let end = (start + 1 + stream.below(8)).min(sent);
                let base = Segment { acknowledgement: first, ack: true, ..Segment::default() };
                let block = Block { offset: (start - first) as u32, length: (end - start) as u32 };
                let none = Block::default();
                board.update(&Segment { sack: [block, none, none], ..base }, first, sent);
                reported[start as usize..end as usize].fill(true);
            }
            board.begin(first);
            let retransmitted = first + stream.below(20);
            board.note_retransmission(retransmitted);
            let lost = |position: usize| {
                let above = &reported[position + 1..];
                let bytes = above.iter().filter(|known| **known).count();
                let starts = above.iter().enumerate();
                let runs = starts.filter(|(at, known)| **known && (*at == 0 || !above[at - 1]));
                runs.count() >= 3 || bytes > 2 * 4
            };
            let unreported: Vec<u64> =
                (first..sent).filter(|position| !reported[*position as usize]).collect();
            let pipe: u64 = unreported
                .iter()
                .map(|at| u64::from(!lost(*at as usize)) + u64::from(*at < retransmitted))
                .sum();
            assert_eq!(board.pipe(first, sent), pipe);
            let highest = (first..sent).rev().find(|position| reported[*position as usize]);
            let candidate = unreported.iter().find(|at| **at >= retransmitted);
            let below_highest = candidate.filter(|at| highest.is_some_and(|high| **at < high));
            let rule_1 = below_highest.filter(|at| lost(**at as usize));
            assert_eq!(board.next_lost(first, sent).map(|run| run.0), rule_1.copied());
            assert_eq!(board.next_doubtful(first, sent).map(|run| run.0), below_highest.copied());
            let rescue = highest.and(unreported.last()).map(|last| last + 1);
            assert_eq!(board.rescue(first, sent).map(|run| run.1), rescue);
        }
    }
}
