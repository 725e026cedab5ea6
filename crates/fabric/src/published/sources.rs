//! What a host knows about those to whom it sends: the list of its destinations and how long each must wait at each peer.
//!
//! The lists L[m] of the rules get and lose their entries together, so that their order is one for all peers: a host has
//! one list, and of each peer a row of waits. A wait is kept as the epoch in which it reaches zero, counted in meetings, of
//! which each peer has one an epoch; so it falls without being touched. A pair keeps its column of waits when its ring
//! becomes empty, until all of them are zero and somebody else needs a column.

use std::collections::VecDeque;

/// A wait that ends when feedback has arrived.
const BLOCKED: i32 = i32::MAX;

/// Columns are added by so many, at least.
const STEP: usize = 8;

/// No column.
const NONE: u16 = u16::MAX;

/// Epochs after which an unused column is looked at: before, it hardly ever has only zeros.
const PATIENCE: i32 = 3;

/// A destination with cells to send.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The number of the pair.
    pub pair: u32,
    /// The destination.
    pub to: u16,
    column: u16,
    /// The slot in which it entered the list.
    since: u64,
}

/// The destinations of one host.
#[derive(Debug)]
pub struct Sources {
    /// Those with cells to send, in the order of the lists of the rules.
    list: Vec<Entry>,
    /// The column of each destination, or [`NONE`]: all its waits are zero.
    columns: Vec<u16>,
    /// `waits[peer * width + column]`; peers by the slot of an epoch in which they are met.
    waits: Vec<i32>,
    width: usize,
    /// Of each column: 1 if its destination is in the list, else 0.
    listed: Vec<i32>,
    /// Columns that no destination has.
    free: Vec<u16>,
    /// Columns that are unused, perhaps: their destinations, and since which epoch. Each column at most once.
    unused: VecDeque<(u16, u16, i32)>,
    /// Whether a column is in `unused`.
    noted: Vec<bool>,
}

/// What a look at the list found.
pub struct Look {
    /// Entries that were eligible.
    pub eligible: u16,
    /// The place of the chosen one.
    pub chosen: Option<usize>,
}

/// When a host looks at its list.
#[derive(Clone, Copy)]
pub struct Now {
    /// The slot since the run's start.
    pub slot: u64,
    /// The slot of its epoch.
    pub phase: usize,
    /// The epoch, counted from where all waits are counted.
    pub epoch: i32,
}

impl Sources {
    /// Of a host with `peers` others.
    pub fn new(peers: usize) -> Self {
        Self {
            list: Vec::new(),
            columns: vec![NONE; peers + 1],
            waits: Vec::new(),
            width: 0,
            listed: Vec::new(),
            free: Vec::new(),
            unused: VecDeque::new(),
            noted: Vec::new(),
        }
    }

    /// Whether nothing is to be sent.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Entries of the list.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// An entry of the list.
    pub fn entry(&self, place: usize) -> Entry {
        self.list[place]
    }

    /// Puts the destination `to` at the list's end.
    pub fn join(&mut self, to: u16, pair: u32, now: Now) {
        let column = match self.columns[usize::from(to)] {
            NONE => self.new_column(to, now.epoch),
            column => column,
        };
        self.listed[usize::from(column)] = 1;
        self.list.push(Entry { pair, to, column, since: now.slot });
    }

    /// Takes an entry out of the list.
    pub fn leave(&mut self, place: usize, epoch: i32) {
        let Entry { to, column, .. } = self.list.remove(place);
        self.listed[usize::from(column)] = 0;
        self.note(to, column, epoch);
    }

    /// Remembers that a column may be unused.
    fn note(&mut self, to: u16, column: u16, epoch: i32) {
        if !std::mem::replace(&mut self.noted[usize::from(column)], true) {
            self.unused.push_back((to, column, epoch));
        }
    }

    /// Blocks the destination of an entry at the peer that is met now.
    pub fn block(&mut self, place: usize, now: Now) {
        let column = usize::from(self.list[place].column);
        self.waits[now.phase * self.width + column] = BLOCKED;
    }

