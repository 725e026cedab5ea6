//! Requests to a policy's program and its answers, as bytes:
//! [`ww_dataplane::policy`] says where each word is.

use ww_dataplane::policy::{ANSWER, Kind, REQUEST, Word, bytes, offset};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink};

/// A request.
#[derive(Clone, Debug)]
pub struct Request([u8; bytes(REQUEST)]);

/// A program's answer; 0 and false for fields that were not requested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Smaller leaves first.
    pub rank: u64,
    /// In the node's clock.
    pub eligible: u64,
    /// The node's virtual time.
    pub clock: u64,
    /// Whether the child sends.
    pub yes: bool,
}

impl Request {
    /// A request to a node; all other words are 0.
    pub fn new(kind: Kind, node: u32) -> Self {
        let mut request = Self([0; bytes(REQUEST)]);
        request.set("kind", u64::from(kind as u8));
        request.set("node", u64::from(node));
        request
    }

    /// Sets a word of the description; what does not fit becomes the largest value.
    ///
    /// # Panics
    /// There is no such word.
    #[inline]
    pub fn set(&mut self, name: &str, value: u64) {
        let number = number(REQUEST, name);
        let (at, size) = (offset(REQUEST, number), REQUEST[number].bits as usize / 8);
        let most = u64::MAX >> (64 - 8 * size);
        self.0[at..at + size].copy_from_slice(&value.min(most).to_be_bytes()[8 - size..]);
    }

    /// A word of the description.
    ///
    /// # Panics
    /// There is no such word.
    pub fn get(&self, name: &str) -> u64 {
        word(REQUEST, name, &self.0)
    }

    /// Has an engine answer.
    pub fn send(&self, engine: &mut impl Dataplane) -> Answer {
        let mut bytes = self.0;
        let mut sink = Receiver { answer: Answer::default(), states: &mut [] };
        engine.receive_batch(0, &mut [Frame { port: 0, bytes: &mut bytes }], &mut sink);
        sink.answer
    }

    /// The same for a program that is given its states, and gives back what becomes of them.
    pub fn send_with(&self, engine: &mut impl Dataplane, states: &mut [u8]) -> Answer {
        let mut bytes = [&self.0[..], states].concat();
        let mut sink = Receiver { answer: Answer::default(), states };
        engine.receive_batch(0, &mut [Frame { port: 0, bytes: &mut bytes }], &mut sink);
        sink.answer
    }
}

/// Takes the packet that leaves.
struct Receiver<'s> {
    answer: Answer,
    states: &'s mut [u8],
}

impl Sink for Receiver<'_> {
    fn transmit(&mut self, _port: PortId, _at: Picoseconds, frame: &[u8]) {
        if let Some(states) = frame.get(bytes(ANSWER)..bytes(ANSWER) + self.states.len()) {
            self.states.copy_from_slice(states);
        }
        let word = |name: &str| word(ANSWER, name, frame);
        self.answer = Answer {
            rank: word("rank"),
            eligible: word("eligible"),
            clock: word("clock"),
            yes: word("yes") != 0,
        };
    }
}

/// The place of a word in a description.
#[inline]
fn number(words: &[Word], name: &str) -> usize {
    let number = words.iter().position(|word| word.name == name);
    number.unwrap_or_else(|| panic!("unknown word '{name}' of a policy's request or answer"))
}

/// A word of a frame, 0 if the frame is too short.
#[inline]
fn word(words: &[Word], name: &str, frame: &[u8]) -> u64 {
    let number = number(words, name);
    let at = offset(words, number);
    let bytes = frame.get(at..at + words[number].bits as usize / 8).unwrap_or_default();
    bytes.iter().fold(0, |value, &byte| value << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_land_where_the_description_says() {
        let mut request = Request::new(Kind::Clock, 0x0102_0304);
        request.set("any", 1);
        request.set("release", 0xa1a2_a3a4_a5a6_a7a8);
        request.set("weight", 1 << 40);
        let Request(bytes) = request;
        // kind, fresh, any, then the node.
        assert_eq!(bytes[..8], [2, 0, 1, 1, 2, 3, 4, 0]);
        assert_eq!(bytes[119..], [0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, 0xa8]);
        // Behind kind, flags, node, child, bytes, stamped, now and least.
        assert_eq!(bytes[35..39], [0xff; 4]);
    }

    #[test]
    #[should_panic(expected = "unknown word 'colour'")]
    fn an_unknown_word_is_refused() {
        Request::new(Kind::Clock, 0).get("colour");
    }
}
