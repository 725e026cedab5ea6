//! Live ports: Linux interfaces through AF_PACKET and AF_XDP, TAP devices, memory,
//! DPDK devices.
//!
//! The kernel hands frames over as a network card would get them: TCP and UDP
//! checksums half done, up to 64 KiB in one frame that the card is to cut up, VLAN
//! tags beside the frame. `vnet` and `segment` turn them into what would have been on
//! the wire, so that nobody has to switch offloads off.

mod attachment;
mod device;
mod intake;
mod interface;
mod memory;
mod queue;
mod ring;
mod segment;
mod socket;
pub mod stamped;
mod tap;
mod vnet;
mod xdp;

pub(crate) use attachment::Attachment;
pub(crate) use device::{BATCH, Receiver, Transmitter};
#[cfg(feature = "dpdk")]
pub(crate) use device::{Deliver, Opened};
#[cfg(feature = "dpdk")]
pub(crate) use intake::empty_batch;
pub(crate) use socket::wait;

use std::fmt;
use ww_dataplane::PortId;

/// Why a live port cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortError {
    /// The port's number.
    pub port: PortId,
    /// The interface's name.
    pub interface: String,
    /// What is wrong with it.
    pub problem: String,
}

impl fmt::Display for PortError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port {}: interface `{}`: {}", self.port, self.interface, self.problem)
    }
}

impl std::error::Error for PortError {}
