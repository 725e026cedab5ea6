//! Values of any type as trees of scalar expressions.

use super::Lowerer;
use super::storage::scalar;
use crate::ir::{Const, InstanceId, Name, Program, StructKind, Type, VarId};
use crate::pipeline::arithmetic;
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::pipeline::fields::{FieldId, FieldType};
use num_bigint::{BigInt, BigUint};
use num_traits::{ToPrimitive, Zero};

/// A value. Its expressions have no effects and mean what they mean where they were made.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A scalar.
    Scalar(Expr),
    /// A `varbit`: bits from the most significant one on, and how many.
    Varbit(Expr, Expr),
    /// A header: its validity and fields.
    Header(Expr, Vec<Value>),
    /// A union: its members.
    Union(Vec<Value>),
    /// A struct, tuple or list.
    Struct(Vec<Value>),
    /// A stack or array; the stack's `nextIndex`.
    Stack(Vec<Value>, Option<Expr>),
    /// An `int`.
    Integer(BigInt),
    /// A `string`.
    Text(Name),
    /// An object.
    Object(InstanceId),
    /// A value set.
    Members(VarId),
    /// The packet.
    Packet,
    /// No value.
    Nothing,
}

impl Value {
    /// The scalar; an `int` as wide as said.
    pub fn scalar(&self, width: u32) -> Expr {
        match self {
            Value::Scalar(expr) => expr.clone(),
            Value::Integer(value) => Expr::constant(width, arithmetic::pattern(value, width)),
            _ => Expr::zero(width),
        }
    }

    /// The truth value of a `bool`.
    pub fn bool(&self) -> Expr {
        self.scalar(1)
    }

