//! Memory of stages that belongs to applications: registers, and a larger memory behind a window.

/// Registers of a stage.
pub const REGISTERS: usize = 64;

/// Rows of a stage's memory, of [`WORDS`] words each: 64 kbit, as in the paper's prototype and in `rtl/tpp`.
pub const ROWS: usize = 512;

/// 32-bit words of a row.
pub const WORDS: usize = 4;

/// Words that the window shows.
const WINDOW: u16 = 64;

/// Of one stage.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    registers: [u32; REGISTERS],
    sram: Box<[u32]>,
    /// `SramBase`
    pub base: u32,
}

impl Default for Stage {
    fn default() -> Self {
        Self { registers: [0; REGISTERS], sram: vec![0; ROWS * WORDS].into(), base: 0 }
    }
}

impl Stage {
    pub fn registers(&self) -> &[u32] {
        &self.registers
    }

    pub fn register(&mut self, number: u16) -> Option<&mut u32> {
        self.registers.get_mut(usize::from(number))
    }

    /// The word that the window shows at this place: behind the last row comes the first one.
    pub fn word(&mut self, place: u16) -> Option<&mut u32> {
        let begin = self.base as usize % ROWS * WORDS;
        let word = (begin + usize::from(place)) % (ROWS * WORDS);
        self.sram.get_mut(word).filter(|_| place < WINDOW)
    }
}
