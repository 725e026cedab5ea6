//! Hardware whose headers have bit errors on the lines, and whose hosts die and come back: what it does about that, beside what
//! [`run`](super::run) holds it to.
//!
//! The observer chooses the cells whose headers are damaged, as [`crate::relay::failures`] does, and tells the hardware. A cell
//! with a bad header is dropped with its answer. So the observer knows of each cell whether its sender has to send it again, before the
//! queue of the link; which cells arrive for the second time; and that each is handed on once.
//!
//! It says which hosts live in a slot, too, and so knows in which slot each of the others notices that one is silent, and drops what it has for it.
//! Which cells are sent again over others, and when an empty cell takes the place of another, the hardware decides; the first must be
//! cells that were in a queue before.

use super::sources::{Sources, Taken};
use super::{Arrived, Events, Failure, Hardware, Left, Queued, Start, quiet_slots};
use crate::flows::Flow;
use crate::outcome::{Counts, Outcome};
use crate::plan::Plan;
use crate::queue::Cell;
use crate::relay::Settings;
use crate::relay::failures::account::Account;
use crate::relay::failures::{Delivery, Event, Failures, Repair};
use crate::schedule::Schedule;
use crate::trace::{SentCell, Trace};
use std::collections::{BTreeMap, VecDeque};

/// Numbers of a pair that a cell which is sent over another host may be behind the next one.
const KEPT: u64 = 4_096;

/// A host's side of a link.
#[derive(Clone, Debug, Default)]
struct Link {
    queue: VecDeque<Cell>,
    /// Cells that have to be sent again.
    again: VecDeque<Cell>,
    /// Cells without an answer, with the slot in which each was sent.
    open: VecDeque<(u64, Cell)>,
    /// The peer was silent, and nothing has come from it since.
    is_dead: bool,
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
    /// Hosts that lived in it.
    alive: Vec<bool>,
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
    /// Deaths and returns to come; hosts that live, and since when.
    events: VecDeque<Event>,
    alive: Vec<bool>,
    born: Vec<u64>,
    /// By the number of the pair, and of the cell: the last that have joined a queue.
    kept: Vec<BTreeMap<u64, Cell>>,
    /// A host was found to be silent in this slot.
    misses: bool,
    /// The schedule that takes the place of the first.
    repair: Option<Repair>,
}

