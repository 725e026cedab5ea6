//! The receive state machine (IEEE 802.3 figure 49-17).

use crate::block::{Block, Kind};
use crate::xgmii::Word;

/// Makes words of descrambled blocks, and errors of blocks that cannot stand where they are. It looks at the block
/// behind a terminate, and therefore gives each word with the next block.
#[derive(Debug, Clone)]
pub struct Decoder {
    state: State,
    held: (Kind, Word),
    errors: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Nothing yet, control, or a terminate, behind which was looked already.
    Between,
    Frame,
    Error,
}

impl Default for Decoder {
    /// Before the first block there was local fault.
    fn default() -> Self {
        Self { state: State::Between, held: (Kind::Control, Word::LOCAL_FAULT), errors: 0 }
    }
}

impl Decoder {
    /// Takes a block, and gives the word of the one before it; local fault before the first.
    pub fn decode(&mut self, block: Block) -> Word {
        let behind = block.to_word();
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

    /// Blocks that became errors.
    pub fn errors(&self) -> u64 {
        self.errors
    }
}
