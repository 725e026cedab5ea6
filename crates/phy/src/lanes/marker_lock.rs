//! Alignment marker lock (IEEE 802.3 figure 82-11): where the markers of a lane are, and which lane it is.
//!
//! A marker, and the same one a period later, lock. Four in a row that are not what they must be unlock: a few wrong
//! bits do not.

use super::MARKER_PERIOD;
use super::marker::lane_of;
use crate::block::Block;

/// Bad markers in a row that unlock.
const MOST_BAD: u32 = 4;

/// Watches the blocks of a lane.
#[derive(Debug, Clone, Default)]
pub struct MarkerLock {
    state: State,
    /// Blocks from the last marker on.
    behind: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Hunt,
    /// One marker was there.
    Found(usize),
    Locked {
        lane: usize,
        bad: u32,
    },
}

/// What a block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    /// Nothing that is known: there is no lock.
    Unknown,
    /// As before, but it is a marker, from which the search goes on.
    First,
    /// One between markers.
    Block,
    /// A marker, by its place; `good` says whether it looks like one of this lane.
    Marker {
        /// Whether all but its parity is right.
        good: bool,
    },
    /// The fourth bad marker in a row: there is no lock any more.
    Lost,
}

impl MarkerLock {
    /// Takes the next block.
    #[inline]
    pub fn block(&mut self, block: Block) -> Seen {
        self.behind += 1;
        if self.behind < MARKER_PERIOD && self.state != State::Hunt {
            return if self.lane().is_some() { Seen::Block } else { Seen::Unknown };
        }
        self.place(block)
    }

    /// A block in the place of a marker, or any while there is none.
    fn place(&mut self, block: Block) -> Seen {
        self.behind = 0;
        let found = lane_of(block);
        match self.state {
            State::Hunt => match found {
                Some(lane) => {
                    self.state = State::Found(lane);
                    Seen::First
                }
                None => Seen::Unknown,
            },
            State::Found(lane) if found == Some(lane) => {
                self.state = State::Locked { lane, bad: 0 };
                Seen::Marker { good: true }
            }
            State::Found(_) => {
                self.state = State::Hunt;
                Seen::Unknown
            }
            State::Locked { lane, bad } => {
                let good = found == Some(lane);
                let bad = if good { 0 } else { bad + 1 };
                if bad == MOST_BAD {
                    self.state = State::Hunt;
                    return Seen::Lost;
                }
                self.state = State::Locked { lane, bad };
                Seen::Marker { good }
            }
        }
    }

    /// Begins again.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// The number of the lane, 0 to 3, while there is lock.
    #[inline]
    pub fn lane(&self) -> Option<usize> {
        match self.state {
            State::Locked { lane, .. } => Some(lane),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::marker::marker;
    use super::*;

    /// Markers of the lanes that are named, a period apart; `None` is a block of idle.
    fn after(lock: &mut MarkerLock, lanes: &[Option<usize>]) -> Seen {
        let mut seen = Seen::Unknown;
        for lane in lanes {
            for _ in 0..MARKER_PERIOD - 1 {
                lock.block(Block::IDLE);
            }
            seen = lock.block(lane.map_or(Block::IDLE, |lane| marker(lane, 0x5a)));
        }
        seen
    }

    #[test]
    fn two_lock_and_four_unlock() {
        let mut lock = MarkerLock::default();
        assert_eq!(lock.block(marker(2, 7)), Seen::First);
        assert_eq!(lock.lane(), None);
        assert_eq!(after(&mut lock, &[Some(2)]), Seen::Marker { good: true });
        assert_eq!(lock.lane(), Some(2));
        assert_eq!(after(&mut lock, &[None, None, None]), Seen::Marker { good: false });
        // A good one forgives.
        assert_eq!(after(&mut lock, &[Some(2), None, Some(1), None]), Seen::Marker { good: false });
        assert_eq!(lock.lane(), Some(2));
        assert_eq!(after(&mut lock, &[None]), Seen::Lost);
        assert_eq!(lock.lane(), None);
    }

    #[test]
    fn two_that_differ_do_not_lock() {
        let mut lock = MarkerLock::default();
        lock.block(marker(2, 7));
        assert_eq!(after(&mut lock, &[Some(1)]), Seen::Unknown);
        // The search begins with the next block.
        assert_eq!(lock.block(marker(1, 7)), Seen::First);
        // A block too early.
        for _ in 0..MARKER_PERIOD - 2 {
            lock.block(Block::IDLE);
        }
        lock.block(marker(1, 7));
        assert_eq!((lock.block(Block::IDLE), lock.lane()), (Seen::Unknown, None));
    }
}
