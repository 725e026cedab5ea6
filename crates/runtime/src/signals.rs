//! Ctrl-C and `kill` as requests to stop.

use crate::error::Error;
use ww_io::stop::{Ends, SignalGuard, Stop};

/// A request to stop that SIGINT and SIGTERM make for as long as the guard lives; a second signal ends the process.
///
/// # Errors
/// The process is out of descriptors.
pub fn stop() -> Result<(Stop, SignalGuard), Error> {
    let stop = Stop::new().map_err(Error::failed)?;
    let guard = stop.on_signals().map_err(Error::failed)?;
    Ok((stop, guard))
}

/// Has SIGINT and SIGTERM end the process with status 1 as long as it lives: for commands that compute and print.
pub struct Ending {
    ends: Ends,
    signals: SignalGuard,
}

impl Ending {
    /// # Errors
    /// The process is out of descriptors.
    pub fn new() -> Result<Self, Error> {
        let (stop, signals) = stop()?;
        Ok(Self { ends: stop.ends(), signals })
    }

    /// From now on signals are ignored, so that what is written is written whole.
    pub fn hold(self) -> SignalGuard {
        drop(self.ends);
        self.signals
    }
}
