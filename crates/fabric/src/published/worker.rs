//! One worker: some of the hosts, slot after slot. The steps are those of the rules (see the module above).

use super::Settings;
use super::links::Link;
use super::sources::{Entry, Now, Sources};
use super::waits::REBASE;
use crate::bound::Bound;
use crate::incoming::Incoming;
use crate::outcome::{Counts, Outcome};
use crate::plan::{Plan, Planned};
use crate::queue::{Cell, NONE, Pool};
use crate::ring::{Outgoing, Ring};
use std::hint::black_box;
use std::ops::{BitXor, Range};

/// What a host sends in a slot.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// The cell.
    pub cell: Cell,
    /// Feedback for the last two cells from the peer, the last one first.
    pub values: [u32; 2],
}

impl Sent {
    /// Nothing.
    pub const NOTHING: Self = Self { cell: Cell::EMPTY, values: [0; 2] };
}

/// A destination that a host has chosen.
#[derive(Clone, Copy, Debug)]
struct Chosen {
    /// Its place in the list.
    place: usize,
    /// The number of the pair.
    pair: u32,
    /// The destination.
    to: u16,
}

/// A cell that has arrived and is not at its destination.
#[derive(Clone, Copy, Debug, Default)]
struct Passing {
    /// The link to whose queue it goes.
    link: u32,
    /// The host, among those of the worker.
    index: u16,
    /// The destination.
    to: u16,
}

/// The state of some hosts.
pub struct Worker<'a> {
    plan: &'a Plan,
    settings: Settings,
    /// The hosts.
    range: Range<usize>,
    /// Slots of an epoch.
    epoch_slots: u64,
    /// Where epochs are counted from.
    base: u64,
    /// Those with smaller numbers have failed.
    failed: usize,
    links: Vec<Link>,
    cells: Pool,
    /// `backlog[host * hosts + to]`: cells that wait for and sources that are ready to send to a host.
    backlog: Vec<u32>,
    sources: Sources,
    /// Cells that wait at each host.
    waiting: Vec<u64>,
    /// The cells of a slot that are not at their destination, and the hosts at which one is.
    passing: Vec<Passing>,
    ends: Vec<u16>,
    /// What each host has chosen in this slot.
    chosen: Vec<Option<Chosen>>,
    /// By the number of the pair.
    rings: Vec<Ring>,
    /// Slots of the first and the last queued cell of each flow that starts here.
    queued: Vec<[u64; 2]>,
    incoming: Incoming,
    bound: Bound,
    /// The next flow to start, of all.
    next: usize,
    samples: Vec<u64>,
    aggregate_max: u64,
    last_hop: u64,
    violations: u64,
}

impl<'a> Worker<'a> {
    /// Hosts `range` of the plan's.
    pub fn new(plan: &'a Plan, settings: &Settings, range: Range<usize>) -> Self {
        let peers = settings.hosts - 1;
        let outgoing = |flow: &&Planned| range.contains(&usize::from(flow.src));
        Self {
            epoch_slots: peers as u64,
            base: 0,
            failed: plan.failed,
            links: vec![Link::IDLE; peers * range.len()],
            cells: Pool::new(),
            sources: Sources::new(range.len(), peers, settings.gate),
            backlog: vec![0; settings.hosts * range.len()],
            waiting: vec![0; range.len()],
            passing: Vec::new(),
            ends: Vec::new(),
            chosen: vec![None; range.len()],
            rings: plan.pairs.iter().map(|_| Ring::default()).collect(),
            queued: vec![[0; 2]; plan.flows.iter().filter(outgoing).count()],
            incoming: Incoming::new(plan, &range),
            bound: Bound::new(settings.hosts, plan.pairs.len()),
            next: 0,
            samples: vec![0; 1],
            aggregate_max: 0,
            last_hop: 0,
            violations: 0,
            plan,
            settings: *settings,
            range,
        }
    }

