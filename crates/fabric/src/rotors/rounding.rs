//! Rounding of a matrix of fractions to whole numbers that keeps the sum of every row and column.

/// Rounds a square matrix of non-negative fractions, given as numerators over one denominator, row by row. Every row and
/// every column has a whole sum, which stays; each entry becomes one of its two neighbours, and a whole one stays.
///
/// There always is such a matrix, because the matrix of what entries have beyond whole numbers is a flow from rows to
/// columns with whole supplies, demands and capacities, and such a flow has a whole one of the same size.
///
/// # Panics
///
/// If a sum is not whole.
pub fn round(numerators: &[u128], denominator: u128, size: usize) -> Vec<u64> {
    let mut whole: Vec<u64> = numerators.iter().map(|n| (n / denominator) as u64).collect();
    let rest = |place: usize| numerators[place] % denominator;
    let need = |places: &mut dyn Iterator<Item = usize>| {
        let sum: u128 = places.map(rest).sum();
        assert_eq!(sum % denominator, 0, "a sum that is not whole");
        (sum / denominator) as u32
    };
    let rows = (0..size).map(|row| need(&mut (row * size..(row + 1) * size))).collect();
    let columns = (0..size).map(|column| need(&mut (column..size * size).step_by(size))).collect();
    let allowed = (0..size * size).map(|place| rest(place) > 0).collect();
    let flow = Flow { size, allowed, up: vec![false; size * size], rows, columns };
    for (whole, up) in whole.iter_mut().zip(flow.solve()) {
        *whole += u64::from(up);
    }
    whole
}

/// Which entries are rounded up: a flow from rows to columns, of one or nothing through each entry.
struct Flow {
    size: usize,
    /// Entries that may be rounded up.
    allowed: Vec<bool>,
    up: Vec<bool>,
    /// How many entries of a row are still to be rounded up.
    rows: Vec<u32>,
    columns: Vec<u32>,
}

/// The steps from a row that needs more to each row and column, over entries that may change; of the last search.
struct Levels {
    rows: Vec<u32>,
    columns: Vec<u32>,
    /// The entry that a row or column tries next.
    next_of_row: Vec<usize>,
    next_of_column: Vec<usize>,
}

impl Flow {
    /// Dinic's algorithm: shortest augmenting paths, many at a time.
    fn solve(mut self) -> Vec<bool> {
        while let Some(mut levels) = self.levels() {
            for row in 0..self.size {
                while self.rows[row] > 0 && self.augment(&mut levels, row) {
                    self.rows[row] -= 1;
                }
            }
        }
        assert!(self.rows.iter().all(|&need| need == 0), "a rounding with these sums exists");
        self.up
    }

    /// None: no row that needs more reaches a column that does.
    fn levels(&self) -> Option<Levels> {
        let size = self.size;
        let mut levels = Levels {
            rows: vec![u32::MAX; size],
            columns: vec![u32::MAX; size],
            next_of_row: vec![0; size],
            next_of_column: vec![0; size],
        };
        let mut front: Vec<usize> = (0..size).filter(|&row| self.rows[row] > 0).collect();
        front.iter().for_each(|&row| levels.rows[row] = 0);
        let mut level = 0;
        while !front.is_empty() {
            let mut reached = Vec::new();
            for row in front.drain(..) {
                for column in 0..size {
                    let place = row * size + column;
                    if levels.columns[column] == u32::MAX && self.allowed[place] && !self.up[place]
                    {
                        levels.columns[column] = level + 1;
                        reached.push(column);
                    }
                }
            }
            if reached.iter().any(|&column| self.columns[column] > 0) {
                return Some(levels);
            }
            for column in reached {
                for row in 0..size {
                    if levels.rows[row] == u32::MAX && self.up[row * size + column] {
                        levels.rows[row] = level + 2;
                        front.push(row);
                    }
                }
            }
            level += 2;
        }
        None
    }

    /// Rounds up one entry more of `row`, and as many more and fewer of others as that takes.
    fn augment(&mut self, levels: &mut Levels, row: usize) -> bool {
        let size = self.size;
        while levels.next_of_row[row] < size {
            let column = levels.next_of_row[row];
            let place = row * size + column;
            let leads = self.allowed[place]
                && !self.up[place]
                && levels.columns[column] == levels.rows[row] + 1;
            if leads && self.finish(levels, column) {
                self.up[place] = true;
                return true;
            }
            levels.next_of_row[row] += 1;
        }
        false
    }

    /// `column` takes one more: it needs it, or another of its entries is rounded down.
    fn finish(&mut self, levels: &mut Levels, column: usize) -> bool {
        if self.columns[column] > 0 {
            self.columns[column] -= 1;
            return true;
        }
        while levels.next_of_column[column] < self.size {
            let row = levels.next_of_column[column];
            let place = row * self.size + column;
            let leads = self.up[place]
                && levels.rows[row] != u32::MAX
                && levels.rows[row] == levels.columns[column] + 1;
            if leads && self.augment(levels, row) {
                self.up[place] = false;
                return true;
            }
            levels.next_of_column[column] += 1;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::round;
    use proptest::prelude::*;

    proptest! {
        /// Any matrix, filled up to whole sums by a last row and column.
        #[test]
        fn sums_stay_and_entries_move_by_less_than_one(
            size in 1..9usize,
            denominator in 1..12u128,
            seed in prop::collection::vec(0..30u128, 81),
        ) {
            let all = size + 1;
            let mut numerators = vec![0; all * all];
            let up = |sum: u128| sum.div_ceil(denominator) * denominator - sum;
            for row in 0..size {
                numerators[row * all..row * all + size].copy_from_slice(&seed[row * 9..row * 9 + size]);
                let sum = numerators[row * all..row * all + size].iter().sum();
                numerators[row * all + size] = up(sum);
            }
            for column in 0..all {
                let sum = (0..size).map(|row| numerators[row * all + column]).sum();
                numerators[size * all + column] = up(sum);
            }
            let made = round(&numerators, denominator, all);
            for (&made, &numerator) in made.iter().zip(&numerators) {
                let made = u128::from(made);
                prop_assert!(made == numerator / denominator || made == numerator.div_ceil(denominator));
            }
            for line in 0..all {
                let row: u64 = made[line * all..(line + 1) * all].iter().sum();
                let sum: u128 = numerators[line * all..(line + 1) * all].iter().sum();
                prop_assert_eq!(u128::from(row) * denominator, sum);
                let column: u64 = made[line..].iter().step_by(all).sum();
                let sum: u128 = numerators[line..].iter().step_by(all).sum();
                prop_assert_eq!(u128::from(column) * denominator, sum);
            }
        }
    }
}
