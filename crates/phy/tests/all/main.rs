//! The integration tests of this crate, in one binary: one link instead of many.

mod fcs;
mod frames;
mod lanes;
mod line;
mod one_gigabit;
mod rates_example;
mod scrambler;
mod stream;
