//! The worlds in which a lab is run.

mod clocks;
pub mod netns;
pub mod sim;
mod tpp;

use crate::plan::Program;
use ww_dataplane::Dataplane;

/// Loads programs: what an engine needs is known to the layer above.
pub trait Programs: Sync {
    /// A program with its entries and its scheduler, ready to take packets.
    ///
    /// # Errors
    /// What is wrong with it; may take several lines.
    fn load(&self, program: &Program) -> Result<Box<dyn Dataplane>, String>;
}

/// Loads none.
impl Programs for () {
    fn load(&self, program: &Program) -> Result<Box<dyn Dataplane>, String> {
        Err(format!("'{}': nothing here runs programs", program.file.display()))
    }
}

/// Looks on while a lab runs. Called by several threads.
pub trait Watch: Sync {
    /// The progress of a run, 0 to 1.
    fn progress(&self, run: usize, share: f64);
    /// Whether the runs shall end now.
    fn stopped(&self) -> bool;
}

/// Does not look.
impl Watch for () {
    fn progress(&self, _run: usize, _share: f64) {}

    fn stopped(&self) -> bool {
        false
    }
}
