//! The rules once more, as plainly as they can be said: every subflow has its state in a table, every search looks at all
//! of it, the place of a cell is counted in its queue, and meetings are found by asking the schedule slot by slot.

use std::collections::VecDeque;
use ww_fabric::flows::Flow;
use ww_fabric::observed::{Arrived, Events, Left, Queued};
use ww_fabric::outcome::{FinishedFlow, Outcome};
use ww_fabric::relay::{Rules, Settings};
use ww_fabric::schedule::Schedule;

/// A mistake planted in the rules `shoal`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// The next cell of a subflow goes an epoch too early.
    EarlyRelease,
    /// A source does not wait for the report.
    NoWindow,
    /// Any number of local cells may be in a queue.
    ManyLocal,
    /// A host reports as if each cell had left.
    AlwaysGone,
    /// A report is taken for one about the last cell that has been sent before it arrives.
    LatestCell,
    /// A pair without cells forgets when its subflows may send.
    Forgets,
}

impl Fault {
    pub const ALL: [Self; 6] = [
        Self::EarlyRelease,
        Self::NoWindow,
        Self::ManyLocal,
        Self::AlwaysGone,
        Self::LatestCell,
        Self::Forgets,
    ];
}

#[derive(Clone, Copy, PartialEq)]
struct Cell {
    flow: usize,
    src: usize,
    dst: usize,
    seq: u64,
}

/// What may happen next in a subflow.
#[derive(Clone, Copy, PartialEq)]
enum Subflow {
    Unused,
    /// Its next cell may leave its source from that slot on.
    Waits(u64),
    /// It is in a ready queue, and may have its cell in the queue.
    Ready,
    Queued,
    /// Its cell has been sent, not yet reported.
    Sent,
}

#[derive(Clone)]
struct Host {
    /// By peer.
    queues: Vec<VecDeque<Cell>>,
    ready: Vec<VecDeque<usize>>,
    /// By peer and destination.
    subflows: Vec<Vec<Subflow>>,
    /// By peer: the cells whose reports are due, with the slots in which they were sent.
    open: Vec<Vec<(u64, usize)>>,
    /// By peer: the last cell from it that joined a queue.
    received: Vec<Option<Cell>>,
    /// By destination: flows with cells to send, the next number, and since when there are flows.
    rings: Vec<VecDeque<usize>>,
    seqs: Vec<u64>,
    since: Vec<u64>,
}

struct Message {
    from: usize,
    to: usize,
    cell: Option<Cell>,
    value: u64,
}

/// Times of a flow.
#[derive(Clone)]
struct Progress {
    unqueued: u64,
    unreceived: u64,
    queued: Vec<u64>,
    received: Vec<u64>,
}

pub struct Reference<'a> {
    schedule: &'a Schedule,
    settings: Settings,
    fault: Option<Fault>,
    flows: Vec<Flow>,
    progress: Vec<Progress>,
    hosts: Vec<Host>,
    failed: usize,
    /// By pair, what has arrived.
    arrived: Vec<Vec<Vec<u64>>>,
    /// By slot.
    events: Vec<Events>,
}

/// The outcome, and rows of the trace.
pub fn run(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    fault: Option<Fault>,
) -> (Outcome, Vec<[u64; 6]>) {
    let (outcome, trace, _) = new(schedule, settings, flows, fault).run();
    (outcome, trace)
}

/// What an observer of the fabric sees, by slot.
pub fn events(schedule: &Schedule, settings: &Settings, flows: &[Flow]) -> Vec<Events> {
    new(schedule, settings, flows, None).run().2
}

fn new<'a>(
    schedule: &'a Schedule,
    settings: &Settings,
    flows: &[Flow],
    fault: Option<Fault>,
) -> Reference<'a> {
    let n = schedule.hosts();
    let failed = (0..n).filter(|&host| (host as f64) < settings.fail / 100.0 * n as f64).count();
    let flows: Vec<Flow> =
        flows.iter().copied().filter(|flow| (flow.src.min(flow.dst) as usize) >= failed).collect();
    let host = Host {
        queues: vec![VecDeque::new(); n],
        ready: vec![VecDeque::new(); n],
        subflows: vec![vec![Subflow::Unused; n]; n],
        open: vec![Vec::new(); n],
        received: vec![None; n],
        rings: vec![VecDeque::new(); n],
        seqs: vec![0; n],
        since: vec![0; n],
    };
    let progress = flows.iter().map(|flow| Progress {
        unqueued: flow.cells,
        unreceived: flow.cells,
        queued: Vec::new(),
        received: Vec::new(),
    });
    Reference {
        schedule,
        settings: *settings,
        fault,
        progress: progress.collect(),
        flows,
        hosts: vec![host; n],
        failed,
        arrived: vec![vec![Vec::new(); n]; n],
        events: Vec::new(),
    }
}

