//! Packet scheduling: ordered lists with eligibility (PIEO), and what is built on them.
//!
//! - [`list`]: the lists. [`list::reference`] is the oracle for all others, in software and hardware.
//! - [`operations`]: the text format of operations on a list, for `ww sched exec` and tests.
//! - [`framework`]: flow queues, hierarchies, and what a policy is; [`policies`]: those we have.
//! - [`policy_file`]: hierarchies of policies as TOML.
//! - [`traffic`]: the traffic manager, between ingress and egress of a program.
//! - [`rate`]: how fast the lists are, beside others.
//! - [`report`]: policies measured beside what was published, and their gallery.
//!
//! Nothing here reads a clock, a socket or a random source: times come in as numbers.

pub mod framework;
pub mod list;
pub mod operations;
pub mod policies;
pub mod policy_file;
pub mod rate;
pub mod report;
pub mod traffic;
