//! The slots of a run. Steps A to E are those of docs/fabric-rules.md.

use super::host::{ClassCell, Link, Received, Stream, Turn};
use super::{ClassOutcome, queue_cells};
use crate::bound::Bound;
use crate::flows::Flow;
use crate::outcome::{Counts, Outcome};
use crate::plan::{self, Plan, Planned};
use crate::queue::Cell;
use crate::relay::lengths::Lengths;
use crate::relay::{Fabric, Rules, Settings};
use crate::reorder::Reorder;
use crate::schedule::{BadFabric, Schedule};
use crate::trace::{SentCell, Trace};
use std::collections::VecDeque;

/// What a host sends in a slot of a channel.
struct Sent {
    from: usize,
    to: usize,
    cell: Option<ClassCell>,
    value: u64,
    last_dropped: bool,
}

/// A flow, as far as it has got.
#[derive(Clone, Copy, Debug)]
struct Progress {
    queued: [u64; 2],
    received: [u64; 2],
    left: u64,
}

/// What is counted of a class.
struct Account {
    bound: Bound,
    lengths: Lengths,
    violations: u64,
    dropped: u64,
    last_hop: u64,
    reorder_max: u64,
    backlog: Vec<u64>,
    backlog_max: u64,
}

struct Model<'a> {
    fabric: &'a Fabric,
    settings: &'a Settings,
    plan: &'a Plan,
    /// The classes that flows have, in order; everywhere else a class is its place in here.
    order: Vec<u8>,
    /// By flow of the plan.
    classes: Vec<u8>,
    hosts: usize,
    /// `[host * hosts + peer]`
    links: Vec<Link>,
    /// `[src * hosts + dst]`: the pair's number.
    numbers: Vec<Option<usize>>,
    /// `[class * pairs + pair]`
    streams: Vec<Stream>,
    reorder: Vec<Reorder>,
    /// By pair, over all classes.
    next_seq: Vec<u64>,
    flows: Vec<Progress>,
    finished: u64,
    accounts: Vec<Account>,
    backlog_max: u64,
}

