//! Hosts that send packets of their own, without the stack.

use serde::{Deserialize, Serialize};
use std::net::Ipv4Addr;
use ww_packet::udp_frame::{self, End, HEADERS};
use ww_tpp::frame::insert_standalone;
use ww_tpp::header::TPP_NUMBER;
use ww_tpp::packet::Repr;

/// Bytes that a frame takes on the line besides its own (IEEE 802.3, clauses 3 and 4).
pub const LINE_OVERHEAD: u64 = 24;

/// A host as others reach it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Station {
    /// IPv4 address.
    pub ip: Ipv4Addr,
    /// Ethernet address.
    pub mac: [u8; 6],
}

impl Station {
    /// Its end of a datagram.
    pub fn end(&self, port: u16) -> End {
        End { mac: self.mac, ip: self.ip, port }
    }

    /// A UDP frame to another host, `length` bytes long without FCS if `payload` does not need more.
    pub fn datagram(&self, to: &Self, ports: [u16; 2], payload: &[u8], length: usize) -> Vec<u8> {
        let mut frame = Vec::with_capacity(length.max(HEADERS + payload.len()));
        let ends = ports.map(|port| self.end(port));
        let to = End { port: ends[1].port, ..to.end(0) };
        udp_frame::emit(&ends[0], &to, payload, length.saturating_sub(HEADERS), &mut frame);
        frame
    }

    /// The frame of a standalone TPP to another host, from a UDP port. `None` if the TPP is malformed.
    pub fn standalone(&self, to: &Self, port: u16, tpp: &Repr) -> Option<Vec<u8>> {
        let mut frame = self.datagram(to, [port, TPP_NUMBER], &[], 0);
        insert_standalone(&mut frame, &tpp.emit()).ok()?;
        Some(frame)
    }
}