impl Reference<'_> {
    fn peer(&self, channel: usize, slot: u64, host: usize) -> Option<usize> {
        self.schedule.peer(channel, (slot % self.schedule.slots() as u64) as usize, host)
    }

    fn meets(&self, slot: u64, from: usize, to: usize) -> bool {
        (0..self.schedule.channels()).any(|channel| self.peer(channel, slot, from) == Some(to))
    }

    /// The first slot from `slot` on in which `from` sends to `to`.
    fn meeting(&self, slot: u64, from: usize, to: usize) -> u64 {
        (slot..).find(|&slot| self.meets(slot, from, to)).unwrap()
    }

    fn now(&mut self) -> &mut Events {
        self.events.last_mut().unwrap()
    }

    fn run(mut self) -> (Outcome, Vec<[u64; 6]>, Vec<Events>) {
        let n = self.schedule.hosts();
        let epoch = self.schedule.slots() as u64;
        let Settings { rules, slot_ns, warmup, .. } = self.settings;
        let flows = self.flows.len() as u64;
        let empty = Outcome::new(rules.name(), n, self.schedule.channels(), slot_ns);
        let mut outcome = Outcome { warmup, flows, ..empty };
        let mut trace = Vec::new();
        let mut air: VecDeque<Vec<Message>> = VecDeque::new();
        for slot in 0.. {
            self.events.push(Events::default());
            self.start(slot);
            if self.settings.rules != Rules::Shoal {
                for host in 0..n {
                    for shift in 1..n {
                        self.admit_any_time(host, (host + shift) % n, slot);
                    }
                }
            }
            let mut messages = Vec::new();
            for channel in 0..self.schedule.channels() {
                for from in 0..n {
                    let Some(to) = self.peer(channel, slot, from) else { continue };
                    self.admit_in_its_slot(from, to, slot);
                    let cell = self.depart(from, to, slot);
                    if let Some(Cell { src, dst, seq, .. }) = cell {
                        self.now().sent.push(Left { from, to, src, dst, seq });
                        let [from, to, src, dst_] = [from, to, src, dst].map(|host| host as u64);
                        trace.push([slot, from, to, src, dst_, seq]);
                        outcome.last_hop_cells +=
                            u64::from(dst_ == to && slot >= self.settings.warmup);
                    }
                    messages.push(Message { from, to, cell, value: 0 });
                }
            }
            for message in &mut messages {
                message.value = self.report(message.from, message.to);
            }
            air.push_back(messages);
            if air.len() as u64 == self.settings.delay {
                for message in air.pop_front().unwrap() {
                    self.arrive(&message, slot, &mut outcome);
                }
            }
            self.sample(slot, &mut outcome);
            let finished = self.progress.iter().filter(|flow| flow.unreceived == 0).count();
            if self.settings.epochs.is_some_and(|epochs| slot + 1 == epochs * epoch)
                || self.settings.finish.is_some_and(|finish| finished as u64 >= finish)
                || finished == self.flows.len()
            {
                outcome.slots = slot + 1;
                break;
            }
        }
        for (flow, progress) in self.flows.iter().zip(&self.progress) {
            if progress.unreceived > 0 {
                continue;
            }
            outcome.finished.push(FinishedFlow {
                src: flow.src,
                dst: flow.dst,
                cells: flow.cells,
                start: flow.start,
                first_queued: *progress.queued.iter().min().unwrap(),
                last_queued: *progress.queued.iter().max().unwrap(),
                first_received: *progress.received.iter().min().unwrap(),
                last_received: *progress.received.iter().max().unwrap(),
            });
        }
        (outcome, trace, self.events)
    }

    fn start(&mut self, slot: u64) {
        for (number, flow) in self.flows.clone().iter().enumerate() {
            if flow.start != slot {
                continue;
            }
            let (src, dst) = (flow.src as usize, flow.dst as usize);
            let becomes_active = self.hosts[src].rings[dst].is_empty();
            self.hosts[src].rings[dst].push_back(number);
            if !becomes_active {
                continue;
            }
            self.hosts[src].since[dst] = slot;
            if self.settings.rules != Rules::Shoal {
                continue;
            }
            for peer in (0..self.hosts.len()).filter(|&peer| peer != src) {
                let first = self.meeting(slot, src, peer);
                let subflow = &mut self.hosts[src].subflows[peer][dst];
                match subflow {
                    Subflow::Unused => *subflow = Subflow::Waits(first),
                    Subflow::Waits(release) if self.fault == Some(Fault::Forgets) => {
                        *release = first
                    }
                    Subflow::Waits(release) => *release = first.max(*release),
                    _ => {}
                }
            }
        }
    }

    fn is_active(&self, host: usize, to: usize) -> bool {
        !self.hosts[host].rings[to].is_empty()
    }

    fn has_local(&self, host: usize, peer: usize) -> bool {
        self.hosts[host].queues[peer].iter().any(|cell| cell.src == host)
    }

    fn gate_is_open(&self, host: usize, to: usize, length: usize, slot: u64) -> bool {
        let gate = self.settings.gate;
        // 2^age of N and more holds back nothing that a queue can have less of.
        gate == 0
            || (2f64).powf(((slot - self.hosts[host].since[to]) / gate) as f64)
                >= (length as f64).min(self.hosts.len() as f64)
    }

    /// The waiting subflow with the least release slot, and of those the least destination.
    fn first_waiting(&self, host: usize, peer: usize, active: bool) -> Option<(u64, usize)> {
        let waiting = self.hosts[host].subflows[peer].iter().enumerate();
        let waiting = waiting.filter_map(|(to, subflow)| match subflow {
            Subflow::Waits(release) if !active || self.is_active(host, to) => Some((*release, to)),
            _ => None,
        });
        waiting.min()
    }

    fn join(&mut self, host: usize, peer: usize, to: usize, slot: u64) {
        self.now().queued.push(Queued { src: host, via: peer, dst: to, again: None });
        let state = &mut self.hosts[host];
        let flow = state.rings[to].pop_front().unwrap();
        state.queues[peer].push_back(Cell { flow, src: host, dst: to, seq: state.seqs[to] });
        state.seqs[to] += 1;
        state.subflows[peer][to] = Subflow::Queued;
        let progress = &mut self.progress[flow];
        progress.queued.push(slot);
        progress.unqueued -= 1;
        if progress.unqueued > 0 {
            state.rings[to].push_back(flow);
        }
    }

    fn admit_in_its_slot(&mut self, host: usize, peer: usize, slot: u64) {
        if host.min(peer) < self.failed {
            return;
        }
        if self.settings.rules != Rules::Shoal {
            for to in 0..self.hosts.len() {
                if self.hosts[host].subflows[peer][to] == Subflow::Unused
                    && self.is_active(host, to)
                {
                    let since = self.hosts[host].since[to];
                    self.hosts[host].subflows[peer][to] = Subflow::Waits(since);
                }
            }
            self.admit_any_time(host, peer, slot);
            return;
        }
        if self.has_local(host, peer) && self.fault != Some(Fault::ManyLocal) {
            return;
        }
        let length = self.hosts[host].queues[peer].len();
        let departure = slot + (length * self.schedule.slots()) as u64;
        if let Some((release, to)) = self.first_waiting(host, peer, true)
            && release <= departure
            && self.gate_is_open(host, to, length, slot)
        {
            self.join(host, peer, to, slot);
        }
    }

    /// `basic`, `literal`, `consistent`.
    fn admit_any_time(&mut self, host: usize, peer: usize, slot: u64) {
        loop {
            let length = self.hosts[host].queues[peer].len();
            let passes = |release: u64| release <= slot + (length * self.schedule.slots()) as u64;
            match self.first_waiting(host, peer, false) {
                Some((release, to)) if passes(release) => {
                    if !self.is_active(host, to) {
                        self.hosts[host].subflows[peer][to] = Subflow::Unused;
                    } else if self.settings.rules != Rules::Basic {
                        self.hosts[host].subflows[peer][to] = Subflow::Ready;
                        self.hosts[host].ready[peer].push_back(to);
                    } else if self.gate_is_open(host, to, length, slot) {
                        self.join(host, peer, to, slot);
                    } else {
                        return;
                    }
                    continue;
                }
                _ => {}
            }
            if self.settings.rules == Rules::Basic || self.has_local(host, peer) {
                return;
            }
            let Some(&to) = self.hosts[host].ready[peer].front() else { return };
            if !self.is_active(host, to) {
                self.hosts[host].ready[peer].pop_front();
                self.hosts[host].subflows[peer][to] = Subflow::Unused;
            } else if self.gate_is_open(host, to, length, slot) {
                self.join(host, peer, to, slot);
            } else {
                return;
            }
        }
    }

    fn depart(&mut self, host: usize, peer: usize, slot: u64) -> Option<Cell> {
        let next = self.meeting(slot + 1, host, peer);
        let state = &mut self.hosts[host];
        let cell = state.queues[peer].pop_front()?;
        if cell.src != host {
            return Some(cell);
        }
        state.ready[peer].pop_front();
        state.subflows[peer][cell.dst] = if cell.dst != peer {
            state.open[peer].push((slot, cell.dst));
            if self.fault == Some(Fault::NoWindow) { Subflow::Waits(next) } else { Subflow::Sent }
        } else if self.settings.rules == Rules::Shoal {
            Subflow::Waits(next)
        } else {
            Subflow::Waits(slot + 1)
        };
        Some(cell)
    }

    fn report(&self, host: usize, peer: usize) -> u64 {
        let state = &self.hosts[host];
        let Some(cell) = state.received[peer] else { return 0 };
        let (queue, ready) = (&state.queues[cell.dst], state.ready[cell.dst].len());
        let value = match self.settings.rules {
            Rules::Basic => queue.len(),
            Rules::Literal => (queue.len() + ready).max(1) - 1,
            Rules::Consistent => queue.len() + ready.max(1) - 1,
            Rules::Shoal if self.fault == Some(Fault::AlwaysGone) => 0,
            Rules::Shoal => queue.iter().position(|&other| other == cell).map_or(0, |at| at + 1),
        };
        value as u64
    }

    /// A message of slot `slot + 1 - delay` arrives.
    fn arrive(&mut self, message: &Message, slot: u64, outcome: &mut Outcome) {
        let &Message { from, to: host, cell, value } = message;
        let sent = slot + 1 - self.settings.delay;
        // The last cell that can have arrived before the report was sent.
        let mut until = (sent + 1).saturating_sub(self.settings.delay);
        if self.fault == Some(Fault::LatestCell) {
            until = slot + 1;
        }
        let answered = (0..until).rev().find(|&slot| self.meets(slot, host, from));
        let open = &mut self.hosts[host].open[from];
        if let Some(place) = open.iter().position(|&(slot, _)| Some(slot) == answered) {
            let (_, to) = open.remove(place);
            let release = self.release_slot(host, from, to, sent, slot + 1, value);
            if self.hosts[host].subflows[from][to] == Subflow::Sent {
                self.hosts[host].subflows[from][to] = Subflow::Waits(release);
            }
        }
        self.hosts[host].received[from] = cell.filter(|cell| cell.dst != host);
        let Some(cell) = cell else { return };
        if cell.dst != host {
            self.hosts[host].queues[cell.dst].push_back(cell);
            return;
        }
        self.now().received.push(Arrived { src: cell.src, dst: host, seq: cell.seq });
        let progress = &mut self.progress[cell.flow];
        progress.received.push(slot);
        progress.unreceived -= 1;
        let arrived = &mut self.arrived[cell.src][host];
        arrived.push(cell.seq);
        arrived.sort();
        let in_order = (0..).zip(arrived.iter()).take_while(|&(at, &seq)| at == seq).count();
        outcome.reorder_cells = outcome.reorder_cells.max((arrived.len() - in_order) as u64);
    }

    /// From when on the next cell of (host, from, to) may leave, as known before slot `now`.
    fn release_slot(
        &self,
        host: usize,
        from: usize,
        to: usize,
        sent: u64,
        now: u64,
        value: u64,
    ) -> u64 {
        let epoch = self.schedule.slots() as u64;
        if self.settings.rules != Rules::Shoal {
            return now + value * epoch;
        }
        let mut departure = sent;
        for _ in 0..value {
            departure = self.meeting(departure + 1, from, to);
        }
        // A cell that leaves in slot s arrives at the end of slot s + k - 1: not before the departure.
        let mut release = self.meeting(now, host, from);
        let early = if self.fault == Some(Fault::EarlyRelease) { epoch } else { 0 };
        while value > 0 && release + self.settings.delay + early < departure + 1 {
            release = self.meeting(release + 1, host, from);
        }
        release
    }

    fn sample(&self, slot: u64, outcome: &mut Outcome) {
        let n = self.hosts.len();
        let unfinished = |src: usize, dst: usize| {
            self.flows.iter().zip(&self.progress).any(|(flow, progress)| {
                (flow.src as usize, flow.dst as usize) == (src, dst)
                    && flow.start <= slot
                    && progress.unreceived > 0
            })
        };
        for (host, state) in self.hosts.iter().enumerate() {
            let mut sum = 0;
            for to in (0..n).filter(|&to| to != host) {
                let length = state.queues[to].len();
                sum += length as u64;
                let samples = &mut outcome.queue_samples;
                samples.resize(samples.len().max(length + 1), 0);
                samples[length] += 1;
                if length > 1 {
                    let incast = (0..n).filter(|&src| unfinished(src, to)).count();
                    outcome.bound_violations += u64::from(length > 1 + incast);
                }
            }
            outcome.aggregate_cells_max = outcome.aggregate_cells_max.max(sum);
        }
    }
}
