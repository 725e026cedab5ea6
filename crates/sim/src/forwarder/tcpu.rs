//! A plain switch that executes TPPs: a [`Forwarder`] with queues of its own, so that what TPPs read of them is what
//! their packets meet.

use super::{Dropped, Forwarder, Settings, Start};
use crate::frame;
use crate::network::{Network, NodeId, NodeKind};
use crate::simulation::Parts;
use std::collections::{HashMap, VecDeque};
use ww_dataplane::traffic::Arrival;
use ww_dataplane::traffic::TrafficManager;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_sched::traffic::Manager;
use ww_tpp::switch::drops::Reason;
use ww_tpp::switch::tables::NoTables;
use ww_tpp::switch::{Arrival as Found, Carried, Packet, Tcpu, Verdict};

/// A frame that waits in a queue, as it will leave.
struct Waiting {
    frame: Vec<u8>,
    queue: u32,
    /// Bytes when it joined.
    joined: u32,
}

/// See the module.
pub struct TppForwarder {
    forwarder: Forwarder,
    tcpu: Tcpu,
    manager: Manager,
    waiting: HashMap<u64, Waiting>,
    next_name: u64,
    /// Frames that the switch still looks at: from when on they join their queue, and where they came in.
    looked_at: VecDeque<(Picoseconds, PortId, Vec<u8>)>,
}

impl TppForwarder {
    /// With queues whose rates are those of the links, so that packets wait here and not on the link.
    pub fn new(forwarder: Forwarder, tcpu: Tcpu, manager: Manager) -> Self {
        Self {
            forwarder,
            tcpu,
            manager,
            waiting: HashMap::new(),
            next_name: 0,
            looked_at: VecDeque::new(),
        }
    }

    /// Makes a plain switch of a network, which is not simulated yet, such a switch.
    pub fn install(
        network: &mut Network,
        parts: &mut Parts,
        seed: u64,
        (node, tcpu, manager): (NodeId, Tcpu, Manager),
    ) {
        let forwarder = Forwarder::new(Settings::of(network, node, seed), Start::at(0));
        parts.dataplanes.insert(node, Box::new(Self::new(forwarder, tcpu, manager)));
        network.nodes[node as usize].kind = NodeKind::Program;
    }

    /// What it has dropped.
    pub fn dropped(&self) -> Dropped {
        self.forwarder.dropped
    }

    /// What executes its TPPs.
    pub fn tcpu(&self) -> &Tcpu {
        &self.tcpu
    }

    /// A frame joins its queues.
    fn join(&mut self, port: PortId, now: Picoseconds, mut frame: Vec<u8>) {
        let bytes = frame.len() as u32;
        let mut tpp = Carried::default();
        let begin = match self.tcpu.arrive(port, now, &mut frame, &mut tpp) {
            Found::Plain => None,
            Found::Outside => {
                self.forwarder.dropped.outside += 1;
                return;
            }
            Found::Carries { begin } => Some(begin),
        };
        // What a switch without TPPs would see.
        let mut seen = frame.split_off(begin.unwrap_or(0));
        let (output, queue) = match self.route(&seen, now) {
            Ok(route) => route,
            Err(_) if begin.is_none() => return,
            Err(reason) => {
                let mut whole = Vec::new();
                tpp.put_back(&seen, &mut whole);
                return self.report(now, (reason, None), &whole);
            }
        };
        if begin.is_none() {
            self.age(&mut seen);
            return self.enqueue(now, (output, queue), 0, (&seen.clone(), seen));
        }
        let mut packet = Packet::new(now, (port, &seen, bytes), (output, queue));
        let verdict = self.tcpu.execute(&mut tpp, &mut packet, &NoTables);
        let (one, bits, queue) = (packet.output(), packet.ports(), packet.queue);
        if verdict == Verdict::Reflect {
            let (back, again) = self.tcpu.reflect(&seen, &tpp);
            let Ok(route) = self.route(&back, now) else { return };
            return self.carry(now, back, &again.unwrap_or_default(), route);
        }
        self.age(&mut seen);
        let ports: Vec<PortId> = match one {
            Some(port) => vec![port],
            None => (0..u64::BITS).filter(|port| bits >> port & 1 == 1).collect(),
        };
        for port in ports {
            self.carry(now, seen.clone(), &tpp, (port, queue));
        }
    }

