//! One worker: some of the hosts, slot after slot. The steps are those of the module above.

use super::drive::{Passing, Sent};
use super::incoming::Incoming;
use super::lengths::Lengths;
use super::links::{Link, Waiting};
use super::rule::{Answer, Intermediate, Release, Rule};
use super::sources::Sources;
use super::{Fabric, Settings};
use crate::bound::Bound;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::queue::{Cell, NONE, Pool};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::marker::PhantomData;
use std::ops::Range;

/// The state of some hosts.
///
/// Links are numbered by shift, then by host: those of a slot lie together.
pub struct Worker<'a, R> {
    plan: &'a Plan,
    fabric: &'a Fabric,
    settings: &'a Settings,
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

impl<'a, R: Rule> Worker<'a, R> {
    /// Hosts `range` of the plan's.
    pub fn new(
        plan: &'a Plan,
        fabric: &'a Fabric,
        settings: &'a Settings,
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
            waiting: vec![Waiting::default(); links],
            ready: vec![VecDeque::new(); if R::RELEASE == Release::ReadyQueue { links } else { 0 }],
            open: vec![NONE; links * fabric.open_cells],
            used: vec![0; plan.pairs.len() * used_words],
            used_words,
            timers: BinaryHeap::new(),
            looks: vec![u64::MAX; if eager { links } else { 0 }],
            sources: Sources::new(plan, &range, hosts, epoch_slots, settings.gate),
            incoming: Incoming::new(plan, &range),
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

    fn link(&self, index: usize, shift: usize) -> usize {
        (shift - 1) * self.range.len() + index
    }

    /// The link of host number `index` to `to`.
    fn link_to(&self, index: usize, to: usize) -> usize {
        self.link(index, self.fabric.meetings.shift(self.range.start + index, to))
    }

    /// Number of the host and the peer of a link.
    fn ends(&self, link: usize) -> (usize, usize) {
        let (shift, index) = (link / self.range.len() + 1, link % self.range.len());
        (index, (self.range.start + index + shift) % self.fabric.meetings.hosts())
    }

    /// Steps 1 to 4 of a slot: `sent` gets what each host sends, channel after channel.
    pub fn send(&mut self, slot: u64, sent: &mut [Sent]) {
        self.start_flows(slot);
        self.look_at_timers(slot);
        let meetings = &self.fabric.meetings;
        let local = self.range.len();
        for (channel, sent) in sent.chunks_exact_mut(local).enumerate() {
            let matching = meetings.matching(channel, slot);
            for (index, sent) in sent.iter_mut().enumerate() {
                let host = self.range.start + index;
                sent.cell = match matching.peer(meetings.hosts(), host) {
                    Some(peer) => self.send_cell(slot, index, peer),
                    None => Cell::EMPTY,
                };
            }
        }
        // Reports come last, in a loop of their own: memory that is far away answers for many hosts at once.
        for (channel, sent) in sent.chunks_exact_mut(local).enumerate() {
            let matching = meetings.matching(channel, slot);
            let Some(shift) = matching.shift(meetings.hosts()) else { continue };
            for (index, sent) in sent.iter_mut().enumerate() {
                if matching.peer(meetings.hosts(), self.range.start + index).is_some() {
                    sent.value = self.report(index, shift);
                }
            }
        }
    }

    /// What a host reports to the peer that is `shift` hosts behind it.
    fn report(&self, index: usize, shift: usize) -> u32 {
        let Link { received_to, received_number, .. } = self.links[self.link(index, shift)];
        if received_to == NONE {
            return 0;
        }
        let link = self.link_to(index, usize::from(received_to));
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
                self.admit(link, slot);
            }
        }
    }

    /// Step 3 of one link. Returns the cell that leaves.
    fn send_cell(&mut self, slot: u64, index: usize, peer: usize) -> Cell {
        let host = self.range.start + index;
        let shift = self.fabric.meetings.shift(host, peer);
        let link = self.link(index, shift);
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
            self.admit(link, slot);
        }
        let open = link * self.fabric.open_cells + self.fabric.open_place(slot);
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
                self.wait(link, slot + 1, slot + 1, cell.dst);
            } else {
                self.open[open] = cell.dst;
            }
            self.look_after(link, slot);
        }
        cell
    }

    /// A subflow's next cell may go from `slot` on; it is known before slot `now`.
    fn wait(&mut self, link: usize, slot: u64, now: u64, to: u16) {
        let slot = if R::RELEASE == Release::Meeting {
            let (index, _) = self.ends(link);
            let shift = link / self.range.len() + 1;
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
    fn admit(&mut self, link: usize, slot: u64) {
        match R::RELEASE {
            Release::Meeting => self.admit_at_meeting(link, slot),
            Release::AtOnce => self.admit_at_once(link, slot),
            Release::ReadyQueue => self.admit_by_turns(link, slot),
        }
    }

    /// Takes the first waiting subflow of a link, if it may send in `slot`: a cell that joins now leaves, behind those in
    /// the queue, in its release slot or later.
    fn pop_waiting(&mut self, link: usize, slot: u64) -> Option<(u64, u16)> {
        let ahead = u64::from(self.links[link].queue.len()) * self.fabric.meetings.epoch_slots();
        self.waiting[link].pop_until(slot + ahead)
    }

    fn admit_at_meeting(&mut self, link: usize, slot: u64) {
        if self.links[link].local > 0 {
            return;
        }
        let (index, _) = self.ends(link);
        let mut aside = Vec::new();
        while let Some((release, to)) = self.pop_waiting(link, slot) {
            let pair = self.sources.pair(index, usize::from(to));
            let Some(since) = self.sources.active_since(pair) else {
                if release <= slot {
                    self.forget(link, pair);
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
                self.join(link, pair, to, slot);
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

    fn admit_at_once(&mut self, link: usize, slot: u64) {
        let (index, _) = self.ends(link);
        while let Some((release, to)) = self.pop_waiting(link, slot) {
            let pair = self.sources.pair(index, usize::from(to));
            match self.sources.active_since(pair) {
                None => self.forget(link, pair),
                Some(since)
                    if self.sources.gate_is_open(since, slot, self.links[link].queue.len()) =>
                {
                    self.join(link, pair, to, slot);
                }
                Some(_) => {
                    self.waiting[link].push(release, to);
                    break;
                }
            }
        }
        self.look_after(link, slot);
    }

    fn admit_by_turns(&mut self, link: usize, slot: u64) {
        let (index, _) = self.ends(link);
        loop {
            while let Some((_, to)) = self.pop_waiting(link, slot) {
                let pair = self.sources.pair(index, usize::from(to));
                if self.sources.active_since(pair).is_some() {
                    self.ready[link].push_back(to);
                } else {
                    self.forget(link, pair);
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
                    self.forget(link, pair);
                }
                Some(since)
                    if self.sources.gate_is_open(since, slot, self.links[link].queue.len()) =>
                {
                    self.join(link, pair, to, slot);
                }
                Some(_) => break,
            }
        }
        self.look_after(link, slot);
    }

    /// A subflow is as if it had never been used.
    fn forget(&mut self, link: usize, pair: usize) {
        let shift = link / self.range.len() + 1;
        self.used[pair * self.used_words + shift / 64] &= !(1 << (shift % 64));
    }

    /// A cell of an active pair joins the queue of a link at its source.
    fn join(&mut self, link: usize, pair: usize, to: u16, slot: u64) {
        let (index, peer) = self.ends(link);
        let cell = self.sources.take(index, pair, to, slot);
        self.links[link].local += 1;
        self.enqueue(link, index, peer, cell, slot);
    }

    fn enqueue(&mut self, link: usize, index: usize, peer: usize, cell: Cell, slot: u64) {
        let queue = &mut self.links[link].queue;
        self.pool.push(queue, cell);
        let length = queue.len();
        self.bound.grow(peer, length);
        self.lengths.change(slot, length - 1, length);
        self.backlog[index] += 1;
    }

    /// Step 5 for one channel: in `slot`, `arrived` arrives, which was sent in `passing.sent`, one for each host.
    pub fn receive(&mut self, slot: u64, passing: &Passing, arrived: &[Sent]) {
        let meetings = &self.fabric.meetings;
        let back = meetings.hosts() - passing.shift;
        for (index, &Sent { cell, value }) in arrived.iter().enumerate() {
            let host = self.range.start + index;
            let Some(from) = passing.matching.source(meetings.hosts(), host) else { continue };
            let link = self.link(index, back);
            let phase = meetings.phase(host, back);
            if let Some(answered) = self.fabric.answered(passing.sent, phase) {
                let open = &mut self.open
                    [link * self.fabric.open_cells + self.fabric.open_place(answered)];
                let to = std::mem::replace(open, NONE);
                if to != NONE {
                    let shift = meetings.shift(from, usize::from(to));
                    let answer = Answer {
                        value,
                        now: slot + 1,
                        departure: meetings.next(meetings.phase(from, shift), passing.sent + 1),
                        epoch_slots: meetings.epoch_slots(),
                        delay: self.settings.delay,
                    };
                    self.wait(link, R::release_slot(&answer), slot + 1, to);
                }
            }
            let to = usize::from(cell.dst);
            let mut received = (NONE, 0);
            if to == host {
                self.incoming.arrive(cell, slot);
            } else if !cell.is_empty() {
                let queue = self.link_to(index, to);
                let Link { queue: before, departed, .. } = &self.links[queue];
                received = (cell.dst, departed.wrapping_add(before.len()));
                self.enqueue(queue, index, to, cell, slot);
                self.look_after(queue, slot);
            }
            let link = &mut self.links[link];
            (link.received_to, link.received_number) = received;
        }
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
        let counted = self.lengths.samples(slots);
        let samples = &mut outcome.queue_samples;
        samples.resize(samples.len().max(counted.len()), 0);
        for (sum, counted) in samples.iter_mut().zip(counted) {
            *sum += counted;
        }
        outcome.aggregate_cells_max = outcome.aggregate_cells_max.max(self.backlog_max);
        outcome.reorder_cells = outcome.reorder_cells.max(self.incoming.held_max());
        outcome.last_hop_cells += self.last_hop;
        // Each worker knows the bounds of its own queues only.
        outcome.bound_violations += self.violations;
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
