//! `ww tcp`: the TCP/IP engine.

mod drill;
mod host;
mod pair;

use crate::Failure;
use crate::tcp_args::{TcpArguments, TcpCommand};

/// Memory that the buffers of all sessions share, in bytes.
const MEMORY: u64 = 4 << 30;

/// Does what the arguments say.
pub fn tcp(arguments: &TcpArguments) -> Result<(), Failure> {
    match &arguments.command {
        TcpCommand::Drill(arguments) => drill::drill(arguments),
        TcpCommand::Host(arguments) => host::host(arguments),
        TcpCommand::Pair(arguments) => pair::pair(arguments),
    }
}

/// The window scale: what is asked for, if the memory has room for it, else 8 or the most that it has room for.
fn window_scale(asked: Option<u8>, sessions: usize) -> Result<u8, Failure> {
    let largest = ww_tcp::settings::largest_scale(MEMORY, sessions).ok_or_else(|| {
        Failure::Usage(format!(
            "--sessions {sessions}: two buffers of 64 KiB each do not fit into 4 GiB; expected at most 32768"
        ))
    })?;
    match asked {
        Some(asked) if asked > largest => Err(Failure::Usage(format!(
            "--window-scale {asked}: two buffers of 64 KiB << {asked} for each of {sessions} sessions do not fit into 4 \
             GiB; expected at most {largest}"
        ))),
        Some(asked) => Ok(asked),
        None => Ok(largest.min(8)),
    }
}
