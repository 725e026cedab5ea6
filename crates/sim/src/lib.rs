//! Networks in virtual time.
//!
//! Everything happens in integer picoseconds, on one thread, and is a function of the network, of
//! the traffic and of a seed. Nothing here reads a clock, a socket or a random source.

pub mod clock;
pub mod forwarder;
pub mod frame;
pub mod line;
pub mod lookup;
pub mod max_min;
pub mod measure;
pub mod network;
pub mod nodes;
pub mod packet;
pub mod pending;
pub mod random;
pub mod routing;
pub mod simulation;
pub mod stack;
pub mod topology;
pub mod transport;
pub mod wire;
pub mod workload;
