//! Operators and casts on values (§8.5 to §8.12).

use super::values::{Header, Value};
use crate::bits::Bits;
use num_bigint::BigInt;
use std::cmp::Ordering;
use ww_p4::ir::{BinaryOp, Program, StructKind, Type, UnaryOp};

/// One operand.
pub fn unary(op: UnaryOp, value: Value) -> Value {
    match (op, value) {
        (UnaryOp::Not, Value::Bool(value)) => Value::Bool(!value),
        (UnaryOp::Complement, Value::Bits(bits)) => Value::Bits(bits.not()),
        (UnaryOp::Negate, Value::Bits(bits)) => Value::Bits(bits.negate()),
        (UnaryOp::Negate, Value::Int(value)) => Value::Int(Box::new(-*value)),
        (_, value) => value,
    }
}

/// A shift of an `int` by more bits gives what a shift by this many does: 0 or -1 to the right, and to the left a number
/// without ones in the bits that a `bit<W>` can have.
const MAX_INTEGER_SHIFT: u64 = 1 << 20;

/// Two operands that were both evaluated; `signed` tells whether the left one is an `int<W>`.
pub fn binary(op: BinaryOp, left: &Value, right: &Value, signed: bool) -> Value {
    match op {
        BinaryOp::Eq => return Value::Bool(equal(left, right)),
        BinaryOp::Ne => return Value::Bool(!equal(left, right)),
        BinaryOp::Shl | BinaryOp::Shr => match left {
            Value::Bits(bits) => return Value::Bits(shift(op, bits, right.to_u64(), signed)),
            Value::Int(value) => {
                // By a constructor's parameter: the front end folds what it knows. No type has as many bits.
                let amount = right.to_u64().min(MAX_INTEGER_SHIFT);
                let left = op == BinaryOp::Shl;
                let value = if left { &**value << amount } else { &**value >> amount };
                return Value::Int(Box::new(value));
            }
            _ => {}
        },
        BinaryOp::LogicalAnd => return Value::Bool(left.is_true() && right.is_true()),
        BinaryOp::LogicalOr => return Value::Bool(left.is_true() || right.is_true()),
        _ => {}
    }
    match (left, right) {
        (Value::Bits(a), Value::Bits(b)) => on_bits(op, a, b, signed),
        (Value::Bits(a), Value::Int(b)) => on_bits(op, a, &Bits::from_bigint(a.width(), b), signed),
        (Value::Int(a), Value::Bits(b)) => on_bits(op, &Bits::from_bigint(b.width(), a), b, signed),
        (Value::Int(a), Value::Int(b)) => on_integers(op, a, b),
        _ => Value::Absent,
    }
}

fn equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Bits(a), Value::Int(b)) | (Value::Int(b), Value::Bits(a)) => {
            *a == Bits::from_bigint(a.width(), b)
        }
        // A struct expression may meet a struct, header or stack of the same shape.
        (Value::Header(h), Value::Struct(s)) | (Value::Struct(s), Value::Header(h)) => {
            h.valid && h.fields == *s
        }
        _ => left == right,
    }
}

fn shift(op: BinaryOp, bits: &Bits, amount: u64, signed: bool) -> Bits {
    match (op, signed) {
        (BinaryOp::Shl, _) => bits.shl(amount),
        (_, false) => bits.shr(amount),
        (_, true) => bits.shr_signed(amount),
    }
}

fn on_bits(op: BinaryOp, a: &Bits, b: &Bits, signed: bool) -> Value {
    let ordering = || if signed { a.compare_signed(b) } else { a.compare(b) };
    if let Some(result) = comparison(op, ordering) {
        return Value::Bool(result);
    }
    Value::Bits(match (op, signed) {
        (BinaryOp::Mul, _) => a.mul(b),
        (BinaryOp::Div, _) => a.div(b),
        (BinaryOp::Mod, _) => a.rem(b),
        (BinaryOp::Add, _) => a.add(b),
        (BinaryOp::Sub, _) => a.sub(b),
        (BinaryOp::SatAdd, false) => a.saturating_add(b),
        (BinaryOp::SatAdd, true) => a.saturating_add_signed(b),
        (BinaryOp::SatSub, false) => a.saturating_sub(b),
        (BinaryOp::SatSub, true) => a.saturating_sub_signed(b),
        (BinaryOp::And, _) => a.and(b),
        (BinaryOp::Or, _) => a.or(b),
        (BinaryOp::Xor, _) => a.xor(b),
        (BinaryOp::Concat, _) => a.concat(b),
        _ => return Value::Absent,
    })
}

/// Integers of any size only meet at compile time, but constants need not be folded.
fn on_integers(op: BinaryOp, a: &BigInt, b: &BigInt) -> Value {
    if let Some(result) = comparison(op, || a.cmp(b)) {
        return Value::Bool(result);
    }
    let zero = BigInt::ZERO;
    let divide =
        |f: fn(&BigInt, &BigInt) -> BigInt| if *b == zero { zero.clone() } else { f(a, b) };
    Value::Int(Box::new(match op {
        BinaryOp::Mul => a * b,
        BinaryOp::Div => divide(|a, b| a / b),
        BinaryOp::Mod => divide(|a, b| a % b),
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        _ => return Value::Absent,
    }))
}

