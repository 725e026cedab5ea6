//! `ww run --control`: a dataplane that takes requests while it runs.
//!
//! The reference engine and its requests take turns. The native engine's requests go to a control
//! side of its own, which packets never wait for.

use crate::args::{EngineName, RunArguments};
use crate::blocks::Blocks;
use crate::engine::{NotLoaded, Request};
use crate::run::add;
use crate::summary::Summary;
use crate::{Failure, STACK, engine, load};
use parking_lot::Mutex;
use std::any::Any;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use ww_control::live::{
    Ledger, LoadRequest, Loaded, Plane, PortCounters, Ports, Replaceable, Server, Shared, share,
};
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::Counters;
use ww_engine::jit::Worker;
use ww_engine::jit::control::JitControl;
use ww_io::spec::PortAssignment;
use ww_io::stop::Stop;
use ww_io::world::live::{Options, World};
use ww_io::world::{Handle, OwnedDataplane, PortReport, ReplaceError, pcap};
use ww_p4::diagnostic::Severity;
use ww_p4::frontend::compile_file;
use ww_p4::ir::Program;
use ww_p4::preprocess;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::pace::Pace;

/// How long a dataplane that was replaced may have packets pending.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a run with requests needs.
pub struct Setting<'a> {
    /// The command line.
    pub arguments: &'a RunArguments,
    /// The socket.
    pub socket: &'a Path,
    /// The ports.
    pub ports: &'a [PortAssignment],
    /// How the world runs.
    pub options: &'a Options,
    /// Ends the run.
    pub stop: &'a Stop,
    /// Each program that is loaded gets empty ones.
    pub blocks: &'a Blocks,
}

/// Runs a program that takes requests to its end. Returns what the commands of `--entries` said,
/// which is also given to `say` before the first packet, and the summary.
pub fn run(
    setting: &Setting<'_>,
    program: Arc<Program>,
    say: impl FnOnce(&[String]) -> Result<(), Failure>,
) -> Result<(Vec<String>, Summary), Failure> {
    let path = &setting.arguments.program.program;
    let name = setting.arguments.engine;
    let past = Arc::new(Mutex::new(Counters::default()));
    if name == EngineName::Jit {
        let count = setting.options.workers.get();
        let world = Arc::new(OnceLock::new());
        let native = |(control, workers), past: &Arc<_>, world: &Arc<_>| Native {
            control,
            workers,
            world: Arc::clone(world),
            past: Arc::clone(past),
        };
        let blocks = setting.blocks.clone();
        let load = move |path: &Path, program| {
            let (control, mut workers) = engine::workers(path, program, count, blocks.options())?;
            // With blocks there is one.
            if let [worker] = &mut workers[..] {
                blocks.equip(worker)?;
            }
            Ok((control, workers))
        };
        let made = load(path, program).map_err(Failure::Rejected)?;
        let mut control = native(made, &past, &world);
        let workers = std::mem::take(&mut control.workers).into_iter();
        let dataplanes = workers.map(|worker| Box::new(worker) as OwnedDataplane).collect();
        let (sum, handles) = (Arc::clone(&past), Arc::clone(&world));
        let factory = move |request: &LoadRequest| {
            let made = compile(request, load.clone());
            made.map(|made| native(made, &sum, &handles))
        };
        let counters = |dataplanes: Vec<OwnedDataplane>| {
            let mut sum = past.lock().clone();
            dataplanes.into_iter().for_each(|dataplane| add_worker(&mut sum, dataplane));
            sum
        };
        return drive(setting, control, dataplanes, factory, &world, counters, say);
    }
    let request = Request {
        name,
        path,
        sources: None,
        rtl: &setting.arguments.rtl,
        pace: Pace::Serial,
        gather: 1,
        effort: Effort::Fast,
        options: setting.blocks.options(),
    };
    let (mut engine, monitor) =
        request.load(program).map_err(|error| Failure::Rejected(error.message()))?;
    setting.blocks.equip(&mut engine).map_err(Failure::Rejected)?;
    let (dataplane, control) = share(engine);
    let sum = Arc::clone(&past);
    let control = control.on_retire(move |old: AnyEngine| add(&mut sum.lock(), old.counters()));
    let blocks = setting.blocks.clone();
    let factory = move |request: &LoadRequest| {
        let blocks = blocks.clone();
        let engine = compile(request, move |path, program| {
            let engine = engine::load(name, path, program, blocks.options());
            let mut engine = engine.map_err(NotLoaded::message)?;
            blocks.equip(&mut engine)?;
            Ok(engine)
        });
        engine.map(|engine| share(engine).1)
    };
    let kept: Shared<AnyEngine> = dataplane.clone();
    let counters = |_| {
        let mut sum = past.lock().clone();
        add(&mut sum, kept.with(|engine| engine.counters()));
        sum
    };
    let dataplanes: Vec<OwnedDataplane> = vec![Box::new(dataplane)];
    let done = drive(setting, control, dataplanes, factory, &OnceLock::new(), counters, say)?;
    engine::fault(monitor.as_ref())?;
    Ok(done)
}

