//! The two-level scheduler of `rtl/scheduler` against `ww_sched`'s, and the published experiment.

mod clocks;
pub mod equality;
mod published;
mod reference;
mod timing;
