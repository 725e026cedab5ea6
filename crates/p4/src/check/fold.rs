//! Folding of constant expressions (§18.1): the arithmetic of P4 on compile-time values.

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Type, UnaryOp};
use crate::source::Span;
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Shift amounts beyond this make no sense for `int` and would only eat memory.
const MAX_SHIFT: u32 = 1 << 16;

/// Bits of an `int` beyond which arithmetic gives up: repeated products double them each time.
const MAX_BITS: u64 = 1 << 20;

/// Bytes of a concatenated string at most, for the same reason.
const MAX_STRING: usize = 1 << 20;

/// `value` reduced to the range of a type that has one.
pub(super) fn wrap(value: &BigInt, ty: &Type) -> BigInt {
    match ty {
        Type::Bit(w) => value.mod_floor(&(BigInt::one() << *w)),
        Type::Signed(0) => BigInt::zero(),
        Type::Signed(w) => {
            let modulus = BigInt::one() << *w;
            let low = value.mod_floor(&modulus);
            if low.bit(u64::from(*w) - 1) { low - modulus } else { low }
        }
        _ => value.clone(),
    }
}

/// Whether a value lies in the range of a type.
pub(super) fn fits(value: &BigInt, ty: &Type) -> bool {
    wrap(value, ty) == *value
}

fn saturate(value: BigInt, ty: &Type) -> BigInt {
    let (lo, hi) = match ty {
        Type::Bit(w) => (BigInt::zero(), (BigInt::one() << *w) - 1),
        Type::Signed(0) => (BigInt::zero(), BigInt::zero()),
        Type::Signed(w) => (-(BigInt::one() << (*w - 1)), (BigInt::one() << (*w - 1)) - 1),
        _ => return value,
    };
    value.clamp(lo, hi)
}

/// How many operators an expression has.
pub(super) fn operators(e: &Expr) -> usize {
    1 + match &e.kind {
        ExprKind::Binary(_, a, b) => operators(a) + operators(b),
        ExprKind::Conditional(c, a, b) => operators(c) + operators(a) + operators(b),
        ExprKind::Unary(_, e)
        | ExprKind::Cast(e)
        | ExprKind::Field(e, _)
        | ExprKind::TupleField(e, _)
        | ExprKind::Slice { base: e, .. } => operators(e),
        ExprKind::Struct(es) | ExprKind::StructInOrder(es, _) | ExprKind::Tuple(es) => {
            es.iter().map(operators).sum()
        }
        _ => 0,
    }
}

/// A bound for the bits of a result, where it can be much longer than the operands.
fn bits_at_most(op: BinaryOp, x: &BigInt, y: &BigInt) -> u64 {
    match op {
        BinaryOp::Mul => x.bits() + y.bits(),
        // Longer shifts are refused on their own.
        BinaryOp::Shl => x.bits() + y.to_u64().unwrap_or(0).min(u64::from(MAX_SHIFT)),
        _ => 0,
    }
}

