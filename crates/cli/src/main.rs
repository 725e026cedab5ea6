//! The `ww` command: argument parsing and printing, nothing else.
//!
//! Exit status: 0 all is well, 1 the input was rejected or a test failed, 2 wrong usage, 3 (`stf`
//! only) not supported.

mod args;
mod bench;
mod block_list;
mod blocks;
mod build;
mod check;
mod clock;
mod clock_args;
mod compare;
mod control;
mod ctl;
mod ctl_args;
mod ctl_text;
mod design_args;
mod engine;
mod lab;
mod lab_args;
mod load;
mod output;
mod phy;
mod phy_args;
mod report;
mod run;
mod sched;
mod sched_args;
mod stf;
mod summary;
mod tpp;
mod tpp_args;
mod trace;

use args::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// Programs nest deeply; the front end bounds how deeply, and this holds it.
pub(crate) const STACK: usize = 512 << 20;

/// What a command ends with if not with success.
pub enum Failure {
    /// The input was rejected; the reason has been or is to be printed.
    Rejected(String),
    /// The command line makes no sense.
    Usage(String),
    /// `stf`: the engine cannot run the program.
    Unsupported(String),
}

impl Failure {
    /// What is told.
    pub fn message(&self) -> &str {
        match self {
            Self::Rejected(message) | Self::Usage(message) | Self::Unsupported(message) => message,
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let work = move || match arguments.command {
        Command::Check(arguments) => check::check(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Stf(arguments) => stf::stf(&arguments),
        Command::Trace(arguments) => trace::trace(&arguments),
        Command::Ctl(arguments) => ctl::ctl(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Report(arguments) => report::report(&arguments),
        Command::Blocks(arguments) => block_list::block_list(&arguments),
        Command::Build(arguments) => build::build(&arguments),
        Command::Clock(arguments) => clock::clock(&arguments),
        Command::Phy(arguments) => phy::phy(&arguments),
        Command::Sched(arguments) => sched::sched(&arguments),
        Command::Lab(arguments) => lab::lab(&arguments),
        Command::Tpp(arguments) => tpp::tpp(&arguments),
    };
    let worker = std::thread::Builder::new().name("ww".into()).stack_size(STACK).spawn(work);
    let result = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(result)) => result,
        // The panic has printed its message.
        Ok(Err(_)) => return ExitCode::from(101),
        Err(error) => Err(Failure::Rejected(format!("cannot start a thread: {error}"))),
    };
    let (code, message) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Rejected(message)) => (1, message),
        Err(Failure::Usage(message)) => (2, message),
        Err(Failure::Unsupported(message)) => (3, message),
    };
    if !message.is_empty() {
        eprintln!("error: {message}");
    }
    ExitCode::from(code)
}
