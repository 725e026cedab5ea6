//! `ww tcp drill`: the engine judged by a script.

use crate::Failure;
use crate::tcp_args::{DrillArguments, EngineName};
use std::fs;
use ww_rtl::toe::HardwareEndpoint;
use ww_rtl::toe::equal::SHAPE;
use ww_tcp::drill::{Options, Problem, run, run_on};

/// Runs the script. Silent if it passes.
pub fn drill(arguments: &DrillArguments) -> Result<(), Failure> {
    let name = arguments.script.display();
    let bytes = fs::read(&arguments.script)
        .map_err(|error| Failure::Rejected(format!("{name}: cannot read: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = error.as_bytes()[..error.utf8_error().valid_up_to()]
            .iter()
            .filter(|byte| **byte == b'\n')
            .count()
            + 1;
        Failure::Rejected(format!("{name}:{line}: expected UTF-8, found another byte"))
    })?;
    let options = Options { tolerance: arguments.tolerance * 1_000, seed: arguments.seed };
    let outcome = match arguments.engine {
        EngineName::Model => run(&text, &options),
        EngineName::Rtl => run_on(&text, &options, |settings| {
            let host = HardwareEndpoint::new(SHAPE, settings).map_err(|error| error.to_string())?;
            Ok(Box::new(host))
        }),
    };
    outcome.map_err(|problem| match problem {
        Problem::Unsupported { .. } => Failure::Unsupported(format!("{name}:{problem}")),
        _ => Failure::Rejected(format!("{name}:{problem}")),
    })
}
