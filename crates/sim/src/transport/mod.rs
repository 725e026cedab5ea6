//! Transports: what a host does to get an application's bytes to another host.

pub mod tcp;
