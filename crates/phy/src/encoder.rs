//! The transmit state machine (IEEE 802.3 figure 49-16; figure 82-14 has the same states).

use crate::block::{Block, Kind};
use crate::coding::{Coding, State};
use crate::xgmii::Word;

/// Makes blocks of words, and errors of words that cannot stand where they are.
#[derive(Debug, Clone)]
pub struct Encoder {
    coding: Coding,
    state: State,
    errors: u64,
}

impl Default for Encoder {
    fn default() -> Self {
        Self::new(Coding::default())
    }
}

impl Encoder {
    /// For words of XGMII or XLGMII.
    pub fn new(coding: Coding) -> Self {
        Self { coding, state: State::Between, errors: 0 }
    }

    /// The block of the next word.
    pub fn encode(&mut self, word: Word) -> Block {
        let (kind, block) = self.coding.of_word(word);
        let next = match (self.state, kind) {
            (State::Between, Kind::Start) => State::Frame,
            (State::Frame | State::Error, Kind::Data) => State::Frame,
            (State::Between | State::Error, Kind::Control) => State::Between,
            (State::Frame | State::Error, Kind::Terminate) => State::Between,
            _ => State::Error,
        };
        self.state = next;
        if next == State::Error {
            self.errors += 1;
            return Block::ERROR;
        }
        block
    }

    /// Words that became errors.
    pub fn errors(&self) -> u64 {
        self.errors
    }
}
