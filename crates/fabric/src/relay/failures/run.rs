//! The slots of a run. Steps A to E are those of docs/fabric-rules.md.

use super::account::Account;
use super::came::{Came, Looks};
use super::host::{Link, Pair, Received, Search, Turn};
use super::{Delivery, Event, Failures, Repair};
use crate::outcome::{Counts, Outcome};
use crate::plan::Plan;
use crate::queue::{Cell, NONE};
use crate::relay::subflows::Subflows;
use crate::relay::{Fabric, Rules, Settings};
use crate::schedule::{BadFabric, Schedule};
use crate::trace::{SentCell, Trace};
use std::collections::VecDeque;

/// Epochs after which a host tells a source what has arrived, if no empty cell has done it before.
const TELL_EPOCHS: u64 = 8;

/// What a host sends in a slot of a channel.
struct Sent {
    from: usize,
    to: usize,
    /// None: the host is dead.
    what: Option<Message>,
}

struct Message {
    cell: Cell,
    value: u64,
    last_dropped: bool,
    /// In empty cells: the first number of the pair peer -> host that the host misses, as far as it has looked.
    expected: Option<u64>,
}

struct Model<'a> {
    fabric: &'a Fabric,
    settings: &'a Settings,
    failures: &'a Failures,
    plan: &'a Plan,
    account: Account<'a>,
    hosts: usize,
    alive: Vec<bool>,
    /// When each host began, or came back.
    born: Vec<u64>,
    /// `[host * hosts + peer]`
    links: Vec<Link>,
    /// By host.
    searches: Vec<Search>,
    /// By number.
    pairs: Vec<Pair>,
    /// By number of the pair, and by host: what has come, if hosts may die.
    came: Vec<Came>,
    looks: Vec<Looks>,
    /// `[src * hosts + dst]`: the pair's number.
    numbers: Vec<Option<usize>>,
    backlog: Vec<u64>,
    backlog_max: u64,
    last_hop: u64,
    /// Whether hosts may die, so that sources keep cells until they are told of their arrival.
    keeps: bool,
    /// The slot with which the schedule begins, and each host's number in it, `None` if it is not there.
    base: u64,
    members: Vec<usize>,
    member: Vec<Option<usize>>,
    /// Hosts send nothing but empty cells, until a repaired schedule begins.
    pauses: bool,
}

impl<'a> Model<'a> {
    /// The slot of an epoch of a link. A host that the schedule does not have sends nothing, so any will do.
    fn off(&self, from: usize, to: usize) -> u64 {
        let meetings = &self.fabric.meetings;
        let (Some(from), Some(to)) = (self.member[from], self.member[to]) else { return 0 };
        meetings.phase(from, meetings.shift(from, to))
    }

    /// The first epoch of a link at or after a slot.
    fn epoch_at(&self, from: usize, to: usize, slot: u64) -> u64 {
        (slot - self.base)
            .saturating_sub(self.off(from, to))
            .div_ceil(self.fabric.meetings.epoch_slots())
    }

    fn place(&self, host: usize, peer: usize) -> usize {
        host * self.hosts + peer
    }

    fn resize(&mut self, slot: u64, (host, peer): (usize, usize), from: usize, to: usize) {
        self.account.resize(slot, peer, from, to);
        self.backlog[host] = self.backlog[host] + to as u64 - from as u64;
    }

    /// A pair has something to send from `slot` on.
    fn activate(&mut self, src: usize, dst: usize, slot: u64) {
        for peer in self.members.clone().into_iter().filter(|&peer| peer != src) {
            let epoch = self.epoch_at(src, peer, slot);
            let place = self.place(src, peer);
            self.links[place].subflows.activate(dst as u16, epoch);
        }
    }

    /// Step A.
    fn start(&mut self, number: usize, slot: u64) {
        let planned = self.plan.flows[number];
        let (src, dst) = (usize::from(planned.src), usize::from(planned.dst));
        let dead = !self.alive[src] || !self.alive[dst];
        self.account.start(number, dead);
        if dead {
            return;
        }
        let pair = &mut self.pairs[planned.pair as usize];
        let was_active = pair.is_active();
        pair.ring.push_back(Turn { flow: number as u32, left: planned.cells });
        if !was_active {
            pair.since = slot;
            self.activate(src, dst, slot);
        }
    }

