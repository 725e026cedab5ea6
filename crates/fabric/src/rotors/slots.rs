//! The slots of a run.

use super::Settings;
use super::matchings::{Circuits, Switches};
use super::sources::Sources;
use super::timing::Timing;
use super::waiting::Waiting;
use crate::flows::Flow;
use crate::incoming::Incoming;
use crate::outcome::{Counts, Outcome};
use crate::plan::{Plan, Planned};
use crate::queue::{Cell, NONE};
use crate::trace::{SentCell, Trace};

/// The hosts, as far as all rules have them.
#[derive(Debug)]
pub struct Hosts {
    /// What they have to send.
    pub sources: Sources,
    /// What they keep for others.
    pub waiting: Waiting,
}

/// Now, and what the switches do.
#[derive(Debug)]
pub struct Now<'a> {
    /// The slot.
    pub slot: u64,
    /// The clock of the switches.
    pub timing: &'a Timing,
    /// The circuits of the slot's slice.
    pub circuits: &'a Circuits,
}

/// What hosts do with the circuits that they have. A circuit is not asked again after it had nothing to send, until a slice
/// begins, a flow starts or a cell arrives at its host, or [`Policy::wake`].
pub trait Policy {
    /// A slice begins.
    fn slice(&mut self, hosts: &mut Hosts, now: &Now<'_>);

    /// The slot of each slice in which hosts that had nothing to send may have; 0: none.
    fn wake(&self) -> u64 {
        0
    }

    /// A flow starts.
    fn start(&mut self, hosts: &mut Hosts, flow: &Planned);

    /// What `host` sends to `peer` through `switch`, which is up.
    fn pick(
        &mut self,
        hosts: &mut Hosts,
        now: &Now<'_>,
        switch: usize,
        host: usize,
        peer: usize,
    ) -> Option<Cell>;

    /// A cell for another host arrives at `host`.
    fn relay(&mut self, hosts: &mut Hosts, now: &Now<'_>, host: usize, cell: Cell);
}

/// A set of hosts.
struct HostSet(Vec<u64>);

impl HostSet {
    fn new(hosts: usize) -> Self {
        Self(vec![0; hosts.div_ceil(64)])
    }

    fn insert(&mut self, host: usize) {
        self.0[host / 64] |= 1 << (host % 64);
    }

    fn remove(&mut self, host: usize) {
        self.0[host / 64] &= !(1 << (host % 64));
    }

    fn insert_all(&mut self, hosts: usize) {
        (0..hosts).for_each(|host| self.insert(host));
    }

    fn clear(&mut self) {
        self.0.fill(0);
    }

    fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }
}

/// What is simulated.
struct Run<'a, P> {
    settings: &'a Settings,
    timing: &'a Timing,
    switches: &'a Switches,
    plan: Plan,
    policy: P,
    hosts: Hosts,
    incoming: Incoming,
    circuits: Circuits,
    /// The slice whose circuits are shown.
    slice: Option<u64>,
    /// Of each switch, the hosts that may have something to send; none while the switch is dark.
    ready: Vec<HostSet>,
    up: Vec<bool>,
    /// Whether switches that turn at the slice's end still carry cells.
    is_lit: bool,
    /// `air[slot mod delay]`: what was sent in the slot, and to whom.
    air: Vec<Vec<(u16, Cell)>>,
    underway: u64,
    started: usize,
    finished: u64,
    last_hop_cells: u64,
    bound_violations: u64,
}

/// Runs `flows` over switches.
pub fn run<P: Policy>(
    switches: &Switches,
    timing: &Timing,
    settings: &Settings,
    flows: &[Flow],
    policy: P,
    mut trace: Option<Trace<'_>>,
) -> Outcome {
    let hosts = switches.hosts();
    let all = 0..hosts;
    let plan = Plan::new(flows, 0, std::slice::from_ref(&all));
    let mut run = Run {
        settings,
        timing,
        switches,
        policy,
        hosts: Hosts {
            sources: Sources::new(&plan, hosts),
            waiting: Waiting::new(hosts, plan.pairs.len()),
        },
        incoming: Incoming::new(&plan, &all),
        circuits: Circuits::new(switches),
        slice: None,
        ready: (0..switches.switches()).map(|_| HostSet::new(hosts)).collect(),
        up: vec![false; switches.switches()],
        is_lit: false,
        air: vec![Vec::new(); settings.delay as usize],
        underway: 0,
        started: 0,
        finished: 0,
        last_hop_cells: 0,
        bound_violations: 0,
        plan,
    };
    let slots = run.slots(&mut trace);
    run.outcome(slots)
}

