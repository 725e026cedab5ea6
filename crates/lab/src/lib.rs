//! Labs: a network, what is sent in it, what is measured and what is expected, in one file.
//!
//! [`file`] reads a lab's TOML so that every mistake is found at once, [`plan`] resolves it, [`inspect`] tells all that is
//! wrong with it and its other files.

pub mod expect;
pub mod file;
pub mod inspect;
pub mod lab;
pub mod plan;
pub mod programs;
pub mod report;
pub mod results;
pub mod rows;
pub mod seeds;
pub mod starter;
pub mod sweep;
pub mod world;
