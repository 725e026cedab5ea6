//! The integration tests of this crate, in one binary: one link instead of many.

mod collection;
mod control;
mod executor;
mod network;
mod shim;
mod shim_cost;
mod udp_executor;