    fn happen(&mut self, event: Event) {
        let Event { slot, host, dies } = event;
        self.alive[host] = !dies;
        for (number, ends) in self.plan.pairs.iter().enumerate() {
            let (src, dst) = (usize::from(ends.src), usize::from(ends.dst));
            let pair = &mut self.pairs[number];
            if dies && src == host {
                pair.die();
            }
            if !dies && (src == host || dst == host) {
                self.account.restart(number, pair.next_seq);
                self.came[number].restart(pair.next_seq);
                self.looks[dst].forget(src as u16);
            }
        }
        if !dies {
            self.born[host] = slot;
            // The start signal says who is there.
            for peer in (0..self.hosts).filter(|&peer| peer != host) {
                let place = self.place(host, peer);
                self.links[place].is_dead = !self.alive[peer];
            }
            return;
        }
        self.account.die(host);
        self.searches[host] = Search::default();
        self.looks[host] = Looks::default();
        for peer in (0..self.hosts).filter(|&peer| peer != host) {
            let place = self.place(host, peer);
            let fresh = Link::new(self.fabric.open_cells);
            let old = std::mem::replace(&mut self.links[place], fresh);
            self.resize(slot, (host, peer), old.len(), 0);
        }
    }

    /// Whether cells wait to be sent: copies of some that have arrived, when all flows are over.
    fn has_cells(&self) -> bool {
        self.links.iter().any(|link| !link.is_dead && link.len() > 0)
    }

    /// The repaired schedule begins in `slot`.
    fn repair(&mut self, slot: u64, fabric: &'a Fabric, hosts: &[usize]) {
        self.fabric = fabric;
        self.base = slot;
        self.pauses = false;
        self.members = hosts.to_vec();
        self.member = vec![None; self.hosts];
        for (number, &host) in hosts.iter().enumerate() {
            self.member[host] = Some(number);
        }
        for link in &mut self.links {
            link.change_schedule(fabric.open_cells);
        }
    }

    /// `host` notices in `slot` that nothing came from `peer`. What it has for it in other queues goes there all the same, and is dropped
    /// by those who have noticed.
    fn miss(&mut self, slot: u64, host: usize, peer: usize) {
        let place = self.place(host, peer);
        if self.links[place].is_dead {
            return;
        }
        let length = self.links[place].die();
        self.resize(slot, (host, peer), length, 0);
        if let Some(number) = self.numbers[host * self.hosts + peer] {
            self.pairs[number].die();
        }
        // Cells of its own for others that the peer may not have passed on, and the one that was about to go to it.
        if self.failures.recovery.reroutes {
            self.searches[host].add(peer as u16);
        }
    }

    /// Cells of `host` for one destination have to go over other hosts.
    fn reroute(&mut self, slot: u64, host: usize, cells: Vec<Cell>) {
        let Some(first) = cells.first() else { return };
        let dst = usize::from(first.dst);
        let Some(number) = self.numbers[host * self.hosts + dst] else { return };
        let pair = &mut self.pairs[number];
        let was_active = pair.is_active();
        pair.reroute.extend(cells);
        if !was_active {
            pair.since = slot + 1;
            self.activate(host, dst, slot + 1);
        }
    }

    /// Hosts look at what has come.
    fn look(&mut self) {
        let Self { looks, came, numbers, hosts, .. } = self;
        for (host, looks) in looks.iter_mut().enumerate() {
            looks.look(|source| {
                let number = numbers[usize::from(source) * *hosts + host];
                number.is_some_and(|number| came[number].look())
            });
        }
    }

    /// `host` looks at some of its cells, as they are at the start of a slot. Those that it returns have to be sent over other hosts.
    fn search(&mut self, host: usize) -> Vec<Cell> {
        let Some(dst) = self.searches[host].destination() else { return Vec::new() };
        let dst = usize::from(dst);
        let can_send = dst != host && !self.links[self.place(host, dst)].is_dead;
        let number = self.numbers[host * self.hosts + dst].filter(|_| can_send);
        let pair = number.map(|number| &mut self.pairs[number]);
        let lost = self.searches[host].look(pair, self.hosts);
        self.account.counts.rerouted += lost.len() as u64;
        lost
    }