impl<P: Policy> Run<'_, P> {
    /// All slots. Returns how many there were.
    fn slots(&mut self, trace: &mut Option<Trace<'_>>) -> u64 {
        let end =
            self.settings.epochs.map(|epochs| epochs.saturating_mul(self.timing.cycle_slots()));
        let mut finished = Vec::new();
        let mut slot = 0;
        loop {
            self.turn(slot);
            self.start(slot);
            self.send(slot, trace);
            self.arrive(slot);
            self.incoming.take_finished(&mut finished);
            self.finished += finished.len() as u64;
            for &pair in &finished {
                let dst = self.plan.pairs[pair as usize].dst;
                self.hosts.waiting.finish(pair, usize::from(dst));
            }
            let is_last = self.settings.finish.is_some_and(|finish| self.finished >= finish)
                || self.finished == self.plan.flows.len() as u64;
            let next = if is_last { slot + 1 } else { self.next(slot) };
            let next = next.min(end.unwrap_or(u64::MAX));
            self.bound_violations += self.hosts.waiting.over() * (next - slot);
            slot = next;
            if is_last || end == Some(slot) {
                return slot;
            }
        }
    }

    /// The next slot in which something can happen.
    fn next(&self, slot: u64) -> u64 {
        let is_ready = self.ready.iter().any(|ready| !ready.is_empty());
        if self.underway > 0 || is_ready {
            return slot + 1;
        }
        let start = self.plan.flows.get(self.started).map_or(u64::MAX, |flow| flow.start);
        if self.finished == self.started as u64 {
            return start.max(slot + 1);
        }
        let begin = slot - self.timing.within(slot);
        let wake = begin + self.policy.wake();
        let turn = begin + self.timing.matching;
        let change = if wake > slot { wake.min(turn) } else { turn };
        start.clamp(slot + 1, change)
    }

    /// What the switches do at the begin of a slot.
    fn turn(&mut self, slot: u64) {
        let (timing, hosts) = (self.timing, self.switches.hosts());
        let slice = timing.slice(slot);
        let is_new = self.slice.replace(slice) != Some(slice);
        if is_new {
            self.circuits.show(self.switches, timing, slice);
            let now = Now { slot, timing, circuits: &self.circuits };
            self.policy.slice(&mut self.hosts, &now);
        }
        let wakes = self.policy.wake() > 0 && timing.within(slot) == self.policy.wake();
        let is_lit = timing.within(slot) < timing.lit();
        let was_lit = std::mem::replace(&mut self.is_lit, is_lit);
        if is_new || wakes || is_lit != was_lit {
            for (switch, ready) in self.ready.iter_mut().enumerate() {
                self.up[switch] = timing.is_up(switch, slot);
                if !self.up[switch] {
                    ready.clear();
                } else if is_new || wakes {
                    ready.insert_all(hosts);
                }
            }
        }
    }

    fn wake(&mut self, host: usize) {
        for (ready, _) in self.ready.iter_mut().zip(&self.up).filter(|&(_, &up)| up) {
            ready.insert(host);
        }
    }

    fn start(&mut self, slot: u64) {
        while let Some(&flow) = self.plan.flows.get(self.started)
            && flow.start <= slot
        {
            self.started += 1;
            self.hosts.waiting.start(&flow);
            self.policy.start(&mut self.hosts, &flow);
            self.wake(flow.src.into());
        }
    }

    fn send(&mut self, slot: u64, trace: &mut Option<Trace<'_>>) {
        let now = Now { slot, timing: self.timing, circuits: &self.circuits };
        let air = &mut self.air[(slot % self.settings.delay) as usize];
        let counts = slot >= self.settings.warmup;
        for (switch, ready) in self.ready.iter_mut().enumerate() {
            for word in 0..ready.0.len() {
                let mut left = ready.0[word];
                while left != 0 {
                    let host = 64 * word + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let peer = self.circuits.to[switch][host];
                    let picked = if peer == NONE {
                        None
                    } else {
                        self.policy.pick(&mut self.hosts, &now, switch, host, peer.into())
                    };
                    let Some(cell) = picked else {
                        ready.remove(host);
                        continue;
                    };
                    self.last_hop_cells += u64::from(counts && peer == cell.dst);
                    air.push((peer, cell));
                    self.underway += 1;
                    if let Some(trace) = trace {
                        let (src, dst) = (cell.src.into(), cell.dst.into());
                        let (from, to) = (host, peer.into());
                        trace(&SentCell { slot, from, to, src, dst, seq: cell.seq });
                    }
                }
            }
        }
    }

    fn arrive(&mut self, slot: u64) {
        let delay = self.settings.delay;
        let Some(sent) = (slot + 1).checked_sub(delay) else { return };
        let mut arrived = std::mem::take(&mut self.air[(sent % delay) as usize]);
        self.underway -= arrived.len() as u64;
        for &(host, cell) in &arrived {
            if host == cell.dst {
                self.incoming.arrive(cell, slot);
                continue;
            }
            let host = usize::from(host);
            self.hosts.waiting.grow(host, cell.dst.into(), slot);
            let now = Now { slot, timing: self.timing, circuits: &self.circuits };
            self.policy.relay(&mut self.hosts, &now, host, cell);
            self.wake(host);
        }
        arrived.clear();
        self.air[(sent % delay) as usize] = arrived;
    }

    fn outcome(self, slots: u64) -> Outcome {
        let (hosts, channels) = (self.switches.hosts(), self.switches.switches());
        let Self { settings, plan, incoming, .. } = self;
        let Hosts { sources, waiting } = self.hosts;
        let empty = Outcome::new(settings.rules.name(), hosts, channels, settings.slot_ns);
        let flows = plan.flows.len() as u64;
        let mut outcome = Outcome { slots, warmup: settings.warmup, flows, ..empty };
        outcome.finished = plan.finished(
            |flow| sources.departed(flow.at_source),
            |flow| incoming.received(flow.at_destination),
        );
        let aggregate_cells_max = waiting.at_host_max();
        let queue_samples = waiting.samples(slots);
        outcome.add(&Counts {
            queue_samples: &queue_samples,
            aggregate_cells_max,
            reorder_cells: incoming.held_max(),
            last_hop_cells: self.last_hop_cells,
            bound_violations: self.bound_violations,
        });
        outcome
    }
}