    /// As the forwarder has it, unless a TPP has written a route.
    fn route(&mut self, seen: &[u8], now: Picoseconds) -> Result<(PortId, u32), Reason> {
        let written = self.tcpu.route(seen);
        self.forwarder.route(seen, now, written)
    }

    /// A frame is dropped: tells who wants to know. A report has no TPP, so that its own drop is not told.
    fn report(&mut self, now: Picoseconds, why: (Reason, Option<PortId>), frame: &[u8]) {
        if let Some(report) = self.tcpu.dropped(now, why, frame)
            && let Ok(route) = self.route(&report, now)
        {
            self.enqueue(now, route, 0, (&report.clone(), report));
        }
    }

    fn age(&self, frame: &mut [u8]) {
        if self.forwarder.settings.routes {
            frame::age(frame);
        }
    }

    /// Puts a packet into its queue as a classifier sees it, with its TPP back in it.
    fn carry(&mut self, now: Picoseconds, mut seen: Vec<u8>, tpp: &Carried, route: (PortId, u32)) {
        tpp.write_into(&mut seen);
        let mut whole = Vec::with_capacity(seen.len() + tpp.extra() as usize);
        tpp.put_back(&seen, &mut whole);
        self.enqueue(now, route, tpp.extra(), (&seen, whole));
    }

    /// `extra` are the bytes of a TPP, which a classifier does not look at: it sees the first frame, the second one
    /// leaves.
    fn enqueue(
        &mut self,
        now: Picoseconds,
        (port, queue): (PortId, u32),
        extra: u32,
        (seen, frame): (&[u8], Vec<u8>),
    ) {
        let packet = self.next_name;
        self.next_name += 1;
        let joined = frame.len() as u32;
        let arrival = Arrival { packet, port, queue, frame: seen, extra };
        match self.manager.enqueue(now, arrival) {
            Ok(()) => {
                self.tcpu.ports().joined(port, queue, now, joined);
                self.waiting.insert(packet, Waiting { frame, queue, joined });
            }
            Err(_) => {
                self.tcpu.ports().refused(port, queue, now, joined);
                self.forwarder.dropped.queue += 1;
                self.report(now, (Reason::QueueFull, Some(port)), &frame);
            }
        }
    }

    fn depart(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        while let Some(departure) = self.manager.dequeue(now) {
            let (port, at) = (departure.port, departure.dequeued_at);
            let Some(Waiting { mut frame, queue, joined }) = self.waiting.remove(&departure.packet)
            else {
                continue;
            };
            self.manager.sent(&departure, joined);
            self.tcpu.ports().left(port, queue, joined);
            self.tcpu.ports().sent(port, queue, at, joined);
            if departure.congestion
                && let Some(packet) = ww_tpp::frame::network_layer(&frame)
            {
                ww_packet::ecn::mark_at(&mut frame, packet);
            }
            out.push(Transmit { port, at: now, frame });
        }
    }
}

impl Dataplane for TppForwarder {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        match self.forwarder.settings.latency {
            0 => self.join(port, now, frame.to_vec()),
            latency => {
                self.looked_at.push_back((now.saturating_add(latency), port, frame.to_vec()));
            }
        }
        self.depart(now, out);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.forwarder.refresh(now);
        while let Some((at, ..)) = self.looked_at.front()
            && *at <= now
        {
            let at = *at;
            // What leaves before is not in the queue any more.
            self.depart(at, out);
            if let Some((at, port, frame)) = self.looked_at.pop_front() {
                self.join(port, at, frame);
            }
        }
        self.depart(now, out);
    }

    fn status(&self) -> Status {
        let looked_at = self.looked_at.front().map(|(at, ..)| *at);
        let events = [self.forwarder.next_table(), self.manager.next_event(), looked_at];
        let next_event = events.into_iter().flatten().min();
        Status { next_event, refused: self.forwarder.dropped.queue }
    }
}
