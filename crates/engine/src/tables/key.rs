//! One key of an entry, in the form in which it is compared.

use crate::bits::Bits;
use num_bigint::BigUint;
use ww_dataplane::control::{Error, KeyInfo, KeyMatch, MatchKind};

/// What a key must be like for an entry to match.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum KeyField {
    /// `key & mask == value`; `value` has no bits outside `mask`.
    Masked {
        /// The bits compared with.
        value: Bits,
        /// The bits compared.
        mask: Bits,
    },
    /// `low <= key <= high`.
    Range {
        /// Smallest.
        low: Bits,
        /// Largest.
        high: Bits,
        /// Whether the comparison is of two's complement numbers.
        signed: bool,
    },
}

impl KeyField {
    /// Exactly this value.
    pub fn exact(value: Bits) -> Self {
        let mask = Bits::ones(value.width());
        KeyField::Masked { value, mask }
    }

    /// The bits of a mask.
    pub fn masked(value: &Bits, mask: Bits) -> Self {
        KeyField::Masked { value: value.and(&mask), mask }
    }

    /// Anything.
    pub fn any(width: u32) -> Self {
        KeyField::Masked { value: Bits::zero(width), mask: Bits::zero(width) }
    }

    /// Whether `key` fits.
    pub fn matches(&self, key: &Bits) -> bool {
        match self {
            KeyField::Masked {
                value: Bits::Small { value, .. },
                mask: Bits::Small { value: mask, .. },
            } => matches!(key, Bits::Small { value: key, .. } if key & mask == *value),
            KeyField::Masked { value, mask } => key.and(mask) == *value,
            KeyField::Range { low, high, signed: false } => {
                low.compare(key).is_le() && key.compare(high).is_le()
            }
            KeyField::Range { low, high, signed: true } => {
                low.compare_signed(key).is_le() && key.compare_signed(high).is_le()
            }
        }
    }

    /// The key as bits and a mask; `None` for a range of neither one value nor all.
    pub fn value_and_mask(&self) -> Option<(Bits, Bits)> {
        match self {
            KeyField::Masked { value, mask } => Some((value.clone(), mask.clone())),
            KeyField::Range { low, high, .. } if low == high => {
                Some((low.clone(), Bits::ones(low.width())))
            }
            KeyField::Range { low, signed, .. } => {
                let zero = Bits::zero(low.width());
                (*self == full_range(low.width(), *signed)).then_some((zero.clone(), zero))
            }
        }
    }

    /// Length of the prefix if the mask is one.
    pub fn prefix_length(&self) -> Option<u32> {
        match self {
            KeyField::Masked { mask, .. } => mask.prefix_length(),
            KeyField::Range { .. } => None,
        }
    }

    /// As an author would write it.
    pub fn text(&self, kind: MatchKind) -> String {
        match self {
            KeyField::Masked { value, mask } if *mask == Bits::ones(mask.width()) => {
                value.to_string()
            }
            KeyField::Masked { mask, .. } if mask.is_zero() => "_".to_owned(),
            KeyField::Masked { value, mask } => match (kind, mask.prefix_length()) {
                (MatchKind::Lpm, Some(length)) => format!("{value}/{length}"),
                _ => format!("{value} &&& {mask}"),
            },
            KeyField::Range { low, high, .. } => format!("{low}..{high}"),
        }
    }

    /// In the form of a match kind.
    pub fn view(&self, kind: MatchKind) -> KeyMatch {
        match self {
            KeyField::Masked { value, mask } => {
                let (number, is_any) = (value.to_biguint(), mask.is_zero() && mask.width() > 0);
                match kind {
                    MatchKind::Optional if is_any => KeyMatch::Optional(None),
                    MatchKind::Optional => KeyMatch::Optional(Some(number)),
                    MatchKind::Lpm => match mask.prefix_length() {
                        Some(prefix_len) => KeyMatch::Lpm { value: number, prefix_len },
                        None => KeyMatch::Ternary { value: number, mask: mask.to_biguint() },
                    },
                    MatchKind::Ternary => {
                        KeyMatch::Ternary { value: number, mask: mask.to_biguint() }
                    }
                    _ if is_any => KeyMatch::Ternary { value: number, mask: mask.to_biguint() },
                    _ => KeyMatch::Exact(number),
                }
            }
            KeyField::Range { low, high, .. } => {
                KeyMatch::Range { low: low.to_biguint(), high: high.to_biguint() }
            }
        }
    }
}

