//! Operators on bit patterns, for folding constants. A pattern has no bits beyond its width.

use super::expression::{BinaryOp, UnaryOp};
use num_bigint::{BigInt, BigUint};
use num_traits::{One, ToPrimitive, Zero};
use std::cmp::Ordering;

/// The largest number of `width` bits.
pub(super) fn ones(width: u32) -> BigUint {
    (BigUint::one() << width) - 1u32
}

/// The low `width` bits.
pub(super) fn truncate(value: &BigUint, width: u32) -> BigUint {
    if value.bits() <= u64::from(width) { value.clone() } else { value & ones(width) }
}

/// An integer of any size as a pattern.
pub(super) fn pattern(value: &BigInt, width: u32) -> BigUint {
    let low = truncate(value.magnitude(), width);
    if value.sign() != num_bigint::Sign::Minus || low.is_zero() {
        low
    } else {
        (BigUint::one() << width) - low
    }
}

/// A pattern read as two's complement.
pub(super) fn signed(value: &BigUint, width: u32) -> BigInt {
    let number = BigInt::from(value.clone());
    if width > 0 && value.bit(u64::from(width) - 1) {
        number - (BigInt::one() << width)
    } else {
        number
    }
}

/// One operand of `width` bits.
pub(super) fn unary(op: UnaryOp, width: u32, value: &BigUint) -> BigUint {
    match op {
        UnaryOp::Not => ones(width) - value,
        UnaryOp::Negate => truncate(&((BigUint::one() << width) - value), width),
    }
}

fn clamp(value: BigInt, width: u32) -> BigUint {
    if width == 0 {
        return BigUint::zero();
    }
    let limit = BigInt::one() << (width - 1);
    pattern(&value.min(&limit - 1u32).max(-limit), width)
}

/// Two operands: `a` of `width` bits, and `b`, which for shifts and concatenation may have
/// another width, `b_width`.
pub(super) fn binary(op: BinaryOp, width: u32, a: &BigUint, b: &BigUint, b_width: u32) -> BigUint {
    let bool = |value: bool| if value { BigUint::one() } else { BigUint::zero() };
    let order = || a.cmp(b);
    let signed_order = || signed(a, width).cmp(&signed(b, width));
    let amount = || b.to_u32().unwrap_or(u32::MAX).min(width);
    match op {
        BinaryOp::Add => truncate(&(a + b), width),
        BinaryOp::Sub => truncate(&(a + (BigUint::one() << width) - b), width),
        BinaryOp::Mul => truncate(&(a * b), width),
        BinaryOp::Div if b.is_zero() => BigUint::zero(),
        BinaryOp::Div => a / b,
        BinaryOp::Rem if b.is_zero() => BigUint::zero(),
        BinaryOp::Rem => a % b,
        BinaryOp::SatAdd => (a + b).min(ones(width)),
        BinaryOp::SatSub if a < b => BigUint::zero(),
        BinaryOp::SatSub => a - b,
        BinaryOp::SatAddSigned => clamp(signed(a, width) + signed(b, width), width),
        BinaryOp::SatSubSigned => clamp(signed(a, width) - signed(b, width), width),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => truncate(&(a << amount()), width),
        BinaryOp::Shr => a >> amount(),
        BinaryOp::ShrSigned => pattern(&(signed(a, width) >> amount()), width),
        BinaryOp::Eq => bool(a == b),
        BinaryOp::Ne => bool(a != b),
        BinaryOp::Lt => bool(order() == Ordering::Less),
        BinaryOp::Le => bool(order() != Ordering::Greater),
        BinaryOp::LtSigned => bool(signed_order() == Ordering::Less),
        BinaryOp::LeSigned => bool(signed_order() != Ordering::Greater),
        BinaryOp::Concat => (a << b_width) | b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(op: BinaryOp, width: u32, a: u32, b: u32, expected: u32) {
        let found = binary(op, width, &a.into(), &b.into(), width);
        assert_eq!(found, BigUint::from(expected), "{op:?} {a} {b}");
    }

    #[test]
    fn worked_by_hand() {
        check(BinaryOp::Add, 8, 200, 100, 44);
        check(BinaryOp::Sub, 8, 3, 5, 254);
        check(BinaryOp::Mul, 4, 7, 7, 1);
        check(BinaryOp::Div, 8, 100, 0, 0);
        check(BinaryOp::Rem, 8, 100, 7, 2);
        check(BinaryOp::SatAdd, 8, 200, 100, 255);
        check(BinaryOp::SatSub, 8, 3, 5, 0);
        check(BinaryOp::SatAddSigned, 8, 0x70, 0x70, 0x7f);
        check(BinaryOp::SatSubSigned, 8, 0x80, 1, 0x80);
        check(BinaryOp::Shl, 8, 0x81, 1, 2);
        check(BinaryOp::Shr, 8, 0x81, 99, 0);
        check(BinaryOp::ShrSigned, 8, 0x81, 1, 0xc0);
        check(BinaryOp::ShrSigned, 8, 0x81, 99, 0xff);
        check(BinaryOp::LtSigned, 8, 0xff, 0, 1);
        check(BinaryOp::Lt, 8, 0xff, 0, 0);
        check(BinaryOp::Concat, 8, 0xab, 0xcd, 0xabcd);
        assert_eq!(unary(UnaryOp::Negate, 8, &0u32.into()), BigUint::zero());
        assert_eq!(unary(UnaryOp::Negate, 8, &1u32.into()), BigUint::from(255u32));
        assert_eq!(unary(UnaryOp::Not, 4, &5u32.into()), BigUint::from(10u32));
    }
}