    /// `host` hears again from `peer`, which it took for dead: its link and its pair begin anew.
    fn return_of(&mut self, slot: u64, host: usize, peer: usize) {
        let place = self.place(host, peer);
        self.links[place].is_dead = false;
        self.links[place].subflows = Subflows::default();
        let epoch = self.epoch_at(host, peer, slot + 1);
        for dst in (0..self.hosts).filter(|&dst| dst != peer) {
            let number = self.numbers[host * self.hosts + dst];
            if number.is_some_and(|number| self.pairs[number].is_active()) {
                self.links[place].subflows.activate(dst as u16, epoch);
            }
        }
        if let Some(number) = self.numbers[host * self.hosts + peer]
            && self.pairs[number].is_active()
        {
            self.pairs[number].since = slot + 1;
            self.activate(host, peer, slot + 1);
        }
    }

    /// Step B.1 and B.2.
    fn admit(&mut self, slot: u64, host: usize, peer: usize) {
        let place = self.place(host, peer);
        let epoch_slots = self.fabric.meetings.epoch_slots();
        let epoch = (slot - self.base) / epoch_slots;
        let link = &self.links[place];
        if link.has_local {
            return;
        }
        let length = link.len();
        let must_tell =
            link.untold_since.is_some_and(|since| slot - since >= TELL_EPOCHS * epoch_slots);
        if must_tell {
            self.join(slot, host, peer, Cell::EMPTY);
            return;
        }
        let row = host * self.hosts;
        let (pairs, numbers) = (&self.pairs, &self.numbers);
        let dead: Vec<bool> =
            self.links[row..row + self.hosts].iter().map(|link| link.is_dead).collect();
        let is_active = |to: u16| {
            let to = usize::from(to);
            !dead[to] && numbers[row + to].is_some_and(|number| pairs[number].is_active())
        };
        let Some((release, to)) = self.links[place].subflows.first_waiting(epoch, is_active) else {
            return;
        };
        let Some(number) = self.numbers[row + usize::from(to)] else { return };
        let pair = &mut self.pairs[number];
        let full_age = u64::from(usize::BITS - (self.hosts - 1).leading_zeros());
        let gate = self.settings.gate;
        let is_open = gate == 0 || {
            let age = slot.saturating_sub(pair.since) / gate;
            age >= full_age || length as u64 <= 1 << age
        };
        if release > epoch + length as u64 || !is_open {
            return;
        }
        let cell = pair.reroute.pop_front().or_else(|| {
            let mut turn = pair.ring.pop_front()?;
            let seq = pair.next_seq;
            pair.next_seq += 1;
            turn.left -= 1;
            let queued = &mut self.account.flows[turn.flow as usize].queued;
            *queued = [queued[0].min(slot), slot];
            if turn.left > 0 {
                pair.ring.push_back(turn);
            }
            Some(Cell { seq, flow: turn.flow, src: host as u16, dst: to })
        });
        if let Some(cell) = cell {
            if self.keeps {
                self.pairs[number].kept.insert(cell.seq, (cell, peer as u16));
            }
            self.links[place].subflows.queue(to);
            self.join(slot, host, peer, cell);
        }
    }

    /// A local cell joins its queue.
    fn join(&mut self, slot: u64, host: usize, peer: usize, cell: Cell) {
        let place = self.place(host, peer);
        let link = &mut self.links[place];
        let length = link.len();
        link.queue.push_back(cell);
        link.has_local = true;
        self.resize(slot, (host, peer), length, length + 1);
    }

