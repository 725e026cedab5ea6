//! Values of expressions.

use num_bigint::BigUint;
use ww_engine::bits::Bits;
use ww_p4::pipeline::{BinaryOp, Expr, ExprKind, FieldId, UnaryOp};

/// The values of all fields.
pub type Fields = Vec<Bits>;

/// The value of a field.
pub fn field(fields: &Fields, id: FieldId) -> &Bits {
    &fields[id.index()]
}

/// Whether a bit is 1.
pub fn is_set(fields: &Fields, id: FieldId) -> bool {
    !field(fields, id).is_zero()
}

/// A pattern as bits.
pub fn bits(width: u32, value: &BigUint) -> Bits {
    Bits::from_biguint(width, value)
}

/// The value of an expression.
pub fn eval(e: &Expr, fields: &Fields) -> Bits {
    let value = match &e.kind {
        ExprKind::Const(value) => bits(e.width, value),
        ExprKind::Field(id) => field(fields, *id).clone(),
        ExprKind::Unary(UnaryOp::Not, a) => eval(a, fields).not(),
        ExprKind::Unary(UnaryOp::Negate, a) => eval(a, fields).negate(),
        ExprKind::Binary(op, a, b) => binary(*op, &eval(a, fields), &eval(b, fields)),
        ExprKind::Select(c, a, b) => {
            let chosen = if eval(c, fields).is_zero() { b } else { a };
            eval(chosen, fields)
        }
        ExprKind::Slice(a, low) => eval(a, fields).slice(low + e.width - 1, *low),
        ExprKind::ZeroExtend(a) => eval(a, fields).resize(e.width),
        ExprKind::SignExtend(a) => eval(a, fields).resize_signed(e.width),
        ExprKind::Index(index, elements) => match position(index, fields, elements.len()) {
            Some(n) => eval(&elements[n], fields),
            None => Bits::zero(e.width),
        },
    };
    assert_eq!(value.width(), e.width, "{e:?}");
    value
}

/// The value of an index, if it is one of `count` elements.
pub fn position(index: &Expr, fields: &Fields, count: usize) -> Option<usize> {
    let index = eval(index, fields).to_u64_saturating();
    usize::try_from(index).ok().filter(|n| *n < count)
}

fn binary(op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    match op {
        BinaryOp::Add => a.add(b),
        BinaryOp::Sub => a.sub(b),
        BinaryOp::Mul => a.mul(b),
        BinaryOp::Div => a.div(b),
        BinaryOp::Rem => a.rem(b),
        BinaryOp::SatAdd => a.saturating_add(b),
        BinaryOp::SatSub => a.saturating_sub(b),
        BinaryOp::SatAddSigned => a.saturating_add_signed(b),
        BinaryOp::SatSubSigned => a.saturating_sub_signed(b),
        BinaryOp::And => a.and(b),
        BinaryOp::Or => a.or(b),
        BinaryOp::Xor => a.xor(b),
        BinaryOp::Shl => a.shl(b.to_u64_saturating()),
        BinaryOp::Shr => a.shr(b.to_u64_saturating()),
        BinaryOp::ShrSigned => a.shr_signed(b.to_u64_saturating()),
        BinaryOp::Eq => Bits::from_bool(a == b),
        BinaryOp::Ne => Bits::from_bool(a != b),
        BinaryOp::Lt => Bits::from_bool(a.compare(b).is_lt()),
        BinaryOp::Le => Bits::from_bool(a.compare(b).is_le()),
        BinaryOp::LtSigned => Bits::from_bool(a.compare_signed(b).is_lt()),
        BinaryOp::LeSigned => Bits::from_bool(a.compare_signed(b).is_le()),
        BinaryOp::Concat => a.concat(b),
    }
}
