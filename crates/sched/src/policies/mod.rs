//! Policies: each is what it takes to say the order and the times.

pub mod aging;
pub mod drr;
pub mod fair_shaper;
pub mod fifo;
mod finish_times;
pub mod program;
pub mod rcsp;
pub mod sfq;
pub mod stfq;
pub mod strict;
pub mod token_bucket;
pub mod urgency;
pub mod wf2q;
pub mod wf2q_emulation;
pub mod wfq;

use crate::framework::Parameters;

/// The slot of a child in a list of states, which grows as children are configured.
fn slot<S: Default + Clone>(states: &mut Vec<S>, child: usize) -> &mut S {
    if states.len() <= child {
        states.resize(child + 1, S::default());
    }
    &mut states[child]
}

/// Weights of children and their sum.
#[derive(Clone, Debug, Default)]
struct Weights {
    each: Vec<u64>,
    sum: u64,
}

impl Weights {
    fn set(&mut self, child: usize, parameters: &Parameters) {
        let weight = slot(&mut self.each, child);
        self.sum = self.sum.saturating_sub(*weight).saturating_add(parameters.weight);
        *weight = parameters.weight;
    }
}
