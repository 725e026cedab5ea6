//! Carries a script out.

use super::Problem;
use super::calls::{Did, Machine, PORT, Subject, show as show_result};
use super::commands;
use super::packets::{self, Ends, Numbers, Sent, show};
use super::parse::parse;
use super::script::{Call, EcnField, Event, Expected, OptionWord, Packet, TcpPacket, What, When};
use super::sockets::Sockets;
use crate::engine::Engine;
use crate::engine::endpoint::Endpoint;
use crate::settings::{Behaviour, Ecn, MILLISECOND, Nanoseconds, SECOND, Settings};
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use ww_packet::ethernet::MacAddress;
use ww_packet::tcp::flags;

/// How long something that may happen at any time is waited for.
const PATIENCE: Nanoseconds = 300 * SECOND;

/// First port of peers that open connections.
const FIRST_REMOTE_PORT: u16 = 40_000;

/// How a script is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// By how much times may differ.
    pub tolerance: Nanoseconds,
    /// All randomness follows from it.
    pub seed: u64,
}

impl Default for Options {
    /// 4 ms.
    fn default() -> Self {
        Self { tolerance: 4 * MILLISECOND, seed: 1 }
    }
}

/// Reads a script and carries it out on the model.
///
/// # Errors
/// The first thing that is not as the script says, or what is wrong with the script.
pub fn run(text: &str, options: &Options) -> Result<(), Problem> {
    run_on(text, options, |settings| Ok(Box::new(Engine::new(settings))))
}

/// Reads a script and carries it out on the engine of a host.
///
/// # Errors
/// As [`run`].
pub fn run_on(
    text: &str,
    options: &Options,
    engine: impl FnOnce(Settings) -> Result<Box<dyn Endpoint>, String>,
) -> Result<(), Problem> {
    let script = parse(text)?;
    let mut drill = Drill::new(options, engine).map_err(Problem::Stopped)?;
    for (line, name, value) in &script.options {
        drill.option(*line, name, value)?;
    }
    let judged = script.events.iter().try_for_each(|event| drill.event(event));
    let judged = judged.and_then(|()| drill.end());
    drill.engine.failure().map_or(judged, |failure| Err(Problem::Stopped(failure)))
}

/// A call that waits.
#[derive(Clone, Debug)]
struct Waiting {
    line: usize,
    call: Call,
    began: Nanoseconds,
    /// When it is to return.
    from: Nanoseconds,
    to: Nanoseconds,
}

struct Drill {
    engine: Box<dyn Endpoint>,
    sockets: Sockets,
    defaults: Behaviour,
    tolerance: Nanoseconds,
    ends: Ends,
    now: Nanoseconds,
    /// The time of the last event: what relative times are relative to.
    base: Nanoseconds,
    sent: VecDeque<(Nanoseconds, Vec<u8>)>,
    numbers: Numbers,
    subject: Option<Subject>,
    next_remote_port: u16,
    waiting: Option<Waiting>,
}

impl Drill {
    fn new(
        options: &Options,
        engine: impl FnOnce(Settings) -> Result<Box<dyn Endpoint>, String>,
    ) -> Result<Self, String> {
        let ends = Ends {
            local: Ipv4Addr::new(192, 168, 0, 1),
            remote: Ipv4Addr::new(192, 0, 2, 1),
            local_mac: MacAddress([2, 0, 0, 0, 0, 2]),
            remote_mac: MacAddress([2, 0, 0, 0, 0, 1]),
        };
        let gateway = Ipv4Addr::new(192, 168, 0, 2);
        let tcp = Behaviour { timestamps: true, ecn: Ecn::Accept, ..Behaviour::default() };
        let mut engine = engine(Settings {
            mac: ends.local_mac,
            ip: ends.local,
            prefix: 16,
            gateway: Some(gateway),
            sessions: 64,
            backlog: 64,
            seed: options.seed,
            scan: false,
            tcp,
        })?;
        engine.learn(gateway, ends.remote_mac, 0);
        Ok(Self {
            engine,
            sockets: Sockets::default(),
            defaults: tcp,
            tolerance: options.tolerance,
            ends,
            now: 0,
            base: 0,
            sent: VecDeque::new(),
            numbers: Numbers::default(),
            subject: None,
            next_remote_port: FIRST_REMOTE_PORT,
            waiting: None,
        })
    }