    /// When the slot `slot` is.
    fn now(&mut self, slot: u64) -> Now {
        let mut epoch = slot / self.epoch_slots - self.base;
        if epoch >= REBASE as u64 {
            self.sources.rebase(epoch.min(i32::MAX as u64 - 1) as i32);
            self.base += epoch;
            epoch = 0;
        }
        let phase = (slot % self.epoch_slots) as usize;
        Now { slot, phase, epoch: epoch as i32 }
    }

    /// A slot in which nothing waits and nothing starts, so many times.
    pub fn pass(&mut self, slots: u64) {
        self.samples[0] += slots * self.range.len() as u64;
    }

    /// Notes that flows of pairs have finished, wherever that was.
    pub fn finish(&mut self, pairs: &[u32]) {
        for &pair in pairs {
            self.bound.finish(pair, self.plan.pairs[pair as usize].dst.into());
        }
    }

    /// Ends a slot, after [`Worker::finish`].
    pub fn end_slot(&mut self) {
        self.violations += self.bound.over();
    }

    /// Steps 1 to 6 of a slot.
    pub fn send(&mut self, slot: u64, sent: &mut [Sent]) {
        let now = self.now(slot);
        self.start_flows(now);
        for index in 0..sent.len() {
            self.chosen[index] = self.choose(index, now);
        }
        self.touch_sent(now);
        for (index, sent) in sent.iter_mut().enumerate() {
            sent.cell = self.send_cell(index, now);
        }
        // Values are looked up in a loop of their own: memory that is far away answers for many hosts at once.
        let hosts = self.settings.hosts;
        let links = &self.links[now.phase * sent.len()..];
        for (index, (sent, link)) in sent.iter_mut().zip(links).enumerate() {
            let backlog = &self.backlog[index * hosts..][..hosts];
            // No destination, and none that is this host: its own entry is always 0.
            sent.values =
                link.received.map(|to| backlog.get(usize::from(to)).copied().unwrap_or(0));
        }
    }

    /// Steps 2 and 3 of one host: the destination that it chooses, which it blocks.
    fn choose(&mut self, index: usize, now: Now) -> Option<Chosen> {
        let peer = wrap(self.range.start + index + now.phase + 1, self.settings.hosts);
        let link = &mut self.links[now.phase * self.range.len() + index];
        let length = link.queue.len();
        match self.samples.get_mut(length as usize) {
            Some(samples) => *samples += 1,
            None => {
                self.samples.resize(length as usize + 1, 0);
                self.samples[length as usize] = 1;
            }
        }
        self.aggregate_max = self.aggregate_max.max(self.waiting[index]);
        link.ready = 0;
        if self.sources.list(index).is_empty() || peer < self.failed {
            return None;
        }
        let look = self.sources.look(index, now, length, link.cursor, link.own == NONE);
        link.ready = look.eligible;
        let place = look.chosen?;
        link.ready -= 1;
        let list = self.sources.list(index);
        link.cursor = if place + 1 == list.len() { 0 } else { place as u16 + 1 };
        let Entry { pair, to, .. } = list[place];
        self.sources.block(index, place, now);
        Some(Chosen { place, pair, to })
    }

    /// Steps 4 to 6 of one host, without the values. Returns the cell that it sends.
    fn send_cell(&mut self, index: usize, now: Now) -> Cell {
        let hosts = self.settings.hosts;
        let host = self.range.start + index;
        let peer = wrap(host + now.phase + 1, hosts);
        let link = &mut self.links[now.phase * self.range.len() + index];
        let length = link.queue.len();
        // Its own cell.
        let own = self.chosen[index].map(|Chosen { place, pair, to }| {
            let ring = &mut self.rings[pair as usize];
            let taken = ring.take(now.slot);
            if let Some((number, first)) = taken.last_of {
                self.queued[number as usize] = [first, now.slot];
                if ring.is_empty() {
                    self.sources.leave(index, place, now.epoch);
                }
            }
            Cell { seq: taken.seq, flow: taken.flow, src: host as u16, dst: to }
        });
        let cell = match own {
            // It passes through an empty queue.
            Some(own) if length == 0 => own,
            None if length == 0 => Cell::EMPTY,
            _ => {
                let head = self.cells.pop(&mut link.queue).unwrap_or(Cell::EMPTY);
                if usize::from(head.src) == host {
                    link.own = NONE;
                }
                if let Some(own) = own {
                    self.cells.push(&mut link.queue, own);
                    link.own = own.dst;
                } else {
                    self.waiting[index] -= 1;
                    self.bound.shrink(peer, length);
                }
                head
            }
        };
        self.backlog[index * hosts + peer] = link.queue.len() + u32::from(link.ready);
        let counts = usize::from(cell.dst) == peer && now.slot >= self.settings.warmup;
        self.last_hop += u64::from(counts);
        cell
    }

