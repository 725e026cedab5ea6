//! Devices in true time.
//!
//! A block leaves at a tick of its sender, and takes the latency of both transceivers, in ticks of the sender, to whose clock the
//! receiver's recovered clock is bound, and that of the cable. It is seen at the next tick of the receiver, or one later: which
//! one, chance or an adversary decides ([`crossing`]). Devices that count fractions of a tick see it at the next fraction, or one
//! later; blocks leave at whole ticks. Nothing is done between events: counters are numbers that grow by
//! themselves, so that seconds of a link are a second's work.
//!
//! Which blocks are idle follows from the traffic of a cable, or another component knows it, such as a simulation of packets
//! ([`Occupancy`]).

pub mod crossing;
pub mod host;
pub mod offsets;
pub mod oscillator;
pub mod traffic;

use crate::counter::{Counter, LOW_MASK};
use crate::device::Device;
use crate::message::Message;
use crate::port::Config;
use crossing::{BitErrors, Crossing, Crossings};
use offsets::Offsets;
use oscillator::{Attoseconds, NANOSECOND, Oscillator};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use traffic::Traffic;

/// Ticks of both transceivers together: of the published 43 to 45, the cable of 10 m has 8.
pub const PHY_TICKS: u64 = 36;

/// A cable between two ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cable {
    /// Its ends: device and port.
    pub ends: [(usize, usize); 2],
    /// Time from end to end: 5 ns a metre.
    pub latency: Attoseconds,
    /// What it carries from each end.
    pub traffic: [Traffic; 2],
}

impl Cable {
    /// A cable between two ports, of a length in metres, without traffic.
    pub fn new(ends: [(usize, usize); 2], metres: u64) -> Self {
        Self { ends, latency: 5 * NANOSECOND * metres, traffic: [Traffic::Idle; 2] }
    }
}

/// Knows which blocks of a line are idle, at the latest when they leave.
pub trait Occupancy {
    /// The first idle block that a port sends, from `block` on. The same block may be queried again.
    fn idle_from(&mut self, device: usize, port: usize, block: u64) -> u64;
}

/// Only [`Cable::traffic`] is on the lines.
impl Occupancy for () {
    fn idle_from(&mut self, _: usize, _: usize, block: u64) -> u64 {
        block
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// An idle block leaves; stale unless it is the one that the port waits for.
    Slot { device: usize, port: usize, tick: u64 },
    /// 56 bits come; lost if the link was down in between.
    Arrive { device: usize, port: usize, tick: u64, bits: u64, flaps: u64 },
}

/// An end of a cable.
#[derive(Debug, Clone, Copy)]
struct Line {
    peer: (usize, usize),
    latency: Attoseconds,
    traffic: Traffic,
    is_up: bool,
    /// How often the link has gone down.
    flaps: u64,
    /// The tick of the idle block that will leave next with something in it.
    slot: Option<u64>,
    /// The host's data of a LOG that is to be sent.
    log: Option<u64>,
}

/// A message in flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Passage {
    /// What, as it was sent.
    pub message: Message,
    /// Who sent it, from which port.
    pub from: (usize, usize),
    /// To whom.
    pub to: (usize, usize),
    /// When its block left.
    pub left: Attoseconds,
    /// When its receiver sees it, if the link stays up.
    pub comes: Attoseconds,
}

/// A LOG that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Logged {
    /// Who received it, at which port.
    pub by: (usize, usize),
    /// What it carries.
    pub payload: u64,
    /// The receiver's counter.
    pub counter: Counter,
}

impl Logged {
    /// Ticks by which the receiver's counter is ahead of the sender's, as hosts can measure it: of a LOG that was stamped as it left, and the
    /// delay that the receiver's port has measured, both in what is counted (t2 - t1 - OWD of spec 000 section 2.6).
    pub fn offset(&self, delay: i64) -> i128 {
        let since = self.counter.low().wrapping_sub(self.payload) & (LOW_MASK >> 1);
        // The difference modulo 2^52 with the smaller magnitude.
        let half = 1 << 51;
        let since = i128::from(since) - if since >= half { 2 * i128::from(half) } else { 0 };
        since - i128::from(delay)
    }
}

/// Devices, cables, and what happens next.
pub struct Simulation<C> {
    oscillators: Vec<Oscillator>,
    devices: Vec<Device>,
    lines: BTreeMap<(usize, usize), Line>,
    events: BinaryHeap<Reverse<(Attoseconds, u64, Event)>>,
    number: u64,
    now: Attoseconds,
    crossings: C,
    errors: BitErrors,
    /// Pairs of devices whose counters are compared, and since when neither has moved.
    watched: Vec<(usize, usize, Offsets, Attoseconds)>,
    /// Messages, if they are traced.
    passages: Option<Vec<Passage>>,
    logs: Vec<Logged>,
    config: Config,
}

