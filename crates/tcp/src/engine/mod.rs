//! One TCP/IP host (spec S33): frames in, frames out, sessions between them.
//!
//! [`Engine::receive`] takes a frame in, [`Engine::transmit`] is asked for the next frame to leave whenever the line is
//! free, [`Engine::tick`] lets time pass up to a time that [`Engine::wakes`] names. The application opens, writes,
//! reads and closes sessions and hears of them through [`Engine::notification`]. The engine reads no clock and draws
//! no random number: two runs with the same calls have the same frames.

mod application;
pub mod cookie;
pub mod counters;
pub mod endpoint;
pub mod inbound;
pub mod neighbours;
pub mod outbound;
mod places;

use crate::options::Options;
use crate::sequence::Sequence;
use crate::session::handshake::Opening;
use crate::session::{Departure, Events, Reset, Segment, Session, State};
use crate::settings::{Behaviour, Nanoseconds, Settings};
use cookie::{Connection, Secrets};
use counters::Counters;
use inbound::{Inbound, classify};
use neighbours::Neighbours;
use outbound::{Ends, Header};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap, HashMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::arp;
use ww_packet::ethernet::MacAddress;
use ww_packet::tcp::flags::{ACK, RST, SYN};

/// Ports that connections of our own take, the first and the last, as Linux has them.
const EPHEMERAL: std::ops::RangeInclusive<u16> = 32_768..=60_999;

/// The first of our own ports that is tried.
pub fn first_port(seed: u64) -> u16 {
    *EPHEMERAL.start() + (seed % 28_000) as u16
}

/// Answers without a session (ARP, ICMP, UDP, resets, cookies) that wait at most; more are not given.
const MOST_ANSWERS: usize = 4_096;

/// Our numbers in a connection that takes the place of one that waits begin so far behind that one's.
const RENEWED_STEP: u32 = 65_537;

/// A session. Numbers are used again; a stale handle finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SessionId {
    /// Its place, below the number of sessions.
    pub index: u32,
    /// How often the place was used before.
    pub generation: u32,
}

/// What has happened to a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notification {
    /// The session.
    pub session: SessionId,
    /// Our port.
    pub own_port: u16,
    /// The peer.
    pub peer: SocketAddrV4,
    /// The peer has opened it.
    pub passive: bool,
    /// What.
    pub events: Events,
}

/// Why a connection cannot be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unopened {
    /// All sessions are in use.
    NoSession,
    /// All ports towards this peer are in use.
    NoPort,
}

/// A datagram that has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datagram {
    /// The sender.
    pub peer: SocketAddrV4,
    /// Our port.
    pub own_port: u16,
    /// Its data.
    pub data: Vec<u8>,
}

/// A port that listens.
#[derive(Clone, Copy, Debug, Default)]
struct Listener {
    /// Connections that are half open.
    half_open: usize,
    /// Longest segment, if it is another than that of the host.
    mss: Option<u16>,
}

#[derive(Debug, Default)]
struct Slot {
    session: Option<Box<Session>>,
    generation: u32,
    /// It is in the queue of those that may have something to send.
    ready: bool,
    /// News for the application.
    news: Option<Events>,
    /// It is in the queue of those with news.
    announced: bool,
    /// It only waits for late segments, until then.
    waits: Option<Nanoseconds>,
    /// The time for which it stands in the heap.
    queued: Option<Nanoseconds>,
    /// It was opened, for the count of those that end.
    opened: bool,
    /// The application knows that it is over.
    end_told: bool,
}

/// See the module.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    secrets: Secrets,
    neighbours: Neighbours,
    announced: bool,
    slots: Vec<Slot>,
    free: VecDeque<u32>,
    /// Sessions that only wait for late segments, by when that ends.
    waiting: BTreeSet<(Nanoseconds, u32)>,
    table: HashMap<(SocketAddrV4, u16), u32>,
    listening: HashMap<u16, Listener>,
    datagram_ports: Vec<u16>,
    datagrams: VecDeque<Datagram>,
    ready: VecDeque<u32>,
    news: VecDeque<u32>,
    timers: BinaryHeap<Reverse<(Nanoseconds, u32)>>,
    answers: VecDeque<Vec<u8>>,
    next_port: u16,
    counters: Counters,
}

