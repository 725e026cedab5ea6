//! The observer's copy of the fabric: queues, what is on its way, flows, and what is counted of them.

use super::sources::{Sources, Taken};
use super::{Arrived, Events, Left, Offer, Queued};
use crate::flows::Flow;
use crate::incoming::Incoming;
use crate::outcome::{Counts, Outcome};
use crate::plan::Plan;
use crate::queue::Cell;
use crate::relay::Settings;
use crate::schedule::Schedule;
use crate::trace::{SentCell, Trace};
use std::collections::VecDeque;

/// Flows of a pair that have started.
#[derive(Clone, Copy, Debug, Default)]
struct Started {
    /// Those that have not finished.
    unfinished: u32,
    /// Cells of all.
    cells: u64,
}

/// All that is known of a run so far.
pub struct Account<'a> {
    schedule: &'a Schedule,
    settings: &'a Settings,
    plan: Plan,
    seq_mask: u64,
    /// The next slot.
    slot: u64,
    sources: Sources,
    /// By the number of the pair.
    started: Vec<Started>,
    /// The first flow that has not started.
    next_start: usize,
    /// `queues[host * hosts + peer]`
    queues: Vec<VecDeque<Cell>>,
    /// What is on its way: of each slot, oldest first, the cells with senders and receivers.
    air: VecDeque<Vec<(usize, usize, Cell)>>,
    incoming: Incoming,
    queued: Vec<[u64; 2]>,
    finished: u64,
    samples: Vec<u64>,
    aggregate_max: u64,
    last_hop: u64,
    violations: u64,
    is_idle: bool,
}

impl<'a> Account<'a> {
    /// Before the first slot.
    pub fn new(
        schedule: &'a Schedule,
        settings: &'a Settings,
        flows: &[Flow],
        seq_bits: u32,
        most_cells: u64,
    ) -> Self {
        let hosts = schedule.hosts();
        let range = 0..hosts;
        let plan = Plan::new(flows, 0, std::slice::from_ref(&range));
        Self {
            schedule,
            settings,
            seq_mask: u64::MAX >> (u64::BITS - seq_bits.clamp(1, u64::BITS)),
            slot: 0,
            sources: Sources::new(&plan, hosts, most_cells),
            started: vec![Started::default(); plan.pairs.len()],
            next_start: 0,
            queues: vec![VecDeque::new(); hosts * hosts],
            air: VecDeque::new(),
            incoming: Incoming::new(&plan, &range),
            queued: vec![[0; 2]; plan.flows.len()],
            finished: 0,
            samples: Vec::new(),
            aggregate_max: 0,
            last_hop: 0,
            violations: 0,
            is_idle: true,
            plan,
        }
    }

    /// The next slot: so many have passed.
    pub fn slot(&self) -> u64 {
        self.slot
    }

    /// Whether no cell of a flow that has started is at its source, in a queue or on its way.
    pub fn is_idle(&self) -> bool {
        self.is_idle
    }

    /// The slot of the next flow to start.
    pub fn next_start(&self) -> Option<u64> {
        self.plan.flows.get(self.next_start).map(|flow| flow.start)
    }

    /// Flows that have finished.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Whether all flows have finished.
    pub fn is_over(&self) -> bool {
        self.finished == self.plan.flows.len() as u64
    }

    /// Puts what can be offered of the flows that start until `slot` into `offers`, in place of what is there.
    pub fn offer(&mut self, slot: u64, offers: &mut Vec<Offer>) {
        self.sources.offer(&self.plan, slot, |_| true, offers);
    }

    /// Skips slots in which nothing happens.
    pub fn skip(&mut self, slots: u64) {
        self.slot += slots;
        self.sample(slots);
    }

