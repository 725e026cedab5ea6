//! `ww run`

use crate::args::{CoreList, EngineName, RunArguments};
use crate::blocks::Blocks;
use crate::compare::Comparison;
use crate::control::{self, Setting};
use crate::engine::{NotLoaded, Request};
use crate::output::print;
use crate::summary::Summary;
use crate::{Failure, engine, load, sched};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::any::Any;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use ww_dataplane::control::Control;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_engine::engine::{AnyEngine, Engine};
use ww_engine::interp::{Counters, Interp};
use ww_engine::jit::Worker;
use ww_engine::jit::control::JitControl;
use ww_io::spec::{PortAssignment, parse_ports};
use ww_io::stop::Stop;
use ww_io::world::live::{Options, Pinning, World};
use ww_io::world::{OwnedDataplane, RunError, RunReport, pcap};
use ww_p4::ir::Program;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::monitor::Monitor;
use ww_rtl::runner::pace::Pace;

/// Runs a program until its capture files end or somebody stops it, and prints the counters.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let ports = parse_ports(&arguments.ports).map_err(|error| Failure::Usage(error.to_string()))?;
    let options = options(arguments, &ports)?;
    let path = &arguments.program.program;
    let (sources, program) = load::program(&arguments.program)?;
    load::check_ports(&ports)?;
    let request = Request {
        name: arguments.engine,
        path,
        sources: Some(&sources),
        rtl: &arguments.rtl,
        pace: Pace::Serial,
        gather: engine::GATHERED,
        effort: Effort::Fast,
        options: Default::default(),
    };
    request.check()?;
    let files = ports.iter().all(|port| port.spec.is_files());
    if arguments.check && !files {
        return Err(Failure::Usage("--check is for runs on capture files".to_owned()));
    }
    let blocks = blocks(arguments)?;
    let request = Request { options: blocks.options(), ..request };
    let system = |error: std::io::Error| Failure::Rejected(error.to_string());
    let stop = Stop::new().map_err(system)?;
    let _signals = stop.on_signals().map_err(system)?;
    let say = |output: &[String]| announce(output, arguments, &ports);
    let (output, summary) = if let Some(socket) = &arguments.control {
        let (ports, options) = (&ports, &options);
        let setting = Setting { arguments, socket, ports, options, stop: &stop, blocks: &blocks };
        control::run(&setting, program, say)?
    } else {
        let mut loaded = Loaded::new(&request, Arc::clone(&program), options.workers.get())
            .map_err(Failure::Rejected)?;
        loaded.equip(&blocks).map_err(Failure::Rejected)?;
        let output = load::entries(arguments.entries.as_deref(), loaded.control())?;
        if arguments.check {
            let reference = engine::interp(path, program, blocks.options());
            let mut reference = reference.map_err(Failure::Rejected)?;
            blocks.equip_aside(&mut reference).map_err(Failure::Rejected)?;
            load::entries(arguments.entries.as_deref(), &mut reference)?;
            loaded.compare_with(reference);
        }
        say(&output)?;
        let result = loaded.run(&ports, &options, &stop);
        loaded.verdict(path, arguments.engine)?;
        let (report, counters) = result.map_err(|error| Failure::Rejected(error.to_string()))?;
        let name = engine::name(arguments.engine);
        (output, Summary::new(report, name, counters, loaded.control()))
    };
    let (reports, beyond) = blocks.reports();
    let summary = summary.with_queues(reports, beyond);
    print(&match arguments.json {
        true => summary.json(&output),
        false => summary.text(),
    })
}

/// What the switch has beside the program.
fn blocks(arguments: &RunArguments) -> Result<Blocks, Failure> {
    let is_rtl = arguments.engine == EngineName::Rtl;
    let refused = |message: &str| Err(Failure::Usage(message.to_owned()));
    let mut blocks = Blocks::default();
    if let Some(file) = &arguments.scheduler {
        if is_rtl {
            return refused("engine rtl has the output queues of its design, so no --scheduler");
        }
        blocks = blocks.with_queues(sched::plan(file)?);
    }
    if let Some(file) = &arguments.tpp {
        if is_rtl {
            return refused("engine rtl has no TCPU beside its design, so no --tpp");
        }
        blocks = blocks.with_tcpu(file)?;
    }
    Ok(blocks)
}

/// Before the first packet: what the commands of `--entries` said (with `--json` the report has
/// it), and how a run ends that does not end by itself.
fn announce(
    output: &[String],
    arguments: &RunArguments,
    ports: &[PortAssignment],
) -> Result<(), Failure> {
    if !arguments.json {
        for text in output {
            print(&format!("{text}\n"))?;
        }
    }
    if std::io::stderr().is_terminal() && !ports.iter().all(|port| port.spec.is_finite()) {
        eprintln!("running until Ctrl-C, which prints the counters");
    }
    Ok(())
}

/// The world's options, if they make sense together.
fn options(arguments: &RunArguments, ports: &[PortAssignment]) -> Result<Options, Failure> {
    let workers = usize::from(arguments.workers.unwrap_or(1));
    if workers > 1 && arguments.engine != EngineName::Jit {
        let name = engine::name(arguments.engine);
        return Err(Failure::Usage(format!(
            "engine {name} has one worker; `--engine jit` has as many as `--workers` says"
        )));
    }
    let files = ports.iter().all(|port| port.spec.is_files());
    if files && (arguments.workers.is_some() || arguments.cores.is_some()) {
        return Err(Failure::Usage(
            "capture files are replayed in the order of their time stamps, by one thread; \
             `--workers` and `--cores` are for other ports"
                .into(),
        ));
    }
    let pinning = match &arguments.cores {
        Some(CoreList(cores)) => Pinning::Cores(cores.clone()),
        None if arguments.workers.is_some() => Pinning::Any,
        None => Pinning::None,
    };
    Ok(Options {
        workers: NonZeroUsize::new(workers).unwrap_or(NonZeroUsize::MIN),
        pinning,
        notice: Arc::new(|text| eprintln!("note: {text}")),
    })
}

