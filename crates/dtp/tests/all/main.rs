//! The integration tests of this crate, in one binary: one link instead of many.

mod bounds;
mod daemon;
mod faults;
mod true_bound;
