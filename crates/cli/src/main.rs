//! The `ww` command: argument parsing and printing, nothing else.
//!
//! Exit status: 0 all is well, 1 the input was rejected or a test failed, 2 wrong usage, 3 (`stf`
//! only) not supported.

mod args;
mod bench;
mod block_list;
mod build;
mod check;
mod clock;
mod clock_args;
mod ctl;
mod ctl_args;
mod ctl_text;
mod design_args;
mod fabric;
mod fabric_args;
mod fabric_engine;
mod foreign_options;
mod lab;
mod lab_args;
mod output;
mod phy;
mod phy_args;
mod report;
mod run;
mod sched;
mod sched_args;
mod stf;
mod summary;
mod tcp;
mod tcp_args;
mod terminal;
mod tpp;
mod tpp_args;
mod trace;

use args::{Arguments, Command};
use clap::Parser;
use std::borrow::Cow;
use std::process::ExitCode;
use ww_io::overwrite::Overwrite;
use ww_runtime::deep_stack::{self, Lost};
use ww_runtime::error::{Error, Mistakes};

/// What a command ends with if not with success.
pub enum Failure {
    /// The input was rejected; the reason has been or is to be printed.
    Rejected(String),
    /// A file was rejected: all that is wrong with it.
    Mistakes(Box<Mistakes>),
    /// The command line makes no sense.
    Usage(String),
    /// `stf`: the engine cannot run the program.
    Unsupported(String),
}

impl Failure {
    /// What is told.
    pub fn message(&self) -> Cow<'_, str> {
        match self {
            Self::Rejected(message) | Self::Usage(message) | Self::Unsupported(message) => {
                Cow::Borrowed(message)
            }
            Self::Mistakes(mistakes) => Cow::Owned(mistakes.to_string()),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::Usage(message) => Self::Usage(message),
            Error::Mistakes(mistakes) => Self::Mistakes(mistakes),
            // `stf` alone has a status of its own for it.
            Error::Unsupported(message) | Error::Failed(message) => Self::Rejected(message),
        }
    }
}

impl From<Overwrite> for Failure {
    fn from(overwrite: Overwrite) -> Self {
        Self::Usage(overwrite.to_string())
    }
}

impl From<Mistakes> for Failure {
    fn from(mistakes: Mistakes) -> Self {
        Self::Mistakes(Box::new(mistakes))
    }
}

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let arguments = Arguments::try_parse()
        .unwrap_or_else(|error| foreign_options::explain(error, &words).exit());
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
        Command::Fabric(arguments) => fabric::fabric(&arguments),
        Command::Tcp(arguments) => tcp::tcp(&arguments),
    };
    let result = match deep_stack::run("ww", work) {
        Ok(result) => result,
        // The panic has printed its message.
        Err(Lost::Panicked) => return ExitCode::from(101),
        Err(Lost::NoThread(message)) => Err(Failure::Rejected(message)),
    };
    let (code, message) = match result {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Rejected(message)) => (1, message),
        Err(Failure::Mistakes(mistakes)) => {
            output::print_diagnostics(&mistakes.diagnostics, &mistakes.sources);
            (1, mistakes.message)
        }
        Err(Failure::Usage(message)) => (2, message),
        Err(Failure::Unsupported(message)) => (3, message),
    };
    if !message.is_empty() {
        output::tell(format_args!("error: {message}"));
    }
    ExitCode::from(code)
}
