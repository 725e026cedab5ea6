//! Hardware that relays cells, and what an observer counts of it: the same [`Outcome`] and the same trace as those of
//! [`crate::relay`], without a line of its rules.
//!
//! Hardware ([`Hardware`]) gets cells and does slot after slot. It tells three kinds of [`Events`]: a host puts a cell of
//! its own into a queue, a host sends a cell, a cell is at its destination. It knows pairs of hosts, no flows: the observer
//! gives each cell to the flow whose turn it is. It keeps a copy of all queues and of what is on its way, and holds the
//! hardware to it: queues are first in, first out, a queue with cells sends in each slot of its link, a cell is there k
//! slots later, once, and cells of a pair have numbers that count from 0. Which cell a host lets go and when is the
//! hardware's decision; all else is an error that says in which slot what was expected and what was found.
//!
//! A fabric in which nothing has happened for [`quiet_slots`] forgets all but the phase of its epoch. Whole epochs without
//! cells are then skipped: the hardware stands still, and the observer counts them.

mod account;
pub mod failures;
pub mod late;
mod sources;

use crate::flows::Flow;
use crate::offsets::ClockCounts;
use crate::outcome::Outcome;
use crate::relay::Settings;
use crate::schedule::{BadFabric, Schedule};
use crate::trace::Trace;
use account::Account;
use std::fmt;

/// Cells for a host to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    /// The host that sends.
    pub src: usize,
    /// The host that receives, another one.
    pub dst: usize,
    /// So many cells more, 1 or more.
    pub cells: u64,
}

/// A host puts a cell of its own into a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queued {
    /// The host.
    pub src: usize,
    /// The peer whose queue it is.
    pub via: usize,
    /// The host that receives the cell; `src` itself: an empty cell, which tells what has come.
    pub dst: usize,
    /// If it was in a queue before, of a link to a host that has died: the low bits of its number among those of source and destination.
    pub again: Option<u64>,
}

/// A host sends a cell that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Left {
    /// Who sends.
    pub from: usize,
    /// To whom.
    pub to: usize,
    /// The cell's source.
    pub src: usize,
    /// The cell's destination.
    pub dst: usize,
    /// The low bits of its number among those of source and destination.
    pub seq: u64,
}

/// A cell is at its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrived {
    /// The cell's source.
    pub src: usize,
    /// The cell's destination.
    pub dst: usize,
    /// The low bits of its number among those of source and destination.
    pub seq: u64,
}

/// What happens in a slot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cells that join queues at their sources: those of a pair in the order of their numbers, if it is for the first time.
    pub queued: Vec<Queued>,
    /// Cells that are sent, by channel and sender.
    pub sent: Vec<Left>,
    /// Cells that arrive at the end of the slot, in any order.
    pub received: Vec<Arrived>,
    /// How many cells hosts have found that went over hosts that have died.
    pub found: u64,
    /// Whether hosts search for such cells, at the end of the slot.
    pub is_searching: bool,
}

/// What the start signal of a host that comes back tells, it or another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// The host that is told.
    pub host: usize,
    /// What follows is about this one.
    pub peer: usize,
    /// The number of the next cell that the peer sends to the host.
    pub missing: u64,
    /// To the host that comes back: the number of the next cell that it sends to the peer, and whether the peer is dead.
    pub own: Option<(u64, bool)>,
}

impl Events {
    fn clear(&mut self) {
        self.queued.clear();
        self.sent.clear();
        self.received.clear();
        (self.found, self.is_searching) = (0, false);
    }
}

/// A fabric that is not the model.
pub trait Hardware {
    /// Why it cannot go on.
    type Error;

    /// Bits of a cell's number that it tells, 1 to 64.
    fn seq_bits(&self) -> u32;

    /// The most cells of a pair that it can be told to send beside those that are not yet in a queue, 4 or more. There is
    /// more to come while a pair has cells that were not offered.
    fn most_cells(&self) -> u64;

    /// These cells are there from the first slot on, at most one offer for each pair.
    ///
    /// # Errors
    /// It does not start.
    fn start(&mut self, offers: &[Offer]) -> Result<(), Self::Error>;

    /// The next slot, whose events it puts into `events`, which is empty. Offers are for the slot behind it, at most one
    /// for each pair.
    ///
    /// # Errors
    /// It stopped, or has found a fault itself.
    fn slot(&mut self, offers: &[Offer], events: &mut Events) -> Result<(), Self::Error>;

    /// In the next slot these bits of the header of the cell that a host sends are inverted on the line, by host.
    fn damage(&mut self, headers: &[u64]) {
        let _ = headers;
    }

