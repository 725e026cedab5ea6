//! The integration tests of this crate, in one binary: one link instead of many.

mod clocks;
mod clos;
mod digest;
mod fabric;
mod histories;
mod lossless;
mod netns_links;
mod pair;
mod plan;
mod r2c2;
mod sketch;
mod stacks;
mod starter;
mod tpp;
mod tpp_silent;
