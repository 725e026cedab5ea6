//! One worker: some of the hosts, slot after slot. The steps are those of the module above.

use super::drive::Sent;
use super::lengths::Lengths;
use super::links::{Link, Waiting};
use super::rule::{Answer, Intermediate, Release, Rule};
use super::sources::Sources;
use super::{Fabric, Settings};
use crate::bound::Bound;
use crate::incoming::Incoming;
use crate::outcome::{Counts, Outcome};
use crate::plan::Plan;
use crate::queue::{Cell, NONE, Pool};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// A host's side of a link.
#[derive(Clone, Copy)]
struct Side {
    /// Its number.
    link: usize,
    /// The number of the host among the worker's.
    index: usize,
    /// How many hosts the peer is behind the host.
    shift: usize,
    peer: usize,
}

/// The state of some hosts.
///
/// Links are numbered by shift, then by host: those of a slot lie together.
pub struct Worker<R> {
    plan: Arc<Plan>,
    fabric: Arc<Fabric>,
    settings: Settings,
    range: Range<usize>,
    links: Vec<Link>,
    pool: Pool,
    waiting: Vec<Waiting>,
    /// With [`Release::ReadyQueue`], destinations whose turn it is; the first has its cell in the queue if any has.
    ready: Vec<VecDeque<u16>>,
    /// `open[link * H + e mod H]`: the destination of the local cell that was sent over the link in epoch e and has to be
    /// answered, or [`NONE`].
    open: Vec<u16>,
    /// `used[pair][shift]`, a bit each: whether a subflow waits, is ready, queues or has to be answered.
    used: Vec<u64>,
    used_words: usize,
    /// Links to look at: the slot, and the link. A link is here at most once with its slot of `looks`.
    timers: BinaryHeap<Reverse<(u64, u32)>>,
    looks: Vec<u64>,
    sources: Sources,
    incoming: Incoming,
    bound: Bound,
    lengths: Lengths,
    /// Cells that wait at each host.
    backlog: Vec<u64>,
    /// The next flow to start, of all.
    next: usize,
    backlog_max: u64,
    last_hop: u64,
    violations: u64,
    rule: PhantomData<R>,
}

impl<R: Rule> Worker<R> {
    /// Hosts `range` of the plan's.
    pub fn new(
        plan: Arc<Plan>,
        fabric: Arc<Fabric>,
        settings: Settings,
        range: Range<usize>,
    ) -> Self {
        let hosts = fabric.meetings.hosts();
        let links = (hosts - 1) * range.len();
        let epoch_slots = fabric.meetings.epoch_slots();
        let used_words = hosts.div_ceil(u64::BITS as usize);
        let eager = R::RELEASE != Release::Meeting;
        Self {
            links: vec![Link::IDLE; links],
            pool: Pool::new(),
            waiting: vec![Waiting::new(); links],
            ready: vec![VecDeque::new(); if R::RELEASE == Release::ReadyQueue { links } else { 0 }],
            open: vec![NONE; links * fabric.open_cells],
            used: vec![0; plan.pairs.len() * used_words],
            used_words,
            timers: BinaryHeap::new(),
            looks: vec![u64::MAX; if eager { links } else { 0 }],
            sources: Sources::new(&plan, &range, hosts, epoch_slots, settings.gate),
            incoming: Incoming::new(&plan, &range),
            bound: Bound::new(hosts, plan.pairs.len()),
            lengths: Lengths::new(links as u64),
            backlog: vec![0; range.len()],
            next: 0,
            backlog_max: 0,
            last_hop: 0,
            violations: 0,
            plan,
            fabric,
            settings,
            range,
            rule: PhantomData,
        }
    }

    /// The link of host number `index` to the host that is `shift` behind it.
    fn side(&self, index: usize, shift: usize) -> Side {
        let peer = self.fabric.meetings.behind(self.range.start + index, shift);
        Side { link: (shift - 1) * self.range.len() + index, index, shift, peer }
    }

