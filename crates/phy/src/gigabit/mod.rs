//! 1000BASE-X: frames and gaps as code-groups of ten bits, 8 ns each (IEEE 802.3 clause 36).
//!
//! A line is a sequence of code-groups of [`eight_b_ten_b`](crate::eight_b_ten_b). What is no frame is filled with ordered sets of two, each of
//! which begins with a comma, K28.5: so a receiver finds where code-groups begin ([`Aligner`]), and whether it is right
//! ([`Synchronisation`]). A frame begins with /S/, in the place of its first byte of preamble, at an even place; it ends with /T/, and one
//! or two /R/ behind it.
//!
//! The gap is counted as at 10 Gb/s, in characters from /T/ to /S/: those of the GMII, 8 ns each. Of two
//! frames, the distance of starts is 8 + bytes + gap, which must be even: gaps are one longer or
//! shorter where it is not ([`Rounding`](crate::stream::Rounding)). A sender that leaves out a byte of preamble instead, as the
//! standard allows, is understood.
//!
//! Configuration sets (/C/) are recognised, and can be sent. The negotiation that speaks in them, clause 37, is not
//! here.
//!
//! ```
//! use ww_phy::fcs::fcs;
//! use ww_phy::gigabit::{Receiver, Transmitter};
//! use ww_phy::stream::{Captured, Rounding, Verdict};
//!
//! let mut frame = vec![0x5a; 60];
//! frame.extend(fcs(&frame).to_le_bytes());
//! let (mut transmitter, mut line) = (Transmitter::new(Rounding::Mean), Vec::new());
//! for _ in 0..10 {
//!     transmitter.frame(100, &frame, &mut |code_group| line.push(code_group));
//! }
//!
//! let (mut receiver, mut gaps) = (Receiver::new(1518), Vec::new());
//! for code_group in line {
//!     receiver.word(code_group, &mut |found: Captured<'_>| {
//!         assert_eq!(found.verdict, Verdict::Good);
//!         gaps.push(found.gap);
//!     });
//! }
//! // The last one is not over before something follows it.
//! assert_eq!(gaps[1..], [100; 8]);
//! ```

mod aligner;
mod ordered_set;
mod receiver;
mod synchronisation;
mod transmitter;

pub use aligner::Aligner;
pub use ordered_set::{COMMA, END, ERROR, Filling, REPEAT, START};
pub use receiver::{Receiver, ReceiverCounts};
pub use synchronisation::Synchronisation;
pub use transmitter::Transmitter;

/// Bits a second on the line: 1 Gb/s times 10/8.
pub const LINE_RATE: u64 = 1_250_000_000;

/// Time of one character, a code-group, in picoseconds.
pub const CHARACTER_PS: u64 = 8000;