    /// Hosts may die, and only some are there in the first slot. Before [`start`](Self::start).
    fn may_die(&mut self, lives: &[bool]) {
        let _ = lives;
    }

    /// A schedule of some hosts will take the place of the first. Before [`start`](Self::start).
    fn may_repair(&mut self, schedule: &Schedule, hosts: &[usize]) {
        let _ = (schedule, hosts);
    }

    /// In the next slot nothing but empty cells leaves; that schedule begins with it.
    fn repair(&mut self, pauses: bool, begins: bool) {
        let _ = (pauses, begins);
    }

    /// Hosts that live in the slot behind the next one, and the start signals of those that come back in it.
    fn lives(&mut self, lives: &[bool], starts: &[Start]) {
        let _ = (lives, starts);
    }

    /// What slot clocks that are off have cost until now, if it counts that instead of giving up.
    fn clock_counts(&self) -> ClockCounts {
        ClockCounts::default()
    }

    /// So many slots, whole epochs, are skipped: all queues are empty and nothing is on its way.
    fn skip(&mut self, slots: u64) {
        let _ = slots;
    }
}

/// Why a run on hardware has no outcome.
#[derive(Debug, PartialEq, Eq)]
pub enum Failure<E> {
    /// The settings do not go together.
    Settings(BadFabric),
    /// The hardware gave up.
    Hardware(E),
    /// It did what no fabric may do, or nothing for too long: in which slot, what was expected, what was found.
    Wrong(String),
}

impl<E: fmt::Display> fmt::Display for Failure<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Settings(bad) => write!(f, "{bad}"),
            Self::Hardware(error) => write!(f, "{error}"),
            Self::Wrong(text) => f.write_str(text),
        }
    }
}

/// After so many slots without a cell nothing is left of those before: every report has arrived, and each subflow's next
/// cell may go. A waiting subflow waits for N + 1 epochs at most, and has one of its own until it is noticed
/// (docs/fabric-rules.md).
pub fn quiet_slots(schedule: &Schedule, delay: u64) -> u64 {
    let (hosts, epoch_slots) = (schedule.hosts() as u64, schedule.slots() as u64);
    2 * delay + (hosts + 5) * epoch_slots
}

/// Runs `flows`, which [`crate::flows::read`] has read for as many hosts as `schedule` has, on hardware that was not yet
/// started. Of the settings, `rules` is a name only: the hardware has its own; no host has failed, whatever `fail` says.
///
/// # Errors
/// The settings do not go together, or the hardware does what no fabric may do; the run has no outcome then, but the cells
/// until then are in the trace.
///
/// # Panics
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run<H: Hardware>(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    hardware: &mut H,
    mut trace: Option<Trace<'_>>,
) -> Result<Outcome, Failure<H::Error>> {
    settings.check(schedule).map_err(Failure::Settings)?;
    let epoch_slots = schedule.slots() as u64;
    let end = settings.epochs.map(|epochs| epochs.saturating_mul(epoch_slots));
    let quiet_slots = quiet_slots(schedule, settings.delay);
    let mut account =
        Account::new(schedule, settings, flows, hardware.seq_bits(), hardware.most_cells());
    let mut offers = Vec::new();
    let mut events = Events::default();
    account.offer(0, &mut offers);
    hardware.start(&offers).map_err(Failure::Hardware)?;
    // The slot after the last event, and the slot after the last in which there was an event or nothing to do.
    let (mut quiet, mut moved) = (0, 0);
    loop {
        let slot = account.slot();
        if account.is_idle()
            && slot - quiet >= quiet_slots
            && let Some(next) = account.next_start()
        {
            // The slot before the next flow's is not skipped: the flow is offered in it. Nor is the last of all.
            let target = next.min(end.unwrap_or(next)).saturating_sub(1);
            let slots = target.saturating_sub(slot) / epoch_slots * epoch_slots;
            if slots > 0 {
                hardware.skip(slots);
                account.skip(slots);
            }
        }
        account.offer(account.slot() + 1, &mut offers);
        events.clear();
        hardware.slot(&offers, &mut events).map_err(Failure::Hardware)?;
        let is_quiet = events == Events::default();
        account.pass(&mut events, &mut trace).map_err(Failure::Wrong)?;
        if !is_quiet {
            quiet = account.slot();
        }
        if !is_quiet || account.is_idle() {
            moved = account.slot();
        }
        if end == Some(account.slot())
            || settings.finish.is_some_and(|finish| account.finished() >= finish)
            || account.is_over()
        {
            return Ok(account.outcome());
        }
        if account.slot() - moved > 2 * quiet_slots {
            return Err(Failure::Wrong(account.standstill(moved)));
        }
    }
}
