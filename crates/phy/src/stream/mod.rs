//! A line as a sequence of frames, with the exact number of characters in front of each.
//!
//! A gap is counted from the terminate, which is its first character, to the start of the next frame: the standard's
//! least is 12. The time from one start to the next is (8 + bytes of the frame with its check sequence + gap) times
//! 0.8 ns, for a start and the rest of the preamble are 8 characters.
//!
//! Ten frames, of which every second one goes on at the place where it was:
//!
//! ```
//! use std::convert::Infallible;
//! use ww_phy::fcs::fcs;
//! use ww_phy::stream::{Captured, Reader, Ring, Rounding, Writer};
//!
//! let mut frame = vec![0; 60];
//! frame.extend(fcs(&frame).to_le_bytes());
//! let (mut headers, mut words) = (Vec::new(), Vec::new());
//! let mut ring = Ring::new(|some: &[u8], payloads: &mut [u64]| {
//!     headers.extend_from_slice(some);
//!     words.extend_from_slice(payloads);
//!     Ok::<(), Infallible>(())
//! });
//! let mut writer = Writer::new(Rounding::Mean);
//! for _ in 0..10 {
//!     let Ok(_) = writer.frame(&mut ring, 100, &frame);
//! }
//! let Ok(()) = ring.finish();
//!
//! let mut ring = Ring::new(|_: &[u8], _: &mut [u64]| Ok::<(), Infallible>(()));
//! let (mut writer, mut number, mut gaps) = (Writer::new(Rounding::Mean), 0, Vec::new());
//! let mut visit = |found: Captured<'_>| {
//!     number += 1;
//!     if number % 2 == 0 {
//!         let Ok(gap) = writer.frame(&mut ring, found.start - writer.at(), found.frame);
//!         gaps.push(gap);
//!     }
//! };
//! let mut reader = Reader::new(1518);
//! reader.blocks(&headers, &words, &mut visit);
//! reader.finish_stream(&mut visit);
//! // A frame, its preamble and a gap are gone from each.
//! assert_eq!(gaps, [272; 5]);
//! ```

mod assembler;
mod placement;
mod reader;
mod ring;
mod writer;

pub(crate) use assembler::Assembler;
pub use assembler::{Captured, Verdict};
pub use placement::{Placement, Rounding};
pub use reader::{Reader, ReaderCounts};
pub use ring::Ring;
pub use writer::Writer;

/// Characters of a start and the rest of the preamble.
pub const PREAMBLE: u64 = 8;

/// The least gap of the standard.
pub const LEAST_GAP: u64 = 12;
