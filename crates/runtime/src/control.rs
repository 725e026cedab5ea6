//! The control side of a dataplane that runs: with or without requests, and how it is exchanged for another program's.

use crate::deep_stack;
use crate::error::Error;
use crate::past::Past;
use crate::program::{Program, options};
use parking_lot::Mutex;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use ww_control::live::{Ledger, LoadRequest, PortCounters, Ports, Replaceable};
use ww_dataplane::control::{self, Answer, Control, Request, Schema, Subject};
use ww_engine::jit::Worker;
use ww_engine::jit::control::JitControl;
use ww_io::world::{Handle, OwnedDataplane, PortReport, ReplaceError};
use ww_p4::preprocess::Options;

/// How long a dataplane that was replaced may have packets pending.
const PATIENCE: Duration = Duration::from_secs(10);

/// A program in an engine, ready to run.
pub(crate) struct Parts<C> {
    pub control: C,
    /// One for each worker.
    pub dataplanes: Vec<OwnedDataplane>,
    /// What became of the packets of dataplanes that were replaced.
    pub past: Arc<Past>,
}

/// A control side.
pub(crate) enum Side<C> {
    /// Nobody makes requests.
    Plain(C),
    /// What requests do is kept in a ledger, so that another program can take over.
    Kept(Arc<Mutex<Ledger<C>>>),
}

impl<C: Replaceable> Side<C> {
    pub fn with<R>(&mut self, work: impl FnOnce(&mut dyn Control) -> R) -> R {
        match self {
            Self::Plain(control) => work(control),
            Self::Kept(ledger) => work(&mut *ledger.lock()),
        }
    }
}

/// The native engine's control side, and how its workers are exchanged.
pub(crate) struct Native {
    control: JitControl,
    /// Workers that do not run yet.
    workers: Vec<Worker>,
    /// Empty until the ports are open.
    world: Arc<OnceLock<Handle>>,
    /// What became of the packets of workers that were replaced.
    past: Arc<Past>,
}

impl Native {
    pub fn new(
        control: JitControl,
        workers: Vec<Worker>,
        world: &Arc<OnceLock<Handle>>,
        past: &Arc<Past>,
    ) -> Self {
        Self { control, workers, world: Arc::clone(world), past: Arc::clone(past) }
    }

    /// The workers, to be run.
    pub fn take_workers(&mut self) -> Vec<OwnedDataplane> {
        let workers = std::mem::take(&mut self.workers).into_iter();
        workers.map(|worker| Box::new(worker) as OwnedDataplane).collect()
    }

    /// Waits for a replaced worker and keeps its counters.
    fn retire(&self, world: &Handle, n: usize) {
        if let Some(mut old) = world.retired(n, PATIENCE) {
            self.past.add(&mut *old);
        }
    }
}

impl Control for Native {
    fn schema(&self) -> Arc<Schema> {
        self.control.schema()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, control::Error> {
        match request.subject() {
            // What the packets' side has; with such blocks there is one worker.
            Subject::Queues | Subject::TppMemory => {
                let (refused, world) =
                    (request.refused_by("a worker that does not run"), self.world.get());
                let answer = world.and_then(|world| world.ask(0, request, PATIENCE));
                answer.unwrap_or(Err(refused))
            }
            _ => self.control.handle(request),
        }
    }
}

impl Replaceable for Native {
    fn replace(&mut self, mut new: Self) {
        // The native engine always does.
        let _ = self.control.release();
        if let Some(world) = self.world.get() {
            for (n, mut next) in new.take_workers().into_iter().enumerate() {
                loop {
                    match world.replace(n, next) {
                        Ok(()) => break,
                        // The run is over.
                        Err(ReplaceError::Ended(_)) => break,
                        Err(ReplaceError::Busy(back)) => {
                            next = back;
                            self.retire(world, n);
                        }
                    }
                }
                self.retire(world, n);
            }
        }
        self.control = new.control;
    }
}

/// Compiles another program while one runs, and has `load` load it. The error is the whole message.
pub(crate) fn compile<T: Send>(
    request: &LoadRequest,
    load: impl FnOnce(&Program) -> Result<T, Error> + Send,
) -> Result<T, String> {
    let options = Options {
        architectures: request.arch.clone(),
        ..options(&request.include, &request.define)
    };
    // The threads of clients do not have the stack that programs need.
    let done = deep_stack::run("ww load", || {
        let program = Program::open(&request.path, &options)?;
        load(&program)
    });
    match done {
        Ok(made) => made.map_err(|error| error.to_string()),
        Err(deep_stack::Lost::NoThread(message)) => Err(message),
        Err(deep_stack::Lost::Panicked) => {
            Err(format!("a fault in ww while it read {}", request.path.display()))
        }
    }
}

/// The ports of a world that runs.
pub(crate) struct WorldPorts(pub Handle);

impl Ports for WorldPorts {
    fn counters(&self) -> Vec<PortCounters> {
        let one = |port: PortReport| PortCounters {
            port: port.port,
            spec: port.spec,
            rx_packets: port.rx.packets,
            rx_bytes: port.rx.bytes,
            tx_packets: port.tx.packets,
            tx_bytes: port.tx.bytes,
            drops: Some(port.rx_drops + port.rx_errors + port.tx_drops + port.tx_errors),
        };
        self.0.port_counters().into_iter().map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// A program of an architecture that comes with its description.
    #[test]
    fn a_request_to_load_brings_its_architecture() {
        let tiny = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/arch/tiny");
        let request = |arch| LoadRequest {
            path: tiny.join("reflect.p4"),
            include: vec![tiny.clone()],
            define: Vec::new(),
            arch,
            drop_misfits: false,
        };
        let load = |request: LoadRequest| {
            compile(&request, |program| {
                crate::engine::interp(program, Default::default()).map(drop).map_err(Error::from)
            })
        };
        assert!(load(request(vec![tiny.join("tiny.arch.toml")])).is_ok());
        let error = load(request(Vec::new())).expect_err("an unknown package");
        assert!(error.contains("package `Tiny` belongs to no known architecture"), "{error}");
    }
}