impl Observer<'_> {
    fn place(&self, host: usize, peer: usize) -> usize {
        host * self.schedule.hosts() + peer
    }

    /// Who sends to whom in a slot.
    fn circuits(&self, slot: u64) -> impl Iterator<Item = (usize, usize)> {
        let (schedule, begin) = self.schedule(slot);
        let phase = ((slot - begin) % schedule.slots() as u64) as usize;
        let host = move |member: usize| match &self.repair {
            Some(repair) if begin > 0 => repair.hosts[member],
            _ => member,
        };
        (0..schedule.channels()).flat_map(move |channel| {
            let peer =
                move |member| Some((host(member), host(schedule.peer(channel, phase, member)?)));
            (0..schedule.hosts()).filter_map(peer)
        })
    }

    /// The schedule of a slot, and the slot with which it begins.
    fn schedule(&self, slot: u64) -> (&Schedule, u64) {
        match &self.repair {
            Some(repair) if slot >= repair.switch => (&repair.schedule, repair.switch),
            _ => (self.schedule, 0),
        }
    }

    /// Nothing but empty cells leaves in a slot.
    fn pauses(&self, slot: u64) -> bool {
        let pause = |repair: &Repair| (repair.pause..repair.switch).contains(&slot);
        self.repair.as_ref().is_some_and(pause)
    }

    fn wrong(&self, what: &str) -> String {
        format!(
            "slot {}: {what}; the hardware does not keep to the rules of a fabric with failures",
            self.slot
        )
    }

    /// The bits that are inverted in this slot, by sender.
    fn damage(&self) -> Vec<u64> {
        let mut headers = vec![0; self.schedule.hosts()];
        let (lives, _) = self.lives(self.slot);
        for (from, to) in self.circuits(self.slot).filter(|&(from, _)| lives[from]) {
            headers[from] = self.failures.damage(self.slot, from, to);
        }
        headers
    }

    /// Hosts that live in a slot to come, and the start signals of those that come back in it.
    fn lives(&self, slot: u64) -> (Vec<bool>, Vec<Start>) {
        let (mut lives, mut starts) = (self.alive.clone(), Vec::new());
        let mut before = lives.clone();
        for event in self.events.iter().take_while(|event| event.slot <= slot) {
            let host = event.host;
            lives[host] = !event.dies;
            if event.slot < slot {
                before[host] = !event.dies;
                continue;
            }
            if event.dies {
                continue;
            }
            for peer in (0..lives.len()).filter(|&peer| peer != host) {
                let next = self.sources.next_seq(host, peer);
                let missing = self.sources.next_seq(peer, host);
                starts.push(Start { host, peer, missing, own: Some((next, !lives[peer])) });
                // Those that come back with it know it.
                if before[peer] {
                    starts.push(Start { host: peer, peer: host, missing: next, own: None });
                }
            }
        }
        (lives, starts)
    }

    /// A host dies or comes back.
    fn happen(&mut self, event: Event) {
        let Event { slot, host, dies } = event;
        let hosts = self.alive.len();
        let others = (0..hosts).filter(|&peer| peer != host);
        self.alive[host] = !dies;
        self.quiet = slot;
        if dies {
            self.account.die(host);
        } else {
            self.born[host] = slot;
        }
        for peer in others {
            if dies {
                self.clear(host, peer, false);
                continue;
            }
            let place = self.place(host, peer);
            self.links[place].is_dead = !self.alive[peer];
            for (src, dst) in [(host, peer), (peer, host)] {
                if let Some(pair) = self.sources.number(src, dst) {
                    self.account.restart(pair, self.sources.next_seq(src, dst));
                }
            }
        }
    }

    /// Nothing is left at a host for a link, and for the pair to the link's peer.
    fn clear(&mut self, host: usize, peer: usize, is_dead: bool) {
        let place = self.place(host, peer);
        let length = self.links[place].len();
        self.links[place] = Link { is_dead, ..Link::default() };
        self.resize(peer, length, 0);
        if let Some(pair) = self.sources.number(host, peer) {
            self.sources.clear(pair);
        }
    }

    /// Whether no cell waits, is on its way or has to be answered.
    fn is_idle(&self) -> bool {
        self.sources.is_empty()
            && self.links.iter().all(|link| link.len() == 0 && link.open.is_empty())
            && self.air.iter().all(|row| row.cells.is_empty())
    }

    /// Whether the model does not skip this slot, before which `open` flows were there.
    fn is_simulated(&self, open: u64, end: Option<u64>) -> bool {
        let epoch_slots = self.schedule(self.slot).0.slots() as u64;
        let quiet_slots = 2 * self.settings.delay + 3 * epoch_slots;
        let next = self.plan.flows.get(self.next_start).map(|flow| flow.start);
        let event = self.events.front().map(|event| event.slot);
        let switch = self.repair.as_ref().map(|repair| repair.switch);
        let switch = switch.filter(|&switch| switch >= self.slot);
        let soonest = next.into_iter().chain(event).chain(switch).min();
        let target = soonest.map(|next| next.min(end.map_or(u64::MAX, |end| end - 1)));
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
        let slot = self.slot;
        while let Some(event) = self.events.pop_front_if(|event| event.slot == slot) {
            self.happen(event);
        }
        self.misses = false;
        while let Some(flow) = self.plan.flows.get(self.next_start)
            && flow.start == self.slot
        {
            let is_dead = ![flow.src, flow.dst].iter().all(|&host| self.alive[usize::from(host)]);
            if !is_dead {
                self.sources.start(flow);
            }
            self.account.start(self.next_start, is_dead);
            self.next_start += 1;
        }
        if self.repair.as_ref().is_some_and(|repair| repair.switch == slot) {
            // What is on its way is lost, and nothing is answered any more.
            self.air.clear();
            self.links.iter_mut().for_each(|link| link.open.clear());
        }
        for queued in &events.queued {
            self.queue(queued)?;
        }
        let mut cells = Vec::new();
        for left in &events.sent {
            cells.push((left.from, left.to, self.send(left, &cells, trace)?));
        }
        self.send_rest(&cells)?;
        self.air.push_back(Row { slot: self.slot, cells, alive: self.alive.clone(), counts });
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
        self.account.counts.rerouted += events.found;
        let waits = self.links.iter().any(|link| !link.is_dead && link.len() > 0);
        if self.account.open_flows() > 0 || waits || events.is_searching || self.misses {
            self.quiet = self.slot;
        }
        Ok(())
    }

    fn queue(&mut self, queued: &Queued) -> Result<(), String> {
        let cell = if queued.src == queued.dst && queued.via != queued.src {
            Cell::EMPTY
        } else if let Some(seq) = queued.again {
            self.kept(queued, seq)?
        } else {
            self.first(queued)?
        };
        let pauses = self.pauses(self.slot);
        let place = self.place(queued.src, queued.via);
        let link = &mut self.links[place];
        if link.is_dead || pauses {
            return Err(self.wrong(&format!(
                "expected host {} to queue nothing for host {}, which it takes for dead, or before a repair, found a cell for host {}",
                queued.src, queued.via, queued.dst
            )));
        }
        let length = link.len();
        link.queue.push_back(cell);
        self.resize(queued.via, length, length + 1);
        Ok(())
    }

    /// A cell that joins a queue for the first time.
    fn first(&mut self, queued: &Queued) -> Result<Cell, String> {
        let taken = self.sources.take(queued, self.slot);
        let Taken { cell, last_of } = taken.map_err(|what| self.wrong(&what))?;
        if let Some((flow, slots)) = last_of {
            self.account.flows[flow as usize].queued = slots;
        }
        if let Some(pair) = self.sources.number(queued.src, queued.dst) {
            let kept = &mut self.kept[pair];
            kept.insert(cell.seq, cell);
            *kept = kept.split_off(&(cell.seq + 1).saturating_sub(KEPT));
        }
        Ok(cell)
    }

    /// A cell that was in a queue before.
    fn kept(&self, queued: &Queued, seq: u64) -> Result<Cell, String> {
        let &Queued { src, dst, .. } = queued;
        let hosts = self.alive.len();
        let pair = if src.max(dst) < hosts { self.sources.number(src, dst) } else { None };
        let mut cells = pair.into_iter().flat_map(|pair| self.kept[pair].values());
        cells.find(|cell| cell.seq & self.seq_mask == seq).copied().ok_or_else(|| {
            self.wrong(&format!(
                "expected host {src} to send cells again that were among the last {KEPT} of {src}->{dst}, found cell {seq}"
            ))
        })
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
        let pauses = self.pauses(self.slot);
        let place = self.place(from, to);
        let link = &mut self.links[place];
        let length = link.len();
        if link.is_dead || pauses {
            return Err(self.wrong(&format!(
                "expected an empty cell for a dead host, or before a repair, found {found}"
            )));
        }
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

    /// A host with cells for its peer must have sent one. An empty one that was to tell what has come has left unseen.
    fn send_rest(&mut self, row: &[(usize, usize, Cell)]) -> Result<(), String> {
        if self.pauses(self.slot) {
            return Ok(());
        }
        let circuits: Vec<_> = self.circuits(self.slot).collect();
        for (from, to) in circuits {
            let place = self.place(from, to);
            let link = &mut self.links[place];
            let waiting = link.len();
            if link.is_dead || row.iter().any(|&(f, t, _)| (f, t) == (from, to)) {
                continue;
            }
            if link.again.is_empty() && link.queue.pop_front_if(|cell| cell.is_empty()).is_some() {
                self.resize(to, waiting, waiting - 1);
                continue;
            }
            if waiting > 0 {
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
            // A host that has come back takes no notice of slots before its own start.
            if !self.alive[to] || row.slot < self.born[to] {
                continue;
            }
            if !row.alive[from] {
                self.miss(from, to);
                continue;
            }
            let place = self.place(to, from);
            self.links[place].is_dead = false;
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

    /// Nothing has come to `host` in the slot of `peer`.
    fn miss(&mut self, peer: usize, host: usize) {
        if !self.links[self.place(host, peer)].is_dead {
            self.clear(host, peer, true);
            self.misses = true;
        }
    }

    /// What the cell of slot `sent` from `peer` says to `host` of its own.
    fn answer(&mut self, sent: u64, peer: usize, host: usize, is_bad: bool) {
        let (schedule, begin) = self.schedule(sent);
        let epoch_slots = schedule.slots() as u64;
        // The last cell to the peer that was there when this one left.
        let meets = |&slot: &u64| self.circuits(slot).any(|circuit| circuit == (host, peer));
        let last = sent.checked_sub(self.settings.delay).filter(|&last| last >= begin);
        let Some(last) = last else { return };
        let mut slots = (last.saturating_sub(epoch_slots - 1).max(begin)..=last).rev();
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
        let seq = cell.seq & self.seq_mask;
        let at = received.iter().position(|&found| found == Arrived { src, dst, seq });
        if self.account.is_dead(cell.flow) {
            // Whether it is handed on is of no interest any more.
            if let Some(at) = at {
                received.swap_remove(at);
            }
            return Ok(());
        }
        let duplicates = self.account.counts.duplicates;
        self.account.arrive(cell, self.slot, true, &mut |_: &Delivery| {});
        if self.account.counts.duplicates > duplicates {
            return Ok(());
        }
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

/// As [`run`](super::run), with errors in headers, hosts that die and come back, and a schedule without them.
///
/// # Errors
/// As [`run`](super::run); or the failures cannot be.
///
/// # Panics
/// If a flow has a host that there is not, or there are 2^32 flows or more.
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
    let may_die = !failures.kills.is_empty();
    let repair = failures.repaired(schedule, settings.delay).map_err(Failure::Settings)?;
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
        events: failures.events().into(),
        alive: vec![true; hosts],
        born: vec![0; hosts],
        kept: vec![BTreeMap::new(); plan.pairs.len()],
        misses: false,
        repair,
    };
    let epoch_slots = schedule.slots() as u64;
    let end = settings.epochs.map(|epochs| epochs.saturating_mul(epoch_slots));
    let quiet_slots = quiet_slots(schedule, settings.delay);
    let (mut offers, mut events) = (Vec::new(), Events::default());
    let (lives, _) = observer.lives(0);
    observer.sources.offer(&plan, 0, |host| lives[host], &mut offers);
    if may_die {
        hardware.may_die(&lives);
    }
    if let Some(repair) = &observer.repair {
        hardware.may_repair(&repair.schedule, &repair.hosts);
    }
    hardware.start(&offers).map_err(Failure::Hardware)?;
    // The slot behind the last in which something was on its way, and behind the last with an event or nothing to do.
    let (mut busy, mut moved) = (0, 0);
    loop {
        let slot = observer.slot;
        if !may_die
            && slot - busy >= quiet_slots
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
        let (lives, starts) = observer.lives(observer.slot + 1);
        observer.sources.offer(&plan, observer.slot + 1, |host| lives[host], &mut offers);
        hardware.damage(&observer.damage());
        if may_die {
            hardware.lives(&lives, &starts);
        }
        if let Some(repair) = &observer.repair {
            hardware.repair(observer.pauses(observer.slot), observer.slot == repair.switch);
        }
        events.clear();
        hardware.slot(&offers, &mut events).map_err(Failure::Hardware)?;
        let is_quiet = events == Events::default();
        observer.pass(&mut events, &mut trace, end).map_err(Failure::Wrong)?;
        let is_idle = observer.is_idle();
        if !is_idle {
            busy = observer.slot;
        }
        if !is_quiet || is_idle || observer.account.open_flows() == 0 {
            moved = observer.slot;
        }
        let finished = observer.account.finished;
        let done = finished + observer.account.counts.dead_flows;
        if end == Some(observer.slot)
            || settings.finish.is_some_and(|finish| finished >= finish)
            || done == plan.flows.len() as u64
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
