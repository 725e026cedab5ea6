//! Oscillators in true time.

/// True time in attoseconds: 64 bits are 18 seconds.
pub type Attoseconds = u64;

/// Attoseconds of a nanosecond.
pub const NANOSECOND: Attoseconds = 1_000_000_000;

/// A tick of 156.25 MHz: 6.4 ns.
pub const NOMINAL_PERIOD: Attoseconds = 6_400_000_000;

/// Most fractions of a tick that can be counted.
const MOST_PHASES: u64 = 64;

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
        // A multiple of what fractions of a tick may be asked for.
        let fraction = NOMINAL_PERIOD as f64 / MOST_PHASES as f64 / (1.0 + ppm * 1e-6);
        let period = fraction.round() as Attoseconds * MOST_PHASES;
        Self { period, phase }
    }

    /// The same in fractions of a tick.
    pub(super) fn divided(self, phases: u64) -> Self {
        Self { period: self.period / phases, ..self }
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
