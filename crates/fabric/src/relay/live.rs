//! Hosts that get cells to send while slots pass: who keeps the time says when, and asks what has arrived.

use super::drive::Sent;
use super::rule::Rule;
use super::worker::Worker;
use super::{Fabric, Rules, Settings, basic, consistent, literal, shoal};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::schedule::{BadFabric, Schedule};
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// What a slot has moved, in the order of channels and hosts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// The source of each cell that has left its source.
    pub left: Vec<usize>,
    /// Source and destination of each cell that has arrived where it belongs.
    pub arrived: Vec<(usize, usize)>,
}

/// A fabric between two slots. Nothing has been given to its hosts at first. See the module.
///
/// Memory grows with the square of the hosts, and with cells that are in queues or on their way; not with those that wait
/// to be queued.
pub struct Live(Box<dyn Slots>);

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("slot", &self.slot()).finish_non_exhaustive()
    }
}

impl Live {
    /// A fabric with these rules. It has no end: [`Settings::epochs`] and [`Settings::finish`] are not looked at.
    ///
    /// # Errors
    /// As [`Settings::check`], or some hosts have failed.
    pub fn new(schedule: &Schedule, settings: &Settings) -> Result<Self, BadFabric> {
        settings.check(schedule)?;
        if settings.fail != 0.0 {
            return Err(BadFabric(format!(
                "expected no failed hosts in a fabric that gets its cells while it runs, found {} per cent; leave out \
                 --fail",
                settings.fail
            )));
        }
        Ok(Self(match settings.rules {
            Rules::Basic => Box::new(Hosts::<basic::Basic>::new(schedule, settings)),
            Rules::Literal => Box::new(Hosts::<literal::Literal>::new(schedule, settings)),
            Rules::Consistent => Box::new(Hosts::<consistent::Consistent>::new(schedule, settings)),
            Rules::Shoal => Box::new(Hosts::<shoal::Shoal>::new(schedule, settings)),
        }))
    }

    /// The next slot to [`pass`](Self::pass).
    pub fn slot(&self) -> u64 {
        self.0.slot()
    }

    /// A host gets cells for another, 1 or more, before the next slot; it sends them after those that it has for it.
    ///
    /// # Panics
    /// There is no such pair of hosts.
    pub fn give(&mut self, src: usize, dst: usize, cells: u64) {
        self.0.give(src, dst, cells);
    }

    /// The next slot passes. `moved` gets what it has moved, in place of what is there.
    pub fn pass(&mut self, moved: &mut Moved) {
        moved.left.clear();
        moved.arrived.clear();
        self.0.pass(moved);
    }

    /// Cells of a pair that have arrived together with all before them, since the start.
    ///
    /// # Panics
    /// There is no such pair of hosts.
    pub fn in_order(&self, src: usize, dst: usize) -> u64 {
        self.0.in_order(src, dst)
    }

    /// Whether slots will pass like one another until a host gets cells.
    pub fn is_quiet(&self) -> bool {
        self.0.is_quiet()
    }

    /// The slots before `slot` pass at once.
    ///
    /// # Panics
    /// The fabric is not quiet.
    pub fn skip_to(&mut self, slot: u64) {
        assert!(self.is_quiet(), "slots that something happens in are not skipped");
        self.0.skip_to(slot);
    }

    /// What was counted in the slots that have passed. There are no flows in it.
    pub fn outcome(&self) -> Outcome {
        self.0.outcome()
    }
}

/// [`Live`] with any rules.
trait Slots {
    fn slot(&self) -> u64;
    fn give(&mut self, src: usize, dst: usize, cells: u64);
    fn pass(&mut self, moved: &mut Moved);
    fn in_order(&self, src: usize, dst: usize) -> u64;
    fn is_quiet(&self) -> bool;
    fn skip_to(&mut self, slot: u64);
    fn outcome(&self) -> Outcome;
}

struct Hosts<R> {
    worker: Worker<R>,
    fabric: Arc<Fabric>,
    settings: Settings,
    /// `[slot mod k][channel][host]`: what is on its way.
    air: Vec<Sent>,
    arriving: Vec<Sent>,
    slot: u64,
    /// Pairs that have cells which have not arrived.
    unfinished: usize,
    finished: Vec<u32>,
    /// The slot after the last in which something was on its way, if ever there was.
    still_since: Option<u64>,
}

