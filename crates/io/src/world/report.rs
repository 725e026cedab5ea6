//! What a run did, in numbers.

use super::counters::WorkerReport;
use crate::fingerprint::chain;
use serde::{Serialize, Serializer};
use ww_dataplane::{Picoseconds, PortId};

/// Packets and their bytes (without FCS).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Traffic {
    /// Number of frames.
    pub packets: u64,
    /// Their lengths' sum.
    pub bytes: u64,
}

impl Traffic {
    /// Counts one frame of `length` bytes.
    pub fn count(&mut self, length: usize) {
        self.packets += 1;
        self.bytes += length as u64;
    }

    /// Adds another count.
    pub fn add(&mut self, other: &Traffic) {
        self.packets += other.packets;
        self.bytes += other.bytes;
    }
}

/// Fingerprint of what left through a memory port (see [`crate::fingerprint`]).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Output {
    /// Depends on the frames and their order, worker by worker.
    #[serde(serialize_with = "hexadecimal")]
    pub hash: u64,
    /// Depends on the frames alone, not on the number of workers.
    #[serde(serialize_with = "hexadecimal")]
    pub sum: u64,
}

impl Output {
    /// The fingerprint of what one worker sent and then another.
    pub(super) fn then(self, next: Self) -> Self {
        Self { hash: chain(self.hash, next.hash), sum: self.sum.wrapping_add(next.sum) }
    }
}

/// Sixteen digits as text: JSON numbers of 64 bits lose digits in many readers.
fn hexadecimal<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{value:016x}"))
}

/// The counters of one port.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct PortReport {
    /// The port's number.
    pub port: PortId,
    /// What it is attached to, as on the command line.
    pub spec: String,
    /// Frames given to the dataplane, after segmentation of large ones.
    pub rx: Traffic,
    /// Frames that left.
    pub tx: Traffic,
    /// Large frames of the kernel's (segmentation offload) that were cut up; `rx`
    /// counts their parts.
    pub rx_segmented: u64,
    /// Frames the kernel dropped because we were too slow.
    pub rx_drops: u64,
    /// Frames that came in and could not be used (unknown offload, no memory).
    pub rx_errors: u64,
    /// Frames that came in with bytes missing (snapshot length of a capture);
    /// they went to the dataplane as they were and are counted in `rx`.
    pub rx_truncated: u64,
    /// Frames dropped because the interface was down or its queue full.
    pub tx_drops: u64,
    /// Frames the interface refused, for example because of its MTU.
    pub tx_errors: u64,
    /// How often the interface was opened again after it had vanished.
    pub reopened: u64,
    /// What left through a memory port; `None` for other ports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<Output>,
}

/// What a run did.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct RunReport {
    /// The ports, by number.
    pub ports: Vec<PortReport>,
    /// Frames sent to ports that are not attached to anything.
    pub unattached: Traffic,
    /// The dataplane's clock at the end, in picoseconds since the start.
    pub end: Picoseconds,
    /// Real time taken, in seconds.
    pub wall_seconds: f64,
    /// The workers of a live run, in order; empty for a run of files.
    pub workers: Vec<WorkerReport>,
}
