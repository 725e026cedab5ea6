//! Oscillators in true time.

/// True time in attoseconds: 64 bits are 18 seconds.
pub type Attoseconds = u64;

/// Attoseconds of a nanosecond.
pub const NANOSECOND: Attoseconds = 1_000_000_000;

/// A tick of 156.25 MHz: 6.4 ns.
pub const NOMINAL_PERIOD: Attoseconds = 6_400_000_000;

/// An oscillator that is off by a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Oscillator {
    /// Time of a tick.
    pub period: Attoseconds,
    /// When tick 0 is.
    pub phase: Attoseconds,
}

impl Oscillator {
    /// Faster than nominal by `ppm` parts per million, to the attosecond in a period; tick 0 is at `phase`.
    pub fn new(ppm: f64, phase: Attoseconds) -> Self {
        let period = (NOMINAL_PERIOD as f64 / (1.0 + ppm * 1e-6)).round() as Attoseconds;
        Self { period, phase }
    }

    /// When a tick is.
    pub fn time_of(&self, tick: u64) -> Attoseconds {
        self.phase + tick * self.period
    }

    /// The last tick that is not after a time; 0 before all.
    pub fn tick_at(&self, time: Attoseconds) -> u64 {
        time.saturating_sub(self.phase) / self.period
    }

    /// The first tick that is not before a time.
    pub fn tick_from(&self, time: Attoseconds) -> u64 {
        time.saturating_sub(self.phase).div_ceil(self.period)
    }
}
