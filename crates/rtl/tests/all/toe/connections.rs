//! Connections between the sessions of one processor, with their twins, and peers of the model.

use super::network::{Packet, Way, hostile};
use super::twin::{Seen, Twin};
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::tcp::flags::{ACK, RST, SYN};
use ww_rtl::toe::equal::hostile::View;
use ww_rtl::toe::equal::{Quality, behaviour};
use ww_rtl::toe::{SessionProcessor, Shape};
use ww_tcp::random::Random;
use ww_tcp::sequence::Sequence;
use ww_tcp::session::handshake::Opening;
use ww_tcp::session::{Session, State};
use ww_tcp::settings::{Behaviour, MICROSECOND, MILLISECOND, Nanoseconds, SECOND};

/// One connection: our session with its twin, the peer, and both ways between them.
struct Connection {
    twin: Option<Twin>,
    peer: Option<Session>,
    /// To the peer, and back.
    ways: [Way; 2],
    next_action: Nanoseconds,
    opened_at: Nanoseconds,
    peer_written: u32,
}

/// See the module.
pub struct Connections {
    processor: SessionProcessor,
    behaviour: Behaviour,
    peer_behaviour: Behaviour,
    random: Random,
    hostile: bool,
    now: Nanoseconds,
    connections: Vec<Connection>,
    requests: u32,
    seen: Seen,
    mean_pause: Nanoseconds,
}

impl Connections {
    pub fn new(shape: Shape, seed: u64, hostile: bool) -> Self {
        let mut random = Random(seed);
        let [behaviour, peer_behaviour] = std::array::from_fn(|_| behaviour(&mut random, shape));
        let processor = SessionProcessor::new(shape, &behaviour).expect("Verilator is there");
        let mean_pause = random.pick(&[20 * MICROSECOND, 500 * MICROSECOND, 20 * MILLISECOND]);
        let mut connections = Vec::new();
        for _ in 0..shape.sessions {
            let quality = Quality::choose(&mut random);
            connections.push(Connection {
                twin: None,
                peer: None,
                ways: [Way::new(quality), Way::new(quality)],
                next_action: random.below(MILLISECOND),
                opened_at: 0,
                peer_written: 0,
            });
        }
        let now = random.pick(&[0, 17 * SECOND, 1 << 45]);
        connections.iter_mut().for_each(|connection| connection.next_action += now);
        Self {
            processor,
            behaviour,
            peer_behaviour,
            random,
            hostile,
            now,
            connections,
            requests: 0,
            seen: Seen::new(),
            mean_pause,
        }
    }

    /// Requests to the hardware so far, about.
    pub fn requests(&self) -> u32 {
        self.requests
    }

    /// What has been seen.
    pub fn seen(&self) -> &Seen {
        &self.seen
    }

    /// To the next thing that happens, and one of them.
    pub fn step(&mut self) {
        let next = |c: &Connection| {
            [
                Some(c.next_action),
                c.ways[0].next(),
                c.ways[1].next(),
                c.twin.as_ref().and_then(|twin| twin.model.wakes()),
                c.peer.as_ref().and_then(Session::wakes),
            ]
            .into_iter()
            .flatten()
            .min()
        };
        let at = self.connections.iter().filter_map(next).min().unwrap_or(self.now);
        self.now = self.now.max(at);
        for index in 0..self.connections.len() {
            self.serve(index);
        }
    }

