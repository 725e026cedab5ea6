//! What a program asks of the switch while it runs; the switch acts at the end of the control.

use ww_p4::architecture::{FieldPath, Request};
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

impl Requests {
    /// Whether the program asked for it.
    pub fn has(&self, request: Request) -> bool {
        match request {
            Request::Clone => self.clone.is_some(),
            Request::Resubmit => self.resubmit.is_some(),
            Request::Recirculate => self.recirculate.is_some(),
            Request::Truncate => self.truncate.is_some(),
        }
    }

    /// What the program wants to keep when the packet starts over.
    pub fn kept_by(&self, request: Request) -> &Preserve {
        let asked = match request {
            Request::Resubmit => &self.resubmit,
            Request::Recirculate => &self.recirculate,
            Request::Clone | Request::Truncate => &None,
        };
        asked.as_ref().unwrap_or(&Preserve::Nothing)
    }
}
