//! Random numbers of a run: each is a function of the seed, of who draws, and of how often it has
//! drawn before. Nobody shares a generator, so what one component draws does not change what
//! another one gets.

use ww_dataplane::random::threefry;

/// Kinds of components that draw ([`Stream::new`]). A new kind of node takes a number of its own that is not among
/// these.
pub mod kind {
    /// How switches mix hashes of flows.
    pub const SALT: u32 = 0;
    /// Loss, corruption and jitter of a direction of a link.
    pub const LINK: u32 = 1;
    /// Arrivals and sizes of a piece of traffic.
    pub const SOURCE: u32 = 2;
    /// Initial sequence numbers of a stack.
    pub const STACK: u32 = 3;
    /// Oscillators.
    pub const CLOCK: u32 = 4;
    /// Clock synchronisation in the physical layer.
    pub const DTP: u32 = 5;
    /// Interrupts and wander of a host whose clock packets keep.
    pub const KEEPER: u32 = 6;
    /// Generated flows of a fabric.
    pub const FLOWS: u32 = 7;
    /// Paths of packets that a host sprays.
    pub const SPRAY: u32 = 8;
}

/// The numbers of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stream {
    key: u64,
    drawn: u64,
}

impl Stream {
    /// For the component of this number, of a kind of component, in a run with this seed.
    pub fn new(seed: u64, kind: u32, component: u32) -> Self {
        Self { key: threefry(seed, u64::from(kind) << 32 | u64::from(component)), drawn: 0 }
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.drawn += 1;
        threefry(self.key, self.drawn)
    }

    /// A number below `limit`, 0 if that is 0. Each is as probable as each other, to 2^-64.
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(limit)) >> 64) as u64
    }

    /// From 0 to 1, without 1, in steps of 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Exponentially distributed with this mean, rounded down to an integer.
    pub fn exponential(&mut self, mean: f64) -> u64 {
        // 1 - unit() is never 0. `libm`, so that a run does not depend on the platform's.
        (-libm::log(1.0 - self.unit()) * mean) as u64
    }

    /// True with this probability, in steps of 2^-53.
    pub fn happens(&mut self, probability: f64) -> bool {
        probability > 0.0 && self.unit() < probability
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_independent() {
        let numbers = |mut stream: Stream| -> Vec<u64> { (0..4).map(|_| stream.bits()).collect() };
        let first = numbers(Stream::new(1, 2, 3));
        assert_eq!(first, numbers(Stream::new(1, 2, 3)));
        for other in [Stream::new(2, 2, 3), Stream::new(1, 3, 3), Stream::new(1, 2, 4)] {
            assert_ne!(first, numbers(other));
        }
    }

    /// Mean and share beyond the mean (1/e) of an exponential distribution; the bounds are five standard errors.
    #[test]
    fn exponential_has_its_mean() {
        let mut stream = Stream::new(7, 0, 0);
        let draws = 100_000;
        let (mut sum, mut beyond) = (0.0, 0);
        for _ in 0..draws {
            let value = stream.exponential(1e6);
            sum += value as f64;
            beyond += u32::from(value > 1_000_000);
        }
        let mean = sum / f64::from(draws);
        assert!((mean / 1e6 - 1.0).abs() < 5.0 / f64::from(draws).sqrt(), "{mean}");
        let share = f64::from(beyond) / f64::from(draws);
        assert!(
            (share - (-1f64).exp()).abs() < 5.0 * (0.2325 / f64::from(draws)).sqrt(),
            "{share}"
        );
    }

    #[test]
    fn bounds() {
        let mut stream = Stream::new(0, 0, 0);
        assert_eq!(stream.below(0), 0);
        let mut seen = [0u32; 3];
        for _ in 0..300 {
            seen[stream.below(3) as usize] += 1;
        }
        assert!(seen.iter().all(|count| *count > 60), "{seen:?}");
        assert!(!stream.happens(0.0) && stream.happens(1.0));
    }
}