    /// Fields, members or elements.
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Header(_, parts)
            | Value::Union(parts)
            | Value::Struct(parts)
            | Value::Stack(parts, _) => parts,
            _ => &[],
        }
    }

    /// Calls `visit` with every expression.
    pub fn for_each_expr(&self, visit: &mut dyn FnMut(&Expr)) {
        match self {
            Value::Scalar(expr) | Value::Header(expr, _) | Value::Stack(_, Some(expr)) => {
                visit(expr);
            }
            Value::Varbit(bits, length) => {
                visit(bits);
                visit(length);
            }
            _ => {}
        }
        for part in self.parts() {
            part.for_each_expr(visit);
        }
    }

    /// The value with every expression replaced.
    pub fn map<E>(&self, change: &mut dyn FnMut(&Expr) -> Result<Expr, E>) -> Result<Value, E> {
        let parts = |parts: &[Value], change: &mut dyn FnMut(&Expr) -> Result<Expr, E>| {
            parts.iter().map(|p| p.map(change)).collect::<Result<Vec<_>, E>>()
        };
        Ok(match self {
            Value::Scalar(expr) => Value::Scalar(change(expr)?),
            Value::Varbit(bits, length) => Value::Varbit(change(bits)?, change(length)?),
            Value::Header(valid, fields) => Value::Header(change(valid)?, parts(fields, change)?),
            Value::Union(members) => Value::Union(parts(members, change)?),
            Value::Struct(fields) => Value::Struct(parts(fields, change)?),
            Value::Stack(elements, next) => {
                let next = next.as_ref().map(&mut *change).transpose()?;
                Value::Stack(parts(elements, change)?, next)
            }
            other => other.clone(),
        })
    }

    /// Two values of one shape made into one.
    fn zip(&self, other: &Value, join: &mut dyn FnMut(&Expr, &Expr) -> Expr) -> Value {
        let mut parts = |a: &[Value], b: &[Value]| -> Vec<Value> {
            a.iter().zip(b).map(|(a, b)| a.zip(b, join)).collect()
        };
        match (self, other) {
            (Value::Header(_, a), Value::Header(_, b)) => {
                let fields = parts(a, b);
                match (self, other) {
                    (Value::Header(x, _), Value::Header(y, _)) => Value::Header(join(x, y), fields),
                    _ => Value::Nothing,
                }
            }
            (Value::Union(a), Value::Union(b)) => Value::Union(parts(a, b)),
            (Value::Struct(a), Value::Struct(b)) => Value::Struct(parts(a, b)),
            (Value::Stack(a, x), Value::Stack(b, y)) => {
                let elements = parts(a, b);
                let next = x.as_ref().zip(y.as_ref()).map(|(x, y)| join(x, y));
                Value::Stack(elements, next)
            }
            (Value::Scalar(a), Value::Scalar(b)) => Value::Scalar(join(a, b)),
            (Value::Varbit(a, x), Value::Varbit(b, y)) => Value::Varbit(join(a, b), join(x, y)),
            (Value::Scalar(a), Value::Integer(_)) => Value::Scalar(join(a, &other.scalar(a.width))),
            (Value::Integer(_), Value::Scalar(b)) => Value::Scalar(join(&self.scalar(b.width), b)),
            _ => self.clone(),
        }
    }

    /// One of two values.
    pub fn select(condition: &Expr, then: &Value, otherwise: &Value) -> Value {
        if let Some(known) = condition.as_bool() {
            return if known { then.clone() } else { otherwise.clone() };
        }
        then.zip(otherwise, &mut |a, b| Expr::select(condition.clone(), a.clone(), b.clone()))
    }

    /// The element at an index; all elements have one shape. `None` without elements.
    pub fn index(index: &Expr, elements: &[Value]) -> Option<Value> {
        let columns = |depth: &dyn Fn(&Value) -> Expr| -> Expr {
            let column: Vec<Expr> = elements.iter().map(depth).collect();
            let width = column.first().map_or(0, |e| e.width);
            Expr::index(index.clone(), width, column)
        };
        let parts = |count: usize| -> Option<Vec<Value>> {
            (0..count)
                .map(|n| {
                    let column: Vec<Value> =
                        elements.iter().filter_map(|e| e.parts().get(n).cloned()).collect();
                    Value::index(index, &column)
                })
                .collect()
        };
        Some(match elements.first()? {
            Value::Scalar(first) => Value::Scalar(columns(&|e| e.scalar(first.width))),
            Value::Varbit(..) => {
                let pick = |which: bool| {
                    columns(&|e| match e {
                        Value::Varbit(bits, length) => if which { bits } else { length }.clone(),
                        _ => Expr::zero(0),
                    })
                };
                Value::Varbit(pick(true), pick(false))
            }
            Value::Header(_, fields) => {
                let valid = columns(&|e| match e {
                    Value::Header(valid, _) => valid.clone(),
                    _ => Expr::zero(1),
                });
                Value::Header(valid, parts(fields.len())?)
            }
            Value::Union(members) => Value::Union(parts(members.len())?),
            Value::Struct(fields) => Value::Struct(parts(fields.len())?),
            Value::Stack(inner, next) => {
                let next = next.as_ref().map(|_| {
                    columns(&|e| match e {
                        Value::Stack(_, Some(next)) => next.clone(),
                        _ => Expr::zero(32),
                    })
                });
                Value::Stack(parts(inner.len())?, next)
            }
            other => match index.as_const().and_then(ToPrimitive::to_usize) {
                Some(n) => elements.get(n).unwrap_or(other).clone(),
                None => other.clone(),
            },
        })
    }

    /// Whether two values are equal. Headers that are both invalid are equal, for their fields
    /// are zero; `nextIndex` does not count.
    pub fn equal(&self, other: &Value) -> Expr {
        let all = |a: &[Value], b: &[Value]| {
            a.iter().zip(b).fold(Expr::bool(true), |sum, (a, b)| sum.and(a.equal(b)))
        };
        match (self, other) {
            (Value::Scalar(a), _) => a.clone().equals(other.scalar(a.width)),
            (_, Value::Scalar(b)) => self.scalar(b.width).equals(b.clone()),
            (Value::Varbit(a, x), Value::Varbit(b, y)) => {
                x.clone().equals(y.clone()).and(a.clone().equals(b.clone()))
            }
            (Value::Header(x, a), Value::Header(y, b)) => {
                x.clone().equals(y.clone()).and(all(a, b))
            }
            // A struct expression may meet a header of the same shape.
            (Value::Header(valid, a), Value::Struct(b))
            | (Value::Struct(b), Value::Header(valid, a)) => valid.clone().and(all(a, b)),
            (Value::Integer(a), Value::Integer(b)) => Expr::bool(a == b),
            (Value::Text(a), Value::Text(b)) => Expr::bool(a == b),
            _ => all(self.parts(), other.parts()),
        }
    }

    /// Whether a header, or a member of a union, is valid.
    pub fn is_valid(&self) -> Expr {
        match self {
            Value::Header(valid, _) => valid.clone(),
            Value::Union(members) => {
                members.iter().fold(Expr::bool(false), |sum, m| sum.or(m.is_valid()))
            }
            _ => Expr::bool(false),
        }
    }

    /// All bits in one row, as keys of tables have them: a `varbit` counts as a number.
    pub fn to_bits(&self) -> Expr {
        match self {
            Value::Scalar(expr) => expr.clone(),
            Value::Varbit(bits, length) => varbit_number(bits, length),
            other => other.parts().iter().fold(Expr::zero(0), |sum, part| {
                Expr::binary(BinaryOp::Concat, sum, part.to_bits())
            }),
        }
    }
}

