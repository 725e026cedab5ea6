//! Transports: what a host does to get an application's bytes to another host.

pub mod dcqcn;
pub mod ndp;
pub mod r2c2;
pub mod tcp;

use crate::network::{Network, queueing};

/// Whether the transports and queues of a network go together.
///
/// # Errors
/// A sentence: what was expected, what was found.
pub fn check(network: &Network) -> Result<(), String> {
    queueing::check(network)?;
    r2c2::check(network)?;
    ndp::check(network)?;
    dcqcn::check(network)
}
