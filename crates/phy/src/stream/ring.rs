//! A buffer of blocks for consumers that process many at a time.

use crate::block::{Block, CONTROL, DATA};
use crate::page::{PAGE_BLOCKS, Page};

/// Pages of a ring: 128 KB.
pub const RING_PAGES: usize = 32;

/// Blocks that are handed on at a time.
const BLOCKS: usize = RING_PAGES * PAGE_BLOCKS;
/// Room behind them, so that a run of blocks need not be broken where the ring ends.
const SLACK: usize = 2048;

/// Collects blocks, and hands them on when 32 pages are full.
pub struct Ring<F> {
    /// Of data where no block is yet: then those of data need not be written.
    headers: Box<[u8]>,
    payloads: Box<[u64]>,
    /// Blocks that wait, fewer than `BLOCKS` between calls.
    used: usize,
    full: F,
}

impl<E, F: FnMut(&[u8], &mut [u64]) -> Result<(), E>> Ring<F> {
    /// `full` gets the sync headers and the payloads, not yet scrambled, of whole pages.
    pub fn new(full: F) -> Self {
        let headers = vec![DATA; BLOCKS + SLACK].into_boxed_slice();
        let payloads = vec![0; BLOCKS + SLACK].into_boxed_slice();
        Self { headers, payloads, used: 0, full }
    }

    /// A frame's blocks: the first, which is control, perhaps one more of data, then data, and one that ends it.
    #[inline]
    pub(super) fn run(
        &mut self,
        first: u64,
        second: Option<u64>,
        octets: &[[u8; 8]],
        end: u64,
    ) -> Result<(), E> {
        self.headers[self.used] = CONTROL;
        self.payloads[self.used] = first;
        self.used += 1;
        if let Some(second) = second {
            self.payloads[self.used] = second;
            self.used += 1;
        }
        let mut rest = octets;
        while rest.len() > SLACK / 2 {
            let (now, later) = rest.split_at(SLACK / 2);
            self.data(now);
            self.hand_on_if_full()?;
            rest = later;
        }
        self.data(rest);
        self.headers[self.used] = CONTROL;
        self.payloads[self.used] = end;
        self.used += 1;
        self.hand_on_if_full()
    }

    /// Data, for which there is room, and whose headers are there already.
    #[inline]
    fn data(&mut self, octets: &[[u8; 8]]) {
        let payloads = &mut self.payloads[self.used..][..octets.len()];
        for (payload, eight) in payloads.iter_mut().zip(octets) {
            *payload = u64::from_le_bytes(*eight);
        }
        self.used += octets.len();
    }

    /// Blocks of idle.
    #[inline]
    pub fn idle(&mut self, count: u64) -> Result<(), E> {
        let mut rest = count;
        while rest > 0 {
            let now = rest.min((BLOCKS - self.used) as u64) as usize;
            let both = self.headers[self.used..].iter_mut().zip(&mut self.payloads[self.used..]);
            for (header, payload) in both.take(now) {
                (*header, *payload) = (Block::IDLE.header, Block::IDLE.payload);
            }
            self.used += now;
            self.hand_on_if_full()?;
            rest -= now as u64;
        }
        Ok(())
    }

    /// Flushes the rest, padded with idle to a whole page.
    pub fn finish(mut self) -> Result<(), E> {
        let length = self.used.next_multiple_of(PAGE_BLOCKS);
        self.headers[self.used..length].fill(Block::IDLE.header);
        self.payloads[self.used..length].fill(Block::IDLE.payload);
        if length == 0 {
            return Ok(());
        }
        (self.full)(&self.headers[..length], &mut self.payloads[..length])
    }

    #[inline]
    fn hand_on_if_full(&mut self) -> Result<(), E> {
        if self.used >= BLOCKS { self.hand_on() } else { Ok(()) }
    }

    #[cold]
    fn hand_on(&mut self) -> Result<(), E> {
        (self.full)(&self.headers[..BLOCKS], &mut self.payloads[..BLOCKS])?;
        self.headers.copy_within(BLOCKS..self.used, 0);
        self.payloads.copy_within(BLOCKS..self.used, 0);
        self.used -= BLOCKS;
        self.headers[self.used..].fill(DATA);
        Ok(())
    }
}

impl Page {
    /// Pages of headers and payloads, of which there are as many as whole pages have.
    pub fn all_of<'a>(headers: &'a [u8], payloads: &'a [u64]) -> impl Iterator<Item = Self> + 'a {
        let headers = headers.as_chunks::<PAGE_BLOCKS>().0;
        let payloads = payloads.as_chunks::<PAGE_BLOCKS>().0;
        headers
            .iter()
            .zip(payloads)
            .map(|(headers, payloads)| Self { headers: *headers, payloads: *payloads })
    }
}
