//! The random numbers of the generator: SplitMix64 (Steele, Lea, Flood 2014). It is written here
//! so that a seed means the same program for ever.

/// A sequence of random numbers that its seed determines.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`; 0 if `bound` is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        // The high half of a product of 64-bit numbers; its bias is far below what matters here.
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high.saturating_sub(low) + 1)
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several; `None` if there are none.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// One of several, each as often as its weight says.
    ///
    /// # Panics
    /// If there are none.
    pub fn weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let total: usize = choices.iter().map(|(weight, _)| weight).sum();
        let mut at = self.below(total);
        for &(weight, choice) in choices {
            if at < weight {
                return choice;
            }
            at -= weight;
        }
        choices[choices.len() - 1].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_never_changes() {
        // The first outputs for seed 1234567, as published with the algorithm's reference code.
        let mut random = Random::new(1_234_567);
        let found: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(found, [6457827717110365317, 3203168211198807973, 9817491932198370423]);
    }

    #[test]
    fn bounds_hold() {
        let mut random = Random::new(7);
        let all: Vec<usize> = (0..1000).map(|_| random.between(2, 4)).collect();
        assert!(
            [2, 3, 4].iter().all(|n| all.contains(n)) && all.iter().all(|n| (2..5).contains(n))
        );
        assert_eq!(random.below(0), 0);
        assert!((0..100).all(|_| random.weighted(&[(0, 'a'), (3, 'b')]) == 'b'));
    }
}
