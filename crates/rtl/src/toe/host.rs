//! The host of `rtl/limago` in simulation: frames in, frames out, and an application that calls.
//!
//! Time is an input of the module, and stands still while something is carried out. After each frame, each call and
//! each step of the time the module runs until it has nothing more to do: what comes of them does not depend on how many
//! clocks they take.

use super::fields::Fields;
use super::ports::{Packet, Ports, Stream};
use super::session_processor::Shape;
use crate::bench::{Bench, Top};
use crate::ddr4::{Counts, Memory, Technology};
use crate::runner::Error;
use crate::runner::model::Signal;
use std::collections::VecDeque;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::ops::Range;
use ww_packet::ethernet::MacAddress;
use ww_tcp::engine::cookie::Secrets;
use ww_tcp::engine::counters::Counters;
use ww_tcp::engine::endpoint::{Setting, Standing};
use ww_tcp::engine::{Datagram, Notification, SessionId, Unopened, first_port};
use ww_tcp::settings::{
    Behaviour, MEMORY, MILLISECOND, Nanoseconds, SECOND, Settings, largest_scale,
};

/// Clocks without anything to do after which nothing is on its way any more: a frame passes in fewer.
const SILENCE: u32 = 24;

/// Clocks after which a call has failed: more than any takes.
const MOST_CLOCKS: u32 = 1_000_000;

/// How large a host is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostShape {
    /// Its sessions.
    pub sessions: Shape,
    /// Rows of 64 bytes of each direction that are kept in the chip, a power of two up to 65,536.
    pub lines: u32,
    /// Where the others are: 4 GiB.
    pub memory: Technology,
}

impl HostShape {
    /// A host for so many sessions.
    pub fn of(sessions: u32, memory: Technology) -> Self {
        Self { sessions: Shape::of_host(sessions), lines: 4_096, memory }
    }
}

/// What came of a call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    kind: u64,
    pub(super) session: SessionId,
    pub(super) count: u32,
    pub(super) standing: Standing,
}

impl Outcome {
    /// Whether the call came to something.
    pub(super) fn is_done(&self) -> bool {
        self.kind == 0
    }
}

/// What leaves in packets.
#[derive(Default)]
struct Collected {
    coming: Packet,
    packets: VecDeque<Vec<u8>>,
}

/// A host in simulation.
pub struct HardwareHost {
    pub(super) bench: Bench,
    memory: Memory,
    pub(super) ports: Ports,
    call: Fields,
    result: Fields,
    moment: Signal,
    /// Its fields: nanoseconds, milliseconds, 4 us, 64 s.
    units: [Range<usize>; 4],
    wakes: Fields,
    behaviour: Fields,
    send: Fields,
    pub(super) rx: Stream,
    pub(super) tx: Stream,
    pub(super) write: Stream,
    pub(super) read: Stream,
    udp: Stream,
    out: Stream,
    frames: Collected,
    bytes: Collected,
    datagrams: Collected,
    senders: VecDeque<Ipv4Addr>,
    listening: Vec<u16>,
    counters: Counters,
    shape: Shape,
    settings: Settings,
    pub(super) clocks: u64,
    seen: u64,
    /// The TCP engine and the line have been silent for so many clocks.
    silent: u32,
}

