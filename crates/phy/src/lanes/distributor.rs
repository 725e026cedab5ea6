//! Blocks to lanes, with markers.

use super::bip::Bip;
use super::marker::marker;
use super::{LANES, MARKER_PERIOD, Row};
use crate::block::{Block, CONTROL};
use crate::scrambler::Scrambler;

/// Blocks that are worked on at a time: little enough for a cache.
const CHUNK: usize = 2048;

/// Scrambles blocks, gives them to four lanes in turn, and adds markers. The first row is of markers.
#[derive(Debug, Clone)]
pub struct Distributor {
    scrambler: Scrambler,
    bips: [Bip; LANES],
    /// Rows up to the next one of markers.
    rows_left: usize,
    /// Scrambled blocks: fewer than a row between calls.
    headers: Vec<u8>,
    payloads: Vec<u64>,
    rows: Vec<Row>,
    counts: DistributorCounts,
}

/// What a distributor did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DistributorCounts {
    /// Rows of markers.
    pub markers: u64,
    /// Idle blocks deleted to make room for markers.
    pub deleted: u64,
    /// Blocks by which the lanes are behind what came in: four for each row of markers, less what was deleted.
    pub behind: u64,
    /// The most that it has been: the blocks that a sender must be able to hold. With frames up to 9018 bytes at a mean
    /// gap of 12 it is 4.
    pub most_behind: u64,
}

impl Default for Distributor {
    fn default() -> Self {
        Self {
            scrambler: Scrambler::default(),
            bips: [Bip::default(); LANES],
            rows_left: 0,
            headers: Vec::with_capacity(CHUNK + LANES),
            payloads: Vec::with_capacity(CHUNK + LANES),
            rows: Vec::with_capacity(CHUNK / LANES + 2),
            counts: DistributorCounts::default(),
        }
    }
}

impl Distributor {
    /// Takes blocks that are not scrambled; `visit` gets whole rows. What is no whole row waits for the next call.
    pub fn blocks(&mut self, headers: &[u8], payloads: &[u64], visit: &mut impl FnMut(&[Row])) {
        let count = headers.len().min(payloads.len());
        let mut n = 0;
        while n < count {
            if self.rows_left == 0 {
                self.markers();
            }
            let waiting = self.payloads.len();
            let most = (LANES * self.rows_left).min(CHUNK) - waiting;
            let end = count.min(n + most);
            let is_idle = |n: usize| payloads[n] == Block::IDLE.payload && headers[n] == CONTROL;
            // A run up to where idle must be deleted.
            let run = if self.counts.behind == 0 {
                end
            } else {
                (n..end).find(|n| is_idle(*n)).unwrap_or(end)
            };
            self.headers.extend_from_slice(&headers[n..run]);
            self.payloads.extend_from_slice(&payloads[n..run]);
            self.scrambler.scramble(&mut self.payloads[waiting..]);
            n = run;
            while n < count && self.counts.behind > 0 && is_idle(n) {
                self.counts.behind -= 1;
                self.counts.deleted += 1;
                n += 1;
            }
            self.whole_rows(visit);
        }
    }

    /// Flushes what is buffered, padded with idle to a whole row.
    pub fn finish(&mut self, visit: &mut impl FnMut(&[Row])) {
        let missing = (LANES - self.payloads.len()) % LANES;
        self.headers.extend(std::iter::repeat_n(Block::IDLE.header, missing));
        let idle = std::iter::repeat_n(Block::IDLE.payload, missing);
        self.payloads.extend(idle.map(|payload| self.scrambler.word(payload)));
        self.whole_rows(visit);
    }

    /// What it did so far.
    pub fn counts(&self) -> DistributorCounts {
        self.counts
    }

    fn markers(&mut self) {
        let row = std::array::from_fn(|lane| marker(lane, self.bips[lane].value()));
        self.bips = [Bip::default(); LANES];
        self.bips.iter_mut().zip(row).for_each(|(bip, block)| bip.add(block));
        self.rows.push(row);
        self.rows_left = MARKER_PERIOD as usize - 1;
        self.counts.markers += 1;
        self.counts.behind += LANES as u64;
        self.counts.most_behind = self.counts.most_behind.max(self.counts.behind);
    }

    fn whole_rows(&mut self, visit: &mut impl FnMut(&[Row])) {
        let (payloads, rest) = self.payloads.as_chunks::<LANES>();
        let headers = self.headers.as_chunks::<LANES>().0;
        let mut bips = self.bips;
        // Rows are filled where they stand: to move each would cost more than all else.
        let begin = self.rows.len();
        self.rows.resize(begin + payloads.len(), [Block::IDLE; LANES]);
        for ((row, payloads), headers) in self.rows[begin..].iter_mut().zip(payloads).zip(headers) {
            for lane in 0..LANES {
                row[lane].header = headers[lane];
                row[lane].payload = payloads[lane];
                bips[lane].add(Block { header: headers[lane], payload: payloads[lane] });
            }
        }
        self.bips = bips;
        self.rows_left -= payloads.len();
        let (used, waiting) = (LANES * payloads.len(), rest.len());
        self.payloads.copy_within(used.., 0);
        self.payloads.truncate(waiting);
        self.headers.copy_within(used.., 0);
        self.headers.truncate(waiting);
        if !self.rows.is_empty() {
            visit(&self.rows);
            self.rows.clear();
        }
    }
}
