//! Why packets are dropped.

use serde::Serialize;
use std::fmt;

/// Why a packet was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DropReason {
    /// `egress_spec` was the drop port at the end of ingress.
    Ingress,
    /// `egress_spec` was the drop port at the end of egress.
    Egress,
    /// The multicast group has no members or does not exist.
    EmptyGroup,
    /// The queue was full.
    QueueFull,
    /// Too many copies and returns of one frame.
    TooManyPasses,
    /// Too many rounds of loops.
    TooManySteps,
    /// `assert` failed.
    Assert,
    /// `assume` failed.
    Assume,
    /// The program did what no engine can do.
    Fault,
    /// It carried a TPP and came in by a port that leads out of the domain.
    Outside,
    /// Hardware dropped it: it counts such packets together, whatever the reason.
    Hardware,
}

impl DropReason {
    /// All reasons.
    pub const ALL: [DropReason; 11] = [
        DropReason::Ingress,
        DropReason::Egress,
        DropReason::EmptyGroup,
        DropReason::QueueFull,
        DropReason::TooManyPasses,
        DropReason::TooManySteps,
        DropReason::Assert,
        DropReason::Assume,
        DropReason::Fault,
        DropReason::Outside,
        DropReason::Hardware,
    ];
}

impl fmt::Display for DropReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DropReason::Ingress => "egress_spec is the drop port after ingress",
            DropReason::Egress => "egress_spec is the drop port after egress",
            DropReason::EmptyGroup => "the multicast group has no members",
            DropReason::QueueFull => "the output queue is full",
            DropReason::TooManyPasses => "too many copies and returns of one packet",
            DropReason::TooManySteps => "too many rounds of loops",
            DropReason::Assert => "assert failed",
            DropReason::Assume => "assume failed",
            DropReason::Fault => "an operation without meaning on this engine",
            DropReason::Outside => "a TPP from outside of the domain",
            DropReason::Hardware => "dropped in hardware, which does not say why",
        })
    }
}
