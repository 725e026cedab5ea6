//! The TCPU between ingress and queues ([`ww_tpp::switch`]): what both engines share.

use crate::arch::Unsupported;
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::{Picoseconds, PortId};
use ww_tpp::switch::tables::Tables;
use ww_tpp::switch::{Arrival, Carried, Config, NoWord, Tcpu};

/// What blocks of the switch know of a packet, beside the program.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// Where it came in.
    pub input_port: PortId,
    /// Its TPP.
    pub tpp: Option<Carried>,
    /// The queue that it is in.
    pub queue: u32,
    /// The bytes with which it joined that.
    pub joined: u32,
}

impl Passage {
    /// Of a frame that came in here.
    pub fn new(input_port: PortId, tpp: Option<Carried>) -> Self {
        Self { input_port, tpp, ..Self::default() }
    }

    /// Bytes that the packet is longer on the wire than what the program sees.
    pub fn extra(&self) -> u32 {
        self.tpp.as_ref().map_or(0, Carried::extra)
    }
}

/// What comes in: the frame that the program sees, and its TPP. `None` if it is to be dropped.
pub fn arrive(
    tcpu: Option<&mut Tcpu>,
    (port, now): (PortId, Picoseconds),
    frame: &[u8],
) -> Option<(Vec<u8>, Option<Carried>)> {
    let mut frame = frame.to_vec();
    let mut tpp = Carried::default();
    match tcpu.map_or(Arrival::Plain, |tcpu| tcpu.arrive(port, now, &mut frame, &mut tpp)) {
        Arrival::Plain => Some((frame, None)),
        Arrival::Outside => None,
        Arrival::Carries { begin } => Some((frame.split_off(begin), Some(tpp))),
    }
}

/// A TCPU for a program with so many tables.
///
/// # Errors
/// The engine was not made for one.
pub fn make(config: Config, tables: usize, is_prepared: bool) -> Result<Box<Tcpu>, Unsupported> {
    if !is_prepared {
        return Err(Unsupported::new("the engine was loaded without a TCPU"));
    }
    Ok(Box::new(Tcpu::new(config, u16::try_from(tables).unwrap_or(u16::MAX))))
}

/// Carries out a request for the TPP address space of a switch with such tables.
///
/// # Errors
/// There is no TCPU, the request is about something else, or the address has no such word.
pub fn handle<T: Tables>(
    tcpu: Option<&mut Tcpu>,
    tables: &T,
    request: Request,
) -> Result<Answer, Error> {
    let invalid = |no_word: NoWord| Error::Invalid { message: no_word.to_string() };
    match (tcpu, request) {
        (Some(tcpu), Request::TppRead { addresses }) => {
            tcpu.read(&addresses, tables).map(Answer::from).map_err(invalid)
        }
        (Some(tcpu), Request::TppWrite { address, value }) => {
            tcpu.write(address, value, tables).map(Answer::from).map_err(invalid)
        }
        (Some(_), other) => Err(other.refused_by("a TCPU")),
        (None, other) => Err(other.refused_by("a switch without a TCPU")),
    }
}
