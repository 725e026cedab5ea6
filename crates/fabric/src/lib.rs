//! Shoal, a fabric of circuit switches (Shrivastav et al., NSDI 2019): hosts that meet each other in a fixed order, one
//! short slot a meeting, and need no other scheduler.
//!
//! - [`schedule`]: who sends to whom in which slot, and what each switch of a folded Clos network does for it.
//! - [`flows`]: what hosts have to send, as a text of one line a flow.
//! - [`outcome`]: what a run has counted, as JSON and as a line a flow.
//!
//! Nothing here reads a clock, a file or a random source.

pub mod flows;
pub mod outcome;
pub mod published;
pub mod schedule;
