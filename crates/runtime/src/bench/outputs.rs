//! Sinks: what a benchmark does with the frames that leave.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use ww_dataplane::{Picoseconds, PortId, Sink};
use ww_io::fingerprint::{Fingerprint, chain};

/// Only counts: for the time that is measured.
#[derive(Default)]
pub struct Count {
    /// Frames.
    pub frames: u64,
    /// Bytes.
    pub bytes: u64,
}

impl Sink for Count {
    fn transmit(&mut self, _port: PortId, _at: Picoseconds, frame: &[u8]) {
        self.frames += 1;
        self.bytes += frame.len() as u64;
    }
}

/// What left, by port.
#[derive(Default, PartialEq, Eq)]
pub struct Outputs {
    ports: BTreeMap<PortId, (u64, u64, Fingerprint)>,
}

impl Sink for Outputs {
    fn transmit(&mut self, port: PortId, _at: Picoseconds, frame: &[u8]) {
        let (frames, bytes, fingerprint) = self.ports.entry(port).or_default();
        *frames += 1;
        *bytes += frame.len() as u64;
        fingerprint.add(frame);
    }
}

impl Outputs {
    /// Frames that left.
    pub fn frames(&self) -> u64 {
        self.ports.values().map(|(frames, ..)| frames).sum()
    }

    /// Of all frames, their ports, and their order on each port.
    pub fn hash(&self) -> u64 {
        let add = |hash, (&port, (_, _, f)): (&PortId, &(u64, u64, Fingerprint))| {
            chain(chain(hash, u64::from(port)), f.hash())
        };
        self.ports.iter().fold(0, add)
    }

    /// Of all frames and their ports, whatever their order.
    pub fn sum(&self) -> u64 {
        let add = |sum: u64, (&port, (_, _, f)): (&PortId, &(u64, u64, Fingerprint))| {
            sum.wrapping_add(chain(u64::from(port), f.sum()))
        };
        self.ports.iter().fold(0, add)
    }

    /// For `--json`.
    pub fn json(&self) -> Value {
        let port = |(port, (frames, bytes, _)): (&PortId, &(u64, u64, Fingerprint))| {
            (port.to_string(), json!({ "frames": frames, "bytes": bytes }))
        };
        json!({
            "frames": self.frames(),
            "hash": format!("{:016x}", self.hash()),
            "sum": format!("{:016x}", self.sum()),
            "ports": self.ports.iter().map(port).collect::<serde_json::Map<_, _>>(),
        })
    }

    /// The first port whose frames are not the same, in words.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let ports = self.ports.keys().chain(other.ports.keys());
        let port = ports.copied().find(|port| self.ports.get(port) != other.ports.get(port))?;
        let count = |side: &Self| side.ports.get(&port).map_or(0, |(frames, ..)| *frames);
        Some(format!("port {port}: {} against {} frames", count(self), count(other)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(list: &[(PortId, &[u8])]) -> Outputs {
        let mut outputs = Outputs::default();
        list.iter().for_each(|(port, frame)| outputs.transmit(*port, 0, frame));
        outputs
    }

    #[test]
    fn ports_bytes_and_order_count() {
        let one = of(&[(1, b"a"), (2, b"b"), (1, b"c")]);
        assert_eq!(one.hash(), of(&[(2, b"b"), (1, b"a"), (1, b"c")]).hash());
        assert_eq!(one.frames(), 3);
        assert!(one.difference(&of(&[(1, b"a"), (1, b"c"), (2, b"b")])).is_none());
        let swapped = of(&[(1, b"c"), (2, b"b"), (1, b"a")]);
        assert_ne!(one.hash(), swapped.hash());
        assert_eq!(one.sum(), swapped.sum());
        for other in [&[(2, &b"a"[..]), (1, b"b"), (1, b"c")][..], &[(1, b"a"), (2, b"b")]] {
            let other = of(other);
            assert_ne!((one.hash(), one.sum()), (other.hash(), other.sum()));
            assert!(one.difference(&other).is_some());
        }
    }
}
