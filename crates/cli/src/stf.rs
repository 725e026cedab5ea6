//! `ww stf`

use crate::Failure;
use crate::args::StfArguments;
use crate::output::{counted, print};
use crate::terminal::Compiling;
use std::sync::Arc;
use ww_control::stf;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::pace::Pace;
use ww_runtime::error::{Error, Mistakes};
use ww_runtime::program::{Program, files, text};
use ww_runtime::signals::Ending;
use ww_runtime::{engine, hardware};

/// Runs a test and prints the first difference.
pub fn stf(arguments: &StfArguments) -> Result<(), Failure> {
    let _ending = Ending::new()?;
    let compiling = Compiling::new(&arguments.program.program);
    let program = Program::open(&arguments.program.program, &arguments.program.options())?;
    let path = &arguments.test;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(path, text(path)?, false);
    let test = stf::parse(file, &sources, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(Mistakes::new(path, diagnostics, Arc::new(sources)).into());
    }
    arguments.rtl.check(arguments.engine)?;
    let rtl = arguments.rtl.settings(Pace::Serial, 1, Effort::Quick)?;
    let mut inputs = files(&program.sources);
    arguments.rtl.keep_inputs(inputs.reads("the test", path))?;
    let loaded = engine::load(arguments.engine, &program, Default::default(), &rtl);
    drop(compiling);
    let (mut engine, monitor) = loaded.map_err(|error| match Error::from(error) {
        Error::Unsupported(message) => Failure::Unsupported(message),
        other => other.into(),
    })?;
    let report = match arguments.rtl.pace.is_some_and(|pace| !pace.is_serial()) {
        true => stf::run_together(&test, &mut engine),
        false => stf::run(&test, &mut engine),
    };
    hardware::fault(monitor.as_ref())?;
    for note in &report.notes {
        print(&format!("{note}\n"))?;
    }
    match report.failure {
        None => {
            let (sent, received) =
                (counted(report.packets_in as u64, "packet"), report.packets_out);
            print(&format!("PASS {}: {sent} in, {received} out\n", path.display()))
        }
        Some(failure) => {
            let line = sources.position(failure.span).map_or(0, |at| at.line);
            let statement = sources.snippet(failure.span);
            let mut shown: String = statement.chars().take(100).collect();
            if shown.len() < statement.len() {
                shown.push_str(" ...");
            }
            print(&format!("FAIL {}:{line}: {shown}\n{}\n", path.display(), failure.message))?;
            Err(Failure::Rejected(String::new()))
        }
    }
}
