//! `hash`, and the algorithms for selectors and checksums.

use super::super::machine::Machine;
use super::super::values::Value;
use super::Arguments;
use crate::bits::Bits;
use num_bigint::BigUint;
use num_traits::Zero;
use ww_p4::ir::{Call, Span};
use ww_packet::hash::Hash;

impl<'a> Machine<'a> {
    /// The hash of bytes by the algorithm called `name`. Programs with an unknown one are refused
    /// when they are loaded (`schema/hashes.rs`).
    pub fn hash(&mut self, name: &str, bytes: &[u8], at: Span) -> u64 {
        match name {
            "random" => self.draw(at),
            "crc16_custom" => self.state.crc16_custom.hash(bytes),
            "crc32_custom" => self.state.crc32_custom.hash(bytes),
            _ => match Hash::by_name(name) {
                Some(hash) => hash.hash(bytes),
                None => unreachable!("hash algorithm `{name}` was refused when it was loaded"),
            },
        }
    }

    /// `hash(result, algorithm, base, data, max)`: `base + H(data) mod max`, or `base` alone if
    /// `max` is zero.
    pub(super) fn hash_function(&mut self, arguments: &mut Arguments<'a>, call: &'a Call) {
        let algorithm = arguments.member(self, 1);
        let bytes = arguments.value(3).to_bytes();
        let hash = self.hash(algorithm, &bytes, call.span);
        let base = number(arguments.value(2));
        let max = number(arguments.value(4));
        let offset = if max.is_zero() { BigUint::ZERO } else { BigUint::from(hash) % max };
        let width = arguments.width(self, 0);
        arguments.set(0, Value::Bits(Bits::from_biguint(width, &(base + offset))));
    }
}

/// A value as a number from 0.
pub(super) fn number(value: &Value) -> BigUint {
    match value {
        Value::Int(value) => value.to_biguint().unwrap_or_default(),
        other => other.to_bits().to_biguint(),
    }
}