    /// The wait of a destination at a peer is `wait` at the meeting in epoch `meeting`.
    pub fn set(&mut self, to: u16, peer: usize, meeting: i32, wait: u32) {
        let column = match self.columns[usize::from(to)] {
            NONE if wait == 0 => return,
            NONE => {
                let column = self.new_column(to, meeting);
                self.note(to, column, meeting);
                column
            }
            column => column,
        };
        // Waits are lengths of queues, epochs are kept below 2^30 (see `rebase`).
        let zero = meeting.saturating_add_unsigned(wait).min(BLOCKED - 1);
        self.waits[peer * self.width + usize::from(column)] = zero;
    }

    /// Looks at the list, from `cursor`, with `length` cells in the queue to the peer that is met now. `may_choose` is false
    /// if none is to be chosen. `gate` is G of the rules, `hosts` N.
    pub fn look(
        &self,
        now: Now,
        length: u32,
        cursor: u16,
        may_choose: bool,
        (gate, hosts): (u64, usize),
    ) -> Look {
        let row = &self.waits[now.phase * self.width..][..self.width];
        // Eligible: the wait, zero - epoch, is at most the length.
        let limit = now.epoch.saturating_add_unsigned(length).min(BLOCKED - 1);
        let eligible: i32 = row
            .iter()
            .zip(&self.listed)
            .map(|(&zero, listed)| i32::from(zero <= limit) & listed)
            .sum();
        let mut look = Look { eligible: eligible as u16, chosen: None };
        if eligible == 0 || !may_choose {
            return look;
        }
        let cursor = usize::from(cursor);
        let first = if cursor < self.list.len() { cursor } else { 0 };
        let fits = |entry: &Entry| {
            row[usize::from(entry.column)] <= limit
                && (gate == 0 || is_open((now.slot - entry.since) / gate, length, hosts))
        };
        look.chosen = self.list[first..]
            .iter()
            .position(&fits)
            .map(|place| first + place)
            .or_else(|| self.list[..first].iter().position(&fits));
        look
    }

    /// A column of zeros for `to`, which has none.
    fn new_column(&mut self, to: u16, epoch: i32) -> u16 {
        let column =
            self.reclaim(epoch).or_else(|| self.free.pop()).unwrap_or_else(|| self.widen());
        self.columns[usize::from(to)] = column;
        column
    }

    /// The column that has been unused longest, if all its waits are zero.
    fn reclaim(&mut self, epoch: i32) -> Option<u16> {
        let &(to, column, since) = self.unused.front()?;
        if epoch < since.saturating_add(PATIENCE) {
            return None;
        }
        self.unused.pop_front();
        self.noted[usize::from(column)] = false;
        if self.listed[usize::from(column)] == 1 {
            // It is noted again when its destination leaves the list.
            return None;
        }
        let mut column_of_waits = self.waits[usize::from(column)..].iter().step_by(self.width);
        if column_of_waits.all(|&zero| zero <= epoch) {
            self.columns[usize::from(to)] = NONE;
            return Some(column);
        }
        self.note(to, column, epoch);
        None
    }

    /// Adds columns and returns one of them.
    fn widen(&mut self) -> u16 {
        let old = self.width;
        let width = (2 * old).clamp(STEP, (self.columns.len() - 1).next_multiple_of(STEP));
        let mut waits = vec![0; (self.columns.len() - 1) * width];
        for (row, new) in waits.chunks_mut(width).enumerate() {
            new[..old].copy_from_slice(&self.waits[row * old..][..old]);
        }
        self.waits = waits;
        self.width = width;
        self.listed.resize(width, 0);
        self.noted.resize(width, false);
        self.free.extend((old + 1..width).rev().map(|column| column as u16));
        old as u16
    }

    /// Epochs are counted from `epochs` later on.
    pub fn rebase(&mut self, epochs: i32) {
        for zero in &mut self.waits {
            if *zero != BLOCKED {
                *zero = (*zero - epochs).max(0);
            }
        }
        for (_, _, since) in &mut self.unused {
            *since = (*since - epochs).max(0);
        }
    }
}

/// Whether the gate lets a cell of a destination of this age pass into a queue of this length.
fn is_open(age: u64, length: u32, hosts: usize) -> bool {
    // Age is at least log2 N.
    let reach = u32::try_from(age).ok().and_then(|age| 1u64.checked_shl(age));
    reach.is_none_or(|reach| reach >= hosts as u64 || u64::from(length) <= reach)
}
