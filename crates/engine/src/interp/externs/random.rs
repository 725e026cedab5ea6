//! `random`: numbers that are a function of the seed, the packet and the call site, so that two
//! runs with one seed are equal.

use super::super::machine::Machine;
use super::super::values::Value;
use super::Arguments;
use super::hash::number;
use crate::bits::Bits;
use num_bigint::BigUint;
use ww_p4::ir::{Call, Span};

impl<'a> Machine<'a> {
    /// The next 64 bits for a call site of the packet at work.
    pub(super) fn draw(&mut self, at: Span) -> u64 {
        let draws = &mut self.packet.draws;
        let count = match draws.iter_mut().find(|(site, _)| *site == at) {
            Some((_, count)) => {
                *count += 1;
                *count
            }
            None => {
                draws.push((at, 0));
                0
            }
        };
        let tag = self.packet.tag;
        let site = u64::from(at.file.0) << 32 | u64::from(at.lo);
        [tag.packet, u64::from(tag.copy), site, count]
            .iter()
            .fold(self.loaded.options.seed, |state, part| mix(state ^ mix(*part)))
    }

    /// `random(result, lo, hi)`: both ends are included. If `lo > hi` the result is `lo`.
    pub(super) fn random_function(&mut self, arguments: &mut Arguments<'a>, call: &'a Call) {
        let (low, high) = (number(arguments.value(1)), number(arguments.value(2)));
        let result = if high > low {
            let span = &high - &low + 1u32;
            // 64 bits more than needed leave no visible bias.
            let words = span.bits() / 64 + 2;
            let drawn =
                (0..words).fold(BigUint::ZERO, |sum, _| (sum << 64u32) + self.draw(call.span));
            low + drawn % span
        } else {
            low
        };
        let width = arguments.width(self, 0);
        arguments.set(0, Value::Bits(Bits::from_biguint(width, &result)));
    }
}

/// The output function of SplitMix64 (Steele, Lea, Flood 2014), a bijection that mixes well.
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::mix;

    #[test]
    fn splitmix64_reference_sequence() {
        // The first outputs for seed 1234567 that the authors' C code prints.
        let gamma = 0x9e37_79b9_7f4a_7c15u64;
        let outputs: Vec<_> =
            (0..3u64).map(|n| mix(gamma.wrapping_mul(n).wrapping_add(1_234_567))).collect();
        assert_eq!(
            outputs,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }
}
