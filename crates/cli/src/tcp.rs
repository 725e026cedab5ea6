//! `ww tcp`: the TCP/IP engine.

mod drill;
mod equal;
mod host;
mod pair;
mod report;

use crate::Failure;
use crate::tcp_args::{TcpArguments, TcpCommand};
use ww_tcp::settings::MEMORY;

/// The window scale if none is asked for.
const SCALE: u8 = 8;

/// Sessions for which hardware is built.
const BUILDS: [u32; 3] = [64, 1_024, 10_000];

/// Does what the arguments say.
pub fn tcp(arguments: &TcpArguments) -> Result<(), Failure> {
    match &arguments.command {
        TcpCommand::Drill(arguments) => drill::drill(arguments),
        TcpCommand::Equal(arguments) => equal::equal(arguments),
        TcpCommand::Host(arguments) => host::host(arguments),
        TcpCommand::Pair(arguments) => pair::pair(arguments),
        TcpCommand::Report(arguments) => report::report(arguments),
    }
}

/// The window scale: what is asked for, if the memory has room for it, else the usual one or the most that it has room
/// for.
fn window_scale(asked: Option<u8>, sessions: usize) -> Result<u8, Failure> {
    let mebibytes = MEMORY >> 20;
    let largest = ww_tcp::settings::largest_scale(MEMORY, sessions).ok_or_else(|| {
        Failure::Usage(format!(
            "--sessions {sessions}: two buffers of 64 KiB each do not fit into {mebibytes} MiB; expected at most {}",
            MEMORY >> 17
        ))
    })?;
    match asked {
        Some(asked) if asked > largest => Err(Failure::Usage(format!(
            "--window-scale {asked}: two buffers of 64 KiB << {asked} for each of {sessions} sessions do not fit into \
             {mebibytes} MiB; expected at most {largest}"
        ))),
        Some(asked) => Ok(asked),
        None => Ok(largest.min(SCALE)),
    }
}

/// Sessions of the smallest hardware that is built and has so many.
fn built_for(sessions: usize) -> Result<u32, Failure> {
    BUILDS.into_iter().find(|built| *built as usize >= sessions).ok_or_else(|| {
        Failure::Usage(format!(
            "--sessions {sessions}: engine rtl is built for {} at most",
            BUILDS[BUILDS.len() - 1]
        ))
    })
}
