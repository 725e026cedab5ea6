//! The host in hardware beside the model: the same frames and calls at the same times, and all that comes of them
//! compared.
//!
//! Time stands still while one of them is carried out. The frames of the host go to a peer, which is the model too, over
//! a way that loses, delays, doubles and marks them; what the peer sends comes back over another one.

mod choice;
pub mod hostile;

use super::host::{HardwareHost, HostShape};
use super::session_processor::Shape;
use crate::ddr4::{AddressMap, Technology};
use crate::runner::Error;
pub use choice::{Quality, behaviour};
use hostile::{Route, View};
use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddrV4};
use ww_packet::ethernet::MacAddress;
use ww_tcp::engine::{Engine, SessionId};
use ww_tcp::random::Random;
use ww_tcp::session::State;
use ww_tcp::settings::{Behaviour, MICROSECOND, MILLISECOND, Nanoseconds, SECOND, Settings};

/// The hardware that is compared: small, so that sessions, records and ranges run out, and rows cross the memory.
pub const SHAPE: HostShape = HostShape {
    sessions: Shape { sessions: 8, records: 64, ranges: 16, marks: 64 },
    lines: 64,
    memory: Technology::Ddr4(AddressMap::RowColumnBank),
};

/// Addresses of the host and of its peer.
const IP: [Ipv4Addr; 2] = [Ipv4Addr::new(10, 0, 0, 1), Ipv4Addr::new(10, 0, 0, 2)];
const MAC: [MacAddress; 2] = [MacAddress([2, 0, 0, 0, 0, 1]), MacAddress([2, 0, 0, 0, 0, 2])];
/// Where both listen.
const PORT: u16 = 7;

/// What a run is.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// At least so many events.
    pub events: u64,
    /// With frames that no honest peer sends.
    pub hostile: bool,
    /// All choices follow from it.
    pub seed: u64,
}

/// What a run has found.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// Frames, calls, notifications and steps of the time.
    pub events: u64,
    /// How often both differed: a run ends with the first time.
    pub differences: u64,
    /// The first difference.
    pub first: Option<String>,
    /// What has happened: states, ends, and more that a run must have seen to say something.
    pub seen: BTreeSet<String>,
    /// Clocks of the hardware.
    pub clocks: u64,
}

/// Runs one seed.
///
/// # Errors
/// The hardware cannot be simulated, or an assertion in it has stopped it.
pub fn run(plan: Plan) -> Result<Found, Error> {
    let mut pair = Pair::new(plan)?;
    while pair.found.events < plan.events && pair.found.first.is_none() {
        pair.step()?;
    }
    pair.found.clocks = pair.hardware.clocks();
    Ok(pair.found)
}

struct Pair {
    hardware: HardwareHost,
    model: Engine,
    peer: Engine,
    random: Random,
    hostile: bool,
    now: Nanoseconds,
    /// Frames on their way: when they come, whether to the peer.
    frames: BTreeMap<(Nanoseconds, u64), (bool, Vec<u8>)>,
    sent: u64,
    ways: [Quality; 2],
    /// Sessions that were heard of.
    sessions: [Vec<SessionId>; 2],
    next_action: Nanoseconds,
    mean_pause: Nanoseconds,
    /// What was done last.
    stimulus: String,
    found: Found,
}

