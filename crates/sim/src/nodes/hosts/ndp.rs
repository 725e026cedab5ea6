//! Hosts with NDP ([`crate::transport::ndp`]): its packets, and the pulls of all flows to a host.

use super::arrivals::{arrived, count};
use super::exchange::{Exchange, packets};
use super::flow::Carrier;
use super::{Hosts, PULLS};
use crate::frame::SHORTEST;
use crate::packet::{DATA, Packet, TRIMMED};
use crate::pending::Time;
use crate::simulation::{Context, Timer};
use crate::transport::ndp::{ACK, NACK, PULL, Receiver, Sender, Settings};
use ww_sched::framework::fixed::Pace;

/// Both ends of a flow of NDP.
pub(super) type NdpExchange = Exchange<Sender, Receiver>;

/// Of a flow of so many bytes that begins now.
pub(super) fn exchange(settings: &Settings, bytes: u64, now: Time) -> NdpExchange {
    let packets = packets(settings.bytes, bytes);
    Exchange::new(
        settings.bytes,
        Sender::new(settings, packets, now),
        Receiver::new(settings, packets),
    )
}

impl Hosts {
    /// The next packet of a sender, if it may send one.
    pub(super) fn next_of_ndp(
        &mut self,
        place: u32,
        serial: u64,
        ctx: &mut Context<'_>,
    ) -> Option<Packet> {
        let now = ctx.now();
        let flow = self.flows.get(place, serial)?;
        let packet = flow.packet(place, now, false);
        let size = flow.bytes;
        let Carrier::Ndp(exchange) = &mut flow.carrier else { return None };
        let number = exchange.sender.poll(now)?;
        let bytes = exchange.bytes(number, size);
        Some(Packet { number, bytes, message: DATA, ..packet })
    }

    /// A packet of NDP has come to its host.
    pub(super) fn take_ndp(&mut self, packet: &Packet, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let (place, serial, number) = (packet.flow, packet.serial, packet.number);
        if packet.message == DATA {
            arrived(packet, ctx);
        }
        let Some(flow) = self.flows.get(place, serial) else { return };
        let (size, was_complete) = (flow.bytes, flow.complete);
        let Carrier::Ndp(exchange) = &mut flow.carrier else { return };
        match packet.message {
            DATA => {
                let more = match exchange.receiver.take(number) {
                    true => exchange.data(number, size),
                    false => 0,
                };
                exchange.received += more;
                let complete = exchange.receiver.is_complete() && !was_complete;
                self.reply(place, serial, ACK, number, ctx);
                self.want_pull(place, serial, ctx);
                count(packet.traffic.into(), more, ctx);
                if complete {
                    self.complete(place, serial, ctx);
                }
            }
            TRIMMED => {
                exchange.receiver.miss(number);
                self.reply(place, serial, NACK, number, ctx);
                self.want_pull(place, serial, ctx);
            }
            message => {
                match message {
                    ACK => exchange.sender.acknowledge(number, now),
                    NACK => exchange.sender.reject(number, now),
                    _ => exchange.sender.pull(number, now),
                }
                let over = exchange.sender.is_done() && was_complete;
                self.push(place, serial, ctx);
                if over {
                    self.forget(place, ctx);
                }
            }
        }
    }

    /// The receiver of a flow sends a control packet.
    fn reply(&mut self, place: u32, serial: u64, message: u8, number: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        let packet = flow.packet(place, now, true);
        self.send(Packet { number, message, bytes: SHORTEST, ..packet }, None, ctx);
    }

    /// Something has come for which a flow may ask for more, when it is its turn.
    fn want_pull(&mut self, place: u32, serial: u64, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        let host = flow.to;
        let Carrier::Ndp(exchange) = &mut flow.carrier else { return };
        let waits = exchange.receiver.waits();
        if !exchange.receiver.wants_pull() {
            return;
        }
        if self.pulls.is_empty() {
            self.pulls.resize_with(ctx.hosts().len(), Default::default);
        }
        let pulls = &mut self.pulls[host as usize];
        if !waits {
            pulls.join((place, serial));
        }
        if let Some(at) = pulls.timer(now) {
            ctx.schedule(at, Timer { kind: PULLS, about: host, tag: 0 });
        }
    }

    /// A host may send a pull.
    pub(super) fn send_pull(&mut self, host: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let line = ctx.line(ctx.host_direction(host) ^ 1);
        let (pace, overhead) = (Pace::of_rate(line.rate), line.overhead);
        let Some(pulls) = self.pulls.get_mut(host as usize) else { return };
        // Flows that have ended or have all give their turn to the next one.
        while let Some((place, serial)) = pulls.turn() {
            let Some(flow) = self.flows.get(place, serial) else { continue };
            let Carrier::Ndp(exchange) = &mut flow.carrier else { continue };
            let Some((number, waits)) = exchange.receiver.pull() else { continue };
            let takes = u128::from(exchange.frame + overhead)
                * u128::from(pace.map_or(0, Pace::multiplier));
            pulls.rest(now, (takes >> 16) as Time);
            if waits {
                pulls.join((place, serial));
            }
            self.reply(place, serial, PULL, number, ctx);
            break;
        }
        if let Some(at) = self.pulls[host as usize].timer(now) {
            ctx.schedule(at, Timer { kind: PULLS, about: host, tag: 0 });
        }
    }
}
