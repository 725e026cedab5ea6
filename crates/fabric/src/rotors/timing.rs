//! When which switch shows which of its matchings.

/// The clock of the switches, in slots. Every `matching` slots is a **slice**; the last `reconfiguration` slots of it are
/// **dark** at the switches that turn to their next matching.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Slots of a slice, above `reconfiguration`.
    pub matching: u64,
    /// Slots that a switch needs to turn, in which it carries nothing.
    pub reconfiguration: u64,
    /// Switches: one for each channel of a host.
    pub switches: usize,
    /// Matchings of a switch.
    pub places: usize,
    /// One switch after the other turns, one at the end of each slice; else all turn at the end of every slice.
    pub staggered: bool,
}

impl Timing {
    /// Slots of a slice in which a switch that turns at its end carries cells.
    pub fn lit(&self) -> u64 {
        self.matching - self.reconfiguration
    }

    /// The slice of a slot, counted from the run's start.
    pub fn slice(&self, slot: u64) -> u64 {
        slot / self.matching
    }

    /// The slot of its slice.
    pub fn within(&self, slot: u64) -> u64 {
        slot % self.matching
    }

    /// Whether a switch turns at the end of a slice.
    pub fn turns(&self, switch: usize, slice: u64) -> bool {
        !self.staggered || slice % self.switches as u64 == switch as u64
    }

    /// Which of its matchings a switch shows in a slice.
    pub fn place(&self, switch: usize, slice: u64) -> usize {
        let turned = if self.staggered {
            let switches = self.switches as u64;
            (slice + switches - 1 - switch as u64) / switches
        } else {
            slice
        };
        (turned % self.places as u64) as usize
    }

    /// Whether a switch carries cells in a slot.
    pub fn is_up(&self, switch: usize, slot: u64) -> bool {
        self.within(slot) < self.lit() || !self.turns(switch, self.slice(slot))
    }

    /// Slices until all switches have shown all of their matchings.
    pub fn cycle_slices(&self) -> u64 {
        self.places as u64 * if self.staggered { self.switches as u64 } else { 1 }
    }

    /// Slots of an epoch: until all switches have shown all of their matchings.
    pub fn cycle_slots(&self) -> u64 {
        self.cycle_slices().saturating_mul(self.matching)
    }

    /// The share of the time in which a switch carries cells.
    pub fn duty_cycle(&self) -> f64 {
        let turn = self.matching * if self.staggered { self.switches as u64 } else { 1 };
        1.0 - self.reconfiguration as f64 / turn as f64
    }
}
