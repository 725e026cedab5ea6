//! Ctrl-C and `kill` as requests to stop.

use crate::error::Error;
use ww_io::stop::{SignalGuard, Stop};

/// A request to stop that SIGINT and SIGTERM make for as long as the guard lives; a second signal ends the process.
///
/// # Errors
/// The process is out of descriptors.
pub fn stop() -> Result<(Stop, SignalGuard), Error> {
    let stop = Stop::new().map_err(Error::failed)?;
    let guard = stop.on_signals().map_err(Error::failed)?;
    Ok((stop, guard))
}
