//! What happens to frames on their way.

use crate::random::Random;
use std::str::FromStr;

/// Chances of a frame, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impairments {
    /// It does not come.
    pub loss: f64,
    /// One to three frames overtake it.
    pub reorder: f64,
    /// It comes twice.
    pub duplicate: f64,
    /// One of its bits is inverted, and its FCS made anew.
    pub damage: f64,
}

impl FromStr for Impairments {
    type Err = String;

    /// Reads `loss=1%,reorder=0.5%`: any of them, each once.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut impairments = Self::default();
        let mut seen = Vec::new();
        for part in text.split(',') {
            let wrong = || {
                format!(
                    "`{part}`: expected loss=, reorder=, duplicate= or damage= and 0 to 100 percent, for example loss=1%"
                )
            };
            let (name, value) = part.split_once('=').ok_or_else(wrong)?;
            let percent: f64 =
                value.strip_suffix('%').and_then(|value| value.parse().ok()).ok_or_else(wrong)?;
            if !(0.0..=100.0).contains(&percent) {
                return Err(wrong());
            }
            let place = match name {
                "loss" => &mut impairments.loss,
                "reorder" => &mut impairments.reorder,
                "duplicate" => &mut impairments.duplicate,
                "damage" => &mut impairments.damage,
                _ => return Err(wrong()),
            };
            if seen.contains(&name) {
                return Err(format!("`{name}` is given twice"));
            }
            seen.push(name);
            *place = percent / 100.0;
        }
        Ok(impairments)
    }
}

/// What becomes of one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It comes.
    Comes,
    /// It does not.
    Lost,
    /// So many frames overtake it.
    Overtaken(u8),
    /// It comes twice.
    Twice,
    /// This bit of it is inverted.
    Damaged(usize),
}

/// Decides about the frames of one direction.
pub(super) struct Impairer {
    impairments: Impairments,
    random: Random,
    any: bool,
}

impl Impairer {
    pub(super) fn new(impairments: &Impairments, seed: u64, direction: usize) -> Self {
        Self {
            any: *impairments != Impairments::default(),
            impairments: *impairments,
            random: Random(seed.wrapping_mul(2).wrapping_add(direction as u64)),
        }
    }

    /// The fate of a frame of so many bytes.
    pub(super) fn fate(&mut self, length: usize) -> Fate {
        if !self.any {
            return Fate::Comes;
        }
        let Impairments { loss, reorder, duplicate, damage } = self.impairments;
        if self.random.unit() < loss {
            return Fate::Lost;
        }
        if self.random.unit() < reorder {
            return Fate::Overtaken(1 + (self.random.bits() % 3) as u8);
        }
        if self.random.unit() < duplicate {
            return Fate::Twice;
        }
        if self.random.unit() < damage {
            return Fate::Damaged((self.random.bits() % (8 * length as u64)) as usize);
        }
        Fate::Comes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_read() {
        let impairments: Impairments = "loss=1%,reorder=0.5%".parse().unwrap();
        assert_eq!(impairments, Impairments { loss: 0.01, reorder: 0.005, ..Default::default() });
        for wrong in [
            "",
            "loss",
            "loss=1",
            "loss=-1%",
            "loss=101%",
            "lost=1%",
            "loss=1%,loss=1%",
            "loss=nan%",
        ] {
            assert!(wrong.parse::<Impairments>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn shares_are_as_asked() {
        let impairments = Impairments { loss: 0.02, reorder: 0.03, duplicate: 0.0, damage: 0.05 };
        let mut impairer = Impairer::new(&impairments, 5, 1);
        let fates: Vec<Fate> = (0..200_000).map(|_| impairer.fate(60)).collect();
        let share = |wanted: fn(&Fate) -> bool| {
            fates.iter().filter(|fate| wanted(fate)).count() as f64 / fates.len() as f64
        };
        // Five standard errors of 200,000 draws are below 0.0025.
        assert!((share(|fate| *fate == Fate::Lost) - 0.02).abs() < 0.0016);
        assert!(
            (share(|fate| matches!(fate, Fate::Overtaken(1..=3))) - 0.98 * 0.03).abs() < 0.0019
        );
        assert!(
            (share(|fate| matches!(fate, Fate::Damaged(0..480))) - 0.98 * 0.97 * 0.05).abs()
                < 0.0025
        );
        assert_eq!(share(|fate| *fate == Fate::Twice), 0.0);
    }
}
