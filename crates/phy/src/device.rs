//! Models of what a line meets: switches, by how much a frame is late behind them, and software that stamps frames.
//!
//! A device takes a frame when its first bytes (cut-through) or all of it (store-and-forward) are there, and sends it
//! after a latency that varies, uniformly, for nothing better is known of what is inside. Frames keep their order, and two are never nearer to
//! each other than the standard's least gap. The widths of the variation are fitted to the deviations that were
//! measured of two switches (spec 000 figure 4.9: 31.6 ns and 161.7 ns, frames of 1518 bytes at 9 Gb/s); they explain nothing else.

use crate::random::Random;
use crate::stream::{LEAST_GAP, PREAMBLE};

/// Kinds of devices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Sends when it knows where to: behind the first 64 bytes.
    CutThrough,
    /// Store and forward: sends when it has the whole frame.
    StoreAndForward,
}

/// A device with one input and one output.
#[derive(Debug, Clone)]
pub struct Device {
    kind: Kind,
    /// Latency beyond what the kind asks for: the least, and by how much it varies, in characters.
    latency: (u64, u64),
    random: Random,
    /// Where the frame before has left.
    free: u64,
}

/// Characters until a cut-through switch knows where to: preamble and 64 bytes.
const HEAD: u64 = PREAMBLE + 64;

impl Device {
    /// A device with the latency that fits what was measured; `seed` decides what varies.
    pub fn new(kind: Kind, seed: u64) -> Self {
        let latency = match kind {
            Kind::CutThrough => (1000, CUT_THROUGH_WIDTH),
            Kind::StoreAndForward => (4000, STORE_AND_FORWARD_WIDTH),
        };
        Self { kind, latency, random: Random(seed), free: 0 }
    }

    /// Where a frame of `bytes` that arrives at `start` leaves; both positions are of its start, in characters.
    pub fn forward(&mut self, start: u64, bytes: u64) -> u64 {
        let known = match self.kind {
            Kind::CutThrough => HEAD.min(PREAMBLE + bytes),
            Kind::StoreAndForward => PREAMBLE + bytes,
        };
        let (least, width) = self.latency;
        let wish = start + known + least + self.random.below(width);
        // On the output, starts stand at multiples of four.
        let at = wish.max(self.free).next_multiple_of(4);
        self.free = at + PREAMBLE + bytes + LEAST_GAP;
        at
    }
}

const CUT_THROUGH_WIDTH: u64 = 97;
const STORE_AND_FORWARD_WIDTH: u64 = 895;

/// Software that notes when frames start, with an error of its own for each.
#[derive(Debug, Clone)]
pub struct Stamps {
    deviation: f64,
    random: Random,
    before: f64,
}

impl Stamps {
    /// With normal errors of a standard deviation in characters.
    pub fn new(deviation: f64, seed: u64) -> Self {
        let mut random = Random(seed);
        let before = deviation * random.normal();
        Self { deviation, random, before }
    }

    /// How long the next interval seems: the errors of two stamps are in it.
    pub fn interval(&mut self, characters: u64) -> f64 {
        let now = self.deviation * self.random.normal();
        characters as f64 + now - std::mem::replace(&mut self.before, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Intervals;

    /// Frames of 1518 bytes, a start each 1696 characters: 9 Gb/s.
    fn behind(kind: Kind) -> (f64, f64) {
        let mut device = Device::new(kind, 7);
        let mut intervals = Intervals::default();
        for n in 0..200_000 {
            intervals.start(device.forward(1696 * n, 1518));
        }
        intervals.moments().map(|(mean, deviation)| (mean * 0.8, deviation * 0.8)).expect("many")
    }

    /// Spec 000 check 12, figure 4.9.
    #[test]
    fn the_mean_stays_and_the_deviation_tells() {
        for (kind, sigma) in [(Kind::CutThrough, 31.6413), (Kind::StoreAndForward, 161.669)] {
            let (mean, deviation) = behind(kind);
            assert!((mean - 1356.8).abs() < 0.1, "{kind:?}: {mean}");
            assert!((deviation - sigma).abs() < 0.02 * sigma, "{kind:?}: {deviation}");
        }
    }

    #[test]
    fn frames_keep_order_and_distance() {
        let mut device = Device::new(Kind::StoreAndForward, 3);
        let mut end = 0;
        for n in 0..10_000 {
            let at = device.forward(84 * n, 64);
            assert!(at >= end + LEAST_GAP && at.is_multiple_of(4) && at > 84 * n + 72);
            end = at + 72;
        }
    }
}
