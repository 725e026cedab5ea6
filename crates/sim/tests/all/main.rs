//! The integration tests of this crate, in one binary: one link instead of many.

mod clocks;
mod clos;
mod common;
mod dcqcn;
mod max_min;
mod ndp;
mod network;
mod nodes;
mod r2c2;
mod spraying;
mod stack;
mod switches;
mod tcp;
mod tpp;
