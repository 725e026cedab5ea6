//! TCP options: what is read of them, and how they are laid out (RFC 9293 section 3.2, RFC 2018, RFC 7323).

use crate::sequence::Sequence;

/// Blocks in a SACK option at most.
pub const MOST_BLOCKS: usize = 4;

/// Largest shift of a window (RFC 7323 section 2.3).
pub const LARGEST_SCALE: u8 = 14;

mod kind {
    pub const END: u8 = 0;
    pub const NOP: u8 = 1;
    pub const MSS: u8 = 2;
    pub const WINDOW_SCALE: u8 = 3;
    pub const SACK_PERMITTED: u8 = 4;
    pub const SACK: u8 = 5;
    pub const TIMESTAMPS: u8 = 8;
}

/// The two values of a timestamps option.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timestamps {
    /// The sender's clock.
    pub value: u32,
    /// The peer's, echoed.
    pub echo: u32,
}

/// Bytes that have arrived: the first, and the one behind the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// First byte.
    pub start: Sequence,
    /// Behind the last byte.
    pub end: Sequence,
}

/// Up to [`MOST_BLOCKS`] blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    blocks: [Block; MOST_BLOCKS],
    count: u8,
}

impl Blocks {
    /// Adds a block, unless there is no room.
    pub fn push(&mut self, block: Block) {
        if let Some(place) = self.blocks.get_mut(usize::from(self.count)) {
            *place = block;
            self.count += 1;
        }
    }

    /// The blocks.
    pub fn as_slice(&self) -> &[Block] {
        &self.blocks[..usize::from(self.count)]
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// The options of one segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Longest segment that the sender takes, in bytes.
    pub mss: Option<u16>,
    /// Shift of the sender's windows, 0 to 14.
    pub window_scale: Option<u8>,
    /// The sender understands SACK.
    pub sack_permitted: bool,
    /// Timestamps.
    pub timestamps: Option<Timestamps>,
    /// What has arrived at the sender out of order.
    pub sack: Blocks,
}

impl Options {
    /// Reads options. What is not known is passed over; from an option whose length makes no sense nothing more is
    /// read. A shift above 14 counts as 14 (RFC 7323 section 2.3), an MSS of 0 as none.
    pub fn parse(mut bytes: &[u8]) -> Self {
        let mut options = Self::default();
        while let Some((&kind, rest)) = bytes.split_first() {
            match kind {
                kind::END => break,
                kind::NOP => {
                    bytes = rest;
                    continue;
                }
                _ => {}
            }
            let Some(&length) = rest.first() else { break };
            let Some(value) = bytes.get(2..usize::from(length)) else { break };
            match (kind, value) {
                (kind::MSS, &[a, b]) => {
                    options.mss = Some(u16::from_be_bytes([a, b])).filter(|&mss| mss > 0);
                }
                (kind::WINDOW_SCALE, &[shift]) => {
                    options.window_scale = Some(shift.min(LARGEST_SCALE));
                }
                (kind::SACK_PERMITTED, []) => options.sack_permitted = true,
                (kind::TIMESTAMPS, value) if value.len() == 8 => {
                    options.timestamps =
                        Some(Timestamps { value: word(value, 0), echo: word(value, 4) });
                }
                (kind::SACK, value) if value.len().is_multiple_of(8) => {
                    options.sack = Blocks::default();
                    for block in value.chunks_exact(8) {
                        options.sack.push(Block {
                            start: Sequence(word(block, 0)),
                            end: Sequence(word(block, 4)),
                        });
                    }
                }
                _ => {}
            }
            bytes = &bytes[usize::from(length)..];
        }
        options
    }