impl<C: Crossings> Simulation<C> {
    /// Devices with their oscillators, whose ticks are whole, and cables, all of which are down at first.
    pub fn new(
        config: Config,
        oscillators: Vec<Oscillator>,
        cables: &[Cable],
        crossings: C,
    ) -> Self {
        let mut lines = BTreeMap::new();
        for cable in cables {
            let [a, b] = cable.ends;
            for (end, peer, traffic) in [(a, b, cable.traffic[0]), (b, a, cable.traffic[1])] {
                let line = Line {
                    peer,
                    latency: cable.latency,
                    traffic,
                    is_up: false,
                    flaps: 0,
                    slot: None,
                    log: None,
                };
                lines.insert(end, line);
            }
        }
        let oscillators: Vec<_> =
            oscillators.iter().map(|oscillator| oscillator.divided(config.phases)).collect();
        let ports = |device: usize| lines.keys().filter(|(d, _)| *d == device).count();
        let devices = (0..oscillators.len()).map(|n| Device::new(ports(n), config)).collect();
        Self {
            oscillators,
            devices,
            lines,
            events: BinaryHeap::new(),
            number: 0,
            now: 0,
            crossings,
            errors: BitErrors::new(0, 0),
            watched: Vec::new(),
            passages: None,
            logs: Vec::new(),
            config,
        }
    }

    /// Has messages be wrong.
    pub fn set_errors(&mut self, errors: BitErrors) {
        self.errors = errors;
    }

    /// Keeps messages from now on, until they are taken.
    pub fn trace(&mut self) {
        self.passages.get_or_insert_default();
    }

