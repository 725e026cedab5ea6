//! The segmented local bus of a hard 100G MAC, clock by clock: twins of `rtl/lbus`.
//!
//! Four segments of 16 bytes a clock of 322.265625 MHz. A frame begins in any segment, and one may begin in the clock in
//! which another ends. Frames are without check sequence. Each twin is asked once a clock with what its inputs are, and
//! says what its outputs are in the next one.

mod receive;
mod transmit;
mod wire;

pub use receive::{Received, ToAxis};
pub use transmit::{FromAxis, Transmitted};
pub use wire::{Carried, Wire};

/// Segments a clock.
pub const SEGMENTS: usize = 4;
/// Bytes of a segment.
pub const SEGMENT_BYTES: usize = 16;

/// A segment of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Segment {
    /// A frame begins with it.
    pub start: bool,
    /// A frame ends with it.
    pub end: bool,
    /// The frame is bad.
    pub error: bool,
    /// Bytes at its end that are not of the frame, 0 to 15; counts with `end`.
    pub empty: u8,
    /// Its bytes in the order of the line.
    pub data: [u8; SEGMENT_BYTES],
}

/// What a bus carries in one clock, in the order of the line.
pub type Clock = [Option<Segment>; SEGMENTS];

/// A beat of an AXI4-Stream of 512 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beat {
    /// Bytes; those behind `bytes` mean nothing.
    pub data: [u8; 64],
    /// How many of them count, 1 to 64.
    pub bytes: u8,
    /// A frame ends with it.
    pub last: bool,
    /// The frame is bad; counts with `last`.
    pub bad: bool,
}
