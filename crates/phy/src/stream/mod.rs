//! A line as a sequence of frames, with the exact number of characters in front of each.
//!
//! A gap is counted from the terminate, which is its first character, to the start of the next frame: the standard's
//! least is 12. The time from one start to the next is (8 + bytes of the frame with its check sequence + gap) times
//! 0.8 ns, for a start and the rest of the preamble are 8 characters.

mod placement;
mod reader;
mod ring;
mod writer;

pub use placement::{Placement, Rounding};
pub use reader::{Captured, Reader, ReaderCounts, Verdict};
pub use ring::Ring;
pub use writer::Writer;

/// Characters of a start and the rest of the preamble.
pub const PREAMBLE: u64 = 8;

/// The least gap of the standard.
pub const LEAST_GAP: u64 = 12;
