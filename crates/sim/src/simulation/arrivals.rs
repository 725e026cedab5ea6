//! What hosts do with what arrives.

use super::Simulation;
use super::flow::{Carrier, Role};
use super::host::{record, segment_packet};
use crate::frame::{self, UDP_HEADERS};
use crate::measure::{Cause, Delivery, Observer};
use crate::network::NodeId;
use crate::packet::{Packet, PacketId, ecn};
use crate::transport::tcp::Segment;

impl Simulation {
    /// A packet is at a host.
    pub(super) fn deliver<O: Observer>(
        &mut self,
        id: PacketId,
        host: u32,
        node: NodeId,
        observer: &mut O,
    ) {
        if !self.agents.is_empty() && !self.agent_receives(id, host, observer) {
            return;
        }
        if self.keepers.is_some() && self.keeper_receives(id, host, observer) {
            return;
        }
        if self.has_stack(host) {
            return self.deliver_to_stack(id, host, node, observer);
        }
        let now = self.pending.now();
        let mut packet = *self.packets.packet(id);
        if packet.destination != host {
            return self.drop(id, node, Cause::Host, observer);
        }
        let mut segment = *self.packets.segment(id);
        if self.framed {
            match self.read(id, &mut packet) {
                Some(read) => segment = read,
                None => return self.drop(id, node, Cause::Host, observer),
            }
        }
        self.packets.remove(id);
        let marked = packet.ecn == ecn::CONGESTION;
        self.arrived(&packet, observer);
        let (place, serial) = (packet.flow, packet.serial);
        let Some(flow) = self.flows.get(place, serial) else { return };
        let connection = match &mut flow.carrier {
            Carrier::Datagrams(_) => {
                let data = u64::from(packet.bytes.saturating_sub(UDP_HEADERS));
                return self.take_datagram(place, serial, data, observer);
            }
            Carrier::Tcp(connection) => connection,
            Carrier::Stack(_) | Carrier::Echo => return,
        };
        if packet.backwards {
            connection.sender.receive(now, &segment);
            let over = connection.sender.is_done() && flow.complete;
            self.push(place, serial, observer);
            if over {
                self.forget(place);
            }
            return;
        }
        let answer = connection.receiver.receive(now, &segment, marked);
        let delivered = connection.receiver.delivered();
        let more = delivered - connection.counted;
        connection.counted = delivered;
        let complete = delivered >= flow.bytes && !flow.complete;
        if let Some(segment) = answer {
            let packet = segment_packet(flow.packet(place, now, true), &segment);
            self.send(packet, Some(&segment), observer);
        }
        self.count(usize::from(packet.traffic), more);
        self.wake(place, serial, 1);
        if complete {
            self.complete(place, serial, observer);
        }
    }

    /// A packet has reached its host.
    pub(super) fn arrived<O: Observer>(&mut self, packet: &Packet, observer: &mut O) {
        if packet.backwards {
            return;
        }
        let now = self.pending.now();
        let marked = packet.ecn == ecn::CONGESTION;
        let warm = packet.sent >= self.wishes.warmup;
        if let Some(sums) = self.sums.get_mut(usize::from(packet.traffic))
            && warm
        {
            sums.delivered += 1;
            sums.marked += u64::from(marked);
            sums.latency.record(now - packet.sent);
        }
        if self.wishes.packets {
            let (sent, traffic, bytes) = (packet.sent, u32::from(packet.traffic), packet.bytes);
            let flow = packet.serial.saturating_sub(1);
            observer.delivered(&Delivery { at: now, sent, flow, traffic, bytes, marked });
        }
    }

    /// The receiver of a flow of UDP packets has so many bytes more.
    pub(super) fn take_datagram<O: Observer>(
        &mut self,
        place: u32,
        serial: u64,
        data: u64,
        observer: &mut O,
    ) {
        let Some(flow) = self.flows.get(place, serial) else { return };
        let Carrier::Datagrams(datagrams) = &mut flow.carrier else { return };
        datagrams.received += data;
        let complete = flow.role != Role::Stream && datagrams.received >= flow.bytes;
        let traffic = flow.traffic as usize;
        self.count(traffic, data);
        if complete {
            self.complete(place, serial, observer);
        }
    }

    /// Bytes that an application has got.
    pub(super) fn count(&mut self, traffic: usize, bytes: u64) {
        if self.pending.now() >= self.wishes.warmup {
            self.sums[traffic].goodput += bytes;
        }
    }

    /// Reads the frame of a packet: whose it is, and what it says. `None` if it is broken. What belongs to no flow that
    /// there is, as it is late or was replayed, stays as it is.
    fn read(&mut self, id: PacketId, packet: &mut Packet) -> Option<Segment> {
        let now = self.pending.now();
        let key = (packet.source, packet.destination, packet.ports, packet.protocol);
        let Some(&(place, serial)) = self.endpoints.get(&key) else {
            self.strangers += u64::from(packet.traffic == u16::MAX);
            return Some(Segment::default());
        };
        let flow = self.flows.get(place, serial)?;
        packet.flow = place;
        packet.serial = serial;
        packet.traffic = flow.traffic as u16;
        packet.backwards = packet.source == flow.to && packet.ports[0] == flow.ports[1];
        let frame = self.packets.frame(id);
        match &flow.carrier {
            Carrier::Datagrams(_) => {
                (packet.number, packet.sent) = frame::read_datagram(frame)?;
                Some(Segment::default())
            }
            Carrier::Tcp(connection) => {
                let (sender, receiver) = (&connection.sender, &connection.receiver);
                let near = match packet.backwards {
                    false => [receiver.delivered(), 0],
                    true => [0, sender.acknowledged()],
                };
                let segment = frame::read_segment(frame, near, now)?;
                packet.sent = segment.timestamp;
                Some(segment)
            }
            Carrier::Stack(_) | Carrier::Echo => None,
        }
    }

    /// The receiver of a flow has all of it.
    pub(super) fn complete<O: Observer>(&mut self, place: u32, serial: u64, observer: &mut O) {
        let now = self.pending.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        flow.complete = true;
        let (traffic, role, warm) = (flow.traffic, flow.role, flow.start >= self.wishes.warmup);
        let (from, to) = (flow.from, flow.to);
        let sums = &mut self.sums[traffic as usize];
        sums.all_finished += 1;
        sums.finished += u64::from(warm);
        if !matches!(role, Role::Request { .. }) {
            record(flow, Some(now), observer);
        }
        if matches!(flow.carrier, Carrier::Datagrams(_)) {
            self.forget(place);
        }
        match role {
            Role::Plain | Role::Stream => {}
            Role::Request { source, client, asked } => {
                self.answer(source, client, asked, (to, from), observer);
            }
            Role::Response { source, client, .. } => self.think(source, client),
        }
    }
}
