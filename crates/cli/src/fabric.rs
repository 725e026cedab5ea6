//! `ww fabric`: a fabric of circuit switches.

use crate::Failure;
use crate::fabric_args::{
    FabricArguments, FabricCommand, OrderName, RulesName, ScheduleArguments, SimArguments,
};
use crate::output::{print, stream_file, write_file};
use crate::terminal::waiting;
use std::io;
use ww_fabric::flows::{self, Flow};
use ww_fabric::outcome::Outcome;
use ww_fabric::published::{self, SLOT_NS, Settings};
use ww_fabric::schedule::{Order, Schedule, Switches};
use ww_fabric::trace::{self, Trace};
use ww_io::overwrite::Files;

/// Does what the arguments say.
pub fn fabric(arguments: &FabricArguments) -> Result<(), Failure> {
    match &arguments.command {
        FabricCommand::Schedule(arguments) => schedule(arguments),
        FabricCommand::Sim(arguments) => sim(arguments),
    }
}

fn usage(message: impl ToString) -> Failure {
    Failure::Usage(message.to_string())
}

/// Prints a schedule.
fn schedule(arguments: &ScheduleArguments) -> Result<(), Failure> {
    let order = match arguments.order {
        OrderName::Plain => Order::Plain,
        OrderName::Reordered => Order::Reordered,
    };
    let schedule = Schedule::new(arguments.hosts, order, arguments.channels).map_err(usage)?;
    let switches = arguments.leaves.map(|leaves| Switches::new(&schedule, 0, leaves));
    let switches = switches.transpose().map_err(usage)?;
    print(&if arguments.json {
        schedule.json(switches.as_ref())
    } else {
        schedule.table(switches.as_ref())
    })
}

/// Simulates flows.
fn sim(arguments: &SimArguments) -> Result<(), Failure> {
    let RulesName::Published = arguments.rules;
    let fixed = [
        ("order", arguments.order == OrderName::Plain, "plain"),
        ("channels", arguments.channels == 1, "1"),
        ("delay-ns", arguments.delay_ns == 0.0, "0"),
    ];
    if let Some((option, _, value)) = fixed.iter().find(|(_, holds, _)| !holds) {
        return Err(usage(format!(
            "--{option}: expected {value}, as the rules published have no other; leave the option out"
        )));
    }
    let settings = Settings {
        hosts: arguments.hosts,
        gate: arguments.gate,
        epochs: arguments.epochs,
        finish: arguments.finish,
        fail: arguments.fail,
        warmup: arguments.warmup,
    };
    published::check(&settings, arguments.workers).map_err(usage)?;
    let mut files = Files::default();
    files.reads("the flows", &arguments.flows);
    for (option, path) in [("--flows-out", &arguments.flows_out), ("--trace", &arguments.trace)] {
        if let Some(path) = path {
            files.writes(option, path)?;
        }
    }
    let name = arguments.flows.display();
    let text = std::fs::read(&arguments.flows)
        .map_err(|error| Failure::Rejected(format!("cannot read '{name}': {error}")))?;
    let flows = flows::read(&text, settings.hosts).map_err(|mistake| {
        Failure::Rejected(format!("{name}:{}: {}", mistake.line, mistake.cause))
    })?;
    let bar = waiting(&format!("simulating {} flows", flows.len()));
    let outcome = run(arguments, &settings, &flows);
    bar.finish_and_clear();
    let outcome = outcome?;
    if let Some(path) = &arguments.flows_out {
        let lines = outcome.finished.iter().map(|flow| flow.line(SLOT_NS).to_string());
        write_file(path, lines.collect::<String>().as_bytes())?;
    }
    print(&if arguments.json { format!("{:#}\n", outcome.figures()) } else { outcome.to_string() })
}

/// Runs the flows, with or without a trace.
fn run(arguments: &SimArguments, settings: &Settings, flows: &[Flow]) -> Result<Outcome, Failure> {
    let simulate =
        |trace: Option<Trace<'_>>| published::run(settings, flows, arguments.workers, trace);
    let Some(path) = &arguments.trace else {
        return simulate(None).map_err(|error| Failure::Rejected(error.to_string()));
    };
    stream_file(path, |file| {
        let mut written = file.write_all(trace::HEADER.as_bytes());
        let outcome = simulate(Some(&mut |cell| {
            if written.is_ok() {
                written = write!(file, "{cell}");
            }
        }));
        written.and_then(|()| outcome.map_err(io::Error::other))
    })
}
