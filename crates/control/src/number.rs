//! Numbers as people write them in command files and tests.

use num_bigint::{BigInt, BigUint, Sign};

/// Longest number that is read, in characters; wider than any sensible key.
const LONGEST: usize = 4096;

/// A number with digits that stand for anything (`0x12**`, `0b1*0*`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The value; bits outside the mask are zero.
    pub value: BigUint,
    /// The bits that were written as digits.
    pub mask: BigUint,
}

/// Reads an unsigned number: decimal, `0x`, `0o` or `0b`, with `_` between digits.
pub fn unsigned(text: &str) -> Option<BigUint> {
    let (radix, digits) = radix_of(text);
    if digits.is_empty() || digits.len() > LONGEST || digits.starts_with('_') {
        return None;
    }
    let digits: Vec<u8> = digits.bytes().filter(|&b| b != b'_').collect();
    if !digits.iter().all(|&b| char::from(b).is_digit(radix)) {
        return None;
    }
    BigUint::parse_bytes(&digits, radix)
}

/// Reads a number that may be negative.
pub fn signed(text: &str) -> Option<BigInt> {
    match text.strip_prefix('-') {
        Some(rest) => unsigned(rest).map(|n| BigInt::from_biguint(Sign::Minus, n)),
        None => unsigned(text).map(BigInt::from),
    }
}

/// Reads a number that fits a native integer.
pub fn small<T: TryFrom<BigUint>>(text: &str) -> Option<T> {
    unsigned(text).and_then(|n| T::try_from(n).ok())
}

/// Reads a binary, octal or hexadecimal number with at least one `*` digit. Digits that are not
/// written in front of it count as `*`.
pub fn pattern(text: &str) -> Option<Pattern> {
    let (radix, digits) = radix_of(text);
    let bits = match radix {
        2 => 1,
        8 => 3,
        16 => 4,
        _ => return None,
    };
    if !digits.contains('*') || digits.len() > LONGEST {
        return None;
    }
    let mut result = Pattern { value: BigUint::ZERO, mask: BigUint::ZERO };
    for digit in digits.chars().filter(|&c| c != '_') {
        result.value <<= bits;
        result.mask <<= bits;
        if digit != '*' {
            result.value |= BigUint::from(digit.to_digit(radix)?);
            result.mask |= BigUint::from(radix - 1);
        }
    }
    Some(result)
}

/// The pattern of bits that stands for `value` in `width` bits: itself, or the two's complement
/// of a negative number. `None` if it does not fit.
pub fn bits(value: &BigInt, width: u32) -> Option<BigUint> {
    match value.to_biguint() {
        Some(value) => (value.bits() <= u64::from(width)).then_some(value),
        None => {
            let fits = width > 0 && *value >= -(BigInt::from(1) << (width - 1));
            fits.then(|| (BigInt::from(1) << width) + value)?.to_biguint()
        }
    }
}

fn radix_of(text: &str) -> (u32, &str) {
    for (prefixes, radix) in [(["0x", "0X"], 16), (["0b", "0B"], 2), (["0o", "0O"], 8)] {
        for prefix in prefixes {
            if let Some(digits) = text.strip_prefix(prefix) {
                return (radix, digits);
            }
        }
    }
    (10, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_radices() {
        for (text, value) in
            [("0", 0u32), ("17", 17), ("0x1F", 31), ("0b101", 5), ("0o17", 15), ("1_000", 1000)]
        {
            assert_eq!(unsigned(text), Some(value.into()), "{text}");
        }
        for text in ["", "0x", "x", "1g", "0b2", "-1", "+1", "_1", " 1", "0x*"] {
            assert_eq!(unsigned(text), None, "{text}");
        }
        assert_eq!(small::<u8>("255"), Some(255));
        assert_eq!(small::<u8>("256"), None);
        assert_eq!(signed("-0x10"), Some((-16).into()));
    }

    #[test]
    fn patterns() {
        let read = |text| pattern(text).map(|p| (p.value, p.mask));
        assert_eq!(read("0x1*"), Some((0x10u32.into(), 0xf0u32.into())));
        assert_eq!(read("0b1*0*"), Some((8u32.into(), 10u32.into())));
        assert_eq!(read("0x12"), None);
        assert_eq!(read("1*"), None);
        assert_eq!(read("0xg*"), None);
    }

    #[test]
    fn two_complement() {
        let of = |value: i32, width| bits(&value.into(), width);
        assert_eq!(of(255, 8), Some(255u32.into()));
        assert_eq!(of(256, 8), None);
        assert_eq!(of(-1, 8), Some(255u32.into()));
        assert_eq!(of(-128, 8), Some(128u32.into()));
        assert_eq!(of(-129, 8), None);
        assert_eq!(of(0, 0), Some(0u32.into()));
        assert_eq!(of(-1, 0), None);
    }
}
