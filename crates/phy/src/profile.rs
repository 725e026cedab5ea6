//! Times between frames: their mean, deviation and distribution, in characters, and exact.

use std::collections::BTreeMap;

/// Times between the starts of frames.
#[derive(Debug, Clone, Default)]
pub struct Intervals {
    last: Option<u64>,
    /// How often each was seen.
    counts: BTreeMap<u64, u64>,
    total: u64,
}

impl Intervals {
    /// A frame starts at this place, which is not before that of the last one.
    pub fn start(&mut self, at: u64) {
        if let Some(last) = self.last.replace(at) {
            *self.counts.entry(at - last).or_default() += 1;
            self.total += 1;
        }
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.total
    }

    /// The shortest and the longest one.
    pub fn range(&self) -> Option<(u64, u64)> {
        Some((*self.counts.first_key_value()?.0, *self.counts.last_key_value()?.0))
    }

    /// Mean and standard deviation.
    pub fn moments(&self) -> Option<(f64, f64)> {
        if self.total == 0 {
            return None;
        }
        let total = self.total as f64;
        let sum: u128 =
            self.counts.iter().map(|(n, count)| u128::from(*n) * u128::from(*count)).sum();
        let mean = sum as f64 / total;
        // From the mean, so that nothing is lost where all are nearly equal.
        let squares: f64 =
            self.counts.iter().map(|(n, count)| (*n as f64 - mean).powi(2) * *count as f64).sum();
        Some((mean, (squares / total).sqrt()))
    }

    /// The least interval that a share of them, 0 to 1, does not exceed.
    pub fn quantile(&self, share: f64) -> Option<u64> {
        let rank = (share * self.total as f64).ceil().max(1.0) as u64;
        let mut seen = 0;
        self.counts.iter().find_map(|(n, count)| {
            seen += count;
            (seen >= rank).then_some(*n)
        })
    }

    /// Each interval with how many there are that do not exceed it.
    pub fn distribution(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().scan(0, |seen, (n, count)| {
            *seen += count;
            Some((*n, *seen))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_quantiles() {
        let mut intervals = Intervals::default();
        assert_eq!(intervals.moments(), None);
        // Intervals 10, 10, 20, 40: mean 20, variance (100 + 100 + 0 + 400) / 4.
        for at in [5, 15, 25, 45, 85] {
            intervals.start(at);
        }
        assert_eq!(intervals.moments(), Some((20.0, 150f64.sqrt())));
        assert_eq!(intervals.range(), Some((10, 40)));
        assert_eq!(intervals.quantile(0.5), Some(10));
        assert_eq!(intervals.quantile(0.75), Some(20));
        assert_eq!(intervals.quantile(1.0), Some(40));
        assert_eq!(intervals.distribution().collect::<Vec<_>>(), [(10, 2), (20, 3), (40, 4)]);
    }
}