impl Engine {
    /// A host.
    pub fn new(settings: Settings) -> Self {
        let sessions = settings.sessions.max(1);
        Self {
            secrets: Secrets::new(settings.seed),
            neighbours: Neighbours::new(settings.ip, settings.prefix, settings.scan),
            announced: !settings.scan,
            slots: (0..sessions).map(|_| Slot::default()).collect(),
            free: (0..sessions as u32).collect(),
            waiting: BTreeSet::new(),
            table: HashMap::new(),
            listening: HashMap::new(),
            datagram_ports: Vec::new(),
            datagrams: VecDeque::new(),
            ready: VecDeque::new(),
            news: VecDeque::new(),
            timers: BinaryHeap::new(),
            answers: VecDeque::new(),
            next_port: first_port(settings.seed),
            counters: Counters::default(),
            settings,
        }
    }

    /// What was counted.
    pub fn counters(&self) -> Counters {
        let mut counters = self.counters;
        for (_, session) in self.sessions() {
            counters.resent += session.resent_segments;
            counters.timeouts += session.all_timeouts;
        }
        counters
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// For connections that are opened from now on.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// Sessions that are in use.
    pub fn sessions(&self) -> impl Iterator<Item = (SessionId, &Session)> {
        self.slots.iter().enumerate().filter_map(|(index, slot)| {
            let id = SessionId { index: index as u32, generation: slot.generation };
            slot.session.as_deref().map(|session| (id, session))
        })
    }

    /// Sessions in use, those that only wait for late segments included.
    pub fn open_sessions(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Connections that are open: neither in their handshake nor over.
    pub fn live_sessions(&self) -> usize {
        self.sessions()
            .filter(|(_, session)| {
                session.state().is_synchronised() && session.state() != State::TimeWait
            })
            .count()
    }

    /// Whether the scan still asks.
    pub fn scans(&self) -> bool {
        self.neighbours.scans()
    }

    /// Asks for the way to a peer, and says whether it is known.
    pub fn find(&mut self, peer: Ipv4Addr, now: Nanoseconds) -> bool {
        match self.hop(peer) {
            Some(hop) => self.neighbours.resolve(hop, now).is_some(),
            None => false,
        }
    }

    /// Whether the way to a peer is known, without asking.
    pub fn knows(&self, peer: Ipv4Addr, now: Nanoseconds) -> bool {
        self.hop(peer).is_some_and(|hop| self.neighbours.knows(hop, now))
    }

    /// Takes for given who has an address, as known from `now` on.
    pub fn learn(&mut self, ip: Ipv4Addr, mac: MacAddress, now: Nanoseconds) {
        self.neighbours.learn(ip, mac, now);
    }

    /// Takes a frame in, without FCS.
    pub fn receive(&mut self, frame: &[u8], now: Nanoseconds) {
        self.counters.frames_in += 1;
        match classify(frame, self.settings.mac, self.settings.ip) {
            Err(reason) => self.counters.drop(reason),
            Ok(Inbound::Arp(message)) => {
                self.counters.accepted[0] += 1;
                self.receive_arp(&message, now);
            }
            Ok(Inbound::Echo(source, message)) => {
                self.counters.accepted[1] += 1;
                let ends = self.towards(source);
                self.answer(|out| outbound::echo_reply(ends, message, out));
            }
            Ok(Inbound::Udp(datagram)) => {
                self.counters.accepted[2] += 1;
                self.receive_datagram(&datagram);
            }
            Ok(Inbound::Tcp(peer, own_port, segment)) => {
                self.counters.accepted[3] += 1;
                self.receive_segment(peer, own_port, &segment, now);
            }
        }
    }

    fn receive_datagram(&mut self, datagram: &inbound::Datagram<'_>) {
        let &inbound::Datagram { peer, own_port, data, packet } = datagram;
        if !self.datagram_ports.contains(&own_port) {
            let ends = self.towards(*peer.ip());
            self.answer(|out| outbound::port_unreachable(ends, packet, out));
        } else if self.datagrams.len() < MOST_ANSWERS {
            self.datagrams.push_back(Datagram { peer, own_port, data: data.to_vec() });
        }
    }

    /// A frame has come that the line has damaged.
    pub fn receive_damaged(&mut self) {
        self.counters.frames_in += 1;
        self.counters.drop(counters::Drop::Frame);
    }

    fn towards(&self, destination: Ipv4Addr) -> Ends {
        Ends { source: self.settings.ip, destination }
    }

    fn receive_arp(&mut self, message: &arp::Repr, now: Nanoseconds) {
        let ours = message.target_ip == self.settings.ip;
        match message.operation {
            arp::Operation::Request if ours => {
                self.neighbours.learn(message.sender_ip, message.sender_mac, now);
                let reply = arp::Repr {
                    operation: arp::Operation::Reply,
                    sender_mac: self.settings.mac,
                    sender_ip: self.settings.ip,
                    target_mac: message.sender_mac,
                    target_ip: message.sender_ip,
                };
                self.answer(|out| outbound::arp_frame(&reply, out));
            }
            // Who announces himself is believed if he is known (RFC 5227 section 2.5).
            arp::Operation::Request if message.sender_ip == message.target_ip => {
                if self.neighbours.knows(message.sender_ip, now) {
                    self.neighbours.learn(message.sender_ip, message.sender_mac, now);
                }
            }
            arp::Operation::Request => {}
            arp::Operation::Reply => {
                self.neighbours.learn(message.sender_ip, message.sender_mac, now);
            }
        }
    }

    /// Makes an answer without a session.
    fn answer(&mut self, make: impl FnOnce(&mut Vec<u8>)) {
        if self.answers.len() >= MOST_ANSWERS {
            self.counters.unanswered += 1;
            return;
        }
        let mut frame = Vec::new();
        make(&mut frame);
        self.answers.push_back(frame);
    }

    fn receive_segment(
        &mut self,
        peer: SocketAddrV4,
        own_port: u16,
        segment: &Segment<'_>,
        now: Nanoseconds,
    ) {
        let mut old_next = None;
        if let Some(&index) = self.table.get(&(peer, own_port)) {
            if !self.renews(index, segment) {
                let reset = self.slots[index as usize]
                    .session
                    .as_mut()
                    .and_then(|session| session.arrive(segment, now));
                self.follow(index, now);
                self.reset(peer, own_port, reset);
                return;
            }
            // The peer begins anew with the same ports: our numbers go on behind the old ones, as Linux has it
            // (RFC 9293 section 3.6.1, RFC 6191).
            old_next = self.slots[index as usize]
                .session
                .as_ref()
                .map(|session| session.send_positions()[1] + RENEWED_STEP);
            self.release(index);
        }
        let connection = Connection { own: self.settings.ip, own_port, peer };
        let listens = self.listening.contains_key(&own_port);
        let flags = segment.flags & (SYN | ACK | RST);
        match flags {
            SYN if listens => self.receive_syn(&connection, segment, old_next, now),
            ACK if listens => {
                let syn = segment.sequence - 1;
                let number = segment.acknowledgement - 1;
                match self.secrets.read(&connection, syn, number, now) {
                    Some(options) => self.redeem(&connection, segment, options, number, now),
                    None => self.reset(peer, own_port, Reset::answering(segment)),
                }
            }
            _ => self.reset(peer, own_port, Reset::answering(segment)),
        }
    }

    /// Whether a SYN begins a new connection in the place of one that only waits.
    fn renews(&self, index: u32, segment: &Segment<'_>) -> bool {
        let slot = &self.slots[index as usize];
        slot.session.as_ref().is_some_and(|session| {
            session.state() == State::TimeWait
                && segment.flags & (SYN | ACK | RST) == SYN
                && segment.sequence.after(session.expected())
                && self.listening.contains_key(&session.own_port)
        })
    }

    fn receive_syn(
        &mut self,
        connection: &Connection,
        syn: &Segment<'_>,
        first: Option<Sequence>,
        now: Nanoseconds,
    ) {
        let listener = self.listening.get(&connection.own_port).copied().unwrap_or_default();
        if listener.half_open < self.settings.backlog
            && let Some(index) = self.take_slot()
        {
            let mut opening = self.opening(connection, now);
            opening.first = first.unwrap_or(opening.first);
            let session = Session::accept(self.behaviour(&listener), &opening, syn, now);
            self.listening.entry(connection.own_port).or_default().half_open += 1;
            self.occupy(index, session, now);
            return;
        }
        self.counters.cookies += 1;
        let mut options = syn.options;
        let behaviour = self.behaviour(&listener);
        options.window_scale = options.window_scale.filter(|_| behaviour.window_scale.is_some());
        options.sack_permitted &= behaviour.sack;
        let sequence = self.secrets.cookie(connection, syn.sequence, &options, now);
        let reply = Options {
            mss: Some(behaviour.mss),
            window_scale: options.window_scale.and(behaviour.window_scale),
            sack_permitted: options.sack_permitted,
            ..Options::default()
        };
        let header = Header {
            ports: (connection.own_port, connection.peer.port()),
            sequence,
            acknowledgement: syn.sequence + 1,
            flags: SYN | ACK,
            window: behaviour.buffer().min(0xffff) as u16,
            options: reply,
            ecn: 0,
        };
        let ends = self.towards(*connection.peer.ip());
        self.answer(|out| outbound::segment(ends, &header, 0, |_| {}, out));
    }

    /// A cookie has come back: the connection is open.
    fn redeem(
        &mut self,
        connection: &Connection,
        segment: &Segment<'_>,
        options: Options,
        number: Sequence,
        now: Nanoseconds,
    ) {
        // Without room the acknowledgement is dropped; the peer's data will bring it again.
        let Some(index) = self.take_slot() else { return };
        let syn = Segment {
            sequence: segment.sequence - 1,
            flags: SYN,
            options,
            payload: &[],
            ..*segment
        };
        let opening = Opening { first: number, ..self.opening(connection, now) };
        let listener = self.listening.get(&connection.own_port).copied().unwrap_or_default();
        let behaviour = self.behaviour(&listener);
        let mut session = Session::from_cookie(behaviour, &opening, &syn, now);
        let reset = session.arrive(segment, now);
        self.listening.entry(connection.own_port).or_default().half_open += 1;
        self.occupy(index, session, now);
        self.reset(connection.peer, connection.own_port, reset);
    }

    /// How connections to a port behave.
    fn behaviour(&self, listener: &Listener) -> Behaviour {
        let usual = self.settings.tcp;
        Behaviour { mss: listener.mss.unwrap_or(usual.mss).min(usual.mss), ..usual }
    }

    fn opening(&self, connection: &Connection, now: Nanoseconds) -> Opening {
        Opening {
            own_port: connection.own_port,
            peer: connection.peer,
            first: self.secrets.initial(connection, now),
            timestamp_offset: self.secrets.timestamp_offset(connection),
        }
    }

    fn reset(&mut self, peer: SocketAddrV4, own_port: u16, reset: Option<Reset>) {
        let Some(reset) = reset else { return };
        let header = Header {
            ports: (own_port, peer.port()),
            sequence: reset.sequence,
            acknowledgement: reset.acknowledgement.unwrap_or_default(),
            flags: RST | if reset.acknowledgement.is_some() { ACK } else { 0 },
            window: 0,
            options: Options::default(),
            ecn: 0,
        };
        let ends = self.towards(*peer.ip());
        self.answer(|out| outbound::segment(ends, &header, 0, |_| {}, out));
    }

    /// The next frame that leaves, without FCS, in `frame`. False: there is none.
    pub fn transmit(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool {
        if !self.announced {
            self.announced = true;
            let own = self.settings.ip;
            self.arp_request(own, own, frame);
            self.counters.frames_out += 1;
            return true;
        }
        loop {
            if let Some(target) = self.neighbours.next_question(now) {
                self.arp_request(self.settings.ip, target, frame);
                self.counters.frames_out += 1;
                return true;
            }
            if let Some(answer) = self.answers.pop_front() {
                *frame = answer;
                // ARP has its header.
                if frame[12..14] == [8, 6] || self.address(frame, now) {
                    self.counters.frames_out += 1;
                    return true;
                }
                continue;
            }
            let Some(index) = self.ready.pop_front() else { return false };
            self.slots[index as usize].ready = false;
            let Some(session) = self.slots[index as usize].session.as_mut() else { continue };
            let Some(departure) = session.depart(now) else {
                // What is due waits for a window, a timer or an acknowledgement.
                self.settle(index, now);
                continue;
            };
            let ends = Ends { source: self.settings.ip, destination: *session.peer.ip() };
            emit(session, &departure, ends, frame);
            // It may have more: the others have their turn first.
            self.follow(index, now);
            if self.address(frame, now) {
                self.counters.frames_out += 1;
                return true;
            }
        }
    }

    fn arp_request(&self, sender: Ipv4Addr, target: Ipv4Addr, frame: &mut Vec<u8>) {
        let message = arp::Repr {
            operation: arp::Operation::Request,
            sender_mac: self.settings.mac,
            sender_ip: sender,
            target_mac: MacAddress([0; 6]),
            target_ip: target,
        };
        outbound::arp_frame(&message, frame);
    }

    /// Who gets a packet for this address.
    fn hop(&self, destination: Ipv4Addr) -> Option<Ipv4Addr> {
        let mask = u32::MAX.checked_shl(32 - u32::from(self.settings.prefix)).unwrap_or(0);
        let near = (destination.to_bits() ^ self.settings.ip.to_bits()) & mask == 0;
        if near { Some(destination) } else { self.settings.gateway }
    }

    /// Fills in the Ethernet header. False: nobody knows the way, and the packet is dropped (spec S37).
    fn address(&mut self, frame: &mut Vec<u8>, now: Nanoseconds) -> bool {
        let hop = self.hop(outbound::destination(frame));
        let mac = hop.and_then(|hop| self.neighbours.resolve(hop, now));
        let Some(mac) = mac else {
            self.counters.unresolved += 1;
            return false;
        };
        outbound::finish(frame, self.settings.mac, mac);
        true
    }

    /// Lets time pass up to `now`.
    pub fn tick(&mut self, now: Nanoseconds) {
        while let Some(&Reverse((at, index))) = self.timers.peek()
            && at <= now
        {
            self.timers.pop();
            let slot = &mut self.slots[index as usize];
            if slot.queued != Some(at) {
                continue;
            }
            slot.queued = None;
            if let Some(session) = slot.session.as_mut() {
                session.expire(now);
                self.follow(index, now);
            }
        }
    }

    /// When [`Self::tick`] and [`Self::transmit`] are due, if nothing comes in between.
    pub fn wakes(&mut self) -> Option<Nanoseconds> {
        while let Some(&Reverse((at, index))) = self.timers.peek() {
            if self.slots[index as usize].queued == Some(at) {
                break;
            }
            self.timers.pop();
        }
        let timer = self.timers.peek().map(|&Reverse((at, _))| at);
        [timer, self.neighbours.wakes()].into_iter().flatten().min()
    }
}

fn emit(session: &Session, departure: &Departure, ends: Ends, frame: &mut Vec<u8>) {
    let header = Header {
        ports: (session.own_port, session.peer.port()),
        sequence: departure.sequence,
        acknowledgement: departure.acknowledgement,
        flags: departure.flags,
        window: departure.window,
        options: departure.options,
        ecn: if departure.markable { 2 } else { 0 },
    };
    let length = (departure.data.1 - departure.data.0) as usize;
    outbound::segment(ends, &header, length, |out| session.copy_data(departure.data, out), frame);
}
