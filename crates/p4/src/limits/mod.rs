//! Limits of programs that hold for every engine: judged once, on the typed IR, before anything is
//! expanded or allocated. Engines refuse what is beyond them, `ww check` warns of it.

mod cells;
mod operations;

pub use cells::{MOST_CELLS, cells};
pub use operations::{MOST_OPERATIONS, operations};

use crate::diagnostic::Diagnostic;
use crate::ir::Program;

/// Whether engines take the program.
///
/// # Errors
/// What is beyond which limit, where, and what to do: an error of [`cells`] or [`operations`].
pub fn judge(program: &Program) -> Result<(), Box<Diagnostic>> {
    match cells(program).or_else(|| operations(program)) {
        Some(found) => Err(Box::new(found)),
        None => Ok(()),
    }
}
