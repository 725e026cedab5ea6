//! `ww run`

use crate::Failure;
use crate::args::{CoreList, RunArguments};
use crate::output::{is_watched, print, tell};
use crate::summary;
use crate::terminal::{Compiling, Terminal};
use std::num::NonZeroUsize;
use std::sync::Arc;
use ww_io::spec::{PortAssignment, parse_ports};
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::pace::Pace;
use ww_runtime::run::{GATHERED, Run, Settings};
use ww_runtime::signals;

/// Runs a program until its capture files end or somebody stops it, and prints the counters.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let ports = parse_ports(&arguments.ports).map_err(|error| Failure::Usage(error.to_string()))?;
    arguments.rtl.check(arguments.engine)?;
    let settings = Settings {
        program: arguments.program.program.clone(),
        preprocess: arguments.program.options(),
        ports: ports.clone(),
        memory: arguments.memory,
        engine: arguments.engine,
        rtl: arguments.rtl.settings(Pace::Serial, GATHERED, Effort::Fast)?,
        modules: arguments.rtl.design.modules.clone(),
        workers: arguments.workers.and_then(|workers| NonZeroUsize::new(workers.into())),
        cores: arguments.cores.as_ref().map(|CoreList(cores)| cores.clone()),
        entries: arguments.entries.clone(),
        scheduler: arguments.scheduler.clone(),
        tpp: arguments.tpp.clone(),
        control: arguments.control.clone(),
        requests: false,
        check: arguments.check,
    };
    let (stop, _signals) = signals::stop()?;
    let terminal = Arc::new(Terminal::new());
    let compiling = Compiling::new(&arguments.program.program);
    let run = Run::prepare(settings, &stop, Arc::clone(&terminal) as _);
    drop(compiling);
    let run = run?;
    announce(run.output(), arguments, &ports)?;
    let result = run.run();
    terminal.finish();
    let summary = result?;
    print(&match arguments.json {
        true => format!("{:#}\n", summary.json()),
        false => summary::text(&summary),
    })
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
    if is_watched() && !ports.iter().all(|port| port.spec.is_finite()) {
        tell("running until Ctrl-C, which prints the counters");
    }
    Ok(())
}
