//! Memory of stages that belongs to applications: registers, and a larger memory behind a window.

/// Registers of a stage.
pub const REGISTERS: usize = 64;

/// 32-bit rows of a stage's memory: 64 kbit, as in the paper's prototype.
pub const ROWS: usize = 2048;

/// Rows that the window shows.
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
        Self { registers: [0; REGISTERS], sram: vec![0; ROWS].into(), base: 0 }
    }
}

impl Stage {
    pub fn register(&mut self, number: u16) -> Option<&mut u32> {
        self.registers.get_mut(usize::from(number))
    }

    /// The row that the window shows at this place; `None` behind the last one.
    pub fn row(&mut self, place: u16) -> Option<&mut u32> {
        let row = (self.base as usize).checked_add(usize::from(place))?;
        self.sram.get_mut(row).filter(|_| place < WINDOW)
    }
}