/// The bits of a `varbit` as a number: shifted down to the end.
fn varbit_number(bits: &Expr, length: &Expr) -> Expr {
    let width = Expr::constant(length.width, bits.width);
    let unused = Expr::binary(BinaryOp::Sub, width, length.clone());
    Expr::binary(BinaryOp::Shr, bits.clone(), unused)
}

impl Lowerer<'_> {
    /// The value of a field.
    pub(super) fn read_field(&self, field: FieldId) -> Expr {
        Expr::field(field, &self.out.fields)
    }

    /// The default value of a type (§7.3).
    pub(super) fn default_value(&self, ty: &Type) -> Value {
        default_value(self.program, ty)
    }

    /// A compile-time value.
    pub(super) fn const_value(&self, value: &Const, ty: &Type) -> Value {
        const_value(self.program, value, ty)
    }
}

fn default_value(program: &Program, ty: &Type) -> Value {
    let types = &program.types;
    if let Some((field_type, width)) = scalar(types, ty) {
        let value = match field_type {
            FieldType::Error => program.error_code("NoError").unwrap_or(0),
            _ => 0,
        };
        return Value::Scalar(Expr::constant(width, value));
    }
    match types.storage(ty) {
        Type::Int => Value::Integer(BigInt::zero()),
        Type::Varbit(width) => Value::Varbit(Expr::zero(*width), Expr::zero(32)),
        Type::String => Value::Text("".into()),
        Type::Tuple(types) => {
            Value::Struct(types.iter().map(|t| default_value(program, t)).collect())
        }
        Type::List(_) => Value::Struct(Vec::new()),
        Type::Stack(element, size) => {
            let next = has_next(program, element).then(|| Expr::zero(32));
            Value::Stack(vec![default_value(program, element); *size as usize], next)
        }
        Type::Struct(id) => {
            let fields = types[*id].fields.iter().map(|f| default_value(program, &f.ty)).collect();
            match types[*id].kind {
                StructKind::Struct => Value::Struct(fields),
                StructKind::Header => Value::Header(Expr::bool(false), fields),
                StructKind::Union => Value::Union(fields),
            }
        }
        _ => Value::Nothing,
    }
}

fn has_next(program: &Program, element: &Type) -> bool {
    program.types.is_header(element) || program.types.is_union(element)
}

/// All fields of a struct or header (which is valid then), or the elements of a tuple, list or
/// stack; missing elements of a stack have their default value.
pub(super) fn aggregate(program: &Program, ty: &Type, mut items: Vec<Value>) -> Value {
    match program.types.storage(ty) {
        Type::Struct(id) => match program.types[*id].kind {
            StructKind::Struct => Value::Struct(items),
            StructKind::Header => Value::Header(Expr::bool(true), items),
            StructKind::Union => Value::Union(items),
        },
        Type::Stack(element, size) => {
            items.resize(*size as usize, default_value(program, element));
            Value::Stack(items, has_next(program, element).then(|| Expr::zero(32)))
        }
        _ => Value::Struct(items),
    }
}