    fn serve(&mut self, index: usize) {
        let now = self.now;
        while let Some(packet) = self.connections[index].ways[0].take(now) {
            self.reach_peer(index, &packet);
            self.pump(index);
        }
        while let Some(packet) = self.connections[index].ways[1].take(now) {
            self.reach_twin(index, &packet);
            self.pump(index);
        }
        let c = &mut self.connections[index];
        if let Some(twin) = &mut c.twin
            && twin.model.wakes().is_some_and(|at| at <= now)
        {
            self.requests += 1;
            twin.expire(&mut self.processor, now);
        }
        if let Some(peer) = &mut c.peer
            && peer.wakes().is_some_and(|at| at <= now)
        {
            peer.expire(now);
        }
        if c.next_action <= now {
            c.next_action = now + 1 + self.random.below(2 * self.mean_pause);
            self.act(index);
        }
        self.pump(index);
        let c = &mut self.connections[index];
        let over = c.twin.as_ref().is_some_and(Twin::is_over);
        if let Some(twin) = &mut c.twin {
            for (what, count) in std::mem::take(&mut twin.seen) {
                *self.seen.entry(what).or_default() += count;
            }
        }
        let silent = c.peer.as_ref().is_none_or(|peer| peer.state() == State::Closed);
        if over && (silent || self.random.once_in(8)) {
            (c.twin, c.peer) = (None, None);
        }
    }

    fn opening(&mut self, own: bool) -> Opening {
        let port = 1_024 + self.random.below(60_000) as u16;
        let peer = if own { Ipv4Addr::new(10, 0, 0, 2) } else { Ipv4Addr::new(10, 0, 0, 1) };
        Opening {
            own_port: port,
            peer: SocketAddrV4::new(peer, port),
            first: Sequence(self.random.pick(&[5, u32::MAX - 3_000, 0x7fff_f000, 1 << 20])),
            timestamp_offset: self.random.bits() as u32,
        }
    }

    /// A segment reaches the peer.
    fn reach_peer(&mut self, index: usize, packet: &Packet) {
        let now = self.now;
        let opening = self.opening(false);
        let c = &mut self.connections[index];
        if c.peer.is_none() && packet.flags & (SYN | ACK | RST) == SYN {
            c.peer_written = 0;
            c.peer = Some(Session::accept(self.peer_behaviour, &opening, &packet.segment(), now));
        } else if let Some(peer) = &mut c.peer
            && let Some(reset) = peer.arrive(&packet.segment(), now)
        {
            c.ways[1].send(Packet::reset(&reset), now, &mut self.random);
        }
        if let Some(peer) = &mut c.peer {
            peer.take_events();
        }
    }

    /// A segment reaches us.
    fn reach_twin(&mut self, index: usize, packet: &Packet) {
        let now = self.now;
        self.requests += 1;
        let opening = self.opening(true);
        let cookie = self.random.once_in(4);
        let c = &mut self.connections[index];
        let segment = packet.segment();
        if c.twin.is_none() && packet.flags & (SYN | ACK | RST) == SYN {
            let processor = &mut self.processor;
            c.opened_at = now;
            if cookie {
                // As if the cookie had gone and the peer's answer had come.
                let mut twin =
                    Twin::redeem(processor, index as u32, self.behaviour, &opening, &segment, now);
                let mut answer = packet.clone();
                (answer.flags, answer.sequence) = (ACK, packet.sequence + 1);
                answer.acknowledgement = opening.first + 1;
                answer.options.timestamps = None;
                twin.arrive(processor, &answer.segment(), now);
                c.twin = Some(twin);
            } else {
                c.twin = Some(Twin::accept(
                    processor,
                    index as u32,
                    self.behaviour,
                    &opening,
                    &segment,
                    now,
                ));
            }
        } else if let Some(twin) = &mut c.twin {
            let (reset, _) = twin.arrive(&mut self.processor, &segment, now);
            if let Some(reset) = reset {
                c.ways[0].send(Packet::reset(&reset), now, &mut self.random);
            }
        }
    }

    /// Sends what is due, sometimes not all of it.
    fn pump(&mut self, index: usize) {
        let now = self.now;
        let c = &mut self.connections[index];
        let most = if self.random.once_in(3) { self.random.below(4) } else { 100 };
        if let Some(twin) = &mut c.twin {
            // Now and then it is asked although it says that nothing is due.
            let most = if twin.model.is_due() || self.random.once_in(20) { most } else { 0 };
            for _ in 0..most {
                self.requests += 1;
                let (departure, _) = twin.depart(&mut self.processor, now);
                let Some(departure) = departure else { break };
                let mut bytes = Vec::new();
                twin.model.copy_data(departure.data, &mut bytes);
                c.ways[0].send(Packet::of(&departure, bytes), now, &mut self.random);
            }
        }
        if let Some(peer) = &mut c.peer {
            for _ in 0..most {
                let Some(departure) = peer.depart(now) else { break };
                let mut bytes = Vec::new();
                peer.copy_data(departure.data, &mut bytes);
                c.ways[1].send(Packet::of(&departure, bytes), now, &mut self.random);
            }
        }
    }

