//! Hardware whose headers have bit errors on the lines: what it does about them, beside what [`run`](super::run) holds it to.
//!
//! The observer chooses the cells whose headers are damaged, as [`crate::relay::failures`] does, and tells the hardware. A cell
//! with a bad header is dropped with its answer. So the observer knows of each cell whether its sender has to send it again, before the
//! queue of the link; which cells arrive for the second time; and that each is handed on once.

use super::sources::{Sources, Taken};
use super::{Arrived, Events, Failure, Hardware, Left, Queued, quiet_slots};
use crate::flows::Flow;
use crate::outcome::{Counts, Outcome};
use crate::plan::Plan;
use crate::queue::Cell;
use crate::relay::Settings;
use crate::relay::failures::account::Account;
use crate::relay::failures::{Delivery, Failures};
use crate::schedule::Schedule;
use crate::trace::{SentCell, Trace};
use std::collections::VecDeque;

/// A host's side of a link.
#[derive(Clone, Debug, Default)]
struct Link {
    queue: VecDeque<Cell>,
    /// Cells that have to be sent again.
    again: VecDeque<Cell>,
    /// Cells without an answer, with the slot in which each was sent.
    open: VecDeque<(u64, Cell)>,
}

impl Link {
    fn len(&self) -> usize {
        self.queue.len() + self.again.len()
    }
}

/// What was sent in a slot.
struct Row {
    slot: u64,
    cells: Vec<(usize, usize, Cell)>,
    /// The model simulates this slot, and does not skip it as nothing is on its way.
    counts: bool,
}

struct Observer<'a> {
    schedule: &'a Schedule,
    settings: &'a Settings,
    failures: &'a Failures,
    plan: &'a Plan,
    seq_mask: u64,
    slot: u64,
    sources: Sources,
    next_start: usize,
    links: Vec<Link>,
    air: VecDeque<Row>,
    account: Account<'a>,
    backlog_max: u64,
    last_hop: u64,
    /// The slot behind the last in which flows were open or cells waited.
    quiet: u64,
}