impl Model<'_> {
    fn link(&mut self, host: usize, peer: usize) -> &mut Link {
        &mut self.links[host * self.hosts + peer]
    }

    /// The slot of an epoch of a link.
    fn off(&self, from: usize, to: usize) -> u64 {
        let meetings = &self.fabric.meetings;
        meetings.phase(from, meetings.shift(from, to))
    }

    /// The first epoch of a link at or after a slot.
    fn epoch_at(&self, from: usize, to: usize, slot: u64) -> u64 {
        slot.saturating_sub(self.off(from, to)).div_ceil(self.fabric.meetings.epoch_slots())
    }

    fn stream(&self, class: usize, pair: usize) -> usize {
        class * self.plan.pairs.len() + pair
    }

    /// Step A.
    fn start(&mut self, number: usize, slot: u64) {
        let planned = self.plan.flows[number];
        let (src, dst) = (usize::from(planned.src), usize::from(planned.dst));
        let class = usize::from(self.classes[number]);
        self.accounts[class].bound.start(planned.pair, dst);
        let stream = self.stream(class, planned.pair as usize);
        let stream = &mut self.streams[stream];
        let was_active = !stream.ring.is_empty();
        stream.ring.push_back(Turn { flow: number as u32, left: planned.cells });
        if was_active {
            return;
        }
        stream.since = slot;
        for peer in (0..self.hosts).filter(|&peer| peer != src) {
            let epoch = self.epoch_at(src, peer, slot);
            self.link(src, peer).classes[class].subflows.activate(dst as u16, epoch);
        }
    }

    /// Steps B.1 and B.2 of a class.
    fn admit(&mut self, slot: u64, (host, peer): (usize, usize), class: usize) {
        let epoch = slot / self.fabric.meetings.epoch_slots();
        let (numbers, streams) = (&self.numbers[host * self.hosts..], &self.streams);
        let pairs = self.plan.pairs.len();
        let link = &mut self.links[host * self.hosts + peer];
        let before = link.before(class);
        let queues = &mut link.classes[class];
        if queues.has_local || queues.queue.len() >= queue_cells(self.hosts) {
            return;
        }
        let again = &queues.again;
        let is_active = |to: u16| {
            let has_cells = |pair: usize| !streams[class * pairs + pair].ring.is_empty();
            again.contains_key(&to) || numbers[usize::from(to)].is_some_and(has_cells)
        };
        let Some((release, to)) = queues.subflows.first_waiting(epoch, is_active) else { return };
        let Some(pair) = numbers[usize::from(to)] else { return };
        let ahead = (before + queues.queue.len()) as u64;
        let stream = &mut self.streams[class * pairs + pair];
        let full_age = u64::from(usize::BITS - (self.hosts - 1).leading_zeros());
        let gate = self.settings.gate;
        let is_open = gate == 0 || {
            let age = slot.saturating_sub(stream.since) / gate;
            age >= full_age || ahead <= 1 << age
        };
        if release > epoch + ahead || !is_open {
            return;
        }
        let cell = queues.again.remove(&to).or_else(|| {
            let mut turn = stream.ring.pop_front()?;
            let queued = &mut self.flows[turn.flow as usize].queued;
            *queued = [queued[0].min(slot), slot];
            let seq = self.next_seq[pair];
            self.next_seq[pair] += 1;
            let number = stream.cells;
            stream.cells += 1;
            let cell = Cell { seq, flow: turn.flow, src: host as u16, dst: to };
            turn.left -= 1;
            if turn.left > 0 {
                stream.ring.push_back(turn);
            }
            Some(ClassCell { cell, class: class as u8, number })
        });
        if let Some(cell) = cell {
            queues.subflows.queue(to);
            queues.has_local = true;
            self.push(slot, (host, peer), cell);
        }
    }

    /// A cell joins its queue.
    fn push(&mut self, slot: u64, (host, peer): (usize, usize), cell: ClassCell) {
        let class = usize::from(cell.class);
        let queue = &mut self.link(host, peer).classes[class].queue;
        queue.push_back(cell);
        let length = queue.len() as u32;
        let account = &mut self.accounts[class];
        account.bound.grow(peer, length);
        account.lengths.change(slot, length - 1, length);
        account.backlog[host] += 1;
    }

    /// Step B of one link. Returns the cell that leaves.
    fn leave(&mut self, slot: u64, host: usize, peer: usize) -> Option<ClassCell> {
        if host.min(peer) >= self.plan.failed {
            for class in 0..self.accounts.len() {
                self.admit(slot, (host, peer), class);
            }
        }
        let epoch = slot / self.fabric.meetings.epoch_slots();
        let open = self.fabric.open_place(slot);
        let link = &mut self.links[host * self.hosts + peer];
        link.sent[open] = None;
        let first = link.classes.iter_mut().enumerate().find(|(_, class)| !class.queue.is_empty());
        let (class, queues) = first?;
        let length = queues.queue.len() as u32;
        let cell = queues.queue.pop_front()?;
        queues.departed += 1;
        let is_local = usize::from(cell.cell.src) == host;
        let is_last_hop = usize::from(cell.cell.dst) == peer;
        if is_local {
            queues.has_local = false;
            if is_last_hop {
                queues.subflows.wait(cell.cell.dst, epoch + 1);
            } else {
                link.sent[open] = Some(cell);
            }
        }
        let account = &mut self.accounts[class];
        account.bound.shrink(peer, length);
        account.lengths.change(slot, length, length - 1);
        account.backlog[host] -= 1;
        account.last_hop += u64::from(is_last_hop && slot >= self.settings.warmup);
        Some(cell)
    }

    /// Step C: the report that goes with a cell, and whether the last cell from the peer was dropped.
    fn report(&self, host: usize, peer: usize) -> (u64, bool) {
        let onward = |to: u16| &self.links[host * self.hosts + usize::from(to)];
        match self.links[host * self.hosts + peer].received {
            Received::Nothing => (0, false),
            Received::Dropped(to, class) => (1 + onward(to).before(class.into()) as u64, true),
            Received::Queued(to, class, number) => {
                let (link, class) = (onward(to), usize::from(class));
                let value = match number.checked_sub(link.classes[class].departed) {
                    Some(ahead) => 1 + link.before(class) as u64 + ahead,
                    None => 0,
                };
                (value, false)
            }
        }
    }

    /// Step D.1: the answer that came with a cell of slot `sent`.
    fn answer(&mut self, slot: u64, message: &Sent, sent: u64) {
        let (host, peer) = (message.to, message.from);
        let Some(answered) = self.fabric.answered(sent, self.off(host, peer)) else { return };
        let open = self.fabric.open_place(answered);
        let Some(cell) = self.link(host, peer).sent[open].take() else { return };
        let to = cell.cell.dst;
        let now = self.epoch_at(host, peer, slot + 1);
        let epoch = match message.value {
            0 => now,
            value => {
                let meetings = &self.fabric.meetings;
                let first = meetings.next(self.off(peer, usize::from(to)), sent + 1);
                let departure = first + (value - 1) * meetings.epoch_slots();
                let release = (departure + 1).saturating_sub(self.fabric.delay);
                now.max(self.epoch_at(host, peer, release))
            }
        };
        let queues = &mut self.link(host, peer).classes[usize::from(cell.class)];
        if message.last_dropped {
            queues.again.insert(to, cell);
        }
        queues.subflows.wait(to, epoch);
    }

    /// Step D for one cell of slot `sent`.
    fn receive(&mut self, slot: u64, sent: u64, message: &Sent) {
        self.answer(slot, message, sent);
        let &Sent { from, to: host, cell, .. } = message;
        self.link(host, from).received = Received::Nothing;
        let Some(cell) = cell else { return };
        let (dst, class) = (usize::from(cell.cell.dst), usize::from(cell.class));
        if dst == host {
            return self.arrive(slot, cell);
        }
        let full = queue_cells(self.hosts);
        let queues = &self.link(host, dst).classes[class];
        let number = queues.departed + queues.queue.len() as u64;
        let is_full = queues.queue.len() >= full;
        self.link(host, from).received = if is_full {
            self.accounts[class].dropped += 1;
            Received::Dropped(cell.cell.dst, cell.class)
        } else {
            self.push(slot, (host, dst), cell);
            Received::Queued(cell.cell.dst, cell.class, number)
        };
    }

    /// A cell is at its destination.
    fn arrive(&mut self, slot: u64, cell: ClassCell) {
        let ClassCell { cell, class, number } = cell;
        let class = usize::from(class);
        let planned = self.plan.flows[cell.flow as usize];
        let stream = self.stream(class, planned.pair as usize);
        let account = &mut self.accounts[class];
        account.reorder_max = account.reorder_max.max(self.reorder[stream].arrive(number));
        let flow = &mut self.flows[cell.flow as usize];
        flow.received = [flow.received[0].min(slot), slot];
        flow.left -= 1;
        if flow.left == 0 {
            self.finished += 1;
            account.bound.finish(planned.pair, usize::from(planned.dst));
        }
    }

    /// Step E.
    fn end_slot(&mut self) {
        for account in &mut self.accounts {
            account.violations += account.bound.over();
            let most = account.backlog.iter().copied().max().unwrap_or(0);
            account.backlog_max = account.backlog_max.max(most);
        }
        let all =
            |host: usize| self.accounts.iter().map(|account| account.backlog[host]).sum::<u64>();
        let most = (0..self.hosts).map(all).max().unwrap_or(0);
        self.backlog_max = self.backlog_max.max(most);
    }
}

