//! The integration tests of this crate, in one binary: one link instead of many.

mod analysis;
mod control;
mod dissectors;
mod executor;
mod frames;
mod golden;
mod language;
mod rcp;
mod second_reading;
mod shim;
mod shim_cost;
mod sketches;
