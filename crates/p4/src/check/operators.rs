//! Operators and what they are defined on (§8.5 to §8.10).

use super::Checker;
use crate::ast::{Expression, UnaryOp};
use crate::diagnostic::Diagnostic;
use crate::ir::{BinaryOp, Expr, ExprKind, Type};
use crate::source::Span;
use num_traits::Signed;

impl<'a> Checker<'a> {
    pub(super) fn unary(&mut self, op: UnaryOp, operand: &'a Expression, span: Span) -> Expr {
        let mut e = self.expression(operand, None);
        if op != UnaryOp::Not {
            e = self.as_number(e);
        }
        let ty = self.shallow(&e.ty);
        let legal = match op {
            _ if ty == Type::Unknown => return self.broken(span),
            UnaryOp::Not => ty == Type::Bool,
            UnaryOp::Complement => matches!(ty, Type::Bit(_) | Type::Signed(_)),
            UnaryOp::Negate | UnaryOp::Plus => {
                matches!(ty, Type::Int | Type::Bit(_) | Type::Signed(_))
            }
        };
        if !legal {
            let message = format!("`{}` is not defined on `{}`", op.symbol(), self.show(&ty));
            let mut d = Diagnostic::error(span, message);
            if op == UnaryOp::Not {
                d.help = self.negated_number(operand.span, &ty);
            }
            self.report(d);
            return self.broken(span);
        }
        self.fold_unary(op, e, ty, span)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        a: &'a Expression,
        b: &'a Expression,
        span: Span,
    ) -> Expr {
        if self.compared_action(op, a, b, span) {
            return self.broken(span);
        }
        let left = self.expression(a, None);
        let right = self.expression(b, None);
        self.binary_lowered(op, left, right, span)
    }

    /// A binary operation on lowered operands; also for compound assignments.
    pub(super) fn binary_lowered(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (ta, tb) = (self.shallow(&a.ty), self.shallow(&b.ty));
        if ta == Type::Unknown || tb == Type::Unknown {
            return self.broken(span);
        }
        use BinaryOp::*;
        match op {
            LogicalAnd | LogicalOr => {
                if ta != Type::Bool || tb != Type::Bool {
                    let help = self
                        .number_as_bool(a.span, &ta)
                        .or_else(|| self.number_as_bool(b.span, &tb));
                    return self.undefined_with(op, &ta, &tb, span, help);
                }
                self.fold_binary(op, a, b, Type::Bool, span)
            }
            Eq | Ne => self.equality(op, a, b, span),
            Shl | Shr => self.shift(op, a, b, span),
            Concat => self.concatenation(a, b, span),
            Lt | Le | Gt | Ge => match self.same_numbers(a, b) {
                Some((a, b, _)) => self.fold_binary(op, a, b, Type::Bool, span),
                None => self.undefined(op, &ta, &tb, span),
            },
            _ => match self.same_numbers(a, b) {
                Some((a, b, ty)) if defined_on(op, &ty) => self.fold_binary(op, a, b, ty, span),
                Some((a, b, Type::Int)) if self.literal_bits(op, &a, &b) => {
                    let message = format!("`{}` is not defined on `int`", op.symbol());
                    let d = Diagnostic::warning(span, message)
                        .help("give the operands a width, such as `32w1`");
                    self.report(d);
                    self.fold_binary(op, a, b, Type::Int, span)
                }
                _ => self.undefined(op, &ta, &tb, span),
            },
        }
    }

