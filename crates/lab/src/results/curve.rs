//! A value over time for a plot, in little memory.

/// Pieces of time of which a mean is kept.
const PIECES: usize = 600;

/// Means of pieces of time.
#[derive(Clone, Debug)]
pub struct Curve {
    piece: u64,
    sums: Vec<(f64, u32)>,
}

impl Curve {
    /// For a run of this length, ps.
    pub fn new(length: u64) -> Self {
        Self { piece: (length / PIECES as u64).max(1), sums: Vec::new() }
    }

    /// A value at a time, ps.
    pub fn add(&mut self, at: u64, value: f64) {
        let place = ((at / self.piece) as usize).min(PIECES);
        if self.sums.len() <= place {
            self.sums.resize(place + 1, (0.0, 0));
        }
        let (sum, count) = &mut self.sums[place];
        *sum += value;
        *count += 1;
    }

    /// Times in ms, and means from then on.
    pub fn points(&self) -> Vec<(f64, f64)> {
        let point = |(place, (sum, count)): (usize, &(f64, u32))| {
            (*count > 0)
                .then(|| ((place as u64 * self.piece) as f64 / 1e9, sum / f64::from(*count)))
        };
        self.sums.iter().enumerate().filter_map(point).collect()
    }
}