    fn option(&mut self, line: usize, name: &str, value: &str) -> Result<(), Problem> {
        match (name, value) {
            ("tolerance_usecs", value) => {
                let number = value.parse::<u64>().ok().filter(|number| *number < 1 << 40);
                let number = number.ok_or_else(|| Problem::Broken {
                    line,
                    problem: format!("--tolerance_usecs: expected microseconds, found `{value}`"),
                })?;
                self.tolerance = number * 1_000;
                Ok(())
            }
            ("ip_version", "ipv4") | ("verbose", _) => Ok(()),
            _ => Err(Problem::Unsupported { line, what: format!("option --{name}={value}") }),
        }
    }

    /// A time of the script: the earliest and the latest.
    fn resolve(&self, when: When) -> (Nanoseconds, Nanoseconds) {
        match when {
            When::At(at) => (at, at),
            When::After(after) => (self.base + after, self.base + after),
            When::Within(from, to) => (from, to),
            When::WithinAfter(from, to) => (self.base + from, self.base + to),
            When::Any => (self.now, self.now + PATIENCE),
        }
    }

    fn event(&mut self, event: &Event) -> Result<(), Problem> {
        let line = event.line;
        let (from, to) = self.resolve(event.when);
        match &event.what {
            What::Code => Err(Problem::Unsupported { line, what: "code between %{ and }%".into() }),
            What::Command(command) => {
                self.advance(from)?;
                self.base = self.base.max(from);
                let mut tcp = self.engine.behaviour();
                commands::carry_out(line, command, &self.defaults, &mut tcp)?;
                self.engine.set_behaviour(tcp);
                Ok(())
            }
            What::Inbound(packet) => {
                let at = if event.when == When::Any { self.now } else { from };
                self.advance(at)?;
                self.base = at.max(self.base);
                self.inbound(line, packet)
            }
            What::Outbound(packet) => {
                let at = self.outbound(line, event.when, (from, to), packet)?;
                self.base = match event.when {
                    When::At(_) | When::After(_) => from,
                    _ => at,
                };
                Ok(())
            }
            What::Call(call) => {
                let at = if event.when == When::Any { self.now } else { from };
                let ends = event.ends.map(|when| self.resolve(when));
                self.advance(at)?;
                self.base = at.max(self.base);
                self.call(line, call, ends)
            }
        }
    }

    /// The script is over: what waits has to return.
    fn end(&mut self) -> Result<(), Problem> {
        if let Some(waiting) = &self.waiting {
            let until = waiting.to + self.tolerance;
            self.advance(until)?;
        }
        match self.waiting.take() {
            None => Ok(()),
            Some(waiting) => Err(Problem::Failed {
                line: waiting.line,
                expected: format!("that {} returns", waiting.call.name),
                got: "no return".into(),
            }),
        }
    }

    // ---- time

    /// Lets time pass up to `until`, with all that happens.
    fn advance(&mut self, until: Nanoseconds) -> Result<(), Problem> {
        loop {
            self.pump()?;
            let Some(next) = self.next(until) else { break };
            self.now = next;
            self.engine.tick(self.now);
        }
        self.now = self.now.max(until);
        self.engine.tick(self.now);
        self.pump()
    }

    /// When something happens next, by `until`.
    fn next(&mut self, until: Nanoseconds) -> Option<Nanoseconds> {
        let poll = self.waiting.as_ref().and_then(|waiting| {
            let timeout = match waiting.call.name.as_str() {
                "poll" => waiting.call.arguments.get(2)?.number()?,
                _ => return None,
            };
            let at = waiting.began + u64::try_from(timeout).ok()? * MILLISECOND;
            (at > self.now).then_some(at)
        });
        let engine = self.engine.wakes();
        [engine, poll]
            .into_iter()
            .flatten()
            .min()
            .filter(|at| *at <= until)
            .map(|at| at.max(self.now))
    }

