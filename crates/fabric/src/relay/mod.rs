//! A simulator of hosts that relay each other's cells (S21 to S23), under any schedule, delay and number of channels, with
//! four rules for when a source lets a cell go: [`Rules`].
//!
//! A cell of host i goes to whichever peer m the schedule connects next, and from there to its destination f: subflow
//! (i, m, f), with m = f as the direct way. Q(i,m) is the queue at i of cells to m; cells of i in it are **local**, others
//! **remote**. A subflow has at most one cell that is on its way to its second queue or that m has not yet reported. A
//! cell that is sent in slot t may leave the next host in slot t + k, k >= 1: it arrives at the end of slot t + k - 1. In
//! each slot
//!
//! 1. flows that start join the ring of their pair (source, destination), in which flows take turns;
//! 2. local cells join queues, if the rules let them join in any slot;
//! 3. channel after channel, each host i with a peer m: subflows over m of pairs that have become active since the link's
//!    last slot may send for the first time; a local cell may join Q(i,m); the first cell of Q(i,m), or an empty one, leaves;
//! 4. each host adds a report about the last cell that the peer has sent;
//! 5. what was sent in slot t - k + 1 arrives. The report of slot r answers the cell of the last slot T of the link in the
//!    other direction with T + k <= r. A cell that is not at its destination joins the queue to it;
//! 6. all queues are sampled.
//!
//! Everything that arrives at the end of a slot may be used in the next. A host reads nothing but its own state and what
//! arrives, so hosts may be simulated in any order: the outcome is the same with any number of workers. The run ends with
//! the slot in which the last flow finishes, or a limit of [`Settings`] is reached.
//!
//! A subflow whose pair has no cells left when its turn comes is as if it had never been used. The direct subflow may send
//! again in the slot after its cell has left.

mod basic;
pub mod classes;
mod consistent;
mod drive;
pub mod failures;
mod lengths;
mod links;
mod literal;
pub mod live;
mod meetings;
mod rule;
mod shoal;
mod sources;
mod subflows;
mod worker;

use crate::flows::Flow;
use crate::outcome::Outcome;
use crate::plan::{self, Plan};
use crate::schedule::{BadFabric, Schedule};
use crate::trace::Trace;
use meetings::Meetings;
use rule::Rule;
use std::fmt;
use std::sync::Arc;

/// Cells that may be on their way at once, in all channels.
pub const MAX_CELLS_UNDERWAY: u64 = 1 << 25;

/// When a source lets a cell go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// S22: (3.1) and (3.2).
    Basic,
    /// S23 with ready queues and (3.6) as printed.
    Literal,
    /// S23 with ready queues and (3.6) that counts the local cell of a queue once.
    Consistent,
    /// Reports say when cells leave: the bound (3.5) and the throughput of permutations are proven.
    Shoal,
}

impl Rules {
    /// All.
    pub const ALL: [Self; 4] = [Self::Basic, Self::Literal, Self::Consistent, Self::Shoal];

    /// What they are called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Basic => basic::Basic::NAME,
            Self::Literal => literal::Literal::NAME,
            Self::Consistent => consistent::Consistent::NAME,
            Self::Shoal => shoal::Shoal::NAME,
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a run is told besides its schedule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The rules.
    pub rules: Rules,
    /// The length of a slot in nanoseconds; it changes nothing but times in the outcome.
    pub slot_ns: f64,
    /// Slots from a cell's departure to the first in which it may leave the next host, k: 1 or more, and at most
    /// [`MAX_CELLS_UNDERWAY`] cells in all are on their way.
    pub delay: u64,
    /// Slots of a step of age by which sources hold back cells of young pairs (S23), 0: they do not.
    pub gate: u64,
    /// The run ends after so many epochs, 1 or more.
    pub epochs: Option<u64>,
    /// The run ends with the slot in which so many flows have finished.
    pub finish: Option<u64>,
    /// Per cent of the hosts that have failed, 0 to 100: those with the least numbers. Their flows are ignored, and no
    /// cell is sent over them.
    pub fail: f64,
    /// The slots before this one do not count for the throughput.
    pub warmup: u64,
}

