//! The sending side of hosts: flows, UDP packets and TCP segments.

use super::dcqcn::exchange as dcqcn_exchange;
use super::flow::{Carrier, Connection, Datagrams, Flow, OverStack, Role};
use super::ideal::ideal;
use super::ndp::exchange as ndp_exchange;
use super::stack::stack_segment;
use super::{Hosts, RECEIVER, SENDER, TURN};
use crate::frame::{self, UDP_HEADERS};
use crate::measure::FlowRecord;
use crate::network::traffic::Transport;
use crate::packet::{Packet, TTL, ecn};
use crate::pending::Time;
use crate::simulation::{Context, Timer};
use crate::transport::tcp::{Receiver, Segment, Sender};
use crate::transport::{dcqcn, ndp, r2c2};
use ww_packet::protocol::ip;
use ww_sched::framework::fixed::Pace;

/// The five-tuple of a packet (host numbers for addresses), which identifies its flow.
pub(super) type Key = (u32, u32, [u16; 2], u8);

/// TCP senders put at most this many bytes, some ten packets, into the queue of their host's link; beyond that they wait in
/// the host and take turns. So the host's own link never drops their packets, as in Linux (TCP small queues, fair queueing).
pub(super) const QUEUED: u64 = 16_000;
/// A UDP flow is aborted if it is incomplete this long after its last packet was sent: 1 s.
const PATIENCE: Time = 1_000_000_000_000;
/// Bytes of an Ethernet header.
pub(super) const ETHERNET: u32 = 14;
/// The first source port, and how many there are.
const PORTS: (u64, u64) = (10_000, 50_000);
/// The destination port is this plus the index of the traffic entry.
const LISTENING: u16 = 5_001;

/// A flow to be started.
pub(super) struct Start<'t> {
    pub traffic: u32,
    pub from: u32,
    pub to: u32,
    pub bytes: u64,
    pub role: Role,
    pub transport: &'t Transport,
}

impl Flow {
    /// A packet of this flow, without its length.
    pub(super) fn packet(&self, place: u32, now: Time, backwards: bool) -> Packet {
        let [here, there] = self.ports;
        let (source, destination, ports) = match backwards {
            false => (self.from, self.to, [here, there]),
            true => (self.to, self.from, [there, here]),
        };
        Packet {
            sent: now,
            source,
            destination,
            hash: self.hash,
            flow: place,
            serial: self.serial,
            traffic: self.traffic as u16,
            ports,
            protocol: self.protocol(),
            class: self.class,
            ttl: TTL,
            ecn: ecn::NONE,
            backwards,
            ..Packet::default()
        }
    }

    fn protocol(&self) -> u8 {
        match self.carrier {
            Carrier::Datagrams(_) | Carrier::Dcqcn(_) => ip::UDP,
            Carrier::Tcp(_) | Carrier::Stack(_) => ip::TCP,
            Carrier::Ndp(_) => ndp::PROTOCOL,
            Carrier::Echo => ip::ICMP,
        }
    }

    pub(super) fn keys(&self) -> [Key; 2] {
        let ([here, there], protocol) = (self.ports, self.protocol());
        [
            (self.from, self.to, [here, there], protocol),
            (self.to, self.from, [there, here], protocol),
        ]
    }
}

/// Records a flow at the observer.
pub(super) fn record(flow: &Flow, end: Option<Time>, ctx: &mut Context<'_>) {
    if flow.role == Role::Stream {
        return;
    }
    let (received, retransmitted, timeouts) = match &flow.carrier {
        Carrier::Datagrams(datagrams) => (datagrams.received, 0, 0),
        Carrier::Stack(stack) => (stack.received, stack.retransmitted, stack.timeouts),
        Carrier::Echo => (0, 0, 0),
        Carrier::Dcqcn(exchange) => {
            let (retransmitted, timeouts) = exchange.sender.counters();
            (exchange.received, retransmitted, timeouts)
        }
        Carrier::Ndp(exchange) => {
            let (retransmitted, timeouts) = exchange.sender.counters();
            (exchange.received, retransmitted, timeouts)
        }
        Carrier::Tcp(connection) => {
            let counters = connection.sender.counters();
            (connection.receiver.delivered(), counters.retransmitted, counters.timeouts)
        }
    };
    // A request is recorded together with its response.
    let start = match flow.role {
        Role::Response { asked, .. } => asked,
        _ => flow.start,
    };
    ctx.observer().flow(&FlowRecord {
        serial: flow.serial - 1,
        traffic: flow.traffic,
        from: flow.from,
        to: flow.to,
        bytes: flow.bytes,
        received,
        start,
        end,
        ideal: flow.ideal,
        retransmitted,
        timeouts,
    });
}

