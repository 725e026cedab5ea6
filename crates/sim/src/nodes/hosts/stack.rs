//! Hosts with a stack: their frames, their flows, and when they are polled.

use super::arrivals::{arrived, count};
use super::flow::{Carrier, Flow, OverStack, Role};
use super::sending::{ETHERNET, QUEUED};
use super::{Hosts, STACK};
use crate::frame::{self, UDP_HEADERS};
use crate::measure::Cause;
use crate::network::traffic::Transport;
use crate::network::{Network, NodeId};
use crate::packet::{Packet, PacketId, ecn};
use crate::pending::Time;
use crate::random::{Stream, kind};
use crate::simulation::{BuildError, Context, Timer};
use crate::stack::{self, Report, Stack};
use std::net::Ipv4Addr;
use ww_packet::protocol::ip;

/// Behind the headers of Ethernet, IPv4, and UDP or ICMP: number and time of a packet.
const STAMP_AT: usize = UDP_HEADERS as usize;
/// IPv4 and TCP headers without options.
const TCP_HEADERS: u32 = 20 + 20;

/// When a packet was sent, read from its bytes: for packets that a program queued and emitted anew. UDP packets and echoes
/// carry the time.
fn stamp(frame: &[u8], protocol: u8) -> Option<Time> {
    let stamp = frame.get(STAMP_AT + 4..)?.first_chunk()?;
    matches!(protocol, ip::UDP | ip::ICMP).then(|| Time::from_be_bytes(*stamp))
}

/// A stack in its host.
#[derive(Debug)]
pub(super) struct Seat {
    stack: Stack,
    /// When the stack will be polled.
    wakes: Option<Time>,
    /// By the host's clock, when a timer expires.
    timer: Option<Time>,
}

/// The stacks of all hosts, empty if none has one.
pub(super) fn seats(network: &Network, seed: u64) -> Result<Vec<Option<Box<Seat>>>, BuildError> {
    let mut seats = Vec::new();
    for (number, (node, host)) in (0u32..).zip(network.hosts()) {
        seats.push(match host.stack {
            None => None,
            Some(attachment) => {
                let seed = Stream::new(seed, kind::STACK, number).bits();
                let stack = Stack::new(host.ip, host.mac, host.gateway, attachment, seed);
                let wrong = |text| {
                    BuildError(format!("host {}: {text}", network.nodes[node as usize].name))
                };
                let stack = stack.map_err(wrong)?;
                Some(Box::new(Seat { stack, wakes: None, timer: None }))
            }
        });
    }
    if seats.iter().all(Option::is_none) {
        seats.clear();
    }
    Ok(seats)
}

impl OverStack {
    /// Notes a segment that the sender sends. True if it is a retransmission.
    fn sends_again(&mut self, frame: &[u8]) -> bool {
        let Some((first, length)) = frame::sequence(frame) else { return false };
        let next = first.wrapping_add(length);
        if self.next.is_none_or(|known| next.wrapping_sub(known) as i32 > 0) {
            self.next = Some(next);
            return false;
        }
        self.retransmitted += u64::from(length > 0);
        length > 0
    }
}

fn host_ip(host: u32, ctx: &Context<'_>) -> Ipv4Addr {
    ctx.host(host).map_or(Ipv4Addr::UNSPECIFIED, |host| host.ip)
}

/// Length of a full TCP segment's frame from a host with a stack, and of its data.
pub(super) fn stack_segment(host: u32, ctx: &Context<'_>) -> (u32, u32) {
    let stack = ctx.host(host).and_then(|host| host.stack);
    let mtu = u32::from(stack.map_or(1_500, |stack| stack.mtu));
    (ETHERNET + mtu, mtu - TCP_HEADERS)
}

/// Counts a packet that a host sends, after the warm-up.
fn count_sent(traffic: u16, ctx: &mut Context<'_>) {
    if let Some(sums) = ctx.sums(traffic.into()) {
        sums.sent += 1;
    }
}