impl HardwareHost {
    /// Builds it, or takes the model that is kept.
    ///
    /// # Errors
    /// The tools are missing, Verilator refuses the shape, or the memory has no room for the buffers.
    pub fn new(shape: HostShape, settings: Settings) -> Result<Self, Error> {
        let scale = settings.tcp.window_scale.unwrap_or(0);
        let sessions = shape.sessions.sessions;
        if largest_scale(MEMORY, sessions as usize).is_none_or(|largest| scale > largest) {
            return Err(Error::Model(format!(
                "two buffers of 64 KiB << {scale} for each of {sessions} sessions do not fit into 4 GiB"
            )));
        }
        let top = Top::of("ww_limago")
            .with("SESSIONS", shape.sessions.sessions)
            .with("RECORDS", shape.sessions.records)
            .with("RANGES", shape.sessions.ranges)
            .with("MARKS", shape.sessions.marks)
            .with("LINES", shape.lines);
        let mut bench = Bench::new(&top)?;
        let memory = Memory::new(&mut bench, shape.memory)?;
        let [call, result, mut moment, wakes, behaviour, send] = Fields::of(
            &bench,
            &["ww_toe_types", "ww_toe_engine_types"],
            [
                ("call", "call_t"),
                ("result", "result_t"),
                ("moment", "clock_t"),
                ("wakes", "optional_instant_t"),
                ("behaviour", "behaviour_t"),
                ("send_connection", "connection_t"),
            ],
        )?;
        let stream = |name: &str| Stream::of(&bench, name);
        let (rx, tx, write) = (stream("rx")?, stream("tx")?, stream("write")?);
        let (read, udp, out) = (stream("read")?, stream("udp")?, stream("send")?);
        let ports = Ports::of(&bench)?;
        let mut host = Self {
            bench,
            memory,
            ports,
            call,
            result,
            units: ["now", "milliseconds", "ticks", "age"].map(|unit| moment.range(unit)),
            moment: moment.port,
            wakes,
            behaviour,
            send,
            rx,
            tx,
            write,
            read,
            udp,
            out,
            frames: Collected::default(),
            bytes: Collected::default(),
            datagrams: Collected::default(),
            senders: VecDeque::new(),
            listening: Vec::new(),
            counters: Counters::default(),
            shape: shape.sessions,
            settings: Settings { tcp: shape.sessions.bound(settings.tcp), ..settings },
            clocks: 0,
            seen: 0,
            silent: 0,
        };
        host.start()?;
        Ok(host)
    }

    /// Sets the registers, and waits until the memories are empty.
    fn start(&mut self) -> Result<(), Error> {
        let settings = self.settings;
        self.behaviour.put_behaviour(&mut self.bench, &settings.tcp);
        let bench = &mut self.bench;
        bench.set("own_mac", number(settings.mac));
        bench.set("own_ip", u64::from(settings.ip.to_bits()));
        bench.set("prefix", u64::from(settings.prefix));
        bench.set("gateway_on", u64::from(settings.gateway.is_some()));
        bench.set("gateway", u64::from(settings.gateway.map_or(0, Ipv4Addr::to_bits)));
        bench.set("scan", u64::from(settings.scan));
        bench.set("backlog", settings.backlog.min(0xffff) as u64);
        bench.set("first_port", u64::from(first_port(settings.seed)));
        let key = Secrets::new(settings.seed).key();
        bench.set_field("key", 0..64, key.0);
        bench.set_field("key", 64..128, key.1);
        for stream in [&self.tx, &self.read, &self.udp] {
            if let Some(ready) = stream.ready {
                bench.set(ready, 1);
            }
        }
        self.set_time(0);
        self.bench.reset(2)?;
        while !self.bench.is("quiet") {
            self.clock()?;
        }
        self.run()
    }

    pub(super) fn set_time(&mut self, now: Nanoseconds) {
        let values = [now, now / MILLISECOND, now / 4_000, now / (64 * SECOND)];
        for (unit, value) in self.units.iter().zip(values) {
            self.bench.set_field(self.moment, unit.clone(), value);
        }
        self.silent = 0;
    }

