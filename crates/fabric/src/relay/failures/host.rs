//! What a host stores.

use crate::queue::{Cell, NONE};
use crate::relay::subflows::Subflows;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The last cell from a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Empty, or at its destination, or none.
    Nothing,
    /// Its header was bad.
    Dropped,
    /// It joined the queue to a host, with a number there.
    Queued(u16, u64),
}

/// A host's side of a link to a peer.
#[derive(Clone, Debug)]
pub struct Link {
    /// The peer's silence was noticed, and no cell from it since.
    pub is_dead: bool,
    pub queue: VecDeque<Cell>,
    /// Cells that the peer has dropped: they leave before the queue.
    pub again: VecDeque<Cell>,
    /// Cells that have left the queue.
    pub departed: u64,
    pub has_local: bool,
    pub received: Received,
    /// By epoch, modulo their number: the cell that was sent, and the destination of a local one that has to be answered.
    pub sent: Vec<(Cell, u16)>,
    pub subflows: Subflows,
    /// Since when the peer's user has cells here of which it was not told.
    pub untold_since: Option<u64>,
}

impl Link {
    pub fn new(open_cells: usize) -> Self {
        Self {
            is_dead: false,
            queue: VecDeque::new(),
            again: VecDeque::new(),
            departed: 0,
            has_local: false,
            received: Received::Nothing,
            sent: vec![(Cell::EMPTY, NONE); open_cells],
            subflows: Subflows::default(),
            untold_since: None,
        }
    }

    /// Cells that leave before one that joins the queue now.
    pub fn len(&self) -> usize {
        self.queue.len() + self.again.len()
    }

    /// Another schedule begins, and nothing is on its way.
    pub fn change_schedule(&mut self, open_cells: usize) {
        self.sent = vec![(Cell::EMPTY, NONE); open_cells];
        self.received = Received::Nothing;
        self.subflows.release();
    }

    /// The peer is silent: what is for it is dropped, and numbers of cells in the queue are those of cells that have left. Returns how many
    /// cells it had.
    pub fn die(&mut self) -> usize {
        let length = self.len();
        let fresh = Self::new(self.sent.len());
        let departed = self.departed + self.queue.len() as u64;
        *self = Self { is_dead: true, departed, ..fresh };
        length
    }
}

/// A flow with cells to send.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    pub flow: u32,
    pub left: u64,
}

/// A pair at its source.
#[derive(Debug, Default)]
pub struct Pair {
    pub ring: VecDeque<Turn>,
    pub next_seq: u64,
    pub since: u64,
    /// Cells whose host between has died: they go first.
    pub reroute: VecDeque<Cell>,
    /// By number: cells that have joined a queue and may get lost, with the host whose queue it is.
    pub kept: BTreeMap<u64, (Cell, u16)>,
    /// The first number that the destination misses, as far as it has told.
    pub told: u64,
}

impl Pair {
    /// One of its hosts is dead: nothing is left, and numbers go on.
    pub fn die(&mut self) {
        *self = Self { next_seq: self.next_seq, told: self.next_seq, ..Self::default() };
    }

    /// The destination misses this number, and none before it.
    pub fn tell(&mut self, expected: u64) {
        self.told = self.told.max(expected);
        self.kept = self.kept.split_off(&expected);
    }

    /// Whether there are cells that have to join a queue.
    pub fn is_active(&self) -> bool {
        !self.ring.is_empty() || !self.reroute.is_empty()
    }
}

/// Numbers of a pair that a host looks at in a slot.
const LOOKED_AT: u64 = 8;

/// A host looks which of its cells went over hosts that have died: pair after pair, some numbers of one in a slot.
#[derive(Clone, Debug, Default)]
pub struct Search {
    /// Dead hosts that it has not yet looked for.
    dead: BTreeSet<u16>,
    /// What it looks for: the dead host, the pair's destination, and the next number.
    now: Option<(u16, u16, u64)>,
}

impl Search {
    /// A host has died.
    pub fn add(&mut self, host: u16) {
        self.dead.insert(host);
    }

    /// Whether there is something to look for.
    pub fn is_active(&self) -> bool {
        self.now.is_some() || !self.dead.is_empty()
    }

    /// The destination of the pair that is looked at in this slot.
    pub fn destination(&mut self) -> Option<u16> {
        if self.now.is_none() {
            self.now = self.dead.pop_first().map(|host| (host, 0, 0));
        }
        self.now.map(|(_, dst, _)| dst)
    }

    /// Looks at numbers of that pair, of a fabric of so many hosts: those that went over the dead host have to be sent over another one. `pair` is none
    /// if nothing can be sent to the destination.
    pub fn look(&mut self, pair: Option<&mut Pair>, hosts: usize) -> Vec<Cell> {
        let Some((dead, dst, from)) = self.now else { return Vec::new() };
        let mut lost = Vec::new();
        let mut next = None;
        if let Some(pair) = pair {
            let from = from.max(pair.told);
            let to = from + LOOKED_AT;
            let went_there = |kept: &(u64, (Cell, u16))| kept.1.1 == dead;
            let kept = pair.kept.range(from..to).map(|(&number, &kept)| (number, kept));
            for (number, (cell, _)) in kept.filter(went_there).collect::<Vec<_>>() {
                pair.kept.remove(&number);
                lost.push(cell);
            }
            next = (to < pair.next_seq).then_some((dead, dst, to));
        }
        let other = usize::from(dst) + 1 < hosts;
        self.now = next.or(other.then_some((dead, dst + 1, 0)));
        lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(src: u16, dst: u16, seq: u64) -> Cell {
        Cell { src, dst, seq, flow: 0 }
    }

    /// Host 1 has cells for host 3 and its own for 5 in the queue to 3: these are no more there, and what is told of them is that they have left.
    #[test]
    fn a_silent_peer_has_no_queue() {
        let mut link = Link::new(4);
        link.queue.extend([cell(2, 3, 0), cell(1, 5, 7), cell(4, 3, 1)]);
        link.again.push_back(cell(1, 3, 2));
        link.departed = 10;
        link.received = Received::Queued(6, 3);
        assert_eq!(link.die(), 4);
        assert_eq!((link.len(), link.departed, link.received), (0, 13, Received::Nothing));
        assert!(link.is_dead);
    }

    /// Of numbers 3 to 22 of the pair to host 1, the even ones went over host 5. Eight are looked at in a slot; host 0 takes one, too.
    #[test]
    fn cells_over_a_dead_host_are_found_some_numbers_a_slot() {
        let mut pair = Pair { next_seq: 23, ..Pair::default() };
        for seq in 0..23 {
            pair.kept.insert(seq, (cell(2, 1, seq), if seq % 2 == 0 { 5 } else { 6 }));
        }
        pair.tell(3);
        let mut search = Search::default();
        search.add(5);
        assert_eq!(search.destination(), Some(0));
        assert!(search.look(None, 8).is_empty());
        let mut numbers = Vec::new();
        for _ in 0..3 {
            assert_eq!(search.destination(), Some(1));
            let found = search.look(Some(&mut pair), 8);
            numbers.push(found.iter().map(|cell| cell.seq).collect::<Vec<_>>());
        }
        assert_eq!(numbers, [vec![4, 6, 8, 10], vec![12, 14, 16, 18], vec![20, 22]]);
        for dst in 2..8 {
            assert_eq!(search.destination(), Some(dst));
            search.look(None, 8);
        }
        assert_eq!((search.destination(), search.is_active()), (None, false));
        assert!(pair.kept.keys().all(|seq| seq % 2 == 1));
    }
}
