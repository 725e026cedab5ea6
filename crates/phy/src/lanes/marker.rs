//! Alignment markers (IEEE 802.3 table 82-3; ITU-T G.709 table E.1 has the same values).
//!
//! A marker is a control block of eight octets M0 M1 M2 BIP3 M4 M5 M6 BIP7, in which M4 to M6 are M0 to M2 inverted and BIP7 is BIP3
//! inverted: it has as many ones as zeros, so it needs no scrambling.

use super::LANES;
use crate::block::{Block, CONTROL};

/// M0 to M2 of each lane, M0 in the low byte.
const MARKERS: [u32; LANES] = [0x47_7690, 0xe6_c4f0, 0x9b_65c5, 0x3d_79a2];

/// All but BIP3 and BIP7.
const MASK: u64 = 0x00ff_ffff_00ff_ffff;

/// The marker of a lane, 0 to 3, with a parity.
pub fn marker(lane: usize, bip: u8) -> Block {
    let half = MARKERS[lane] | u32::from(bip) << 24;
    Block { header: CONTROL, payload: u64::from(!half) << 32 | u64::from(half) }
}

/// The lane of a marker, whatever its parity; `None` for a block that is none.
pub fn lane_of(block: Block) -> Option<usize> {
    if block.header != CONTROL {
        return None;
    }
    (0..LANES).find(|lane| block.payload & MASK == marker(*lane, 0).payload & MASK)
}

/// BIP3 of a marker.
pub fn parity_of(block: Block) -> u8 {
    block.payload.to_le_bytes()[3]
}