    /// One clock: what leaves in it is collected. Inputs must have settled.
    fn clock(&mut self) -> Result<(), Error> {
        let bench = &self.bench;
        let mut moves = false;
        for (stream, collected) in [
            (&self.tx, &mut self.frames),
            (&self.read, &mut self.bytes),
            (&self.udp, &mut self.datagrams),
        ] {
            let Some(beat) = stream.beat(bench) else { continue };
            moves = true;
            if let Some((_, packet)) = collected.coming.add(&beat, self.clocks) {
                collected.packets.push_back(packet);
                if stream.valid == self.udp.valid {
                    self.senders.push_back(Ipv4Addr::from_bits(bench.get("udp_source") as u32));
                }
            }
        }
        let busy = moves || !bench.is(self.ports.quiet);
        self.silent = if busy { 0 } else { self.silent + 1 };
        self.edge()?;
        self.bench.settle()?;
        self.count();
        Ok(())
    }

    /// The clock rises, for the memory too. Inputs must have settled.
    pub(super) fn edge(&mut self) -> Result<(), Error> {
        self.memory.before_edge(&self.bench);
        self.bench.edge()?;
        self.memory.after_edge(&mut self.bench);
        self.clocks += 1;
        Ok(())
    }

    pub(super) fn count(&mut self) {
        let (bench, ports) = (&self.bench, &self.ports);
        let counters = &mut self.counters;
        if bench.is(ports.accepted) {
            counters.accepted[bench.get(ports.kind) as usize] += 1;
            self.seen += 1;
            self.silent = 0;
        }
        if bench.is(ports.dropped) {
            counters.dropped[bench.get(ports.reason) as usize] += 1;
            self.seen += 1;
            self.silent = 0;
        }
        let [unresolved, opened, closed, cookies, resent] =
            ports.others.map(|port| bench.get(port));
        counters.unresolved += unresolved;
        counters.opened += opened;
        counters.closed += closed;
        counters.cookies += cookies;
        counters.resent += resent;
    }

    /// Rows that have crossed the memory.
    pub fn rows(&self) -> Counts {
        self.memory.counts()
    }

    /// Runs until nothing is to be done, and nothing is on its way.
    fn run(&mut self) -> Result<(), Error> {
        self.bench.settle()?;
        for _ in 0..MOST_CLOCKS {
            self.clock()?;
            if self.silent > SILENCE && self.seen == self.counters.frames_in {
                return Ok(());
            }
        }
        Err(Error::Model("ww_limago does not come to rest".to_owned()))
    }

    /// Takes a frame in, without FCS.
    ///
    /// # Errors
    /// An assertion of the module stopped it.
    pub fn receive(&mut self, frame: &[u8], now: Nanoseconds) -> Result<(), Error> {
        self.set_time(now);
        self.counters.frames_in += 1;
        // A frame without a byte is one too.
        let count = frame.len().div_ceil(64).max(1);
        for place in 0..count {
            let beat = &frame[place * 64..frame.len().min(place * 64 + 64)];
            self.rx.offer(&mut self.bench, beat, place + 1 == count);
            self.bench.settle()?;
            self.clock()?;
        }
        self.bench.set(self.rx.valid, 0);
        self.run()
    }

    /// The next frame that has left, without FCS. False: there is none.
    pub fn transmit(&mut self, frame: &mut Vec<u8>) -> bool {
        let Some(next) = self.frames.packets.pop_front() else { return false };
        *frame = next;
        self.counters.frames_out += 1;
        true
    }

