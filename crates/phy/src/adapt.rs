//! Rate adaptation between two clocks: idle is inserted and deleted, four characters at a time (IEEE 802.3 clause
//! 49.2.4.7).
//!
//! Columns of four lanes go into a queue at one clock and come out at another. A column of idle may be deleted, but not
//! the one right behind the column with a terminate; a column of idle may be added behind one of idle. So no frame
//! changes, and a gap of the line's least, 12 characters, keeps 5 or more, and gives up one column: with frames of F columns at that gap, clocks may differ
//! by a part in F + 5.

use std::collections::VecDeque;

use crate::character::{IDLE, TERMINATE};
use crate::xgmii::Word;

/// Four lanes.
type Column = [(bool, u8); 4];

const IDLES: Column = [(true, IDLE); 4];

/// A queue of columns with two marks: above the upper one idle is deleted, below the lower one it is inserted.
#[derive(Debug, Clone)]
pub struct Adapter {
    queue: VecDeque<Column>,
    low: usize,
    high: usize,
    most: usize,
    /// The column that went in last had a terminate.
    behind_terminate: bool,
    /// The column that came out last was idle.
    idles: bool,
    counts: Counts,
}

/// What an adapter did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Deleted columns of idle.
    pub deleted: u64,
    /// Columns of idle added.
    pub inserted: u64,
    /// Columns lost because the queue was full: a frame too long for the difference of the clocks.
    pub overflowed: u64,
    /// Columns of errors sent because the queue was empty within a frame.
    pub underflowed: u64,
}

impl Adapter {
    /// A queue of `most` columns, 16 or more, that starts half full of idle. For a longest frame of F columns and a
    /// clock difference of p parts per million it needs 4 F p / 10^6 + 8 columns.
    pub fn new(most: usize) -> Self {
        assert!(most >= 16, "{most} columns are too few to adapt with");
        let queue = std::iter::repeat_n(IDLES, most / 2).collect();
        Self {
            queue,
            low: most / 2 - 2,
            high: most / 2 + 2,
            most,
            behind_terminate: false,
            idles: true,
            counts: Counts::default(),
        }
    }

    /// A word comes in.
    pub fn push(&mut self, word: Word) {
        let lanes = word.lanes();
        for column in lanes.as_chunks::<4>().0 {
            let may_go = *column == IDLES && !self.behind_terminate;
            self.behind_terminate = column.contains(&(true, TERMINATE));
            if may_go && self.queue.len() > self.high {
                self.counts.deleted += 1;
            } else if self.queue.len() < self.most {
                self.queue.push_back(*column);
            } else {
                self.counts.overflowed += 1;
            }
        }
    }

    /// A word goes out.
    pub fn pop(&mut self) -> Word {
        let (first, second) = (self.column(), self.column());
        let lanes = std::array::from_fn(|n| if n < 4 { first[n] } else { second[n - 4] });
        Word::of_lanes(lanes)
    }

    fn column(&mut self) -> Column {
        if self.idles && self.queue.len() < self.low {
            self.counts.inserted += 1;
            return IDLES;
        }
        let Some(column) = self.queue.pop_front() else {
            self.counts.underflowed += 1;
            return [(true, crate::character::ERROR); 4];
        };
        self.idles = column == IDLES;
        column
    }

    /// What it did so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}
