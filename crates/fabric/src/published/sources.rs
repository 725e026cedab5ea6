//! What hosts know about those to whom they send: lists of destinations, and how long each must wait at each peer.
//!
//! The lists L[m] of the rules get and lose their entries together, so that their order is one for all peers: a host has
//! one list, and a column of waits for each destination, with a wait for each peer. A destination keeps its column when
//! its ring becomes empty, until all waits are zero and the host needs a column.

use super::waits::{REBASE, STEP, Waits};
use std::collections::VecDeque;

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
struct Host {
    /// Those with cells to send, in the order of the lists of the rules.
    list: Vec<Entry>,
    /// The column of each destination, or [`NONE`]: all its waits are zero.
    columns: Vec<u16>,
    /// Columns that destinations have or had.
    used: usize,
    /// Columns that are unused, perhaps: their destinations, and since which epoch. Each column at most once.
    unused: VecDeque<(u16, u16, i32)>,
    /// Whether a column is in `unused`.
    noted: Vec<bool>,
}

/// The destinations of a number of hosts.
#[derive(Debug)]
pub struct Sources {
    hosts: Vec<Host>,
    peers: usize,
    waits: Waits,
    /// G of the rules.
    gate: u64,
}

/// What a look at a list found.
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
    /// The epoch, counted from where all waits are counted; less than [`REBASE`].
    pub epoch: i32,
}

impl Sources {
    /// Of `hosts` hosts with `peers` others each. `gate` is G of the rules.
    pub fn new(hosts: usize, peers: usize, gate: u64) -> Self {
        let host = || Host {
            list: Vec::new(),
            columns: vec![NONE; peers + 1],
            used: 0,
            unused: VecDeque::new(),
            noted: Vec::new(),
        };
        let waits = Waits::new(hosts, peers);
        Self { hosts: (0..hosts).map(|_| host()).collect(), peers, waits, gate }
    }

    /// The list of a host.
    pub fn list(&self, host: usize) -> &[Entry] {
        &self.hosts[host].list
    }

    /// Puts the destination `to` at the end of a host's list.
    pub fn join(&mut self, host: usize, to: u16, pair: u32, now: Now) {
        let column = match self.hosts[host].columns[usize::from(to)] {
            NONE => self.new_column(host, to, now.epoch),
            column => column,
        };
        self.waits.list(host, column, true);
        self.hosts[host].list.push(Entry { pair, to, column, since: now.slot });
    }

    /// Takes an entry out of a host's list.
    pub fn leave(&mut self, host: usize, place: usize, epoch: i32) {
        let Entry { to, column, .. } = self.hosts[host].list.remove(place);
        self.waits.list(host, column, false);
        self.hosts[host].note(to, column, epoch);
    }

    /// Blocks the destination of an entry at the peer that is met now.
    pub fn block(&mut self, host: usize, place: usize, now: Now) {
        self.waits.block(host, now.phase, self.hosts[host].list[place].column);
    }

    /// The wait of a destination at a peer is `wait` at the meeting in epoch `meeting`.
    pub fn set(&mut self, host: usize, to: u16, peer: usize, meeting: i32, wait: u32) {
        let column = match self.hosts[host].columns[usize::from(to)] {
            NONE if wait == 0 => return,
            NONE => {
                let column = self.new_column(host, to, meeting);
                self.hosts[host].note(to, column, meeting);
                column
            }
            column => column,
        };
        self.waits.set(host, peer, column, meeting.saturating_add_unsigned(wait));
    }

    /// Looks at the list of a host, from `cursor`, with `length` cells in the queue to the peer that is met now.
    /// `may_choose` is false if none is to be chosen.
    pub fn look(&self, host: usize, now: Now, length: u32, cursor: u16, may_choose: bool) -> Look {
        let Host { list, used, .. } = &self.hosts[host];
        // Eligible: the wait, its end less the epoch, is at most the length.
        let limit = now.epoch.saturating_add_unsigned(length);
        let columns = used.next_multiple_of(STEP);
        let (eligible, row) = self.waits.look(host, now.phase, columns, limit);
        let mut look = Look { eligible: eligible as u16, chosen: None };
        if eligible == 0 || !may_choose {
            return look;
        }
        let cursor = usize::from(cursor);
        let first = if cursor < list.len() { cursor } else { 0 };
        let fits = |entry: &Entry| {
            row.is_over(entry.column)
                && (self.gate == 0
                    || is_open((now.slot - entry.since) / self.gate, length, self.peers + 1))
        };
        look.chosen = list[first..]
            .iter()
            .position(&fits)
            .map(|place| first + place)
            .or_else(|| list[..first].iter().position(&fits));
        look
    }

    /// A column of zeros for `to`, which has none.
    fn new_column(&mut self, host: usize, to: u16, epoch: i32) -> u16 {
        let column = self.reclaim(host, epoch).unwrap_or_else(|| self.widen(host));
        self.hosts[host].columns[usize::from(to)] = column;
        column
    }

    /// The column of a host that has been unused longest, if all its waits are zero.
    fn reclaim(&mut self, host: usize, epoch: i32) -> Option<u16> {
        let known = &mut self.hosts[host];
        let &(to, column, since) = known.unused.front()?;
        if epoch < since.saturating_add(PATIENCE) {
            return None;
        }
        known.unused.pop_front();
        known.noted[usize::from(column)] = false;
        if self.waits.is_listed(host, column) {
            // It is noted again when its destination leaves the list.
            return None;
        }
        if self.waits.is_clean(host, column, epoch) {
            known.columns[usize::from(to)] = NONE;
            return Some(column);
        }
        known.note(to, column, epoch);
        None
    }

    /// The next column of a host that no destination has had.
    fn widen(&mut self, host: usize) -> u16 {
        let width = self.waits.width();
        if self.hosts[host].used == width {
            self.waits.widen((2 * width).clamp(STEP, self.peers.next_multiple_of(STEP)));
        }
        let known = &mut self.hosts[host];
        known.used += 1;
        known.noted.push(false);
        known.used as u16 - 1
    }

    /// Epochs are counted from `epochs`, at least [`REBASE`], later on.
    pub fn rebase(&mut self, epochs: i32) {
        debug_assert!(epochs >= REBASE);
        self.waits.rebase(epochs);
        for (_, _, since) in self.hosts.iter_mut().flat_map(|host| &mut host.unused) {
            *since = (*since - epochs).max(0);
        }
    }
}

impl Host {
    /// Remembers that a column may be unused.
    fn note(&mut self, to: u16, column: u16, epoch: i32) {
        if !std::mem::replace(&mut self.noted[usize::from(column)], true) {
            self.unused.push_back((to, column, epoch));
        }
    }
}

/// Whether the gate lets a cell of a destination of this age pass into a queue of this length.
fn is_open(age: u64, length: u32, hosts: usize) -> bool {
    // Age is at least log2 N.
    let reach = u32::try_from(age).ok().and_then(|age| 1u64.checked_shl(age));
    reach.is_none_or(|reach| reach >= hosts as u64 || u64::from(length) <= reach)
}
