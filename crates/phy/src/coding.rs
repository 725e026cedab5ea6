//! Which blocks there are: those of 10GBASE-R, and the fewer ones of 40GBASE-R (IEEE 802.3 figure 82-5).
//!
//! A word of XLGMII begins with a start or an ordered set in lane 0 or has none: the blocks with one in lane 4 are not
//! there, an ordered set fills its word with zeros, and control characters are idle, low-power idle and error only.

use crate::block::{Block, CONTROL, DATA, Kind, TYPE_ORDERED_CONTROL, TYPE_START_0};
use crate::block::{TYPE_CONTROL, TYPES_TERMINATE};
use crate::character::{ERROR, IDLE, LOW_POWER_IDLE, START, TERMINATE};
use crate::character::{of_ordered_code, ordered_code};
use crate::xgmii::Word;

/// The words of an interface, and their blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Coding {
    /// 10 Gb/s: XGMII, clause 49.
    #[default]
    Xgmii,
    /// 40 Gb/s: XLGMII, clause 82.
    Xlgmii,
}

impl Coding {
    /// What a word is, and its block; errors for a word that is of no kind.
    pub fn of_word(self, word: Word) -> (Kind, Block) {
        match self {
            Self::Xgmii => Block::of_word(word),
            Self::Xlgmii => ordered_set(word).unwrap_or_else(|| match Block::of_word(word) {
                (kind, block) if has_type(block) && has_characters(word) => (kind, block),
                _ => (Kind::Error, Block::ERROR),
            }),
        }
    }

    /// What a block is, and its word; errors for a block that is of no kind.
    #[inline]
    pub fn to_word(self, block: Block) -> (Kind, Word) {
        if self == Self::Xgmii || block == Block::IDLE || block.header == DATA {
            return block.to_word();
        }
        if block.block_type() == Some(TYPE_ORDERED_CONTROL) {
            return of_ordered_set(block.payload).unwrap_or((Kind::Error, Word::ERROR));
        }
        match block.to_word() {
            (kind, word) if has_type(block) && has_characters(word) => (kind, word),
            _ => (Kind::Error, Word::ERROR),
        }
    }

    /// The block of local fault.
    pub const fn local_fault(self) -> Block {
        match self {
            Self::Xgmii => Block::LOCAL_FAULT,
            Self::Xlgmii => {
                Block { header: CONTROL, payload: 0x0100_0000 | TYPE_ORDERED_CONTROL as u64 }
            }
        }
    }
}

/// Whether clause 82 has the type; ordered sets are checked elsewhere.
fn has_type(block: Block) -> bool {
    block.block_type().is_none_or(|found| {
        found == TYPE_CONTROL || found == TYPE_START_0 || TYPES_TERMINATE.contains(&found)
    })
}

/// Whether clause 82 has the control characters.
fn has_characters(word: Word) -> bool {
    let known = [IDLE, LOW_POWER_IDLE, ERROR, START, TERMINATE];
    word.lanes().iter().all(|(control, octet)| !control || known.contains(octet))
}

fn ordered_set(word: Word) -> Option<(Kind, Block)> {
    let code = ordered_code(word.data as u8)?;
    // Zeros stand behind the first four lanes.
    if word.control != 1 || word.data >> 32 != 0 {
        return None;
    }
    let octets = word.data & !0xff | u64::from(TYPE_ORDERED_CONTROL);
    Some((Kind::Control, Block { header: CONTROL, payload: octets | u64::from(code) << 32 }))
}

fn of_ordered_set(payload: u64) -> Option<(Kind, Word)> {
    let first = of_ordered_code((payload >> 32) as u8 & 0xf)?;
    let data = payload & 0xffff_ff00 | u64::from(first);
    Some((Kind::Control, Word { data, control: 1 }))
}

/// The states of encoder and decoder, by the block that was sent or received last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    /// Nothing yet, control, or a terminate: what follows is the same.
    Between,
    /// A start or data.
    Frame,
    Error,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{CODES, SEQUENCE, SIGNAL};

    const BOTH: [Coding; 2] = [Coding::Xgmii, Coding::Xlgmii];

    /// Figure 82-5 and table 81-5, written out by hand.
    #[test]
    fn ordered_sets_fill_a_word() {
        for (first, code, octets) in [(SEQUENCE, 0, 0x01_0000), (SIGNAL, 0xf, 0x03_0201)] {
            let word = Word { data: octets << 8 | u64::from(first), control: 1 };
            let block = Block { header: CONTROL, payload: code << 32 | octets << 8 | 0x4b };
            assert_eq!(Coding::Xlgmii.of_word(word), (Kind::Control, block));
            assert_eq!(Coding::Xlgmii.to_word(block), (Kind::Control, word));
        }
        let (kind, word) = Coding::Xlgmii.to_word(Coding::Xlgmii.local_fault());
        assert_eq!((kind, word), (Kind::Control, Word { data: 0x0100_009c, control: 1 }));
        // Behind an ordered set there is neither idle, as at 10 Gb/s, nor anything else.
        let idle = Word { data: 0x0707_0707_0100_009c, control: 0xf1 };
        let more = Word { data: 0x0000_0001_0100_009c, control: 1 };
        assert_eq!(Coding::Xgmii.of_word(idle).0, Kind::Control);
        for word in [idle, more] {
            assert_eq!(Coding::Xlgmii.of_word(word), (Kind::Error, Block::ERROR));
        }
    }

    #[test]
    fn types_of_clause_82() {
        let known = [0x1e, 0x78, 0x4b, 0x87, 0x99, 0xaa, 0xb4, 0xcc, 0xd2, 0xe1, 0xff];
        for block_type in 0..=255u8 {
            let block = Block { header: CONTROL, payload: u64::from(block_type) };
            let (kind, word) = Coding::Xlgmii.to_word(block);
            assert_eq!(kind != Kind::Error, known.contains(&block_type), "{block_type:#x}");
            assert_eq!(kind == Kind::Error, word == Word::ERROR, "{block_type:#x}");
            if kind != Kind::Error {
                assert_eq!(Coding::Xlgmii.of_word(word), (kind, block), "{block_type:#x}");
            }
        }
        // A start in lane 4 is one at 10 Gb/s only.
        let start = Block { header: CONTROL, payload: 0xd555_5500_0000_0033 }.to_word();
        assert_eq!(start.0, Kind::Start);
        assert_eq!(BOTH.map(|coding| coding.of_word(start.1).0), [Kind::Start, Kind::Error]);
    }

    #[test]
    fn characters_of_clause_82() {
        for (octet, code) in CODES {
            let word =
                Word { data: Word::IDLE.data & !0xff00 | u64::from(octet) << 8, control: 0xff };
            let block = Block { header: CONTROL, payload: 0x1e | u64::from(code) << 15 };
            let known = octet == IDLE || octet == LOW_POWER_IDLE;
            let kind = if known { Kind::Control } else { Kind::Error };
            assert_eq!(Coding::Xlgmii.of_word(word).0, kind, "{octet:#x}");
            assert_eq!(Coding::Xlgmii.to_word(block).0, kind, "{octet:#x}");
        }
        // An error behind a terminate.
        let ends = Block { header: CONTROL, payload: 0x87 | 0x1e << 15 };
        assert_eq!(Coding::Xlgmii.to_word(ends).0, Kind::Terminate);
        assert_eq!(Coding::Xlgmii.to_word(Block { header: 0, payload: 0x1e }).0, Kind::Error);
    }
}
