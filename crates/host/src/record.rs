//! A TPP that a host has received, with the fields of the packet that carried it: what aggregators, collectors
//! and applications work on.

use crate::filter::Fields;
use serde::{Deserialize, Serialize};
use ww_tpp::packet::Repr;

/// See the module. Written down, addresses are text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When it came, ps of the host's clock.
    pub at: u64,
    /// The application's tag.
    pub app: u8,
    /// Hops that have executed it, at most 255.
    pub hops: u8,
    /// Its stack pointer, bytes.
    pub stack_pointer: u8,
    /// IPv4's source address.
    #[serde(with = "address")]
    pub source: u32,
    /// IPv4's destination address.
    #[serde(with = "address")]
    pub destination: u32,
    /// IPv4's protocol.
    pub protocol: u8,
    /// Ports of TCP and UDP: source, destination; 0 of other protocols.
    pub ports: [u16; 2],
    /// Bytes of the frame without the TPP and without FCS.
    pub length: u32,
    /// Packet memory, word by word.
    pub words: Vec<u32>,
}

impl Record {
    /// Of a TPP and the frame that it has been taken out of. `None` if that has no IPv4 packet.
    pub fn of(at: u64, tpp: &Repr, frame: &[u8]) -> Option<Self> {
        let Fields { protocol, source, destination, ports } = Fields::of(frame)?;
        Some(Self {
            at,
            app: tpp.app_tag,
            hops: tpp.hop,
            stack_pointer: tpp.stack_pointer,
            source,
            destination,
            protocol,
            ports: ports.unwrap_or_default(),
            length: frame.len() as u32,
            words: tpp.words().collect(),
        })
    }

    /// The packet that has carried it.
    pub fn fields(&self) -> Fields {
        let Self { protocol, source, destination, ports, .. } = *self;
        Fields { protocol, source, destination, ports: Some(ports) }
    }

    /// What a program that pushes `values` values at each hop has collected, hop by hop: as many hops as have executed
    /// it and packet memory has room for.
    pub fn hops(&self, values: usize) -> impl Iterator<Item = &[u32]> {
        self.hops_behind(0, values)
    }

    /// The same of a program that has `others` words in front of those that it pushes.
    pub fn hops_behind(&self, others: usize, values: usize) -> impl Iterator<Item = &[u32]> {
        let pushed = self.words.get(others..).unwrap_or_default();
        pushed.chunks_exact(values.max(1)).take(self.hops.into())
    }
}

/// Addresses as text.
mod address {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use std::net::Ipv4Addr;

    pub fn serialize<S: Serializer>(address: &u32, to: S) -> Result<S::Ok, S::Error> {
        Ipv4Addr::from(*address).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        Ipv4Addr::deserialize(from).map(u32::from)
    }
}