impl Observer<'_> {
    fn place(&self, host: usize, peer: usize) -> usize {
        host * self.schedule.hosts() + peer
    }

    /// Who sends to whom in a slot.
    fn circuits(&self, slot: u64) -> impl Iterator<Item = (usize, usize)> {
        let phase = (slot % self.schedule.slots() as u64) as usize;
        (0..self.schedule.channels()).flat_map(move |channel| {
            let peer = move |host| Some((host, self.schedule.peer(channel, phase, host)?));
            (0..self.schedule.hosts()).filter_map(peer)
        })
    }

    fn wrong(&self, what: &str) -> String {
        format!(
            "slot {}: {what}; the hardware does not keep to the rules of a fabric with errors in headers",
            self.slot
        )
    }

    /// The bits that are inverted in this slot, by sender.
    fn damage(&self) -> Vec<u64> {
        let mut headers = vec![0; self.schedule.hosts()];
        for (from, to) in self.circuits(self.slot) {
            headers[from] = self.failures.damage(self.slot, from, to);
        }
        headers
    }

    /// Whether a cell waits, is on its way or has to be answered.
    fn is_idle(&self) -> bool {
        self.sources.is_empty()
            && self.links.iter().all(|link| link.len() == 0 && link.open.is_empty())
            && self.air.iter().all(|row| row.cells.is_empty())
    }

    /// Whether the model does not skip this slot, before which `open` flows were there.
    fn is_simulated(&self, open: u64, end: Option<u64>) -> bool {
        let epoch_slots = self.schedule.slots() as u64;
        let quiet_slots = 2 * self.settings.delay + 3 * epoch_slots;
        let next = self.plan.flows.get(self.next_start).map(|flow| flow.start);
        let target = next.map(|next| next.min(end.map_or(u64::MAX, |end| end - 1)));
        open > 0
            || self.slot - self.quiet < quiet_slots
            || target.is_none_or(|next| self.slot >= next)
    }

    fn resize(&mut self, peer: usize, from: usize, to: usize) {
        self.account.resize(self.slot, peer, from, to);
    }

    /// A slot with these events. An error is a sentence about what cannot be.
    fn pass(
        &mut self,
        events: &mut Events,
        trace: &mut Option<Trace<'_>>,
        end: Option<u64>,
    ) -> Result<(), String> {
        let counts = self.is_simulated(self.account.open_flows(), end);
        while let Some(flow) = self.plan.flows.get(self.next_start)
            && flow.start == self.slot
        {
            self.sources.start(flow);
            self.account.start(self.next_start, false);
            self.next_start += 1;
        }
        for queued in &events.queued {
            self.queue(queued)?;
        }
        let mut cells = Vec::new();
        for left in &events.sent {
            cells.push((left.from, left.to, self.send(left, &cells, trace)?));
        }
        self.check_silence(&cells)?;
        self.air.push_back(Row { slot: self.slot, cells, counts });
        if self.air.len() as u64 >= self.settings.delay
            && let Some(row) = self.air.pop_front()
        {
            self.arrive(&row, counts, &mut events.received)?;
        }
        if let Some(Arrived { src, dst, seq }) = events.received.first() {
            return Err(self.wrong(&format!(
                "expected each cell at its destination once, found cell {seq} of {src}->{dst} there"
            )));
        }
        self.account.violations += self.account.bound.over();
        let hosts = self.schedule.hosts();
        let backlog =
            self.links.chunks(hosts).map(|links| links.iter().map(Link::len).sum::<usize>());
        self.backlog_max = self.backlog_max.max(backlog.max().unwrap_or(0) as u64);
        self.slot += 1;
        if self.account.open_flows() > 0 || self.links.iter().any(|link| link.len() > 0) {
            self.quiet = self.slot;
        }
        Ok(())
    }

    fn queue(&mut self, queued: &Queued) -> Result<(), String> {
        let taken = self.sources.take(queued, self.slot);
        let Taken { cell, last_of } = taken.map_err(|what| self.wrong(&what))?;
        if let Some((flow, slots)) = last_of {
            self.account.flows[flow as usize].queued = slots;
        }
        let place = self.place(queued.src, queued.via);
        let length = self.links[place].len();
        self.links[place].queue.push_back(cell);
        self.resize(queued.via, length, length + 1);
        Ok(())
    }

    /// A cell leaves; the senders in `row` have sent already.
    fn send(
        &mut self,
        left: &Left,
        row: &[(usize, usize, Cell)],
        trace: &mut Option<Trace<'_>>,
    ) -> Result<Cell, String> {
        let Left { from, to, src, dst, seq } = *left;
        let found = format!("host {from} sent cell {seq} of {src}->{dst} to host {to}");
        let meets = self.circuits(self.slot).any(|circuit| circuit == (from, to));
        if !meets || row.iter().any(|&(f, t, _)| (f, t) == (from, to)) {
            return Err(self
                .wrong(&format!("expected one cell of each circuit of the slot, found {found}")));
        }
        let place = self.place(from, to);
        let link = &mut self.links[place];
        let length = link.len();
        let again = link.again.pop_front();
        let is_again = again.is_some();
        let Some(cell) = again.or_else(|| link.queue.pop_front()) else {
            return Err(self.wrong(&format!("expected an empty cell, found {found}")));
        };
        let expected = (usize::from(cell.src), usize::from(cell.dst), cell.seq & self.seq_mask);
        if expected != (src, dst, seq) {
            let (src, dst, seq) = expected;
            let which = if is_again { "that was dropped before" } else { "the first of the queue" };
            return Err(
                self.wrong(&format!("expected cell {seq} of {src}->{dst}, {which}, found {found}"))
            );
        }
        link.open.push_back((self.slot, cell));
        self.resize(to, length, length - 1);
        self.account.counts.retransmitted += u64::from(is_again);
        self.last_hop += u64::from(dst == to && self.slot >= self.settings.warmup);
        if let Some(trace) = trace {
            trace(&SentCell { slot: self.slot, from, to, src, dst, seq: cell.seq });
        }
        Ok(cell)
    }

    /// A host with cells for its peer must have sent one.
    fn check_silence(&self, row: &[(usize, usize, Cell)]) -> Result<(), String> {
        for (from, to) in self.circuits(self.slot) {
            let waiting = self.links[self.place(from, to)].len();
            if waiting > 0 && !row.iter().any(|&(f, t, _)| (f, t) == (from, to)) {
                return Err(self.wrong(&format!(
                    "expected a cell from host {from} to host {to}, which has {waiting} to send, found none"
                )));
            }
        }
        Ok(())
    }

    /// The cells of a row arrive; what is in `received` and not in the row stays there.
    fn arrive(
        &mut self,
        row: &Row,
        counts: bool,
        received: &mut Vec<Arrived>,
    ) -> Result<(), String> {
        let circuits: Vec<_> = self.circuits(row.slot).collect();
        for (from, to) in circuits {
            let is_bad = self.failures.damages(row.slot, from, to);
            self.account.counts.dropped += u64::from(is_bad && row.counts && counts);
            self.answer(row.slot, from, to, is_bad);
            let sent = row.cells.iter().find(|&&(f, t, _)| (f, t) == (from, to));
            if let Some(&(_, _, cell)) = sent
                && !is_bad
            {
                self.take(row.slot, from, to, cell, received)?;
            }
        }
        Ok(())
    }

    /// What the cell of slot `sent` from `peer` says to `host` of its own.
    fn answer(&mut self, sent: u64, peer: usize, host: usize, is_bad: bool) {
        let epoch_slots = self.schedule.slots() as u64;
        // The last cell to the peer that was there when this one left.
        let meets = |&slot: &u64| self.circuits(slot).any(|circuit| circuit == (host, peer));
        let Some(last) = sent.checked_sub(self.settings.delay) else { return };
        let mut slots = (last.saturating_sub(epoch_slots - 1)..=last).rev();
        let Some(answered) = slots.find(meets) else { return };
        let was_bad = self.failures.damages(answered, host, peer);
        let place = self.place(host, peer);
        let link = &mut self.links[place];
        while let Some(&(slot, cell)) = link.open.front()
            && slot <= answered
        {
            link.open.pop_front();
            if slot == answered && (is_bad || was_bad) {
                let length = link.len();
                link.again.push_back(cell);
                return self.resize(peer, length, length + 1);
            }
        }
    }

    /// A whole cell is at a host.
    fn take(
        &mut self,
        sent: u64,
        from: usize,
        to: usize,
        cell: Cell,
        received: &mut Vec<Arrived>,
    ) -> Result<(), String> {
        let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
        if dst != to {
            let place = self.place(to, dst);
            let length = self.links[place].len();
            self.links[place].queue.push_back(cell);
            self.resize(dst, length, length + 1);
            return Ok(());
        }
        let duplicates = self.account.counts.duplicates;
        self.account.arrive(cell, self.slot, true, &mut |_: &Delivery| {});
        if self.account.counts.duplicates > duplicates {
            return Ok(());
        }
        let seq = cell.seq & self.seq_mask;
        let at = received.iter().position(|&found| found == Arrived { src, dst, seq });
        let Some(at) = at else {
            return Err(self.wrong(&format!(
                "expected cell {seq} of {src}->{dst} at its destination, which host {from} sent in slot {sent}, found none"
            )));
        };
        received.swap_remove(at);
        Ok(())
    }

    fn outcome(self) -> Outcome {
        let Settings { rules, slot_ns, warmup, .. } = *self.settings;
        let (hosts, slots) = (self.schedule.hosts(), self.slot);
        let account = &self.account;
        let mut outcome = Outcome {
            slots,
            warmup,
            flows: self.plan.flows.len() as u64,
            failures: Some(account.counts),
            ..Outcome::new(rules.name(), hosts, self.schedule.channels(), slot_ns)
        };
        outcome.add(&Counts {
            queue_samples: &account.lengths.samples(slots),
            aggregate_cells_max: self.backlog_max,
            reorder_cells: account.reorder_max,
            last_hop_cells: self.last_hop,
            bound_violations: account.violations,
        });
        outcome.finished = self.plan.finished(
            |flow| account.flows[flow.at_source as usize].queued,
            |flow| account.received(flow.at_destination),
        );
        outcome
    }
}

