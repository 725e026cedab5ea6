//! Bytes on the wire: header formats, checksums, CRC and the hashes built on them.
//!
//! Every header format has two types: a *view* over bytes (zero copy, made with
//! `new`, which checks once that the fields lie inside the buffer) and a *repr*,
//! the plain values, with `parse` and `emit`. All multi-byte fields are in
//! network byte order. Nothing here allocates per packet, and no input panics.

pub mod arp;
pub mod checksum;
pub mod crc;
pub mod ecn;
pub mod ethernet;
mod field;
pub mod hash;
pub mod icmp;
pub mod icmpv6;
pub mod ipv4;
pub mod ipv6;
pub mod protocol;
pub mod tcp;
pub mod udp;
pub mod udp_frame;
pub mod vlan;

use std::fmt;

/// Why bytes are not the header they were taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeaderError {
    /// The buffer ends before the header does; both lengths in bytes.
    Truncated {
        /// Bytes the header takes.
        needed: usize,
        /// Bytes there are.
        found: usize,
    },
    /// A field has a value that the format rules out.
    Malformed(&'static str),
}

impl fmt::Display for HeaderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { needed, found } => {
                write!(f, "header takes {needed} bytes, found {found}")
            }
            Self::Malformed(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for HeaderError {}