    /// Step B of one link. Returns the cell that leaves.
    fn leave(&mut self, slot: u64, host: usize, peer: usize) -> Cell {
        let place = self.place(host, peer);
        if !self.links[place].is_dead && !self.pauses {
            self.admit(slot, host, peer);
        }
        let epoch = (slot - self.base) / self.fabric.meetings.epoch_slots();
        let open = self.fabric.open_place(slot - self.base);
        let link = &mut self.links[place];
        link.sent[open] = (Cell::EMPTY, NONE);
        // Cells that came for it since may be those of sources that know of its return already.
        if link.is_dead || self.pauses {
            return Cell::EMPTY;
        }
        let length = link.len();
        let again = link.again.pop_front();
        let is_again = again.is_some();
        let Some(cell) = again.or_else(|| link.queue.pop_front()) else {
            link.untold_since = None;
            return Cell::EMPTY;
        };
        if !is_again {
            link.departed += 1;
        }
        if cell.is_empty() {
            link.has_local = false;
            link.untold_since = None;
        }
        let is_local = usize::from(cell.src) == host;
        let is_last_hop = usize::from(cell.dst) == peer;
        let answer = if is_local && !is_last_hop { cell.dst } else { NONE };
        link.sent[open] = (cell, answer);
        if is_local && !is_again {
            link.has_local = false;
            if is_last_hop {
                link.subflows.wait(cell.dst, epoch + 1);
            }
        }
        self.resize(slot, (host, peer), length, length - 1);
        self.account.counts.retransmitted += u64::from(is_again);
        self.last_hop += u64::from(is_last_hop && slot >= self.settings.warmup);
        cell
    }

    /// Step C: what goes with a cell.
    fn message(&self, host: usize, peer: usize, cell: Cell) -> Message {
        let link = &self.links[self.place(host, peer)];
        let value = match link.received {
            Received::Queued(to, number) => {
                let onward = &self.links[self.place(host, usize::from(to))];
                match number.checked_sub(onward.departed) {
                    Some(ahead) => ahead + 1 + onward.again.len() as u64,
                    None => 0,
                }
            }
            _ => 0,
        };
        let pair = self.numbers[peer * self.hosts + host].filter(|_| cell.is_empty());
        Message {
            cell,
            value,
            last_dropped: link.received == Received::Dropped,
            expected: pair.map(|number| self.came[number].missing),
        }
    }

    /// Step D.1: the answer of slot `sent` from `peer`, None if its header was bad.
    fn answer(
        &mut self,
        slot: u64,
        sent: u64,
        (host, peer): (usize, usize),
        told: Option<&Message>,
    ) {
        let Some(answered) = self.fabric.answered(sent - self.base, self.off(host, peer)) else {
            return;
        };
        let open = self.fabric.open_place(answered);
        let place = self.place(host, peer);
        let (cell, to) = std::mem::replace(&mut self.links[place].sent[open], (Cell::EMPTY, NONE));
        let good = told.filter(|told| !told.last_dropped);
        if good.is_none() && self.failures.recovery.retransmits {
            if !cell.is_empty() {
                let length = self.links[place].len();
                self.links[place].again.push_back(cell);
                self.resize(slot, (host, peer), length, length + 1);
            }
            return;
        }
        if to == NONE {
            return;
        }
        let now = self.epoch_at(host, peer, slot + 1);
        let epoch = match good.map_or(0, |told| told.value) {
            0 => now,
            value => {
                let onward = self.off(peer, usize::from(to));
                let meetings = &self.fabric.meetings;
                let departure = meetings.next(onward, sent + 1 - self.base)
                    + self.base
                    + (value - 1) * meetings.epoch_slots();
                let release = (departure + 1).saturating_sub(self.fabric.delay);
                now.max(self.epoch_at(host, peer, release))
            }
        };
        self.links[place].subflows.wait(to, epoch);
    }

