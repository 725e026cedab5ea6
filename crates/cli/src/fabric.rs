//! `ww fabric`: the circuit-switched fabric Shoal.

use crate::Failure;
use crate::fabric_args::{
    EngineArgument, FabricArguments, FabricCommand, FabricReportArguments, FlowsArguments,
    PatternCommand, ScheduleArguments, SimArguments,
};
use crate::fabric_engine::Engine;
use crate::output::{self, print};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufWriter, Write as _};
use std::path::Path;
use ww_fabric::configuration::{Configuration, Options};
use ww_fabric::flows::{self, Flows};
use ww_fabric::offsets::Offsets;
use ww_fabric::report::{Assumptions, Report};
use ww_fabric::schedule::{BadFabric, Schedule, Switches};
use ww_fabric::trace::{self, SentCell};
use ww_fabric::workload::{Application, Arrivals, Pattern, generate};
use ww_fabric::{prototype, workload};
use ww_io::overwrite::Files;

/// The largest file of flows that is read, in bytes.
const MAX_FLOWS: u64 = 4 << 30;

impl From<BadFabric> for Failure {
    fn from(bad: BadFabric) -> Self {
        Self::Usage(bad.to_string())
    }
}

/// Does what the arguments say.
pub fn fabric(arguments: &FabricArguments) -> Result<(), Failure> {
    match &arguments.command {
        FabricCommand::Schedule(arguments) => schedule(arguments),
        FabricCommand::Sim(arguments) => sim(arguments),
        FabricCommand::Matchings(arguments) => matchings(arguments),
        FabricCommand::Flows(arguments) => write_flows(arguments),
        FabricCommand::Report(arguments) => report(arguments),
    }
}

fn schedule(arguments: &ScheduleArguments) -> Result<(), Failure> {
    let ScheduleArguments { hosts, order, channels, leaves, json } = *arguments;
    let schedule = Schedule::new(hosts, order.into(), channels)?;
    let switches = leaves.map(|leaves| Switches::new(&schedule, 0, leaves)).transpose()?;
    let switches = switches.as_ref();
    print(&if json { schedule.json(switches) } else { schedule.table(switches) })
}

/// The flows of a file, if they are for `configuration`.
fn read_flows(path: &Path, configuration: &Configuration) -> Result<Flows, Failure> {
    let fail = |cause: &dyn std::fmt::Display| {
        Failure::Rejected(format!("cannot read '{}': {cause}", path.display()))
    };
    let bytes = fs::metadata(path).map_err(|error| fail(&error))?.len();
    if bytes > MAX_FLOWS {
        return Err(fail(&format!("expected at most {MAX_FLOWS} bytes, found {bytes}")));
    }
    let text = fs::read(path).map_err(|error| fail(&error))?;
    flows::read(&text, configuration.schedule().hosts())
        .and_then(|flows| configuration.accept(flows))
        .map_err(|mistake| Failure::Rejected(format!("{}: {mistake}", path.display())))
}

/// What was asked for.
fn options(arguments: &SimArguments) -> Options {
    Options {
        rules: arguments.rules.map(Into::into),
        profile: arguments.profile.map(Into::into),
        hosts: arguments.hosts,
        order: arguments.order.map(Into::into),
        channels: arguments.channels,
        leaves: None,
        slot_ps: arguments.slot_ns,
        delay_ps: arguments.delay_ns,
        epochs: arguments.epochs,
        warmup: Some(arguments.warmup),
        finish: arguments.finish,
        gate: arguments.gate,
        fail: Some(arguments.fail),
        workers: Some(arguments.workers),
        rotors: (&arguments.rotors).into(),
        flip: arguments.flip,
        flip_seed: arguments.flip_seed,
        kills: arguments.kill.clone(),
        revivals: arguments.revive.clone(),
        repair: arguments.repair,
        cdr_lock_ps: arguments.cdr_lock,
    }
}

