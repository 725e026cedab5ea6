//! What is on its way: a record of each segment that was sent and is not acknowledged, in order.
//!
//! Linux keeps the same per segment, and for the same reason: congestion windows, RACK (RFC 8985) and the push flag
//! count segments as they were sent. In hardware the records are in one memory that the sessions share, linked.

use crate::sequence::Sequence;
use crate::settings::Nanoseconds;
use std::collections::VecDeque;

/// A segment that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// First number.
    pub start: Sequence,
    /// Behind its last number; SYN and FIN take one each.
    pub end: Sequence,
    /// SYN, FIN, PSH, CWR as they were sent.
    pub flags: u8,
    /// When it was sent last.
    pub sent: Nanoseconds,
    /// The peer has it (SACK).
    pub sacked: bool,
    /// It is taken for lost.
    pub lost: bool,
    /// It was sent again since it was taken for lost, and is on its way.
    pub resent: bool,
    /// It was sent again at some time: its round trip is not known.
    pub ever_resent: bool,
}

/// The records, and their counts.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    records: VecDeque<Record>,
    /// Segments that the peer has (SACK), or without SACK, duplicate acknowledgements that stand for them.
    pub sacked: u32,
    /// Segments that are taken for lost.
    pub lost: u32,
    /// Segments that were sent again and are on their way.
    pub resent: u32,
    /// Behind the last byte that was ever reported by SACK.
    pub furthest: Option<Sequence>,
    /// No record in front of this one waits to be sent again.
    cursor: usize,
}

impl Scoreboard {
    /// Segments that are not acknowledged.
    pub fn out(&self) -> u32 {
        self.records.len() as u32
    }

    /// Segments that are on their way, as far as can be known.
    pub fn in_flight(&self) -> u32 {
        (self.out() + self.resent).saturating_sub(self.sacked + self.lost)
    }

    /// The first one.
    pub fn first(&self) -> Option<&Record> {
        self.records.front()
    }

    /// The last one.
    pub fn last(&self) -> Option<&Record> {
        self.records.back()
    }

