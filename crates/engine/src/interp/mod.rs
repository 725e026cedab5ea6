//! The reference engine: executes the typed IR as it is, without any lowering in between.
//!
//! It is written to be read beside the language specification; what the specification leaves
//! open is decided in [`values`], [`parser`](self) and in the extern functions, each time in the
//! documentation of the place. Same inputs, same outputs, always.

mod calls;
mod control;
mod copies;
mod expressions;
mod externs;
mod initial;
mod loaded;
mod machine;
mod operators;
mod parser;
mod places;
mod preserve;
mod requests;
mod state;
mod statements;
mod switch;
mod tables;
mod targets;
mod tcpu;
pub mod values;

pub use initial::{InitialEntry, InitialTable};
pub(crate) use state::DIGEST_LIMIT;

use crate::arch::Unsupported;
use loaded::Loaded;
use state::State;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use switch::{EgressPacket, IngressPacket};
use values::Value;
use ww_dataplane::DropReason;
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::trace::Observer;
use ww_dataplane::traffic::{Fifo, TrafficManager};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Statistics, Status, Transmit};
use ww_p4::ir::Program;
use ww_tpp::switch::{Config, Tcpu};

/// Limits, and the seed of what looks random.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Random numbers are a function of this, the packet and the call site.
    pub seed: u64,
    /// How often one received frame may be cloned, resubmitted and recirculated in all; what
    /// comes after is dropped and counted.
    pub max_passes: u32,
    /// How many rounds of loops a packet may make in one pass; one that makes more is dropped
    /// and counted.
    pub max_steps: u64,
    /// Modules of hardware without a model are accepted: for what keeps the books of hardware and
    /// sees no packet. One that comes to such a call is dropped.
    pub modules: bool,
    /// The switch may get a TCPU: tables and entries count their packets.
    pub tcpu: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { seed: 1, max_passes: 1024, max_steps: 1 << 20, modules: false, tcpu: false }
    }
}

/// The reference engine with a program in it.
pub struct Interp {
    program: Arc<Program>,
    loaded: Loaded,
    state: State,
    initial: State,
    slots: Vec<Value>,
    observer: Option<Box<dyn Observer>>,
    traffic: Box<dyn TrafficManager>,
    input: VecDeque<IngressPacket>,
    queued: HashMap<u64, EgressPacket>,
    next_queued: u64,
    statistics: Statistics,
    tcpu: Option<Box<Tcpu>>,
    /// Changes of each table, by [`ww_dataplane::control::TableIndex`].
    versions: Vec<u32>,
}

impl Interp {
    /// Loads a program; an error says what in it this engine does not support.
    pub fn new(program: Arc<Program>, options: Options) -> Result<Self, Unsupported> {
        let loaded = Loaded::new(&program, options)?;
        let mut slots = loaded.defaults.clone();
        for (var, instance) in &program.globals {
            slots[var.index()] = Value::Object(*instance);
        }
        let state = State::new(&program, &loaded, &mut slots);
        let versions = vec![0; loaded.schema.tables.len()];
        Ok(Self {
            program,
            loaded,
            initial: state.clone(),
            state,
            slots,
            observer: None,
            traffic: Box::new(Fifo::default()),
            input: VecDeque::new(),
            queued: HashMap::new(),
            next_queued: 0,
            statistics: Statistics::default(),
            tcpu: None,
            versions,
        })
    }

    /// Has every step of every packet told to `observer`, or with `None` to nobody.
    pub fn set_observer(&mut self, observer: Option<Box<dyn Observer>>) {
        self.observer = observer;
    }

    /// Replaces the output queues, which must be empty: call this before the first packet.
    pub fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.traffic = traffic;
    }

    /// Gives the switch a TCPU: call this before the first packet.
    ///
    /// # Errors
    /// The program was loaded without [`Options::tcpu`].
    pub fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
        let (tables, is_prepared) = (self.versions.len(), self.loaded.options.tcpu);
        self.tcpu = Some(crate::tcpu::make(config, tables, is_prepared)?);
        Ok(())
    }

    /// The TCPU, if there is one.
    pub fn tcpu(&mut self) -> Option<&mut Tcpu> {
        self.tcpu.as_deref_mut()
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
}

impl Dataplane for Interp {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.accept(port, now, frame);
        self.work(now, out);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.work(now, out);
    }

    fn status(&self) -> Status {
        Status {
            next_event: self.traffic.next_event(),
            refused: self.statistics.drops(DropReason::QueueFull),
        }
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        request.carry_out(self)
    }
}
