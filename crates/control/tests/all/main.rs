//! The integration tests of this crate, in one binary: one link instead of many.

mod entries;
mod live;
mod p4info;