    /// All, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Record> {
        self.records.iter()
    }

    /// One by its place.
    pub fn get(&self, index: usize) -> Option<&Record> {
        self.records.get(index)
    }

    /// The number of records.
    pub fn count(&self) -> usize {
        self.records.len()
    }

    /// A segment was sent for the first time.
    pub fn push(&mut self, record: Record) {
        self.records.push_back(record);
    }

    /// The last record carries PSH from now on.
    pub fn push_last(&mut self) {
        if let Some(last) = self.records.back_mut() {
            last.flags |= ww_packet::tcp::flags::PSH;
        }
    }

    /// Takes the first record away if all of it is in front of `acknowledged`. A record of which only the beginning
    /// is, loses that.
    pub fn pop_acknowledged(&mut self, acknowledged: Sequence) -> Option<Record> {
        let first = self.records.front_mut()?;
        if first.end.after(acknowledged) {
            if first.start.before(acknowledged) {
                first.start = acknowledged;
            }
            return None;
        }
        let record = self.records.pop_front()?;
        self.cursor = self.cursor.saturating_sub(1);
        self.sacked -= u32::from(record.sacked);
        self.lost -= u32::from(record.lost);
        self.resent -= u32::from(record.resent);
        Some(record)
    }

    /// The place of the first record that ends behind `position`.
    pub fn place(&self, position: Sequence) -> usize {
        self.records.partition_point(|record| !record.end.after(position))
    }

    /// The peer has record `index`: how it was before. It counts no more as lost or sent again.
    pub fn sack(&mut self, index: usize) -> Record {
        let record = &mut self.records[index];
        let before = *record;
        if !before.sacked {
            self.sacked += 1;
            self.lost -= u32::from(before.lost);
            self.resent -= u32::from(before.resent);
            (record.sacked, record.lost, record.resent) = (true, false, false);
            let end = record.end;
            self.furthest = Some(self.furthest.map_or(end, |furthest| furthest.latest(end)));
        }
        before
    }

    /// Record `index` is taken for lost, and if it was sent again, that is lost too. Says whether that is news.
    pub fn lose(&mut self, index: usize) -> bool {
        let record = &mut self.records[index];
        if record.sacked {
            return false;
        }
        let news = !record.lost || record.resent;
        self.lost += u32::from(!record.lost);
        self.resent -= u32::from(record.resent);
        (record.lost, record.resent) = (true, false);
        if news {
            self.cursor = self.cursor.min(index);
        }
        news
    }

    /// Nothing is lost any more: what was taken for it was late.
    pub fn find_all(&mut self) {
        self.records.iter_mut().for_each(|record| record.lost = false);
        self.lost = 0;
    }

    /// What SACK told counts no more (RFC 2018 section 8): the peer may have dropped it.
    pub fn forget_sacks(&mut self) {
        self.records.iter_mut().for_each(|record| record.sacked = false);
        (self.sacked, self.furthest) = (0, None);
    }

    /// The first record that is lost and not sent again.
    pub fn next_lost(&mut self) -> Option<usize> {
        if self.lost == 0 {
            return None;
        }
        let found = (self.cursor..self.records.len())
            .find(|&index| self.records[index].lost && !self.records[index].resent);
        self.cursor = found.unwrap_or(self.records.len());
        found
    }

    /// Record `index` was sent again, with what it is now.
    pub fn resend(&mut self, index: usize, now: Nanoseconds) {
        let record = &mut self.records[index];
        self.resent += u32::from(!record.resent && !record.sacked);
        if !record.sacked {
            record.resent = true;
        }
        record.ever_resent = true;
        record.sent = now;
    }

    /// A duplicate acknowledgement without SACK: somebody has a segment more, at most all but one.
    pub fn count_duplicate(&mut self) {
        let others = self.lost.max(1);
        if self.sacked + others < self.out() {
            self.sacked += 1;
        }
    }

    /// Duplicates count no more (without SACK).
    pub fn forget_duplicates(&mut self) {
        self.sacked = 0;
    }

    /// Of the duplicates that were counted, so many have been acknowledged (without SACK).
    pub fn acknowledge_duplicates(&mut self, segments: u32) {
        self.sacked = self.sacked.saturating_sub(segments.saturating_sub(1));
        self.sacked = self.sacked.min(self.out().saturating_sub(self.lost));
    }

    /// Whether something was ever sent again of what is on its way.
    pub fn any_resent(&self) -> bool {
        self.resent > 0 || self.records.front().is_some_and(|record| record.ever_resent)
    }

    /// All is acknowledged or given up.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(segments: u32) -> Scoreboard {
        let mut board = Scoreboard::default();
        for number in 0..segments {
            board.push(Record {
                start: Sequence(100 * number),
                end: Sequence(100 * number + 100),
                flags: 0,
                sent: u64::from(number),
                sacked: false,
                lost: false,
                resent: false,
                ever_resent: false,
            });
        }
        board
    }

    #[test]
    fn counts_follow_the_records() {
        let mut board = board(10);
        board.sack(3);
        board.sack(3);
        assert!(board.lose(1) && !board.lose(1) && !board.lose(3));
        assert_eq!((board.in_flight(), board.sacked, board.lost), (8, 1, 1));
        assert_eq!(board.next_lost(), Some(1));
        board.resend(1, 50);
        assert_eq!((board.in_flight(), board.next_lost()), (9, None));
        // What was sent again is lost too.
        assert!(board.lose(1));
        assert_eq!((board.in_flight(), board.next_lost()), (8, Some(1)));
        while board.pop_acknowledged(Sequence(450)).is_some() {}
        assert_eq!((board.out(), board.sacked, board.lost, board.resent), (6, 0, 0, 0));
        assert_eq!(board.first().unwrap().start, Sequence(450));
    }

    #[test]
    fn duplicates_leave_one_segment_in_doubt() {
        let mut board = board(3);
        (0..5).for_each(|_| board.count_duplicate());
        assert_eq!(board.sacked, 2);
        board.acknowledge_duplicates(2);
        assert_eq!(board.sacked, 1);
    }
}
