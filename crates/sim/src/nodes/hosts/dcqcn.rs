//! Hosts with DCQCN ([`crate::transport::dcqcn`]).

use super::Hosts;
use super::arrivals::{arrived, count};
use super::exchange::{Exchange, packets};
use super::flow::Carrier;
use crate::frame::SHORTEST;
use crate::packet::{DATA, Packet, ecn};
use crate::pending::Time;
use crate::simulation::Context;
use crate::transport::dcqcn::{ACK, Answer, CNP, NACK, Receiver, Sender, Settings};

/// Both ends of a flow of DCQCN.
pub(super) type DcqcnExchange = Exchange<Sender, Receiver>;

/// Of a flow of so many bytes that begins now, at a host whose line has so many bits a second.
pub(super) fn exchange(settings: &Settings, bytes: u64, line: u64, now: Time) -> DcqcnExchange {
    let sender = Sender::new(settings, packets(settings.bytes, bytes), line, now);
    Exchange::new(settings.bytes, sender, Receiver::new(settings))
}

impl Hosts {
    /// The next packet of a sender, if it may send one.
    pub(super) fn next_of_dcqcn(
        &mut self,
        place: u32,
        serial: u64,
        ctx: &Context<'_>,
    ) -> Option<Packet> {
        let now = ctx.now();
        let flow = self.flows.get(place, serial)?;
        let packet = flow.packet(place, now, false);
        let size = flow.bytes;
        let Carrier::Dcqcn(exchange) = &mut flow.carrier else { return None };
        let number = exchange.sender.poll(now)?;
        let bytes = exchange.bytes(number, size);
        exchange.sender.sent(bytes, now);
        Some(Packet { number, bytes, ecn: ecn::CAPABLE, message: DATA, ..packet })
    }

    /// A packet of DCQCN has come to its host.
    pub(super) fn take_dcqcn(&mut self, packet: &Packet, ctx: &mut Context<'_>) {
        let now = ctx.now();
        arrived(packet, ctx);
        let (place, serial, number) = (packet.flow, packet.serial, packet.number);
        let Some(flow) = self.flows.get(place, serial) else { return };
        let (size, was_complete) = (flow.bytes, flow.complete);
        let back = flow.packet(place, now, true);
        let Carrier::Dcqcn(exchange) = &mut flow.carrier else { return };
        if packet.message != DATA {
            match packet.message {
                ACK => exchange.sender.acknowledge(number, now),
                NACK => exchange.sender.go_back(number, now),
                _ => exchange.sender.notify(now),
            }
            let over = exchange.sender.is_done() && was_complete;
            self.push(place, serial, ctx);
            if over {
                self.forget(place, ctx);
            }
            return;
        }
        let (answer, is_next) = exchange.receiver.take(number);
        let more = if is_next { exchange.data(number, size) } else { 0 };
        exchange.received += more;
        let is_marked = packet.ecn == ecn::CONGESTION;
        let notifies = is_marked && exchange.receiver.marked(now);
        let complete = exchange.received >= size && !was_complete;
        let answer = match answer {
            Answer::Ack(number) => Some((ACK, number)),
            Answer::Nack(number) => Some((NACK, number)),
            Answer::Nothing => None,
        };
        for (message, number) in answer.into_iter().chain(notifies.then_some((CNP, 0))) {
            self.send(Packet { number, message, bytes: SHORTEST, ..back }, None, ctx);
        }
        count(packet.traffic.into(), more, ctx);
        if complete {
            self.complete(place, serial, ctx);
        }
    }
}
