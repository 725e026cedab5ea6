//! The integration tests of this crate, in one binary: one link instead of many.

mod analysis;
mod dissectors;
mod frames;
mod golden;
mod language;
mod second_reading;