    /// Lets time pass up to `now`: timers that are due are carried out.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn tick(&mut self, now: Nanoseconds) -> Result<(), Error> {
        self.set_time(now);
        self.run()
    }

    /// When [`Self::tick`] is due, if nothing comes in between.
    pub fn wakes(&mut self) -> Option<Nanoseconds> {
        let at = self.wakes.get(&self.bench, "at");
        let timer = (self.wakes.get(&self.bench, "on") != 0).then_some(at);
        let scan = self.bench.is("scans").then(|| self.bench.get("scan_at"));
        [timer, scan].into_iter().flatten().min()
    }

    /// Carries out a call whose fields are set.
    fn ask(&mut self, kind: &str, operation: &str) -> Result<Outcome, Error> {
        self.prepare(kind, operation);
        self.bench.set("call_valid", 1);
        self.bench.settle()?;
        for _ in 0..MOST_CLOCKS {
            let taken = self.bench.is("call_ready");
            self.clock()?;
            if taken {
                self.bench.set("call_valid", 0);
                self.bench.settle()?;
            }
            if self.bench.is("result_valid") {
                return Ok(self.outcome());
            }
        }
        Err(Error::Model("ww_limago does not answer a call".to_owned()))
    }

    pub(super) fn outcome(&mut self) -> Outcome {
        let (bench, result) = (&self.bench, &mut self.result);
        let mut get = |path: &str| result.get(bench, path);
        let kind = get("outcome");
        let session =
            SessionId { index: get("session") as u32, generation: get("generation") as u32 };
        let count = get("count") as u32;
        let [readable, room, unsent, unacknowledged] =
            ["readable", "room", "unsent", "kept"].map(|path| get(path) as u32);
        let own_port = get("connection.own_port") as u16;
        let (peer_closed, mss) = (get("peer_closed") != 0, get("mss") as u16);
        let state = self.result.state(&self.bench);
        let standing =
            Standing { state, own_port, readable, room, unsent, unacknowledged, peer_closed, mss };
        Outcome { kind, session, count, standing }
    }

    pub(super) fn prepare(&mut self, kind: &str, operation: &str) {
        let kind = self.call.value("call_kind_t", kind);
        let operation = self.call.value("operation_t", operation);
        self.call.put(&mut self.bench, "kind", kind);
        self.call.put(&mut self.bench, "operation", operation);
    }

    pub(super) fn put(&mut self, path: &str, value: u64) {
        self.call.put(&mut self.bench, path, value);
    }

    /// Asks something of a session; none if it is gone.
    fn request(
        &mut self,
        id: SessionId,
        operation: &str,
        count: u64,
        ends: bool,
        now: Nanoseconds,
    ) -> Result<Option<Outcome>, Error> {
        self.set_time(now);
        self.put("session", u64::from(id.index));
        self.put("generation", u64::from(id.generation));
        self.put("count", count);
        self.put("ends", u64::from(ends));
        let outcome = self.ask("CALL_REQUEST", operation)?;
        Ok((outcome.kind == 0).then_some(outcome))
    }

    /// Listens on a port, with segments of at most `mss` bytes if it is given. False: too many ports listen.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn listen(&mut self, port: u16, mss: Option<u16>) -> Result<bool, Error> {
        self.put("connection.own_port", u64::from(port));
        self.put("count", u64::from(mss.unwrap_or(0)));
        Ok(self.ask("CALL_LISTEN", "WRITE")?.kind == 0)
    }

    /// Listens on a port no more. Sessions live on.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn unlisten(&mut self, port: u16) -> Result<(), Error> {
        self.put("connection.own_port", u64::from(port));
        self.ask("CALL_UNLISTEN", "WRITE").map(|_| ())
    }

    /// Takes datagrams for a port. False: too many ports are bound.
    pub fn bind_datagrams(&mut self, port: u16) -> bool {
        let at = self.listening.len();
        if !self.listening.contains(&port) {
            if at * 16 >= self.bench.port("udp_ports").map_or(0, |port| port.bits() as usize) {
                return false;
            }
            self.bench.set_field("udp_ports", at * 16..at * 16 + 16, u64::from(port));
            self.listening.push(port);
        }
        true
    }

    /// The next datagram.
    pub fn datagram(&mut self) -> Option<Datagram> {
        let message = self.datagrams.packets.pop_front()?;
        let ip = self.senders.pop_front()?;
        let port = |at: usize| u16::from_be_bytes([message[at], message[at + 1]]);
        Some(Datagram {
            peer: SocketAddrV4::new(ip, port(0)),
            own_port: port(2),
            data: message[8..].to_vec(),
        })
    }

    /// Sends a datagram of up to 8,972 bytes.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn send_datagram(
        &mut self,
        own_port: u16,
        peer: SocketAddrV4,
        data: &[u8],
    ) -> Result<(), Error> {
        self.send.put(&mut self.bench, "peer_ip", u64::from(peer.ip().to_bits()));
        self.send.put(&mut self.bench, "peer_port", u64::from(peer.port()));
        self.send.put(&mut self.bench, "own_port", u64::from(own_port));
        self.bench.set("send_length", data.len() as u64);
        self.bench.set("send_valid", 1);
        self.bench.settle()?;
        while !self.bench.is("send_ready") {
            self.clock()?;
        }
        self.clock()?;
        self.bench.set("send_valid", 0);
        push(self, self.out, data)?;
        self.silent = 0;
        self.run()
    }

    /// Opens a connection from a port of ours, or from a free one.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn connect(
        &mut self,
        peer: SocketAddrV4,
        own_port: Option<u16>,
        now: Nanoseconds,
    ) -> Result<Result<SessionId, Unopened>, Error> {
        self.set_time(now);
        self.put("connection.peer_ip", u64::from(peer.ip().to_bits()));
        self.put("connection.peer_port", u64::from(peer.port()));
        self.put("connection.own_port", u64::from(own_port.unwrap_or(0)));
        let outcome = self.ask("CALL_CONNECT", "CONNECT")?;
        self.run()?;
        Ok(match outcome.kind {
            0 => Ok(outcome.session),
            1 => Err(Unopened::NoSession),
            _ => Err(Unopened::NoPort),
        })
    }

    /// How a session stands; none if it is gone.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn standing(&mut self, id: SessionId, now: Nanoseconds) -> Result<Option<Standing>, Error> {
        // Nothing is written: the session only says how it stands.
        Ok(self.request(id, "WRITE", 0, false, now)?.map(|outcome| outcome.standing))
    }

    /// Writes bytes, and says how many there was room for; 0 if the session is gone.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn write(&mut self, id: SessionId, bytes: &[u8], now: Nanoseconds) -> Result<usize, Error> {
        let outcome = self.request(id, "WRITE", bytes.len() as u64, true, now)?;
        let count = outcome.map_or(0, |outcome| outcome.count as usize);
        push(self, self.write, &bytes[..count])?;
        self.run()?;
        Ok(count)
    }

    /// Reads up to `most` bytes.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn read(&mut self, id: SessionId, most: u32, now: Nanoseconds) -> Result<Vec<u8>, Error> {
        let outcome = self.request(id, "CONSUME", u64::from(most), false, now)?;
        let count = outcome.map_or(0, |outcome| outcome.count as usize);
        self.run()?;
        let bytes = if count == 0 {
            Vec::new()
        } else {
            self.bytes.packets.pop_front().unwrap_or_default()
        };
        if bytes.len() != count {
            return Err(Error::Model(format!(
                "{count} bytes are to be read, {} came",
                bytes.len()
            )));
        }
        Ok(bytes)
    }

    /// The application sends no more.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn shut_down(&mut self, id: SessionId, now: Nanoseconds) -> Result<(), Error> {
        self.request(id, "SHUT_DOWN", 0, false, now)?;
        self.run()
    }

    /// The session is closed, with or without what was not read.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn close(&mut self, id: SessionId, now: Nanoseconds) -> Result<(), Error> {
        self.request(id, "CLOSE", 0, false, now)?;
        self.run()
    }

    /// The session ends with a reset.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn abort(&mut self, id: SessionId, now: Nanoseconds) -> Result<(), Error> {
        self.request(id, "ABORT", 0, false, now)?;
        self.run()
    }

    /// Sets an option of a session.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn set(&mut self, id: SessionId, setting: Setting, now: Nanoseconds) -> Result<(), Error> {
        let (operation, count, on) = match setting {
            Setting::Nagle(on) => ("SET_NAGLE", 0, on),
            Setting::Quick(on) => ("SET_QUICK", 0, on),
            Setting::Cork(on) => ("SET_CORK", 0, on),
            Setting::SynRetries(retries) => {
                // How many, and the time that they take.
                self.put("keep_alive.probes", u64::from(retries));
                let patience =
                    Behaviour { syn_retries: retries, ..self.settings.tcp }.syn_patience();
                ("SET_SYN_RETRIES", patience, false)
            }
            Setting::SendLimit(bytes) => ("SET_SEND_LIMIT", u64::from(bytes), false),
            Setting::UserTimeout(time) => ("SET_USER_TIMEOUT", time, false),
            Setting::KeepAlive(keep) => {
                self.call.put_keep_alive(&mut self.bench, keep);
                ("SET_KEEP_ALIVE", 0, false)
            }
        };
        self.request(id, operation, count, on, now)?;
        self.run()
    }

    /// Changes how TCP behaves, of connections that are open too.
    pub fn set_behaviour(&mut self, behaviour: Behaviour) {
        self.settings.tcp = self.shape.bound(behaviour);
        self.behaviour.put_behaviour(&mut self.bench, &self.settings.tcp);
    }

    /// The next news.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn notification(&mut self) -> Result<Option<Notification>, Error> {
        if !self.bench.is("news_waits") {
            return Ok(None);
        }
        self.ask("CALL_NEWS", "WRITE")?;
        let notification = self.news();
        self.silent = 0;
        self.run()?;
        Ok(notification)
    }

    /// The news in the result; none if there was none.
    pub(super) fn news(&mut self) -> Option<Notification> {
        let outcome = self.outcome();
        if outcome.kind != 0 {
            return None;
        }
        let events = self.result.events(&self.bench);
        let (bench, result) = (&self.bench, &mut self.result);
        let mut get = |path: &str| result.get(bench, path);
        let peer_ip = Ipv4Addr::from_bits(get("connection.peer_ip") as u32);
        Some(Notification {
            session: outcome.session,
            own_port: get("connection.own_port") as u16,
            peer: SocketAddrV4::new(peer_ip, get("connection.peer_port") as u16),
            passive: get("passive") != 0,
            events,
        })
    }

    /// Takes for given who has an address.
    ///
    /// # Errors
    /// As [`Self::receive`].
    pub fn learn(&mut self, ip: Ipv4Addr, mac: MacAddress, now: Nanoseconds) -> Result<(), Error> {
        self.set_time(now);
        self.bench.set("learn_ip", u64::from(ip.to_bits()));
        self.bench.set("learn_mac", number(mac));
        self.bench.set("learn_valid", 1);
        self.bench.settle()?;
        self.clock()?;
        self.bench.set("learn_valid", 0);
        self.run()
    }

    /// What was counted.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sessions in use, those that only wait for late segments included.
    pub fn open_sessions(&self) -> usize {
        self.bench.get("open_sessions") as usize
    }

    /// Whether the scan still asks.
    pub fn scans(&self) -> bool {
        self.bench.is("scans")
    }

    /// Clocks since the start.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }
}

/// An Ethernet address with its first byte high.
fn number(mac: MacAddress) -> u64 {
    mac.0.iter().fold(0, |all, &byte| all << 8 | u64::from(byte))
}

/// Pushes a packet's bytes into a stream; none if there are none.
fn push(host: &mut HardwareHost, stream: Stream, bytes: &[u8]) -> Result<(), Error> {
    let (valid, ready) = (stream.valid, stream.ready);
    let count = bytes.len().div_ceil(64);
    for (place, beat) in bytes.chunks(64).enumerate() {
        stream.offer(&mut host.bench, beat, place + 1 == count);
        host.bench.settle()?;
        while ready.is_some_and(|ready| !host.bench.is(ready)) {
            host.clock()?;
        }
        host.clock()?;
    }
    host.bench.set(valid, 0);
    host.bench.settle()
}
