//! When a test bench offers beats and takes them.

use std::str::FromStr;

/// How packets go in and out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Pace {
    /// A packet goes in when nothing of the one before is inside any more.
    #[default]
    Serial,
    /// A beat every clock.
    BackToBack,
    /// Clocks without a beat, at random, within packets and between them.
    Gaps {
        /// Of the random numbers.
        seed: u64,
    },
    /// Clocks in which outputs are not taken, at random.
    Pressure {
        /// Of the random numbers.
        seed: u64,
    },
    /// Both.
    Both {
        /// Of the random numbers.
        seed: u64,
    },
}

impl Pace {
    /// The same with another seed, where there is one.
    pub fn with_seed(self, seed: u64) -> Self {
        match self {
            Self::Serial | Self::BackToBack => self,
            Self::Gaps { .. } => Self::Gaps { seed },
            Self::Pressure { .. } => Self::Pressure { seed },
            Self::Both { .. } => Self::Both { seed },
        }
    }

    /// Whether packets wait until the one before has left.
    pub fn is_serial(self) -> bool {
        self == Self::Serial
    }
}

impl FromStr for Pace {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(match text {
            "serial" => Self::Serial,
            "back-to-back" => Self::BackToBack,
            "gaps" => Self::Gaps { seed: 1 },
            "pressure" => Self::Pressure { seed: 1 },
            "both" => Self::Both { seed: 1 },
            _ => {
                return Err("expected serial, back-to-back, gaps, pressure or both".to_owned());
            }
        })
    }
}

/// The decisions of a pace, clock by clock and lane by lane. Stretches in which all goes through
/// and in which little does alternate: faults hide in the changes.
#[derive(Clone, Debug)]
pub struct Rhythm {
    gaps: bool,
    pressure: bool,
    seed: u64,
    state: u64,
}

impl Rhythm {
    /// For a pace.
    pub fn new(pace: Pace) -> Self {
        let (gaps, pressure, seed) = match pace {
            Pace::Serial | Pace::BackToBack => (false, false, 0),
            Pace::Gaps { seed } => (true, false, seed),
            Pace::Pressure { seed } => (false, true, seed),
            Pace::Both { seed } => (true, true, seed),
        };
        Self { gaps, pressure, seed, state: seed }
    }

    /// Whether a new beat may be offered.
    pub fn offers(&mut self, clock: u64) -> bool {
        !self.gaps || self.decides(clock >> 6)
    }

    /// Whether a beat may be taken.
    pub fn takes(&mut self, clock: u64) -> bool {
        !self.pressure || self.decides((clock + 37) >> 7)
    }

    /// Whether outputs are ever not taken.
    pub fn presses(&self) -> bool {
        self.pressure
    }

    /// Mostly yes, half and half, or mostly no, as the stretch has it.
    fn decides(&mut self, stretch: u64) -> bool {
        let kind = mix(stretch ^ self.seed) % 4;
        self.next() % 16 < [16, 12, 8, 2][kind as usize]
    }

    /// The next random number: SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.state)
    }
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!("gaps".parse::<Pace>().map(|p| p.with_seed(7)), Ok(Pace::Gaps { seed: 7 }));
        assert_eq!("serial".parse::<Pace>().map(|p| p.with_seed(7)), Ok(Pace::Serial));
        assert!("fast".parse::<Pace>().is_err());
    }

    #[test]
    fn rhythms() {
        let count = |pace| {
            let mut rhythm = Rhythm::new(pace);
            let (mut offered, mut taken) = (0, 0);
            for clock in 0..10_000 {
                offered += u32::from(rhythm.offers(clock));
                taken += u32::from(rhythm.takes(clock));
            }
            (offered, taken)
        };
        assert_eq!(count(Pace::BackToBack), (10_000, 10_000));
        let (offered, taken) = count(Pace::Gaps { seed: 1 });
        assert!((2_000..9_000).contains(&offered) && taken == 10_000, "{offered} {taken}");
        let (offered, taken) = count(Pace::Pressure { seed: 1 });
        assert!((2_000..9_000).contains(&taken) && offered == 10_000, "{offered} {taken}");
        assert_ne!(count(Pace::Both { seed: 1 }), count(Pace::Both { seed: 2 }));
        assert_eq!(count(Pace::Both { seed: 3 }), count(Pace::Both { seed: 3 }));
    }
}