fn comparison(op: BinaryOp, ordering: impl FnOnce() -> Ordering) -> Option<bool> {
    Some(match op {
        BinaryOp::Lt => ordering().is_lt(),
        BinaryOp::Le => ordering().is_le(),
        BinaryOp::Gt => ordering().is_gt(),
        BinaryOp::Ge => ordering().is_ge(),
        _ => return None,
    })
}

/// A conversion from one type to another (§8.11).
pub fn cast(program: &Program, value: Value, from: &Type, to: &Type) -> Value {
    let from = program.types.storage(from);
    let to = program.types.storage(to);
    if from == to {
        return value;
    }
    match (value, to) {
        (Value::Bits(bits), Type::Bit(width) | Type::Signed(width)) => {
            // A change of sign keeps the pattern; a change of width follows the operand's sign.
            let signed = matches!(from, Type::Signed(_));
            Value::Bits(if signed { bits.resize_signed(*width) } else { bits.resize(*width) })
        }
        (Value::Int(value), Type::Bit(width) | Type::Signed(width)) => {
            Value::Bits(Bits::from_bigint(*width, &value))
        }
        (Value::Bool(value), Type::Bit(width) | Type::Signed(width)) => {
            Value::bits(*width, u128::from(value))
        }
        (Value::Bits(bits), Type::Bool) => Value::Bool(!bits.is_zero()),
        (Value::Bits(bits), Type::Int) => Value::Int(Box::new(match from {
            Type::Signed(_) => bits.to_bigint_signed(),
            _ => bits.to_biguint().into(),
        })),
        (Value::Int(value), Type::Bool) => Value::Bool(*value != BigInt::ZERO),
        (value, to) => reshape(program, value, from, to),
    }
}

/// A tuple, list or struct to another of the same shape, or to a header or stack.
fn reshape(program: &Program, value: Value, from: &Type, to: &Type) -> Value {
    let Some(parts) = value.parts() else { return value };
    let part_types = |ty: &Type| -> Option<Vec<Type>> {
        match ty {
            Type::Struct(id) => {
                Some(program.types[*id].fields.iter().map(|f| f.ty.clone()).collect())
            }
            Type::Tuple(types) => Some(types.clone()),
            Type::Stack(element, _) | Type::List(element) => {
                Some(vec![(**element).clone(); parts.len()])
            }
            _ => None,
        }
    };
    let (Some(from_types), Some(to_types)) = (part_types(from), part_types(to)) else {
        return value;
    };
    let converted = parts
        .iter()
        .zip(from_types.iter().zip(&to_types))
        .map(|(part, (from, to))| cast(program, part.clone(), from, to))
        .collect::<Vec<_>>();
    match (&value, to) {
        (Value::Header(header), Type::Struct(id))
            if program.types[*id].kind == StructKind::Header =>
        {
            Value::Header(Header { valid: header.valid, fields: converted.into() })
        }
        _ => Value::aggregate(program, to, converted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casts_follow_the_operand() {
        let program = Program::default();
        let cast = |value, from, to| super::cast(&program, value, &from, &to);
        // int<4> -3 is 1101; widened 11111101, seen as bit<4> 13, widened to bit<8> from that 13.
        let minus_three = Value::bits(4, 0b1101);
        let wide = cast(minus_three.clone(), Type::Signed(4), Type::Signed(8));
        assert_eq!(wide, Value::bits(8, 0xfd));
        let pattern = cast(minus_three, Type::Signed(4), Type::Bit(4));
        assert_eq!(cast(pattern, Type::Bit(4), Type::Bit(8)), Value::bits(8, 13));
        assert_eq!(cast(Value::Bool(true), Type::Bool, Type::Bit(1)), Value::bits(1, 1));
        assert_eq!(cast(Value::bits(1, 1), Type::Bit(1), Type::Bool), Value::Bool(true));
        let minus_one = Value::Int(Box::new(BigInt::from(-1)));
        assert_eq!(cast(minus_one, Type::Int, Type::Bit(5)), Value::bits(5, 31));
    }

    #[test]
    fn signed_operators() {
        let (a, b) = (Value::bits(8, 0xff), Value::bits(8, 1));
        assert_eq!(binary(BinaryOp::Lt, &a, &b, true), Value::Bool(true));
        assert_eq!(binary(BinaryOp::Lt, &a, &b, false), Value::Bool(false));
        let three = Value::Int(Box::new(BigInt::from(3)));
        let shifted = Value::bits(8, 0x80);
        assert_eq!(binary(BinaryOp::Shr, &shifted, &three, true), Value::bits(8, 0xf0));
        assert_eq!(binary(BinaryOp::Shr, &shifted, &three, false), Value::bits(8, 0x10));
        let integer = |value: i32| Value::Int(Box::new(BigInt::from(value)));
        assert_eq!(binary(BinaryOp::Shl, &three, &Value::bits(8, 2), false), integer(12));
        assert_eq!(binary(BinaryOp::Shr, &integer(-5), &integer(1), false), integer(-3));
    }
}