impl<R: Rule> Hosts<R> {
    fn new(schedule: &Schedule, settings: &Settings) -> Self {
        let fabric = Arc::new(Fabric::new(schedule, settings));
        let hosts = schedule.hosts();
        let plan = Arc::new(Plan::of_all_pairs(hosts));
        let sent = settings.delay as usize * schedule.channels() * hosts;
        Self {
            worker: Worker::new(plan, Arc::clone(&fabric), *settings, 0..hosts),
            fabric,
            settings: *settings,
            air: vec![Sent::NOTHING; sent],
            arriving: Vec::with_capacity(hosts),
            slot: 0,
            unfinished: 0,
            finished: Vec::new(),
            still_since: None,
        }
    }

    fn hosts(&self) -> usize {
        self.fabric.meetings.hosts()
    }

    /// Where in the air lies what was sent in a slot on a channel.
    fn row(&self, slot: u64, channel: usize) -> Range<usize> {
        let rows = (slot % self.settings.delay) as usize * self.fabric.meetings.channels();
        let start = (rows + channel) * self.hosts();
        start..start + self.hosts()
    }
}

impl<R: Rule> Slots for Hosts<R> {
    fn slot(&self) -> u64 {
        self.slot
    }

    fn give(&mut self, src: usize, dst: usize, cells: u64) {
        let pair = Plan::number_of_pair(self.hosts(), src, dst);
        self.unfinished += usize::from(self.worker.give(pair, cells, self.slot));
        self.still_since = Some(self.slot);
    }

    fn pass(&mut self, moved: &mut Moved) {
        let (slot, channels) = (self.slot, self.fabric.meetings.channels());
        let sent = self.row(slot, 0).start..self.row(slot, channels - 1).end;
        self.worker.send(slot, &mut self.air[sent.clone()]);
        for (place, Sent { cell, .. }) in self.air[sent].iter().enumerate() {
            let host = place % self.hosts();
            if !cell.is_empty() && usize::from(cell.src) == host {
                moved.left.push(host);
            }
        }
        if let Some(sent) = (slot + 1).checked_sub(self.settings.delay) {
            for channel in 0..channels {
                let Some((shift, senders)) = self.fabric.meetings.senders(channel, sent) else {
                    continue;
                };
                let row = &self.air[self.row(sent, channel)];
                let (low, high) = row.split_at(self.hosts() - shift);
                self.arriving.clear();
                self.arriving.extend(high.iter().chain(low));
                self.worker.receive(slot, sent, (shift, senders), &self.arriving);
                for (host, Sent { cell, .. }) in self.arriving.iter().enumerate() {
                    if !cell.is_empty() && usize::from(cell.dst) == host {
                        moved.arrived.push((usize::from(cell.src), host));
                    }
                }
            }
        }
        self.worker.take_finished(&mut self.finished);
        self.worker.finish(&self.finished);
        self.unfinished -= self.finished.len();
        self.worker.end_slot();
        self.slot += 1;
        if self.unfinished > 0 || !self.finished.is_empty() {
            self.still_since = Some(self.slot);
        }
    }

    fn in_order(&self, src: usize, dst: usize) -> u64 {
        self.worker.in_order(Plan::number_of_pair(self.hosts(), src, dst))
    }

    fn is_quiet(&self) -> bool {
        let reports_are_there =
            self.still_since.is_none_or(|since| self.slot >= since + self.fabric.quiet_slots);
        self.unfinished == 0 && self.worker.is_idle() && reports_are_there
    }

    fn skip_to(&mut self, slot: u64) {
        self.slot = self.slot.max(slot);
    }

    fn outcome(&self) -> Outcome {
        let Settings { slot_ns, warmup, .. } = self.settings;
        let empty = Outcome::new(R::NAME, self.hosts(), self.fabric.meetings.channels(), slot_ns);
        let mut outcome = Outcome { slots: self.slot, warmup, ..empty };
        self.worker.count(self.slot, &mut outcome);
        outcome
    }
}
