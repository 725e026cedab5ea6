//! Quantiles of many values in little memory.

/// Values of 64 bits in 7,424 counters: those below 256 are exact, others to 1 part in 128.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    counts: Vec<u64>,
    count: u64,
    sum: u128,
    least: u64,
    largest: u64,
}

/// Bits of a value behind the leading one that are told apart.
const BITS: u32 = 7;

impl Default for Histogram {
    fn default() -> Self {
        Self { counts: Vec::new(), count: 0, sum: 0, least: u64::MAX, largest: 0 }
    }
}

impl Histogram {
    /// Counts a value.
    #[inline]
    pub fn record(&mut self, value: u64) {
        let slot = slot(value);
        if slot >= self.counts.len() {
            self.counts.resize(slot + 1, 0);
        }
        self.counts[slot] += 1;
        self.count += 1;
        self.sum += u128::from(value);
        self.least = self.least.min(value);
        self.largest = self.largest.max(value);
    }

    /// Counts what another one has counted.
    pub fn merge(&mut self, other: &Self) {
        if other.counts.len() > self.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.count += other.count;
        self.sum += other.sum;
        self.least = self.least.min(other.least);
        self.largest = self.largest.max(other.largest);
    }

    /// How many values.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Exact; `None` without values.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }

    /// Exact; `None` without values.
    pub fn range(&self) -> Option<(u64, u64)> {
        (self.count > 0).then_some((self.least, self.largest))
    }

    /// The least value that the share (0 to 1) of values do not exceed, as the upper end of its
    /// counter: at most 1/128 too large. `None` without values.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let rank = (libm::ceil(share * self.count as f64) as u64).clamp(1, self.count.max(1));
        let mut seen = 0;
        for (slot, count) in self.counts.iter().enumerate() {
            seen += count;
            if seen >= rank {
                return Some(last(slot).clamp(self.least, self.largest));
            }
        }
        None
    }
}

/// The counter of a value.
#[inline]
fn slot(value: u64) -> usize {
    let shift = (u64::BITS - value.leading_zeros()).saturating_sub(BITS + 1);
    ((u64::from(shift) << BITS) + (value >> shift)) as usize
}

/// The largest value of a counter.
fn last(slot: usize) -> u64 {
    let slot = slot as u64;
    let shift = (slot >> BITS).saturating_sub(1);
    let top = slot - (shift << BITS);
    ((u128::from(top + 1) << shift) - 1).min(u128::from(u64::MAX)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn counters_and_their_ends() {
        for value in (0..2000).chain([u64::MAX, u64::MAX - 1, 1 << 63, (1 << 40) - 1, 1 << 40]) {
            let upper = last(slot(value));
            assert!(upper >= value && upper - value <= value / 128, "{value} {upper}");
            assert!(upper == u64::MAX || slot(upper + 1) == slot(value) + 1, "{value}");
        }
        assert_eq!(slot(u64::MAX), 7424 - 1);
    }

    /// Against the sorted values.
    #[test]
    fn quantiles() {
        let (mut histogram, mut half) = (Histogram::default(), Histogram::default());
        let mut stream = Stream::new(5, 0, 0);
        let mut values: Vec<u64> = (0..10_001).map(|_| stream.exponential(1e7)).collect();
        for (number, value) in values.iter().enumerate() {
            if number % 2 == 0 { histogram.record(*value) } else { half.record(*value) }
        }
        histogram.merge(&half);
        values.sort_unstable();
        for share in [0.0, 0.1, 0.5, 0.99, 0.999, 1.0] {
            let exact = values[((share * 10_001.0f64).ceil() as usize).max(1) - 1];
            let found = histogram.quantile(share).expect("values");
            assert!(found >= exact && found - exact <= exact / 128, "{share} {exact} {found}");
        }
        assert_eq!(histogram.range(), Some((values[0], values[10_000])));
        let mean = values.iter().sum::<u64>() as f64 / 10_001.0;
        assert!((histogram.mean().expect("values") - mean).abs() < 1e-6 * mean);
        assert_eq!(Histogram::default().quantile(0.5), None);
    }
}
