//! Four lanes to one stream of blocks.

use super::deskew::{Attempt, Deskew, Next};
use super::lane::{Lane, LaneStatus, WIDTH};
use super::marker_lock::Seen;
use super::{LANES, Row};
use crate::ber::BerMonitor;
use crate::block::Block;
use crate::coding::Coding;
use crate::scrambler::Descrambler;

/// Finds the blocks of four lanes that arrive in any order, at any offset, with up to
/// [`MAXIMUM_SKEW`](super::MAXIMUM_SKEW) bits between them.
///
/// What it gives goes on in time whatever the lanes do: as long as they are not aligned, or have too many errors, it is local fault,
/// which cuts the frame that the line was in (figure 82-15: LBLOCK_R). A lane that is lost is looked for
/// again.
#[derive(Debug, Clone)]
pub struct Receiver {
    lanes: [Lane; LANES],
    deskew: Deskew,
    descrambler: Descrambler,
    /// The next block is the first one behind an alignment, for which the descrambler does not know the one before.
    fresh: bool,
    ber: BerMonitor,
    /// Bits of each lane.
    bits: u64,
    /// Rows that were given, markers counted.
    rows: u64,
    /// Blocks of idle that are to be put in for markers.
    owed: u64,
    counts: ReceiverCounts,
}

/// What a receiver has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ReceiverCounts {
    /// Blocks that were given.
    pub blocks: u64,
    /// Those of them that are local fault because there was nothing to be trusted.
    pub faults: u64,
    /// How often lanes were aligned.
    pub alignments: u64,
    /// How often that was lost.
    pub alignment_losses: u64,
    /// How often lanes were further apart than the maximum skew.
    pub too_far: u64,
    /// How often two inputs had the markers of the same lane.
    pub repeated: u64,
}

impl Default for Receiver {
    fn default() -> Self {
        Self {
            lanes: std::array::from_fn(|_| Lane::default()),
            deskew: Deskew::default(),
            descrambler: Descrambler::default(),
            fresh: true,
            ber: BerMonitor::of_40g(),
            bits: 0,
            rows: 0,
            owed: 0,
            counts: ReceiverCounts::default(),
        }
    }
}

impl Receiver {
    /// Takes a word of 64 bits of each input, bit 0 first on the line; `visit` gets the blocks that are complete,
    /// descrambled and in order.
    pub fn words(&mut self, words: [u64; LANES], visit: &mut impl FnMut(Block)) {
        self.bits += u64::from(WIDTH);
        for (input, word) in words.into_iter().enumerate() {
            let Some((block, seen)) = self.lanes[input].word(word) else { continue };
            match seen {
                Seen::Block => self.deskew.block(input, block),
                Seen::Marker { .. } => self.deskew.marker(input, block, self.lanes[input].at()),
                Seen::Unknown | Seen::First | Seen::Lost => self.not_locked(input, visit),
            }
        }
        if !self.deskew.aligned() {
            self.align();
        }
        while let Some(next) = self.deskew.row() {
            match next {
                Next::Blocks(row) => self.row(row, visit),
                Next::Markers => {
                    self.rows += 1;
                    self.owed += LANES as u64;
                }
                Next::Torn => self.lose(visit),
            }
        }
        if !self.deskew.aligned() {
            while (self.rows + 1) * 66 <= self.bits {
                self.rows += 1;
                (0..LANES).for_each(|_| self.fault(visit));
            }
        }
    }

    /// Whether lanes stand side by side, so that what comes out is what was sent.
    pub fn aligned(&self) -> bool {
        self.deskew.aligned()
    }

    /// Whether there are too many bad sync headers: then all that comes out is local fault.
    pub fn hi_ber(&self) -> bool {
        self.ber.hi_ber()
    }

    /// What is known of an input, 0 to 3.
    pub fn lane(&self, input: usize) -> LaneStatus {
        self.lanes[input].status
    }

    /// What it has seen.
    pub fn counts(&self) -> ReceiverCounts {
        self.counts
    }

    fn align(&mut self) {
        let numbers = std::array::from_fn(|input| self.lanes[input].status.number);
        match self.deskew.align(numbers) {
            Attempt::Waiting => {}
            Attempt::Aligned(skews) => {
                for (lane, skew) in self.lanes.iter_mut().zip(skews) {
                    lane.status.skew = skew;
                }
                self.fresh = true;
                self.counts.alignments += 1;
            }
            Attempt::TooFar => self.counts.too_far += 1,
            Attempt::Repeated => self.counts.repeated += 1,
        }
    }

    #[cold]
    fn not_locked(&mut self, input: usize, visit: &mut impl FnMut(Block)) {
        if self.deskew.aligned() {
            self.lose(visit);
        }
        self.deskew.forget(input);
    }

    #[cold]
    fn lose(&mut self, visit: &mut impl FnMut(Block)) {
        self.deskew.reset();
        self.counts.alignment_losses += 1;
        // The time of markers, for which there was no idle yet.
        (0..std::mem::take(&mut self.owed)).for_each(|_| self.fault(visit));
        self.ber.header(0, false);
    }

    #[inline]
    fn row(&mut self, row: Row, visit: &mut impl FnMut(Block)) {
        self.rows += 1;
        for block in row {
            let hi_ber = self.ber.header(block.header, true);
            let payload = self.descrambler.word(block.payload);
            if self.fresh || hi_ber {
                self.fresh = false;
                self.fault(visit);
                continue;
            }
            let block = Block { payload, ..block };
            self.counts.blocks += 1;
            visit(block);
            if self.owed > 0 && block == Block::IDLE {
                self.counts.blocks += self.owed;
                (0..std::mem::take(&mut self.owed)).for_each(|_| visit(Block::IDLE));
            }
        }
    }

    fn fault(&mut self, visit: &mut impl FnMut(Block)) {
        self.counts.blocks += 1;
        self.counts.faults += 1;
        visit(Coding::Xlgmii.local_fault());
    }
}
