//! Profiles: where packets have gone, by bytes: what each output of each switch has carried, each entry has matched, and
//! which flows that were.

use crate::histories::history::History;
use crate::histories::values::Value;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::Ipv4Addr;

/// Packets and bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Load {
    /// Packets.
    pub packets: u64,
    /// Bytes of frames without TPP and FCS.
    pub bytes: u64,
}

/// A flow: source, destination, protocol, ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Flow {
    /// IPv4's source address.
    pub source: Ipv4Addr,
    /// IPv4's destination address.
    pub destination: Ipv4Addr,
    /// IPv4's protocol.
    pub protocol: u8,
    /// Ports of TCP and UDP: source, destination.
    pub ports: [u16; 2],
}

/// The largest number of flows, outputs and entries that are counted one by one; the rest is counted together.
const MOST: usize = 1 << 20;

/// Adds up histories. See the module.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    all: Load,
    outputs: HashMap<(u32, u32), Load>,
    entries: HashMap<(u32, u32), Load>,
    flows: HashMap<Flow, Load>,
    /// What was beyond [`MOST`].
    beyond: Load,
}

/// Rows with the most bytes first, at most `most`.
type Rows<K> = Vec<(K, Load)>;

impl Profile {
    /// Adds a history.
    pub fn add(&mut self, history: &History) {
        let bytes = u64::from(history.length);
        self.all.add(bytes);
        let flow = Flow {
            source: history.source,
            destination: history.destination,
            protocol: history.protocol,
            ports: history.ports,
        };
        count(&mut self.flows, flow, bytes, &mut self.beyond);
        for hop in &history.hops {
            let Some(switch) = hop.get(Value::Switch) else { continue };
            if let Some(port) = hop.get(Value::OutPort) {
                count(&mut self.outputs, (switch, port), bytes, &mut self.beyond);
            }
            if let Some(entry) = hop.get(Value::Entry) {
                count(&mut self.entries, (switch, entry), bytes, &mut self.beyond);
            }
        }
    }

    /// All histories.
    pub fn all(&self) -> Load {
        self.all
    }

    /// What was not counted one by one any more.
    pub fn beyond(&self) -> Load {
        self.beyond
    }

    /// By switch and output port.
    pub fn outputs(&self, most: usize) -> Rows<(u32, u32)> {
        rows(&self.outputs, most)
    }

    /// By switch and entry.
    pub fn entries(&self, most: usize) -> Rows<(u32, u32)> {
        rows(&self.entries, most)
    }

    /// By flow.
    pub fn flows(&self, most: usize) -> Rows<Flow> {
        rows(&self.flows, most)
    }
}

impl Load {
    fn add(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
    }
}

fn count<K: Hash + Eq>(loads: &mut HashMap<K, Load>, key: K, bytes: u64, beyond: &mut Load) {
    if loads.len() < MOST || loads.contains_key(&key) {
        loads.entry(key).or_default().add(bytes);
    } else {
        beyond.add(bytes);
    }
}

fn rows<K: Copy + Ord>(loads: &HashMap<K, Load>, most: usize) -> Rows<K> {
    let mut rows: Rows<K> = loads.iter().map(|(key, load)| (*key, *load)).collect();
    rows.sort_unstable_by_key(|(key, load)| (Reverse(load.bytes), *key));
    rows.truncate(most);
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::histories::history::Hop;

    #[test]
    fn sums_by_hand() {
        let history = |source: u8, length: u32, hops: &[(u32, u32)]| {
            let hop = |(switch, port): &(u32, u32)| {
                let mut hop = Hop::default();
                hop.set(Value::Switch, Some(*switch));
                hop.set(Value::OutPort, Some(*port));
                hop
            };
            History {
                at: 0,
                app: 1,
                source: [10, 0, 0, source].into(),
                destination: [10, 0, 0, 9].into(),
                protocol: 17,
                ports: [1, 2],
                length,
                executed: hops.len() as u8,
                hops: hops.iter().map(hop).collect(),
            }
        };
        let mut profile = Profile::default();
        for one in [
            history(1, 100, &[(1, 2), (3, 0)]),
            history(1, 200, &[(1, 2), (3, 0)]),
            history(2, 1000, &[(2, 5), (3, 0)]),
        ] {
            profile.add(&one);
        }
        let load = |packets, bytes| Load { packets, bytes };
        assert_eq!(profile.all(), load(3, 1300));
        let outputs = [((3, 0), load(3, 1300)), ((2, 5), load(1, 1000)), ((1, 2), load(2, 300))];
        assert_eq!(profile.outputs(9), outputs);
        assert_eq!(profile.outputs(1), outputs[..1]);
        assert_eq!(profile.entries(9), []);
        let flows: Vec<u64> = profile.flows(9).iter().map(|(_, load)| load.bytes).collect();
        assert_eq!((flows, profile.beyond()), (vec![1000, 300], load(0, 0)));
    }
}
