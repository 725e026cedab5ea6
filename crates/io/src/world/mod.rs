//! Worlds: they give a dataplane its wires and its time.
//!
//! [`pcap`] replays capture files as fast as it can, in virtual time; [`live`]
//! attaches Linux interfaces, in real time. [`run`] takes the one that suits the
//! ports.

mod clock;
mod cores;
mod counters;
mod exits;
mod files;
mod handle;
pub mod live;
mod outbox;
mod paced;
pub mod pcap;
mod report;
mod worker;

pub(crate) use counters::PortCounters;
pub use counters::WorkerReport;
pub use handle::{Handle, OwnedDataplane, ReplaceError};
pub use report::{Output, PortReport, RunReport, Traffic};

use crate::capture::{CaptureError, OutputError};
use crate::live::PortError;
use crate::spec::PortAssignment;
use crate::stop::Stop;
use std::fmt;
use std::io;
use ww_dataplane::Dataplane;

/// Why a run could not start or did not end well.
#[derive(Debug)]
pub enum RunError {
    /// A capture could not be read.
    Capture(CaptureError),
    /// A capture could not be written.
    Output(OutputError),
    /// An interface could not be opened.
    Port(PortError),
    /// The run was stopped before its end, and its output files were discarded.
    Interrupted,
    /// The system refused something that every run needs.
    System(io::Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capture(error) => error.fmt(f),
            Self::Output(error) => error.fmt(f),
            Self::Port(error) => error.fmt(f),
            Self::Interrupted => f.write_str("interrupted; no output file was written"),
            Self::System(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<CaptureError> for RunError {
    fn from(error: CaptureError) -> Self {
        Self::Capture(error)
    }
}

impl From<OutputError> for RunError {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<PortError> for RunError {
    fn from(error: PortError) -> Self {
        Self::Port(error)
    }
}

impl From<io::Error> for RunError {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Runs a dataplane on the given ports: in the [`pcap`] world when all are files,
/// in the [`live`] world otherwise, with one worker.
pub fn run(
    ports: &[PortAssignment],
    dataplane: &mut dyn Dataplane,
    stop: &Stop,
) -> Result<RunReport, RunError> {
    if ports.iter().all(|port| port.spec.is_files()) {
        pcap::run(ports, dataplane, stop)
    } else {
        live::run(ports, dataplane, stop)
    }
}
