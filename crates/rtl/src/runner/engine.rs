//! The engine `rtl`: a design under Verilator as a dataplane.
//!
//! Packets go through the model only. The control plane's requests are checked and remembered by
//! [`Shadow`], and carried out in hardware; what packets change (registers, counters, digests) is
//! read from there.

use super::Error;
use super::bus::Door;
use super::hardware::{Hardware, PortCounts};
use super::model::Model;
use super::monitor::Monitor;
use super::pace::Pace;
use super::testbench::{LONGEST_FRAME, Testbench};
use crate::manifest::{Manifest, ObjectKind};
use crate::shadow::Shadow;
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use ww_dataplane::DropReason;
use ww_dataplane::control::{self, Answer, Digest, Request, Schema};
use ww_dataplane::traffic::TrafficManager;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Statistics, Status, Transmit};
use ww_engine::arch::Unsupported;
use ww_engine::engine::Engine;
use ww_p4::ir::Program;

/// More digests than these do not wait for the control plane.
const DIGEST_LIMIT: usize = 65_536;
/// Clocks between two looks for digests while packets flow.
const DIGEST_CLOCKS: u64 = 64;
/// How long a frame waits for others that go in with it, in virtual time.
const GATHERING: Picoseconds = 1_000_000_000;
const PICOSECONDS_PER_MICROSECOND: Picoseconds = 1_000_000;

/// How a model is driven.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How packets go in and out.
    pub pace: Pace,
    /// Through which door the control plane works.
    pub door: Door,
    /// How many frames [`receive`](Dataplane::receive) holds back so that they go in together; 1
    /// for none. Batches go in together in any case, unless the pace is serial.
    pub gather: usize,
    /// What registers without reset begin with.
    pub seed: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self { pace: Pace::Serial, door: Door::Back, gather: 1, seed: 1 }
    }
}

