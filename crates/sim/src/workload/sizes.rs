//! Distributions of flow sizes.

use crate::random::Stream;

/// Sizes of flows in bytes.
#[derive(Clone, Debug, PartialEq)]
pub enum Sizes {
    /// All the same.
    Fixed(u64),
    /// Exponentially distributed, 1 or more.
    Exponential {
        /// In bytes.
        mean: u64,
    },
    /// Points of a cumulative distribution, between which it is linear.
    Empirical(Empirical),
    /// A Pareto distribution that is cut off at `largest` and whose mean, cut off, is `mean`.
    Pareto(Pareto),
}

/// A cumulative distribution by some of its points.
#[derive(Clone, Debug, PartialEq)]
pub struct Empirical {
    /// Bytes, and the share of flows that have no more: the shares grow from 0 to 1.
    points: Vec<(u64, f64)>,
}

/// A Pareto distribution that is cut off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pareto {
    /// The exponent: the share of flows with more than x bytes is (smallest / x)^shape.
    pub shape: f64,
    /// Where it begins, bytes: what gives the mean.
    pub smallest: f64,
    /// No flow has more bytes.
    pub largest: f64,
}

/// Web search: flows of a cluster that answers queries (Alizadeh and others, SIGCOMM 2010, figure 4), at the points
/// that simulations have used since.
const WEB_SEARCH: [(u64, f64); 12] = [
    (1, 0.0),
    (10_000, 0.15),
    (20_000, 0.2),
    (30_000, 0.3),
    (50_000, 0.4),
    (80_000, 0.53),
    (200_000, 0.6),
    (1_000_000, 0.7),
    (2_000_000, 0.8),
    (5_000_000, 0.9),
    (10_000_000, 0.97),
    (30_000_000, 1.0),
];

/// Data mining: flows of a cluster that runs large jobs (Greenberg and others, SIGCOMM 2009, figure 2), at the points
/// that simulations have used since, which are whole packets of 1,460 bytes.
const DATA_MINING: [(u64, f64); 9] = [
    (1_460, 0.0),
    (1_460, 0.5),
    (2 * 1_460, 0.6),
    (3 * 1_460, 0.7),
    (7 * 1_460, 0.8),
    (267 * 1_460, 0.9),
    (2_107 * 1_460, 0.95),
    (66_667 * 1_460, 0.99),
    (666_667 * 1_460, 1.0),
];

impl Empirical {
    /// Checks and takes points: bytes, and the share of flows that have no more.
    ///
    /// # Errors
    /// A sentence: fewer than two points, or they do not grow, or they do not go from a share of 0 to one of 1.
    pub fn new(points: Vec<(u64, f64)>) -> Result<Self, String> {
        let (Some(first), Some(last)) = (points.first(), points.last()) else {
            return Err("a distribution has two points or more, found none".to_owned());
        };
        if points.len() < 2 {
            return Err("a distribution has two points or more, found one".to_owned());
        }
        if first.1 != 0.0 || last.1 != 1.0 {
            let (first, last) = (first.1, last.1);
            return Err(format!("shares go from 0 to 1, found {first} to {last}"));
        }
        if last.0 == 0 {
            return Err("the largest flow has 1 byte or more, found 0".to_owned());
        }
        let falls = |pair: &[(u64, f64)]| {
            pair[1].0 < pair[0].0 || pair[1].1 < pair[0].1 || pair[1].1.is_nan()
        };
        if let Some(number) = points.windows(2).position(falls) {
            let ((bytes, share), (next, then)) = (points[number], points[number + 1]);
            return Err(format!(
                "bytes and shares grow from point to point, found {bytes} bytes at {share} before {next} bytes at {then}"
            ));
        }
        Ok(Self { points })
    }

    /// The size at which the share is reached, bytes.
    pub fn quantile(&self, share: f64) -> u64 {
        let next = self.points.partition_point(|(_, at)| *at <= share).min(self.points.len() - 1);
        let ((from, low), (to, high)) = (self.points[next - 1], self.points[next]);
        if high <= low {
            return to.max(1);
        }
        let between = (share - low) / (high - low) * (to - from) as f64;
        (from + between as u64).max(1)
    }

    /// Bytes.
    pub fn mean(&self) -> f64 {
        let piece = |pair: &[(u64, f64)]| {
            (pair[1].1 - pair[0].1) * (pair[0].0 as f64 + pair[1].0 as f64) / 2.0
        };
        self.points.windows(2).map(piece).sum()
    }
}

impl Pareto {
    /// With this exponent, cut off at `largest` bytes (larger draws are drawn again), and with this mean
    /// after the cut.
    ///
    /// # Errors
    /// A sentence: there is none.
    pub fn new(shape: f64, mean: f64, largest: f64) -> Result<Self, String> {
        if !(shape > 0.0 && mean >= 1.0 && largest > mean) {
            return Err(format!(
                "a Pareto distribution has a shape above 0, and a largest flow above the mean, found shape {shape}, mean {mean}, largest {largest}"
            ));
        }
        // The mean grows with `smallest`, which it is never below.
        let (mut low, mut high) = (0.0, mean);
        for _ in 0..200 {
            let smallest = (low + high) / 2.0;
            match (Self { shape, smallest, largest }).mean() < mean {
                true => low = smallest,
                false => high = smallest,
            }
        }
        Ok(Self { shape, smallest: high, largest })
    }