/// Keys in the form of their match kinds.
pub fn key_views(infos: &[KeyInfo], keys: &[KeyField]) -> Vec<KeyMatch> {
    infos.iter().zip(keys).map(|(info, key)| key.view(info.kind)).collect()
}

/// Checks the keys of a request against a table's (or value set's) and brings them into the
/// form for comparison.
pub fn key_fields(
    table: &str,
    infos: &[KeyInfo],
    keys: &[KeyMatch],
) -> Result<Vec<KeyField>, Error> {
    if infos.len() != keys.len() {
        return Err(Error::KeyCount {
            table: table.to_owned(),
            expected: infos.len(),
            found: keys.len(),
        });
    }
    infos.iter().zip(keys).map(|(info, key)| key_field(table, info, key)).collect()
}

fn key_field(table: &str, info: &KeyInfo, key: &KeyMatch) -> Result<KeyField, Error> {
    let width = info.width;
    let what = || format!("key `{}` of `{table}`", info.name);
    let bits = |value: &BigUint| fitting(value, width, what);
    let wrong_kind = || Error::KeyKind {
        table: table.to_owned(),
        key: info.name.clone(),
        expected: info.kind.name(),
        found: key.form(),
    };
    let field = match (key, info.kind) {
        (_, MatchKind::Selector) => return Err(wrong_kind()),
        (KeyMatch::Exact(value), MatchKind::Range) => {
            let value = bits(value)?;
            KeyField::Range { low: value.clone(), high: value, signed: info.signed }
        }
        (KeyMatch::Exact(value), _) => KeyField::exact(bits(value)?),
        (KeyMatch::Lpm { value, prefix_len }, MatchKind::Lpm | MatchKind::Ternary) => {
            if *prefix_len > width {
                return Err(Error::Invalid {
                    message: format!(
                        "a prefix of {prefix_len} bits for {}, which has {width}",
                        what()
                    ),
                });
            }
            KeyField::masked(&bits(value)?, Bits::prefix_mask(width, *prefix_len))
        }
        (KeyMatch::Ternary { value, mask }, MatchKind::Ternary) => {
            KeyField::masked(&bits(value)?, bits(mask)?)
        }
        (KeyMatch::Ternary { value, mask }, MatchKind::Lpm) => {
            let mask = bits(mask)?;
            if mask.prefix_length().is_none() {
                return Err(Error::Invalid {
                    message: format!("the mask {mask} for {} is not a prefix", what()),
                });
            }
            KeyField::masked(&bits(value)?, mask)
        }
        // A mask of all bits or none is an optional value in other words.
        (KeyMatch::Ternary { value, mask }, MatchKind::Optional | MatchKind::Exact) => {
            let mask = bits(mask)?;
            if mask == Bits::ones(width) {
                KeyField::exact(bits(value)?)
            } else if mask.is_zero() && info.kind == MatchKind::Optional {
                KeyField::any(width)
            } else {
                return Err(wrong_kind());
            }
        }
        (KeyMatch::Ternary { mask, .. }, MatchKind::Range) if bits(mask)?.is_zero() => {
            full_range(width, info.signed)
        }
        (KeyMatch::Range { low, high }, MatchKind::Range) => {
            let (low, high) = (bits(low)?, bits(high)?);
            let order = if info.signed { low.compare_signed(&high) } else { low.compare(&high) };
            if order.is_gt() {
                return Err(Error::EmptyRange { what: what() });
            }
            KeyField::Range { low, high, signed: info.signed }
        }
        (KeyMatch::Optional(Some(value)), _) => {
            return key_field(table, info, &KeyMatch::Exact(value.clone()));
        }
        (KeyMatch::Optional(None), MatchKind::Optional | MatchKind::Ternary | MatchKind::Lpm) => {
            KeyField::any(width)
        }
        (KeyMatch::Optional(None), MatchKind::Range) => full_range(width, info.signed),
        _ => return Err(wrong_kind()),
    };
    Ok(field)
}