    /// Takes what the engine sends and tells, and tries again what waits.
    fn pump(&mut self) -> Result<(), Problem> {
        let mut frame = Vec::new();
        loop {
            while self.engine.transmit(&mut frame, self.now) {
                self.sent.push_back((self.now, frame.clone()));
            }
            self.sockets.follow(&mut *self.engine);
            let Some(waiting) = self.waiting.take() else { return Ok(()) };
            let did = self.carry_out(&waiting.call, waiting.began);
            if did == Did::Waits {
                self.waiting = Some(waiting);
                return Ok(());
            }
            let early = self.now + self.tolerance < waiting.from;
            if early || self.now > waiting.to + self.tolerance {
                return Err(Problem::Failed {
                    line: waiting.line,
                    expected: format!(
                        "that {} returns at {}",
                        waiting.call.name,
                        time(waiting.from)
                    ),
                    got: format!("its return at {}", time(self.now)),
                });
            }
            judge(waiting.line, &waiting.call, &did)?;
        }
    }

    // ---- calls

    fn carry_out(&mut self, call: &Call, began: Nanoseconds) -> Did {
        let mut machine = Machine {
            engine: &mut *self.engine,
            sockets: &mut self.sockets,
            now: self.now,
            began,
            remote: self.ends.remote,
            subject: None,
        };
        let did = machine.carry_out(call);
        if let Some(subject) = machine.subject {
            self.set_subject(subject);
        }
        did
    }

    fn call(
        &mut self,
        line: usize,
        call: &Call,
        ends: Option<(Nanoseconds, Nanoseconds)>,
    ) -> Result<(), Problem> {
        if let Some(waiting) = &self.waiting {
            return Err(Problem::Failed {
                line: waiting.line,
                expected: format!("that {} returns before line {line}", waiting.call.name),
                got: "no return".into(),
            });
        }
        let did = self.carry_out(call, self.now);
        if did == Did::Waits && ends.is_some() {
            let (from, to) = ends.unwrap_or((self.now, self.now));
            self.waiting = Some(Waiting { line, call: call.clone(), began: self.now, from, to });
            return self.pump();
        }
        judge(line, call, &did)?;
        if let Some((from, _)) = ends
            && self.now + self.tolerance < from
        {
            return Err(Problem::Failed {
                line,
                expected: format!("that {} waits until {}", call.name, time(from)),
                got: format!("its return at {}", time(self.now)),
            });
        }
        self.pump()
    }

    // ---- packets

    fn set_subject(&mut self, subject: Subject) {
        if self.subject == Some(subject) {
            return;
        }
        self.subject = Some(subject);
        let (local_port, remote_port) = match subject {
            Subject::Listener(port) => (port, 0),
            Subject::Connection(local, remote) | Subject::Datagrams(local, remote) => {
                (local, remote)
            }
        };
        self.numbers = Numbers { local_port, remote_port, local: None, stamp: None };
    }

    fn inbound(&mut self, line: usize, packet: &Packet) -> Result<(), Problem> {
        let frame = match packet {
            Packet::Udp(length) => {
                let remote =
                    if self.numbers.remote_port == 0 { PORT } else { self.numbers.remote_port };
                let numbers = Numbers { remote_port: remote, ..self.numbers };
                packets::inbound_datagram(*length, &self.ends, &numbers)
            }
            Packet::Tcp(packet) => {
                let opens = packet.flags & (flags::SYN | flags::ACK) == flags::SYN;
                match self.subject {
                    Some(Subject::Listener(port)) if opens => {
                        self.next_remote_port += 1;
                        self.set_subject(Subject::Connection(port, self.next_remote_port));
                    }
                    None => self.set_subject(Subject::Connection(PORT, FIRST_REMOTE_PORT)),
                    _ => {}
                }
                packets::inbound(packet, &self.ends, &self.numbers).ok_or_else(|| {
                    Problem::Unsupported { line, what: "a packet longer than 9000 bytes".into() }
                })?
            }
        };
        self.engine.tick(self.now);
        self.engine.receive(&frame, self.now);
        self.pump()
    }

