//! The same without writing: additive increase and multiplicative decrease by what packets have read (spec 003, S29).
//! Each flow estimates for itself what a link's register would say to all of them, so that shares converge more slowly.

use super::Sample;
use std::collections::BTreeMap;

/// Parameters, of which the paper gives none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Bits a second that a flow gains with a collection that meets no congestion.
    pub increase: f64,
    /// What is left of the rate after one that does, 0 to 1.
    pub decrease: f64,
    /// Bytes in a queue from which on a link is congested.
    pub queue: u32,
    /// The least rate, bits a second.
    pub least: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { increase: 500_000.0, decrease: 0.85, queue: 15_000, least: 100_000.0 }
    }
}

/// The rate that a flow with this rate has next, between the least one and the capacity of the slowest link that is
/// known.
pub fn next_rate(
    rate: f64,
    samples: &[Sample],
    capacities: &BTreeMap<u32, f64>,
    settings: &Settings,
) -> f64 {
    let known = samples.iter().filter(|sample| capacities.contains_key(&sample.link));
    let is_congested = |sample: &Sample| sample.queue >= settings.queue || sample.offered > 0x8000;
    let most = known.clone().filter_map(|sample| capacities.get(&sample.link));
    let most = most.copied().fold(f64::INFINITY, f64::min);
    let next = match known.clone().any(is_congested) {
        true => rate * settings.decrease,
        false => rate + settings.increase,
    };
    next.clamp(settings.least.min(most), most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn up_by_steps_and_down_by_shares() {
        let capacities = BTreeMap::from([(1, 1e8), (2, 5e7)]);
        let settings = Settings { increase: 1e6, decrease: 0.5, queue: 1000, least: 1e5 };
        let sample = |link, queue, offered| Sample { link, queue, offered, rate: 0 };
        let next = |rate, samples: &[Sample]| next_rate(rate, samples, &capacities, &settings);
        let free = [sample(1, 999, 0x8000), sample(2, 0, 0)];
        assert_eq!(next(1e7, &free), 1.1e7);
        assert_eq!(next(5e7, &free), 5e7, "no more than the slowest link");
        assert_eq!(next(1e7, &[sample(1, 1000, 0), free[1]]), 5e6, "a queue");
        assert_eq!(next(1e7, &[sample(1, 0, 0x8001), free[1]]), 5e6, "more than fits");
        assert_eq!(next(1e7, &[sample(9, 5000, 0xffff)]), 1.1e7, "of link 9 nothing is known");
        assert_eq!(next(1.5e5, &[sample(1, 5000, 0)]), 1e5);
    }
}
