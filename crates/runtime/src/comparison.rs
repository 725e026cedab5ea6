//! What an engine sends beside what the reference engine sends for the same packets.

use std::collections::{BTreeMap, VecDeque};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_engine::interp::Interp;

/// Bytes that are shown around a difference.
const SHOWN: usize = 16;

/// The reference engine, and what has left by port.
pub struct Comparison {
    reference: Interp,
    ports: BTreeMap<PortId, Port>,
    difference: Option<String>,
}

/// What left a port and has no counterpart yet.
#[derive(Default)]
struct Port {
    /// Frames that were the same.
    same: u64,
    found: VecDeque<Vec<u8>>,
    expected: VecDeque<Vec<u8>>,
}

impl Comparison {
    /// With the reference engine, which has all entries.
    pub fn new(reference: Interp) -> Self {
        Self { reference, ports: BTreeMap::new(), difference: None }
    }

    /// A frame came in.
    pub fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8]) {
        let mut out = Vec::new();
        self.reference.receive(port, now, frame, &mut out);
        self.expected(out);
    }

    /// Time went on.
    pub fn advance(&mut self, now: Picoseconds) {
        let mut out = Vec::new();
        self.reference.advance(now, &mut out);
        self.expected(out);
    }

    fn expected(&mut self, out: Vec<Transmit>) {
        for Transmit { port, frame, .. } in out {
            self.ports.entry(port).or_default().expected.push_back(frame);
            self.compare(port);
        }
    }

    /// The engine sent frames.
    pub fn sent(&mut self, out: &[Transmit]) {
        for Transmit { port, frame, .. } in out {
            self.ports.entry(*port).or_default().found.push_back(frame.clone());
            self.compare(*port);
        }
    }

    fn compare(&mut self, number: PortId) {
        let port = self.ports.entry(number).or_default();
        while !port.found.is_empty() && !port.expected.is_empty() {
            let (found, expected) = (port.found.pop_front(), port.expected.pop_front());
            port.same += 1;
            if found != expected && self.difference.is_none() {
                let (found, expected) = (found.unwrap_or_default(), expected.unwrap_or_default());
                let text = contents(&found, &expected);
                self.difference = Some(format!("port {number}, frame {}: {text}", port.same));
            }
        }
    }

    /// The first difference, in words, after the last packet.
    pub fn difference(&self) -> Option<String> {
        if self.difference.is_some() {
            return self.difference.clone();
        }
        self.ports.iter().find_map(|(number, port)| {
            let (found, expected) = (port.found.len() as u64, port.expected.len() as u64);
            (found != expected).then(|| {
                let (found, expected) = (port.same + found, port.same + expected);
                format!("port {number}: {found} frame(s), expected {expected}")
            })
        })
    }
}

/// How two frames differ.
fn contents(found: &[u8], expected: &[u8]) -> String {
    let end = found.len().min(expected.len());
    let at = (0..end).find(|&n| found[n] != expected[n]).unwrap_or(end);
    let show = |bytes: &[u8]| -> String {
        let part = &bytes[at.min(bytes.len())..(at + SHOWN).min(bytes.len())];
        part.iter().map(|byte| format!("{byte:02x}")).collect()
    };
    format!(
        "{} and {} bytes, from byte {at} on {} and not {}",
        found.len(),
        expected.len(),
        show(found),
        show(expected)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_that_differs() {
        let text = contents(&[1, 2, 3, 4], &[1, 2, 9, 4]);
        assert_eq!(text, "4 and 4 bytes, from byte 2 on 0304 and not 0904");
        let text = contents(&[1, 2], &[1, 2, 9]);
        assert_eq!(text, "2 and 3 bytes, from byte 2 on  and not 09");
    }
}