    /// The link of host number `index` to `to`.
    fn side_to(&self, index: usize, to: usize) -> Side {
        self.side(index, self.fabric.meetings.shift(self.range.start + index, to))
    }

    fn side_of(&self, link: usize) -> Side {
        self.side(link % self.range.len(), link / self.range.len() + 1)
    }

    /// Steps 1 to 4 of a slot: `sent` gets what each host sends, channel after channel.
    pub fn send(&mut self, slot: u64, sent: &mut [Sent]) {
        self.start_flows(slot);
        self.look_at_timers(slot);
        let fabric = Arc::clone(&self.fabric);
        let meetings = &fabric.meetings;
        let local = self.range.len();
        let open = self.fabric.open_place(slot);
        for (channel, sent) in sent.chunks_exact_mut(local).enumerate() {
            let Some((shift, senders)) = meetings.senders(channel, slot) else {
                sent.fill(Sent::NOTHING);
                continue;
            };
            for (index, sent) in sent.iter_mut().enumerate() {
                sent.cell = if senders.contains(&(self.range.start + index)) {
                    self.send_cell(slot, open, self.side(index, shift))
                } else {
                    Cell::EMPTY
                };
            }
        }
        // Reports come last, in a loop of their own: memory that is far away answers for many hosts at once.
        for (channel, sent) in sent.chunks_exact_mut(local).enumerate() {
            let Some((shift, _)) = meetings.senders(channel, slot) else { continue };
            for (index, sent) in sent.iter_mut().enumerate() {
                sent.value = self.report(self.side(index, shift));
            }
        }
    }

    /// What a host reports to the peer.
    fn report(&self, side: Side) -> u32 {
        let Link { received_to, received_number, .. } = self.links[side.link];
        if received_to == NONE {
            return 0;
        }
        let Side { link, .. } = self.side_to(side.index, usize::from(received_to));
        let Link { queue, departed, .. } = &self.links[link];
        R::report(&Intermediate {
            length: queue.len(),
            ready: self.ready.get(link).map_or(0, |ready| ready.len() as u32),
            place: received_number.wrapping_sub(*departed) as i32,
        })
    }

    /// Step 1, for all flows: others' count for the bound.
    fn start_flows(&mut self, slot: u64) {
        while let Some(flow) = self.plan.flows.get(self.next) {
            if flow.start != slot {
                break;
            }
            self.next += 1;
            self.bound.start(flow.pair, usize::from(flow.dst));
            let host = usize::from(flow.src);
            if self.range.contains(&host) {
                self.sources.start(host - self.range.start, flow);
            }
        }
    }

    /// Step 2: links whose first waiting subflow may send by now.
    fn look_at_timers(&mut self, slot: u64) {
        while let Some(&Reverse((due, link))) = self.timers.peek() {
            if due > slot {
                break;
            }
            self.timers.pop();
            let link = link as usize;
            if self.looks[link] == due {
                self.looks[link] = u64::MAX;
                self.admit(self.side_of(link), slot);
            }
        }
    }

