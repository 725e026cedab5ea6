//! The integration tests of this crate, in one binary: one link instead of many.

mod control;
mod histories;
mod netapps;
mod network;
mod rcp;
mod sketches;
