//! How fairly pairs of hosts share a fabric: the cells of each beside its max-min fair rate.
//!
//! A host sends and receives half as many cells as it has slots with a peer, as each cell takes a detour: that is the
//! capacity from which [`ww_sim::max_min`] computes the rates. Direct cells leave some of it over, so pairs may get more. The
//! flows of a pair share one ring and count once.

use crate::flows::Flow;
use crate::schedule::Schedule;
use crate::trace::SentCell;
use std::collections::BTreeMap;
use ww_sim::max_min;

/// The cells of pairs from some slot on. See the module.
#[derive(Clone, Debug)]
pub struct Shares {
    begin: u64,
    /// By source and destination.
    cells: BTreeMap<(usize, usize), u64>,
}

impl Shares {
    /// Of the pairs that have flows, from slot `begin` on.
    pub fn new(flows: &[Flow], begin: u64) -> Self {
        let pair = |flow: &Flow| ((flow.src as usize, flow.dst as usize), 0);
        Self { begin, cells: flows.iter().map(pair).collect() }
    }

    /// Counts a cell that is sent, if that is its last hop.
    pub fn count(&mut self, cell: &SentCell) {
        if cell.to == cell.dst && cell.slot >= self.begin {
            *self.cells.entry((cell.src, cell.dst)).or_default() += 1;
        }
    }

    /// What each pair got until slot `end`, as a fraction of its fair rate, if all have cells to send at all times.
    ///
    /// # Errors
    /// A fair rate is not bounded: there are no slots.
    pub fn fractions(&self, schedule: &Schedule, end: u64) -> Result<Vec<f64>, max_min::Unbounded> {
        let hosts = schedule.hosts();
        let capacity = hosts as f64 / 2.0 / schedule.slots() as f64;
        let pairs: Vec<_> =
            self.cells.keys().map(|(src, dst)| max_min::Flow::over([*src, hosts + *dst])).collect();
        let fair = max_min::rates(&vec![capacity; 2 * hosts], &pairs)?;
        let slots = end.saturating_sub(self.begin) as f64;
        Ok(self
            .cells
            .values()
            .zip(fair)
            .map(|(cells, fair)| *cells as f64 / slots / fair)
            .collect())
    }
}