impl Hosts {
    /// Starts a flow; gives its place and its number.
    pub(super) fn start(&mut self, start: Start<'_>, ctx: &mut Context<'_>) -> (u32, u64) {
        let now = ctx.now();
        self.started += 1;
        let Start { traffic, from, to, bytes, role, transport } = start;
        let serial = self.started;
        let carrier = match transport {
            Transport::Tcp(settings) => {
                let (mut sender, receiver) = (Sender::new(settings), Receiver::new(settings));
                sender.write(bytes);
                sender.finish();
                Carrier::Tcp(Box::new(Connection {
                    sender,
                    receiver,
                    sender_wakes: None,
                    receiver_wakes: None,
                    counted: 0,
                    blocked: false,
                }))
            }
            Transport::Udp { rate, bytes: frame } => {
                let multiplier = Pace::of_rate(*rate).map_or(0, Pace::multiplier);
                Carrier::Datagrams(Datagrams::new(*frame, multiplier, bytes))
            }
            // Its pace comes with its rate.
            Transport::R2c2(settings) => {
                Carrier::Datagrams(Datagrams::new(settings.bytes, 0, bytes))
            }
            Transport::Ndp(settings) => Carrier::Ndp(Box::new(ndp_exchange(settings, bytes, now))),
            Transport::Dcqcn(settings) => {
                let line = ctx.line(ctx.host_direction(from)).rate;
                Carrier::Dcqcn(Box::new(dcqcn_exchange(settings, bytes, line, now)))
            }
            Transport::Stack(_) => Carrier::Stack(OverStack::default()),
        };
        let (frame, data) = match transport {
            Transport::Tcp(settings) => {
                let segment = Segment { length: settings.segment, ..Segment::default() };
                (ETHERNET + segment.packet_bytes(), u32::from(settings.segment))
            }
            Transport::Udp { bytes, .. } => (*bytes, bytes - UDP_HEADERS),
            Transport::R2c2(r2c2::Settings { bytes, .. })
            | Transport::Ndp(ndp::Settings { bytes, .. })
            | Transport::Dcqcn(dcqcn::Settings { bytes, .. }) => (*bytes, bytes - UDP_HEADERS),
            Transport::Stack(_) => stack_segment(from, ctx),
        };
        let mut flow = Flow {
            serial,
            traffic,
            from,
            to,
            ports: [0; 2],
            hash: 0,
            class: ctx.network().traffic[traffic as usize].class,
            bytes,
            start: now,
            ideal: 0,
            role,
            carrier,
            complete: false,
        };
        let listening = LISTENING.wrapping_add(traffic as u16);
        for attempt in 0..PORTS.1 {
            flow.ports = [(PORTS.0 + (serial + attempt) % PORTS.1) as u16, listening];
            if !ctx.is_framed() || !self.endpoints.contains_key(&flow.keys()[0]) {
                break;
            }
        }
        flow.hash = frame::hash(from, to, flow.ports);
        flow.ideal = match &mut self.r2c2 {
            Some(r2c2) if matches!(transport, Transport::R2c2(_)) => {
                let first = bytes.min(data.into());
                let rest = (bytes - first)
                    + (bytes - first).div_ceil(data.into()) * u64::from(frame - data);
                ideal(from, to, flow.hash, (first, frame, data), ctx)
                    .and_then(|time| r2c2.ideal((from, to), time, rest.saturating_mul(8), ctx))
            }
            _ => ideal(from, to, flow.hash, (bytes, frame, data), ctx),
        }
        .unwrap_or(0);
        let is_stream = role == Role::Stream;
        let keys = flow.keys();
        let place = self.flows.insert(flow);
        if ctx.is_framed() {
            self.endpoints.extend(keys.map(|key| (key, (place, serial))));
        }
        let open = self.open(place, serial, transport, ctx);
        if is_stream {
            return (place, serial);
        }
        let warm = now >= ctx.wishes().warmup;
        if let Some(sums) = ctx.sums(traffic) {
            sums.all_started += 1;
            sums.started += u64::from(warm);
        }
        match transport {
            _ if !open => self.give_up(place, ctx),
            Transport::Tcp(_) | Transport::Ndp(_) | Transport::Dcqcn(_) => {
                self.push(place, serial, ctx);
            }
            Transport::Udp { .. } => self.send_next(place, serial, ctx),
            Transport::R2c2(_) => self.announce(place, serial, ctx),
            Transport::Stack(_) => {}
        }
        (place, serial)
    }

