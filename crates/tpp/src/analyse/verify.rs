//! Whether an application may send a TPP.

use super::Accesses;
use crate::map;
use crate::packet::Repr;
use crate::protection::{Operation, Protection};
use std::fmt;

/// What is against sending it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Violation {
    /// No rule permits an access.
    NotAllowed {
        /// The number of the instruction, from 0.
        instruction: usize,
        /// What it does.
        operation: Operation,
        /// With which address.
        address: u16,
    },
    /// A LOADI whose address the TPP may overwrite before it is used.
    AddressOverwritten {
        /// The number of the instruction, from 0.
        instruction: usize,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAllowed { instruction, operation, address } => {
                let (number, what) = (instruction + 1, map::describe(*address));
                write!(f, "instruction {number}: no rule lets the application {operation} {what}")
            }
            Self::AddressOverwritten { instruction } => {
                let number = instruction + 1;
                write!(
                    f,
                    "instruction {number}: the TPP may overwrite the address that this LOADI reads from"
                )
            }
        }
    }
}

/// Judges a TPP by the rules of its application tag, at whatever hop it is.
///
/// # Errors
/// All violations.
pub fn verify(tpp: &Repr, rules: &Protection) -> Result<(), Vec<Violation>> {
    let accesses = Accesses::of(tpp);
    let overwritten = accesses.overwritten.iter();
    let mut found: Vec<Violation> =
        overwritten.map(|&instruction| Violation::AddressOverwritten { instruction }).collect();
    for &(instruction, operation, address) in &accesses.all {
        if !rules.allows(tpp.app_tag, operation, address) {
            found.push(Violation::NotAllowed { instruction, operation, address });
        }
    }
    if found.is_empty() { Ok(()) } else { Err(found) }
}