    /// Step 3 of one link, whose cell has place `open` of its open ones. Returns the cell that leaves.
    fn send_cell(&mut self, slot: u64, open: usize, side: Side) -> Cell {
        let Side { link, index, shift, peer } = side;
        let host = self.range.start + index;
        if host.min(peer) >= self.plan.failed {
            for to in self.sources.recent(index, slot) {
                let pair = self.sources.pair(index, usize::from(to));
                let Some(since) = self.sources.active_since(pair) else { continue };
                let used = &mut self.used[pair * self.used_words + shift / 64];
                if *used >> (shift % 64) & 1 == 0 {
                    *used |= 1 << (shift % 64);
                    let since = if R::RELEASE == Release::Meeting { slot } else { since };
                    self.waiting[link].push(since, to);
                }
            }
            self.admit(side, slot);
        }
        let open = link * self.fabric.open_cells + open;
        self.open[open] = NONE;
        let queue = &mut self.links[link].queue;
        let length = queue.len();
        let Some(cell) = self.pool.pop(queue) else { return Cell::EMPTY };
        self.links[link].departed = self.links[link].departed.wrapping_add(1);
        self.backlog[index] -= 1;
        self.bound.shrink(peer, length);
        self.lengths.change(slot, length, length - 1);
        let is_last_hop = usize::from(cell.dst) == peer;
        self.last_hop += u64::from(is_last_hop && slot >= self.settings.warmup);
        if usize::from(cell.src) == host {
            self.links[link].local -= 1;
            if let Some(ready) = self.ready.get_mut(link) {
                ready.pop_front();
            }
            if is_last_hop {
                self.wait(side, slot + 1, slot + 1, cell.dst);
            } else {
                self.open[open] = cell.dst;
            }
            self.look_after(link, slot);
        }
        cell
    }

    /// A subflow's next cell may go from `slot` on; it is known before slot `now`.
    fn wait(&mut self, side: Side, slot: u64, now: u64, to: u16) {
        let Side { link, index, shift, .. } = side;
        let slot = if R::RELEASE == Release::Meeting {
            let meetings = &self.fabric.meetings;
            meetings.next(meetings.phase(self.range.start + index, shift), slot)
        } else {
            slot
        };
        self.waiting[link].push(slot, to);
        self.look_after(link, now - 1);
    }

    /// Sets the timer of a link that has changed in `slot`.
    fn look_after(&mut self, link: usize, slot: u64) {
        if R::RELEASE == Release::Meeting {
            return;
        }
        let queue = &self.links[link];
        let may_send =
            self.ready.get(link).is_some_and(|ready| queue.local == 0 && !ready.is_empty());
        let due = if may_send {
            slot + 1
        } else {
            let Some(first) = self.waiting[link].first_slot() else { return };
            let ahead = u64::from(queue.queue.len()) * self.fabric.meetings.epoch_slots();
            first.saturating_sub(ahead).max(slot + 1)
        };
        if due < self.looks[link] {
            self.looks[link] = due;
            self.timers.push(Reverse((due, link as u32)));
        }
    }

    /// Lets local cells join the queue of a link, if they may in `slot`.
    fn admit(&mut self, side: Side, slot: u64) {
        match R::RELEASE {
            Release::Meeting => self.admit_at_meeting(side, slot),
            Release::AtOnce => self.admit_at_once(side, slot),
            Release::ReadyQueue => self.admit_by_turns(side, slot),
        }
    }

    /// Takes the first waiting subflow of a link, if it may send in `slot`: a cell that joins now leaves, behind those in
    /// the queue, in its release slot or later.
    fn pop_waiting(&mut self, link: usize, slot: u64) -> Option<(u64, u16)> {
        let ahead = u64::from(self.links[link].queue.len()) * self.fabric.meetings.epoch_slots();
        self.waiting[link].pop_until(slot + ahead)
    }

    fn admit_at_meeting(&mut self, side: Side, slot: u64) {
        let Side { link, index, .. } = side;
        if self.links[link].local > 0 {
            return;
        }
        let mut aside = Vec::new();
        while let Some((release, to)) = self.pop_waiting(link, slot) {
            let pair = self.sources.pair(index, usize::from(to));
            let Some(since) = self.sources.active_since(pair) else {
                if release <= slot {
                    self.forget(side, pair);
                } else {
                    aside.push((release, to));
                }
                continue;
            };
            // The link's first slot since then.
            let epoch_slots = self.fabric.meetings.epoch_slots();
            let first = slot - (slot - since) / epoch_slots * epoch_slots;
            if release < first {
                self.waiting[link].push(first, to);
            } else if self.sources.gate_is_open(since, slot, self.links[link].queue.len()) {
                self.join(side, pair, to, slot);
                break;
            } else {
                aside.push((release, to));
                break;
            }
        }
        for (release, to) in aside {
            self.waiting[link].push(release, to);
        }
    }

