//! What the queues have seen.

use super::admission::Refused;
use std::collections::BTreeMap;
use ww_engine::dataplane::Picoseconds;

/// A port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PortReport {
    /// Bits a second.
    pub rate: u64,
    /// Frames that left.
    pub sent: u64,
    /// Their bytes, without what surrounds them on the line.
    pub sent_bytes: u64,
    /// Time in which the line was used.
    pub used: Picoseconds,
    /// The flows that a packet was for, by name.
    pub flows: Vec<(String, FlowReport)>,
}

/// A flow's queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowReport {
    /// Packets that joined.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Packets that were marked.
    pub marked: u64,
    /// Packets that did not join, by reason.
    pub dropped: BTreeMap<Refused, u64>,
    /// Most packets that waited at a time.
    pub most_packets: u64,
    /// Most bytes.
    pub most_bytes: u64,
    /// Time that packets waited, together.
    pub waited: Picoseconds,
    /// The longest time that one waited.
    pub longest: Picoseconds,
}

impl FlowReport {
    /// A packet has joined; with it so much waits.
    pub(super) fn joined(&mut self, bytes: u64, waiting: u64, waiting_bytes: u64, marked: bool) {
        self.packets += 1;
        self.bytes += bytes;
        self.marked += u64::from(marked);
        self.most_packets = self.most_packets.max(waiting);
        self.most_bytes = self.most_bytes.max(waiting_bytes);
    }

    /// A packet has left after this time.
    pub(super) fn left(&mut self, waited: Picoseconds) {
        self.waited = self.waited.saturating_add(waited);
        self.longest = self.longest.max(waited);
    }
}
