//! Packet scheduling: ordered lists with eligibility (PIEO), and what is built on them.
//!
//! - [`list`]: the lists. [`list::reference`] is the oracle for all others, in software and hardware.
//! - [`operations`]: the text format of operations on a list, for `ww sched exec` and tests.
//!
//! Nothing here reads a clock, a socket or a random source: times come in as numbers.

pub mod list;
pub mod operations;
