//! Clocks that packets keep together: PTP ([IEEE 1588-2008](ptp)) and NTP ([RFC 5905](ntp)), as baselines of what the physical layer does.
//!
//! A [`keeper::Keeper`] has neither a socket nor a clock: it is given datagrams with their time stamps, says what to send, and by how much the
//! clock is to be set. Simulated hosts and real ones drive the same keepers.

pub mod keeper;
pub mod median;
pub mod ntp;
pub mod ptp;
pub mod servo;
pub mod time;