    /// Waits for what is to go out and compares it. Returns when it went.
    fn outbound(
        &mut self,
        line: usize,
        when: When,
        (from, to): (Nanoseconds, Nanoseconds),
        packet: &Packet,
    ) -> Result<Nanoseconds, Problem> {
        let last = to + self.tolerance;
        let expected = match packet {
            Packet::Tcp(packet) => show(packet),
            Packet::Udp(length) => format!("udp ({length})"),
        };
        while self.sent.is_empty() {
            let Some(next) = self.next(last) else {
                self.advance(last)?;
                if self.sent.is_empty() {
                    let got = format!("nothing by {}", time(last));
                    return Err(Problem::Failed { line, expected, got });
                }
                break;
            };
            self.now = next;
            self.engine.tick(self.now);
            self.pump()?;
        }
        let Some((at, frame)) = self.sent.pop_front() else {
            return Err(Problem::Failed { line, expected, got: "nothing".into() });
        };
        let differs = self.compare(at, packet, &frame);
        if let Some(got) = differs {
            return Err(Problem::Failed { line, expected, got });
        }
        let any = when == When::Any;
        if !any && (at + self.tolerance < from || at > last) {
            let wanted =
                if from == to { time(from) } else { format!("{} to {}", time(from), time(to)) };
            return Err(Problem::Failed {
                line,
                expected: format!("{expected} at {wanted}"),
                got: format!("it at {}", time(at)),
            });
        }
        Ok(at)
    }

    /// What has gone out instead of what was expected.
    fn compare(&mut self, at: Nanoseconds, expected: &Packet, frame: &[u8]) -> Option<String> {
        let sent = packets::outbound(frame);
        match (expected, sent) {
            (_, None) => Some("a frame that is neither TCP nor UDP".into()),
            (Packet::Udp(length), Some(Sent::Udp(_, found))) => {
                (*length != found).then(|| format!("udp ({found})"))
            }
            (Packet::Udp(_), Some(Sent::Tcp(_, _, found))) => Some(self.show_relative(&found)),
            (Packet::Tcp(_), Some(Sent::Udp(_, found))) => Some(format!("udp ({found})")),
            (Packet::Tcp(expected), Some(Sent::Tcp(local, remote, found))) => {
                self.compare_segment(at, expected, (local, remote), found)
            }
        }
    }

    fn show_relative(&self, found: &TcpPacket) -> String {
        show(&self.relative(found))
    }

    /// Numbers as the script has them.
    fn relative(&self, found: &TcpPacket) -> TcpPacket {
        let mut found = found.clone();
        found.start = found.start.wrapping_sub(self.numbers.local.unwrap_or(0));
        for option in found.options.iter_mut().flatten() {
            if let OptionWord::Timestamps(value, _) = option {
                *value = value.wrapping_sub(self.numbers.stamp.unwrap_or(0));
            }
        }
        found
    }