    /// A slot with these events. An error is a sentence about what cannot be.
    pub fn pass(
        &mut self,
        events: &mut Events,
        trace: &mut Option<Trace<'_>>,
    ) -> Result<(), String> {
        while let Some(flow) = self.plan.flows.get(self.next_start)
            && flow.start == self.slot
        {
            self.sources.start(flow);
            let started = &mut self.started[flow.pair as usize];
            started.unfinished += 1;
            started.cells += flow.cells;
            self.next_start += 1;
        }
        for queued in &events.queued {
            self.queue(queued)?;
        }
        let mut row = Vec::new();
        for left in &events.sent {
            row.push((left.from, left.to, self.send(left, &row, trace)?));
        }
        self.check_silence(&row)?;
        self.air.push_back(row);
        if self.air.len() as u64 >= self.settings.delay
            && let Some(row) = self.air.pop_front()
        {
            self.arrive(&row, &mut events.received)?;
        }
        if let Some(Arrived { src, dst, seq }) = events.received.first() {
            return Err(self.wrong(format_args!(
                "expected no more cells at their destinations, found cell {seq} of {src}->{dst} at host {dst}"
            )));
        }
        let mut finished = Vec::new();
        self.incoming.take_finished(&mut finished);
        self.finished += finished.len() as u64;
        for pair in finished {
            self.started[pair as usize].unfinished -= 1;
        }
        self.sample(1);
        self.slot += 1;
        self.is_idle = self.sources.is_empty()
            && self.queues.iter().all(VecDeque::is_empty)
            && self.air.iter().all(Vec::is_empty);
        Ok(())
    }

    fn wrong(&self, what: std::fmt::Arguments<'_>) -> String {
        format!("slot {}: {what}; the hardware does not keep to the rules of the fabric", self.slot)
    }

    fn place(&self, host: usize, peer: usize) -> usize {
        host * self.schedule.hosts() + peer
    }

    fn queue(&mut self, queued: &Queued) -> Result<(), String> {
        let taken = self.sources.take(queued, self.slot);
        let Taken { cell, last_of } = taken.map_err(|what| self.wrong(format_args!("{what}")))?;
        if let Some((flow, slots)) = last_of {
            self.queued[flow as usize] = slots;
        }
        let place = self.place(queued.src, queued.via);
        self.queues[place].push_back(cell);
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
        if !self.meets(from, to) || row.iter().any(|&(f, t, _)| (f, t) == (from, to)) {
            return Err(self.wrong(format_args!(
                "expected one cell of each circuit of the slot, found {found}"
            )));
        }
        let place = self.place(from, to);
        let Some(&cell) = self.queues[place].front() else {
            return Err(self.wrong(format_args!("expected an empty cell, found {found}")));
        };
        let expected = (usize::from(cell.src), usize::from(cell.dst), cell.seq & self.seq_mask);
        if expected != (src, dst, seq) {
            let (src, dst, seq) = expected;
            return Err(self.wrong(format_args!(
                "expected the first of the queue, cell {seq} of {src}->{dst}, found {found}"
            )));
        }
        self.queues[place].pop_front();
        if let Some(trace) = trace {
            trace(&SentCell { slot: self.slot, from, to, src, dst, seq: cell.seq });
        }
        self.last_hop += u64::from(dst == to && self.slot >= self.settings.warmup);
        Ok(cell)
    }

    /// Whether a host sends to another in this slot.
    fn meets(&self, from: usize, to: usize) -> bool {
        from < self.schedule.hosts() && self.peers(from).any(|peer| peer == to)
    }

    /// The hosts to which a host sends in this slot.
    fn peers(&self, host: usize) -> impl Iterator<Item = usize> {
        let phase = (self.slot % self.schedule.slots() as u64) as usize;
        (0..self.schedule.channels())
            .filter_map(move |channel| self.schedule.peer(channel, phase, host))
    }

