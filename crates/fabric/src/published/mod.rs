//! The rules `published`: what the public simulator of Shoal's authors computes, slot by slot.
//!
//! Plain order, one channel, no delay, nothing random. Host i sends to host m in slot t if m = i + c + 1 (modulo N), c being
//! the slot of the epoch, t modulo P, P = N - 1. A host keeps for each peer m a queue Q\[m\] of cells to m; a list L\[m\] of its
//! destinations with cells to send, each with a wait; a cursor in that list; and ready\[m\], how many of the list could have
//! sent last time and did not. In each slot a host
//!
//! 1. takes up the flows that start; a destination that is new goes to the end of the list of each peer;
//! 2. notes the length of Q\[m\], the only sample of queues;
//! 3. goes round L\[m\] from the cursor. An entry is eligible if its wait is at most the length of Q\[m\] and it is not blocked.
//!    The first eligible one that its gate lets pass is chosen, if Q\[m\] has no own cell. Waits fall by one;
//! 4. puts a cell of the chosen destination at the end of Q\[m\]; the destination is blocked at m until m has told how long
//!    its queue to it is;
//! 5. lets the waits of destinations that are in no list fall, too;
//! 6. sends the head of Q\[m\] or an empty cell, with two values: how many cells wait and are ready for the destinations of
//!    the last two cells from m.
//!
//! Then the cells of the slot arrive: 7. a value becomes the wait of its destination, less one if the peer serves it before
//! they meet again; 8. a cell for this host is received, another goes to the queue of its destination; 9. what was sent is
//! remembered, for the next value.
//!
//! The run ends after step 6 of a slot, whose cells never arrive.

mod drive;
mod links;
mod sources;
mod waits;
mod worker;

use crate::flows::Flow;
use crate::outcome::Outcome;
use crate::plan::{self, Plan};
use crate::schedule::{BadFabric, MAX_HOSTS};
use crate::trace::Trace;

/// The length of a slot in nanoseconds, 1.1 times 5.12 in binary32: 5.632 but for the rounding.
pub const SLOT_NS: f32 = 1.1 * 5.12;

/// The name of these rules.
pub const NAME: &str = "published";

/// What a run is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Hosts, N: 2 to [`MAX_HOSTS`].
    pub hosts: usize,
    /// Slots of a step of age by which sources hold back cells of young flows, G; 0: they do not.
    pub gate: u64,
    /// The run ends after so many epochs of N - 1 slots, 1 or more.
    pub epochs: Option<u64>,
    /// The run ends in the slot after that in which so many flows have finished.
    pub finish: Option<u64>,
    /// Per cent of the hosts that have failed, 0 to 100: those with the least numbers. Their flows are ignored.
    pub fail: f64,
    /// The slots before this one do not count for the throughput.
    pub warmup: u64,
}

impl Settings {
    /// No gate, nothing failed, until nothing is left to send.
    pub fn new(hosts: usize) -> Self {
        Self { hosts, gate: 0, epochs: None, finish: None, fail: 0.0, warmup: 0 }
    }
}

/// Runs `flows`, which [`crate::flows::read`] has read for as many hosts, with 1 to `settings.hosts` workers, a thread
/// each: the outcome is the same with any number. `trace` gets each cell that is sent.
///
/// # Panics
///
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run(
    settings: &Settings,
    flows: &[Flow],
    workers: usize,
    trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    let Settings { hosts, epochs, fail, warmup, .. } = *settings;
    if !(2..=MAX_HOSTS).contains(&hosts) {
        return Err(BadFabric(format!("expected 2 to {MAX_HOSTS} hosts, found {hosts}")));
    }
    if epochs == Some(0) {
        return Err(BadFabric("expected 1 epoch or more, found 0".into()));
    }
    let failed = plan::failed_hosts(hosts, fail)?;
    let ranges = plan::shares(hosts, workers)?;
    let plan = Plan::new(flows, failed, &ranges);
    let (workers, slots) = drive::drive(&plan, settings, ranges, trace)?;
    let flows = plan.flows.len() as u64;
    let mut outcome =
        Outcome { slots, warmup, flows, ..Outcome::new(NAME, hosts, 1, SLOT_NS.into()) };
    for worker in &workers {
        worker.count(&mut outcome);
    }
    let of = |host: u16| {
        let place = workers.partition_point(|worker| worker.range().end <= usize::from(host));
        &workers[place]
    };
    outcome.finished = plan.finished(
        |flow| of(flow.src).queued(flow.at_source),
        |flow| of(flow.dst).received(flow.at_destination),
    );
    Ok(outcome)
}
