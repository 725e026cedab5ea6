//! One lane as it arrives: blocks, markers, parity.

use super::bip::Bip;
use super::marker::parity_of;
use super::marker_lock::{MarkerLock, Seen};
use crate::block::{Block, CONTROL, DATA};
use crate::block_sync::{BlockSync, Step};
use crate::gearbox::Receive;

/// Bits of a word of a lane.
pub(super) const WIDTH: u32 = 64;

/// What is known of a lane.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LaneStatus {
    /// Whether its blocks are found.
    pub block_lock: bool,
    /// Its number, 0 to 3, if its markers are found.
    pub number: Option<usize>,
    /// Bits by which it was later than the first lane, when lanes were aligned last.
    pub skew: u64,
    /// Bits of BIP-8 that were not what the blocks say: 0 to 8 for each marker.
    pub bip_errors: u64,
    /// Markers with a parity that was compared.
    pub markers: u64,
    /// Blocks in the places of markers that were none of this lane.
    pub bad_markers: u64,
    /// Sync headers that are none, while blocks were found.
    pub bad_headers: u64,
    /// How often its blocks were lost.
    pub block_lock_losses: u64,
    /// How often its markers were lost, be it with the blocks or by four bad ones in a row.
    pub marker_lock_losses: u64,
}

/// A lane.
#[derive(Debug, Clone)]
pub(super) struct Lane {
    gearbox: Receive,
    sync: BlockSync,
    lock: MarkerLock,
    bip: Bip,
    bits: u64,
    pub(super) status: LaneStatus,
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            gearbox: Receive::new(WIDTH),
            sync: BlockSync::of_lane(),
            lock: MarkerLock::default(),
            bip: Bip::default(),
            bits: 0,
            status: LaneStatus::default(),
        }
    }
}

impl Lane {
    /// Processes a word; returns a block and its kind if one is complete.
    #[inline]
    pub(super) fn word(&mut self, word: u64) -> Option<(Block, Seen)> {
        self.bits += u64::from(WIDTH);
        let block = self.gearbox.word(word)?;
        if self.sync.header(block.header) == Step::Slip {
            self.gearbox.slip();
        }
        if self.sync.locked() != self.status.block_lock {
            self.block_lock_changed();
        }
        if !self.sync.locked() {
            return Some((block, Seen::Unknown));
        }
        self.status.bad_headers += u64::from(block.header != DATA && block.header != CONTROL);
        let seen = self.lock.block(block);
        if seen != Seen::Block {
            self.not_between(block, seen);
        }
        self.bip.add(block);
        Some((block, seen))
    }

    /// Where the last block ended, in bits of this lane.
    pub(super) fn at(&self) -> u64 {
        self.bits - u64::from(self.gearbox.waiting())
    }

    #[cold]
    fn block_lock_changed(&mut self) {
        self.status.block_lock = self.sync.locked();
        if !self.status.block_lock {
            self.status.block_lock_losses += 1;
            self.status.marker_lock_losses += u64::from(self.lock.lane().is_some());
            self.lock.reset();
            self.status.number = None;
        }
    }

    fn not_between(&mut self, block: Block, seen: Seen) {
        match seen {
            Seen::Block | Seen::Unknown => {}
            Seen::First => self.bip = Bip::default(),
            Seen::Marker { good } => {
                if good {
                    let wrong = self.bip.value() ^ parity_of(block);
                    self.status.bip_errors += u64::from(wrong.count_ones());
                    self.status.markers += 1;
                } else {
                    self.status.bad_markers += 1;
                }
                self.bip = Bip::default();
            }
            Seen::Lost => {
                self.status.bad_markers += 1;
                self.status.marker_lock_losses += 1;
            }
        }
        self.status.number = self.lock.lane();
    }
}