    /// A host with cells for its peer must have sent one.
    fn check_silence(&self, row: &[(usize, usize, Cell)]) -> Result<(), String> {
        for from in 0..self.schedule.hosts() {
            for to in self.peers(from) {
                let waiting = self.queues[self.place(from, to)].len();
                if waiting > 0 && !row.iter().any(|&(f, t, _)| (f, t) == (from, to)) {
                    return Err(self.wrong(format_args!(
                        "expected a cell from host {from} to host {to}, which has {waiting} in the queue, found none"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The cells of a row arrive; what is in `received` and not in the row stays there.
    fn arrive(
        &mut self,
        row: &[(usize, usize, Cell)],
        received: &mut Vec<Arrived>,
    ) -> Result<(), String> {
        for &(from, to, cell) in row {
            let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
            if dst != to {
                let place = self.place(to, dst);
                self.queues[place].push_back(cell);
                continue;
            }
            let seq = cell.seq & self.seq_mask;
            let Some(at) = received.iter().position(|&found| found == Arrived { src, dst, seq })
            else {
                let found = match received.iter().find(|found| found.dst == dst) {
                    Some(found) => format!("cell {} of {}->{dst}", found.seq, found.src),
                    None => "none".to_owned(),
                };
                let sent = self.slot + 1 - self.settings.delay;
                return Err(self.wrong(format_args!(
                    "expected cell {seq} of {src}->{dst} at its destination, which host {from} sent in slot {sent}, \
                     found {found}"
                )));
            };
            received.swap_remove(at);
            self.incoming.arrive(cell, self.slot);
        }
        Ok(())
    }

    /// Samples queues at the end of a slot; for `slots` of them.
    fn sample(&mut self, slots: u64) {
        let hosts = self.schedule.hosts();
        let mut incast = vec![0; hosts];
        for (started, pair) in self.started.iter().zip(&self.plan.pairs) {
            incast[usize::from(pair.dst)] += usize::from(started.unfinished > 0);
        }
        for host in 0..hosts {
            let mut sum = 0;
            for peer in (0..hosts).filter(|&peer| peer != host) {
                let length = self.queues[self.place(host, peer)].len();
                if self.samples.len() <= length {
                    self.samples.resize(length + 1, 0);
                }
                self.samples[length] += slots;
                self.violations += if length > 1 + incast[peer] { slots } else { 0 };
                sum += length as u64;
            }
            self.aggregate_max = self.aggregate_max.max(sum);
        }
    }

    /// A sentence about a fabric that does nothing since a slot.
    pub fn standstill(&self, since: u64) -> String {
        let pairs = self.started.iter().zip(&self.sources.pairs).zip(&self.plan.pairs);
        let unfinished = pairs.into_iter().find(|((started, _), _)| started.unfinished > 0);
        let example = unfinished.map_or(String::new(), |((started, source), pair)| {
            format!(
                "; of {}->{}, {} of {} cells were queued",
                pair.src,
                pair.dst,
                source.ring.next_seq(),
                started.cells
            )
        });
        let count: usize = self.queues.iter().map(VecDeque::len).sum();
        format!(
            "slots {since} to {}: expected a cell to be queued, sent or received, found nothing, with {} of {} flows \
             that have started unfinished and {count} cells in queues{example}; the hardware hangs",
            self.slot - 1,
            self.next_start as u64 - self.finished,
            self.next_start
        )
    }

    /// What was counted.
    pub fn outcome(&self) -> Outcome {
        let Settings { rules, slot_ns, warmup, .. } = *self.settings;
        let Self { schedule, slot: slots, .. } = *self;
        let empty = Outcome::new(rules.name(), schedule.hosts(), schedule.channels(), slot_ns);
        let flows = self.plan.flows.len() as u64;
        let mut outcome = Outcome { slots, warmup, flows, ..empty };
        outcome.add(&Counts {
            queue_samples: &self.samples,
            aggregate_cells_max: self.aggregate_max,
            reorder_cells: self.incoming.held_max(),
            last_hop_cells: self.last_hop,
            bound_violations: self.violations,
        });
        outcome.finished = self.plan.finished(
            |flow| self.queued[flow.at_source as usize],
            |flow| self.incoming.received(flow.at_destination),
        );
        outcome
    }
}