/// Runs flows, the class of each in `classes`, with the rules `shoal`. `trace` gets each cell that is sent. Time and
/// memory grow with the square of the hosts and with the number of classes; there is one worker.
///
/// # Errors
/// The settings cannot be simulated; the message names the option.
///
/// # Panics
/// If a flow has a host that there is not, there are 2^32 flows or more, or not as many classes as flows.
pub fn run(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    classes: &[u8],
    mut trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    assert_eq!(flows.len(), classes.len(), "a class of each flow");
    settings.check(schedule)?;
    let hosts = schedule.hosts();
    let failed = plan::failed_hosts(hosts, settings.fail)?;
    let lives = |(flow, _): &(&Flow, &u8)| flow.src.min(flow.dst) as usize >= failed;
    let (flows, classes): (Vec<Flow>, Vec<u8>) =
        flows.iter().zip(classes).filter(lives).map(|(&flow, &class)| (flow, class)).unzip();
    let fabric = Fabric::new(schedule, settings);
    let plan = Plan::new(&flows, failed, std::slice::from_ref(&(0..hosts)));
    let mut numbers = vec![None; hosts * hosts];
    for (number, pair) in plan.pairs.iter().enumerate() {
        numbers[usize::from(pair.src) * hosts + usize::from(pair.dst)] = Some(number);
    }
    let mut order = classes.clone();
    order.sort_unstable();
    order.dedup();
    let classes: Vec<u8> =
        classes.iter().map(|class| order.partition_point(|first| first < class) as u8).collect();
    let count = order.len();
    let account = |_| Account {
        bound: Bound::new(hosts, plan.pairs.len()),
        lengths: Lengths::new((hosts * (hosts - 1)) as u64),
        violations: 0,
        dropped: 0,
        last_hop: 0,
        reorder_max: 0,
        backlog: vec![0; hosts],
        backlog_max: 0,
    };
    let progress =
        |flow: &Flow| Progress { queued: [u64::MAX, 0], received: [u64::MAX, 0], left: flow.cells };
    let streams = count * plan.pairs.len();
    let mut model = Model {
        fabric: &fabric,
        settings,
        plan: &plan,
        hosts,
        links: vec![Link::new(count, fabric.open_cells); hosts * hosts],
        numbers,
        streams: vec![Stream::default(); streams],
        reorder: (0..streams).map(|_| Reorder::default()).collect(),
        next_seq: vec![0; plan.pairs.len()],
        flows: flows.iter().map(progress).collect(),
        order,
        classes,
        finished: 0,
        accounts: (0..count).map(account).collect(),
        backlog_max: 0,
    };
    let slots = pass(&mut model, &mut trace);
    Ok(outcome(&model, schedule, slots))
}