impl Checker<'_> {
    /// The value of an expression that is constant already.
    pub(super) fn constant<'e>(&self, e: &'e Expr) -> Option<&'e Const> {
        match &e.kind {
            ExprKind::Const(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a constant, also of an aggregate of constants.
    pub(super) fn evaluate(&self, e: &Expr) -> Option<Const> {
        match &e.kind {
            ExprKind::Const(value) => Some(value.clone()),
            ExprKind::Struct(elements) | ExprKind::Tuple(elements) => elements
                .iter()
                .map(|e| self.evaluate(e))
                .collect::<Option<Vec<_>>>()
                .map(Const::Aggregate),
            ExprKind::Invalid => Some(Const::Invalid),
            ExprKind::Default => self.default_value(&e.ty),
            ExprKind::Cast(inner) => self.evaluate(inner),
            _ => None,
        }
    }

    /// The default value of a type (§7.3).
    pub(super) fn default_value(&self, ty: &Type) -> Option<Const> {
        let types = &self.program.types;
        match types.storage(&self.shallow(ty)) {
            Type::Bool => Some(Const::Bool(false)),
            Type::Int | Type::Bit(_) | Type::Signed(_) | Type::Varbit(_) => {
                Some(Const::Int(BigInt::zero()))
            }
            Type::String => Some(Const::String("".into())),
            Type::Error => Some(Const::Error(0)),
            Type::Enum(_) => Some(Const::Member(0)),
            Type::Tuple(es) => es
                .iter()
                .map(|e| self.default_value(e))
                .collect::<Option<Vec<_>>>()
                .map(Const::Aggregate),
            Type::Stack(e, n) => Some(Const::Aggregate(vec![self.default_value(e)?; *n as usize])),
            Type::Struct(id) => {
                let def = &types[*id];
                if def.kind != crate::ir::StructKind::Struct {
                    return Some(Const::Invalid);
                }
                let fields = def.fields.iter().map(|f| self.default_value(&f.ty));
                fields.collect::<Option<Vec<_>>>().map(Const::Aggregate)
            }
            _ => None,
        }
    }

    /// The integer value of a constant.
    pub(super) fn integer<'e>(&self, e: &'e Expr) -> Option<&'e BigInt> {
        match self.constant(e) {
            Some(Const::Int(value)) => Some(value),
            _ => None,
        }
    }

    /// Folds a binary operation whose operands are typed and lowered. `ty` is the result's type.
    pub(super) fn fold_binary(
        &mut self,
        op: BinaryOp,
        a: Expr,
        b: Expr,
        ty: Type,
        span: Span,
    ) -> Expr {
        let operand = self.program.types.storage(&self.shallow(&a.ty)).clone();
        let value = match (self.evaluate(&a), self.evaluate(&b)) {
            (Some(Const::Int(x)), Some(Const::Int(y))) => {
                let before = self.diagnostics.error_count();
                let value = self.fold_integers(op, &x, &y, &operand, &b, &ty);
                if value.is_none() && self.diagnostics.error_count() > before {
                    // What uses it would copy the operands, twice as many in each `a * a`.
                    return self.broken(span);
                }
                value
            }
            (Some(Const::Bool(x)), Some(Const::Bool(y))) => match op {
                BinaryOp::LogicalAnd => Some(Const::Bool(x && y)),
                BinaryOp::LogicalOr => Some(Const::Bool(x || y)),
                BinaryOp::Eq => Some(Const::Bool(x == y)),
                BinaryOp::Ne => Some(Const::Bool(x != y)),
                _ => None,
            },
            (Some(Const::String(x)), Some(Const::String(y))) if op == BinaryOp::Concat => {
                if x.len() + y.len() > MAX_STRING {
                    let message = format!("the result has more than {MAX_STRING} bytes");
                    return self.broken_with(span, message);
                }
                Some(Const::String(format!("{x}{y}").into()))
            }
            (Some(x), Some(y)) if op == BinaryOp::Eq => Some(Const::Bool(x == y)),
            (Some(x), Some(y)) if op == BinaryOp::Ne => Some(Const::Bool(x != y)),
            (Some(Const::Bool(false)), _) if op == BinaryOp::LogicalAnd => Some(Const::Bool(false)),
            (Some(Const::Bool(true)), _) if op == BinaryOp::LogicalOr => Some(Const::Bool(true)),
            (_, Some(Const::Int(y))) => {
                self.check_right(op, &y, &operand, &b);
                None
            }
            _ => None,
        };
        let kind = match value {
            Some(value) => ExprKind::Const(value),
            None => ExprKind::Binary(op, Box::new(a), Box::new(b)),
        };
        Expr { kind, ty, span }
    }

    /// Complains about a constant right operand that no left operand can go with.
    fn check_right(&mut self, op: BinaryOp, y: &BigInt, operand: &Type, b: &Expr) -> bool {
        match op {
            BinaryOp::Div | BinaryOp::Mod if y.is_zero() => {
                self.error(b.span, "division by zero");
                false
            }
            BinaryOp::Shl | BinaryOp::Shr if y.is_negative() => {
                self.error(b.span, format!("shift by a negative amount, {y}"));
                false
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let width = match operand {
                    Type::Bit(w) | Type::Signed(w) => *w,
                    _ => return true,
                };
                if *y >= BigInt::from(width) {
                    let message = format!("shift by {y} of a value that has {width} bits");
                    self.warning(b.span, message);
                }
                true
            }
            _ => true,
        }
    }

    fn fold_integers(
        &mut self,
        op: BinaryOp,
        x: &BigInt,
        y: &BigInt,
        operand: &Type,
        b: &Expr,
        ty: &Type,
    ) -> Option<Const> {
        if !self.check_right(op, y, operand, b) {
            return None;
        }
        if *operand == Type::Int && bits_at_most(op, x, y) > MAX_BITS {
            let message = format!("the result is an `int` of more than {MAX_BITS} bits");
            self.report(Diagnostic::error(b.span, message));
            return None;
        }
        let ty = self.program.types.storage(ty).clone();
        let bits = |f: &dyn Fn(BigInt, BigInt) -> BigInt| {
            // Two's complement of unlimited length: `&`, `|` and `^` of BigInt work on it.
            Some(Const::Int(wrap(&f(x.clone(), y.clone()), &ty)))
        };
        match op {
            BinaryOp::Add => bits(&|x, y| x + y),
            BinaryOp::Sub => bits(&|x, y| x - y),
            BinaryOp::Mul => bits(&|x, y| x * y),
            BinaryOp::And => bits(&|x, y| x & y),
            BinaryOp::Or => bits(&|x, y| x | y),
            BinaryOp::Xor => bits(&|x, y| x ^ y),
            BinaryOp::SatAdd => Some(Const::Int(saturate(x + y, &ty))),
            BinaryOp::SatSub => Some(Const::Int(saturate(x - y, &ty))),
            BinaryOp::Div | BinaryOp::Mod => {
                if x.is_negative() || y.is_negative() {
                    self.error(
                        b.span,
                        format!("`{}` is not defined for negative numbers", op.symbol()),
                    );
                    return None;
                }
                let value = if op == BinaryOp::Div { x / y } else { x % y };
                Some(Const::Int(wrap(&value, &ty)))
            }
            BinaryOp::Shl | BinaryOp::Shr => {
                let limit = match operand {
                    Type::Bit(w) | Type::Signed(w) => *w,
                    _ => MAX_SHIFT,
                };
                let amount = y.to_u32().unwrap_or(u32::MAX);
                if amount > limit && *operand == Type::Int && op == BinaryOp::Shl {
                    let message =
                        format!("shift by {y} of an `int` is beyond the limit of {MAX_SHIFT}");
                    self.report(Diagnostic::error(b.span, message));
                    return None;
                }
                let value = match op {
                    BinaryOp::Shl => x << amount.min(limit),
                    // An arithmetic shift: BigInt rounds towards minus infinity.
                    _ => x >> amount.min(limit.max(1 << 20)),
                };
                Some(Const::Int(wrap(&value, &ty)))
            }
            BinaryOp::Lt => Some(Const::Bool(x < y)),
            BinaryOp::Le => Some(Const::Bool(x <= y)),
            BinaryOp::Gt => Some(Const::Bool(x > y)),
            BinaryOp::Ge => Some(Const::Bool(x >= y)),
            BinaryOp::Eq => Some(Const::Bool(x == y)),
            BinaryOp::Ne => Some(Const::Bool(x != y)),
            BinaryOp::Concat => {
                let low = match self.program.types.storage(&b.ty) {
                    Type::Bit(w) | Type::Signed(w) => *w,
                    _ => return None,
                };
                let low_bits = wrap(y, &Type::Bit(low));
                Some(Const::Int(wrap(&((x << low) + low_bits), &ty)))
            }
            BinaryOp::LogicalAnd | BinaryOp::LogicalOr => None,
        }
    }

    /// Folds a unary operation.
    pub(super) fn fold_unary(&mut self, op: UnaryOp, e: Expr, ty: Type, span: Span) -> Expr {
        let storage = self.program.types.storage(&ty).clone();
        let value = match (op, self.constant(&e)) {
            (UnaryOp::Negate, Some(Const::Int(x))) => Some(Const::Int(wrap(&-x, &storage))),
            (UnaryOp::Plus, Some(Const::Int(x))) => Some(Const::Int(x.clone())),
            (UnaryOp::Complement, Some(Const::Int(x))) => {
                Some(Const::Int(wrap(&!x.clone(), &storage)))
            }
            (UnaryOp::Not, Some(Const::Bool(x))) => Some(Const::Bool(!x)),
            _ => None,
        };
        let kind = match value {
            Some(value) => ExprKind::Const(value),
            None if op == UnaryOp::Plus => return Expr { ty, span, ..e },
            None => ExprKind::Unary(op, Box::new(e)),
        };
        Expr { kind, ty, span }
    }

    /// Folds a cast that was found legal.
    pub(super) fn fold_cast(&mut self, e: Expr, ty: Type, span: Span) -> Expr {
        let to = self.program.types.storage(&ty).clone();
        let value = match (self.constant(&e), &to) {
            (Some(Const::Int(x)), Type::Bool) => Some(Const::Bool(!x.is_zero())),
            (Some(Const::Int(x)), _) => Some(Const::Int(wrap(x, &to))),
            (Some(Const::Bool(x)), Type::Bit(_)) => Some(Const::Int(BigInt::from(u8::from(*x)))),
            (Some(value), _) => Some(value.clone()),
            _ => None,
        };
        let kind = match value {
            Some(value) => ExprKind::Const(value),
            None => ExprKind::Cast(Box::new(e)),
        };
        Expr { kind, ty, span }
    }

    /// Folds a slice whose bounds were found legal.
    pub(super) fn fold_slice(&mut self, base: Expr, hi: u32, lo: u32, span: Span) -> Expr {
        let ty = Type::Bit(hi - lo + 1);
        let kind = match self.constant(&base) {
            Some(Const::Int(x)) => ExprKind::Const(Const::Int(wrap(&(x >> lo), &ty))),
            _ => ExprKind::Slice { base: Box::new(base), hi, lo },
        };
        Expr { kind, ty, span }
    }

    /// Warns if a literal does not fit the type that it is given.
    pub(super) fn warn_if_truncated(&mut self, value: &BigInt, ty: &Type, span: Span) {
        if fits(value, ty) {
            return;
        }
        let shown = self.show(ty);
        let kept = wrap(value, ty);
        let why = if value.sign() == Sign::Minus && matches!(ty, Type::Bit(_)) {
            format!("negative value {value} in `{shown}`")
        } else {
            format!("value {value} does not fit in `{shown}`")
        };
        self.report(Diagnostic::warning(span, why).label(format!("becomes {kept}")));
    }
}
