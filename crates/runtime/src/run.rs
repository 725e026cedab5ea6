//! A dataplane on ports: prepared from settings, and run until its capture files end or somebody stops it.

use crate::comparison::Comparison;
use crate::control::{Native, Parts, Side, WorldPorts, compile};
use crate::engine::{self, EngineName};
use crate::entries;
use crate::error::Error;
use crate::hardware::{self, RtlSettings};
use crate::past::Past;
use crate::program::{Program, files};
use crate::summary::Summary;
use crate::switch_blocks::{Blocks, plan};
use crate::watcher::Watcher;
use parking_lot::Mutex;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use ww_control::live::{Client, Ledger, LoadRequest, Loaded, Plane, Replaceable, Server, share};
use ww_dataplane::control::{self, Answer, Request};
use ww_dataplane::queues::QueueStatistics;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_engine::engine::AnyEngine;
use ww_io::frame_memory::DEFAULT_MEMORY;
use ww_io::overwrite::Overwrite;
use ww_io::spec::PortAssignment;
use ww_io::stop::{Ends, Stop};
use ww_io::world::live::{Options, Pinning, World};
use ww_io::world::{Handle, OwnedDataplane, pcap};
use ww_p4::architecture;
use ww_p4::preprocess;
use ww_rtl::runner::monitor::Monitor;

/// Frames from capture files that engine rtl gathers at another pace than serial.
pub const GATHERED: usize = 64;

/// Packets between two that a [`Watcher`] hears of.
const UPDATE: u64 = 256;

/// What is to be run.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The P4 program.
    pub program: PathBuf,
    /// How it is read.
    pub preprocess: preprocess::Options,
    /// The ports.
    pub ports: Vec<PortAssignment>,
    /// Bytes that the frames of all memory ports may take together; [`DEFAULT_MEMORY`] if nothing is said.
    pub memory: Option<u64>,
    /// What executes the program.
    pub engine: EngineName,
    /// Of engine rtl.
    pub rtl: RtlSettings,
    /// The files that the design's own modules came from.
    pub modules: Vec<PathBuf>,
    /// Number of threads, each with its own flows and pinned to a core; one that is not pinned if nothing is said.
    pub workers: Option<NonZeroUsize>,
    /// The cores that workers get, in their order.
    pub cores: Option<Vec<usize>>,
    /// Runtime commands of BMv2 to carry out before the first packet.
    pub entries: Option<PathBuf>,
    /// A policy file, for queues at the output ports.
    pub scheduler: Option<PathBuf>,
    /// A settings file, for a switch that executes TPPs.
    pub tpp: Option<PathBuf>,
    /// A Unix socket for requests while it runs.
    pub control: Option<PathBuf>,
    /// Requests of the own process, for [`Run::client`].
    pub requests: bool,
    /// Has all packets go through the reference engine too, and fails at the first that leaves otherwise.
    pub check: bool,
}

impl Settings {
    fn is_files(&self) -> bool {
        self.ports.iter().all(|port| port.spec.is_files())
    }

    fn takes_requests(&self) -> bool {
        self.requests || self.control.is_some()
    }

    /// Whether the settings make sense together, whatever the program is.
    ///
    /// # Errors
    /// The first contradiction.
    pub fn check(&self) -> Result<(), Error> {
        let refuse = |message: &str| Err(Error::Usage(message.to_owned()));
        let workers = self.workers.map_or(1, NonZeroUsize::get);
        if workers > 1 && self.engine != EngineName::Jit {
            return Err(Error::Usage(format!(
                "engine {} has one worker; `--engine jit` has as many as `--workers` says",
                self.engine
            )));
        }
        if self.ports.is_empty() {
            return refuse("a dataplane needs a port");
        }
        if self.is_files() && (self.workers.is_some() || self.cores.is_some()) {
            return refuse(
                "capture files are replayed in the order of their time stamps, by one thread; \
                 `--workers` and `--cores` are for other ports",
            );
        }
        if self.check && !self.is_files() {
            return refuse("--check is for runs on capture files");
        }
        if self.check && self.takes_requests() {
            return refuse("--check and --control exclude each other");
        }
        if self.workers.is_some() && (self.scheduler.is_some() || self.tpp.is_some()) {
            return refuse("--scheduler and --tpp are for one worker, without --workers");
        }
        if self.engine == EngineName::Rtl && self.scheduler.is_some() {
            return refuse("engine rtl has the output queues of its design, so no --scheduler");
        }
        if self.engine == EngineName::Rtl && self.tpp.is_some() {
            return refuse("engine rtl has no TCPU beside its design, so no --tpp");
        }
        Ok(())
    }

