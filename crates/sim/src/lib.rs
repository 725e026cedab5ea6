//! Networks in virtual time.
//!
//! Everything happens in integer picoseconds, on one thread, and is a function of the network, of
//! the traffic and of a seed. Nothing here reads a clock, a socket or a random source.

pub mod line;
pub mod pending;
pub mod random;
