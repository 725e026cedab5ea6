//! Switches without a program.

use super::{Event, NO_OUTPUT, Simulation};
use crate::frame;
use crate::measure::{Cause, Observer};
use crate::network::NodeId;
use crate::packet::{PacketId, ecn};
use crate::pending::Time;
use std::collections::HashMap;
use ww_engine::dataplane::PortId;
use ww_engine::traffic::Arrival;
use ww_sched::traffic::Manager;
use ww_tpp::switch::tables::NoTables;
use ww_tpp::switch::{Arrival as Found, Carried, Packet as Crossing, Tcpu, Verdict};

/// The queues of a switch with a scheduler.
pub(super) struct Queues {
    manager: Manager,
    /// When the event is that lets it go on.
    wakes: Option<Time>,
    /// Where headers are made for packets without a frame.
    scratch: Vec<u8>,
    tcpu: Option<Box<Tcpu>>,
    /// With a TCPU: queue and bytes of packets that wait.
    waiting: HashMap<PacketId, (u32, u32)>,
}

impl Queues {
    pub fn new(manager: Manager, tcpu: Option<Tcpu>) -> Self {
        let (scratch, waiting) = (Vec::new(), HashMap::new());
        Self { manager, wakes: None, scratch, tcpu: tcpu.map(Box::new), waiting }
    }

    pub fn tcpu(&mut self) -> Option<&mut Tcpu> {
        self.tcpu.as_deref_mut()
    }
}

/// Where a packet goes.
struct Way {
    port: PortId,
    queue: u32,
    /// Bytes of a TPP, which a classifier does not look at.
    extra: u32,
}

impl Simulation {
    /// A router takes one from the time to live. False if none is left.
    #[inline]
    pub(super) fn age(&mut self, id: PacketId) -> bool {
        let packet = self.packets.packet_mut(id);
        if packet.ttl <= 1 {
            return false;
        }
        packet.ttl -= 1;
        if self.framed {
            frame::age(self.packets.frame_mut(id));
        }
        true
    }

    /// A packet joins the queue of the output that it takes.
    #[inline]
    pub(super) fn forward<O: Observer>(&mut self, id: PacketId, node: NodeId, observer: &mut O) {
        let packet = self.packets.packet(id);
        match self.forwarding.output(node, packet.destination, packet.hash) {
            Some(output) => self.offer(id, output, observer),
            None => self.drop(id, node, Cause::Route, observer),
        }
    }

    /// A switch with some latency, or with a scheduler, has found out where a packet goes.
    pub(super) fn join<O: Observer>(
        &mut self,
        id: PacketId,
        (node, port): (NodeId, u16),
        observer: &mut O,
    ) {
        if !self.queues.contains_key(&node) {
            return self.forward(id, node, observer);
        }
        let is_with_tcpu = self.queues.get_mut(&node).is_some_and(|queues| queues.tcpu.is_some());
        if is_with_tcpu {
            self.join_with_tcpu(id, node, port.into(), observer);
        } else {
            let packet = self.packets.packet(id);
            let output = self.forwarding.output(node, packet.destination, packet.hash);
            let queue = u32::from(packet.class) & 7;
            match output {
                Some(output) => {
                    let way = Way { port: self.port_of(output), queue, extra: 0 };
                    self.enqueue(id, node, &way, observer);
                }
                None => self.drop(id, node, Cause::Route, observer),
            }
        }
        self.advance_queues(node, observer);
    }

    /// The port of an output at its node.
    fn port_of(&self, output: u32) -> PortId {
        self.network.links[output as usize / 2].ends[output as usize % 2].port
    }

    /// Puts a packet into its queue. False if it was dropped.
    fn enqueue<O: Observer>(
        &mut self,
        id: PacketId,
        node: NodeId,
        way: &Way,
        observer: &mut O,
    ) -> bool {
        let Some(queues) = self.queues.get_mut(&node) else { return false };
        let packet = *self.packets.packet(id);
        let bytes = match self.packets.frame(id) {
            [] => {
                let hosts = [packet.source, packet.destination].map(|number| {
                    let node = *self.hosts.get(number as usize)?;
                    self.network.host(node)
                });
                frame::sketch(&packet, hosts, &mut queues.scratch);
                &queues.scratch[..]
            }
            bytes => bytes,
        };
        let Way { port, queue, extra } = *way;
        let arrival = Arrival { packet: u64::from(id), port, queue, frame: bytes, extra };
        let now = self.pending.now();
        let joined = queues.manager.enqueue(now, arrival).is_ok();
        let on_wire = (bytes.len() as u32).saturating_add(extra);
        if let Some(tcpu) = &mut queues.tcpu {
            match joined {
                true => {
                    tcpu.ports().joined(port, queue, now, on_wire);
                    queues.waiting.insert(id, (queue, on_wire));
                }
                false => tcpu.ports().refused(port, queue, now, on_wire),
            }
        }
        if !joined {
            self.drop(id, node, Cause::Queue, observer);
        }
        joined
    }