fn const_value(program: &Program, value: &Const, ty: &Type) -> Value {
    let storage = program.types.storage(ty);
    let number = |n: u32| match scalar(&program.types, ty) {
        Some((_, width)) => Value::Scalar(Expr::constant(width, n)),
        None => Value::Nothing,
    };
    match (value, storage) {
        (Const::Bool(b), _) => Value::Scalar(Expr::bool(*b)),
        (Const::Int(n), Type::Bit(width) | Type::Signed(width)) => {
            Value::Scalar(Expr::constant(*width, arithmetic::pattern(n, *width)))
        }
        (Const::Int(_), Type::Varbit(_)) => default_value(program, ty),
        (Const::Int(n), _) => Value::Integer(n.clone()),
        (Const::String(text) | Const::MatchKind(text), _) => Value::Text(text.clone()),
        (Const::Error(code), _) => number(*code),
        (Const::Member(member), _) => number(*member),
        (Const::Invalid, _) => default_value(program, ty),
        (Const::Aggregate(items), _) => {
            let element = |n: usize| -> &Type {
                match storage {
                    Type::Struct(id) => {
                        program.types[*id].fields.get(n).map_or(&Type::Void, |f| &f.ty)
                    }
                    Type::Tuple(types) => types.get(n).unwrap_or(&Type::Void),
                    Type::Stack(ty, _) | Type::List(ty) => ty,
                    _ => &Type::Void,
                }
            };
            let items = items
                .iter()
                .enumerate()
                .map(|(n, item)| const_value(program, item, element(n)))
                .collect();
            aggregate(program, storage, items)
        }
    }
}

/// A conversion from one type to another (§8.11).
pub(super) fn cast(program: &Program, value: Value, from: &Type, to: &Type) -> Value {
    let from = program.types.storage(from);
    let to = program.types.storage(to);
    if from == to {
        return value;
    }
    match (&value, to) {
        (Value::Scalar(expr), Type::Bit(width) | Type::Signed(width)) => {
            let signed = matches!(from, Type::Signed(_));
            let expr = expr.clone();
            Value::Scalar(if signed { expr.resize_signed(*width) } else { expr.resize(*width) })
        }
        (Value::Integer(_), Type::Bit(width) | Type::Signed(width)) => {
            Value::Scalar(value.scalar(*width))
        }
        (Value::Scalar(expr), Type::Bool) => {
            let zero = Expr::zero(expr.width);
            Value::Scalar(Expr::binary(BinaryOp::Ne, expr.clone(), zero))
        }
        (Value::Scalar(expr), Type::Int) => match expr.as_const() {
            Some(pattern) if matches!(from, Type::Signed(_)) => {
                Value::Integer(arithmetic::signed(pattern, expr.width))
            }
            Some(pattern) => Value::Integer(pattern.clone().into()),
            None => value,
        },
        (Value::Integer(n), Type::Bool) => Value::Scalar(Expr::bool(!n.is_zero())),
        _ => reshape(program, value, from, to),
    }
}

/// A tuple, list or struct to another of the same shape, or to a header or stack.
fn reshape(program: &Program, value: Value, from: &Type, to: &Type) -> Value {
    let part_types = |ty: &Type| -> Option<Vec<Type>> {
        match ty {
            Type::Struct(id) => {
                Some(program.types[*id].fields.iter().map(|f| f.ty.clone()).collect())
            }
            Type::Tuple(types) => Some(types.clone()),
            Type::Stack(element, _) | Type::List(element) => {
                Some(vec![(**element).clone(); value.parts().len()])
            }
            _ => None,
        }
    };
    let (Some(from_types), Some(to_types)) = (part_types(from), part_types(to)) else {
        return value;
    };
    let converted: Vec<Value> = value
        .parts()
        .iter()
        .zip(from_types.iter().zip(&to_types))
        .map(|(part, (from, to))| cast(program, part.clone(), from, to))
        .collect();
    match (&value, program.types.is_header(to)) {
        (Value::Header(valid, _), true) => Value::Header(valid.clone(), converted),
        _ => aggregate(program, to, converted),
    }
}

/// The number of a pattern that counts things; the largest `u64` beyond that.
pub(super) fn count(value: &BigUint) -> u64 {
    value.to_u64().unwrap_or(u64::MAX)
}
