//! The integration tests of this crate, in one binary: one link instead of many.

mod accepted;
mod coverage;
mod differences;
mod engines;
mod faulty;
mod hardware;
mod refused;
