//! `ww tcp pair`: the engine and a peer in simulated time.

use super::{built_for, window_scale};
use crate::Failure;
use crate::output::print;
use crate::tcp_args::{DirectionName, EngineName, MemoryName, PairArguments, PeerName};
use ww_tcp::pair::{Memory, Peer, Plan, Scheme, run};
use ww_tcp::settings::{Behaviour, MILLISECOND};

/// Runs the pair and prints what was measured. Status 1 if a byte was wrong or a stream not whole.
pub fn pair(arguments: &PairArguments) -> Result<(), Failure> {
    let outcome = match arguments.engine {
        EngineName::Model => {
            run(&plan(arguments, arguments.sessions)?).map_err(Failure::Rejected)?
        }
        EngineName::Rtl => {
            let built = built_for(arguments.sessions as usize)?;
            ww_rtl::toe::pair::run(&plan(arguments, built)?, built)
                .map_err(|error| Failure::Rejected(error.to_string()))?
        }
    };
    let mut figures = outcome.figures;
    figures["engine"] = match arguments.engine {
        EngineName::Model => "model".into(),
        EngineName::Rtl => "rtl".into(),
    };
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

/// A plan for an engine that has room for `built` sessions.
fn plan(arguments: &PairArguments, built: u32) -> Result<Plan, Failure> {
    let scale = window_scale(arguments.window_scale, built as usize)?;
    let mut tcp = Behaviour {
        window_scale: Some(scale),
        rto_min: u64::from(arguments.rto_min) * MILLISECOND,
        ..Behaviour::default()
    };
    if arguments.published {
        tcp = tcp.published();
    }
    let in_hardware = arguments.engine == EngineName::Rtl;
    let peer = match arguments.peer {
        Some(PeerName::Smoltcp) => Peer::Smoltcp,
        Some(PeerName::Rtl) if !in_hardware => {
            return Err(Failure::Usage("--peer rtl: for engine rtl".into()));
        }
        Some(PeerName::Model) => Peer::Model,
        Some(PeerName::Rtl) => Peer::Rtl,
        None if in_hardware => Peer::Rtl,
        None => Peer::Model,
    };
    Ok(Plan {
        peer,
        scheme: if arguments.scheme == 1 { Scheme::Wire } else { Scheme::Stream },
        memory: match arguments.memory {
            MemoryName::Uram => Memory::Uram,
            MemoryName::Ddr4 => Memory::Ddr4,
        },
        segment: arguments.segment,
        sessions: arguments.sessions as usize,
        bytes: arguments.bytes,
        cycles: arguments.cycles,
        rtt: arguments.rtt,
        impairments: arguments.impair.unwrap_or_default(),
        seed: arguments.seed,
        receive: arguments.direction == DirectionName::Receive,
        tcp,
    })
}