impl Pair {
    fn new(plan: Plan) -> Result<Self, Error> {
        let mut random = Random(plan.seed);
        let settings =
            |random: &mut Random, end: usize, tcp: Behaviour, sessions: usize| Settings {
                mac: MAC[end],
                ip: IP[end],
                prefix: 24,
                gateway: None,
                sessions,
                backlog: random.pick(&[1, 3, 100]),
                seed: random.bits(),
                scan: false,
                tcp,
            };
        let shape = SHAPE.sessions;
        let tcp = behaviour(&mut random, shape);
        let own = settings(&mut random, 0, tcp, shape.sessions as usize);
        let peer_tcp = behaviour(&mut random, shape);
        let other = settings(&mut random, 1, peer_tcp, 2 * shape.sessions as usize);
        let mut pair = Self {
            hardware: HardwareHost::new(SHAPE, own)?,
            model: Engine::new(own),
            peer: Engine::new(other),
            hostile: plan.hostile,
            now: random.pick(&[0, 17 * SECOND, 1 << 45]),
            frames: BTreeMap::new(),
            sent: 0,
            ways: [Quality::choose(&mut random), Quality::choose(&mut random)],
            sessions: Default::default(),
            next_action: 0,
            mean_pause: random.pick(&[20 * MICROSECOND, 500 * MICROSECOND, 20 * MILLISECOND]),
            stimulus: String::new(),
            found: Found::default(),
            random,
        };
        let mss = pair.random.pick(&[None, None, Some(300)]);
        pair.peer.listen(PORT);
        pair.model.listen(PORT);
        pair.model.set_listener_mss(PORT, mss);
        pair.hardware.listen(PORT, mss)?;
        pair.model.bind_datagrams(PORT);
        pair.hardware.bind_datagrams(PORT);
        pair.now += 1;
        Ok(pair)
    }

    fn differ(&mut self, what: &str, hardware: impl std::fmt::Debug, model: impl std::fmt::Debug) {
        self.found.differences += 1;
        let first = format!(
            "at {} ns, event {}, {}: {what}: hardware {hardware:02x?}, model {model:02x?}",
            self.now, self.found.events, self.stimulus
        );
        self.found.first.get_or_insert(first);
    }

    fn see(&mut self, what: impl std::fmt::Debug) {
        let what = format!("{what:?}");
        self.found.seen.insert(what);
    }

    /// The next thing that happens.
    fn step(&mut self) -> Result<(), Error> {
        let frame = self.frames.keys().next().map(|&(at, _)| at);
        let timers = [self.model.wakes(), self.hardware.wakes(), self.peer.wakes(), frame];
        let next = timers.into_iter().flatten().chain([self.next_action]).min();
        self.now = next.unwrap_or(self.next_action).max(self.now);
        self.found.events += 1;
        self.stimulus = "time passes".to_owned();
        self.peer.tick(self.now);
        self.serve_peer();
        self.model.tick(self.now);
        self.hardware.tick(self.now)?;
        self.compare()?;
        if frame.is_some_and(|at| at <= self.now)
            && let Some((_, (to_peer, frame))) = self.frames.pop_first()
        {
            return self.deliver(to_peer, &frame);
        }
        if self.next_action <= self.now {
            self.next_action = self.now + self.random.below(2 * self.mean_pause) + 1;
            self.act()?;
        }
        Ok(())
    }

    fn deliver(&mut self, to_peer: bool, frame: &[u8]) -> Result<(), Error> {
        if to_peer {
            self.peer.receive(frame, self.now);
            self.serve_peer();
            return Ok(());
        }
        self.receive(frame)
    }

    fn receive(&mut self, frame: &[u8]) -> Result<(), Error> {
        self.found.events += 1;
        self.stimulus = format!("a frame comes: {frame:02x?}");
        self.model.receive(frame, self.now);
        self.hardware.receive(frame, self.now)?;
        self.compare()
    }

