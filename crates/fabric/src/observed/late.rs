//! Hardware whose hosts' slot clocks are off by more than the guard band allows: what it loses is counted, not judged.
//!
//! Which cells are cut the hardware alone knows, so no copy of its queues is kept, as [`run`](super::run) does. It still has to queue only
//! cells that it was given, and to hand on each at most once.

use super::sources::{Sources, Taken};
use super::{Arrived, Events, Failure, Hardware, Left, Queued};
use crate::flows::Flow;
use crate::incoming::Incoming;
use crate::outcome::{Counts, Outcome};
use crate::plan::Plan;
use crate::queue::Cell;
use crate::relay::Settings;
use crate::schedule::{BadFabric, Schedule};
use crate::trace::{SentCell, Trace};
use std::collections::BTreeMap;

struct Observer<'a> {
    settings: &'a Settings,
    hosts: usize,
    plan: &'a Plan,
    seq_mask: u64,
    slot: u64,
    sources: Sources,
    next_start: usize,
    /// `under_way[src * hosts + dst]`, by number: cells that were queued and have not arrived.
    under_way: Vec<BTreeMap<u64, Cell>>,
    incoming: Incoming,
    queued: Vec<[u64; 2]>,
    finished: u64,
    last_hop: u64,
}

impl Observer<'_> {
    fn wrong(&self, what: &str) -> String {
        format!("slot {}: {what}; the hardware does not keep to the rules of the fabric", self.slot)
    }

    /// The cell of a pair whose number has these low bits: the only one under way, as no window has half of all numbers.
    fn cell(&self, src: usize, dst: usize, seq: u64) -> Option<Cell> {
        let cells = self.under_way.get(src * self.hosts + dst)?;
        let mut found = cells.values().filter(|cell| cell.seq & self.seq_mask == seq);
        found.next().copied()
    }

    fn queue(&mut self, queued: &Queued) -> Result<(), String> {
        let taken = self.sources.take(queued, self.slot);
        let Taken { cell, last_of } = taken.map_err(|what| self.wrong(&what))?;
        if let Some((flow, slots)) = last_of {
            self.queued[flow as usize] = slots;
        }
        self.under_way[queued.src * self.hosts + queued.dst].insert(cell.seq, cell);
        Ok(())
    }

    fn send(&mut self, left: &Left, trace: &mut Option<Trace<'_>>) {
        let Left { from, to, src, dst, seq } = *left;
        // A copy of a cell that has arrived is sent when its answer was lost: such a row has the low bits of its number.
        let seq = self.cell(src, dst, seq).map_or(seq, |cell| cell.seq);
        if let Some(trace) = trace {
            trace(&SentCell { slot: self.slot, from, to, src, dst, seq });
        }
        self.last_hop += u64::from(dst == to && self.slot >= self.settings.warmup);
    }

    fn receive(&mut self, &Arrived { src, dst, seq }: &Arrived) -> Result<(), String> {
        let Some(cell) = self.cell(src, dst, seq) else {
            return Err(self.wrong(&format!(
                "expected cells at their destinations that are on their way, once, found cell {seq} of {src}->{dst} there"
            )));
        };
        self.under_way[src * self.hosts + dst].remove(&cell.seq);
        self.incoming.arrive(cell, self.slot);
        Ok(())
    }

    /// A slot with these events. An error is a sentence about what cannot be.
    fn pass(&mut self, events: &Events, trace: &mut Option<Trace<'_>>) -> Result<(), String> {
        while let Some(flow) = self.plan.flows.get(self.next_start)
            && flow.start == self.slot
        {
            self.sources.start(flow);
            self.next_start += 1;
        }
        events.queued.iter().try_for_each(|queued| self.queue(queued))?;
        events.sent.iter().for_each(|left| self.send(left, trace));
        events.received.iter().try_for_each(|arrived| self.receive(arrived))?;
        let mut finished = Vec::new();
        self.incoming.take_finished(&mut finished);
        self.finished += finished.len() as u64;
        self.slot += 1;
        Ok(())
    }
}

/// As [`run`](super::run), of hardware that loses cells as its clocks are off, for as many epochs as the settings say or until all flows
/// have finished. Of queues nothing is counted. The trace has a row for each cell that a host sends, so a cell that is sent again has several.
///
/// # Errors
/// There is no end by epochs; the hardware gives up, or queues or hands on what it was not given.
///
/// # Panics
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run<H: Hardware>(
    schedule: &Schedule,
    settings: &Settings,
    flows: &[Flow],
    hardware: &mut H,
    mut trace: Option<Trace<'_>>,
) -> Result<Outcome, Failure<H::Error>> {
    settings.check(schedule).map_err(Failure::Settings)?;
    let Some(epochs) = settings.epochs else {
        let why =
            "expected an end by epochs, as flows whose cells are cut never finish; add --epochs";
        return Err(Failure::Settings(BadFabric(why.into())));
    };
    let end = epochs.saturating_mul(schedule.slots() as u64);
    let hosts = schedule.hosts();
    let range = 0..hosts;
    let plan = Plan::new(flows, 0, std::slice::from_ref(&range));
    let mut observer = Observer {
        settings,
        hosts,
        plan: &plan,
        seq_mask: u64::MAX >> (u64::BITS - hardware.seq_bits().clamp(1, u64::BITS)),
        slot: 0,
        sources: Sources::new(&plan, hosts, hardware.most_cells()),
        next_start: 0,
        under_way: vec![BTreeMap::new(); hosts * hosts],
        incoming: Incoming::new(&plan, &range),
        queued: vec![[0; 2]; plan.flows.len()],
        finished: 0,
        last_hop: 0,
    };
    let (mut offers, mut events) = (Vec::new(), Events::default());
    observer.sources.offer(&plan, 0, |_| true, &mut offers);
    hardware.start(&offers).map_err(Failure::Hardware)?;
    while observer.slot < end
        && observer.finished < plan.flows.len() as u64
        && settings.finish.is_none_or(|finish| observer.finished < finish)
    {
        observer.sources.offer(&plan, observer.slot + 1, |_| true, &mut offers);
        events.clear();
        hardware.slot(&offers, &mut events).map_err(Failure::Hardware)?;
        observer.pass(&events, &mut trace).map_err(Failure::Wrong)?;
    }
    let Settings { rules, slot_ns, warmup, .. } = *settings;
    let mut outcome = Outcome {
        slots: observer.slot,
        warmup,
        flows: plan.flows.len() as u64,
        clocks: Some(hardware.clock_counts()),
        ..Outcome::new(rules.name(), hosts, schedule.channels(), slot_ns)
    };
    outcome.add(&Counts {
        queue_samples: &[],
        aggregate_cells_max: 0,
        reorder_cells: observer.incoming.held_max(),
        last_hop_cells: observer.last_hop,
        bound_violations: 0,
    });
    outcome.finished = plan.finished(
        |flow| observer.queued[flow.at_source as usize],
        |flow| observer.incoming.received(flow.at_destination),
    );
    Ok(outcome)
}
