//! The integration tests of this crate, in one binary: one link instead of many.

mod bmv2_commands;
mod entries;
mod json_entries;
mod live;
mod p4info;
