//! What a program asks of the switch while it runs; the switch acts at the end of the control.

use ww_p4::architecture::FieldPath;
use ww_p4::ir::Span;

/// Which metadata a copy keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Preserve {
    /// None.
    Nothing,
    /// Those of `@field_list(n)`.
    FieldList(u64),
    /// Those that the old functions name in their argument.
    Paths(Vec<FieldPath>),
}

/// `clone` and its relatives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloneRequest {
    /// Mirroring session.
    pub session: u32,
    /// What the clone keeps.
    pub preserve: Preserve,
}

/// All requests; of several calls of one kind the last counts.
#[derive(Clone, Debug, Default)]
pub struct Requests {
    /// `clone` of either type: it is the control that decides which one it is.
    pub clone: Option<CloneRequest>,
    /// `resubmit`
    pub resubmit: Option<Preserve>,
    /// `recirculate`
    pub recirculate: Option<Preserve>,
    /// `truncate`
    pub truncate: Option<u32>,
    /// Where the packet was marked to be dropped.
    pub marked_at: Option<Span>,
}
