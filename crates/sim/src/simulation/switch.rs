//! Switches without a program.

use super::{Event, Simulation};
use crate::frame;
use crate::measure::{Cause, Observer};
use crate::network::NodeId;
use crate::packet::{PacketId, ecn};
use crate::pending::Time;
use ww_dataplane::traffic::Arrival;
use ww_sched::traffic::Manager;

/// The queues of a switch with a scheduler.
pub(super) struct Queues {
    manager: Manager,
    /// When the event is that lets it go on.
    wakes: Option<Time>,
    /// Where headers are made for packets without a frame.
    scratch: Vec<u8>,
}

impl Queues {
    pub fn new(manager: Manager) -> Self {
        Self { manager, wakes: None, scratch: Vec::new() }
    }
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
    pub(super) fn join<O: Observer>(&mut self, id: PacketId, node: NodeId, observer: &mut O) {
        let packet = self.packets.packet(id);
        let Some(queues) = self.queues.get_mut(&node) else {
            return self.forward(id, node, observer);
        };
        let output = self.forwarding.output(node, packet.destination, packet.hash);
        let Some(output) = output else { return self.drop(id, node, Cause::Route, observer) };
        let port = self.network.links[output as usize / 2].ends[output as usize % 2].port;
        let queue = u32::from(packet.class) & 7;
        let frame = match self.packets.frame(id) {
            [] => {
                let hosts = [packet.source, packet.destination].map(|number| {
                    let node = *self.hosts.get(number as usize)?;
                    self.network.host(node)
                });
                frame::sketch(packet, hosts, &mut queues.scratch);
                &queues.scratch[..]
            }
            bytes => bytes,
        };
        let arrival = Arrival { packet: u64::from(id), port, queue, frame, extra: 0 };
        if queues.manager.enqueue(self.pending.now(), arrival).is_err() {
            self.drop(id, node, Cause::Queue, observer);
        }
        self.advance_queues(node, observer);
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
            if departure.congestion && self.packets.packet(id).ecn != ecn::NONE {
                self.mark(id);
            }
            let output = self.ports[node as usize][departure.port as usize];
            self.offer(id, output, observer);
        }
    }
}
