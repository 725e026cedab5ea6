//! Replaces fields in expressions and simplifies what results. All rules hold for every value of
//! the operands; they never make an expression larger.

use crate::pipeline::expression::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::pipeline::fields::FieldId;
use num_bigint::BigUint;
use num_traits::{One, Zero};

/// Replaces fields by what `replacement` says and simplifies; whether anything has changed.
pub(super) fn rewrite(e: &mut Expr, replacement: &mut dyn FnMut(FieldId) -> Option<Expr>) -> bool {
    let changed = match &mut e.kind {
        ExprKind::Const(_) => return false,
        ExprKind::Field(field) => {
            let Some(new) = replacement(*field) else { return false };
            *e = new;
            return true;
        }
        ExprKind::Unary(_, a)
        | ExprKind::Slice(a, _)
        | ExprKind::ZeroExtend(a)
        | ExprKind::SignExtend(a) => rewrite(a, replacement),
        ExprKind::Binary(_, a, b) => rewrite(a, replacement) | rewrite(b, replacement),
        ExprKind::Select(a, b, c) => {
            rewrite(a, replacement) | rewrite(b, replacement) | rewrite(c, replacement)
        }
        ExprKind::Index(index, elements) => {
            let mut changed = rewrite(index, replacement);
            for element in elements {
                changed |= rewrite(element, replacement);
            }
            changed
        }
    };
    if changed {
        rebuild(e);
    }
    let mut reduced = false;
    while let Some(new) = reduce(e) {
        *e = new;
        reduced = true;
    }
    changed | reduced
}

/// Makes the topmost operation again, so that constants are folded.
fn rebuild(e: &mut Expr) {
    let width = e.width;
    let kind = std::mem::replace(&mut e.kind, ExprKind::Const(BigUint::zero()));
    *e = match kind {
        ExprKind::Unary(op, a) => Expr::unary(op, *a),
        ExprKind::Binary(op, a, b) => Expr::binary(op, *a, *b),
        ExprKind::Select(c, a, b) => Expr::select(*c, *a, *b),
        ExprKind::Slice(a, low) => a.slice(low, width),
        ExprKind::ZeroExtend(a) => a.resize(width),
        ExprKind::SignExtend(a) => a.resize_signed(width),
        ExprKind::Index(index, elements) => Expr::index(*index, width, elements),
        kind => Expr { width, kind },
    };
}

fn is_zero(e: &Expr) -> bool {
    e.as_const().is_some_and(Zero::is_zero)
}

fn is_one(e: &Expr) -> bool {
    e.as_const().is_some_and(One::is_one)
}

fn is_ones(e: &Expr) -> bool {
    let ones = |v: &BigUint| v.count_ones() == u64::from(e.width);
    e.as_const().is_some_and(ones)
}

/// A simpler form of the topmost operation.
fn reduce(e: &Expr) -> Option<Expr> {
    match &e.kind {
        ExprKind::Binary(op, a, b) => binary(e.width, *op, a, b),
        ExprKind::Select(condition, then, otherwise) => {
            if e.width == 1 && is_zero(then) && is_ones(otherwise) {
                return Some((**condition).clone().inverted());
            }
            if let ExprKind::Unary(UnaryOp::Not, inner) = &condition.kind {
                let (then, otherwise) = ((**then).clone(), (**otherwise).clone());
                return Some(Expr::select((**inner).clone(), otherwise, then));
            }
            None
        }
        ExprKind::Slice(a, low) => slice(a, *low, e.width),
        ExprKind::ZeroExtend(a) => match &a.kind {
            ExprKind::ZeroExtend(inner) => Some((**inner).clone().resize(e.width)),
            _ => None,
        },
        _ => None,
    }
}