    /// Frames that both have sent, and what both tell their application.
    fn compare(&mut self) -> Result<(), Error> {
        let (mut hardware, mut model, mut frame) = (Vec::new(), Vec::new(), Vec::new());
        while self.hardware.transmit(&mut frame) {
            hardware.push(frame.clone());
        }
        loop {
            while self.model.transmit(&mut frame, self.now) {
                model.push(frame.clone());
            }
            // What is due at once is carried out at once in hardware.
            if self.model.wakes().is_none_or(|at| at > self.now) {
                break;
            }
            self.model.tick(self.now);
        }
        // In hardware ARP's questions overtake what waits for their answer.
        let parted = |frames: &[Vec<u8>]| -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
            frames.iter().cloned().partition(|frame| frame[12..14] == [8, 6])
        };
        let (hardware_parts, model_parts) = (parted(&hardware), parted(&model));
        if hardware_parts != model_parts {
            self.differ("frames", &hardware, &model);
        }
        self.found.events += model.len() as u64;
        for frame in model {
            self.note(&frame);
            self.send(true, frame);
        }
        loop {
            let (hardware, model) = (self.hardware.notification()?, self.model.notification());
            if hardware != model {
                self.differ("news", hardware, model);
            }
            let Some(news) = model else { break };
            self.found.events += 1;
            if let Some(end) = news.events.ended {
                self.see(end);
            }
            self.know(0, news.session);
        }
        let (hardware, model) = (self.hardware.datagram(), self.model.datagram());
        if hardware != model {
            self.differ("datagrams", hardware, model);
        }
        let (hardware, mut model) = (self.hardware.counters(), self.model.counters());
        model.timeouts = hardware.timeouts;
        if hardware != model {
            self.differ("counters", hardware, model);
        }
        if self.hardware.open_sessions() != self.model.open_sessions() {
            let (hardware, model) = (self.hardware.open_sessions(), self.model.open_sessions());
            self.differ("open sessions", hardware, model);
        }
        Ok(())
    }

    /// What a frame of the host shows.
    fn note(&mut self, frame: &[u8]) {
        if frame.len() < 54 || frame[12..14] != [8, 0] || frame[23] != 6 {
            return;
        }
        let head = usize::from(frame[46] >> 4) * 4;
        let total = usize::from(u16::from_be_bytes([frame[16], frame[17]]));
        if total > 20 + head {
            self.see("data");
        }
        if frame[47] & 4 != 0 {
            self.see("reset");
        }
        if head > 24 && frame[47] & 2 == 0 {
            self.see("options");
        }
        if self.model.counters().cookies > 0 {
            self.see("cookie");
        }
        if self.model.counters().resent > 0 {
            self.see("again");
        }
        let states: Vec<State> =
            self.model.sessions().map(|(_, session)| session.state()).collect();
        for state in states {
            self.see(state);
        }
    }

    fn know(&mut self, end: usize, id: SessionId) {
        if !self.sessions[end].contains(&id) {
            self.sessions[end].push(id);
            if self.sessions[end].len() > 16 {
                self.sessions[end].remove(0);
            }
        }
    }

    /// What the peer sends and hears.
    fn serve_peer(&mut self) {
        let mut frame = Vec::new();
        while self.peer.transmit(&mut frame, self.now) {
            self.send(false, frame.clone());
        }
        while let Some(news) = self.peer.notification() {
            self.know(1, news.session);
        }
    }

    /// A frame goes on its way.
    fn send(&mut self, to_peer: bool, mut frame: Vec<u8>) {
        let Quality { delay, loss, reorder, duplicate, mark } = self.ways[usize::from(to_peer)];
        let random = &mut self.random;
        if random.once_in(loss) && frame[12..14] == [8, 0] {
            return;
        }
        if random.once_in(mark) && frame[12..14] == [8, 0] && frame[15] & 3 == 2 {
            // The codepoint of congestion, and the checksum of the header that has it.
            frame[15] |= 3;
            frame[24..26].fill(0);
            let checksum = ww_packet::checksum::internet_checksum(&frame[14..34]);
            frame[24..26].copy_from_slice(&checksum.to_be_bytes());
        }
        let mut arrivals = vec![delay];
        if random.once_in(reorder) {
            arrivals[0] += random.below(3 * delay);
        }
        if random.once_in(duplicate) {
            arrivals.push(delay + random.below(2 * delay));
        }
        for late in arrivals {
            self.sent += 1;
            self.frames.insert((self.now + late, self.sent), (to_peer, frame.clone()));
        }
    }

    /// Somebody does something: our application, the peer's, or a stranger.
    fn act(&mut self) -> Result<(), Error> {
        if self.hostile && self.random.once_in(2) {
            let route = Route { from: (MAC[1], IP[1]), to: (MAC[0], IP[0]) };
            let views: Vec<View> = self
                .model
                .sessions()
                .map(|(_, session)| View {
                    peer: session.peer,
                    own_port: session.own_port,
                    expected: session.expected(),
                    sent: session.send_positions()[1],
                })
                .collect();
            let random = &mut self.random;
            let frame = if views.is_empty() || random.once_in(3) {
                let port = random.pick(&[PORT, PORT, PORT, 9]);
                hostile::syn(random, route, port)
            } else {
                let view = random.pick(&views);
                hostile::frame(random, route, view)
            };
            return self.receive(&frame);
        }
        if self.random.once_in(2) {
            self.act_as_peer();
            return Ok(());
        }
        self.act_as_application()
    }

    fn some(&mut self, end: usize) -> Option<SessionId> {
        let known = &self.sessions[end];
        (!known.is_empty()).then(|| self.random.pick(known))
    }

    fn act_as_peer(&mut self) {
        let now = self.now;
        let Some(id) = self.some(1).filter(|_| !self.random.once_in(4)) else {
            if self.peer.connect(SocketAddrV4::new(IP[0], PORT), None, now).is_ok() {
                self.serve_peer();
            }
            return;
        };
        match self.random.below(24) {
            0 => self.peer.close(id, now),
            1 => {
                self.peer.with(id, now, |session| session.abort());
            }
            2 | 3 => {
                self.peer.with(id, now, |session| session.shut_down());
            }
            4..=12 => {
                self.peer.with(id, now, |session| session.consume(session.readable()));
            }
            _ => {
                let count = self.random.pick(&[1, 100, 1_460, 5_000, 40_000]);
                let bytes = self.random.bytes(count);
                self.peer.write(id, &bytes, now);
            }
        }
        self.serve_peer();
    }

    fn act_as_application(&mut self) -> Result<(), Error> {
        let now = self.now;
        self.found.events += 1;
        let Some(id) = self.some(0).filter(|_| !self.random.once_in(4)) else {
            let peer = SocketAddrV4::new(IP[1], self.random.pick(&[PORT, PORT, PORT, 9]));
            let own_port = self.random.pick(&[None, Some(5_000), Some(5_001)]);
            self.stimulus = format!("connect from {own_port:?} to {peer}");
            let hardware = self.hardware.connect(peer, own_port, now)?;
            let model = self.model.connect(peer, own_port, now);
            if hardware != model {
                self.differ("connect", hardware, model);
            }
            return self.compare();
        };
        match self.random.below(24) {
            0 => {
                self.stimulus = format!("close {id:?}");
                self.hardware.close(id, now)?;
                self.model.close(id, now);
            }
            1 => {
                self.stimulus = format!("abort {id:?}");
                self.hardware.abort(id, now)?;
                self.model.with(id, now, |session| session.abort());
            }
            2 | 3 => {
                self.stimulus = format!("shut down {id:?}");
                self.hardware.shut_down(id, now)?;
                self.model.with(id, now, |session| session.shut_down());
            }
            4..=12 => {
                let most = self.random.pick(&[1, 60, 64, 1_000, 1 << 20]);
                self.stimulus = format!("read {most} of {id:?}");
                let hardware = self.hardware.read(id, most, now)?;
                let model = self.model.with(id, now, |session| {
                    let (first, second) = session.peek();
                    let mut bytes = [first, second].concat();
                    bytes.truncate(most as usize);
                    session.consume(most as usize);
                    bytes
                });
                let model = model.unwrap_or_default();
                if hardware != model {
                    self.differ("bytes", hardware, model);
                }
            }
            _ => {
                let count = self.random.pick(&[1, 100, 1_460, 5_000, 40_000]);
                let bytes = self.random.bytes(count);
                self.stimulus = format!("write {count} to {id:?}");
                let hardware = self.hardware.write(id, &bytes, now)?;
                let model = self.model.write(id, &bytes, now);
                if hardware != model {
                    self.differ("room", hardware, model);
                }
            }
        }
        self.compare()
    }
}
