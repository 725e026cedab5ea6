//! Blocks on their way to whoever takes many at a time.

use crate::block::Block;
use crate::page::{PAGE_BLOCKS, Page};

/// Pages of a ring: 128 KB.
pub const RING_PAGES: usize = 32;

/// Collects blocks, and hands them on when 32 pages are full.
pub struct Ring<F> {
    headers: Vec<u8>,
    payloads: Vec<u64>,
    full: F,
}

impl<E, F: FnMut(&[u8], &mut [u64]) -> Result<(), E>> Ring<F> {
    const BLOCKS: usize = RING_PAGES * PAGE_BLOCKS;

    /// `full` gets the sync headers and the payloads, not yet scrambled, of whole pages.
    pub fn new(full: F) -> Self {
        let (headers, payloads) =
            (Vec::with_capacity(Self::BLOCKS), Vec::with_capacity(Self::BLOCKS));
        Self { headers, payloads, full }
    }

    /// One more block.
    #[inline]
    pub fn push(&mut self, block: Block) -> Result<(), E> {
        self.headers.push(block.header);
        self.payloads.push(block.payload);
        if self.payloads.len() == Self::BLOCKS { self.hand_on() } else { Ok(()) }
    }

    /// Blocks of data, of octets one behind the other.
    #[inline]
    pub fn data(&mut self, octets: &[[u8; 8]]) -> Result<(), E> {
        let mut rest = octets;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(Self::BLOCKS - self.payloads.len()));
            self.headers.resize(self.headers.len() + now.len(), crate::block::DATA);
            self.payloads.extend(now.iter().map(|eight| u64::from_le_bytes(*eight)));
            if self.payloads.len() == Self::BLOCKS {
                self.hand_on()?;
            }
            rest = later;
        }
        Ok(())
    }

    /// Blocks of idle.
    pub fn idle(&mut self, count: u64) -> Result<(), E> {
        let mut rest = count;
        while rest > 0 {
            let now = rest.min((Self::BLOCKS - self.payloads.len()) as u64);
            let length = self.payloads.len() + now as usize;
            self.headers.resize(length, Block::IDLE.header);
            self.payloads.resize(length, Block::IDLE.payload);
            if length == Self::BLOCKS {
                self.hand_on()?;
            }
            rest -= now;
        }
        Ok(())
    }

    /// Hands on what is left, with idle up to a whole page.
    pub fn finish(mut self) -> Result<(), E> {
        let missing = self.payloads.len().next_multiple_of(PAGE_BLOCKS) - self.payloads.len();
        self.idle(missing as u64)?;
        if self.payloads.is_empty() { Ok(()) } else { self.hand_on() }
    }

    fn hand_on(&mut self) -> Result<(), E> {
        (self.full)(&self.headers, &mut self.payloads)?;
        self.headers.clear();
        self.payloads.clear();
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
