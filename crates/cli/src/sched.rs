//! `ww sched`: ordered lists and schedulers.

mod bench;
mod check;
mod exec;
mod report;

use crate::Failure;
use crate::sched_args::{SchedArguments, SchedCommand};

/// Does what the arguments say.
pub fn sched(arguments: &SchedArguments) -> Result<(), Failure> {
    match &arguments.command {
        SchedCommand::Exec(arguments) => exec::exec(arguments),
        SchedCommand::Check(arguments) => check::check(arguments),
        SchedCommand::Bench(arguments) => bench::bench(arguments),
        SchedCommand::Report(arguments) => report::report(arguments),
    }
}
