//! `ww tcp pair`: the engine and a peer in simulated time.

use super::{MEMORY, window_scale};
use crate::Failure;
use crate::output::print;
use crate::tcp_args::{DirectionName, MemoryName, PairArguments, PeerName};
use ww_tcp::pair::{Memory, Peer, Plan, Scheme, run};
use ww_tcp::settings::{Behaviour, MILLISECOND};

/// Runs the pair and prints what was measured. Status 1 if a byte was wrong or a stream not whole.
pub fn pair(arguments: &PairArguments) -> Result<(), Failure> {
    let sessions = arguments.sessions as usize;
    let mut tcp = Behaviour {
        window_scale: Some(window_scale(arguments.window_scale, sessions, MEMORY)?),
        rto_min: u64::from(arguments.rto_min) * MILLISECOND,
        ..Behaviour::default()
    };
    if arguments.published {
        tcp = tcp.published();
    }
    let plan = Plan {
        peer: match arguments.peer {
            Some(PeerName::Smoltcp) => Peer::Smoltcp,
            Some(PeerName::Model) | None => Peer::Model,
        },
        scheme: if arguments.scheme == 1 { Scheme::Wire } else { Scheme::Stream },
        memory: match arguments.memory {
            MemoryName::Ddr4 => Memory::Ddr4,
            MemoryName::Uram => Memory::Uram,
        },
        segment: arguments.segment,
        sessions,
        bytes: arguments.bytes,
        cycles: arguments.cycles,
        rtt: arguments.rtt,
        impairments: arguments.impair.unwrap_or_default(),
        seed: arguments.seed,
        receive: arguments.direction == DirectionName::Receive,
        tcp,
    };
    let outcome = run(&plan).map_err(Failure::Rejected)?;
    let mut figures = outcome.figures;
    figures["engine"] = "model".into();
    figures["scheme"] = arguments.scheme.into();
    if arguments.json {
        print(&format!("{figures}\n"))?;
    } else {
        let lines: Vec<String> = figures
            .as_object()
            .into_iter()
            .flatten()
            .map(|(name, value)| format!("{name:>18} {value}\n"))
            .collect();
        print(&lines.concat())?;
    }
    if outcome.whole {
        return Ok(());
    }
    Err(Failure::Rejected(format!(
        "{} of the {} delivered bytes are wrong, and of each stream {} bytes were to come",
        figures["wrong_bytes"],
        figures["delivered_bytes"],
        arguments.bytes.unwrap_or(0),
    )))
}