    /// Step D for one cell.
    fn receive(&mut self, slot: u64, sent: u64, cell: &Sent, deliver: &mut dyn FnMut(&Delivery)) {
        let &Sent { from, to: host, ref what } = cell;
        // A host that has come back takes no notice of slots before its own start.
        if !self.alive[host] || sent < self.born[host] {
            return;
        }
        let Some(message) = what else {
            return self.miss(slot, host, from);
        };
        let place = self.place(host, from);
        if self.links[place].is_dead {
            self.return_of(slot, host, from);
        }
        if self.failures.damages(sent, from, host) {
            self.account.counts.dropped += 1;
            self.links[place].received = Received::Dropped;
            return self.answer(slot, sent, (host, from), None);
        }
        self.answer(slot, sent, (host, from), Some(message));
        self.links[place].received = Received::Nothing;
        let cell = message.cell;
        let dst = usize::from(cell.dst);
        if cell.is_empty() {
            let number = self.numbers[host * self.hosts + from];
            if let (Some(expected), Some(number)) = (message.expected, number) {
                self.pairs[number].tell(expected);
            }
        } else if dst == host {
            let discards = self.failures.recovery.discards_duplicates;
            self.account.arrive(cell, slot, discards, deliver);
            if self.keeps {
                let source = usize::from(cell.src);
                let place = self.place(host, source);
                self.links[place].untold_since.get_or_insert(slot);
                if let Some(number) = self.numbers[source * self.hosts + host]
                    && self.came[number].arrive(cell.seq)
                {
                    self.looks[host].add(cell.src);
                }
            }
        } else {
            let onward = self.place(host, dst);
            let link = &mut self.links[onward];
            let number = link.departed + link.queue.len() as u64;
            let length = link.len();
            link.queue.push_back(cell);
            self.resize(slot, (host, dst), length, length + 1);
            self.links[place].received = Received::Queued(cell.dst, number);
        }
    }
}

/// Runs flows with the rules `shoal` and failures. `deliver` gets each cell that a destination hands to its user, `trace`
/// each that is sent. Time and memory grow with the square of the hosts; there is one worker.
///
/// # Errors
/// The settings or failures cannot be simulated; the message names the option.
///
/// # Panics
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run(
    schedule: &Schedule,
    settings: &Settings,
    failures: &Failures,
    flows: &[crate::flows::Flow],
    deliver: &mut dyn FnMut(&Delivery),
    mut trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    settings.check(schedule)?;
    failures.check(schedule, settings)?;
    let hosts = schedule.hosts();
    let fabric = Fabric::new(schedule, settings);
    let repair = failures.repaired(schedule, settings.delay)?;
    let repaired = repair.as_ref().map(|repair| Fabric::new(&repair.schedule, settings));
    let plan = Plan::new(flows, 0, std::slice::from_ref(&(0..hosts)));
    let mut numbers = vec![None; hosts * hosts];
    for (number, pair) in plan.pairs.iter().enumerate() {
        numbers[usize::from(pair.src) * hosts + usize::from(pair.dst)] = Some(number);
    }
    let mut model = Model {
        fabric: &fabric,
        settings,
        failures,
        plan: &plan,
        account: Account::new(&plan, hosts),
        hosts,
        alive: vec![true; hosts],
        born: vec![0; hosts],
        links: vec![Link::new(fabric.open_cells); hosts * hosts],
        searches: vec![Search::default(); hosts],
        pairs: plan.pairs.iter().map(|_| Pair::default()).collect(),
        came: plan.pairs.iter().map(|_| Came::default()).collect(),
        looks: vec![Looks::default(); hosts],
        numbers,
        backlog: vec![0; hosts],
        backlog_max: 0,
        last_hop: 0,
        keeps: !failures.kills.is_empty(),
        base: 0,
        members: (0..hosts).collect(),
        member: (0..hosts).map(Some).collect(),
        pauses: false,
    };
    let repair = repair.as_ref().zip(repaired.as_ref());
    let slots = pass(&mut model, repair, deliver, &mut trace);
    let account = &model.account;
    let mut outcome = Outcome {
        slots,
        warmup: settings.warmup,
        flows: plan.flows.len() as u64,
        failures: Some(account.counts),
        ..Outcome::new(Rules::Shoal.name(), hosts, schedule.channels(), settings.slot_ns)
    };
    outcome.add(&Counts {
        queue_samples: &account.lengths.samples(slots),
        aggregate_cells_max: model.backlog_max,
        reorder_cells: account.reorder_max,
        last_hop_cells: model.last_hop,
        bound_violations: account.violations,
    });
    outcome.finished = plan.finished(
        |flow| account.flows[flow.at_source as usize].queued,
        |flow| account.received(flow.at_destination),
    );
    Ok(outcome)
}

