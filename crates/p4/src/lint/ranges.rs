//! The least and the largest value that an expression can have, as far as its form tells.

use crate::ir::{BinaryOp, Const, Expr, ExprKind, Type, Types};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

/// Both ends belong to it.
pub(super) type Range = (BigInt, BigInt);

fn of_type(ty: &Type) -> Option<Range> {
    match ty {
        Type::Bit(w) => Some((BigInt::zero(), (BigInt::one() << *w) - 1)),
        Type::Signed(0) => Some((BigInt::zero(), BigInt::zero())),
        Type::Signed(w) => Some((-(BigInt::one() << (*w - 1)), (BigInt::one() << (*w - 1)) - 1)),
        _ => None,
    }
}

fn within(inner: &Range, outer: &Range) -> bool {
    outer.0 <= inner.0 && inner.1 <= outer.1
}

/// The range of a number; `None` for what is no number of fixed width.
pub(super) fn range(e: &Expr, types: &Types) -> Option<Range> {
    if let ExprKind::Const(Const::Int(n)) = &e.kind {
        return Some((n.clone(), n.clone()));
    }
    let whole = of_type(types.storage(&e.ty))?;
    let narrowed = match &e.kind {
        ExprKind::Cast(inner) => match types.storage(&inner.ty) {
            Type::Bool => Some((BigInt::zero(), BigInt::one())),
            // A value that fits keeps itself.
            _ => range(inner, types).filter(|r| within(r, &whole)),
        },
        ExprKind::Binary(BinaryOp::And, a, b) => {
            let ends = [a, b].map(|e| range(e, types).filter(|r| !r.0.is_negative()));
            ends.into_iter().flatten().map(|r| r.1).min().map(|hi| (BigInt::zero(), hi))
        }
        ExprKind::Binary(BinaryOp::Mod, _, b) => match &b.kind {
            ExprKind::Const(Const::Int(n)) if n.is_positive() => Some((BigInt::zero(), n - 1)),
            _ => None,
        },
        ExprKind::Binary(BinaryOp::Shr, a, b) => match (&b.kind, range(a, types)) {
            (ExprKind::Const(Const::Int(n)), Some((lo, hi))) if !lo.is_negative() => {
                let n = u32::try_from(n).ok()?;
                Some((lo >> n, hi >> n))
            }
            _ => None,
        },
        ExprKind::Conditional(_, a, b) => match (range(a, types), range(b, types)) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            _ => None,
        },
        _ => None,
    };
    Some(narrowed.filter(|r| within(r, &whole)).unwrap_or(whole))
}

/// The outcome of a comparison if these ranges leave only one.
pub(super) fn compare(op: BinaryOp, a: &Range, b: &Range) -> Option<bool> {
    let (below, above) = (a.1 < b.0, a.0 > b.1);
    match op {
        BinaryOp::Eq => (below || above).then_some(false),
        BinaryOp::Ne => (below || above).then_some(true),
        BinaryOp::Lt if below => Some(true),
        BinaryOp::Lt if a.0 >= b.1 => Some(false),
        BinaryOp::Le if a.1 <= b.0 => Some(true),
        BinaryOp::Le if above => Some(false),
        BinaryOp::Gt if above => Some(true),
        BinaryOp::Gt if a.1 <= b.0 => Some(false),
        BinaryOp::Ge if a.0 >= b.1 => Some(true),
        BinaryOp::Ge if below => Some(false),
        _ => None,
    }
}