/// A delay in slots, unless it is none or has more than [`MAX_CELLS_UNDERWAY`] cells on their way.
pub(crate) fn check_delay(schedule: &Schedule, delay: u64) -> Result<u64, BadFabric> {
    let width = (schedule.hosts() * schedule.channels()) as u64;
    let longest = (MAX_CELLS_UNDERWAY / width).max(1);
    if !(1..=longest).contains(&delay) {
        return Err(BadFabric(format!(
            "expected a delay of 1 to {longest} slots, as {} hosts with {} channels have {width} cells underway a \
             slot, found {}; change --delay-ns or --slot-ns",
            schedule.hosts(),
            schedule.channels(),
            delay
        )));
    }
    Ok(delay)
}

impl Settings {
    /// No delay beyond a slot, no gate, nothing failed, until all flows have finished.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            slot_ns: 1.0,
            delay: 1,
            gate: 0,
            epochs: None,
            finish: None,
            fail: 0.0,
            warmup: 0,
        }
    }

    /// Whether [`run`] can run with these settings.
    pub fn check(&self, schedule: &Schedule) -> Result<(), BadFabric> {
        check_delay(schedule, self.delay)?;
        if self.epochs == Some(0) {
            return Err(BadFabric("expected 1 epoch or more, found 0; change --epochs".into()));
        }
        plan::failed_hosts(schedule.hosts(), self.fail)?;
        Ok(())
    }
}

/// What follows from the schedule and the delay.
struct Fabric {
    meetings: Meetings,
    delay: u64,
    /// Cells of a link that may have to be answered at once, H.
    open_cells: usize,
    /// After so many slots without cells in the fabric every report has arrived and nothing but release slots of unused
    /// subflows is left of them.
    quiet_slots: u64,
}

impl Fabric {
    fn new(schedule: &Schedule, settings: &Settings) -> Self {
        let meetings = Meetings::new(schedule.clone());
        let epoch_slots = meetings.epoch_slots();
        Self {
            meetings,
            delay: settings.delay,
            open_cells: (2 * settings.delay / epoch_slots) as usize + 3,
            quiet_slots: 2 * settings.delay + 3 * epoch_slots,
        }
    }

    /// The slot of the cell that a report of slot `sent` answers: the last one, at most `sent - k`, in which the link in
    /// the other direction has its slot. `phase` is that link's slot of the epoch.
    fn answered(&self, sent: u64, phase: u64) -> Option<u64> {
        let since_first = sent.checked_sub(self.delay)?.checked_sub(phase)?;
        Some(phase + since_first / self.meetings.epoch_slots() * self.meetings.epoch_slots())
    }

    /// Which of a link's open cells is that of `slot`.
    fn open_place(&self, slot: u64) -> usize {
        (slot / self.meetings.epoch_slots()) as usize % self.open_cells
    }
}

/// Runs `flows`, which [`crate::flows::read`] has read for as many hosts as `schedule` has, with 1 worker to one a host,
/// a thread each: the outcome is the same with any number. `trace` gets each cell that is sent.
///
/// Memory grows with the square of the hosts, with the flows and with cells that wait, not with the cells of a flow.
///
/// # Panics
///
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    workers: usize,
    trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    match settings.rules {
        Rules::Basic => run_rule::<basic::Basic>(schedule, settings, flows, workers, trace),
        Rules::Literal => run_rule::<literal::Literal>(schedule, settings, flows, workers, trace),
        Rules::Consistent => {
            run_rule::<consistent::Consistent>(schedule, settings, flows, workers, trace)
        }
        Rules::Shoal => run_rule::<shoal::Shoal>(schedule, settings, flows, workers, trace),
    }
}

fn run_rule<R: Rule + Send>(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    workers: usize,
    trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    let hosts = schedule.hosts();
    settings.check(schedule)?;
    let fabric = Arc::new(Fabric::new(schedule, settings));
    let failed = plan::failed_hosts(hosts, settings.fail)?;
    let ranges = plan::shares(hosts, workers)?;
    let plan = Arc::new(Plan::new(flows, failed, &ranges));
    let (workers, slots) = drive::drive::<R>(&plan, &fabric, settings, ranges, trace)?;
    let (warmup, flows) = (settings.warmup, plan.flows.len() as u64);
    let empty = Outcome::new(R::NAME, hosts, schedule.channels(), settings.slot_ns);
    let mut outcome = Outcome { slots, warmup, flows, ..empty };
    for worker in &workers {
        worker.count(slots, &mut outcome);
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