    /// Refuses outputs that are inputs.
    fn keep_inputs(&self, program: &Program) -> Result<(), Overwrite> {
        let mut files = files(&program.sources);
        for (what, path) in [
            ("the file of --entries", &self.entries),
            ("the file of --scheduler", &self.scheduler),
            ("the file of --tpp", &self.tpp),
        ] {
            path.iter().for_each(|path| _ = files.reads(what, path));
        }
        self.modules.iter().for_each(|path| _ = files.reads("a file of --module", path));
        for port in &self.ports {
            let what = || format!("the input of port {}", port.port);
            port.spec.input().into_iter().for_each(|path| _ = files.reads(what(), path));
        }
        if let Some(path) = &self.rtl.waveform {
            files.writes("--waveform", path)?;
        }
        for port in &self.ports {
            if let Some(path) = port.spec.output() {
                files.writes(&format!("the output of port {}:", port.port), path)?;
            }
        }
        Ok(())
    }

    /// What the switch has beside the program.
    fn blocks(&self) -> Result<Blocks, Error> {
        let mut blocks = Blocks::default();
        if let Some(file) = &self.scheduler {
            blocks = blocks.with_queues(plan(file)?);
        }
        if let Some(file) = &self.tpp {
            blocks = blocks.with_tcpu(file)?;
        }
        Ok(blocks)
    }

    fn world(&self, watcher: &Arc<dyn Watcher>) -> Options {
        let watcher = Arc::clone(watcher);
        Options {
            workers: self.workers.unwrap_or(NonZeroUsize::MIN),
            pinning: match &self.cores {
                Some(cores) => Pinning::Cores(cores.clone()),
                None if self.workers.is_some() => Pinning::Any,
                None => Pinning::None,
            },
            notice: Arc::new(move |text| watcher.note(text)),
            memory: self.memory.unwrap_or(DEFAULT_MEMORY),
        }
    }
}

/// Refuses port numbers that a program cannot name. A program of no known architecture is refused by its engine.
///
/// # Errors
/// The first such port.
pub fn check_ports(ports: &[PortAssignment], program: &Program) -> Result<(), Error> {
    let Some(known) = architecture::ports_of(&program.ir) else { return Ok(()) };
    match ports.iter().find(|port| !known.has(port.port.into())) {
        None => Ok(()),
        Some(port) => Err(Error::Failed(format!("port {}: {known}", port.port))),
    }
}

/// A dataplane that is ready: its program is loaded, its entries are installed, its ports are open, and requests are
/// answered.
pub struct Run {
    settings: Settings,
    stop: Stop,
    watcher: Arc<dyn Watcher>,
    blocks: Blocks,
    output: Vec<String>,
    dataplanes: Vec<OwnedDataplane>,
    comparison: Option<Comparison>,
    /// What tells of a model.
    monitor: Option<Monitor>,
    /// `None`: all ports are capture files, which are opened when it runs.
    world: Option<World>,
    server: Option<Server>,
    end: Box<dyn End>,
}

/// What is left of a dataplane at its end.
trait End: Send {
    fn summary(
        self: Box<Self>,
        report: ww_io::world::RunReport,
        engine: EngineName,
        dataplanes: Vec<OwnedDataplane>,
    ) -> Result<Summary, Error>;
}

struct Ending<C> {
    side: Side<C>,
    /// What became of the packets of dataplanes that were replaced.
    past: Arc<Past>,
}

impl<C: Replaceable> End for Ending<C> {
    fn summary(
        self: Box<Self>,
        report: ww_io::world::RunReport,
        engine: EngineName,
        dataplanes: Vec<OwnedDataplane>,
    ) -> Result<Summary, Error> {
        let Self { mut side, past } = *self;
        dataplanes.into_iter().for_each(|mut dataplane| past.add(&mut *dataplane));
        let statistics = past.sum().map_err(Error::failed)?;
        side.with(|control| Summary::new(report, engine.word(), statistics, control))
            .map_err(Error::failed)
    }
}

impl Run {
    /// Loads the program, installs its entries, opens its ports and begins to answer requests. `stop` ends the run.
    ///
    /// # Errors
    /// Settings that make no sense, files that are wrong, a program that the engine does not run, ports that cannot be opened.
    pub fn prepare(
        settings: Settings,
        stop: &Stop,
        watcher: Arc<dyn Watcher>,
    ) -> Result<Self, Error> {
        settings.check()?;
        let ends = stop.ends();
        let program = Program::open(&settings.program, &settings.preprocess)?;
        check_ports(&settings.ports, &program)?;
        settings.keep_inputs(&program)?;
        let blocks = settings.blocks()?;
        let preparation =
            Preparation { settings, stop: stop.clone(), ends, watcher, blocks, monitor: None };
        match preparation.settings.engine {
            EngineName::Jit => preparation.native(&program),
            EngineName::Interp | EngineName::Rtl => preparation.shared(&program),
        }
    }