/// A program, ready to run.
enum Loaded {
    /// In an engine with one worker.
    One(Box<One>),
    /// In the native engine, with more of them.
    Several(Box<JitControl>, Vec<Worker>),
}

/// An engine with one worker.
struct One {
    /// `None` while it runs.
    engine: Option<AnyEngine>,
    /// What tells of a model.
    monitor: Option<Monitor>,
    /// With `--check`.
    comparison: Option<Comparison>,
}

impl Loaded {
    fn new(request: &Request<'_>, program: Arc<Program>, workers: usize) -> Result<Self, String> {
        if workers == 1 {
            let (engine, monitor) = request.load(program).map_err(NotLoaded::message)?;
            let one = One { engine: Some(engine), monitor, comparison: None };
            return Ok(Self::One(Box::new(one)));
        }
        let (control, workers) = engine::workers(request.path, program, workers, request.options)?;
        Ok(Self::Several(Box::new(control), workers))
    }

    fn control(&mut self) -> &mut dyn Control {
        match self {
            Self::One(one) => one.engine.as_mut().expect("nothing runs"),
            Self::Several(control, _) => &mut **control,
        }
    }

    /// Gives an engine with one worker its blocks.
    fn equip(&mut self, blocks: &Blocks) -> Result<(), String> {
        match self {
            Self::One(one) => one.engine.iter_mut().try_for_each(|engine| blocks.equip(engine)),
            Self::Several(..) => Ok(()),
        }
    }

    /// Has all packets go through the reference engine, too.
    fn compare_with(&mut self, reference: Interp) {
        if let Self::One(one) = self {
            one.comparison = Some(Comparison::new(reference));
        }
    }

    /// Whether the model stopped, or sent something else than the reference engine.
    fn verdict(&self, path: &Path, name: EngineName) -> Result<(), Failure> {
        let Self::One(one) = self else { return Ok(()) };
        engine::fault(one.monitor.as_ref())?;
        match one.comparison.as_ref().and_then(Comparison::difference) {
            None => Ok(()),
            Some(difference) => Err(Failure::Rejected(format!(
                "{}: engine {} and engine interp do not send the same: {difference}",
                path.display(),
                name.word(),
            ))),
        }
    }

    /// Runs the world on this thread and as many more as there are workers.
    fn run(
        &mut self,
        ports: &[PortAssignment],
        options: &Options,
        stop: &Stop,
    ) -> Result<(RunReport, Counters), RunError> {
        let One { engine, comparison, .. } = match self {
            Self::One(one) => &mut **one,
            Self::Several(_, workers) => {
                let world = World::open(ports, options, stop)?;
                let workers = std::mem::take(workers).into_iter();
                let dataplanes = workers.map(|worker| Box::new(worker) as OwnedDataplane);
                let (report, dataplanes) = world.run(dataplanes.collect())?;
                let mut sum = Counters::default();
                for dataplane in dataplanes {
                    if let Ok(worker) = (dataplane as Box<dyn Any>).downcast::<Worker>() {
                        add(&mut sum, worker.counters());
                    }
                }
                return Ok((report, sum));
            }
        };
        if ports.iter().all(|port| port.spec.is_files()) {
            let engine = engine.as_mut().expect("nothing runs");
            let mut watched =
                Watched { engine, comparison: comparison.as_mut(), bar: progress(), packets: 0 };
            let result = pcap::run(ports, &mut watched, stop);
            watched.bar.finish_and_clear();
            return result.map(|report| (report, engine.counters()));
        }
        let world = World::open(ports, options, stop)?;
        let dataplane: OwnedDataplane = Box::new(engine.take().expect("nothing runs"));
        let (report, dataplanes) = world.run(vec![dataplane])?;
        for dataplane in dataplanes {
            *engine = (dataplane as Box<dyn Any>).downcast().ok().map(|engine| *engine);
        }
        let counters = engine.as_ref().expect("it was put back").counters();
        Ok((report, counters))
    }
}

/// Adds the counters of another worker.
pub fn add(sum: &mut Counters, other: Counters) {
    let Counters { received, transmitted, dropped, parser_rejects, digests_lost, tpp } = other;
    sum.received += received;
    sum.transmitted += transmitted;
    for (reason, count) in dropped {
        *sum.dropped.entry(reason).or_default() += count;
    }
    sum.parser_rejects += parser_rejects;
    sum.digests_lost += digests_lost;
    if let Some(counters) = tpp {
        sum.tpp.get_or_insert_default().add(counters);
    }
}

/// A line that counts packets, on a terminal.
fn progress() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let template = "{spinner} {human_pos} packets, {per_sec}, {elapsed}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The engine with somebody who counts.
struct Watched<'e> {
    engine: &'e mut AnyEngine,
    comparison: Option<&'e mut Comparison>,
    bar: ProgressBar,
    packets: u64,
}

/// Packets between two updates of the progress line.
const UPDATE: u64 = 256;

impl Dataplane for Watched<'_> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.packets += 1;
        if self.packets.is_multiple_of(UPDATE) {
            self.bar.set_position(self.packets);
        }
        let begin = out.len();
        self.engine.receive(port, now, frame, out);
        if let Some(comparison) = &mut self.comparison {
            comparison.receive(port, now, frame);
            comparison.sent(&out[begin..]);
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let begin = out.len();
        self.engine.advance(now, out);
        if let Some(comparison) = &mut self.comparison {
            comparison.advance(now);
            comparison.sent(&out[begin..]);
        }
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.engine.next_event()
    }
}
