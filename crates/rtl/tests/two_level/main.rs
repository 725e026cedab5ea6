//! The two-level scheduler of `rtl/scheduler` against `ww_sched`'s, and the published experiment.

mod equality;
mod published;
mod reference;
