//! Emitted designs at work: Verilator makes a model of a design, and the model is an engine.
//!
//! - [`tools`] finds Verilator and a C++ compiler; [`compile`] makes models with them, which
//!   [`cache`] keeps; [`model`] loads one.
//! - [`testbench`] moves packets, beat by beat, and [`bus`] words of the control bus.
//! - [`driver`] is the driver of `rtl/driver` with such a bus under it.
//! - [`engine`] makes an engine of all that, and [`load`] one of a program.

pub mod bus;
pub mod cache;
pub mod compile;
mod control;
pub mod driver;
pub mod engine;
mod hardware;
pub(crate) mod layout;
pub mod load;
pub mod model;
pub mod monitor;
pub mod pace;
mod replication;
mod requests;
mod selectors;
pub mod shim;
pub mod testbench;
pub mod tools;

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a design does not run.
#[derive(Debug)]
pub enum Error {
    /// Verilator or a C++ compiler is missing, or too old; the sentence says what to do.
    Tools(String),
    /// A file could not be read or written.
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A tool refused the design.
    Refused {
        /// `Verilator`, ...
        tool: &'static str,
        /// What it printed.
        output: String,
    },
    /// The model is not one of ours or stopped by itself.
    Model(String),
    /// Nothing moved for too many clocks; the sentence has the state.
    Stalled(String),
    /// A request that the hardware cannot fulfil.
    Control(String),
}

impl Error {
    /// For errors about the file at `path`.
    pub(crate) fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_path_buf();
        move |error| Self::File { path, error }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Refused { tool, output } => {
                write!(f, "{tool} refuses the design:\n{}", output.trim_end())
            }
            Self::Tools(text) | Self::Model(text) | Self::Stalled(text) | Self::Control(text) => {
                f.write_str(text)
            }
        }
    }
}

impl std::error::Error for Error {}
