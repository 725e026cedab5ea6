//! Hazards: what a pipeline that executes each instruction in the stage of its address cannot do in order.

use super::{Bytes, Footprint, Target, states};
use crate::instruction::Opcode;
use crate::map::Stages;
use crate::packet::Repr;
use std::collections::BTreeSet;
use std::fmt;

/// Why two instructions must not be in one TPP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Cause {
    /// They share a word of packet memory, one of them writes it, and the stage of the second comes first.
    Word,
    /// The first is a CEXEC, and the stage of the second comes first.
    Guard,
    /// The first writes the word that says where the second, a LOADI, reads.
    Address,
}

/// Two instructions that a pipeline cannot execute in program order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hazard {
    /// The number of the instruction that comes first, from 0.
    pub earlier: usize,
    /// The number of the other.
    pub later: usize,
    /// Why.
    pub cause: Cause,
    /// The stages of both.
    pub stages: (u16, u16),
}

impl fmt::Display for Hazard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (earlier, later, (a, b)) = (self.earlier + 1, self.later + 1, self.stages);
        match self.cause {
            Cause::Word => write!(
                f,
                "instructions {earlier} (stage {a}) and {later} (stage {b}) share a word of packet memory"
            ),
            Cause::Guard => write!(
                f,
                "instruction {earlier} (stage {a}) guards instruction {later} of an earlier stage ({b})"
            ),
            Cause::Address => write!(
                f,
                "instruction {earlier} (stage {a}) writes the address that instruction {later} reads from"
            ),
        }
    }
}

/// The hazards of a TPP, at any hop.
pub fn hazards(tpp: &Repr, stages: &Stages) -> BTreeSet<Hazard> {
    let mut found = BTreeSet::new();
    states::visit(tpp, |state| {
        let mut steps: Vec<(usize, &Footprint, u16)> = Vec::new();
        for (later, footprint) in state.footprints.iter().enumerate() {
            let Some(footprint) = footprint else { continue };
            let stage = stage(footprint, tpp, stages);
            for (earlier, first, at) in &steps {
                if let Some(cause) = conflict(first, *at, footprint, stage) {
                    found.insert(Hazard { earlier: *earlier, later, cause, stages: (*at, stage) });
                }
            }
            steps.push((later, footprint, stage));
        }
    });
    found
}

/// The stage of an instruction: of a LOADI, that of the address it has at first.
pub(crate) fn stage(footprint: &Footprint, tpp: &Repr, stages: &Stages) -> u16 {
    match footprint.target {
        Target::At(address) => stages.of(address),
        Target::Word(slot) => slot.address(tpp).map_or(0, |address| stages.of(address)),
    }
}

/// Whether `later`, in stage `later_at`, may not be in one TPP with `earlier`, in stage `at`.
pub(crate) fn conflict(
    earlier: &Footprint,
    at: u16,
    later: &Footprint,
    later_at: u16,
) -> Option<Cause> {
    if let Target::Word(slot) = later.target
        && slot.bytes.overlaps(&earlier.writes)
    {
        return Some(Cause::Address);
    }
    if at <= later_at {
        return None;
    }
    if earlier.opcode == Opcode::Cexec {
        return Some(Cause::Guard);
    }
    let touched = |f: &Footprint| -> Bytes {
        let mut all = f.reads;
        all.add(&f.writes);
        all
    };
    let shared =
        earlier.writes.overlaps(&touched(later)) || later.writes.overlaps(&touched(earlier));
    shared.then_some(Cause::Word)
}
