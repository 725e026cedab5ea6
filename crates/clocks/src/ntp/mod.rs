//! The Network Time Protocol (RFC 5905) between a client and a server: the packet, the calculation on the wire, and the clock filter. The
//! clock is steered by the same [servo](crate::servo) as with PTP, in place of the RFC's hybrid loop; there is one server, so nothing is
//! selected.

pub mod client;
pub mod message;
pub mod server;

/// UDP port.
pub const PORT: u16 = 123;
