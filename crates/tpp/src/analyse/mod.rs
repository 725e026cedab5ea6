//! What a TPP can do, decided before it is sent: which addresses it accesses, whether rules permit that,
//! whether a pipeline executes it as the golden model does, how long that takes.
//!
//! Programs run straight through, so all of it follows from the bytes, for every hop.

pub mod asic_run;
mod footprint;
pub mod hazard;
pub mod latency;
mod states;
pub mod verify;

pub(crate) use footprint::{Bytes, Footprint, Target};

use crate::header::HEADER_LENGTH;
use crate::instruction::INSTRUCTION_LENGTH;
use crate::map::Range;
use crate::packet::Repr;
use crate::protection::Operation;
use std::collections::BTreeSet;

/// What a TPP accesses at any hop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Accesses {
    /// Every access: instruction (from 0), operation, address.
    pub all: BTreeSet<(usize, Operation, u16)>,
    /// LOADI instructions whose address the TPP may overwrite before it is used, so that nobody can say
    /// what they read.
    pub overwritten: BTreeSet<usize>,
    /// Instructions with an operand that is outside of packet memory at every hop.
    pub outside: BTreeSet<usize>,
}

impl Accesses {
    /// What the TPP accesses from its hop number on, however many switches follow.
    pub fn of(tpp: &Repr) -> Self {
        let mut found = Self::default();
        let mut inside = BTreeSet::new();
        states::visit(tpp, |state| {
            let mut written = state.written;
            for (number, footprint) in state.footprints.iter().enumerate() {
                let Some(footprint) = footprint else { continue };
                inside.insert(number);
                match footprint.target {
                    Target::At(address) => {
                        for operation in footprint.operations() {
                            found.all.insert((number, operation, address));
                        }
                    }
                    Target::Word(slot) => {
                        if written.overlaps(&slot.bytes) {
                            found.overwritten.insert(number);
                        }
                        if let Some(address) = slot.address(tpp) {
                            found.all.insert((number, Operation::Read, address));
                        }
                    }
                }
                written.add(&footprint.writes);
            }
        });
        found.outside = (0..tpp.instructions.len()).filter(|n| !inside.contains(n)).collect();
        found
    }

    /// The addresses of one operation as ranges, in order.
    pub fn ranges(&self, operation: Operation) -> Vec<Range> {
        let addresses: BTreeSet<u16> =
            self.all.iter().filter(|access| access.1 == operation).map(|access| access.2).collect();
        let mut ranges: Vec<Range> = Vec::new();
        for address in addresses {
            match ranges.last_mut() {
                Some(last) if last.1.checked_add(1) == Some(address) => last.1 = address,
                _ => ranges.push((address, address)),
            }
        }
        ranges
    }
}

/// Bytes that a TPP adds to a packet: `12 + 4 I + w V H`, for `instructions` (I), `values` a hop (V) of
/// `word` bytes (w), and `hops` (H).
pub const fn overhead(instructions: usize, values: usize, word: usize, hops: usize) -> usize {
    HEADER_LENGTH + INSTRUCTION_LENGTH * instructions + word * values * hops
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paper's sums: 3 values of 16 bits over 5 hops (section 2.1) and over 10 (section 2.3).
    #[test]
    fn check_1_overhead_of_54_and_84_bytes() {
        assert_eq!(overhead(3, 3, 2, 5), 54);
        assert_eq!(overhead(3, 3, 2, 10), 84);
    }
}
