//! The receiving side of hosts.

use super::flow::{Carrier, Role};
use super::sending::{record, segment_packet};
use super::{Hosts, RECEIVER, r2c2};
use crate::frame::{self, UDP_HEADERS};
use crate::measure::{Cause, Delivery};
use crate::network::NodeId;
use crate::packet::{Packet, PacketId, ecn};
use crate::simulation::Context;
use crate::transport::ndp;
use crate::transport::tcp::Segment;

/// A packet has reached its host.
pub(super) fn arrived(packet: &Packet, ctx: &mut Context<'_>) {
    if packet.backwards {
        return;
    }
    let now = ctx.now();
    let marked = packet.ecn == ecn::CONGESTION;
    let warm = packet.sent >= ctx.wishes().warmup;
    if let Some(sums) = ctx.sums(packet.traffic.into()).filter(|_| warm) {
        sums.delivered += 1;
        sums.marked += u64::from(marked);
        sums.latency.record(now - packet.sent);
    }
    if ctx.wishes().packets {
        let (sent, traffic, bytes) = (packet.sent, u32::from(packet.traffic), packet.bytes);
        let flow = packet.serial.saturating_sub(1);
        ctx.observer().delivered(&Delivery { at: now, sent, flow, traffic, bytes, marked });
    }
}

/// Counts bytes delivered to an application.
pub(super) fn count(traffic: u32, bytes: u64, ctx: &mut Context<'_>) {
    if ctx.now() >= ctx.wishes().warmup
        && let Some(sums) = ctx.sums(traffic)
    {
        sums.goodput += bytes;
    }
}

impl Hosts {
    /// Delivers a packet to a host without a stack.
    pub(super) fn deliver(&mut self, id: PacketId, host: u32, node: NodeId, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let mut packet = *ctx.packet(id);
        if packet.destination != host {
            return ctx.drop(id, node, Cause::Host);
        }
        if packet.protocol == r2c2::BROADCAST {
            ctx.remove(id);
            return self.hear(&packet, ctx);
        }
        if packet.protocol == ndp::PROTOCOL {
            ctx.remove(id);
            return self.take_ndp(&packet, ctx);
        }
        if let Some(flow) = self.flows.get(packet.flow, packet.serial)
            && matches!(flow.carrier, Carrier::Dcqcn(_))
        {
            ctx.remove(id);
            return self.take_dcqcn(&packet, ctx);
        }
        let mut segment = self.segments.get(id as usize).copied().unwrap_or_default();
        if ctx.is_framed() {
            match self.read(id, &mut packet, ctx) {
                Some(read) => segment = read,
                None => return ctx.drop(id, node, Cause::Host),
            }
        }
        ctx.remove(id);
        let marked = packet.ecn == ecn::CONGESTION;
        arrived(&packet, ctx);
        let (place, serial) = (packet.flow, packet.serial);
        let Some(flow) = self.flows.get(place, serial) else { return };
        let connection = match &mut flow.carrier {
            Carrier::Datagrams(_) => {
                let data = u64::from(packet.bytes.saturating_sub(UDP_HEADERS));
                return self.take_datagram(place, serial, data, ctx);
            }
            Carrier::Tcp(connection) => connection,
            Carrier::Ndp(_) | Carrier::Dcqcn(_) | Carrier::Stack(_) | Carrier::Echo => return,
        };
        if packet.backwards {
            connection.sender.receive(now, &segment);
            let over = connection.sender.is_done() && flow.complete;
            self.push(place, serial, ctx);
            if over {
                self.forget(place, ctx);
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
            self.send(packet, Some(&segment), ctx);
        }
        count(packet.traffic.into(), more, ctx);
        self.wake(place, serial, RECEIVER, ctx);
        if complete {
            self.complete(place, serial, ctx);
        }
    }

    /// The receiver of a UDP flow has `data` more bytes.
    pub(super) fn take_datagram(
        &mut self,
        place: u32,
        serial: u64,
        data: u64,
        ctx: &mut Context<'_>,
    ) {
        let Some(flow) = self.flows.get(place, serial) else { return };
        let Carrier::Datagrams(datagrams) = &mut flow.carrier else { return };
        datagrams.received += data;
        let complete = flow.role != Role::Stream && datagrams.received >= flow.bytes;
        let traffic = flow.traffic;
        count(traffic, data, ctx);
        if complete {
            self.complete(place, serial, ctx);
        }
    }

    /// Reads the frame of a packet: its flow and its segment. `None` if it is corrupt. A packet of no known flow, late or
    /// replayed, is unchanged.
    fn read(
        &mut self,
        id: PacketId,
        packet: &mut Packet,
        ctx: &mut Context<'_>,
    ) -> Option<Segment> {
        let now = ctx.now();
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
        let frame = ctx.frame(id);
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
            Carrier::Ndp(_) | Carrier::Dcqcn(_) | Carrier::Stack(_) | Carrier::Echo => None,
        }
    }

    /// A flow is complete: the receiver has all bytes.
    pub(super) fn complete(&mut self, place: u32, serial: u64, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        flow.complete = true;
        let (traffic, role, warm) = (flow.traffic, flow.role, flow.start >= ctx.wishes().warmup);
        let (from, to) = (flow.from, flow.to);
        if let Some(sums) = ctx.sums(traffic) {
            sums.all_finished += 1;
            sums.finished += u64::from(warm);
        }
        if !matches!(role, Role::Request { .. }) {
            record(flow, Some(now), ctx);
        }
        if matches!(flow.carrier, Carrier::Datagrams(_)) {
            self.forget(place, ctx);
        }
        match role {
            Role::Plain | Role::Stream => {}
            Role::Request { source, client, asked } => {
                self.answer(source, client, asked, (to, from), ctx);
            }
            Role::Response { source, client, .. } => self.think(source, client, ctx),
        }
    }
}
