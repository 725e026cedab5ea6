//! What became of packets.

use crate::DropReason;
use std::collections::BTreeMap;

/// What became of the packets of a dataplane so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Frames that came in.
    pub received: u64,
    /// Frames that left.
    pub transmitted: u64,
    /// Packets that were dropped, by reason.
    pub dropped: BTreeMap<DropReason, u64>,
    /// Packets that the parser rejected; they go on to ingress.
    pub parser_rejects: u64,
    /// Digests that nobody fetched in time.
    pub digests_lost: u64,
    /// From a dataplane that executes TPPs: what became of them, by name.
    pub tpp: Option<BTreeMap<&'static str, u64>>,
}

impl Statistics {
    /// Adds those of another dataplane, or of another worker.
    pub fn add(&mut self, other: Self) {
        let Self { received, transmitted, dropped, parser_rejects, digests_lost, tpp } = other;
        self.received += received;
        self.transmitted += transmitted;
        for (reason, count) in dropped {
            *self.dropped.entry(reason).or_default() += count;
        }
        self.parser_rejects += parser_rejects;
        self.digests_lost += digests_lost;
        for (name, count) in tpp.into_iter().flatten() {
            *self.tpp.get_or_insert_default().entry(name).or_default() += count;
        }
    }

    /// Packets that were dropped for this reason.
    pub fn drops(&self, reason: DropReason) -> u64 {
        self.dropped.get(&reason).copied().unwrap_or(0)
    }
}