    /// Step 1, for all flows: others' count for the bound.
    fn start_flows(&mut self, now: Now) {
        while let Some(flow) = self.plan.flows.get(self.next) {
            if flow.start != now.slot {
                break;
            }
            self.next += 1;
            self.bound.start(flow.pair, flow.dst.into());
            let host = usize::from(flow.src);
            if !self.range.contains(&host) {
                continue;
            }
            let ring = &mut self.rings[flow.pair as usize];
            if ring.is_empty() {
                self.sources.join(host - self.range.start, flow.dst, flow.pair, now);
            }
            ring.join(Outgoing::new(flow.at_source, flow.at_destination, flow.cells));
        }
    }

    /// Steps 7 to 9 of the slot in which this worker has sent `sent` last. `arrived` is what was sent to each of its hosts.
    /// Puts the pairs of flows that finish into `finished`, in place of what is there.
    pub fn receive(&mut self, slot: u64, sent: &[Sent], arrived: &[Sent], finished: &mut Vec<u32>) {
        let now = self.now(slot);
        let local = self.range.len();
        self.sort(arrived);
        for (index, (sent, arrived)) in sent.iter().zip(arrived).enumerate() {
            self.take_feedback(index, now, &sent.cell, arrived);
        }
        self.pass_on(arrived);
        for place in 0..self.ends.len() {
            self.incoming.arrive(arrived[self.ends[place] as usize].cell, slot);
        }
        self.incoming.take_finished(finished);
        let links = &mut self.links[now.phase * local..][..local];
        for (index, (link, sent)) in links.iter_mut().zip(sent).enumerate() {
            let own = usize::from(sent.cell.src) == self.range.start + index;
            link.sent = [if own { sent.cell.dst } else { NONE }, link.sent[0]];
        }
    }

    /// Finds out which cells are at their destination, and which links the others go to.
    fn sort(&mut self, arrived: &[Sent]) {
        let (hosts, local) = (self.settings.hosts, self.range.len());
        self.passing.resize(local, Passing::default());
        self.ends.resize(local, 0);
        let (mut passing, mut ends) = (0, 0);
        // Written always and counted sometimes, as nobody can guess which is which.
        for (index, sent) in arrived.iter().enumerate() {
            let (host, to) = (self.range.start + index, sent.cell.dst);
            let link = phase(host, usize::from(to), hosts) * local + index;
            self.passing[passing] = Passing { link: link as u32, index: index as u16, to };
            self.ends[ends] = index as u16;
            passing += usize::from(to != NONE && usize::from(to) != host);
            ends += usize::from(usize::from(to) == host);
        }
        self.passing.truncate(passing);
        self.ends.truncate(ends);
        // Memory that is far away answers for many hosts at once in loops that wait for nothing.
        let links = || self.passing.iter().map(|passing| &self.links[passing.link as usize]);
        touch(links().map(|link| link.queue.len()));
        touch(links().map(|link| self.cells.touch_last(&link.queue)));
        let ends = || self.ends.iter().map(|&index| &arrived[usize::from(index)].cell);
        touch(ends().map(|cell| self.incoming.touch_flow(cell)));
        touch(ends().map(|cell| self.incoming.touch_pair(cell)));
    }