pub(crate) fn full_range(width: u32, signed: bool) -> KeyField {
    let (low, high) = if signed && width > 0 {
        let low = Bits::ones(width).shl(u64::from(width - 1));
        (low.clone(), low.not())
    } else {
        (Bits::zero(width), Bits::ones(width))
    };
    KeyField::Range { low, high, signed }
}

/// A number of a request as bits, if it has no more than there are.
pub fn fitting(value: &BigUint, width: u32, what: impl FnOnce() -> String) -> Result<Bits, Error> {
    if value.bits() > u64::from(width) {
        return Err(Error::TooWide { what: what(), width, value: format!("{value:#x}") });
    }
    Ok(Bits::from_biguint(width, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn info(kind: MatchKind, width: u32) -> KeyInfo {
        KeyInfo { name: "k".to_owned(), kind, width, signed: false }
    }

    fn n(value: u64) -> BigUint {
        BigUint::from(value)
    }

    #[test]
    fn each_kind_matches_what_it_should() {
        let cases = [
            (MatchKind::Exact, KeyMatch::Exact(n(5)), vec![5], vec![4, 6]),
            (
                MatchKind::Lpm,
                KeyMatch::Lpm { value: n(0xab), prefix_len: 4 },
                vec![0xa0, 0xaf],
                vec![0xb0, 0x9f],
            ),
            (
                MatchKind::Ternary,
                KeyMatch::Ternary { value: n(0x0f), mask: n(0x05) },
                vec![0x05, 0xff],
                vec![0x04, 0x01],
            ),
            (MatchKind::Range, KeyMatch::Range { low: n(3), high: n(5) }, vec![3, 5], vec![2, 6]),
            (MatchKind::Optional, KeyMatch::Optional(None), vec![0, 255], vec![]),
            (MatchKind::Optional, KeyMatch::Optional(Some(n(7))), vec![7], vec![6]),
        ];
        for (kind, key, yes, no) in cases {
            let field = key_field("t", &info(kind, 8), &key).expect("fits");
            for value in yes {
                assert!(field.matches(&Bits::new(8, value)), "{kind:?} {value}");
            }
            for value in no {
                assert!(!field.matches(&Bits::new(8, value)), "{kind:?} {value}");
            }
        }
    }

    #[test]
    fn signed_ranges() {
        let key = KeyInfo { signed: true, ..info(MatchKind::Range, 8) };
        let range = KeyMatch::Range { low: n(0xfe), high: n(1) };
        let field = key_field("t", &key, &range).expect("-2 to 1");
        for (value, fits) in [(0xfd, false), (0xfe, true), (0, true), (1, true), (2, false)] {
            assert_eq!(field.matches(&Bits::new(8, value)), fits, "{value:#x}");
        }
        let any = key_field("t", &key, &KeyMatch::Optional(None)).expect("any");
        assert!(any.matches(&Bits::new(8, 0x80)) && any.matches(&Bits::new(8, 0x7f)));
    }

    #[test]
    fn refused_keys() {
        let refuse =
            |kind, key| key_field("t", &info(kind, 8), &key).expect_err("refused").to_string();
        assert_eq!(
            refuse(MatchKind::Exact, KeyMatch::Exact(n(256))),
            "0x100 does not fit into the 8 bit(s) of key `k` of `t`"
        );
        assert_eq!(
            refuse(MatchKind::Exact, KeyMatch::Range { low: n(1), high: n(2) }),
            "key `k` of `t` is exact, found a range"
        );
        assert!(
            refuse(MatchKind::Range, KeyMatch::Range { low: n(2), high: n(1) })
                .contains("ends before it starts")
        );
        assert!(
            refuse(MatchKind::Lpm, KeyMatch::Lpm { value: n(0), prefix_len: 9 })
                .contains("a prefix of 9 bits")
        );
        assert!(
            refuse(MatchKind::Lpm, KeyMatch::Ternary { value: n(0), mask: n(0xf1) })
                .contains("not a prefix")
        );
    }
}
