//! Transports: what a host does to get an application's bytes to another host.

pub mod r2c2;
pub mod tcp;