fn binary(width: u32, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expr> {
    use BinaryOp::{
        Add, And, Div, Eq, Le, LeSigned, Lt, LtSigned, Mul, Ne, Or, SatAdd, SatSub, Sub, Xor,
    };
    let left = || Some(a.clone());
    let right = || Some(b.clone());
    match op {
        Add | Or | Xor | SatAdd if is_zero(a) => right(),
        Add | Sub | Or | Xor | SatAdd | SatSub if is_zero(b) => left(),
        Mul if is_one(a) => right(),
        Mul | Div if is_one(b) => left(),
        Mul | And if is_zero(a) || is_zero(b) => Some(Expr::zero(width)),
        And | Or if a == b => left(),
        Sub | Xor if a == b => Some(Expr::zero(width)),
        Eq | Le | LeSigned if a == b => Some(Expr::bool(true)),
        Ne | Lt | LtSigned if a == b => Some(Expr::bool(false)),
        // Nothing is below zero, nothing above all ones.
        Lt if is_zero(b) || is_ones(a) => Some(Expr::bool(false)),
        Le if is_zero(a) || is_ones(b) => Some(Expr::bool(true)),
        Eq if a.width == 1 && is_ones(a) => right(),
        Eq if a.width == 1 && is_zero(a) => Some(b.clone().inverted()),
        Ne if a.width == 1 && is_zero(a) => right(),
        Ne if a.width == 1 && is_ones(a) => Some(b.clone().inverted()),
        Eq | Ne => extended(op, a, b).or_else(|| extended(op, b, a)),
        _ => None,
    }
}

/// A comparison of a value with zeros in front and a constant.
fn extended(op: BinaryOp, a: &Expr, b: &Expr) -> Option<Expr> {
    let (ExprKind::ZeroExtend(inner), Some(value)) = (&a.kind, b.as_const()) else { return None };
    if value.bits() > u64::from(inner.width) {
        return Some(Expr::bool(op == BinaryOp::Ne));
    }
    let value = Expr::constant(inner.width, value.clone());
    Some(Expr::binary(op, (**inner).clone(), value))
}

/// Bits of a value that was put together.
fn slice(a: &Expr, low: u32, width: u32) -> Option<Expr> {
    match &a.kind {
        ExprKind::Binary(BinaryOp::Concat, high_part, low_part) => {
            if low >= low_part.width {
                Some((**high_part).clone().slice(low - low_part.width, width))
            } else if low + width <= low_part.width {
                Some((**low_part).clone().slice(low, width))
            } else {
                None
            }
        }
        ExprKind::ZeroExtend(inner) => {
            if low >= inner.width {
                Some(Expr::zero(width))
            } else if low + width <= inner.width {
                Some((**inner).clone().slice(low, width))
            } else {
                None
            }
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(n: u32, width: u32) -> Expr {
        Expr { width, kind: ExprKind::Field(FieldId(n)) }
    }

    fn simplified(mut e: Expr, known: &[(u32, Expr)]) -> Expr {
        rewrite(&mut e, &mut |f| known.iter().find(|(n, _)| FieldId(*n) == f).map(|k| k.1.clone()));
        e
    }

    #[test]
    fn what_is_replaced_is_folded() {
        let sum = Expr::binary(BinaryOp::Add, field(0, 8), field(1, 8));
        let doubled = Expr::binary(BinaryOp::Mul, sum, Expr::constant(8, 2u32));
        let known = [(0, Expr::constant(8, 100u32)), (1, Expr::constant(8, 40u32))];
        assert_eq!(simplified(doubled.clone(), &known), Expr::constant(8, 24u32));
        let zero = [(0, Expr::zero(8))];
        let rest = Expr::binary(BinaryOp::Mul, field(1, 8), Expr::constant(8, 2u32));
        assert_eq!(simplified(doubled, &zero), rest);
    }

    #[test]
    fn differences_of_equals_and_limits() {
        let minus = Expr::binary(BinaryOp::Sub, field(0, 8), field(1, 8));
        assert_eq!(simplified(minus, &[(1, field(0, 8))]), Expr::zero(8));
        let below = Expr::binary(BinaryOp::Lt, field(0, 8), field(1, 8));
        assert_eq!(simplified(below.clone(), &[(1, Expr::zero(8))]), Expr::bool(false));
        assert_eq!(simplified(below, &[(0, Expr::constant(8, 255u32))]), Expr::bool(false));
        // Saturating: nothing minus something is nothing, but that is no rule here.
        let rest = Expr::binary(BinaryOp::SatSub, field(0, 8), field(1, 8));
        assert_eq!(simplified(rest.clone(), &[]), rest);
    }

    #[test]
    fn slices_find_their_part() {
        let both = Expr::binary(BinaryOp::Concat, field(0, 8), field(1, 4));
        let cut = |low, width| simplified(both.clone().slice(low, width), &[]);
        assert_eq!(cut(4, 8), field(0, 8));
        assert_eq!(cut(1, 2), field(1, 4).slice(1, 2));
        assert_eq!(cut(3, 2), both.clone().slice(3, 2));
        let wide = field(0, 8).resize(16);
        let compared = wide.clone().equals(Expr::constant(16, 0x17fu32));
        assert_eq!(simplified(compared, &[]), Expr::bool(false));
        let compared = wide.equals(Expr::constant(16, 0x7fu32));
        assert_eq!(simplified(compared, &[]), field(0, 8).equals(Expr::constant(8, 0x7fu32)));
    }
}
