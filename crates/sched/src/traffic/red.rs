//! Random early detection (Floyd and Jacobson, "Random Early Detection Gateways for Congestion
//! Avoidance", 1993; "gentle" above the maximum: Floyd, 2000), in whole numbers.

/// Bits behind the point of probabilities.
const FRACTION: u32 = 32;
const ONE: u64 = 1 << FRACTION;
/// Bits behind the point of the average.
const AVERAGE_FRACTION: u32 = 16;
/// A packet as it is taken to be while a queue is empty, in bytes.
pub const TYPICAL_BYTES: u64 = 1000;

/// How a queue detects congestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Red {
    /// Below this average nothing happens, in bytes.
    pub minimum: u64,
    /// From this average on the probability rises from `probability` to 1, which it reaches at twice the
    /// average, in bytes; more than `minimum`.
    pub maximum: u64,
    /// Probability at `maximum`, in 2^-32; at most one.
    pub probability: u64,
    /// The weight of the average: each packet moves it by 2^-this of its difference to the queue length; at most 16.
    pub weight: u32,
}

/// What a queue remembers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Average {
    /// Bytes, in 2^-16.
    average: u64,
    /// Packets since the last that met congestion.
    count: u64,
}

impl Average {
    /// Bytes.
    pub fn bytes(&self) -> u64 {
        self.average >> AVERAGE_FRACTION
    }

    /// A packet arrives at a queue of `queued` bytes, which before was empty for as long as `missed`
    /// typical packets take; `draw` is a random number. Whether it meets congestion.
    pub fn arrive(&mut self, red: &Red, queued: u64, missed: u64, draw: u32) -> bool {
        if missed > 0 {
            let keep = power(ONE - (ONE >> red.weight), missed);
            self.average = scaled(self.average, keep);
        }
        let queued = queued.min(1 << 40) << AVERAGE_FRACTION;
        self.average = self.average - (self.average >> red.weight) + (queued >> red.weight);
        let chance = self.chance(red);
        if chance == 0 {
            self.count = 0;
            return false;
        }
        // Spread evenly: after 1 / chance packets at the latest.
        let spent = chance.saturating_mul(self.count);
        let even = match ONE.checked_sub(spent) {
            Some(rest) if rest > chance => (u128::from(chance) << FRACTION) / u128::from(rest),
            _ => u128::from(ONE),
        };
        self.count += 1;
        let meets = u128::from(draw) < even;
        if meets {
            self.count = 0;
        }
        meets
    }

    /// The drop probability at the current average, in 2^-32.
    fn chance(&self, red: &Red) -> u64 {
        let average = self.bytes();
        if average < red.minimum {
            0
        } else if average < red.maximum {
            ratio(red.probability, average - red.minimum, red.maximum - red.minimum).max(1)
        } else if average < 2 * red.maximum {
            red.probability + ratio(ONE - red.probability, average - red.maximum, red.maximum)
        } else {
            ONE
        }
    }
}

fn ratio(of: u64, part: u64, whole: u64) -> u64 {
    (u128::from(of) * u128::from(part) / u128::from(whole.max(1))) as u64
}

fn scaled(value: u64, factor: u64) -> u64 {
    ((u128::from(value) * u128::from(factor)) >> FRACTION) as u64
}

/// `base` to the power of `exponent`, both in 2^-32 below one.
fn power(base: u64, mut exponent: u64) -> u64 {
    let (mut square, mut result) = (base, ONE);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = scaled(result, square);
        }
        square = scaled(square, square);
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Red = Red { minimum: 5000, maximum: 15_000, probability: ONE / 10, weight: 9 };

    #[test]
    fn the_average_follows_its_definition() {
        let mut average = Average::default();
        let mut wanted = 0.0f64;
        for n in 0..20_000u64 {
            let queued = 4000 * (n / 5000);
            average.arrive(&RED, queued, 0, u32::MAX);
            wanted += (queued as f64 - wanted) / 512.0;
            assert!((average.bytes() as f64 - wanted).abs() < 8.0, "{n}: {wanted}");
        }
        let before = average.bytes() as f64;
        average.arrive(&RED, 0, 1000, u32::MAX);
        let after = before * (511.0f64 / 512.0).powi(1001);
        assert!((average.bytes() as f64 - after).abs() < 8.0, "{after}");
    }

    /// The share of packets that meet congestion at a steady queue.
    fn share(queued: u64) -> f64 {
        let mut average = Average::default();
        for _ in 0..10_000 {
            average.arrive(&RED, queued, 0, u32::MAX);
        }
        let (mut met, mut state) = (0, 1u64);
        for _ in 0..100_000 {
            // Numerical Recipes' generator.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            met += u32::from(average.arrive(&RED, queued, 0, (state >> 32) as u32));
        }
        f64::from(met) / 100_000.0
    }

    /// Between marks lie 1 to 1/p packets, each number as likely: (1/p + 1) / 2 on average.
    #[test]
    fn shares_are_those_of_the_paper() {
        assert_eq!(share(4990), 0.0);
        for (queued, chance) in [(10_000.0f64, 0.05f64), (14_000.0, 0.09)] {
            let wanted = 2.0 / (1.0 / chance + 1.0);
            let found = share(queued as u64);
            assert!((found / wanted - 1.0).abs() < 0.05, "{queued}: {found} {wanted}");
        }
        assert!(share(29_990) > 0.99);
        assert_eq!(share(40_000), 1.0);
    }
}
