//! Members of value sets in the form in which packets compare them.

use super::records::{argument_words, push_words};
use crate::tables::KeyField;
use std::cmp::Ordering;

/// A member of a value set: one test per key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Member(Box<[Test]>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Test {
    /// Word by word: the bits of the mask equal the value's.
    Masked(Box<[(u64, u64)]>),
    /// Between two numbers, both included. `bias` is what turns the highest word of a two's
    /// complement number into one that compares as an unsigned one; the bounds have it already.
    Range { low: Box<[u64]>, high: Box<[u64]>, bias: u64 },
}

impl Member {
    pub fn new(keys: &[KeyField]) -> Self {
        Self(keys.iter().map(Test::new).collect())
    }

    /// Whether a value fits whose keys follow one another in words.
    pub fn fits(&self, words: &[u64]) -> bool {
        let mut rest = words;
        self.0.iter().all(|test| {
            let Some((key, after)) = rest.split_at_checked(test.words()) else { return false };
            rest = after;
            test.fits(key)
        })
    }
}

impl Test {
    fn new(key: &KeyField) -> Self {
        let words = |bits| {
            let mut words = Vec::new();
            push_words(bits, &mut words);
            words
        };
        match key {
            KeyField::Masked { value, mask } => {
                Test::Masked(words(value).into_iter().zip(words(mask)).collect())
            }
            KeyField::Range { low, high, signed } => {
                let width = low.width();
                let bias = match width.checked_sub(1) {
                    Some(sign) if *signed => 1 << (sign % 64),
                    _ => 0,
                };
                let biased = |bits| {
                    let mut words = words(bits);
                    words[argument_words(width) - 1] ^= bias;
                    words.into_boxed_slice()
                };
                Test::Range { low: biased(low), high: biased(high), bias }
            }
        }
    }

    fn words(&self) -> usize {
        match self {
            Test::Masked(words) => words.len(),
            Test::Range { low, .. } => low.len(),
        }
    }

    fn fits(&self, key: &[u64]) -> bool {
        match self {
            Test::Masked(words) => words.iter().zip(key).all(|((v, m), k)| k & m == *v),
            Test::Range { low, high, bias } => {
                compare(key, low, *bias).is_ge() && compare(key, high, *bias).is_le()
            }
        }
    }
}

/// Compares a key with a bound of as many words.
fn compare(key: &[u64], bound: &[u64], bias: u64) -> Ordering {
    let highest = key.len() - 1;
    let word = |n: usize| key[n] ^ if n == highest { bias } else { 0 };
    let differing = (0..key.len()).rev().find(|&n| word(n) != bound[n]);
    differing.map_or(Ordering::Equal, |n| word(n).cmp(&bound[n]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::Bits;

    #[test]
    fn fits_what_the_key_matches() {
        let wide = |high: u64, low: u64| Bits::new(100, u128::from(high) << 64 | u128::from(low));
        let minus_one = wide((1 << 36) - 1, u64::MAX);
        let keys = [
            KeyField::exact(wide(5, 7)),
            KeyField::masked(&wide(5, 7), wide(1, 3)),
            KeyField::any(100),
            KeyField::Range { low: wide(1, 9), high: wide(5, 7), signed: false },
            KeyField::Range { low: minus_one.clone(), high: wide(5, 7), signed: true },
        ];
        let values = [
            wide(5, 7),
            wide(5, 8),
            wide(1, 8),
            wide(1, 9),
            wide(0, 0),
            minus_one,
            wide((1 << 36) - 1, u64::MAX - 1),
            wide(1 << 35, 0),
        ];
        let (mut fit, mut all) = (0, 0);
        for key in &keys {
            // A second key must not disturb the first.
            let member = Member::new(&[key.clone(), KeyField::exact(Bits::new(8, 3))]);
            for value in &values {
                let mut words = Vec::new();
                push_words(value, &mut words);
                words.push(3);
                assert_eq!(member.fits(&words), key.matches(value), "{key:?} {value:?}");
                fit += usize::from(member.fits(&words));
                all += 1;
                words[2] = 2;
                assert!(!member.fits(&words));
            }
        }
        assert!(fit > 5 && fit < all - 5, "{fit} of {all}");
    }
}
