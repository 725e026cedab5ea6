//! The traffic manager: queues and a scheduler at each output port, between ingress and egress.
//!
//! It runs in the time of its caller: with capture files departures have exact times, live they
//! are when the world gets to them. A port sends one packet after the other; each takes its length, with
//! what surrounds a frame on the wire, over the port's rate.

pub mod admission;
pub mod classify;
pub mod fields;
mod port;
pub mod red;

use crate::framework::scheduler::Scheduler;
use admission::{Buffer, Limits};
use classify::Classifier;
use fields::Fields;
use port::Port;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::queues::QueueStatistics;
use ww_dataplane::traffic::{Arrival, Departure, QueueFull, TrafficManager};
use ww_dataplane::{Picoseconds, PortId};

/// Preamble and start (8), frame check sequence (4), and the least gap (12): what a frame takes on a line
/// besides its bytes (IEEE 802.3, clauses 3 and 4).
pub const ETHERNET_OVERHEAD: u32 = 24;
/// Ports that have queues; packets for others are refused.
pub const MAX_PORTS: usize = 4096;
/// Queues of all ports together; packets for ports beyond are refused.
pub const MAX_QUEUES: usize = 1 << 22;
/// Packets in all queues together, whatever the limits: an engine keeps headers and metadata of each.
pub const MAX_PACKETS: u64 = 1 << 18;
/// Bytes in all queues together, if nothing else is said.
pub const DEFAULT_BUFFER: u64 = 64 << 20;

/// What a traffic manager does.
pub struct Settings {
    /// Makes the scheduler of a port with this rate, in bits a second.
    pub scheduler: Box<dyn Fn(u64) -> Scheduler + Send>,
    /// Names of the scheduler's flows, in their order.
    pub flows: Vec<String>,
    /// Rate of ports, bits a second.
    pub rate: u64,
    /// Rates of ports that have another.
    pub rates: BTreeMap<PortId, u64>,
    /// Bytes that a frame takes on the line besides its own.
    pub overhead: u32,
    /// Classification of packets into flows.
    pub classifier: Classifier,
    /// Limits of each queue.
    pub limits: Limits,
    /// Limits of each queue of ports that have others.
    pub port_limits: BTreeMap<PortId, Limits>,
    /// Memory that all queues share.
    pub buffer: Buffer,
    /// Of random early detection.
    pub seed: u64,
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings").field("flows", &self.flows).finish_non_exhaustive()
    }
}

/// The queues of all ports.
#[derive(Debug)]
pub struct Manager {
    settings: Settings,
    ports: BTreeMap<PortId, Port>,
    /// When a port may have a packet, of those that may.
    events: BTreeSet<(Picoseconds, PortId)>,
    /// Bytes in all queues, and packets.
    queued: u64,
    packets: u64,
    /// Packets that have arrived, for random numbers.
    arrived: u64,
    /// Packets for ports beyond [`MAX_PORTS`] and [`MAX_QUEUES`].
    beyond: u64,
}

impl Manager {
    /// Empty queues.
    pub fn new(settings: Settings) -> Self {
        let (ports, events) = (BTreeMap::new(), BTreeSet::new());
        Self { settings, ports, events, queued: 0, packets: 0, arrived: 0, beyond: 0 }
    }

    /// What has happened at each port that a packet was for.
    pub fn statistics(&self) -> QueueStatistics {
        let flows = &self.settings.flows;
        let ports = self.ports.iter().map(|(port, state)| (*port, state.report(flows))).collect();
        QueueStatistics { ports, beyond: self.beyond }
    }

    /// Notes when the port may have a packet next.
    fn reschedule(&mut self, number: PortId, now: Picoseconds) {
        let Some(port) = self.ports.get_mut(&number) else { return };
        if let Some(event) = port.event.take() {
            self.events.remove(&(event, number));
        }
        port.event = port.next_event(now);
        if let Some(event) = port.event {
            self.events.insert((event, number));
        }
    }
}

impl TrafficManager for Manager {
    fn enqueue(&mut self, now: Picoseconds, arrival: Arrival<'_>) -> Result<(), QueueFull> {
        let Self { settings, ports, .. } = self;
        let number = arrival.port;
        let queues = (ports.len() + 1).saturating_mul(settings.flows.len());
        let is_one_too_many = ports.len() >= MAX_PORTS || queues > MAX_QUEUES;
        if is_one_too_many && !ports.contains_key(&number) {
            self.beyond += 1;
            return Err(QueueFull);
        }
        let rate = settings.rates.get(&number).copied().unwrap_or(settings.rate);
        let port = ports
            .entry(number)
            .or_insert_with(|| Port::new((settings.scheduler)(rate), rate, settings.overhead));
        let fields = Fields::of(arrival.frame);
        let flow = settings.classifier.flow(arrival.queue, &fields);
        let draw = ww_dataplane::random::threefry(settings.seed, self.arrived) as u32;
        self.arrived += 1;
        let joined = port.enqueue(now, flow, &arrival, |occupancy, bytes, average| {
            admission::admit(
                settings.port_limits.get(&number).unwrap_or(&settings.limits),
                &settings.buffer,
                admission::Occupancy { shared: self.queued, all: self.packets, ..occupancy },
                (bytes, fields.ecn),
                average,
                draw,
            )
        });
        let Ok(bytes) = joined else { return Err(QueueFull) };
        self.queued += bytes;
        self.packets += 1;
        self.reschedule(number, now);
        Ok(())
    }

    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure> {
        while let Some(&(event, number)) = self.events.first()
            && event <= now
        {
            let late = now - event;
            let port = self.ports.get_mut(&number);
            let left = port.and_then(|port| port.dequeue(event, late, number));
            self.reschedule(number, event);
            if let Some((departure, bytes)) = left {
                self.queued -= bytes;
                self.packets -= 1;
                return Some(departure);
            }
        }
        None
    }

    fn sent(&mut self, departure: &Departure, bytes: u32) {
        if let Some(port) = self.ports.get_mut(&departure.port) {
            port.sent(departure.dequeued_at, bytes);
            self.reschedule(departure.port, departure.dequeued_at);
        }
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.events.first().map(|(event, _)| *event)
    }
    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        match request {
            Request::QueueStatistics {} => Ok(self.statistics().into()),
            other => Err(other.refused_by("the traffic manager")),
        }
    }
}