    fn compare_segment(
        &mut self,
        at: Nanoseconds,
        expected: &TcpPacket,
        (local, remote): (u16, u16),
        mut found: TcpPacket,
    ) -> Option<String> {
        if self.numbers.local_port != local || self.numbers.remote_port != remote {
            self.set_subject(Subject::Connection(local, remote));
        }
        if found.flags & flags::SYN != 0 && self.numbers.local.is_none() {
            self.numbers.local = Some(found.start.wrapping_sub(expected.start));
        }
        let stamp = |packet: &TcpPacket| {
            packet.options.iter().flatten().find_map(|option| match option {
                OptionWord::Timestamps(value, _) => Some(*value),
                _ => None,
            })
        };
        if let (None, Some(wanted), Some(there)) =
            (self.numbers.stamp, stamp(expected), stamp(&found))
        {
            self.numbers.stamp = Some(there.wrapping_sub(wanted));
        }
        // Segments that leave together are one packet where the host leaves cutting to its card. Linux gives such a
        // packet PSH wherever it ends.
        let mut together = false;
        while found.length < expected.length && found.length > 0 {
            let Some((later, frame)) = self.sent.front() else { break };
            let Some(Sent::Tcp(port, peer, next)) = packets::outbound(frame) else { break };
            let follows = *later == at
                && (port, peer) == (local, remote)
                && next.start == found.start.wrapping_add(found.length)
                && next.length > 0
                && next.ack == found.ack
                && found.flags & !flags::ACK == 0
                && found.length + next.length <= expected.length;
            if !follows {
                break;
            }
            found.length += next.length;
            found.flags = next.flags;
            together = true;
            self.sent.pop_front();
        }
        if together {
            found.flags |= expected.flags & flags::PSH;
        }
        let found = self.relative(&found);
        let differs = found.flags != expected.flags
            || found.start != expected.start
            || found.length != expected.length
            || expected.ack.is_some_and(|ack| found.ack != Some(ack))
            || expected.window.is_some_and(|window| found.window != Some(window))
            || !same_ecn(expected.ecn, found.ecn)
            || !self.same_options(expected, &found);
        differs.then(|| {
            // Only what the script asks for is shown.
            let mut shown = found;
            if expected.window.is_none() {
                shown.window = None;
            }
            if expected.ecn == EcnField::Unspecified {
                shown.ecn = EcnField::Unspecified;
            }
            show(&shown)
        })
    }

    fn same_options(&self, expected: &TcpPacket, found: &TcpPacket) -> bool {
        let Some(wanted) = &expected.options else { return true };
        let there = found.options.as_deref().unwrap_or_default();
        wanted.len() == there.len()
            && wanted.iter().zip(there).all(|pair| match pair {
                (OptionWord::Timestamps(value, echo), OptionWord::Timestamps(other, heard)) => {
                    let most = self.tolerance / MILLISECOND + 1;
                    let apart = (value.wrapping_sub(*other) as i32).unsigned_abs();
                    echo == heard && u64::from(apart) <= most
                }
                (wanted, there) => wanted == there,
            })
    }
}

fn same_ecn(expected: EcnField, found: EcnField) -> bool {
    match expected {
        EcnField::Unspecified => true,
        EcnField::Ect01 => matches!(found, EcnField::Is(1 | 2)),
        is => is == found,
    }
}

/// Whether a call has returned what the script says.
fn judge(line: usize, call: &Call, did: &Did) -> Result<(), Problem> {
    let fail = |expected: String| Problem::Failed {
        line,
        expected: format!("{} = {expected}", call.name),
        got: show_result(did),
    };
    match did {
        Did::Unsupported(what) => {
            return Err(Problem::Unsupported { line, what: what.clone() });
        }
        Did::Broken(problem) => {
            return Err(Problem::Broken { line, problem: problem.clone() });
        }
        Did::Left(expected, _) => return Err(fail(expected.clone())),
        _ => {}
    }
    match (&call.result, did) {
        (_, Did::Waits) => Err(fail(match &call.result {
            Expected::Value(number) => number.to_string(),
            Expected::Error(name) => format!("-1 {name}"),
            Expected::Anything => "a return".into(),
        })),
        (Expected::Anything, _) => Ok(()),
        (Expected::Value(number), Did::Returned(found)) if number == found => Ok(()),
        (Expected::Value(-1), Did::Failed(_)) => Ok(()),
        (Expected::Error(name), Did::Failed(found)) if name == found => Ok(()),
        (Expected::Value(number), _) => Err(fail(number.to_string())),
        (Expected::Error(name), _) => Err(fail(format!("-1 {name}"))),
    }
}

/// A time in seconds.
fn time(at: Nanoseconds) -> String {
    format!("{:.6} s", at as f64 / SECOND as f64)
}