    /// Of the distribution that is cut off, bytes.
    pub fn mean(&self) -> f64 {
        let Self { shape, smallest, largest } = *self;
        let ratio = smallest / largest;
        let kept = 1.0 - libm::pow(ratio, shape);
        if (shape - 1.0).abs() < 1e-9 {
            return smallest * libm::log(1.0 / ratio) / kept;
        }
        shape / (shape - 1.0) * smallest * (1.0 - libm::pow(ratio, shape - 1.0)) / kept
    }

    /// The size at which the share is reached, bytes.
    pub fn quantile(&self, share: f64) -> f64 {
        let kept = 1.0 - libm::pow(self.smallest / self.largest, self.shape);
        self.smallest / libm::pow(1.0 - share * kept, 1.0 / self.shape)
    }
}

impl Sizes {
    /// A distribution by its name: `web-search` or `data-mining`.
    pub fn named(name: &str) -> Option<Self> {
        let points = match name {
            "web-search" => WEB_SEARCH.to_vec(),
            "data-mining" => DATA_MINING.to_vec(),
            _ => return None,
        };
        Some(Self::Empirical(Empirical { points }))
    }

    /// The size of a flow, 1 byte or more.
    pub fn draw(&self, stream: &mut Stream) -> u64 {
        match self {
            Self::Fixed(bytes) => *bytes,
            Self::Exponential { mean } => stream.exponential(*mean as f64).max(1),
            Self::Empirical(points) => points.quantile(stream.unit()),
            Self::Pareto(pareto) => (pareto.quantile(stream.unit()) as u64).max(1),
        }
    }

    /// Bytes.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(bytes) => *bytes as f64,
            Self::Exponential { mean } => *mean as f64,
            Self::Empirical(points) => points.mean(),
            Self::Pareto(pareto) => pareto.mean(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(sizes: &Sizes) -> Vec<u64> {
        let mut stream = Stream::new(3, 0, 0);
        (0..200_000).map(|_| sizes.draw(&mut stream)).collect()
    }

    /// The means that are quoted for the two: about 1.7 MB (1,138 packets of 1,460 bytes and their like) and about
    /// 7.4 MB (5,117 packets); and shares at the points.
    #[test]
    fn named_distributions() {
        let search = Sizes::named("web-search").expect("known");
        assert!((search.mean() / 1.66e6 - 1.0).abs() < 0.04, "{}", search.mean());
        let mining = Sizes::named("data-mining").expect("known");
        assert!((mining.mean() / (5117.0 * 1460.0) - 1.0).abs() < 0.01, "{}", mining.mean());
        assert_eq!(Sizes::named("mail"), None);
        for (sizes, points) in [(&search, &WEB_SEARCH[..]), (&mining, &DATA_MINING[1..])] {
            let drawn = drawn(sizes);
            for (bytes, share) in points {
                let found =
                    drawn.iter().filter(|size| *size <= bytes).count() as f64 / drawn.len() as f64;
                // Five standard errors.
                assert!(
                    (found - share).abs() < 5.0 * (0.25 / drawn.len() as f64).sqrt(),
                    "{bytes} {share} {found}"
                );
            }
        }
    }

    /// A shape of 1.05 and a mean of 100 KB: 1 - (largest / smallest)^-1.05 is cut off nothing to speak of, but the mean of
    /// what is cut off at 1 GB needs a larger beginning than 4,762 bytes, where the whole distribution would have it.
    #[test]
    fn pareto_keeps_its_mean() {
        let cut = Pareto::new(1.05, 100_000.0, 1e9).expect("possible");
        assert!((cut.mean() / 100_000.0 - 1.0).abs() < 1e-9);
        assert!(cut.smallest > 4762.0 && cut.smallest < 20_000.0, "{}", cut.smallest);
        let whole = Pareto::new(1.05, 100_000.0, 1e300).expect("possible");
        assert!((whole.smallest - 4762.0).abs() < 1.0, "{}", whole.smallest);
        // A lighter tail, so that the mean of the draws says something.
        let light = Pareto::new(3.0, 10_000.0, 1e6).expect("possible");
        let drawn = drawn(&Sizes::Pareto(light));
        let mean = drawn.iter().sum::<u64>() as f64 / drawn.len() as f64;
        assert!((mean / 10_000.0 - 1.0).abs() < 0.02, "{mean}");
        let median = light.smallest * 2f64.powf(1.0 / 3.0);
        let above = drawn.iter().filter(|size| **size as f64 > median).count() as f64;
        assert!((above / drawn.len() as f64 - 0.5).abs() < 0.006);
        for (shape, mean, largest) in [(0.0, 10.0, 20.0), (1.0, 20.0, 20.0), (f64::NAN, 1.0, 2.0)] {
            assert!(Pareto::new(shape, mean, largest).is_err());
        }
    }

    #[test]
    fn points_are_checked() {
        for (points, words) in [
            (vec![], "found none"),
            (vec![(1, 0.0)], "found one"),
            (vec![(1, 0.1), (2, 1.0)], "0.1 to 1"),
            (vec![(0, 0.0), (0, 1.0)], "largest flow"),
            (vec![(1, 0.0), (9, 0.5), (8, 1.0)], "9 bytes at 0.5"),
            (vec![(1, 0.0), (9, 0.5), (10, 0.4), (11, 1.0)], "10 bytes at 0.4"),
        ] {
            let message = Empirical::new(points).expect_err("wrong");
            assert!(message.contains(words), "{message}");
        }
        let line = Empirical::new(vec![(0, 0.0), (1000, 1.0)]).expect("good");
        assert_eq!((line.quantile(0.25), line.quantile(0.0), line.mean()), (250, 1, 500.0));
    }
}