    fn admit_at_once(&mut self, side: Side, slot: u64) {
        let Side { link, index, .. } = side;
        while let Some((release, to)) = self.pop_waiting(link, slot) {
            let pair = self.sources.pair(index, usize::from(to));
            match self.sources.active_since(pair) {
                None => self.forget(side, pair),
                Some(since)
                    if self.sources.gate_is_open(since, slot, self.links[link].queue.len()) =>
                {
                    self.join(side, pair, to, slot);
                }
                Some(_) => {
                    self.waiting[link].push(release, to);
                    break;
                }
            }
        }
        self.look_after(link, slot);
    }

    fn admit_by_turns(&mut self, side: Side, slot: u64) {
        let Side { link, index, .. } = side;
        loop {
            while let Some((_, to)) = self.pop_waiting(link, slot) {
                let pair = self.sources.pair(index, usize::from(to));
                if self.sources.active_since(pair).is_some() {
                    self.ready[link].push_back(to);
                } else {
                    self.forget(side, pair);
                }
            }
            if self.links[link].local > 0 {
                break;
            }
            let Some(&to) = self.ready[link].front() else { break };
            let pair = self.sources.pair(index, usize::from(to));
            match self.sources.active_since(pair) {
                None => {
                    self.ready[link].pop_front();
                    self.forget(side, pair);
                }
                Some(since)
                    if self.sources.gate_is_open(since, slot, self.links[link].queue.len()) =>
                {
                    self.join(side, pair, to, slot);
                }
                Some(_) => break,
            }
        }
        self.look_after(link, slot);
    }

    /// A subflow is as if it had never been used.
    fn forget(&mut self, side: Side, pair: usize) {
        self.used[pair * self.used_words + side.shift / 64] &= !(1 << (side.shift % 64));
    }

    /// A cell of an active pair joins the queue of a link at its source.
    fn join(&mut self, side: Side, pair: usize, to: u16, slot: u64) {
        let cell = self.sources.take(side.index, pair, to, slot);
        self.links[side.link].local += 1;
        self.enqueue(side, cell, slot);
    }

    fn enqueue(&mut self, side: Side, cell: Cell, slot: u64) {
        let queue = &mut self.links[side.link].queue;
        self.pool.push(queue, cell);
        let length = queue.len();
        self.bound.grow(side.peer, length);
        self.lengths.change(slot, length - 1, length);
        self.backlog[side.index] += 1;
    }

    /// Step 5 for one channel: in `slot`, `arrived` arrives, one for each host, sent in slot `sent` by hosts `senders` to
    /// those `shift` behind them.
    pub fn receive(
        &mut self,
        slot: u64,
        sent: u64,
        (shift, senders): (usize, Range<usize>),
        arrived: &[Sent],
    ) {
        let fabric = Arc::clone(&self.fabric);
        let meetings = &fabric.meetings;
        let back = meetings.hosts() - shift;
        let open_of = |host: usize| {
            let answered = self.fabric.answered(sent, meetings.phase(host, back));
            answered.map(|answered| self.fabric.open_place(answered))
        };
        // All hosts of a half have one schedule.
        let open_places = [open_of(0), open_of(meetings.hosts() - 1)];
        let is_sent_to = |host: usize| senders.contains(&meetings.behind(host, back));
        // Two loops: in each, memory that is far away answers for many hosts at once.
        for (index, Sent { cell, .. }) in arrived.iter().enumerate() {
            let host = self.range.start + index;
            if !is_sent_to(host) {
                continue;
            }
            let to = usize::from(cell.dst);
            let received = if cell.is_empty() || to == host {
                (NONE, 0)
            } else {
                let Link { queue, departed, .. } = &self.links[self.side_to(index, to).link];
                (cell.dst, departed.wrapping_add(queue.len()))
            };
            let side = self.side(index, back);
            let link = &mut self.links[side.link];
            (link.received_to, link.received_number) = received;
        }
        for (index, &Sent { cell, value }) in arrived.iter().enumerate() {
            let host = self.range.start + index;
            if !is_sent_to(host) {
                continue;
            }
            if let Some(place) = open_places[meetings.half(host)] {
                self.answer(slot, sent, place, value, self.side(index, back));
            }
            let to = usize::from(cell.dst);
            if to == host {
                self.incoming.arrive(cell, slot);
            } else if !cell.is_empty() {
                let side = self.side_to(index, to);
                self.enqueue(side, cell, slot);
                self.look_after(side.link, slot);
            }
        }
    }