/// A packet has reached its host, and its time of sending is unknown.
fn arrived_somehow(packet: &Packet, ctx: &mut Context<'_>) {
    let warm = ctx.now() >= ctx.wishes().warmup && !packet.backwards;
    if let Some(sums) = ctx.sums(packet.traffic.into()).filter(|_| warm) {
        sums.delivered += 1;
        sums.marked += u64::from(packet.ecn == ecn::CONGESTION);
    }
}

impl Hosts {
    /// Whether a host has a stack.
    #[inline]
    pub(super) fn has_stack(&self, host: u32) -> bool {
        self.stacks.get(host as usize).is_some_and(Option::is_some)
    }

    fn seat(&mut self, host: u32) -> Option<&mut Seat> {
        self.stacks.get_mut(host as usize)?.as_deref_mut()
    }

    /// Opens the sockets of a new flow in the stacks of its hosts. False if that is not possible; hosts without a stack
    /// need none.
    pub(super) fn open(
        &mut self,
        place: u32,
        serial: u64,
        transport: &Transport,
        ctx: &mut Context<'_>,
    ) -> bool {
        let Some(flow) = self.flows.get(place, serial) else { return false };
        let (from, to, bytes, [here, there]) = (flow.from, flow.to, flow.bytes, flow.ports);
        if self.stacks.is_empty() || !self.has_stack(from) {
            return !matches!(transport, Transport::Stack(_));
        }
        let [source, destination] = [from, to].map(|host| host_ip(host, ctx));
        let flow = stack::Flow { place, serial };
        let Some(receiver) = self.seat(to) else { return false };
        let listens = match transport {
            Transport::Stack(settings) => {
                receiver.stack.listen(flow, (source, here), there, settings)
            }
            _ => receiver.stack.expect(flow, (source, here), there),
        };
        let Some(sender) = self.seat(from) else { return false };
        let opens = match transport {
            Transport::Stack(settings) => {
                sender.stack.connect(flow, bytes, (destination, there), here, settings)
            }
            _ => sender.stack.bind(flow, here),
        };
        self.wake_stack(from, ctx.now(), ctx);
        listens.and(opens).is_ok()
    }

    /// Removes a flow from the stacks of its hosts.
    pub(super) fn leave(&mut self, flow: &Flow, ctx: &Context<'_>) {
        if self.stacks.is_empty() {
            return;
        }
        let [here, there] = flow.ports;
        let source = host_ip(flow.from, ctx);
        for host in [flow.from, flow.to] {
            if let Some(seat) = self.seat(host) {
                seat.stack.forget(flow.serial, (source, here), there);
            }
        }
    }

    /// A UDP packet of a flow goes into the stack of its host.
    pub(super) fn send_through(&mut self, packet: Packet, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let to = (host_ip(packet.destination, ctx), packet.ports[1]);
        let flow = stack::Flow { place: packet.flow, serial: packet.serial };
        let length = packet.bytes.saturating_sub(UDP_HEADERS) as usize;
        let Some(seat) = self.seat(packet.source) else { return };
        match seat.stack.send(flow, packet.number, now, length, to) {
            Ok(()) => self.wake_stack(packet.source, now, ctx),
            Err(stack::Refused) => self.refuse(packet, ctx),
        }
    }

    /// A packet did not fit into its host's socket.
    fn refuse(&mut self, packet: Packet, ctx: &mut Context<'_>) {
        if packet.sent >= ctx.wishes().warmup {
            count_sent(packet.traffic, ctx);
        }
        let node = ctx.host_node(packet.source);
        let id = ctx.insert(packet);
        ctx.drop(id, node, Cause::Host);
    }

