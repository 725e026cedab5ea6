//! Arithmetic on more than 64 bits that is not worth being made into code each time.

use crate::bits::Bits;
use num_bigint::BigUint;

/// See [`wide_binary`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub enum WideOperation {
    /// Product modulo 2^W.
    Multiply,
    /// Quotient; zero for a zero divisor.
    Divide,
    /// Remainder; zero for a zero divisor.
    Remainder,
    /// To the left; the amount is one word.
    ShiftLeft,
    /// To the right.
    ShiftRight,
    /// To the right, with copies of the sign bit.
    ShiftRightSigned,
}

/// A number from words, the lowest first.
pub fn from_words(words: &[u64]) -> BigUint {
    let digits = words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32]);
    BigUint::new(digits.collect())
}

/// The low words of a number.
pub fn to_words(value: &BigUint, words: &mut [u64]) {
    let mut digits = value.iter_u64_digits();
    words.iter_mut().for_each(|word| *word = digits.next().unwrap_or(0));
}

/// Combines two numbers of `width` bits: at `row` is place for the result, then come the
/// operands.
///
/// # Safety
/// `row` is the address of three times as many words as the width needs.
pub unsafe extern "C" fn wide_binary(operation: u64, row: *mut u64, width: u64) {
    let count = crate::jit::layout::words(width);
    // SAFETY: the caller's promise.
    let row = unsafe { std::slice::from_raw_parts_mut(row, 3 * count) };
    let (out, operands) = row.split_at_mut(count);
    let (left, right) = operands.split_at(count);
    let width = width as u32;
    let bits = |words: &[u64]| Bits::from_biguint(width, &from_words(words));
    let is = |wanted: WideOperation| operation == wanted as u64;
    let result = if is(WideOperation::Multiply) {
        bits(left).mul(&bits(right))
    } else if is(WideOperation::Divide) || is(WideOperation::Remainder) {
        let (a, b) = (from_words(left), from_words(right));
        let value = match () {
            () if b == BigUint::ZERO => b,
            () if is(WideOperation::Divide) => a / b,
            () => a % b,
        };
        Bits::from_biguint(width, &value)
    } else if is(WideOperation::ShiftLeft) {
        bits(left).shl(right[0])
    } else if is(WideOperation::ShiftRight) {
        bits(left).shr(right[0])
    } else {
        bits(left).shr_signed(right[0])
    };
    to_words(&result.to_biguint(), out);
}
