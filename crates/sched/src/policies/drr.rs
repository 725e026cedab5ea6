//! Deficit round robin (dissertation, section 2.3, S3; Shreedhar and Varghese 1995).

use super::slot;
use crate::framework::{Head, Parameters, Policy, Sent, Stamp};

/// All ranks are equal, so ties give the round. A visit adds the quantum to the deficit and lasts while
/// the next packet fits it.
#[derive(Debug, Default)]
pub struct DeficitRoundRobin {
    children: Vec<State>,
}

#[derive(Clone, Debug, Default)]
struct State {
    quantum: u64,
    /// Deficit counter, bytes. It may be negative, if a packet was longer than announced.
    deficit: i64,
    visited: bool,
}

impl Policy for DeficitRoundRobin {
    fn configure(&mut self, child: usize, parameters: &Parameters) {
        slot(&mut self.children, child).quantum = parameters.quantum.max(1);
    }

    fn pre_enqueue(&mut self, _child: usize, _head: &Head, _now: u64) -> Stamp {
        Stamp::always(1)
    }

    fn may_send(&mut self, child: usize, head: &Head) -> bool {
        let state = &mut self.children[child];
        if !state.visited {
            state.deficit = state.deficit.saturating_add_unsigned(state.quantum);
        }
        self.stays(child, head)
    }

    fn post_dequeue(&mut self, child: usize, sent: &Sent, _now: u64) {
        self.children[child].deficit -= i64::from(sent.bytes);
    }

    fn stays(&mut self, child: usize, head: &Head) -> bool {
        let state = &mut self.children[child];
        state.visited = i64::from(head.packet.bytes) <= state.deficit;
        state.visited
    }

    fn emptied(&mut self, child: usize) {
        let state = &mut self.children[child];
        (state.deficit, state.visited) = (state.deficit.min(0), false);
    }
}
