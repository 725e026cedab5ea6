//! How much of each element: rows of counters, of which each element has one in every row (Cormode and Muthukrishnan,
//! "An improved data stream summary: the count-min sketch and its applications", J. Algorithms 2005). Which elements
//! have changed, by the difference of two of them (Krishnamurthy, Sen, Zhang, Chen, "Sketch-based change detection",
//! IMC 2003).

use super::{OtherSize, hash};

/// See the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountMin {
    width: usize,
    /// Row by row.
    counters: Vec<u64>,
    total: u64,
}

impl CountMin {
    /// With rows of `width` counters, a power of two of 2 or more, and `depth` rows, 1 or more; other numbers are raised
    /// to the next that is good. What an element is overestimated by is less than `2 / width` of the total with
    /// probability `1 - 2^-depth`.
    pub fn new(width: usize, depth: usize) -> Self {
        let width = width.max(2).next_power_of_two();
        Self { width, counters: vec![0; width * depth.max(1)], total: 0 }
    }

    /// Where an element's counter in each row is.
    fn places(&self, element: u64) -> impl Iterator<Item = usize> + use<> {
        let (width, rows) = (self.width, self.counters.len() / self.width);
        // Independent rows: the row is part of what is hashed.
        let mixed = hash(element);
        (0..rows)
            .map(move |row| row * width + (hash(mixed ^ (row as u64) << 56) as usize & (width - 1)))
    }

    /// Adds so much of an element.
    pub fn add(&mut self, element: u64, amount: u64) {
        for place in self.places(element) {
            self.counters[place] = self.counters[place].saturating_add(amount);
        }
        self.total = self.total.saturating_add(amount);
    }

    /// What of all elements was added.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// What of the element was added, or more.
    pub fn at_most(&self, element: u64) -> u64 {
        self.places(element).map(|place| self.counters[place]).min().unwrap_or(0)
    }

    /// What of the element was added, too much as often as too little: the median over rows of what its counter has
    /// besides its share of all others.
    pub fn about(&self, element: u64) -> f64 {
        let width = self.width as f64;
        let of_row = |place: usize| {
            (self.counters[place] as f64 - self.total as f64 / width) / (1.0 - 1.0 / width)
        };
        let mut rows: Vec<f64> = self.places(element).map(of_row).collect();
        rows.sort_unstable_by(f64::total_cmp);
        let middle = rows.len() / 2;
        if rows.len() % 2 == 1 { rows[middle] } else { (rows[middle - 1] + rows[middle]) / 2.0 }
    }

    /// Adds what another one has counted.
    ///
    /// # Errors
    /// It has another size.
    pub fn merge(&mut self, other: &Self) -> Result<(), OtherSize> {
        if (self.width, self.counters.len()) != (other.width, other.counters.len()) {
            return Err(OtherSize);
        }
        for (sum, more) in self.counters.iter_mut().zip(&other.counters) {
            *sum = sum.saturating_add(*more);
        }
        self.total = self.total.saturating_add(other.total);
        Ok(())
    }

    /// The candidates of which at least this share of the total was added, with how much at most; the largest first.
    /// None that is as large is left out.
    pub fn heavy(&self, candidates: impl IntoIterator<Item = u64>, share: f64) -> Vec<(u64, u64)> {
        let least = share * self.total as f64;
        let all = candidates.into_iter().map(|element| (element, self.at_most(element)));
        let mut heavy: Vec<_> = all.filter(|(_, amount)| *amount as f64 >= least).collect();
        heavy.sort_unstable_by_key(|(element, amount)| (std::cmp::Reverse(*amount), *element));
        heavy
    }

    /// How much more of the element is in a later sketch than in this one.
    ///
    /// # Errors
    /// It has another size.
    pub fn change(&self, later: &Self, element: u64) -> Result<f64, OtherSize> {
        match (self.width, self.counters.len()) == (later.width, later.counters.len()) {
            true => Ok(later.about(element) - self.about(element)),
            false => Err(OtherSize),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10,000 elements once each and three often. Never too little; within `2 / width` of the total for at least
    /// `1 - 2^-4` of the elements.
    #[test]
    fn what_is_large_is_found() {
        let mut sketch = CountMin::new(2048, 4);
        let large = [(70_001, 900), (70_002, 700), (70_003, 500)];
        (0..10_000).for_each(|element| sketch.add(element, 1));
        large.iter().for_each(|(element, amount)| sketch.add(*element, *amount));
        assert_eq!(sketch.total(), 12_100);
        let within =
            |element: &u64| sketch.at_most(*element) as f64 <= 1.0 + 2.0 / 2048.0 * 12_100.0;
        assert!((0..10_000).all(|element| sketch.at_most(element) >= 1));
        assert!((0..10_000).filter(within).count() as f64 >= (1.0 - 1.0 / 16.0) * 10_000.0);
        let heavy = sketch.heavy(0..80_000, 0.04);
        assert_eq!(
            heavy.iter().map(|(element, _)| *element).collect::<Vec<_>>(),
            [70_001, 70_002, 70_003]
        );
        assert!((sketch.about(70_001) - 900.0).abs() < 30.0);
    }

    #[test]
    fn merging_is_counting_together() {
        let (mut one, mut two, mut both) =
            (CountMin::new(64, 3), CountMin::new(64, 3), CountMin::new(64, 3));
        for element in 0..500 {
            let half = if element % 3 == 0 { &mut one } else { &mut two };
            half.add(element, element);
            both.add(element, element);
        }
        assert_eq!(one.merge(&two), Ok(()));
        assert_eq!(one, both);
        assert_eq!(one.merge(&CountMin::new(128, 3)), Err(OtherSize));
        assert_eq!(one.change(&CountMin::new(64, 2), 1), Err(OtherSize));
    }

    /// Of 2,000 elements one grows by 400 and one falls by 300; others stay.
    #[test]
    fn what_has_changed_is_found() {
        let (mut before, mut after) = (CountMin::new(1024, 5), CountMin::new(1024, 5));
        for element in 0..2000 {
            before.add(element, 10);
            after.add(element, 10);
        }
        after.add(5, 400);
        before.add(6, 300);
        let change = |element| before.change(&after, element).expect("of one size");
        let largest: Vec<u64> =
            (0..2000).filter(|element| change(*element).abs() > 200.0).collect();
        assert_eq!(largest, [5, 6]);
        assert!((change(5) - 400.0).abs() < 50.0 && (change(6) + 300.0).abs() < 50.0);
    }
}