fn sim(arguments: &SimArguments) -> Result<(), Failure> {
    let mut files = Files::default();
    files.reads("the flows", &arguments.flows);
    for (option, path) in [("--flows-out", &arguments.flows_out), ("--trace", &arguments.trace)] {
        if let Some(path) = path {
            files.writes(option, path)?;
        }
    }
    // What cannot be run at all is wrong usage, whatever the flows say.
    let options = options(arguments);
    let mut offsets = Offsets::default();
    if arguments.engine == EngineArgument::Rtl {
        offsets = Offsets::new(&arguments.offset, arguments.cdr_lock.unwrap_or(0))?;
        prototype::check(&options, &offsets)?;
    } else if !arguments.offset.is_empty() {
        return Err(Failure::Usage(
            "expected --engine rtl with --offset, as the clocks of the model are perfect; add it or leave --offset out"
                .into(),
        ));
    }
    let configuration = options.configuration()?;
    let flows = read_flows(&arguments.flows, &configuration)?;
    if arguments.engine == EngineArgument::Rtl {
        prototype::check_flows(&flows)?;
    }
    if let Some(warning) = configuration.warning() {
        output::tell(format_args!("warning: {warning}"));
    }
    let mut engine = Engine::new(arguments.engine, &offsets)?;
    let mut run = |trace: Option<trace::Trace<'_>>| engine.run(&configuration, &flows, trace);
    let mut outcome = match &arguments.trace {
        None => run(None)?,
        Some(path) => output::write_stream(path, |file| {
            let mut file = BufWriter::new(file);
            // The first write that fails; the run itself goes on without.
            let mut written = file.write_all(trace::HEADER.as_bytes());
            let outcome = run(Some(&mut |cell: &SentCell| {
                if written.is_ok() {
                    written = write!(file, "{cell}");
                }
            }))?;
            let written = written.and_then(|()| file.flush());
            written.map(|()| outcome).map_err(|error| output::cannot_write(path, &error))
        })?,
    };
    if !arguments.offset.is_empty() {
        outcome.clocks.get_or_insert_default();
    }
    if let Some(path) = &arguments.flows_out {
        let mut text = String::new();
        for flow in &outcome.finished {
            // Writing to a string never fails.
            let _ = write!(text, "{}", flow.line(configuration.slot_ns()));
        }
        output::write_file(path, text.as_bytes())?;
    }
    print(&if arguments.json { format!("{}\n", outcome.figures()) } else { outcome.to_string() })
}

fn matchings(arguments: &SimArguments) -> Result<(), Failure> {
    let configuration = options(arguments).configuration()?;
    let Some(settings) = configuration.rotors() else {
        return Err(Failure::Usage(format!(
            "expected the rules rotornet, opera or vermilion, found {}; change --rules, or see 'ww fabric schedule'",
            configuration.rules()
        )));
    };
    let flows = read_flows(&arguments.flows, &configuration)?.flows;
    print(&format!("{}\n", ww_fabric::rotors::report(settings, &flows)?))
}

fn write_flows(arguments: &FlowsArguments) -> Result<(), Failure> {
    let hosts = arguments.hosts;
    let pattern = match &arguments.pattern {
        PatternCommand::Permutation { pairs, cells } => {
            Pattern::Permutation { pairs: pairs.unwrap_or(hosts), cells: *cells }
        }
        PatternCommand::Incast { senders, cells } => {
            Pattern::Incast { senders: senders.unwrap_or(hosts.saturating_sub(1)), cells: *cells }
        }
        PatternCommand::Random { flows, cells } => Pattern::Random { flows: *flows, cells: *cells },
        PatternCommand::Pareto { flows, load, channels, shape, mean, largest } => Pattern::Pareto {
            flows: *flows,
            shape: *shape,
            mean_bytes: *mean,
            largest_bytes: *largest,
            arrivals: Arrivals::Load { load: *load, channels: *channels },
        },
        PatternCommand::Applications { name, flows, every } => {
            let application = Application::named(name).ok_or_else(|| {
                let names: Vec<&str> = workload::APPLICATIONS.iter().map(|a| a.name).collect();
                let names = names.join(", ");
                Failure::Usage(format!("--name: expected one of {names}, found '{name}'"))
            })?;
            Pattern::Application {
                flows: *flows,
                application,
                arrivals: Arrivals::EverySlots(*every),
            }
        }
    };
    let flows = generate(&pattern, hosts, arguments.seed)?;
    let classes = (!arguments.classes.is_empty())
        .then(|| workload::classes(&arguments.classes, flows.len(), arguments.seed))
        .transpose()?;
    let text = Flows { flows, classes }.text();
    match &arguments.out {
        Some(path) => output::write_file(path, text.as_bytes()),
        None => print(&text),
    }
}

fn report(arguments: &FabricReportArguments) -> Result<(), Failure> {
    let mut assumptions = Assumptions::default();
    for setting in &arguments.set {
        assumptions.set(setting).map_err(|mistake| Failure::Usage(format!("--set: {mistake}")))?;
    }
    let report = Report::new(&assumptions);
    if arguments.json {
        return print(&format!("{:#}\n", report.to_json(&assumptions)));
    }
    print(&report.table())
}