    /// The messages since the last time, in the order in which they left.
    pub fn take_passages(&mut self) -> Vec<Passage> {
        self.passages.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Sends a LOG in the next idle block that the protocol does not need ([`Message::log`]).
    pub fn log(&mut self, device: usize, port: usize, data: u64) {
        if let Some(line) = self.lines.get_mut(&(device, port)) {
            line.log = Some(data);
        }
        let tick = self.oscillators[device].tick_from(self.now);
        self.schedule(device, port, tick);
    }

    /// The LOGs that have come since the last time.
    pub fn take_logs(&mut self) -> Vec<Logged> {
        std::mem::take(&mut self.logs)
    }

    /// Compares the counters of two devices from now on.
    pub fn watch(&mut self, first: usize, second: usize) {
        self.watched.push((first, second, Offsets::default(), self.now));
    }

    /// Takes the comparisons so far, in the order in which the pairs were added, and starts new ones.
    pub fn take_offsets(&mut self) -> Vec<Offsets> {
        (0..self.devices.len()).for_each(|device| self.read(device, self.origin(device)));
        self.watched.iter_mut().map(|watched| std::mem::take(&mut watched.2)).collect()
    }

    /// True time.
    pub fn now(&self) -> Attoseconds {
        self.now
    }

    /// A device.
    pub fn device(&self, device: usize) -> &Device {
        &self.devices[device]
    }

    /// A device's counter now, in what is counted.
    pub fn counter(&self, device: usize) -> Counter {
        self.devices[device].counter(self.oscillators[device].tick_at(self.now))
    }

    /// Sets a device's counter.
    pub fn set_counter(&mut self, device: usize, value: Counter) {
        self.read(device, self.origin(device));
        let tick = self.oscillators[device].tick_at(self.now);
        self.devices[device].set_counter(tick, value);
    }

    /// The cable at a port comes up.
    pub fn link_up(&mut self, device: usize, port: usize) {
        for (device, port) in self.both((device, port)) {
            if let Some(line) = self.lines.get_mut(&(device, port)) {
                line.is_up = true;
            }
            self.devices[device].link_up(port);
            let tick = self.oscillators[device].tick_from(self.now);
            self.schedule(device, port, tick);
        }
    }

    /// The cable at a port goes down.
    pub fn link_down(&mut self, device: usize, port: usize) {
        for (device, port) in self.both((device, port)) {
            self.read(device, self.origin(device));
            if let Some(line) = self.lines.get_mut(&(device, port)) {
                (line.is_up, line.slot) = (false, None);
                line.flaps += 1;
            }
            let tick = self.oscillators[device].tick_at(self.now);
            self.devices[device].link_down(port, tick);
        }
    }

    /// All cables come up.
    pub fn all_up(&mut self) {
        let ends: Vec<_> = self.lines.iter().filter(|(end, line)| **end < line.peer).collect();
        let ends: Vec<_> = ends.into_iter().map(|(end, _)| *end).collect();
        ends.into_iter().for_each(|(device, port)| self.link_up(device, port));
    }

    /// Runs for some nominal ticks.
    pub fn run(&mut self, ticks: u64) {
        self.run_until(self.now + ticks * oscillator::NOMINAL_PERIOD, &mut ());
    }

    /// Runs up to a time, before which it is known which blocks are idle.
    pub fn run_until(&mut self, end: Attoseconds, occupancy: &mut impl Occupancy) {
        while let Some(Reverse((time, _, event))) = self.events.peek().copied() {
            if time >= end {
                break;
            }
            self.events.pop();
            self.now = time;
            match event {
                Event::Slot { device, port, tick } => self.leave(device, port, tick, occupancy),
                Event::Arrive { device, port, tick, bits, flaps } => {
                    self.arrive(device, port, tick, bits, flaps);
                }
            }
        }
        self.now = end.max(self.now);
    }

    fn both(&self, end: (usize, usize)) -> Vec<(usize, usize)> {
        std::iter::once(end).chain(self.lines.get(&end).map(|line| line.peer)).collect()
    }

    fn push(&mut self, time: Attoseconds, event: Event) {
        self.number += 1;
        self.events.push(Reverse((time, self.number, event)));
    }

    /// Finds the idle block for a port's next message from a tick on.
    fn schedule(&mut self, device: usize, port: usize, tick: u64) {
        let wanted = self.devices[device].wants(port, tick);
        let Some(line) = self.lines.get_mut(&(device, port)) else { return };
        let log = line.log.map(|_| tick);
        let Some(wanted) = wanted.into_iter().chain(log).min() else { return };
        let phases = self.config.phases;
        let slot = line.traffic.idle_from(wanted.div_ceil(phases)) * phases;
        if !line.is_up || line.slot.is_some_and(|scheduled| scheduled <= slot) {
            return;
        }
        line.slot = Some(slot);
        self.push_slot(device, port, slot);
    }

    fn push_slot(&mut self, device: usize, port: usize, tick: u64) {
        let time = self.oscillators[device].time_of(tick);
        self.push(time, Event::Slot { device, port, tick });
    }

    fn leave(&mut self, device: usize, port: usize, tick: u64, occupancy: &mut impl Occupancy) {
        let Some(line) = self.lines.get_mut(&(device, port)) else { return };
        if line.slot != Some(tick) {
            return;
        }
        let phases = self.config.phases;
        let idle = occupancy.idle_from(device, port, tick / phases) * phases;
        if idle > tick {
            line.slot = Some(idle);
            return self.push_slot(device, port, idle);
        }
        line.slot = None;
        let message = self.devices[device].slot(port, tick).or_else(|| {
            let counter = self.devices[device].counter(tick);
            line.log.take().map(|data| Message::log(data, counter))
        });
        let line = *line;
        if let Some(message) = message {
            let (receiver, peer_port) = line.peer;
            let sent = self.oscillators[device];
            let at = sent.time_of(tick + PHY_TICKS * self.config.phases) + line.latency;
            let measures = matches!(message, Message::Init(_) | Message::InitAck(_));
            let crossing = Crossing { receiver, sender: device, measures };
            let local = self.oscillators[receiver];
            let seen = local.tick_from(at) + self.crossings.cycles(crossing);
            let bits = self.errors.pass(message.to_bits());
            let event = Event::Arrive {
                device: receiver,
                port: peer_port,
                tick: seen,
                bits,
                flaps: line.flaps,
            };
            let comes = local.time_of(seen);
            self.push(comes, event);
            if let Some(passages) = &mut self.passages {
                let (from, to) = ((device, port), (receiver, peer_port));
                passages.push(Passage { message, from, to, left: self.now, comes });
            }
        }
        self.schedule(device, port, tick + 1);
    }

    fn arrive(&mut self, device: usize, port: usize, tick: u64, bits: u64, flaps: u64) {
        let line = self.lines[&(device, port)];
        if !line.is_up || line.flaps != flaps {
            return;
        }
        let Some(message) = Message::of_bits(bits) else { return };
        if let Message::Log(payload) = message {
            let counter = self.devices[device].counter(tick);
            self.logs.push(Logged { by: (device, port), payload, counter });
        }
        let before = self.origin(device);
        self.devices[device].receive(port, message, tick);
        let moved = self.origin(device) != before;
        if moved {
            // What is compared up to now has the counter as it was.
            self.read(device, before);
        }
        if moved || message_asks(message) {
            let ports: Vec<usize> = self
                .lines
                .range((device, 0)..(device + 1, 0))
                .map(|((_, port), _)| *port)
                .collect();
            for port in ports {
                self.schedule(device, port, tick + 1);
            }
        }
    }

    /// A device's counter at tick 0 of its oscillator.
    fn origin(&self, device: usize) -> Counter {
        self.devices[device].counter(0)
    }

    /// Reads the counters of all pairs with this device up to now, during which it had this origin.
    fn read(&mut self, device: usize, origin: Counter) {
        let of = |n: usize| {
            let counter = if n == device { origin } else { self.devices[n].counter(0) };
            (self.oscillators[n], counter)
        };
        for (first, second, offsets, since) in &mut self.watched {
            if device == *first || device == *second {
                offsets.read(of(*first), of(*second), self.config.phases, *since..self.now);
                *since = self.now;
            }
        }
    }

    /// How ports behave.
    pub fn config(&self) -> Config {
        self.config
    }
}

/// Whether ports may have something to say because of it.
fn message_asks(message: Message) -> bool {
    !matches!(message, Message::Beacon(_) | Message::Log(_) | Message::Msb(_))
}
