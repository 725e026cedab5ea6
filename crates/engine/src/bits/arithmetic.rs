//! Operators on bit strings (§8.6 `bit<W>`, §8.7 `int<W>`, §8.9 concatenation, §8.11 casts).
//!
//! Both operands of an arithmetic operator have one width, which is the width of the result.

use super::{Bits, all_ones, mask};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, Zero};

impl Bits {
    fn combine(
        &self,
        other: &Bits,
        small: impl FnOnce(u128, u128) -> u128,
        wide: impl FnOnce(BigUint, BigUint) -> BigUint,
    ) -> Bits {
        match (self, other) {
            (Bits::Small { width, value: a }, Bits::Small { value: b, .. }) => {
                Bits::Small { width: *width, value: small(*a, *b) & mask(*width) }
            }
            _ => Bits::from_biguint(self.width(), &wide(self.to_biguint(), other.to_biguint())),
        }
    }

    /// `+` modulo 2^W.
    pub fn add(&self, other: &Bits) -> Bits {
        self.combine(other, u128::wrapping_add, |a, b| a + b)
    }

    /// `-` modulo 2^W.
    pub fn sub(&self, other: &Bits) -> Bits {
        let width = self.width();
        self.combine(other, u128::wrapping_sub, |a, b| a + (BigUint::one() << width) - b)
    }

    /// `*` modulo 2^W.
    pub fn mul(&self, other: &Bits) -> Bits {
        self.combine(other, u128::wrapping_mul, |a, b| a * b)
    }

