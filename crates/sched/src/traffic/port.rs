//! The queues of one output port, and its line.

use super::admission::Occupancy;
use super::red::{Average, TYPICAL_BYTES};
use crate::framework::fixed::Pace;
use crate::framework::scheduler::Scheduler;
use crate::framework::{Meta, Packet};
use std::collections::HashMap;
use ww_dataplane::queues::{FlowReport, Lateness, PortReport, Refused};
use ww_dataplane::traffic::{Arrival, Departure};
use ww_dataplane::{Picoseconds, PortId};

/// A queue and its line's time.
#[derive(Debug)]
pub(super) struct Port {
    scheduler: Scheduler,
    pace: Pace,
    rate: u64,
    overhead: u32,
    flows: Vec<Flow>,
    /// Of packets in the queues, by the engine's names.
    waiting: HashMap<u64, Waiting>,
    /// The line is free from then on.
    free: Picoseconds,
    /// When it may have a packet, as the manager has noted.
    pub(super) event: Option<Picoseconds>,
    packets: u64,
    sent: u64,
    sent_bytes: u64,
    /// Time in which the line was used.
    used: Picoseconds,
    lateness: Lateness,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    since: Picoseconds,
    bytes: u32,
    depth: u32,
    marked: bool,
}

#[derive(Debug, Default)]
struct Flow {
    packets: u64,
    bytes: u64,
    average: Average,
    /// When the last packet left, while the queue is empty.
    empty_since: Picoseconds,
    report: FlowReport,
}

impl Port {
    pub(super) fn new(scheduler: Scheduler, rate: u64, overhead: u32) -> Self {
        let flows = (0..scheduler.flows()).map(|_| Flow::default()).collect();
        Self {
            scheduler,
            // Rates have been checked.
            pace: Pace::of_rate(rate)
                .unwrap_or_else(|| Pace::of_rate(1_000_000_000).expect("in range")),
            rate,
            overhead,
            flows,
            waiting: HashMap::new(),
            free: 0,
            event: None,
            packets: 0,
            sent: 0,
            sent_bytes: 0,
            used: 0,
            lateness: Lateness::default(),
        }
    }

    /// The bytes of a packet that has joined its queue.
    pub(super) fn enqueue(
        &mut self,
        now: Picoseconds,
        flow: usize,
        arrival: &Arrival<'_>,
        admit: impl FnOnce(Occupancy, u64, &mut Average) -> Result<bool, Refused>,
    ) -> Result<u64, Refused> {
        let length = u32::try_from(arrival.frame.len()).unwrap_or(u32::MAX);
        let length = length.saturating_add(arrival.extra);
        let bytes = u64::from(length);
        let typical = self.pace.picoseconds(TYPICAL_BYTES).max(1);
        let Some(queue) = self.flows.get_mut(flow) else { return Err(Refused::QueueLimit) };
        let missed = match queue.packets {
            0 => now.saturating_sub(queue.empty_since) / typical,
            _ => 0,
        };
        // The manager knows how full the buffer is.
        let occupancy =
            Occupancy { packets: queue.packets, bytes: queue.bytes, shared: 0, all: 0, missed };
        let marked = match admit(occupancy, bytes, &mut queue.average) {
            Ok(marked) => marked,
            Err(reason) => {
                *queue.report.dropped.entry(reason).or_insert(0) += 1;
                return Err(reason);
            }
        };
        let on_line = length.saturating_add(self.overhead);
        let packet =
            Packet { handle: arrival.packet, bytes: on_line, arrival: now, meta: Meta::default() };
        if !self.scheduler.enqueue(flow, packet, now) {
            return Err(Refused::QueueLimit);
        }
        let depth = u32::try_from(queue.packets).unwrap_or(u32::MAX);
        self.waiting.insert(arrival.packet, Waiting { since: now, bytes: length, depth, marked });
        queue.packets += 1;
        queue.bytes += bytes;
        queue.report.joined(bytes, queue.packets, queue.bytes, marked);
        self.packets += 1;
        Ok(bytes)
    }

    /// The packet that leaves now, and its bytes; the caller is `late` by this much.
    pub(super) fn dequeue(
        &mut self,
        now: Picoseconds,
        late: Picoseconds,
        port: PortId,
    ) -> Option<(Departure, u64)> {
        let (flow, packet) = self.scheduler.dequeue(now)?;
        // Everything in the scheduler was noted when it joined.
        let Waiting { since, bytes, depth, marked } = self.waiting.remove(&packet.handle)?;
        self.free = now.saturating_add(self.time_of(bytes));
        self.lateness.add(late);
        let queue = &mut self.flows[flow];
        queue.packets -= 1;
        queue.bytes -= u64::from(bytes);
        queue.report.left(now.saturating_sub(since));
        if queue.packets == 0 {
            queue.empty_since = now;
        }
        self.packets -= 1;
        let departure = Departure {
            packet: packet.handle,
            port,
            enqueued_at: since,
            dequeued_at: now,
            depth_at_enqueue: depth,
            depth_at_dequeue: u32::try_from(queue.packets).unwrap_or(u32::MAX),
            congestion: marked,
        };
        Some((departure, u64::from(bytes)))
    }

    /// The packet that left at `at` has this length after egress.
    pub(super) fn sent(&mut self, at: Picoseconds, bytes: u32) {
        let time = if bytes == 0 { 0 } else { self.time_of(bytes) };
        self.free = at.saturating_add(time);
        self.used = self.used.saturating_add(time);
        self.sent += u64::from(bytes > 0);
        self.sent_bytes += u64::from(bytes);
    }

    fn time_of(&self, bytes: u32) -> Picoseconds {
        self.pace.picoseconds(u64::from(bytes) + u64::from(self.overhead))
    }

    /// When a packet may leave, if nothing else happens.
    pub(super) fn next_event(&mut self, now: Picoseconds) -> Option<Picoseconds> {
        if self.packets == 0 {
            return None;
        }
        let free = self.free.max(now);
        self.scheduler.next_event(free).map(|event| event.max(free))
    }

    pub(super) fn report(&self, names: &[String]) -> PortReport {
        let flows = self.flows.iter().zip(names);
        PortReport {
            rate: self.rate,
            sent: self.sent,
            sent_bytes: self.sent_bytes,
            used: self.used,
            lateness: self.lateness,
            flows: flows
                .filter(|(flow, _)| flow.report != FlowReport::default())
                .map(|(flow, name)| (name.clone(), flow.report.clone()))
                .collect(),
        }
    }
}
