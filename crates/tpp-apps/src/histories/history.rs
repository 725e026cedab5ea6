//! A packet's history: the packet, and what each switch on its way has said.

use crate::histories::values::{Value, Values};
use serde::Serialize;
use std::net::Ipv4Addr;
use ww_host::filter::Fields;
use ww_host::record::Record;

/// A hop. What was not collected is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Hop([Option<u32>; Value::ALL.len()]);

impl Hop {
    /// What it says.
    pub fn get(&self, value: Value) -> Option<u32> {
        self.0[value as usize]
    }

    /// Has it say something.
    pub fn set(&mut self, value: Value, number: Option<u32>) {
        self.0[value as usize] = number;
    }
}

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// When the packet arrived, ps of the host's clock.
    pub at: u64,
    /// The application whose TPP it carried.
    pub app: u8,
    /// IPv4's source address.
    pub source: Ipv4Addr,
    /// IPv4's destination address.
    pub destination: Ipv4Addr,
    /// IPv4's protocol.
    pub protocol: u8,
    /// Ports of TCP and UDP: source, destination; 0 of other protocols.
    pub ports: [u16; 2],
    /// Bytes of the frame without TPP and FCS.
    pub length: u32,
    /// Switches that have executed the TPP. Those behind the end of its memory have said nothing.
    pub executed: u8,
    /// What they have said, from the first.
    pub hops: Vec<Hop>,
}

impl History {
    /// That of a record whose TPP has collected these values.
    pub fn of(record: &Record, values: &Values) -> Self {
        let hop = |words: &[u32]| {
            let mut hop = Hop::default();
            for (value, word) in values.all().iter().zip(words) {
                hop.set(*value, Some(*word));
            }
            hop
        };
        Self {
            at: record.at,
            app: record.app,
            source: record.source.into(),
            destination: record.destination.into(),
            protocol: record.protocol,
            ports: record.ports,
            length: record.length,
            executed: record.hops,
            hops: record.hops(values.all().len()).map(hop).collect(),
        }
    }

    /// What filters look at.
    pub fn fields(&self) -> Fields {
        Fields {
            protocol: self.protocol,
            source: self.source.into(),
            destination: self.destination.into(),
            // Without ports they are 0, which is no port of TCP and UDP.
            ports: (self.ports != [0; 2]).then_some(self.ports),
        }
    }

    /// Whether the way is longer than the TPP's memory.
    pub fn is_cut(&self) -> bool {
        usize::from(self.executed) > self.hops.len()
    }
}
