//! The worlds in which a lab is run.

mod clocks;
mod fabric;
pub mod netns;
mod pair;
pub mod sim;
mod tpp;

use crate::lab::Planned;
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

/// The progress of a lab that is one of several: a point of a sweep, a try on fresh seeds. Its runs follow one another.
pub struct PartWatch<'w> {
    place: usize,
    runs: f64,
    watch: &'w dyn Watch,
}

impl<'w> PartWatch<'w> {
    /// The lab at a place among those that `watch` looks on.
    pub fn new(place: usize, planned: &Planned, watch: &'w dyn Watch) -> Self {
        let runs = planned.variants.iter().map(|variant| variant.plan.run.seeds).sum::<u32>();
        Self { place, runs: runs.into(), watch }
    }
}

impl Watch for PartWatch<'_> {
    fn progress(&self, run: usize, share: f64) {
        self.watch.progress(self.place, (run as f64 + share) / self.runs);
    }

    fn stopped(&self) -> bool {
        self.watch.stopped()
    }
}

/// Does not look.
impl Watch for () {
    fn progress(&self, _run: usize, _share: f64) {}

    fn stopped(&self) -> bool {
        false
    }
}
