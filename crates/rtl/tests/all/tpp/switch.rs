//! The memory of a switch with the TCPU, for the golden model: what rtl/tpp/README.md says is there.

use ww_rtl::tpp_block::{METADATA_ADDRESSES, METADATA_WORDS, Memory, Shape, SimulatedTpp};
use ww_tpp::switch_memory::{Refusal, Swap, SwitchMemory, Value};

/// A switch. What it says of a packet changes from packet to packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    pub metadata: [u32; METADATA_WORDS],
    /// Of each stage; the base of its window is the last.
    registers: Vec<Vec<u32>>,
    memory: Vec<Vec<u32>>,
}

enum Place {
    Metadata(usize),
    Header,
    Register(usize, usize),
    Memory(usize, usize),
}

impl Switch {
    pub fn new(shape: &Shape) -> Self {
        Self {
            metadata: [0; METADATA_WORDS],
            registers: vec![vec![0; shape.registers + 1]; shape.stages],
            memory: vec![vec![0; 4 * shape.rows]; shape.stages],
        }
    }

    fn place(&self, address: u16) -> Option<Place> {
        let stage =
            |number: u16| usize::from(number).checked_sub(1).filter(|s| *s < self.registers.len());
        let (a, offset) = (address, usize::from(address & 0xff));
        match address {
            0x1000..=0x3fff => {
                let stage = stage((a - 0x1000) >> 8)?;
                let base = self.registers[stage].len() - 1;
                match offset {
                    2 => Some(Place::Register(stage, base)),
                    0x40..=0x7f if offset - 0x40 < base => {
                        Some(Place::Register(stage, offset - 0x40))
                    }
                    _ => None,
                }
            }
            // Sram_j: word j from the row that SramBase says, four words to a row.
            0xe000..=0xebff => {
                let stage = stage((a - 0xe000) >> 6)?;
                let words = self.memory[stage].len();
                let base = *self.registers[stage].last()? as usize % (words / 4);
                Some(Place::Memory(stage, (4 * base + usize::from(a & 63)) % words))
            }
            0xc240..=0xc248 => Some(Place::Header),
            _ => METADATA_ADDRESSES.iter().position(|known| *known == a).map(Place::Metadata),
        }
    }

    fn word(&mut self, address: u16) -> Result<&mut u32, Refusal> {
        match self.place(address).ok_or(Refusal::Absent)? {
            Place::Metadata(_) | Place::Header => Err(Refusal::ReadOnly),
            Place::Register(stage, number) => Ok(&mut self.registers[stage][number]),
            Place::Memory(stage, number) => Ok(&mut self.memory[stage][number]),
        }
    }

    /// Has software write the registers and memory of the hardware as they are here.
    pub fn write_to(&self, block: &mut SimulatedTpp) {
        for (stage, words) in self.registers.iter().enumerate() {
            for (at, word) in words.iter().enumerate() {
                block.write(Memory::Registers(stage + 1), at, u64::from(*word)).expect("it runs");
            }
        }
        for (stage, words) in self.memory.iter().enumerate() {
            for (at, word) in words.iter().enumerate() {
                block.write(Memory::Stage(stage + 1), at, u64::from(*word)).expect("it runs");
            }
        }
    }

    /// Where the hardware has other words than this.
    pub fn differences(&self, block: &mut SimulatedTpp) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |memory: Memory, words: &[u32]| {
            for (at, word) in words.iter().enumerate() {
                let is = block.read(memory, at).expect("it runs");
                if is != u64::from(*word) {
                    found.push(format!("{memory:?} {at}: {is:#x}, expected {word:#x}"));
                }
            }
        };
        for (stage, words) in self.registers.iter().enumerate() {
            compare(Memory::Registers(stage + 1), words);
        }
        for (stage, words) in self.memory.iter().enumerate() {
            compare(Memory::Stage(stage + 1), words);
        }
        found
    }

    /// Other words everywhere.
    pub fn scramble(&mut self, mut word: impl FnMut() -> u32) {
        let all = self.registers.iter_mut().chain(&mut self.memory);
        all.flatten().for_each(|place| *place = word());
    }
}

impl SwitchMemory for Switch {
    fn read(&mut self, address: u16) -> Option<Value> {
        Some(match self.place(address)? {
            Place::Metadata(at) => {
                let wide = matches!(address, 0x0004 | 0x8008 | 0x800a | 0x801a);
                Value { word: self.metadata[at], high: wide.then(|| self.metadata[at + 1]) }
            }
            Place::Header => return None,
            Place::Register(stage, number) => self.registers[stage][number].into(),
            Place::Memory(stage, number) => self.memory[stage][number].into(),
        })
    }

    fn write(&mut self, address: u16, value: u32) -> Result<(), Refusal> {
        *self.word(address)? = value;
        Ok(())
    }

    fn compare_and_store(&mut self, address: u16, swap: Swap) -> Result<u32, Refusal> {
        Ok(swap.apply(self.word(address)?))
    }
}
