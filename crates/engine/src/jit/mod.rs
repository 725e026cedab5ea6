//! The native engine: the pipeline IR compiled to machine code.
//!
//! - [`compile`] makes the code; [`runtime`] has what the code calls.
//! - [`control`] carries out requests. Packets see their results as generations, of which a
//!   worker pins one for each batch.
//! - [`worker`] and [`switch`] have packets run through the code and take their ways between the
//!   blocks.
//! - [`layout`], [`packet`], [`memory`] and [`abi`] say where everything is in memory.

pub mod abi;
mod compile;
pub mod control;
mod layout;
mod memory;
mod packet;
mod program;
mod runtime;
mod switch;
mod tcpu;
mod worker;

pub use compile::{Effort, TooLarge};
pub use worker::{BATCH, Worker};

use crate::arch::Unsupported;
use crate::engine::Engine;
use crate::interp::Options;
use control::JitControl;
use program::Program;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use ww_dataplane::control::{Answer, Control, Error, Request, Schema, Subject};
use ww_dataplane::traffic::TrafficManager;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_p4::diagnostic::Diagnostics;
use ww_p4::pipeline::passes::{Passes, optimise};
use ww_p4::source::Span;
use ww_p4::{ir, pipeline};
use ww_tpp::switch::{Config, Tcpu};

/// Why a program does not run on this engine.
#[derive(Debug)]
pub enum LoadError {
    /// It cannot be lowered; the diagnostics say where.
    Lowering(Diagnostics),
    /// It is too large.
    TooLarge(TooLarge),
    /// It needs what this engine does not have.
    Unsupported(Unsupported),
}

impl LoadError {
    /// The place in the program that it is about.
    pub fn span(&self) -> Option<Span> {
        match self {
            Self::Lowering(diagnostics) => diagnostics.iter().next().map(|d| d.span),
            Self::TooLarge(too_large) => Some(too_large.span),
            Self::Unsupported(unsupported) => unsupported.span,
        }
        .filter(|span| !span.is_none())
    }
}

impl From<compile::Failure> for LoadError {
    fn from(failure: compile::Failure) -> Self {
        match failure {
            compile::Failure::TooLarge(too_large) => Self::TooLarge(too_large),
            compile::Failure::Unsupported(unsupported) => Self::Unsupported(unsupported),
        }
    }
}

impl From<Unsupported> for LoadError {
    fn from(unsupported: Unsupported) -> Self {
        Self::Unsupported(unsupported)
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lowering(diagnostics) => match diagnostics.iter().next().cloned() {
                Some(first) => Unsupported::from(first).fmt(f),
                None => f.write_str("not supported: it cannot be lowered"),
            },
            Self::TooLarge(too_large) => write!(f, "not supported: {too_large}"),
            Self::Unsupported(unsupported) => unsupported.fmt(f),
        }
    }
}

impl std::error::Error for LoadError {}

/// What compiling a program took and gave.
#[derive(Clone, Copy, Debug)]
pub struct Compilation {
    /// From the typed IR to the pipeline IR, optimised.
    pub lowering: Duration,
    /// From there to machine code.
    pub code: Duration,
    /// Bytes of machine code.
    pub bytes: usize,
}

/// A program on the native engine: one control plane, and workers that share its tables.
pub struct Jit {
    control: JitControl,
    workers: Vec<Worker>,
    compilation: Compilation,
}

impl Jit {
    /// Compiles a program for one worker.
    pub fn new(program: Arc<ir::Program>, options: Options) -> Result<Self, LoadError> {
        Self::with_workers(program, options, 1)
    }

    /// Compiles a program for so many workers, at least one.
    pub fn with_workers(
        program: Arc<ir::Program>,
        options: Options,
        workers: usize,
    ) -> Result<Self, LoadError> {
        Self::with_passes(program, options, workers, Passes::all())
    }

    /// Compiles a program with some optimisation passes only.
    pub fn with_passes(
        program: Arc<ir::Program>,
        options: Options,
        workers: usize,
        passes: Passes,
    ) -> Result<Self, LoadError> {
        Self::with_effort(program, options, workers, passes, Effort::Full)
    }

    /// The same with code of this kind, also for a program that is small.
    pub fn with_effort(
        program: Arc<ir::Program>,
        options: Options,
        workers: usize,
        passes: Passes,
        effort: Effort,
    ) -> Result<Self, LoadError> {
        let workers = workers.max(1);
        let begin = Instant::now();
        let schema = crate::schema::of(&program)?;
        let mut pipeline = pipeline::lower(&program).map_err(LoadError::Lowering)?;
        compile::check(&pipeline).map_err(LoadError::TooLarge)?;
        optimise(&mut pipeline, passes);
        let lowering = begin.elapsed();
        let begin = Instant::now();
        let pipeline = Arc::new(pipeline);
        let compiled = Arc::new(Program::new(&pipeline, &schema, options, effort)?);
        let code = begin.elapsed();
        let bytes = compiled.code.bytes;
        let (control, readers, objects) =
            JitControl::new(&program, &pipeline, schema, workers, options.tcpu)?;
        let worker =
            |(n, reader)| Worker::new(compiled.clone(), objects.clone(), reader, n, workers);
        let workers = readers.into_iter().enumerate().map(worker).collect();
        Ok(Self { control, workers, compilation: Compilation { lowering, code, bytes } })
    }

    /// What compiling took and gave.
    pub fn compilation(&self) -> Compilation {
        self.compilation
    }

    /// The control plane and the workers, for threads of their own.
    pub fn split(self) -> (JitControl, Vec<Worker>) {
        (self.control, self.workers)
    }
}

impl Control for Jit {
    fn schema(&self) -> Arc<Schema> {
        self.control.schema()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        let of_packets = matches!(request.subject(), Subject::Queues | Subject::TppMemory);
        match of_packets || request == (Request::Statistics {}) {
            true => Dataplane::handle(&mut self.workers[0], request),
            false => self.control.handle(request),
        }
    }
}

impl Dataplane for Jit {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.workers[0].receive(port, now, frame, out);
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        self.workers[0].receive_batch(now, frames, sink);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.workers[0].advance(now, out);
    }

    fn status(&self) -> Status {
        self.workers[0].status()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        Control::handle(self, request)
    }
}

impl Engine for Jit {
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.workers[0].set_traffic_manager(traffic);
    }

    fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
        match &mut self.workers[..] {
            [worker] => worker.set_tcpu(config),
            // Its registers are one memory, in which accesses have an order.
            _ => Err(Unsupported::new("a TCPU needs a single worker")),
        }
    }

    fn tcpu(&mut self) -> Option<&mut Tcpu> {
        self.workers[0].tcpu()
    }
}