    /// Opens a ping flow; returns its place and its number.
    pub(super) fn start_ping(
        &mut self,
        traffic: u32,
        from: u32,
        to: u32,
        ctx: &Context<'_>,
    ) -> (u32, u64) {
        self.started += 1;
        let serial = self.started;
        let identifier = serial as u16;
        let flow = Flow {
            serial,
            traffic,
            from,
            to,
            ports: [identifier, 0],
            hash: frame::hash(from, to, [identifier, 0]),
            class: 0,
            bytes: 0,
            start: ctx.now(),
            ideal: 0,
            role: Role::Stream,
            carrier: Carrier::Echo,
            complete: false,
        };
        let keys = flow.keys();
        let place = self.flows.insert(flow);
        self.endpoints.extend(keys.map(|key| (key, (place, serial))));
        if let Some(seat) = self.seat(from) {
            // The first of a host's sockets; if there are too many, each request is dropped at the host.
            let _ = seat.stack.open_ping(stack::Flow { place, serial }, identifier);
        }
        (place, serial)
    }

    /// A host sends an echo request.
    pub(super) fn ping(&mut self, (place, serial): (u32, u64), bytes: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let Some(flow) = self.flows.get(place, serial) else { return };
        let (from, to, traffic) = (flow.from, flow.to, flow.traffic as u16);
        let address = host_ip(to, ctx);
        let Some(seat) = self.seat(from) else { return };
        match seat.stack.ping(stack::Flow { place, serial }, now, bytes as usize, address) {
            Ok(()) => self.wake_stack(from, now, ctx),
            Err(stack::Refused) => {
                let packet = Packet { sent: now, source: from, traffic, ..Packet::default() };
                self.refuse(packet, ctx);
            }
        }
    }

    /// Schedules a poll of a host's stack, unless there is an earlier one.
    fn wake_stack(&mut self, host: u32, at: Time, ctx: &mut Context<'_>) {
        let Some(seat) = self.seat(host) else { return };
        if seat.wakes.is_none_or(|wakes| wakes > at) {
            seat.wakes = Some(at);
            ctx.schedule(at, Timer { kind: STACK, about: host, tag: 0 });
        }
    }

    /// The timer of a stack; stale ones are ignored.
    pub(super) fn stack_wakes(&mut self, host: u32, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let local = ctx.host_time(host);
        let Some(seat) = self.seat(host) else { return };
        if seat.wakes != Some(now) {
            return;
        }
        seat.wakes = None;
        let timer = seat.timer.is_some_and(|timer| timer <= local);
        self.attend(host, timer, ctx);
    }

    /// Polls a stack: sends its frames and counts what its applications report. `timer`: only an expired timer caused
    /// the poll.
    fn attend(&mut self, host: u32, timer: bool, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let local = ctx.host_time(host);
        let direction = ctx.host_direction(host);
        let room = QUEUED.saturating_sub(ctx.depth(direction));
        let Some(seat) = self.seat(host) else { return };
        seat.stack.poll(now, local, room);
        let (frames, reports) = (seat.stack.frames(), seat.stack.reports());
        let (next, starved) = (seat.stack.wakes(local), seat.stack.starved());
        seat.timer = next.filter(|_| !starved);
        let mut expired = timer;
        for frame in frames {
            self.emit(host, frame, &mut expired, ctx);
        }
        let at = match (starved, next) {
            (true, _) => {
                ctx.depth(direction);
                Some(ctx.when_below(direction, QUEUED).max(now))
            }
            (false, Some(next)) => Some(ctx.clock(ctx.host_node(host)).when(next).max(now + 1)),
            (false, None) => None,
        };
        if let Some(at) = at {
            self.wake_stack(host, at, ctx);
        }
        for report in reports {
            self.told(report, ctx);
        }
    }