    /// What the commands of the entries' file printed.
    pub fn output(&self) -> &[String] {
        &self.output
    }

    /// A client in the own process, if the settings ask for requests.
    ///
    /// # Errors
    /// They do not, or the system refused.
    pub fn client(&self) -> Result<Client, Error> {
        match &self.server {
            Some(server) => server.client().map_err(Error::failed),
            None => Err(Error::Usage("this dataplane takes no requests".to_owned())),
        }
    }

    /// A handle to live ports while it runs; `None` if all ports are capture files.
    pub fn handle(&self) -> Option<Handle> {
        self.world.as_ref().map(World::handle)
    }

    /// Runs to the end, on this thread and as many more as there are further workers.
    ///
    /// # Errors
    /// Ports or files failed, the model of engine rtl did, or the engines do not send the same.
    pub fn run(self) -> Result<Summary, Error> {
        let Self { settings, mut dataplanes, mut comparison, .. } = self;
        let result = match (self.world, dataplanes.first_mut()) {
            (Some(world), _) => world.run(dataplanes),
            (None, Some(first)) => {
                let (watcher, comparison) = (&*self.watcher, comparison.as_mut());
                let mut watched =
                    Watched { dataplane: &mut **first, comparison, watcher, packets: 0 };
                let result = pcap::run(&settings.ports, &mut watched, &self.stop);
                result.map(|report| (report, dataplanes))
            }
            (None, None) => return Err(Error::Failed("there is no dataplane".to_owned())),
        };
        // No request comes in any more.
        drop(self.server);
        hardware::fault(self.monitor.as_ref())?;
        if let Some(difference) = comparison.as_ref().and_then(Comparison::difference) {
            return Err(Error::Failed(format!(
                "{}: engine {} and engine interp do not send the same: {difference}",
                settings.program.display(),
                settings.engine,
            )));
        }
        let (report, dataplanes) = result.map_err(Error::failed)?;
        let mut dataplanes = dataplanes;
        let queues = match (self.blocks.has_queues(), dataplanes.first_mut()) {
            // With queues there is one worker.
            (true, Some(dataplane)) => queues(&mut **dataplane).map_err(Error::failed)?,
            _ => QueueStatistics::default(),
        };
        let summary = self.end.summary(report, settings.engine, dataplanes)?;
        Ok(Summary { output: self.output, queues, ..summary })
    }
}

fn queues(dataplane: &mut dyn Dataplane) -> Result<QueueStatistics, control::Error> {
    dataplane.handle(Request::QueueStatistics {})?.try_into()
}

/// Settings on the way to a run.
struct Preparation {
    settings: Settings,
    stop: Stop,
    /// A signal ends the process until ports are opened.
    ends: Ends,
    watcher: Arc<dyn Watcher>,
    blocks: Blocks,
    monitor: Option<Monitor>,
}

impl Preparation {
    /// The native engine: its requests go to a control side of its own, which packets never wait for.
    fn native(self, program: &Program) -> Result<Run, Error> {
        let past = Arc::new(Past::default());
        let world = Arc::new(OnceLock::new());
        let (blocks, count) = (self.blocks.clone(), self.settings.workers);
        let count = count.map_or(1, NonZeroUsize::get);
        let load = move |program: &Program| -> Result<_, Error> {
            let (control, mut workers) = engine::workers(program, blocks.options(), count)?;
            // With blocks there is one.
            if let [worker] = &mut workers[..] {
                blocks.equip(worker).map_err(Error::Failed)?;
            }
            Ok((control, workers))
        };
        let (sum, handles) = (Arc::clone(&past), Arc::clone(&world));
        let native = move |(jit, workers)| Native::new(jit, workers, &handles, &sum);
        let mut control = native(load(program)?);
        let dataplanes = control.take_workers();
        let factory = move |request: &LoadRequest| Ok(native(compile(request, load.clone())?));
        let parts = Parts { control, dataplanes, past };
        self.ready(program, parts, factory, &world)
    }

