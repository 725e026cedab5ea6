//! Means with their intervals, Jain's index, and random numbers.

/// Quantiles 0.975 of Student's t for 1 to 30 degrees of freedom.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// A mean with half of its interval of confidence at 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The arithmetic mean; not a number without samples.
    pub value: f64,
    /// The interval reaches so far to either side; 0 for fewer than two samples.
    pub half: f64,
}

/// The mean of samples that do not depend on each other, by Student's t.
pub fn mean(samples: &[f64]) -> Mean {
    let count = samples.len() as f64;
    let value = samples.iter().sum::<f64>() / count;
    if samples.len() < 2 {
        return Mean { value, half: 0.0 };
    }
    let squares: f64 = samples.iter().map(|sample| (sample - value).powi(2)).sum();
    let error = (squares / (count - 1.0) / count).sqrt();
    // Beyond the table the quantile is within 2 % of this.
    let quantile = STUDENT.get(samples.len() - 2).copied().unwrap_or(1.99);
    Mean { value, half: quantile * error }
}

/// Jain's index: 1 if all are equal, 1/n if one has all. 0 for nothing.
pub fn jain(values: &[f64]) -> f64 {
    let sum: f64 = values.iter().sum();
    let squares: f64 = values.iter().map(|v| v * v).sum();
    if squares == 0.0 { 0.0 } else { sum * sum / (values.len() as f64 * squares) }
}

/// Numbers that look random (splitmix64; Steele, Lea and Flood 2014): the same everywhere for a seed.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ (b >> 31)
    }

    /// A number from `least` to `most`, both included, in which `least` is not above `most`.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        let count = u128::from(most - least) + 1;
        least + ((u128::from(self.bits()) * count) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_means() {
        // 2, 4, 4, 4, 5, 5, 7, 9: mean 5, variance 32/7; 2.365 times its root over 8.
        let found = mean(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(found.value, 5.0);
        assert!((found.half - 2.365 * (32.0f64 / 7.0 / 8.0).sqrt()).abs() < 1e-9);
        assert_eq!(mean(&[3.0]), Mean { value: 3.0, half: 0.0 });
        assert!(mean(&[]).value.is_nan());
    }

    #[test]
    fn fairness_by_hand() {
        assert_eq!(jain(&[2.0, 2.0, 2.0]), 1.0);
        assert_eq!(jain(&[3.0, 0.0, 0.0]), 1.0 / 3.0);
        assert_eq!(jain(&[1.0, 3.0]), 0.8);
        assert_eq!(jain(&[]), 0.0);
    }

    #[test]
    fn random_numbers_stay_in_their_range() {
        let mut random = Random::new(1);
        let drawn: Vec<u64> = (0..1000).map(|_| random.between(3, 6)).collect();
        assert!((3..=6).all(|n| drawn.iter().filter(|&&d| d == n).count() > 180));
        assert!(drawn.iter().all(|d| (3..=6).contains(d)));
        assert_eq!(Random::new(7).between(0, u64::MAX), Random::new(7).bits());
    }
}