/// All slots. Returns how many there were.
fn pass<'a>(
    model: &mut Model<'a>,
    mut repair: Option<(&'a Repair, &'a Fabric)>,
    deliver: &mut dyn FnMut(&Delivery),
    trace: &mut Option<Trace<'_>>,
) -> u64 {
    let settings = model.settings;
    let mut fabric = model.fabric;
    let end = settings.epochs.map(|epochs| epochs.saturating_mul(fabric.meetings.epoch_slots()));
    let mut events = VecDeque::from(model.failures.events());
    let mut air: VecDeque<(u64, Vec<Sent>)> = VecDeque::new();
    let (mut slot, mut next, mut quiet) = (0, 0, 0);
    loop {
        if model.account.open_flows() == 0 && slot - quiet >= fabric.quiet_slots {
            let start = model.plan.flows.get(next).map(|flow| flow.start);
            let event = events.front().map(|event| event.slot);
            let switch = repair.map(|(repair, _)| repair.switch);
            let soonest = start.into_iter().chain(event).chain(switch).min().unwrap_or(slot);
            let target = slot.max(soonest.min(end.map_or(u64::MAX, |end| end - 1)));
            // Cells for dead hosts stay in their queues meanwhile.
            model.account.violations += model.account.bound.over() * (target - slot);
            slot = target;
        }
        while let Some(event) = events.pop_front_if(|event| event.slot == slot) {
            model.happen(event);
            quiet = slot;
        }
        while model.plan.flows.get(next).is_some_and(|flow| flow.start == slot) {
            model.start(next, slot);
            next += 1;
        }
        if let Some((plan, repaired)) = repair {
            model.pauses = slot >= plan.pause;
            if slot == plan.switch {
                model.repair(slot, repaired, &plan.hosts);
                fabric = repaired;
                air.clear();
                repair = None;
            }
        }
        model.look();
        let found: Vec<Vec<Cell>> = (0..model.hosts).map(|host| model.search(host)).collect();
        let meetings = &fabric.meetings;
        let mut sent = Vec::new();
        for channel in 0..meetings.channels() {
            let Some((shift, senders)) = meetings.senders(channel, slot - model.base) else {
                continue;
            };
            for sender in senders {
                let from = model.members[sender];
                let to = model.members[meetings.behind(sender, shift)];
                let cell = model.alive[from].then(|| model.leave(slot, from, to));
                if let Some(cell) = cell.filter(|cell| !cell.is_empty())
                    && let Some(trace) = trace
                {
                    let (src, dst) = (usize::from(cell.src), usize::from(cell.dst));
                    trace(&SentCell { slot, from, to, src, dst, seq: cell.seq });
                }
                sent.push((from, to, cell));
            }
        }
        // Cells that were found count from the next slot on.
        for (host, cells) in found.into_iter().enumerate() {
            model.reroute(slot, host, cells);
        }
        let message = |(from, to, cell): (usize, usize, Option<Cell>)| {
            let what = cell.map(|cell| model.message(from, to, cell));
            Sent { from, to, what }
        };
        air.push_back((slot, sent.into_iter().map(message).collect()));
        while let Some((sent, cells)) =
            air.pop_front_if(|(sent, _)| *sent + settings.delay <= slot + 1)
        {
            // What is older was in the air when nothing was on its way: empty cells.
            if sent + settings.delay == slot + 1 {
                for cell in &cells {
                    model.receive(slot, sent, cell, deliver);
                }
            }
        }
        model.account.violations += model.account.bound.over();
        let most = model.backlog.iter().copied().max().unwrap_or(0);
        model.backlog_max = model.backlog_max.max(most);
        slot += 1;
        let done = model.account.finished + model.account.counts.dead_flows;
        if end == Some(slot)
            || settings.finish.is_some_and(|finish| model.account.finished >= finish)
            || done == model.plan.flows.len() as u64
        {
            return slot;
        }
        let searches = model.searches.iter().any(Search::is_active);
        if model.account.open_flows() > 0 || model.has_cells() || searches {
            quiet = slot;
        }
    }
}
