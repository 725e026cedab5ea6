//! Cuts of the steps: packets and requests.

use super::Shrinker;
use crate::case::{Case, Step};

impl Shrinker<'_> {
    /// Leaves out runs of steps, long ones first.
    pub(super) fn drop_steps(&mut self) {
        let mut length = self.best.steps.len();
        while length > 0 {
            // From the end: what comes after the difference is the first to go.
            let mut end = self.best.steps.len();
            while end > 0 {
                let mut steps = self.best.steps.clone();
                steps.drain(end.saturating_sub(length)..end);
                let program = self.best.program.clone();
                self.try_case(Case { program, steps });
                end = end.saturating_sub(length).min(self.best.steps.len());
            }
            length /= 2;
        }
    }

    /// Shorter packets with more zeros, ports and times of zero.
    pub(super) fn simplify_steps(&mut self) {
        for n in 0..self.best.steps.len() {
            let Step::Packet { bytes, .. } = self.best.steps[n].clone() else { continue };
            self.edit(n, |step| {
                if let Step::Packet { port, .. } = step {
                    *port = 0;
                }
            });
            self.edit(n, |step| {
                if let Step::Packet { at, .. } = step {
                    *at = 0;
                }
            });
            let mut cut = bytes.len();
            while cut > 0 {
                while self.edit(n, |step| {
                    if let Step::Packet { bytes, .. } = step {
                        bytes.truncate(bytes.len().saturating_sub(cut));
                    }
                }) {}
                cut /= 2;
            }
            self.zero_bytes(n);
        }
    }

    fn zero_bytes(&mut self, n: usize) {
        let Step::Packet { bytes, .. } = self.best.steps[n].clone() else { return };
        let mut length = bytes.len();
        while length > 0 {
            for start in (0..bytes.len()).step_by(length) {
                self.edit(n, |step| {
                    if let Step::Packet { bytes, .. } = step {
                        let end = (start + length).min(bytes.len());
                        bytes[start..end].fill(0);
                    }
                });
            }
            length /= 2;
        }
    }

    /// Tries a change of one step.
    fn edit(&mut self, n: usize, change: impl Fn(&mut Step)) -> bool {
        let mut case = self.best.clone();
        change(&mut case.steps[n]);
        case != self.best && times_rise(&case) && self.try_case(case)
    }
}

/// Whether times never decrease, as engines may rely on.
fn times_rise(case: &Case) -> bool {
    let times = case.steps.iter().filter_map(|s| match s {
        Step::Packet { at, .. } => Some(*at),
        Step::Request(_) => None,
    });
    times.is_sorted()
}