/// Why there is no engine.
#[derive(Debug)]
pub enum LoadError {
    /// The checker of requests does not take the program.
    Unsupported(Unsupported),
    /// The model does not run.
    Model(Error),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(unsupported) => unsupported.fmt(f),
            Self::Model(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

impl From<Error> for LoadError {
    fn from(error: Error) -> Self {
        Self::Model(error)
    }
}

/// A design as an engine.
pub struct Rtl {
    /// Checks and remembers requests.
    pub(super) shadow: Shadow,
    pub(super) plane: RefCell<Plane>,
    pub(super) map: Map,
    /// Groups of action selectors.
    pub(super) selectors: super::selectors::Selectors,
    /// Replicas as they are in hardware.
    pub(super) replicas: super::replication::Replicas,
}

/// Packets and the model. Requests that only read have it too: what they read comes from there.
pub(super) struct Plane {
    pub hardware: Hardware,
    monitor: Monitor,
    /// How many frames are held back at most.
    gather: usize,
    /// Frames that are held back are in the model's queues; the first came at this time.
    held: Option<(Picoseconds, usize)>,
    /// Frames that left while the control plane worked.
    ready: VecDeque<Transmit>,
    /// The time of the last call.
    now: Picoseconds,
    digests: VecDeque<Digest>,
    digests_lost: u64,
    received: u64,
    transmitted: u64,
    /// Frames that never went in.
    refused: u64,
}

/// Windows of what the schema has, by its position there; what is missing is not in hardware,
/// since no packet meets it.
#[derive(Default)]
pub(super) struct Map {
    pub tables: Vec<Option<u32>>,
    pub counters: Vec<Option<u32>>,
    pub meters: Vec<Option<u32>>,
    pub registers: Vec<Option<u32>>,
    pub value_sets: Vec<Option<u32>>,
    pub replication: Option<u32>,
}

impl Map {
    fn new(schema: &Schema, manifest: &Manifest) -> Result<Self, Error> {
        let named = |kind: fn(&ObjectKind) -> bool| -> HashMap<&str, u32> {
            let objects = (0..).zip(&manifest.objects);
            let found = objects.filter(|(_, object)| kind(&object.kind));
            found.map(|(window, object)| (object.name.as_str(), window)).collect()
        };
        macro_rules! find {
            ($kind:pat, $list:expr) => {{
                let mut windows = named(|kind| matches!(kind, $kind));
                let list: Vec<Option<u32>> =
                    $list.iter().map(|info| windows.remove(info.name.as_str())).collect();
                match windows.into_keys().next() {
                    Some(name) => {
                        let text = format!("the design has `{name}`, and the program does not");
                        return Err(Error::Control(text));
                    }
                    None => list,
                }
            }};
        }
        let replication = named(|kind| matches!(kind, ObjectKind::Replication { .. }));
        Ok(Self {
            tables: find!(ObjectKind::Table(_), schema.tables),
            counters: find!(ObjectKind::Counter { .. }, schema.counters),
            meters: find!(ObjectKind::Meter { .. }, schema.meters),
            registers: find!(ObjectKind::Register { .. }, schema.registers),
            value_sets: find!(ObjectKind::ValueSet { .. }, schema.value_sets),
            replication: replication.into_values().next(),
        })
    }
}

impl Rtl {
    /// Loads the model of a design that was made of `program`. `waveform`, if the model was built
    /// for it, is written from the first clock on.
    pub fn new(
        program: Arc<Program>,
        manifest: &Manifest,
        model: &Path,
        waveform: Option<&Path>,
        settings: Settings,
    ) -> Result<Self, LoadError> {
        let shadow = Shadow::new(&program).map_err(LoadError::Unsupported)?;
        let mut model = Model::load(model, settings.seed)?;
        if let Some(path) = waveform {
            model.waveform(path)?;
        }
        let mut bench = Testbench::new(model, manifest)?;
        bench.set_pace(settings.pace);
        let map = Map::new(shadow.schema(), manifest)?;
        let profiles = shadow.schema().profiles.len();
        let selectors = super::selectors::Selectors::new(manifest, &map.tables, profiles);
        let hardware = Hardware::new(bench, manifest.clone(), settings.door)?;
        let plane = Plane {
            hardware,
            monitor: Monitor::default(),
            gather: settings.gather.max(1),
            held: None,
            ready: VecDeque::new(),
            now: 0,
            digests: VecDeque::new(),
            digests_lost: 0,
            received: 0,
            transmitted: 0,
            refused: 0,
        };
        let replicas = super::replication::Replicas::default();
        let plane = RefCell::new(plane);
        let mut engine = Self { shadow, plane, map, selectors, replicas };
        engine.load_tables()?;
        Ok(engine)
    }

    /// Counts of the model, and why it does not go on if so: stays valid when the engine is one
    /// of any kind.
    pub fn monitor(&self) -> Monitor {
        self.plane.borrow().monitor.clone()
    }

    /// How packets go in and out.
    pub fn set_pace(&mut self, pace: Pace) {
        let plane = self.plane.get_mut();
        plane.flush();
        plane.hardware.bench.set_pace(pace);
    }

    /// The test bench, empty of packets: for measurements. Frames that go in this way are not
    /// among the engine's counts.
    pub fn bench(&mut self) -> &mut Testbench {
        &mut self.hardware().bench
    }

    /// What a port has counted, in the shape `switch`.
    pub fn port_counts(&mut self, port: u32) -> Result<PortCounts, Error> {
        self.hardware().port_counts(port)
    }

    /// The hardware, after all packets that have come.
    pub(super) fn hardware(&mut self) -> &mut Hardware {
        self.plane.get_mut().settled()
    }

    /// The same, for a request that only reads.
    pub(super) fn look<R>(&self, read: impl FnOnce(&mut Hardware) -> R) -> R {
        read(self.plane.borrow_mut().settled())
    }
}

impl Plane {
    /// An error from which the model does not come back.
    pub fn fail(&self, error: &Error) {
        self.monitor.lock().fault.get_or_insert_with(|| error.to_string());
    }

    fn is_faulty(&self) -> bool {
        self.monitor.lock().fault.is_some()
    }

    /// Puts a frame in front of the model, or counts why not.
    fn push(&mut self, port: PortId, now: Picoseconds, frame: &[u8]) {
        self.received += 1;
        let streams = self.hardware.bench.streams();
        let stream = if streams == 1 { 0 } else { port as usize };
        // A stream has no frames without bytes; very long ones need not fit into the memory.
        let fits = (1..=LONGEST_FRAME).contains(&frame.len());
        if !fits || stream >= streams || port > 0xffff || self.is_faulty() {
            self.refused += 1;
            return;
        }
        self.hardware.bench.push(stream, port, now / PICOSECONDS_PER_MICROSECOND, frame);
    }

    /// Runs until nothing is inside, and passes on what left.
    fn work(&mut self, sink: &mut dyn Sink) {
        self.held = None;
        let begin = self.hardware.bench.clocks();
        let digests = (&mut self.digests, &mut self.digests_lost);
        let result = work(&mut self.hardware, self.now, digests.0, digests.1);
        let bench = &mut self.hardware.bench;
        let mut frames = 0;
        let mut latency = None;
        while let Some(frame) = bench.pop() {
            frames += 1;
            let entered = bench.entered();
            latency = Some((frame.first.wrapping_sub(entered), frame.last.wrapping_sub(entered)));
            sink.transmit(frame.port, self.now, &frame.bytes);
        }
        self.transmitted += frames;
        let mut counts = self.monitor.lock();
        counts.clocks = bench.clocks();
        counts.packet_clocks += bench.clocks() - begin;
        counts.beats_in = bench.beats_in();
        counts.frames_in = self.received - self.refused;
        counts.frames_out = self.transmitted;
        counts.latency = latency;
        drop(counts);
        if let Err(error) = result {
            self.fail(&error);
        }
    }

    /// Lets frames that were held back through, before the control plane looks or changes
    /// something.
    fn flush(&mut self) {
        if self.held.is_some() {
            let mut out = Vec::new();
            self.work(&mut out);
            self.ready.extend(out);
        }
    }

    /// The hardware, after all packets that have come.
    pub fn settled(&mut self) -> &mut Hardware {
        self.flush();
        &mut self.hardware
    }

    /// The digests since the last call.
    pub fn drain_digests(&mut self) -> Vec<Digest> {
        self.flush();
        self.digests.drain(..).collect()
    }

    /// What became of packets, in the model and before it.
    pub fn statistics(&mut self) -> Statistics {
        let losses = match self.is_faulty() {
            true => Ok((0, 0)),
            false => self.hardware.losses(),
        };
        let (dropped, lost) = losses.unwrap_or_else(|error| {
            self.fail(&error);
            (0, 0)
        });
        let dropped = dropped + self.refused;
        let mut statistics = Statistics {
            received: self.received,
            transmitted: self.transmitted,
            digests_lost: self.digests_lost + lost,
            ..Statistics::default()
        };
        if dropped > 0 {
            statistics.dropped.insert(DropReason::Hardware, dropped);
        }
        statistics
    }

    /// Passes on what left while the control plane worked.
    fn deliver(&mut self, sink: &mut dyn Sink) {
        for Transmit { port, at, frame } in self.ready.drain(..) {
            sink.transmit(port, at, &frame);
        }
    }

    fn next_event(&self) -> Option<Picoseconds> {
        if !self.ready.is_empty() {
            return Some(self.now);
        }
        self.held.map(|(since, _)| since.saturating_add(GATHERING))
    }
}

/// Runs until nothing is inside; fetches digests now and then, so that they do not overflow.
fn work(
    hardware: &mut Hardware,
    now: Picoseconds,
    digests: &mut VecDeque<Digest>,
    lost: &mut u64,
) -> Result<(), Error> {
    if !hardware.has_digests() {
        return hardware.bench.run();
    }
    let mut fetch = |hardware: &mut Hardware| -> Result<(), Error> {
        while let Some(digest) = hardware.digest(now)? {
            if digests.len() >= DIGEST_LIMIT {
                digests.pop_front();
                *lost += 1;
            }
            digests.push_back(digest);
        }
        Ok(())
    };
    while !hardware.bench.is_empty() {
        let begin = hardware.bench.clocks();
        while !hardware.bench.is_empty() && hardware.bench.clocks() - begin < DIGEST_CLOCKS {
            hardware.bench.step()?;
            hardware.bench.watch()?;
        }
        fetch(hardware)?;
    }
    fetch(hardware)
}

impl Dataplane for Rtl {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let plane = self.plane.get_mut();
        plane.now = now;
        plane.deliver(out);
        plane.push(port, now, frame);
        let (since, count) = plane.held.unwrap_or((now, 0));
        plane.held = Some((since, count + 1));
        if count + 1 >= plane.gather {
            plane.work(out);
        }
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        let plane = self.plane.get_mut();
        plane.now = now;
        plane.deliver(sink);
        let serial = plane.hardware.bench.pace().is_serial();
        for frame in frames {
            plane.push(frame.port, now, frame.bytes);
            if serial {
                plane.work(sink);
            }
        }
        plane.work(sink);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let plane = self.plane.get_mut();
        plane.deliver(out);
        if plane.held.is_some() {
            plane.now = now;
            plane.work(out);
        }
    }

    fn status(&self) -> Status {
        Status { next_event: self.plane.borrow().next_event(), refused: 0 }
    }

    fn handle(&mut self, request: Request) -> Result<Answer, control::Error> {
        request.carry_out(self)
    }
}

impl Engine for Rtl {
    /// The design has its own output queues: this is a fault.
    fn set_traffic_manager(&mut self, _: Box<dyn TrafficManager>) {
        let text = "engine rtl has the output queues of its design";
        self.plane.get_mut().fail(&Error::Control(text.to_owned()));
    }
}
