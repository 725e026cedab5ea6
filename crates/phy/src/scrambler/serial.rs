//! Bit by bit, as the standard draws it: the definition that the fast forms are held against.

/// A shift register of 58 bits, the newest in bit 0.
#[derive(Debug, Clone)]
pub struct Serial {
    register: u64,
}

impl Serial {
    /// With the bits that were sent last, the newest in bit 0: the reverse of the order in a word.
    pub fn new(register: u64) -> Self {
        Self { register }
    }

    /// Scrambles a word, its bit 0 first.
    pub fn scramble(&mut self, plain: u64) -> u64 {
        self.pass(plain, |_, output| output)
    }

    /// Descrambles a word, its bit 0 first.
    pub fn descramble(&mut self, scrambled: u64) -> u64 {
        self.pass(scrambled, |input, _| input)
    }

    /// `kept` says which of a bit of input and its output enters the register.
    fn pass(&mut self, word: u64, kept: impl Fn(u64, u64) -> u64) -> u64 {
        let mut result = 0;
        for place in 0..64 {
            let input = word >> place & 1;
            let output = input ^ self.register >> 38 & 1 ^ self.register >> 57 & 1;
            self.register = self.register << 1 | kept(input, output);
            result |= output << place;
        }
        result
    }
}