    /// Whether a bitwise operator joins constants without width whose bits are beyond doubt. The
    /// specification does not define it (§8.9), but published programs write such constants.
    fn literal_bits(&self, op: BinaryOp, a: &Expr, b: &Expr) -> bool {
        matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor)
            && [a, b].iter().all(|e| self.integer(e).is_some_and(|n| !n.is_negative()))
    }

    fn undefined(&mut self, op: BinaryOp, a: &Type, b: &Type, span: Span) -> Expr {
        self.undefined_with(op, a, b, span, None)
    }

    /// Reports an operator on types that it is not defined on; `help` is better advice than a cast.
    fn undefined_with(
        &mut self,
        op: BinaryOp,
        a: &Type,
        b: &Type,
        span: Span,
        help: Option<String>,
    ) -> Expr {
        let (sa, sb) = (self.show(a), self.show(b));
        let message = if sa == sb {
            format!("`{}` is not defined on `{sa}`", op.symbol())
        } else {
            format!("`{}` is not defined on `{sa}` and `{sb}`", op.symbol())
        };
        let mut d = Diagnostic::error(span, message);
        if let Some(help) = help {
            d = d.help(help);
        } else if matches!((a, b), (Type::Bit(_) | Type::Signed(_), Type::Bit(_) | Type::Signed(_)))
            && sa != sb
        {
            d = d
                .label("operands must have the same type")
                .help(format!("cast one of them: `({sa}) ...`"));
        }
        self.report(d);
        self.broken(span)
    }

    /// Both operands as numbers of one type: an `int` takes the other's type, a serializable enum
    /// the type it is made of.
    fn same_numbers(&mut self, a: Expr, b: Expr) -> Option<(Expr, Expr, Type)> {
        let (a, b) = (self.as_number(a), self.as_number(b));
        let (ta, tb) = (self.shallow(&a.ty), self.shallow(&b.ty));
        let numeric = |t: &Type| matches!(t, Type::Int | Type::Bit(_) | Type::Signed(_));
        if !numeric(&ta) || !numeric(&tb) {
            return None;
        }
        match (&ta, &tb) {
            _ if ta == tb => Some((a, b, ta)),
            (Type::Int, _) => Some((self.coerce(a, &tb), b, tb)),
            (_, Type::Int) => Some((a, self.coerce(b, &ta), ta)),
            _ => None,
        }
    }

    fn equality(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (ta, tb) = (self.shallow(&a.ty), self.shallow(&b.ty));
        if ta != tb
            && let Some((a, b, _)) = self.same_numbers(a.clone(), b.clone())
        {
            return self.fold_binary(op, a, b, Type::Bool, span);
        }
        // A record has no type of its own to compare by.
        // `{#}` on the right takes the type of the left: its own would stay open.
        let right_is_open = matches!(b.kind, ExprKind::Invalid) && matches!(tb, Type::Infer(_));
        let (a, b) = match if right_is_open { Err(a) } else { self.try_coerce(a, &tb) } {
            Ok(a) => (a, b),
            Err(a) => match self.try_coerce(b, &ta) {
                Ok(b) => (a, b),
                Err(_) => return self.undefined(op, &ta, &tb, span),
            },
        };
        let ty = self.shallow(&a.ty);
        let untyped = matches!(a.kind, ExprKind::Invalid) && matches!(ty, Type::Infer(_));
        if !self.has_equality(&ty) || untyped || matches!(ty, Type::Record(_)) {
            return self.undefined(op, &ta, &tb, span);
        }
        self.fold_binary(op, a, b, Type::Bool, span)
    }

    fn shift(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.as_number(a), self.as_number(b));
        let (ta, tb) = (self.shallow(&a.ty), self.shallow(&b.ty));
        if !matches!(ta, Type::Int | Type::Bit(_) | Type::Signed(_)) {
            return self.undefined(op, &ta, &tb, span);
        }
        let known = self.integer(&b).is_some();
        match tb {
            Type::Bit(_) => {}
            Type::Int if known || self.is_compile_time(&b) => {}
            Type::Signed(_) => {
                let d = Diagnostic::error(b.span, "a shift amount cannot be signed")
                    .label(format!("has type `{}`", self.show(&tb)));
                self.report(d);
                return self.broken(span);
            }
            _ => return self.undefined(op, &ta, &tb, span),
        }
        if ta == Type::Int && !known && !self.is_compile_time(&b) {
            let message =
                "the shift of an `int` by an amount that is not known at compile time has no width";
            return self.broken_with(span, message);
        }
        self.fold_binary(op, a, b, ta, span)
    }

    fn concatenation(&mut self, a: Expr, b: Expr, span: Span) -> Expr {
        let (a, b) = (self.as_number(a), self.as_number(b));
        let (ta, tb) = (self.shallow(&a.ty), self.shallow(&b.ty));
        let width = |ty: &Type| match ty {
            Type::Bit(w) | Type::Signed(w) => Some(*w),
            _ => None,
        };
        if ta == Type::String && tb == Type::String {
            if !self.is_compile_time(&a) || !self.is_compile_time(&b) {
                return self.broken_with(span, "strings can only be joined at compile time");
            }
            return self.fold_binary(BinaryOp::Concat, a, b, Type::String, span);
        }
        let (Some(wa), Some(wb)) = (width(&ta), width(&tb)) else {
            return self.undefined(BinaryOp::Concat, &ta, &tb, span);
        };
        let sum = wa + wb;
        if sum > super::type_expressions::MAX_WIDTH {
            return self.broken_with(span, format!("the result would have {sum} bits, too many"));
        }
        let ty = if matches!(ta, Type::Signed(_)) { Type::Signed(sum) } else { Type::Bit(sum) };
        self.fold_binary(BinaryOp::Concat, a, b, ty, span)
    }
}

/// Whether an arithmetic or bitwise operator exists for a numeric type.
fn defined_on(op: BinaryOp, ty: &Type) -> bool {
    use BinaryOp::*;
    match op {
        Add | Sub | Mul => true,
        // On int<W> they are not defined (§8.7), on negative `int` values neither.
        Div | Mod => !matches!(ty, Type::Signed(_)),
        SatAdd | SatSub | And | Or | Xor => *ty != Type::Int,
        _ => false,
    }
}
