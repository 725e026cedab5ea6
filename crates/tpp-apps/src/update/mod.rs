//! Fast update (spec 003, section 2.20): one TPP writes a route into each switch that it passes, so that all of a path have
//! it when the packet reaches its end, half a round-trip time after it was sent.
//!
//! Switches have [`ww_tpp::switch::routes`] for it. At each hop the TPP reads what the route leads to ([`target`], with its
//! version), and only if that is what it was made for, it writes address and mask, and then exchanges the target in one
//! step. Repeating it does nothing, and a TPP that is overtaken by a newer one does not undo that.
//!
//! The paper has 64 bits a hop for address and mask, and none for the next hop; here it is 160, with the guard.

pub mod agent;
pub mod lab;

use serde::{Deserialize, Serialize};
use ww_tpp::header::{Mode, WordSize, flag};
use ww_tpp::instruction::{Instruction, MASK_ALL_ONES, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;
use ww_tpp::switch::routes::{ROUTES, STRIDE, target};

/// Words of a hop: what was found, what is to be there, address, mask, and the new target.
const WORDS: usize = 5;

/// What a switch is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// What the route leads to now, as [`target`] has it; 0 if nobody has written it.
    pub old: u32,
    /// IPv4 address.
    pub address: u32,
    /// Bits of it that count.
    pub mask: u32,
    /// The port; [`ww_tpp::switch::routes::NO_PORT`] withdraws the route.
    pub port: u16,
}

impl Change {
    /// What the route leads to then: the next version, never 0.
    pub const fn new_target(&self) -> u32 {
        let next = (self.old >> 16) as u16 % u16::MAX + 1;
        target(next, self.port)
    }
}

/// What a hop has done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The route is there, now or since an earlier try.
    Done,
    /// Something else was there, and is still.
    Other(u32),
}

/// The TPP that makes changes hop by hop, of route `route` of a stage. `None` for an unknown stage or route, and
/// for more than 12 hops, which a TPP has no memory for.
pub fn program(stage: u16, route: u16, changes: &[Change], app_tag: u8) -> Option<Repr> {
    if route >= ROUTES {
        return None;
    }
    let register = |k: u16| map::lookup(&format!("Stage{stage}:Reg{}", STRIDE * route + k)).ok();
    let (address, mask, target) = (register(0)?, register(1)?, register(2)?);
    let words = changes.iter().flat_map(|c| [0, c.old, c.address, c.mask, c.new_target()]);
    let tpp = Repr {
        mode: Mode::Hop,
        word: WordSize::Four,
        marks: flag::REPORT_BACK,
        hop_length: 4 * WORDS as u8,
        app_tag,
        instructions: vec![
            Instruction::new(Opcode::Load, target, 0, 0),
            Instruction::new(Opcode::Cexec, target, MASK_ALL_ONES, 1),
            Instruction::new(Opcode::Store, address, 2, 0),
            Instruction::new(Opcode::Store, mask, 3, 0),
            Instruction::new(Opcode::Cstore, target, 1, 4),
        ],
        memory: words.flat_map(u32::to_be_bytes).collect(),
        ..Repr::default()
    };
    tpp.check().is_ok().then_some(tpp)
}

/// What the hops have done with these changes, from the returned TPP: one outcome for each hop that executed it.
pub fn outcomes(tpp: &Repr, changes: &[Change]) -> Vec<Outcome> {
    let words: Vec<u32> = tpp.words().collect();
    let hops = words.chunks_exact(WORDS).take(tpp.hop.into());
    hops.zip(changes)
        .map(|(hop, change)| match (hop[0], hop[1]) {
            // Already there, or read and exchanged.
            (found, _) if found == change.new_target() => Outcome::Done,
            (found, stored) if found == change.old && stored == change.old => Outcome::Done,
            (found, stored) => Outcome::Other(if found == change.old { stored } else { found }),
        })
        .collect()
}
