//! The slots of a run: workers in step, what they send each other, and when the run ends.

use super::Settings;
use super::worker::{Sent, Worker};
use crate::barrier::{Barrier, in_step};
use crate::plan::Plan;
use crate::schedule::BadFabric;
use crate::trace::{SentCell, Trace};
use std::ops::Range;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// After so many epochs without cells nothing is remembered of them but sequence numbers, cursors and the list of waits.
const QUIET_EPOCHS: u64 = 3;

/// What workers tell each other. Each writes its own entries in one phase of a slot and reads all in the next.
struct Shared {
    barrier: Barrier,
    ranges: Vec<Range<usize>>,
    sent: Vec<RwLock<Vec<Sent>>>,
    finished: Vec<RwLock<Vec<u32>>>,
}

impl Shared {
    fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
        lock.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
        lock.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was sent to hosts `range`, `distance` hosts before each.
    fn arrivals(&self, range: Range<usize>, distance: usize, hosts: usize, into: &mut Vec<Sent>) {
        into.clear();
        let start = (range.start + hosts - distance) % hosts;
        let end = start + range.len();
        for part in [start..end.min(hosts), 0..end.saturating_sub(hosts)] {
            for (owned, sent) in self.ranges.iter().zip(&self.sent) {
                let (from, to) = (part.start.max(owned.start), part.end.min(owned.end));
                if from < to {
                    into.extend(&Self::read(sent)[from - owned.start..to - owned.start]);
                }
            }
        }
    }

    /// All that was sent in a slot.
    fn trace(&self, slot: u64, distance: usize, hosts: usize, trace: &mut dyn FnMut(&SentCell)) {
        for (range, sent) in self.ranges.iter().zip(&self.sent) {
            for (from, Sent { cell, .. }) in range.clone().zip(Self::read(sent).iter()) {
                if cell.is_empty() {
                    continue;
                }
                let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
                let to = (from + distance) % hosts;
                trace(&SentCell { slot, from, to, src, dst, seq: cell.seq });
            }
        }
    }
}

/// Runs the plan with `workers` workers; returns them in the order of hosts, and the slots that have passed.
pub fn drive<'a>(
    plan: &'a Plan,
    settings: &Settings,
    ranges: Vec<Range<usize>>,
    trace: Option<Trace<'_>>,
) -> Result<(Vec<Worker<'a>>, u64), BadFabric> {
    let nothing = |range: &Range<usize>| RwLock::new(vec![Sent::NOTHING; range.len()]);
    let shared = &Shared {
        barrier: Barrier::new(ranges.len()),
        sent: ranges.iter().map(nothing).collect(),
        finished: ranges.iter().map(|_| RwLock::default()).collect(),
        ranges,
    };
    let worker = |me: usize| Worker::new(plan, settings, shared.ranges[me].clone());
    let results = in_step(
        &shared.barrier,
        |me| {
            let mut worker = worker(me);
            let passed = slots(&mut worker, me, plan, settings, shared, None);
            (worker, passed)
        },
        || {
            let mut worker = worker(0);
            let passed = slots(&mut worker, 0, plan, settings, shared, trace);
            (worker, passed)
        },
    )?;
    let passed = results[0].1;
    Ok((results.into_iter().map(|(worker, _)| worker).collect(), passed))
}

/// All slots of worker number `me`. Returns how many there were.
fn slots(
    worker: &mut Worker<'_>,
    me: usize,
    plan: &Plan,
    settings: &Settings,
    shared: &Shared,
    mut trace: Option<Trace<'_>>,
) -> u64 {
    let hosts = settings.hosts;
    let epoch_slots = hosts as u64 - 1;
    let last = settings.epochs.map(|epochs| epochs.saturating_mul(epoch_slots) - 1);
    let mut arrived = Vec::new();
    let mut finished: u64 = 0;
    let mut slot = 0;
    // The slot after the last in which something was on its way.
    let mut quiet = 0;
    loop {
        // A flow may start and finish in one slot.
        let started = worker.started();
        if finished == started as u64
            && slot - quiet >= QUIET_EPOCHS * epoch_slots
            && let Some(next) = plan.flows.get(started)
        {
            let until = next.start.min(last.unwrap_or(u64::MAX));
            worker.pass(until - slot);
            slot = until;
        }
        let distance = (slot % epoch_slots) as usize + 1;
        worker.send(slot, &mut Shared::write(&shared.sent[me]));
        if !shared.barrier.wait() {
            return slot;
        }
        if let Some(trace) = &mut trace {
            shared.trace(slot, distance, hosts, trace);
        }
        let ends = last == Some(slot)
            || settings.finish.is_some_and(|finish| finished >= finish)
            || finished == plan.flows.len() as u64;
        if ends {
            worker.end_slot();
            return slot + 1;
        }
        shared.arrivals(worker.range(), distance, hosts, &mut arrived);
        {
            let mut finished = Shared::write(&shared.finished[me]);
            worker.receive(slot, &Shared::read(&shared.sent[me]), &arrived, &mut finished);
        }
        if !shared.barrier.wait() {
            return slot;
        }
        for pairs in &shared.finished {
            let pairs = Shared::read(pairs);
            finished += pairs.len() as u64;
            worker.finish(&pairs);
        }
        worker.end_slot();
        slot += 1;
        if finished < worker.started() as u64 || worker.started() > started {
            quiet = slot;
        }
    }
}
