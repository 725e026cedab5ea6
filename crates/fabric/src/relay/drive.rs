//! The slots of a run: workers in step, what they send each other, and when the run ends.

use super::rule::Rule;
use super::worker::Worker;
use super::{Fabric, Settings};
use crate::barrier::{Barrier, in_step};
use crate::plan::Plan;
use crate::queue::Cell;
use crate::schedule::BadFabric;
use crate::trace::{SentCell, Trace};
use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// What a host sends in a slot of a channel.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The cell.
    pub cell: Cell,
    /// The report about the last cell from the peer.
    pub value: u32,
}

impl Sent {
    /// Nothing.
    pub const NOTHING: Self = Self { cell: Cell::EMPTY, value: 0 };
}

/// What workers tell each other. Each writes its own entries in one phase of a slot and reads all in the next.
struct Shared<'a> {
    plan: &'a Arc<Plan>,
    fabric: &'a Arc<Fabric>,
    settings: &'a Settings,
    barrier: Barrier,
    ranges: Vec<Range<usize>>,
    /// By worker, `[slot mod k][channel][host]`: what is on its way.
    air: Vec<RwLock<Vec<Sent>>>,
    /// By worker.
    news: Vec<RwLock<News>>,
}

/// What a slot has brought at a worker.
#[derive(Debug, Default)]
struct News {
    /// Pairs of flows that have finished.
    finished: Vec<u32>,
    is_idle: bool,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_> {
    /// Where a worker's `hosts` hosts have in its air what they send in `slot`, over all channels.
    fn row(&self, slot: u64, hosts: usize) -> Range<usize> {
        let length = self.fabric.meetings.channels() * hosts;
        let start = (slot % self.settings.delay) as usize * length;
        start..start + length
    }

    /// What was sent in `slot` on `channel` to hosts `range`, `shift` hosts before each.
    fn arrivals(
        &self,
        range: &Range<usize>,
        slot: u64,
        channel: usize,
        shift: usize,
        into: &mut Vec<Sent>,
    ) {
        into.clear();
        let hosts = self.fabric.meetings.hosts();
        let start = (range.start + hosts - shift) % hosts;
        let end = start + range.len();
        for part in [start..end.min(hosts), 0..end.saturating_sub(hosts)] {
            for (owned, air) in self.ranges.iter().zip(&self.air) {
                let (from, to) = (part.start.max(owned.start), part.end.min(owned.end));
                if from < to {
                    let row = self.row(slot, owned.len()).start + channel * owned.len();
                    into.extend(&read(air)[row + from - owned.start..row + to - owned.start]);
                }
            }
        }
    }

    /// All that was sent in a slot.
    fn trace(&self, slot: u64, trace: &mut dyn FnMut(&SentCell)) {
        for channel in 0..self.fabric.meetings.channels() {
            let Some((shift, _)) = self.fabric.meetings.senders(channel, slot) else { continue };
            for (range, air) in self.ranges.iter().zip(&self.air) {
                let row = self.row(slot, range.len()).start + channel * range.len();
                let sent = &read(air)[row..row + range.len()];
                for (from, Sent { cell, .. }) in range.clone().zip(sent) {
                    let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
                    if !cell.is_empty() {
                        let to = self.fabric.meetings.behind(from, shift);
                        trace(&SentCell { slot, from, to, src, dst, seq: cell.seq });
                    }
                }
            }
        }
    }
}

/// Runs the plan; returns the workers in the order of hosts, and the slots that have passed.
pub fn drive<R: Rule + Send>(
    plan: &Arc<Plan>,
    fabric: &Arc<Fabric>,
    settings: &Settings,
    ranges: Vec<Range<usize>>,
    trace: Option<Trace<'_>>,
) -> Result<(Vec<Worker<R>>, u64), BadFabric> {
    let cells = settings.delay as usize * fabric.meetings.channels();
    let shared = &Shared {
        plan,
        fabric,
        settings,
        barrier: Barrier::new(ranges.len()),
        air: ranges
            .iter()
            .map(|range| RwLock::new(vec![Sent::NOTHING; cells * range.len()]))
            .collect(),
        news: ranges.iter().map(|_| RwLock::default()).collect(),
        ranges,
    };
    let worker = |me: usize| {
        Worker::new(Arc::clone(plan), Arc::clone(fabric), *settings, shared.ranges[me].clone())
    };
    let results = in_step(
        &shared.barrier,
        |me| {
            let mut worker = worker(me);
            let passed = slots(&mut worker, me, shared, None);
            (worker, passed)
        },
        || {
            let mut worker = worker(0);
            let passed = slots(&mut worker, 0, shared, trace);
            (worker, passed)
        },
    )?;
    let passed = results[0].1;
    Ok((results.into_iter().map(|(worker, _)| worker).collect(), passed))
}

/// All slots of worker number `me`. Returns how many there were.
fn slots<R: Rule>(
    worker: &mut Worker<R>,
    me: usize,
    shared: &Shared<'_>,
    mut trace: Option<Trace<'_>>,
) -> u64 {
    let Shared { plan, fabric, settings, .. } = shared;
    let meetings = &fabric.meetings;
    let range = worker.range();
    let end = settings.epochs.map(|epochs| epochs.saturating_mul(meetings.epoch_slots()));
    let mut arrived = Vec::new();
    let mut finished: u64 = 0;
    let mut all_idle = true;
    let mut slot = 0;
    // The slot after the last in which something was on its way.
    let mut quiet = 0;
    loop {
        // A flow may start and finish in one slot.
        let started = worker.started();
        if finished == started as u64
            && all_idle
            && slot - quiet >= fabric.quiet_slots
            && let Some(next) = plan.flows.get(started)
        {
            slot = next.start.min(end.map_or(u64::MAX, |end| end - 1));
        }
        worker.send(slot, &mut write(&shared.air[me])[shared.row(slot, range.len())]);
        if !shared.barrier.wait() {
            return slot;
        }
        if let Some(trace) = &mut trace {
            shared.trace(slot, trace);
        }
        if let Some(sent) = (slot + 1).checked_sub(settings.delay) {
            for channel in 0..meetings.channels() {
                let Some((shift, senders)) = meetings.senders(channel, sent) else { continue };
                shared.arrivals(&range, sent, channel, shift, &mut arrived);
                worker.receive(slot, sent, (shift, senders), &arrived);
            }
        }
        {
            let mut news = write(&shared.news[me]);
            worker.take_finished(&mut news.finished);
            news.is_idle = worker.is_idle();
        }
        if !shared.barrier.wait() {
            return slot;
        }
        all_idle = true;
        for news in &shared.news {
            let News { finished: pairs, is_idle } = &*read(news);
            finished += pairs.len() as u64;
            worker.finish(pairs);
            all_idle &= is_idle;
        }
        worker.end_slot();
        slot += 1;
        if end == Some(slot)
            || settings.finish.is_some_and(|finish| finished >= finish)
            || finished == plan.flows.len() as u64
        {
            return slot;
        }
        if finished < worker.started() as u64 || worker.started() > started {
            quiet = slot;
        }
    }
}