/// All slots. Returns how many there were.
fn pass(model: &mut Model<'_>, trace: &mut Option<Trace<'_>>) -> u64 {
    let (settings, fabric, plan) = (model.settings, model.fabric, model.plan);
    let meetings = &fabric.meetings;
    let end = settings.epochs.map(|epochs| epochs.saturating_mul(meetings.epoch_slots()));
    let mut air: VecDeque<(u64, Vec<Sent>)> = VecDeque::new();
    let (mut slot, mut next, mut quiet) = (0, 0, 0);
    loop {
        if next as u64 == model.finished && slot - quiet >= fabric.quiet_slots {
            let start = plan.flows.get(next).map_or(slot, |flow| flow.start);
            slot = slot.max(start.min(end.map_or(u64::MAX, |end| end - 1)));
        }
        while plan.flows.get(next).is_some_and(|flow| flow.start == slot) {
            model.start(next, slot);
            next += 1;
        }
        let mut sent = Vec::new();
        for channel in 0..meetings.channels() {
            let Some((shift, senders)) = meetings.senders(channel, slot) else { continue };
            for from in senders {
                let to = meetings.behind(from, shift);
                let cell = model.leave(slot, from, to);
                if let (Some(ClassCell { cell, .. }), Some(trace)) = (cell, trace.as_mut()) {
                    let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
                    trace(&SentCell { slot, from, to, src, dst, seq: cell.seq });
                }
                sent.push((from, to, cell));
            }
        }
        let message = |(from, to, cell)| {
            let (value, last_dropped) = model.report(from, to);
            Sent { from, to, cell, value, last_dropped }
        };
        let messages = sent.into_iter().map(message).collect();
        air.push_back((slot, messages));
        while let Some((sent, messages)) =
            air.pop_front_if(|(sent, _)| *sent + settings.delay <= slot + 1)
        {
            // What is older was in the air when nothing was on its way: empty cells.
            if sent + settings.delay == slot + 1 {
                for message in &messages {
                    model.receive(slot, sent, message);
                }
            }
        }
        model.end_slot();
        slot += 1;
        if end == Some(slot)
            || settings.finish.is_some_and(|finish| model.finished >= finish)
            || model.finished == plan.flows.len() as u64
        {
            return slot;
        }
        if next as u64 > model.finished {
            quiet = slot;
        }
    }
}

/// What was counted, of all classes and of each that has flows.
fn outcome(model: &Model<'_>, schedule: &Schedule, slots: u64) -> Outcome {
    let Model { plan, settings, .. } = *model;
    // There is one worker, so a flow's numbers at source and destination are that in the plan.
    let queued = |flow: &Planned| model.flows[flow.at_source as usize].queued;
    let received = |flow: &Planned| {
        let flow = &model.flows[flow.at_destination as usize];
        (flow.left == 0).then_some(flow.received)
    };
    let empty =
        Outcome::new(Rules::Shoal.name(), model.hosts, schedule.channels(), settings.slot_ns);
    let empty = Outcome { slots, warmup: settings.warmup, ..empty };
    let (flows, finished) = (plan.flows.len() as u64, plan.finished(queued, received));
    let mut all = Outcome { flows, finished, ..empty.clone() };
    for (place, (account, &class)) in (0..).zip(model.accounts.iter().zip(&model.order)) {
        let counts = Counts {
            queue_samples: &account.lengths.samples(slots),
            aggregate_cells_max: account.backlog_max,
            reorder_cells: account.reorder_max,
            last_hop_cells: account.last_hop,
            bound_violations: account.violations,
        };
        all.add(&counts);
        let is_of = |flow: &&Planned| model.classes[flow.at_source as usize] == place;
        let flows: Vec<Planned> = plan.flows.iter().filter(is_of).copied().collect();
        let of = Plan { flows, pairs: Vec::new(), failed: plan.failed };
        let (flows, finished) = (of.flows.len() as u64, of.finished(queued, received));
        let mut outcome = Outcome { flows, finished, ..empty.clone() };
        outcome.add(&counts);
        all.classes.push(ClassOutcome { class, dropped: account.dropped, outcome });
    }
    all.aggregate_cells_max = model.backlog_max;
    all
}
