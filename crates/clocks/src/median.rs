//! The median of the last values: a delay that was queued now and then is not believed.

use crate::time::Time;
use std::collections::VecDeque;

/// Values that are kept.
const LENGTH: usize = 10;

/// The median of up to ten values.
#[derive(Debug, Clone, Default)]
pub struct Median(VecDeque<Time>);

impl Median {
    /// Adds a value and returns the median: for an even number, the mean of the two in the middle.
    pub fn add(&mut self, value: Time) -> Time {
        if self.0.len() == LENGTH {
            self.0.pop_front();
        }
        self.0.push_back(value);
        let mut sorted: Vec<Time> = self.0.iter().copied().collect();
        sorted.sort_unstable();
        let middle = sorted.len() / 2;
        match sorted.len() % 2 {
            1 => sorted[middle],
            _ => (sorted[middle - 1] + sorted[middle]).half(),
        }
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_of_the_last_ten() {
        let mut median = Median::default();
        let mut add = |value| median.add(Time(value)).0;
        assert_eq!([5, 1, 9].map(&mut add), [5, 3, 5]);
        for _ in 0..10 {
            add(100);
        }
        assert_eq!(add(0), 100);
    }
}
