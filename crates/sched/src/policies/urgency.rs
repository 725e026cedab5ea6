//! Priority by what a packet says of itself: SJF, SRTF, LSTF, EDF (dissertation, section 2.3, S11).

use crate::framework::{Head, Parameters, Policy, Stamp};

/// Which of the packet's words is the rank; smaller is more urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Urgency {
    /// Shortest job first: bytes of the whole job.
    ShortestJob,
    /// Shortest remaining time first: bytes of the job that are left (pFabric's order).
    ShortestRemaining,
    /// Least slack time first. Everybody's slack shrinks alike while waiting, so the order is that of
    /// arrival plus slack.
    LeastSlack,
    /// Earliest deadline first.
    EarliestDeadline,
}

impl Policy for Urgency {
    fn configure(&mut self, _child: usize, _parameters: &Parameters) {}

    fn pre_enqueue(&mut self, _child: usize, head: &Head, _now: u64) -> Stamp {
        let meta = &head.packet.meta;
        Stamp::always(match self {
            Self::ShortestJob => meta.size,
            Self::ShortestRemaining => meta.remaining,
            Self::LeastSlack => head.packet.arrival.saturating_add(meta.slack),
            Self::EarliestDeadline => meta.deadline,
        })
    }
}
