//! Sets of key values that are known at compile time: which contains which.

use crate::ir::{Const, Expr, ExprKind, KeySet, Type, Types};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// A set of values of one key.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Set {
    /// All values.
    Any,
    /// One number.
    Number(BigInt),
    /// One value that is no number.
    Other(Const),
    /// Numbers `n` with `n & mask == value`, where `value & !mask` is 0.
    Mask {
        /// Bits that must be there.
        value: BigInt,
        /// Bits that count.
        mask: BigInt,
        /// Bits that do not.
        free: BigInt,
    },
    /// Numbers from the first to the second.
    Range(BigInt, BigInt),
    /// Not known, or not worth knowing.
    Unknown,
}

/// The value of a constant expression, also of an aggregate of constants.
fn constant(e: &Expr) -> Option<Const> {
    match &e.kind {
        ExprKind::Const(value) => Some(value.clone()),
        ExprKind::Cast(inner) => match constant(inner)? {
            aggregate @ Const::Aggregate(_) => Some(aggregate),
            _ => None,
        },
        ExprKind::Struct(list) | ExprKind::Tuple(list) => {
            list.iter().map(constant).collect::<Option<Vec<_>>>().map(Const::Aggregate)
        }
        _ => None,
    }
}

fn number(e: &Expr) -> Option<BigInt> {
    match constant(e)? {
        Const::Int(n) => Some(n),
        _ => None,
    }
}

impl Set {
    /// What a keyset stands for.
    pub(super) fn of(set: &KeySet, types: &Types) -> Set {
        match set {
            KeySet::Any => Set::Any,
            KeySet::ValueSet(_) => Set::Unknown,
            KeySet::Value(e) => match constant(e) {
                Some(Const::Int(n)) => Set::Number(n),
                Some(other) => Set::Other(other),
                None => Set::Unknown,
            },
            KeySet::Range(lo, hi) => match (number(lo), number(hi)) {
                (Some(lo), Some(hi)) if lo == hi => Set::Number(lo),
                (Some(lo), Some(hi)) if lo < hi => Set::Range(lo, hi),
                _ => Set::Unknown,
            },
            KeySet::Mask(value, mask) => {
                match (types.storage(&value.ty), number(value), number(mask)) {
                    (Type::Bit(w), Some(value), Some(mask)) => {
                        let all = (BigInt::one() << *w) - 1;
                        let mask = mask & &all;
                        if mask.is_zero() {
                            Set::Any
                        } else if mask == all {
                            Set::Number(value & all)
                        } else {
                            let free = &all ^ &mask;
                            Set::Mask { value: value & &mask, mask, free }
                        }
                    }
                    _ => Set::Unknown,
                }
            }
        }
    }

    /// Whether nothing but equality can make another set cover this one's values.
    pub(super) fn is_single(&self) -> bool {
        matches!(self, Set::Number(_) | Set::Other(_))
    }

    /// Whether every value of `other` certainly is in this set.
    pub(super) fn covers(&self, other: &Set) -> bool {
        match (self, other) {
            (Set::Any, _) => true,
            (Set::Unknown, _) | (_, Set::Unknown | Set::Any) => false,
            (Set::Number(a), Set::Number(b)) => a == b,
            (Set::Other(a), Set::Other(b)) => a == b,
            (Set::Mask { value, mask, .. }, Set::Number(n)) => (n & mask) == *value,
            (Set::Mask { value, mask, .. }, Set::Mask { value: v, mask: m, .. }) => {
                (mask & m) == *mask && (v & mask) == *value
            }
            (Set::Mask { value, mask, .. }, Set::Range(lo, hi)) => {
                // The bits that count are the same from `lo` to `hi` if no carry reaches them.
                let lowest = mask.trailing_zeros().unwrap_or(0);
                (lo & mask) == *value && (lo >> lowest) == (hi >> lowest)
            }
            (Set::Range(lo, hi), Set::Number(n)) => lo <= n && n <= hi,
            (Set::Range(lo, hi), Set::Range(a, b)) => lo <= a && b <= hi,
            (Set::Range(lo, hi), Set::Mask { value, free, .. }) => {
                lo <= value && &(value | free) <= hi
            }
            _ => false,
        }
    }
}

/// Sets for all keys at once.
pub(super) type Row = Vec<Set>;

/// Whether every combination in `b` is in `a`.
pub(super) fn covers(a: &[Set], b: &[Set]) -> bool {
    // One `default` may stand for all keys.
    a.iter().all(|s| *s == Set::Any)
        || (a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.covers(b)))
}
