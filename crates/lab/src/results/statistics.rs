//! Numbers over runs with different seeds: means, and intervals of confidence.

/// What the runs gave for one figure.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The value of each run, in the order of seeds; those runs that have none are left out.
    pub values: Vec<f64>,
}

impl Figure {
    /// The mean over the runs.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len() as f64
    }

    /// The interval that holds the mean of all possible runs with a probability of 95 %, if values are normally
    /// distributed (Student's t). `None` for less than two runs.
    pub fn interval(&self) -> Option<(f64, f64)> {
        let count = self.values.len();
        if count < 2 {
            return None;
        }
        let mean = self.mean();
        let squares: f64 = self.values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let deviation = libm::sqrt(squares / (count - 1) as f64);
        let half = student(count - 1) * deviation / libm::sqrt(count as f64);
        Some((mean - half, mean + half))
    }
}

/// Quantiles of Student's t for 97.5 %, from 1 degree of freedom on.
const STUDENT: [f64; 30] = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042,
];

/// The quantile of Student's t for 97.5 % with so many degrees of freedom, to three digits behind the point.
fn student(freedom: usize) -> f64 {
    if let Some(value) = freedom.checked_sub(1).and_then(|place| STUDENT.get(place)) {
        return *value;
    }
    // Expansion around the normal distribution's quantile (Abramowitz and Stegun 26.7.5), good beyond 30.
    let (z, n) = (1.959_964f64, freedom as f64);
    let (z3, z5) = (z * z * z, z * z * z * z * z);
    z + (z3 + z) / (4.0 * n) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * n * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Five values by hand: mean 3, deviation sqrt(2.5), t of 4 degrees 2.776; and published quantiles
    /// (NIST/SEMATECH handbook, 1.3.6.7.2) for 40, 60 and 100 degrees.
    #[test]
    fn intervals() {
        let figure = Figure { values: vec![1.0, 2.0, 3.0, 4.0, 5.0] };
        assert_eq!(figure.mean(), 3.0);
        let (low, high) = figure.interval().expect("five values");
        let half = 2.776 * 2.5f64.sqrt() / 5f64.sqrt();
        assert!((low - (3.0 - half)).abs() < 1e-12 && (high - (3.0 + half)).abs() < 1e-12);
        assert_eq!(Figure { values: vec![1.0] }.interval(), None);
        for (freedom, expected) in
            [(1, 12.706), (30, 2.042), (31, 2.040), (40, 2.021), (60, 2.000), (100, 1.984)]
        {
            assert!((student(freedom) - expected).abs() < 6e-4, "{freedom} {}", student(freedom));
        }
    }
}
