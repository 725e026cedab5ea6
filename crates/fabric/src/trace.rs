//! The trace of a run: each cell that is sent.

use std::fmt;

/// The first line of a trace.
pub const HEADER: &str = "slot,from,to,src,dst,seq\n";

/// A cell that is sent, not an empty one. Its line ([`fmt::Display`]) is a row of CSV, with its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SentCell {
    /// The slot since the run's start.
    pub slot: u64,
    /// Who sends.
    pub from: usize,
    /// To whom.
    pub to: usize,
    /// The cell's source.
    pub src: usize,
    /// The cell's destination.
    pub dst: usize,
    /// The cell's number among those of its source and destination, from 0; it never wraps.
    pub seq: u64,
}

impl fmt::Display for SentCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { slot, from, to, src, dst, seq } = self;
        writeln!(f, "{slot},{from},{to},{src},{dst},{seq}")
    }
}

/// What gets the cells of a run, in the order of slots, channels and senders.
pub type Trace<'a> = &'a mut dyn FnMut(&SentCell);