    /// An application does something, or somebody sends nonsense.
    fn act(&mut self, index: usize) {
        let now = self.now;
        self.requests += 1;
        let what = self.random.below(100);
        if self.connections[index].twin.is_none() {
            self.open(index, what);
            return;
        }
        let length = self.random.pick(&[1, 30, 500, 3_000, 20_000, 200_000]) as u32;
        let length = 1 + self.random.below(u64::from(length)) as u32;
        let random = self.random.bits();
        let c = &mut self.connections[index];
        let processor = &mut self.processor;
        // Connections come to an end after some time.
        let ends = now > c.opened_at + 40 * self.mean_pause;
        let Some(twin) = &mut c.twin else { return };
        match what {
            0..30 => twin.write(processor, length, random & 7 != 0, now),
            30..55 if random & 3 == 0 => twin.consume(processor, length, now),
            // The application of the first one is slow.
            30..55 if index > 0 || random & 63 == 1 => twin.consume(processor, u32::MAX, now),
            55..58 => twin.set(processor, random % 6, random >> 8, now),
            58..80 => {
                if let Some(peer) = &mut c.peer {
                    if random & 1 == 0 {
                        let bytes: Vec<u8> = (0..length)
                            .map(|n| super::twin::pattern(c.peer_written.wrapping_add(n)))
                            .collect();
                        c.peer_written += peer.write(&bytes, random & 6 != 0) as u32;
                    } else {
                        let most = if random & 8 == 0 { length as usize } else { usize::MAX };
                        peer.consume(peer.readable().min(most));
                    }
                }
            }
            80..90 if self.hostile => {
                let expected = twin.model.expected();
                let [acknowledged, next, _] = twin.model.send_positions();
                let around = if random & 1 == 0 { acknowledged } else { next };
                let (peer, own_port) = (twin.model.peer, twin.model.own_port);
                let view = View { peer, own_port, expected, sent: around };
                let packet = hostile(&mut self.random, view);
                let (reset, _) = twin.arrive(processor, &packet.segment(), now);
                if let Some(reset) = reset {
                    c.ways[0].send(Packet::reset(&reset), now, &mut self.random);
                }
            }
            90..92 if ends => drop(twin.shut_down(processor, now)),
            92 if ends => drop(twin.close(processor, now)),
            93 if ends && random & 7 == 0 => drop(twin.abort(processor, now)),
            94 if random & 3 == 0 => c.ways.iter_mut().for_each(|way| way.is_cut = true),
            93..98 if ends => {
                if let Some(peer) = &mut c.peer {
                    match random % 16 {
                        0..10 => peer.shut_down(),
                        10..15 => peer.close(now),
                        _ => peer.abort(),
                    }
                }
            }
            98.. => c.next_action += 100 * self.mean_pause,
            _ => {}
        }
    }

    /// One side opens, or both at once.
    fn open(&mut self, index: usize, what: u64) {
        let now = self.now;
        let (own, other) = (self.opening(true), self.opening(false));
        let c = &mut self.connections[index];
        c.peer = None;
        c.ways.iter_mut().for_each(|way| way.is_cut = false);
        c.opened_at = now;
        if what < 60 {
            c.twin =
                Some(Twin::connect(&mut self.processor, index as u32, self.behaviour, &own, now));
        }
        if what >= 45 {
            c.peer_written = 0;
            c.peer = Some(Session::connect(self.peer_behaviour, &other));
        }
    }
}
