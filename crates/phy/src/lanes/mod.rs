//! 40GBASE-R: one stream of blocks over four lanes (IEEE 802.3 clause 82).
//!
//! A sender encodes and scrambles as at 10 Gb/s, with the fewer blocks of [`Coding::Xlgmii`](crate::coding::Coding), and gives its
//! blocks to four lanes in turn ([`Distributor`]). Each 16,384th block of a lane is an alignment [`marker`], which says
//! which lane it is and carries the parity ([`bip`]) of all behind the marker before. Markers are not scrambled; room for
//! them is made by leaving out blocks of idle, so a gap between frames may become shorter.
//!
//! Lanes arrive late by different times, and in any order. A [`Receiver`] finds the blocks of each, then its markers
//! ([`MarkerLock`]); it delays the early lanes until the markers stand side by side, brings lanes into their order, takes the
//! markers out, descrambles, and puts idle back. So a frame may come 8 characters, or a multiple of
//! them, earlier or later than it was sent, and the sum of all gaps stays.
//!
//! Figures of clause 82 have their numbers of 802.3ba.
//!
//! A lane carries bits; here words of 64, of which bit 0 is first on the line. [`gearbox::Transmit`](crate::gearbox::Transmit)
//! makes them of a lane's blocks.
//!
//! ```
//! use ww_phy::block::Block;
//! use ww_phy::gearbox::Transmit;
//! use ww_phy::lanes::{Distributor, LANES, Receiver, Row};
//!
//! // Idle, for three markers.
//! let (mut distributor, mut rows) = (Distributor::default(), Vec::new());
//! let idle = vec![Block::IDLE; 3 * 65_536];
//! let (headers, payloads): (Vec<u8>, Vec<u64>) = idle.iter().map(|b| (b.header, b.payload)).unzip();
//! distributor.blocks(&headers, &payloads, &mut |some: &[Row]| rows.extend_from_slice(some));
//!
//! let mut gearboxes: [Transmit; LANES] = std::array::from_fn(|_| Transmit::new(64));
//! let mut receiver = Receiver::default();
//! let mut rows = rows.iter().peekable();
//! while rows.peek().is_some() {
//!     let row = **rows.peek().expect("there is one");
//!     if gearboxes[0].needs_block() {
//!         rows.next();
//!     }
//!     // Lanes 0 and 1 are crossed.
//!     let words = [1, 0, 2, 3].map(|lane: usize| gearboxes[lane].word(|| row[lane]));
//!     receiver.words(words, &mut |_: Block| {});
//! }
//! assert!(receiver.aligned());
//! assert_eq!(receiver.lane(0).number, Some(1));
//! ```

pub mod bip;
mod deskew;
mod distributor;
mod lane;
pub mod marker;
mod marker_lock;
mod receiver;

use crate::block::Block;

pub use deskew::MAXIMUM_SKEW;
pub use distributor::{Distributor, DistributorCounts};
pub use lane::LaneStatus;
pub use marker_lock::{MarkerLock, Seen};
pub use receiver::{Receiver, ReceiverCounts};

/// Lanes of 40GBASE-R.
pub const LANES: usize = 4;

/// Blocks of a lane from one marker to the next: 16,383 are between them (clause 82.2.7).
pub const MARKER_PERIOD: u32 = 16_384;

/// Time of one character (8 bits of XLGMII) in picoseconds.
pub const CHARACTER_PS: u64 = 200;

/// A block of each lane, that of lane 0 first.
pub type Row = [Block; LANES];