    /// Step 7 of one host, and what it remembers of a cell in step 8. `own` is what it has sent in this slot.
    fn take_feedback(&mut self, index: usize, now: Now, own: &Cell, arrived: &Sent) {
        let hosts = self.settings.hosts;
        let host = self.range.start + index;
        // The slot of an epoch in which it meets the host from which it receives in this one.
        let reply = hosts - 2 - now.phase;
        let from = wrap(host + reply + 1, hosts);
        let link = &mut self.links[reply * self.range.len() + index];
        for which in [1, 0] {
            let to = link.sent[which];
            if to == NONE || link.own == to {
                continue;
            }
            let value = arrived.values[which];
            let serves = phase(from, usize::from(to), hosts);
            let own_now = usize::from(own.src) == host && own.dst == to;
            let early = value > 0
                && usize::from(to) != from
                && is_served_first(now.phase, reply, serves, hosts - 1, own_now);
            // They meet again in this epoch or the next.
            let meeting = now.epoch + i32::from(reply <= now.phase);
            self.sources.set(index, to, reply, meeting, value - u32::from(early));
        }
        link.received = [arrived.cell.dst, link.received[0]];
    }

    /// Step 8 for cells that are not at their destination.
    fn pass_on(&mut self, arrived: &[Sent]) {
        for &Passing { link, index, to } in &self.passing {
            let (link, index) = (&mut self.links[link as usize], usize::from(index));
            self.cells.push(&mut link.queue, arrived[index].cell);
            self.backlog[index * self.settings.hosts + usize::from(to)] += 1;
            self.bound.grow(to.into(), link.queue.len());
            self.waiting[index] += 1;
        }
    }

    /// Reads what is far away and will be used by `send_cell`, in loops that wait for nothing.
    fn touch_sent(&self, now: Now) {
        let links = &self.links[now.phase * self.chosen.len()..][..self.chosen.len()];
        touch(links.iter().map(|link| self.cells.touch_first(&link.queue)));
        touch(
            self.chosen.iter().flatten().map(|chosen| self.rings[chosen.pair as usize].next_seq()),
        );
    }
}

impl Worker<'_> {
    /// Adds what this worker has counted.
    pub fn count(&self, outcome: &mut Outcome) {
        outcome.add(&Counts {
            queue_samples: &self.samples,
            aggregate_cells_max: self.aggregate_max,
            reorder_cells: self.incoming.held_max(),
            last_hop_cells: self.last_hop,
            bound_violations: self.violations,
        });
    }

    /// The hosts.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The slots in which the first and the last cell of a flow that starts here were queued.
    pub fn queued(&self, number: u32) -> [u64; 2] {
        self.queued[number as usize]
    }

    /// The slots in which the first and the last cell of a flow to here arrived, once all have.
    pub fn received(&self, number: u32) -> Option<[u64; 2]> {
        self.incoming.received(number)
    }

    /// Flows that have started, here and elsewhere.
    pub fn started(&self) -> usize {
        self.next
    }
}

/// Reads all numbers, which mean nothing.
fn touch<T: Default + BitXor<Output = T>>(numbers: impl Iterator<Item = T>) {
    black_box(numbers.fold(T::default(), BitXor::bitxor));
}

/// `number`, which is less than twice `modulus`, modulo it.
fn wrap(number: usize, modulus: usize) -> usize {
    if number < modulus { number } else { number - modulus }
}

/// The slot of an epoch in which `from` sends to `to`.
fn phase(from: usize, to: usize, hosts: usize) -> usize {
    wrap(to + hosts - from - 1, hosts)
}

/// Whether a peer serves a destination before this host meets the peer again (step 7): `now` is the slot of the epoch,
/// `meets` that in which this host sends to the peer, `serves` that in which the peer sends to the destination. `own_now`:
/// whether the cell that this host has sent in this slot is its own and for the destination.
fn is_served_first(
    now: usize,
    meets: usize,
    serves: usize,
    epoch_slots: usize,
    own_now: bool,
) -> bool {
    if meets == now {
        return !own_now;
    }
    let from_now = |slot: usize| wrap(slot + epoch_slots - now, epoch_slots);
    from_now(serves) < from_now(meets) || meets == serves && now < meets
}
