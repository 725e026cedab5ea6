//! The Precision Time Protocol, end to end, with two-step clocks (IEEE 1588-2008): a [`master::Master`] and [`slave::Slave`]s, over UDP.
//! Who is master is configured; the best master clock algorithm is not here.

pub mod master;
pub mod message;
pub mod slave;

/// UDP port of messages whose passing is stamped (annex D.2).
pub const EVENT_PORT: u16 = 319;
/// UDP port of the others.
pub const GENERAL_PORT: u16 = 320;
