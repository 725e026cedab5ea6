//! `ww stf`

use crate::args::StfArguments;
use crate::engine::{NotLoaded, Request};
use crate::output::{counted, print, print_diagnostics};
use crate::{Failure, engine, load};
use ww_control::stf;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::pace::Pace;

/// Runs a test and prints the first difference.
pub fn stf(arguments: &StfArguments) -> Result<(), Failure> {
    let (program_sources, program) = load::program(&arguments.program)?;
    let path = &arguments.test;
    let mut sources = SourceMap::new();
    let mut diagnostics = Diagnostics::new();
    let file = sources.add(path, load::text(path)?, false);
    let test = stf::parse(file, &sources, &mut diagnostics);
    if diagnostics.has_errors() {
        print_diagnostics(&diagnostics, &sources);
        return Err(load::rejected(path, &diagnostics));
    }
    let request = Request {
        name: arguments.engine,
        path: &arguments.program.program,
        sources: Some(&program_sources),
        rtl: &arguments.rtl,
        pace: Pace::Serial,
        gather: 1,
        effort: Effort::Quick,
        options: Default::default(),
    };
    request.check()?;
    let (mut engine, monitor) = request.load(program).map_err(|error| match error {
        NotLoaded::Unsupported(message) => Failure::Unsupported(message),
        NotLoaded::Failed(message) => Failure::Rejected(message),
    })?;
    let report = match arguments.rtl.pace.is_some_and(|pace| !pace.is_serial()) {
        true => stf::run_together(&test, &mut engine),
        false => stf::run(&test, &mut engine),
    };
    engine::fault(monitor.as_ref())?;
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
