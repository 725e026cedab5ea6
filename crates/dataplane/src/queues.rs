//! What output queues have seen: the statistics of a traffic manager.

use crate::{Picoseconds, PortId};
use std::collections::BTreeMap;

/// The output queues of a switch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QueueStatistics {
    /// Each port that a packet was for, in the order of their numbers.
    pub ports: Vec<(PortId, PortReport)>,
    /// Packets for ports beyond those that can have queues.
    pub beyond: u64,
}

/// Why a packet may not join its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Refused {
    /// The queue is as long as it may be.
    QueueLimit,
    /// The shared buffer is full, or the queue is at its threshold.
    Buffer,
    /// Random early detection.
    Early,
}

impl Refused {
    /// One word, for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::QueueLimit => "queue_limit",
            Self::Buffer => "buffer",
            Self::Early => "early",
        }
    }

    /// For people.
    pub fn words(self) -> &'static str {
        match self {
            Self::QueueLimit => "the queue's limit",
            Self::Buffer => "the shared buffer",
            Self::Early => "early detection",
        }
    }
}

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
    /// How late packets left, behind their departures' times: 0 with capture files.
    pub lateness: Lateness,
    /// The flows that a packet was for, by name.
    pub flows: Vec<(String, FlowReport)>,
}

/// How late departures were: the jitter of a port that is paced in real time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lateness {
    /// Departures.
    pub count: u64,
    /// Together.
    pub sum: Picoseconds,
    /// The latest.
    pub longest: Picoseconds,
    /// Departures by how many bits their lateness in nanoseconds has, 31 and more together.
    bins: [u32; 32],
}

impl Lateness {
    /// A departure.
    pub fn add(&mut self, late: Picoseconds) {
        self.count += 1;
        self.sum = self.sum.saturating_add(late);
        self.longest = self.longest.max(late);
        let nanoseconds = late / 1000;
        let bits = u64::BITS - nanoseconds.leading_zeros();
        let bin = &mut self.bins[bits.min(31) as usize];
        *bin = bin.saturating_add(1);
    }

    /// The percentile of the lateness of departures, ns, rounded up to a power of
    /// two less one.
    pub fn percentile(&self, per_cent: u64) -> u64 {
        let wanted = (self.count * per_cent).div_ceil(100);
        let mut seen = 0;
        for (bits, bin) in self.bins.iter().enumerate().take(31) {
            seen += u64::from(*bin);
            if seen >= wanted {
                return (1 << bits) - 1;
            }
        }
        self.longest / 1000
    }
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
    pub fn joined(&mut self, bytes: u64, waiting: u64, waiting_bytes: u64, marked: bool) {
        self.packets += 1;
        self.bytes += bytes;
        self.marked += u64::from(marked);
        self.most_packets = self.most_packets.max(waiting);
        self.most_bytes = self.most_bytes.max(waiting_bytes);
    }

    /// A packet has left after this time.
    pub fn left(&mut self, waited: Picoseconds) {
        self.waited = self.waited.saturating_add(waited);
        self.longest = self.longest.max(waited);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_bounds() {
        let mut lateness = Lateness::default();
        for n in 0..100u64 {
            // 0 to 99 microseconds.
            lateness.add(n * 1_000_000);
        }
        assert_eq!((lateness.count, lateness.longest), (100, 99_000_000));
        // 50 of 100 are late by at most 49 us, which has 16 bits in nanoseconds.
        assert_eq!(lateness.percentile(50), 65_535);
        assert_eq!(lateness.percentile(99), 131_071);
        assert_eq!(lateness.percentile(1), 0);
        assert_eq!(Lateness::default().percentile(99), 0);
        // Beyond the bins it is the longest itself.
        lateness.add(u64::MAX);
        assert_eq!(lateness.percentile(100), u64::MAX / 1000);
    }
}