    /// Appends the options in Linux's order, padded with no-operations in front to whole words. At most 40 bytes:
    /// with timestamps a fourth block is left out.
    pub fn emit(&self, out: &mut Vec<u8>) {
        use kind::{MSS, NOP, SACK, SACK_PERMITTED, TIMESTAMPS, WINDOW_SCALE};
        if let Some(mss) = self.mss {
            out.extend_from_slice(&[MSS, 4]);
            out.extend_from_slice(&mss.to_be_bytes());
        }
        match (self.sack_permitted, self.timestamps) {
            (true, Some(_)) => out.extend_from_slice(&[SACK_PERMITTED, 2]),
            (true, None) => out.extend_from_slice(&[NOP, NOP, SACK_PERMITTED, 2]),
            (false, Some(_)) => out.extend_from_slice(&[NOP, NOP]),
            (false, None) => {}
        }
        if let Some(Timestamps { value, echo }) = self.timestamps {
            out.extend_from_slice(&[TIMESTAMPS, 10]);
            out.extend_from_slice(&value.to_be_bytes());
            out.extend_from_slice(&echo.to_be_bytes());
        }
        if let Some(shift) = self.window_scale {
            out.extend_from_slice(&[NOP, WINDOW_SCALE, 3, shift]);
        }
        let blocks = self.blocks_sent();
        if !blocks.is_empty() {
            out.extend_from_slice(&[NOP, NOP, SACK, 2 + 8 * blocks.len() as u8]);
            for block in blocks {
                out.extend_from_slice(&block.start.0.to_be_bytes());
                out.extend_from_slice(&block.end.0.to_be_bytes());
            }
        }
    }

    /// Bytes that [`Self::emit`] appends: a multiple of 4, at most 40.
    pub fn length(&self) -> usize {
        let permitted = match (self.sack_permitted, self.timestamps) {
            (_, Some(_)) => 12,
            (true, None) => 4,
            (false, None) => 0,
        };
        let blocks = self.blocks_sent().len();
        let sack = if blocks > 0 { 4 + 8 * blocks } else { 0 };
        usize::from(self.mss.is_some()) * 4
            + permitted
            + usize::from(self.window_scale.is_some()) * 4
            + sack
    }

    fn blocks_sent(&self) -> &[Block] {
        let room = if self.timestamps.is_some() { 3 } else { MOST_BLOCKS };
        let blocks = self.sack.as_slice();
        &blocks[..blocks.len().min(room)]
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn emitted(options: &Options) -> Vec<u8> {
        let mut bytes = Vec::new();
        options.emit(&mut bytes);
        assert_eq!(bytes.len(), options.length());
        bytes
    }

    #[test]
    fn syn_without_timestamps_is_laid_out_as_linux_does() {
        let options = Options {
            mss: Some(1460),
            window_scale: Some(8),
            sack_permitted: true,
            ..Options::default()
        };
        let bytes = emitted(&options);
        assert_eq!(bytes, [2, 4, 5, 180, 1, 1, 4, 2, 1, 3, 3, 8]);
        assert_eq!(Options::parse(&bytes), options);
    }

    #[test]
    fn syn_with_timestamps_is_laid_out_as_linux_does() {
        let options = Options {
            mss: Some(1460),
            window_scale: Some(8),
            sack_permitted: true,
            timestamps: Some(Timestamps { value: 100, echo: 0 }),
            ..Options::default()
        };
        let bytes = emitted(&options);
        assert_eq!(bytes, [2, 4, 5, 180, 4, 2, 8, 10, 0, 0, 0, 100, 0, 0, 0, 0, 1, 3, 3, 8]);
        assert_eq!(Options::parse(&bytes), options);
    }

    #[test]
    fn a_fourth_block_goes_only_without_timestamps() {
        let mut options = Options::default();
        for start in [10, 30, 50, 70, 90] {
            options.sack.push(Block { start: Sequence(start), end: Sequence(start + 10) });
        }
        let bytes = emitted(&options);
        assert_eq!((bytes.len(), bytes[3]), (36, 34));
        assert_eq!(Options::parse(&bytes), options);
        options.timestamps = Some(Timestamps::default());
        let bytes = emitted(&options);
        assert_eq!((bytes.len(), bytes[15]), (40, 26));
        assert_eq!(Options::parse(&bytes).sack.as_slice().len(), 3);
    }

    #[test]
    fn garbage_ends_the_reading() {
        for bytes in [&[2][..], &[2, 0], &[2, 1], &[2, 5, 1], &[5, 200, 1, 2], &[0, 2, 4, 5, 180]] {
            assert_eq!(Options::parse(bytes), Options::default(), "{bytes:?}");
        }
        // What came before it counts, and an unknown option is passed over.
        let options = Options::parse(&[254, 4, 1, 2, 3, 3, 99, 2, 9]);
        assert_eq!(options.window_scale, Some(14));
        assert_eq!(options.mss, None);
    }
}