    /// The other engines: packets and requests take turns.
    fn shared(mut self, program: &Program) -> Result<Run, Error> {
        let (name, blocks) = (self.settings.engine, self.blocks.clone());
        let mut rtl = self.settings.rtl.clone();
        if self.settings.takes_requests() {
            // A frame that is held back would be missing from the counters that are asked for.
            rtl.gather = 1;
        }
        let (mut engine, monitor) = engine::load(name, program, blocks.options(), &rtl)?;
        blocks.equip(&mut engine).map_err(Error::Failed)?;
        self.monitor = monitor;
        let past = Arc::new(Past::default());
        let (dataplane, control) = share(engine);
        let sum = Arc::clone(&past);
        let control = control.on_retire(move |mut old: AnyEngine| sum.add(&mut old));
        let factory = move |request: &LoadRequest| {
            let blocks = blocks.clone();
            let engine = compile(request, move |program| {
                let rtl = RtlSettings::default();
                let (mut engine, _) = engine::load(name, program, blocks.options(), &rtl)?;
                blocks.equip(&mut engine).map_err(Error::Failed)?;
                Ok(engine)
            });
            engine.map(|engine| share(engine).1)
        };
        let dataplanes: Vec<OwnedDataplane> = vec![Box::new(dataplane)];
        let parts = Parts { control, dataplanes, past };
        self.ready(program, parts, factory, &OnceLock::new())
    }

    fn ready<C: Replaceable + 'static>(
        self,
        program: &Program,
        parts: Parts<C>,
        mut factory: impl FnMut(&LoadRequest) -> Result<C, String> + Send + 'static,
        slot: &OnceLock<Handle>,
    ) -> Result<Run, Error> {
        let Self { settings, stop, ends, watcher, blocks, monitor } = self;
        let Parts { control, dataplanes, past } = parts;
        let mut side = match settings.takes_requests() {
            true => Side::Kept(Arc::new(Mutex::new(Ledger::new(control).map_err(Error::failed)?))),
            false => Side::Plain(control),
        };
        let entries = settings.entries.as_deref();
        let output = side.with(|control| entries::load(entries, control, &*watcher))?;
        let mut comparison = None;
        if settings.check {
            let mut reference = engine::interp(program, blocks.options())?;
            blocks.equip(&mut reference).map_err(Error::Failed)?;
            // What there is to say of the entries has been said.
            entries::load(entries, &mut reference, &())?;
            comparison = Some(Comparison::new(reference));
        }
        drop(ends);
        let world = match settings.is_files() {
            true => None,
            false => {
                let options = settings.world(&watcher);
                Some(World::open(&settings.ports, &options, &stop).map_err(Error::failed)?)
            }
        };
        if let Some(world) = &world {
            // The slot is empty: this is the only place that fills it.
            slot.get_or_init(|| world.handle());
        }
        let mut server = None;
        if let Side::Kept(ledger) = &side {
            let (stopping, telling) = (stop.clone(), Arc::clone(&watcher));
            let mut plane = Plane::new(Arc::clone(ledger), &program.path.display().to_string())
                .stopping(move || stopping.raise())
                .logging(move |message| telling.control(message));
            // Captures are replayed by this thread with the one dataplane that it has: only one that
            // requests share can be exchanged.
            if world.is_some() || settings.engine != EngineName::Jit {
                plane = plane.loading(move |request: &LoadRequest| {
                    let program = request.path.display().to_string();
                    factory(request).map(|control| Loaded { control, program })
                });
            }
            if let Some(world) = &world {
                plane = plane.with_ports(Arc::new(WorldPorts(world.handle())));
            }
            let started = match &settings.control {
                Some(socket) => Server::start(socket, plane),
                None => Server::local(plane),
            };
            server = Some(started.map_err(Error::failed)?);
        }
        let end = Box::new(Ending { side, past });
        Ok(Run {
            settings,
            stop,
            watcher,
            blocks,
            output,
            dataplanes,
            comparison,
            monitor,
            world,
            server,
            end,
        })
    }
}

/// A dataplane on capture files with somebody who counts, and somebody who compares.
struct Watched<'w> {
    dataplane: &'w mut dyn Dataplane,
    comparison: Option<&'w mut Comparison>,
    watcher: &'w dyn Watcher,
    packets: u64,
}

impl Dataplane for Watched<'_> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.packets += 1;
        if self.packets.is_multiple_of(UPDATE) {
            self.watcher.packets(self.packets);
        }
        let begin = out.len();
        self.dataplane.receive(port, now, frame, out);
        if let Some(comparison) = &mut self.comparison {
            comparison.receive(port, now, frame);
            comparison.sent(&out[begin..]);
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let begin = out.len();
        self.dataplane.advance(now, out);
        if let Some(comparison) = &mut self.comparison {
            comparison.advance(now);
            comparison.sent(&out[begin..]);
        }
    }

    fn status(&self) -> Status {
        self.dataplane.status()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, ww_dataplane::control::Error> {
        self.dataplane.handle(request)
    }
}