    /// A report of slot `sent` arrives in `slot`, about the cell at `place` of the link's open ones.
    fn answer(&mut self, slot: u64, sent: u64, place: usize, value: u32, side: Side) {
        let open = &mut self.open[side.link * self.fabric.open_cells + place];
        let to = std::mem::replace(open, NONE);
        if to == NONE {
            return;
        }
        let meetings = &self.fabric.meetings;
        let onward = meetings.phase(side.peer, meetings.shift(side.peer, usize::from(to)));
        let answer = Answer {
            value,
            now: slot + 1,
            departure: meetings.next(onward, sent + 1),
            epoch_slots: meetings.epoch_slots(),
            delay: self.settings.delay,
        };
        self.wait(side, R::release_slot(&answer), slot + 1, to);
    }

    /// The flow of a pair of [`Plan::of_all_pairs`] gets more cells before `slot`. Returns whether all that it had have
    /// arrived.
    pub fn give(&mut self, pair: u32, cells: u64, slot: u64) -> bool {
        let flow = self.plan.flows[pair as usize];
        let starts = self.incoming.expect_more(flow.at_destination, cells);
        if starts {
            self.bound.start(flow.pair, usize::from(flow.dst));
        }
        self.sources.give(usize::from(flow.src), &flow, cells, slot);
        starts
    }

    /// Cells of a pair that have arrived with all before them.
    pub fn in_order(&self, pair: u32) -> u64 {
        self.incoming.in_order(pair)
    }

    /// The pairs of flows that have finished here since this was asked last.
    pub fn take_finished(&mut self, finished: &mut Vec<u32>) {
        self.incoming.take_finished(finished);
    }

    /// Notes that flows of pairs have finished, wherever that was.
    pub fn finish(&mut self, pairs: &[u32]) {
        for &pair in pairs {
            self.bound.finish(pair, usize::from(self.plan.pairs[pair as usize].dst));
        }
    }

    /// Ends a slot, after [`Worker::finish`].
    pub fn end_slot(&mut self) {
        self.violations += self.bound.over();
        let longest = self.backlog.iter().copied().max().unwrap_or(0);
        self.backlog_max = self.backlog_max.max(longest);
    }

    /// Whether no subflow waits for its slot: without cells and new flows nothing will happen here.
    pub fn is_idle(&self) -> bool {
        self.timers.is_empty()
    }

    /// Adds what this worker has counted in the slots before `slots`.
    pub fn count(&self, slots: u64, outcome: &mut Outcome) {
        outcome.add(&Counts {
            queue_samples: &self.lengths.samples(slots),
            aggregate_cells_max: self.backlog_max,
            reorder_cells: self.incoming.held_max(),
            last_hop_cells: self.last_hop,
            // Each worker knows the bounds of its own queues only.
            bound_violations: self.violations,
        });
    }

    /// The hosts.
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// The slots in which the first and the last cell of a flow that starts here were queued.
    pub fn queued(&self, number: u32) -> [u64; 2] {
        self.sources.queued(number)
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
