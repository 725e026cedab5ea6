//! Keys as rows of machine words: for native code (64-bit words, lowest first) and for the store
//! (32-bit units, left-aligned, most significant first, so that rows compare like numbers and
//! prefixes start at the first bit).

use crate::bits::Bits;
use num_bigint::BigUint;

/// Sets the bits of `value` at bit position `at` of words that are zero there.
pub(super) fn put(words: &mut [u64], at: u32, value: &Bits) {
    let mut put_digit = |n: usize, digit: u64| {
        let at = at as usize + 64 * n;
        let (word, shift) = (at / 64, at % 64);
        if let Some(w) = words.get_mut(word) {
            *w |= digit << shift;
        }
        if shift > 0
            && let Some(w) = words.get_mut(word + 1)
        {
            *w |= digit >> (64 - shift);
        }
    };
    match value {
        Bits::Small { value, .. } => {
            put_digit(0, *value as u64);
            put_digit(1, (*value >> 64) as u64);
        }
        Bits::Wide { value, .. } => {
            for (n, digit) in value.iter_u64_digits().enumerate() {
                put_digit(n, digit);
            }
        }
    }
}

/// 64 bits from bit position `at`; bits beyond the words are zero.
fn word_at(words: &[u64], at: usize) -> u64 {
    let (word, shift) = (at / 64, at % 64);
    let low = words.get(word).copied().unwrap_or(0) >> shift;
    if shift == 0 {
        return low;
    }
    low | words.get(word + 1).copied().unwrap_or(0) << (64 - shift)
}

/// The `width` bits at bit position `at`.
pub(super) fn take(words: &[u64], at: u32, width: u32) -> Bits {
    let at = at as usize;
    if width <= 128 {
        let value = u128::from(word_at(words, at)) | u128::from(word_at(words, at + 64)) << 64;
        return Bits::new(width, value);
    }
    let digits = (0..width.div_ceil(32) as usize).map(|n| word_at(words, at + 32 * n) as u32);
    Bits::from_biguint(width, &BigUint::new(digits.collect()))
}

/// Number of units for `bits`.
pub(super) fn units(bits: u32) -> usize {
    bits.div_ceil(32) as usize
}

/// Appends the units of `bits` bits in words.
pub(super) fn push_units(row: &mut Vec<u32>, words: &[u64], bits: u32) {
    let count = units(bits);
    let pad = 32 * count - bits as usize;
    for n in (0..count).rev() {
        row.push(match (32 * n).checked_sub(pad) {
            Some(at) => word_at(words, at) as u32,
            None => (word_at(words, 0) << pad) as u32,
        });
    }
}

/// The words of `bits` bits in units.
pub(super) fn words_of(row: &[u32], bits: u32) -> Vec<u64> {
    let count = units(bits);
    let pad = (32 * count - bits as usize) as u32;
    let unit = |n: usize| count.checked_sub(n + 1).map_or(0, |n| u64::from(row[n]));
    let half = |n: usize| ((unit(n + 1) << 32 | unit(n)) >> pad) & 0xffff_ffff;
    (0..bits.div_ceil(64) as usize).map(|n| half(2 * n) | half(2 * n + 1) << 32).collect()
}

/// The `count` (1 to 32) bits after the first `depth` bits of a row of units; zero beyond its
/// end.
pub(super) fn chunk(row: &[u32], depth: u32, count: u32) -> u32 {
    let (unit, shift) = ((depth / 32) as usize, depth % 32);
    let high = u64::from(row.get(unit).copied().unwrap_or(0));
    let low = u64::from(row.get(unit + 1).copied().unwrap_or(0));
    (((high << 32 | low) << shift) >> (64 - count)) as u32
}

/// Like [`chunk`], for 1 to 64 bits.
pub(super) fn long_chunk(row: &[u32], depth: u32, count: u32) -> u64 {
    let first = u64::from(chunk(row, depth, count.min(32)));
    match count.checked_sub(32) {
        None | Some(0) => first,
        Some(rest) => first << rest | u64::from(chunk(row, depth + 32, rest)),
    }
}

/// Clears all but the first `length` bits.
pub(super) fn cut(row: &mut [u32], length: u32) {
    for (n, unit) in row.iter_mut().enumerate() {
        let kept = length.saturating_sub(32 * n as u32);
        if kept < 32 {
            *unit &= !(u32::MAX >> kept);
        }
    }
}

/// How many leading bits two rows have in common, at most `limit`.
pub(super) fn common(a: &[u32], b: &[u32], limit: u32) -> u32 {
    let mut equal = 0;
    for (a, b) in a.iter().zip(b) {
        let bits = (a ^ b).leading_zeros();
        equal += bits;
        if bits < 32 || equal >= limit {
            break;
        }
    }
    equal.min(limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_and_words_are_two_forms_of_one_string() {
        for bits in [1, 7, 31, 32, 33, 63, 64, 65, 96, 100, 128, 300] {
            let value = Bits::ones(bits).xor(&Bits::new(bits, 0x1234_5678_9abc_def0_55aa));
            let mut words = vec![0; bits.div_ceil(64) as usize];
            put(&mut words, 0, &value);
            let mut row = Vec::new();
            push_units(&mut row, &words, bits);
            assert_eq!(words_of(&row, bits), words, "{bits}");
            assert_eq!(take(&words, 0, bits), value);
            let top = value.slice(bits - 1, bits.saturating_sub(6));
            let count = bits.min(6);
            assert_eq!(u64::from(chunk(&row, 0, count)), top.low_u64(), "{bits}");
        }
    }

    #[test]
    fn prefixes() {
        let mut row = [0xffff_ffff, 0xffff_ffff];
        cut(&mut row, 36);
        assert_eq!(row, [0xffff_ffff, 0xf000_0000]);
        assert_eq!(common(&row, &[0xffff_ffff, 0xf800_0000], 64), 36);
        assert_eq!(common(&row, &[0xffff_ffff, 0xf800_0000], 20), 20);
        cut(&mut row, 0);
        assert_eq!(row, [0, 0]);
    }
}