    /// A frame leaves a stack. `expired`: a timer has expired that no retransmission accounts for yet.
    fn emit(&mut self, host: u32, frame: Vec<u8>, expired: &mut bool, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let mut packet = frame::read(&frame, ctx.addresses(), None, now);
        self.attribute(&mut packet);
        if !packet.backwards
            && let Some(flow) = self.flows.get(packet.flow, packet.serial)
            && let Carrier::Stack(over_stack) = &mut flow.carrier
            && over_stack.sends_again(&frame)
        {
            over_stack.timeouts += u64::from(std::mem::take(expired));
        }
        if !packet.backwards && now >= ctx.wishes().warmup {
            count_sent(packet.traffic, ctx);
        }
        let id = ctx.insert(packet);
        *ctx.frame_mut(id) = frame;
        self.give(id, host, ctx);
    }

    /// Finds the flow that a packet belongs to.
    fn attribute(&mut self, packet: &mut Packet) -> bool {
        let key = (packet.source, packet.destination, packet.ports, packet.protocol);
        let Some((place, serial)) = self.endpoints.get(&key).copied() else { return false };
        let Some(flow) = self.flows.get(place, serial) else { return false };
        packet.backwards = packet.source == flow.to && packet.ports[0] == flow.ports[1];
        (packet.flow, packet.serial, packet.traffic) = (place, serial, flow.traffic as u16);
        true
    }

    /// Delivers a frame to a host with a stack, which gets all frames and checks them itself. Counted as dropped are frames
    /// with a wrong checksum or for another host.
    pub(super) fn deliver_to_stack(
        &mut self,
        id: PacketId,
        host: u32,
        node: NodeId,
        ctx: &mut Context<'_>,
    ) {
        let now = ctx.now();
        let mut packet = *ctx.packet(id);
        let frame = ctx.frame(id).to_vec();
        let own = ctx.network().host(node).map(|host| host.mac);
        let address = frame::destination(&frame);
        let mine = packet.destination == host
            && address.is_some_and(|address| address[0] & 1 != 0 || Some(address) == own)
            && frame::is_intact(&frame);
        if mine {
            let known = packet.traffic != u16::MAX;
            ctx.remove(id);
            if self.attribute(&mut packet) {
                let sent = if known { Some(packet.sent) } else { stamp(&frame, packet.protocol) };
                match sent {
                    Some(sent) => arrived(&Packet { sent: sent.min(now), ..packet }, ctx),
                    None => arrived_somehow(&packet, ctx),
                }
            } else {
                self.strangers += u64::from(!known && packet.protocol != 0);
            }
        } else {
            ctx.drop(id, node, Cause::Host);
        }
        if let Some(seat) = self.seat(host) {
            seat.stack.receive(frame);
            self.attend(host, false, ctx);
        }
    }

    /// Counts a report of an application.
    fn told(&mut self, report: Report, ctx: &mut Context<'_>) {
        let now = ctx.now();
        let (Report::Received(about, ..)
        | Report::Datagram(about, ..)
        | Report::Echo(about, ..)
        | Report::Ended(about)) = report;
        let stack::Flow { place, serial } = about;
        let Some(flow) = self.flows.get(place, serial) else { return };
        let traffic = flow.traffic;
        let warmup = ctx.wishes().warmup;
        let sums = ctx.sums(traffic);
        match report {
            Report::Received(_, right, wrong) => {
                let Carrier::Stack(stack) = &mut flow.carrier else { return };
                stack.received += right;
                let complete = stack.received >= flow.bytes && !flow.complete;
                if let Some(sums) = sums {
                    sums.wrong += wrong;
                }
                count(traffic, right, ctx);
                if complete {
                    self.complete(place, serial, ctx);
                }
            }
            Report::Datagram(_, right, wrong) => {
                if let Some(sums) = sums {
                    sums.wrong += wrong;
                }
                self.take_datagram(place, serial, right, ctx);
            }
            Report::Echo(_, round_trip, wrong) => {
                let Some(sums) = sums else { return };
                sums.wrong += wrong;
                if now.saturating_sub(round_trip) >= warmup {
                    sums.round_trips.record(round_trip);
                }
            }
            Report::Ended(_) if flow.complete => drop(self.forget(place, ctx)),
            Report::Ended(_) => self.give_up(place, ctx),
        }
    }
}