    /// `/` of unsigned numbers. Division by zero gives zero: the language makes it an error
    /// where it can be seen at compile time and says nothing of run time.
    pub fn div(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::zero(self.width());
        }
        self.combine(other, |a, b| a / b, |a, b| a / b)
    }

    /// `%` of unsigned numbers; zero if the divisor is zero, see [`Bits::div`].
    pub fn rem(&self, other: &Bits) -> Bits {
        if other.is_zero() {
            return Bits::zero(self.width());
        }
        self.combine(other, |a, b| a % b, |a, b| a % b)
    }

    /// `&`
    pub fn and(&self, other: &Bits) -> Bits {
        self.combine(other, |a, b| a & b, |a, b| a & b)
    }

    /// `|`
    pub fn or(&self, other: &Bits) -> Bits {
        self.combine(other, |a, b| a | b, |a, b| a | b)
    }

    /// `^`
    pub fn xor(&self, other: &Bits) -> Bits {
        self.combine(other, |a, b| a ^ b, |a, b| a ^ b)
    }

    /// `~`
    pub fn not(&self) -> Bits {
        match self {
            Bits::Small { width, value } => {
                Bits::Small { width: *width, value: !value & mask(*width) }
            }
            Bits::Wide { width, value } => {
                Bits::Wide { width: *width, value: Box::new(all_ones(*width) - &**value) }
            }
        }
    }

    /// Unary `-` modulo 2^W.
    pub fn negate(&self) -> Bits {
        Bits::zero(self.width()).sub(self)
    }

    /// `|+|` of unsigned numbers: at most 2^W - 1.
    pub fn saturating_add(&self, other: &Bits) -> Bits {
        let width = self.width();
        let sum = self.to_biguint() + other.to_biguint();
        if sum.bits() > u64::from(width) {
            Bits::ones(width)
        } else {
            Bits::from_biguint(width, &sum)
        }
    }

    /// `|-|` of unsigned numbers: at least 0.
    pub fn saturating_sub(&self, other: &Bits) -> Bits {
        if self.compare(other).is_lt() { Bits::zero(self.width()) } else { self.sub(other) }
    }

    /// `|+|` of two's complement numbers.
    pub fn saturating_add_signed(&self, other: &Bits) -> Bits {
        Self::clamp_signed(self.width(), self.to_bigint_signed() + other.to_bigint_signed())
    }

    /// `|-|` of two's complement numbers.
    pub fn saturating_sub_signed(&self, other: &Bits) -> Bits {
        Self::clamp_signed(self.width(), self.to_bigint_signed() - other.to_bigint_signed())
    }

    fn clamp_signed(width: u32, value: BigInt) -> Bits {
        if width == 0 {
            return Bits::zero(0);
        }
        let limit = BigInt::one() << (width - 1);
        let value = value.min(&limit - 1u32).max(-limit);
        Bits::from_bigint(width, &value)
    }

    /// `<<`; all bits are gone if `amount >= W`.
    pub fn shl(&self, amount: u64) -> Bits {
        let width = self.width();
        if amount >= u64::from(width) {
            return Bits::zero(width);
        }
        match self {
            Bits::Small { value, .. } => Bits::new(width, value << amount),
            Bits::Wide { value, .. } => Bits::from_biguint(width, &(&**value << amount)),
        }
    }

    /// `>>` of an unsigned number, filling with zeros.
    pub fn shr(&self, amount: u64) -> Bits {
        let width = self.width();
        if amount >= u64::from(width) {
            return Bits::zero(width);
        }
        match self {
            Bits::Small { value, .. } => Bits::new(width, value >> amount),
            Bits::Wide { value, .. } => Bits::from_biguint(width, &(&**value >> amount)),
        }
    }

    /// `>>` of a two's complement number, filling with copies of the sign bit.
    pub fn shr_signed(&self, amount: u64) -> Bits {
        let width = self.width();
        match self {
            Bits::Small { value, .. } => {
                let value = Self::small_signed(width, *value) >> amount.min(127);
                Bits::new(width, value as u128)
            }
            Bits::Wide { .. } => {
                let amount = amount.min(u64::from(width));
                Bits::from_bigint(width, &(self.to_bigint_signed() >> amount))
            }
        }
    }

    /// `self ++ low`.
    pub fn concat(&self, low: &Bits) -> Bits {
        let width = self.width().saturating_add(low.width());
        match (self, low) {
            (Bits::Small { value: a, .. }, Bits::Small { width: lw, value: b }) if width <= 128 => {
                // A shift by 128 only happens to an empty high part.
                Bits::Small { width, value: a.checked_shl(*lw).unwrap_or(0) | b }
            }
            _ => Bits::from_biguint(width, &(self.to_biguint() << low.width() | low.to_biguint())),
        }
    }

    /// Bits `hi` down to `lo`; bits beyond the width read as zero.
    pub fn slice(&self, hi: u32, lo: u32) -> Bits {
        let width = (hi + 1).saturating_sub(lo);
        match self {
            Bits::Small { value, .. } => Bits::new(width, value.checked_shr(lo).unwrap_or(0)),
            Bits::Wide { value, .. } => Bits::from_biguint(width, &(&**value >> lo)),
        }
    }

    /// The same with bits `hi` down to `lo` replaced by `part`.
    pub fn with_slice(&self, hi: u32, lo: u32, part: &Bits) -> Bits {
        let width = (hi + 1).saturating_sub(lo);
        match (self, part) {
            (Bits::Small { width: w, value }, Bits::Small { value: part, .. }) if hi < 128 => {
                let hole = mask(width) << lo;
                Bits::new(*w, value & !hole | (part << lo) & hole)
            }
            _ => {
                let hole = all_ones(width) << lo;
                let whole = self.to_biguint();
                let kept = &whole - (&whole & &hole);
                Bits::from_biguint(self.width(), &(kept | (part.to_biguint() << lo) & hole))
            }
        }
    }

    /// To another width, filling with zeros or dropping high bits.
    pub fn resize(&self, width: u32) -> Bits {
        match self {
            Bits::Small { value, .. } => Bits::new(width, *value),
            Bits::Wide { value, .. } => Bits::from_biguint(width, value),
        }
    }

    /// To another width, filling with the sign bit or dropping high bits.
    pub fn resize_signed(&self, width: u32) -> Bits {
        match self {
            Bits::Small { width: from, value } if width <= 128 => {
                Bits::new(width, Self::small_signed(*from, *value) as u128)
            }
            _ if width <= self.width() => self.resize(width),
            _ => Bits::from_bigint(width, &self.to_bigint_signed()),
        }
    }

    /// The number of leading ones if the pattern is ones followed by zeros (a prefix mask).
    pub fn prefix_length(&self) -> Option<u32> {
        let inverted = self.not().to_biguint();
        let is_prefix = (&inverted & (&inverted + 1u32)).is_zero();
        is_prefix.then(|| self.width() - inverted.bits() as u32)
    }

    /// A mask of `length` ones (at most the width) followed by zeros.
    pub fn prefix_mask(width: u32, length: u32) -> Bits {
        Bits::ones(width).shl(u64::from(width - length.min(width)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn b(width: u32, value: u128) -> Bits {
        Bits::new(width, value)
    }

    /// Both representations must agree with arbitrary-precision arithmetic modulo 2^W.
    #[test]
    fn operators_agree_with_big_integers() {
        let mut seed = 0x9e37_79b9_7f4a_7c15u128;
        let mut next = || {
            seed = seed.wrapping_mul(0x2360_ed05_1fc6_5da4_4385_df64_9fcc_f645).wrapping_add(1);
            seed ^ seed >> 61
        };
        for width in [1u32, 7, 8, 31, 32, 63, 64, 65, 127, 128, 129, 200, 256] {
            let modulus = BigInt::one() << width;
            let wrap = |v: BigInt| -> BigUint {
                let v: BigInt = ((v % &modulus) + &modulus) % &modulus;
                v.magnitude().clone()
            };
            for _ in 0..50 {
                let big = |a: u128, b: u128| (BigUint::from(a) << 128u32) + BigUint::from(b);
                let x = Bits::from_biguint(width, &big(next(), next()));
                let y = Bits::from_biguint(width, &big(next(), next()));
                let (a, c) = (BigInt::from(x.to_biguint()), BigInt::from(y.to_biguint()));
                let (sa, sc) = (x.to_bigint_signed(), y.to_bigint_signed());
                assert_eq!(x.add(&y).to_biguint(), wrap(&a + &c));
                assert_eq!(x.sub(&y).to_biguint(), wrap(&a - &c));
                assert_eq!(x.mul(&y).to_biguint(), wrap(&a * &c));
                assert_eq!(x.negate().to_biguint(), wrap(-&a));
                assert_eq!(x.not().to_biguint(), wrap(-&a - 1));
                let shift = (next() % (u128::from(width) + 3)) as u64;
                assert_eq!(x.shl(shift).to_biguint(), wrap(&a << shift));
                assert_eq!(x.shr(shift).to_biguint(), wrap(&a >> shift));
                assert_eq!(x.shr_signed(shift).to_biguint(), wrap(&sa >> shift));
                assert_eq!(x.compare(&y), a.cmp(&c));
                assert_eq!(x.compare_signed(&y), sa.cmp(&sc));
                let top = &modulus - 1;
                let half: BigInt = &modulus >> 1;
                assert_eq!(x.saturating_add(&y).to_biguint(), wrap((&a + &c).min(top)));
                assert_eq!(x.saturating_sub(&y).to_biguint(), wrap((&a - &c).max(BigInt::zero())));
                let clamp = |v: BigInt| wrap(v.min(&half - 1).max(-&half));
                assert_eq!(x.saturating_add_signed(&y).to_biguint(), clamp(&sa + &sc));
                assert_eq!(x.saturating_sub_signed(&y).to_biguint(), clamp(&sa - &sc));
                let joined = x.concat(&y);
                assert_eq!(joined.width(), 2 * width);
                assert_eq!(joined.slice(2 * width - 1, width), x);
                assert_eq!(joined.slice(width - 1, 0), y);
                assert_eq!(joined.with_slice(width - 1, 0, &x), x.concat(&x));
                assert_eq!(x.resize_signed(300).to_bigint_signed(), sa);
                assert_eq!(x.resize(300).resize(width), x);
            }
        }
    }

    #[test]
    fn hand_worked_examples() {
        assert_eq!(b(8, 200).add(&b(8, 100)), b(8, 44));
        assert_eq!(b(8, 200).saturating_add(&b(8, 100)), b(8, 255));
        assert_eq!(b(8, 0x70).saturating_add_signed(&b(8, 0x70)), b(8, 0x7f));
        assert_eq!(b(8, 0x80).saturating_sub_signed(&b(8, 1)), b(8, 0x80));
        assert_eq!(b(8, 0x80).shr_signed(7), b(8, 0xff));
        assert_eq!(b(8, 0x80).shr_signed(99), b(8, 0xff));
        assert_eq!(b(8, 0xff).shr(8), b(8, 0));
        assert_eq!(b(7, 100).div(&b(7, 7)), b(7, 14));
        assert_eq!(b(7, 100).rem(&b(7, 7)), b(7, 2));
        assert_eq!(b(7, 100).div(&b(7, 0)), b(7, 0));
        assert_eq!(b(16, 0xabcd).slice(11, 4), b(8, 0xbc));
        assert_eq!(b(16, 0xabcd).with_slice(11, 4, &b(8, 0)), b(16, 0xa00d));
        assert_eq!(b(0, 7), b(0, 0));
        assert_eq!(b(0, 0).concat(&b(3, 5)), b(3, 5));
        assert_eq!(b(128, 1).concat(&b(0, 0)), b(128, 1));
        assert_eq!(b(0, 0).concat(&b(128, 9)), b(128, 9));
    }

    #[test]
    fn prefixes() {
        assert_eq!(b(8, 0xf0).prefix_length(), Some(4));
        assert_eq!(b(8, 0xf1).prefix_length(), None);
        assert_eq!(b(8, 0).prefix_length(), Some(0));
        assert_eq!(b(8, 0xff).prefix_length(), Some(8));
        assert_eq!(Bits::prefix_mask(32, 24), b(32, 0xffff_ff00));
        assert_eq!(Bits::prefix_mask(8, 0), b(8, 0));
        assert_eq!(Bits::prefix_mask(8, 8), b(8, 0xff));
        assert_eq!(Bits::prefix_mask(200, 200), Bits::ones(200));
    }

    #[test]
    fn printed_in_hexadecimal() {
        assert_eq!(b(9, 0x1f).to_string(), "0x01f");
        assert_eq!(b(48, 1).to_string(), "0x000000000001");
        assert_eq!(Bits::zero(132).to_string(), format!("0x{}", "0".repeat(33)));
        assert_eq!(b(0, 0).to_string(), "0x0");
    }
}
