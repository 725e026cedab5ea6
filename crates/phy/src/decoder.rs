//! The receive state machine (IEEE 802.3 figure 49-17; figure 82-15 has the same states).

use crate::block::{Block, Kind};
use crate::coding::{Coding, State};
use crate::xgmii::Word;

/// Makes words of descrambled blocks, and errors of blocks that cannot stand where they are. It looks at the block
/// behind a terminate, and therefore gives each word with the next block.
#[derive(Debug, Clone)]
pub struct Decoder {
    coding: Coding,
    state: State,
    held: (Kind, Word),
    errors: u64,
}

impl Default for Decoder {
    fn default() -> Self {
        Self::new(Coding::default())
    }
}

impl Decoder {
    /// To words of XGMII or XLGMII. Before the first block there was local fault.
    pub fn new(coding: Coding) -> Self {
        let held = coding.to_word(coding.local_fault());
        Self { coding, state: State::Between, held, errors: 0 }
    }

    /// Processes a block and returns the word of the one before it; local fault before the first.
    #[inline]
    pub fn decode(&mut self, block: Block) -> Word {
        let behind = self.coding.to_word(block);
        let (kind, word) = std::mem::replace(&mut self.held, behind);
        let ends = matches!(behind.0, Kind::Start | Kind::Control);
        self.state = match (self.state, kind) {
            (State::Between, Kind::Start) => State::Frame,
            (State::Frame | State::Error, Kind::Data) => State::Frame,
            (State::Between | State::Error, Kind::Control) => State::Between,
            (State::Frame | State::Error, Kind::Terminate) if ends => State::Between,
            _ => State::Error,
        };
        if self.state == State::Error {
            self.errors += 1;
            return Word::ERROR;
        }
        word
    }

    /// Takes blocks of data behind a block of data within a frame, without a look at the state machine: gives the octets
    /// of the one before them. `None`, and nothing is taken, where the decoder stands otherwise.
    #[inline]
    pub(crate) fn decode_data(&mut self, last: u64) -> Option<u64> {
        let (State::Frame, (Kind::Data, word)) = (self.state, &mut self.held) else { return None };
        Some(std::mem::replace(&mut word.data, last))
    }

    /// Whether the block that is held is a start that may stand where it is.
    #[inline]
    pub(crate) fn holds_start(&self) -> bool {
        self.state == State::Between && self.held.0 == Kind::Start
    }

    /// Goes from the start that is held over a terminate, behind which this block is, with nothing but data in between. False, and
    /// nothing is taken, if a frame cannot end in front of it.
    #[inline]
    pub(crate) fn skip_frame(&mut self, behind: Block) -> bool {
        let behind = self.coding.to_word(behind);
        let ends = matches!(behind.0, Kind::Start | Kind::Control);
        if ends {
            self.held = behind;
        }
        ends
    }

    /// Whether idle follows idle: then any number of idle blocks changes nothing.
    #[inline]
    pub(crate) fn rests(&self) -> bool {
        self.state == State::Between && self.held.1 == Word::IDLE
    }

    /// Blocks that became errors.
    pub fn errors(&self) -> u64 {
        self.errors
    }
}
