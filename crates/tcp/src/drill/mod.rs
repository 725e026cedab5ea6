//! Scripts that judge a TCP: packetdrill's language over the engine, in simulated time. What `ww tcp drill` runs.
//!
//! A script says what comes in, what the application calls and what is to go out, and when. Expected is what Linux 6
//! does. [`parse`](parse::parse) reads a script, [`run`] carries it out.

mod calls;
mod commands;
mod packets;
pub mod parse;
mod run;
pub mod script;
mod sockets;
mod symbols;

pub use run::{Options, run, run_on};
use std::fmt;

/// Why a script does not pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Something else happened than the script says.
    Failed {
        /// The line, from 1.
        line: usize,
        /// What the script says.
        expected: String,
        /// What happened.
        got: String,
    },
    /// The script wants something that is not there.
    Unsupported {
        /// The line, from 1.
        line: usize,
        /// What.
        what: String,
    },
    /// The engine cannot be had, or was stopped.
    Stopped(String),
    /// The script is no script.
    Broken {
        /// The line, from 1.
        line: usize,
        /// What was expected and what was found.
        problem: String,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed { line, expected, got } => {
                write!(f, "{line}: expected {expected}, got {got}")
            }
            Self::Stopped(what) => write!(f, "0: the engine: {what}"),
            Self::Unsupported { line, what } => write!(f, "{line}: not supported: {what}"),
            Self::Broken { line, problem } => write!(f, "{line}: {problem}"),
        }
    }
}