/// As [`run`](super::run), with errors in headers: of `failures`, `flip` and `seed` count, and no host dies.
///
/// # Errors
/// As [`run`](super::run); or the failures cannot be.
///
/// # Panics
/// If a flow has a host that there is not, there are 2^32 flows or more, or `failures` has deaths.
pub fn run<H: Hardware>(
    schedule: &Schedule,
    settings: &Settings,
    failures: &Failures,
    flows: &[Flow],
    hardware: &mut H,
    mut trace: Option<Trace<'_>>,
) -> Result<Outcome, Failure<H::Error>> {
    settings.check(schedule).map_err(Failure::Settings)?;
    failures.check(schedule, settings).map_err(Failure::Settings)?;
    assert!(failures.kills.is_empty(), "no host dies in this hardware");
    let hosts = schedule.hosts();
    let plan = Plan::new(flows, 0, std::slice::from_ref(&(0..hosts)));
    let mut observer = Observer {
        schedule,
        settings,
        failures,
        plan: &plan,
        seq_mask: u64::MAX >> (u64::BITS - hardware.seq_bits().clamp(1, u64::BITS)),
        slot: 0,
        sources: Sources::new(&plan, hosts, hardware.most_cells()),
        next_start: 0,
        links: vec![Link::default(); hosts * hosts],
        air: VecDeque::new(),
        account: Account::new(&plan, hosts),
        backlog_max: 0,
        last_hop: 0,
        quiet: 0,
    };
    let epoch_slots = schedule.slots() as u64;
    let end = settings.epochs.map(|epochs| epochs.saturating_mul(epoch_slots));
    let quiet_slots = quiet_slots(schedule, settings.delay);
    let (mut offers, mut events) = (Vec::new(), Events::default());
    observer.sources.offer(&plan, 0, &mut offers);
    hardware.start(&offers).map_err(Failure::Hardware)?;
    // The slot behind the last in which something was on its way, and behind the last with an event or nothing to do.
    let (mut busy, mut moved) = (0, 0);
    loop {
        let slot = observer.slot;
        if slot - busy >= quiet_slots
            && let Some(next) = plan.flows.get(observer.next_start)
        {
            // Neither the slot in which the next flow is offered nor the last of all is skipped.
            let target = next.start.min(end.unwrap_or(next.start)).saturating_sub(1);
            let slots = target.saturating_sub(slot) / epoch_slots * epoch_slots;
            if slots > 0 {
                hardware.skip(slots);
                observer.slot += slots;
            }
        }
        observer.sources.offer(&plan, observer.slot + 1, &mut offers);
        hardware.damage(&observer.damage());
        events.clear();
        hardware.slot(&offers, &mut events).map_err(Failure::Hardware)?;
        let is_quiet = events == Events::default();
        observer.pass(&mut events, &mut trace, end).map_err(Failure::Wrong)?;
        let is_idle = observer.is_idle();
        if !is_idle {
            busy = observer.slot;
        }
        if !is_quiet || is_idle {
            moved = observer.slot;
        }
        let finished = observer.account.finished;
        if end == Some(observer.slot)
            || settings.finish.is_some_and(|finish| finished >= finish)
            || finished == plan.flows.len() as u64
        {
            return Ok(observer.outcome());
        }
        if observer.slot - moved > 2 * quiet_slots {
            let open = observer.account.open_flows();
            return Err(Failure::Wrong(observer.wrong(&format!(
                "expected a cell to be queued, sent or received, found nothing since slot {moved}, with {open} flows open"
            ))));
        }
    }
}