    /// The same at a switch that executes TPPs.
    fn join_with_tcpu<O: Observer>(
        &mut self,
        id: PacketId,
        node: NodeId,
        port: PortId,
        observer: &mut O,
    ) {
        let now = self.pending.now();
        let mut packet = *self.packets.packet(id);
        let Some(tcpu) = self.queues.get_mut(&node).and_then(Queues::tcpu) else { return };
        let mut frame = std::mem::take(self.packets.frame_mut(id));
        let mut tpp = Carried::default();
        let begin = match tcpu.arrive(port, now, &mut frame, &mut tpp) {
            Found::Plain => None,
            Found::Outside => return self.drop(id, node, Cause::Program, observer),
            Found::Carries { begin } => Some(begin),
        };
        let Some(output) = self.forwarding.output(node, packet.destination, packet.hash) else {
            return self.drop(id, node, Cause::Route, observer);
        };
        let to = (self.port_of(output), u32::from(packet.class) & 7);
        let Some(begin) = begin else {
            *self.packets.frame_mut(id) = frame;
            self.enqueue(id, node, &Way { port: to.0, queue: to.1, extra: 0 }, observer);
            return;
        };
        let mut seen = frame.split_off(begin);
        let mut way = Crossing::new(now, (port, &seen, packet.bytes), to);
        let Some(tcpu) = self.queues.get_mut(&node).and_then(Queues::tcpu) else { return };
        let verdict = tcpu.execute(&mut tpp, &mut way, &NoTables);
        let (output, bits, queue) = (way.output(), way.ports(), way.queue);
        let mut ports: Vec<PortId> = match output {
            Some(port) => vec![port],
            None => (0..u64::BITS).filter(|port| bits >> port & 1 == 1).collect(),
        };
        if verdict == Verdict::Reflect {
            let (back, again) = tcpu.reflect(&seen, &tpp);
            packet = frame::read(&back, &self.addresses, Some(&packet), now);
            (seen, tpp) = (back, again.unwrap_or_default());
            let output = self.forwarding.output(node, packet.destination, packet.hash);
            ports = output.map(|output| self.port_of(output)).into_iter().collect();
        }
        tpp.write_into(&mut seen);
        frame.clear();
        tpp.put_back(&seen, &mut frame);
        packet.bytes = frame.len() as u32;
        *self.packets.packet_mut(id) = packet;
        let known = &self.ports[node as usize];
        ports.retain(|port| known.get(*port as usize).is_some_and(|output| *output != NO_OUTPUT));
        let Some((last, others)) = ports.split_last() else {
            return self.drop(id, node, Cause::Route, observer);
        };
        for port in others {
            let copy = self.packets.insert(packet);
            self.carry(copy, node, (&seen, &tpp, &frame), (*port, queue), observer);
        }
        self.carry(id, node, (&seen, &tpp, &frame), (*last, queue), observer);
    }

    /// Puts a packet into its queue as a classifier sees it, and its TPP into it again.
    fn carry<O: Observer>(
        &mut self,
        id: PacketId,
        node: NodeId,
        (seen, tpp, whole): (&[u8], &Carried, &[u8]),
        (port, queue): (PortId, u32),
        observer: &mut O,
    ) {
        *self.packets.frame_mut(id) = seen.to_vec();
        if self.enqueue(id, node, &Way { port, queue, extra: tpp.extra() }, observer) {
            *self.packets.frame_mut(id) = whole.to_vec();
        }
    }

    /// What may leave by now leaves.
    pub(super) fn advance_queues<O: Observer>(&mut self, node: NodeId, observer: &mut O) {
        let now = self.pending.now();
        loop {
            let Some(queues) = self.queues.get_mut(&node) else { return };
            let Some(departure) = queues.manager.dequeue(now) else {
                let next = queues.manager.next_event();
                if let Some(next) = next
                    && queues.wakes.is_none_or(|wakes| wakes <= now || wakes > next)
                {
                    queues.wakes = Some(next);
                    self.pending.schedule(next, Event::Advance { node });
                }
                return;
            };
            let id = departure.packet as PacketId;
            let bytes = self.packets.packet(id).bytes;
            queues.manager.sent(&departure, bytes);
            if let Some(tcpu) = &mut queues.tcpu
                && let Some((queue, joined)) = queues.waiting.remove(&id)
            {
                tcpu.ports().left(departure.port, queue, joined);
                tcpu.ports().sent(departure.port, queue, departure.dequeued_at, bytes);
            }
            if departure.congestion && self.packets.packet(id).ecn != ecn::NONE {
                self.mark(id);
            }
            let output = self.ports[node as usize][departure.port as usize];
            self.offer(id, output, observer);
        }
    }
}