/// Runs the world with a server beside it.
fn drive<C: Replaceable + 'static>(
    setting: &Setting<'_>,
    control: C,
    mut dataplanes: Vec<OwnedDataplane>,
    mut factory: impl FnMut(&LoadRequest) -> Result<C, String> + Send + 'static,
    world: &OnceLock<Handle>,
    counters: impl FnOnce(Vec<OwnedDataplane>) -> Counters,
    say: impl FnOnce(&[String]) -> Result<(), Failure>,
) -> Result<(Vec<String>, Summary), Failure> {
    let Setting { arguments, socket, ports, options, stop, .. } = *setting;
    let rejected = |error: &dyn std::fmt::Display| Failure::Rejected(error.to_string());
    let ledger = Arc::new(Mutex::new(Ledger::new(control)));
    let output = load::entries(arguments.entries.as_deref(), &mut *ledger.lock())?;
    let stopping = stop.clone();
    let mut plane =
        Plane::new(Arc::clone(&ledger), &arguments.program.program.display().to_string())
            .stopping(move || stopping.raise())
            .logging(|message| eprintln!("control: {message}"));
    let loading = move |request: &LoadRequest| {
        let program = request.path.display().to_string();
        factory(request).map(|control| Loaded { control, program })
    };
    let serve = |plane| Server::start(socket, plane).map_err(|error| rejected(&error));
    let (report, dataplanes) = if ports.iter().all(|port| port.spec.is_files()) {
        // Captures are replayed by this thread with the one dataplane that it has: only one that
        // requests share can be exchanged.
        if arguments.engine != EngineName::Jit {
            plane = plane.loading(loading);
        }
        let server = serve(plane)?;
        say(&output)?;
        let Some(first) = dataplanes.first_mut() else {
            return Err(Failure::Rejected("there is no dataplane".to_owned()));
        };
        let report = pcap::run(ports, &mut **first, stop).map_err(|error| rejected(&error))?;
        drop(server);
        (report, dataplanes)
    } else {
        let open = World::open(ports, options, stop).map_err(|error| rejected(&error))?;
        // The slot is empty: this is the only place that fills it.
        let handle = world.get_or_init(|| open.handle());
        let server =
            serve(plane.loading(loading).with_ports(Arc::new(WorldPorts(handle.clone()))))?;
        say(&output)?;
        let result = open.run(dataplanes).map_err(|error| rejected(&error))?;
        // No request comes in any more.
        drop(server);
        result
    };
    let counters = counters(dataplanes);
    let name = engine::name(arguments.engine);
    let summary = Summary::new(report, name, counters, &mut *ledger.lock());
    Ok((output, summary))
}

/// The native engine's control side, and how its workers are exchanged.
struct Native {
    control: JitControl,
    /// Workers that do not run yet.
    workers: Vec<Worker>,
    world: Arc<OnceLock<Handle>>,
    /// The counters of workers that were replaced.
    past: Arc<Mutex<Counters>>,
}

ww_dataplane::forward_control!(Native, control);

impl Replaceable for Native {
    fn replace(&mut self, new: Self) {
        use ww_dataplane::control::Control;
        self.control.release();
        if let Some(world) = self.world.get() {
            for (n, worker) in new.workers.into_iter().enumerate() {
                let mut next: OwnedDataplane = Box::new(worker);
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

impl Native {
    /// Waits for a replaced worker and keeps its counters.
    fn retire(&self, world: &Handle, n: usize) {
        if let Some(old) = world.retired(n, PATIENCE) {
            add_worker(&mut self.past.lock(), old);
        }
    }
}

fn add_worker(sum: &mut Counters, dataplane: OwnedDataplane) {
    if let Ok(worker) = (dataplane as Box<dyn Any>).downcast::<Worker>() {
        add(sum, worker.counters());
    }
}

/// Compiles another program. The error is the whole message.
fn compile<T: Send + 'static>(
    request: &LoadRequest,
    load: impl FnOnce(&Path, Arc<Program>) -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let define = |text: &String| match text.split_once('=') {
        Some((name, value)) => (name.to_owned(), value.to_owned()),
        None => (text.clone(), "1".to_owned()),
    };
    let options = preprocess::Options {
        include_dirs: request.include.clone(),
        defines: request.define.iter().map(define).collect(),
    };
    let path = request.path.clone();
    let compile = move || {
        let mut compilation = compile_file(&path, &options);
        if compilation.diagnostics.has_errors() {
            compilation.diagnostics.retain(|d| d.severity == Severity::Error);
            let text = compilation.diagnostics.render(&compilation.sources, false);
            return Err(format!("{} is rejected:\n{}", path.display(), text.trim_end()));
        }
        load(&path, Arc::new(compilation.program))
    };
    // The front end needs a deep stack, which the threads of clients do not have.
    let thread = std::thread::Builder::new().name("ww load".into()).stack_size(STACK);
    let thread =
        thread.spawn(compile).map_err(|error| format!("cannot start a thread: {error}"))?;
    let fault = |_| Err(format!("a fault in ww while it read {}", request.path.display()));
    thread.join().unwrap_or_else(fault)
}

/// The ports of a world that runs.
struct WorldPorts(Handle);

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
