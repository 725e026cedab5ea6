//! The self-synchronising scrambler 1 + x^39 + x^58 (IEEE 802.3 clauses 49.2.6 and 49.2.10).
//!
//! A bit of output is the bit of input plus the output bits 39 and 58 places before it. The descrambler computes the
//! same from what it receives, and so is right after 58 bits whatever it began with. Sync headers do not pass.
//!
//! Three forms that give the same: [`serial`], bit by bit, which is the definition; a word at a time, here; and many
//! words at a time, in [`wide`], which [`Scrambler::scramble`] uses for long slices.

pub mod serial;
mod wide;

/// Scrambles payloads of blocks.
#[derive(Debug, Clone)]
pub struct Scrambler {
    /// The last word of output.
    last: u64,
}

impl Default for Scrambler {
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl Scrambler {
    /// With the last word that was sent, of which the upper 58 bits matter. Any value does; a scrambler begins with
    /// ones by default.
    pub fn new(last: u64) -> Self {
        Self { last }
    }

    /// One word.
    #[inline]
    pub fn word(&mut self, plain: u64) -> u64 {
        // The bits of this word that older words decide; then what the word itself adds, which is at most once, for 39
        // and 39 is more than 64.
        let known = plain ^ self.last >> 6 ^ self.last >> 25;
        self.last = known ^ known << 39 ^ known << 58;
        self.last
    }

    /// Words in place.
    pub fn scramble(&mut self, words: &mut [u64]) {
        wide::scramble(self, words);
    }

    fn words(&mut self, words: &mut [u64]) {
        for word in words {
            *word = self.word(*word);
        }
    }
}

/// Descrambles payloads of blocks.
#[derive(Debug, Clone)]
pub struct Descrambler {
    /// The last word of input.
    last: u64,
}

impl Default for Descrambler {
    fn default() -> Self {
        Self::new(u64::MAX)
    }
}

impl Descrambler {
    /// With the last word that was received; after one word it does not matter any more.
    pub fn new(last: u64) -> Self {
        Self { last }
    }

    /// One word.
    #[inline]
    pub fn word(&mut self, scrambled: u64) -> u64 {
        let last = std::mem::replace(&mut self.last, scrambled);
        plain(last, scrambled)
    }

    /// Words in place.
    pub fn descramble(&mut self, words: &mut [u64]) {
        wide::descramble(self, words);
    }
}

/// What was scrambled to a word that came behind `last`.
#[inline]
fn plain(last: u64, scrambled: u64) -> u64 {
    scrambled ^ last >> 6 ^ last >> 25 ^ scrambled << 39 ^ scrambled << 58
}
