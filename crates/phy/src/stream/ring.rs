//! Blocks on their way to whoever takes many at a time.

use crate::block::{Block, DATA};
use crate::page::{PAGE_BLOCKS, Page};

/// Pages of a ring: 128 KB.
pub const RING_PAGES: usize = 32;

/// Blocks that are handed on at a time.
const BLOCKS: usize = RING_PAGES * PAGE_BLOCKS;
/// Room behind them, so that a run of blocks need not be broken where the ring ends.
const SLACK: usize = 2048;

/// Collects blocks, and hands them on when 32 pages are full.
pub struct Ring<F> {
    headers: Box<[u8]>,
    payloads: Box<[u64]>,
    /// Blocks that wait, fewer than `BLOCKS` between calls.
    used: usize,
    full: F,
}

impl<E, F: FnMut(&[u8], &mut [u64]) -> Result<(), E>> Ring<F> {
    /// `full` gets the sync headers and the payloads, not yet scrambled, of whole pages.
    pub fn new(full: F) -> Self {
        let headers = vec![Block::IDLE.header; BLOCKS + SLACK].into_boxed_slice();
        let payloads = vec![Block::IDLE.payload; BLOCKS + SLACK].into_boxed_slice();
        Self { headers, payloads, used: 0, full }
    }

    /// A run of blocks: some that begin it, data, and one that ends it.
    #[inline]
    pub(super) fn run(&mut self, front: &[Block], octets: &[[u8; 8]], end: Block) -> Result<(), E> {
        self.put(front.iter().copied())?;
        let mut rest = octets;
        while rest.len() > SLACK / 2 {
            let (now, later) = rest.split_at(SLACK / 2);
            self.put(now.iter().map(|eight| Block::data(u64::from_le_bytes(*eight))))?;
            rest = later;
        }
        let count = rest.len();
        // Eight headers at a time: what is too much is overwritten.
        let headers = &mut self.headers[self.used..][..count.next_multiple_of(8) + 8];
        let payloads = &mut self.payloads[self.used..][..count + 1];
        for eight in headers.as_chunks_mut::<8>().0 {
            *eight = [DATA; 8];
        }
        for (payload, eight) in payloads.iter_mut().zip(rest) {
            *payload = u64::from_le_bytes(*eight);
        }
        (headers[count], payloads[count]) = (end.header, end.payload);
        self.take(count + 1)
    }

    /// Some blocks, no more than there is room for.
    #[inline]
    fn put(&mut self, blocks: impl ExactSizeIterator<Item = Block>) -> Result<(), E> {
        let count = blocks.len();
        let headers = &mut self.headers[self.used..][..count];
        let payloads = &mut self.payloads[self.used..][..count];
        for ((header, payload), block) in headers.iter_mut().zip(payloads).zip(blocks) {
            (*header, *payload) = (block.header, block.payload);
        }
        self.take(count)
    }

    /// Blocks of idle.
    #[inline]
    pub fn idle(&mut self, count: u64) -> Result<(), E> {
        // The few between frames.
        if count <= 2 {
            return self.put([Block::IDLE; 2][..count as usize].iter().copied());
        }
        let mut rest = count;
        while rest > 0 {
            let now = rest.min((BLOCKS - self.used) as u64) as usize;
            self.headers[self.used..][..now].fill(Block::IDLE.header);
            self.payloads[self.used..][..now].fill(Block::IDLE.payload);
            self.take(now)?;
            rest -= now as u64;
        }
        Ok(())
    }

    /// Hands on what is left, with idle up to a whole page.
    pub fn finish(mut self) -> Result<(), E> {
        let length = self.used.next_multiple_of(PAGE_BLOCKS);
        self.headers[self.used..length].fill(Block::IDLE.header);
        self.payloads[self.used..length].fill(Block::IDLE.payload);
        if length == 0 {
            return Ok(());
        }
        (self.full)(&self.headers[..length], &mut self.payloads[..length])
    }

    /// So many more blocks are there.
    #[inline]
    fn take(&mut self, count: usize) -> Result<(), E> {
        self.used += count;
        if self.used >= BLOCKS { self.hand_on() } else { Ok(()) }
    }

    #[cold]
    fn hand_on(&mut self) -> Result<(), E> {
        (self.full)(&self.headers[..BLOCKS], &mut self.payloads[..BLOCKS])?;
        self.headers.copy_within(BLOCKS..self.used, 0);
        self.payloads.copy_within(BLOCKS..self.used, 0);
        self.used -= BLOCKS;
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