    /// A host gives a packet to its link.
    pub(super) fn send(
        &mut self,
        mut packet: Packet,
        segment: Option<&Segment>,
        ctx: &mut Context<'_>,
    ) {
        let [from, to] = [packet.source, packet.destination];
        let own = self.r2c2.as_mut().and_then(|r2c2| r2c2.path(packet.serial));
        let always = packet.protocol == ndp::PROTOCOL;
        packet.path = own.unwrap_or_else(|| self.spray.path((from, to), always, ctx));
        let id = ctx.insert(packet);
        if ctx.is_framed() {
            if let [Some(from), Some(to)] = [from, to].map(|host| ctx.host(host).copied()) {
                frame::write(&packet, &from, &to, segment, ctx.frame_mut(id));
            }
        } else if let Some(segment) = segment {
            let place = id as usize;
            if self.segments.len() <= place {
                self.segments.resize(place + 1, Segment::default());
            }
            self.segments[place] = *segment;
        }
        if !packet.backwards
            && packet.sent >= ctx.wishes().warmup
            && let Some(sums) = ctx.sums(packet.traffic.into())
        {
            sums.sent += 1;
        }
        self.give(id, from, ctx);
    }

    /// A UDP packet of a stream or a flow, with so many bytes of data.
    pub(super) fn send_datagram(
        &mut self,
        place: u32,
        serial: u64,
        bytes: u32,
        ctx: &mut Context<'_>,
    ) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        let mut packet = flow.packet(place, now, false);
        let Carrier::Datagrams(datagrams) = &mut flow.carrier else { return };
        packet.number = datagrams.number;
        packet.bytes = bytes;
        datagrams.number = datagrams.number.wrapping_add(1);
        match self.has_stack(packet.source) {
            true => self.send_through(packet, ctx),
            false => self.send(packet, None, ctx),
        }
    }

    /// The next packet of a flow of UDP packets.
    pub(super) fn send_next(&mut self, place: u32, serial: u64, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        let Carrier::Datagrams(datagrams) = &mut flow.carrier else { return };
        let data = datagrams.rest.min(u64::from(datagrams.frame - UDP_HEADERS));
        datagrams.rest -= data;
        let bytes = (data as u32 + UDP_HEADERS).max(frame::SHORTEST);
        let takes =
            u128::from(bytes) * u128::from(datagrams.multiplier) + u128::from(datagrams.fraction);
        datagrams.fraction = (takes & 0xffff) as u64;
        let (kind, wait) = match datagrams.rest {
            0 => (RECEIVER, PATIENCE),
            _ => (SENDER, (takes >> 16) as u64),
        };
        ctx.schedule(now.saturating_add(wait), Timer { kind, about: place, tag: serial as u32 });
        self.send_datagram(place, serial, bytes, ctx);
        if kind == RECEIVER {
            self.retire(serial, ctx);
        }
    }

    /// A sender of TCP, NDP or DCQCN sends what it may, as long as its host's link has room.
    pub(super) fn push(&mut self, place: u32, serial: u64, ctx: &mut Context<'_>) {
        while self.push_one(place, serial, ctx) {}
        self.wake(place, serial, SENDER, ctx);
    }

    /// A sender of TCP, NDP or DCQCN sends a packet. False if there is none to send, or if the link is full: then it queues for its turn.
    fn push_one(&mut self, place: u32, serial: u64, ctx: &mut Context<'_>) -> bool {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return false };
        let host = flow.from;
        let Some(blocked) = blocked(flow).filter(|blocked| !**blocked) else { return false };
        let direction = ctx.host_direction(host);
        if ctx.depth(direction) >= QUEUED {
            *blocked = true;
            let turns = &mut self.turns[host as usize];
            if turns.is_empty() {
                schedule_turn(host, direction, ctx);
            }
            turns.push_back((place, serial));
            return false;
        }
        let Carrier::Tcp(connection) = &mut flow.carrier else {
            let packet = match &flow.carrier {
                Carrier::Dcqcn(_) => self.next_of_dcqcn(place, serial, ctx),
                _ => self.next_of_ndp(place, serial, ctx),
            };
            let Some(packet) = packet else { return false };
            self.send(packet, None, ctx);
            return true;
        };
        let Some(segment) = connection.sender.poll(now) else { return false };
        let packet = segment_packet(flow.packet(place, now, false), &segment);
        self.send(packet, Some(&segment), ctx);
        true
    }

    /// A host's link has room: the TCP senders that wait for it send a segment each in turn.
    pub(super) fn turn(&mut self, host: u32, ctx: &mut Context<'_>) {
        let direction = ctx.host_direction(host);
        while !self.turns[host as usize].is_empty() {
            if ctx.depth(direction) >= QUEUED {
                return schedule_turn(host, direction, ctx);
            }
            let Some((place, serial)) = self.turns[host as usize].pop_front() else { return };
            self.set_blocked(place, serial, false);
            if self.push_one(place, serial, ctx) {
                self.turns[host as usize].push_back((place, serial));
                self.set_blocked(place, serial, true);
            }
            self.wake(place, serial, SENDER, ctx);
        }
    }

    fn set_blocked(&mut self, place: u32, serial: u64, is_blocked: bool) {
        if let Some(blocked) = self.flows.get(place, serial).and_then(blocked) {
            *blocked = is_blocked;
        }
    }

    /// Schedules the timer of an end of a connection: its [`SENDER`] or its [`RECEIVER`].
    pub(super) fn wake(&mut self, place: u32, serial: u64, kind: u8, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        let (next, wakes) = match (&mut flow.carrier, kind) {
            (Carrier::Tcp(connection), SENDER) => {
                (connection.sender.timer(), &mut connection.sender_wakes)
            }
            (Carrier::Tcp(connection), _) => {
                (connection.receiver.timer(), &mut connection.receiver_wakes)
            }
            (Carrier::Ndp(exchange), SENDER) => {
                (exchange.sender.timer(), &mut exchange.sender_wakes)
            }
            // Its next packet may be due already: it leaves when it is its turn.
            (Carrier::Dcqcn(exchange), SENDER) if !exchange.blocked => {
                (exchange.sender.timer(), &mut exchange.sender_wakes)
            }
            _ => return,
        };
        // A deadline that was postponed is checked when the old timer expires; one that has passed while its sender waited for the link, now.
        if let Some(next) = next.map(|next| next.max(now))
            && wakes.is_none_or(|wakes| wakes > next)
        {
            *wakes = Some(next);
            ctx.schedule(next, Timer { kind, about: place, tag: serial as u32 });
        }
    }

    /// A timer of a flow's sender.
    pub(super) fn sender_timer(&mut self, place: u32, tag: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.tagged(place, tag) else { return };
        let serial = flow.serial;
        let wakes = match &mut flow.carrier {
            Carrier::Tcp(connection) => &mut connection.sender_wakes,
            Carrier::Ndp(exchange) => &mut exchange.sender_wakes,
            Carrier::Dcqcn(exchange) => &mut exchange.sender_wakes,
            _ => return self.send_next(place, serial, ctx),
        };
        // Those that come early are of an older deadline.
        if wakes.take_if(|wakes| *wakes == now).is_none() {
            return;
        }
        match &mut flow.carrier {
            Carrier::Tcp(connection) => connection.sender.expire(now),
            Carrier::Ndp(exchange) => exchange.sender.expire(now),
            Carrier::Dcqcn(exchange) => exchange.sender.expire(now),
            _ => return,
        }
        self.push(place, serial, ctx);
    }

    /// A timer of a flow's receiver.
    pub(super) fn receiver_timer(&mut self, place: u32, tag: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.tagged(place, tag) else { return };
        let serial = flow.serial;
        let Carrier::Tcp(connection) = &mut flow.carrier else {
            return self.give_up(place, ctx);
        };
        if connection.receiver_wakes.take_if(|wakes| *wakes == now).is_none() {
            return;
        }
        if let Some(segment) = connection.receiver.expire(now) {
            let packet = segment_packet(flow.packet(place, now, true), &segment);
            self.send(packet, Some(&segment), ctx);
        }
        self.wake(place, serial, RECEIVER, ctx);
    }

    /// Aborts a flow: it will not complete.
    pub(super) fn give_up(&mut self, place: u32, ctx: &mut Context<'_>) {
        let Some(flow) = self.forget(place, ctx) else { return };
        if !flow.complete {
            record(&flow, None, ctx);
        }
    }

    /// Removes a flow.
    pub(super) fn forget(&mut self, place: u32, ctx: &Context<'_>) -> Option<Flow> {
        let flow = self.flows.remove(place)?;
        self.leave(&flow, ctx);
        if ctx.is_framed() {
            for key in flow.keys() {
                self.endpoints.remove(&key);
            }
        }
        Some(flow)
    }
}

/// Whether a flow waits for its host's link, if it takes turns.
fn blocked(flow: &mut Flow) -> Option<&mut bool> {
    match &mut flow.carrier {
        Carrier::Tcp(connection) => Some(&mut connection.blocked),
        Carrier::Ndp(exchange) => Some(&mut exchange.blocked),
        Carrier::Dcqcn(exchange) => Some(&mut exchange.blocked),
        Carrier::Datagrams(_) | Carrier::Stack(_) | Carrier::Echo => None,
    }
}

/// Senders wait for room in the queue of their host's link.
fn schedule_turn(host: u32, direction: u32, ctx: &mut Context<'_>) {
    let at = ctx.when_below(direction, QUEUED);
    ctx.schedule(at, Timer { kind: TURN, about: host, tag: 0 });
}

/// A packet with a segment in it.
pub(super) fn segment_packet(packet: Packet, segment: &Segment) -> Packet {
    let ecn = if segment.ecn_capable { ecn::CAPABLE } else { ecn::NONE };
    Packet { bytes: ETHERNET + segment.packet_bytes(), ecn, ..packet }
}
