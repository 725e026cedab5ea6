//! Expressions (§8): each is typed and lowered in one step.

use super::Checker;
use super::context::Place;
use super::scope::Symbol;
use crate::ast::{self, Direction, Expression, ExpressionKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Const, Expr, ExprKind, Type, VariableKind};
use crate::source::Span;
use num_bigint::BigInt;
use num_traits::{Signed, ToPrimitive};
use std::collections::{HashMap, HashSet};

impl<'a> Checker<'a> {
    /// A placeholder after an error that was reported.
    pub(super) fn broken(&self, span: Span) -> Expr {
        Expr { kind: ExprKind::Default, ty: Type::Unknown, span }
    }

    /// Reports an error and gives a placeholder.
    pub(super) fn broken_with(&mut self, span: Span, message: impl Into<String>) -> Expr {
        self.error(span, message);
        self.broken(span)
    }

    /// An expression in a place that demands a type.
    pub(super) fn typed_expression(&mut self, e: &'a Expression, ty: &Type) -> Expr {
        let lowered = self.expression(e, Some(ty));
        self.coerce(lowered, ty)
    }

    /// An expression. `expected` guides list and record expressions; it is no promise.
    pub(super) fn expression(&mut self, e: &'a Expression, expected: Option<&Type>) -> Expr {
        let span = e.span;
        match &e.kind {
            ExpressionKind::Bool(b) => constant(Const::Bool(*b), Type::Bool, span),
            ExpressionKind::Number { value, width } => self.number(value, *width, span),
            ExpressionKind::String(s) => constant(Const::String(s.clone()), Type::String, span),
            ExpressionKind::Name(path) => self.name(path, span),
            ExpressionKind::This => match self.context.this.clone() {
                Some(_) => self.broken_with(span, "`this` can only be used to call a method"),
                None => {
                    self.broken_with(span, "`this` is only legal inside an abstract method's body")
                }
            },
            ExpressionKind::Type(_) => self.broken_with(span, "a type is not a value"),
            ExpressionKind::Member(base, member) => self.member(base, member, span),
            ExpressionKind::Index(base, index) => self.index(base, index, span),
            ExpressionKind::Slice(base, hi, lo) => self.slice(base, hi, lo, span),
            ExpressionKind::Call { callee, type_arguments, arguments } => {
                self.call(callee, type_arguments, arguments, span, expected)
            }
            ExpressionKind::Unary(op, operand) => self.unary(*op, operand, span),
            ExpressionKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ExpressionKind::Conditional(c, a, b) => self.conditional(c, a, b, span, expected),
            ExpressionKind::Cast(ty, operand) => self.cast(ty, operand, span),
            ExpressionKind::List { elements, defaults } => {
                self.list(elements, *defaults, span, expected)
            }
            ExpressionKind::Record { fields, defaults } => {
                self.record(fields, *defaults, span, expected)
            }
            ExpressionKind::Invalid => {
                let ty = match expected.map(|t| self.shallow(t)) {
                    Some(ty)
                        if self.program.types.is_header(&ty)
                            || self.program.types.is_union(&ty) =>
                    {
                        ty
                    }
                    Some(Type::Unknown) => Type::Unknown,
                    _ => self.fresh(),
                };
                Expr { kind: ExprKind::Invalid, ty, span }
            }
            ExpressionKind::Defaults => match expected.map(|t| self.shallow(t)) {
                Some(Type::Unknown) => self.broken(span),
                Some(ty) if self.default_value(&ty).is_some() || self.is_generic(&ty) => {
                    Expr { kind: ExprKind::Default, ty, span }
                }
                Some(ty) if !matches!(ty, Type::Infer(_)) => {
                    let message = format!("`{}` has no default value", self.show(&ty));
                    self.broken_with(span, message)
                }
                _ => self.broken_with(span, "`...` needs a place whose type is known"),
            },
            ExpressionKind::Mask(..) | ExpressionKind::Range(..) => self.broken_with(
                span,
                "a set of values is only legal as a key in `select`, `entries` or `for`",
            ),
            ExpressionKind::DontCare => self.broken_with(span, "`_` is not a value"),
            ExpressionKind::Default => self.broken_with(span, "`default` is not a value"),
            ExpressionKind::Error => self.broken(span),
        }
    }

    fn number(&mut self, value: &BigInt, width: Option<ast::NumberWidth>, span: Span) -> Expr {
        let Some(width) = width else {
            return constant(Const::Int(value.clone()), Type::Int, span);
        };
        if width.bits > super::type_expressions::MAX_WIDTH || (width.bits == 0 && width.signed) {
            return self.broken_with(span, format!("illegal width {}", width.bits));
        }
        let ty = if width.signed { Type::Signed(width.bits) } else { Type::Bit(width.bits) };
        self.warn_if_truncated(value, &ty, span);
        constant(Const::Int(super::fold::wrap(value, &ty)), ty, span)
    }

    fn name(&mut self, path: &'a ast::Path, span: Span) -> Expr {
        match self.lookup(path) {
            None if self.match_kinds.contains(&path.name.name) => {
                constant(Const::MatchKind(path.name.name.clone()), Type::MatchKind, span)
            }
            None => {
                self.unknown_name(path, "name");
                self.broken(span)
            }
            Some(Symbol::Const(e)) => Expr { span, ..(*e).clone() },
            Some(Symbol::Var(var)) => {
                let ty = self.program[var].ty.clone();
                Expr { kind: ExprKind::Var(var), ty, span }
            }
            Some(Symbol::Broken) => self.broken(span),
            Some(symbol @ (Symbol::Functions(_) | Symbol::Action(_))) => {
                let message =
                    format!("`{}` is {} and must be called", path.name.name, symbol.describe());
                self.broken_with(span, message)
            }
            Some(Symbol::Table(_)) => {
                let message = format!("`{}` is a table; apply it: `{0}.apply()`", path.name.name);
                self.broken_with(span, message)
            }
            Some(symbol) => {
                let message = format!("`{}` is {}, not a value", path.name.name, symbol.describe());
                self.broken_with(span, message)
            }
        }
    }

    /// Makes a number of an expression that may be a serializable enum, for indices and shifts.
    pub(super) fn as_number(&mut self, e: Expr) -> Expr {
        if let Type::Enum(id) = self.shallow(&e.ty)
            && let Some(underlying) = self.program.types[id].underlying.clone()
        {
            let span = e.span;
            return self.fold_cast(e, underlying, span);
        }
        e
    }

    fn index(&mut self, base: &'a Expression, index: &'a Expression, span: Span) -> Expr {
        let base = self.expression(base, None);
        let lowered = self.expression(index, None);
        let i = self.as_number(lowered);
        let index_type = self.shallow(&i.ty);
        let base_type = self.shallow(&base.ty);
        if base_type == Type::Unknown || index_type == Type::Unknown {
            return self.broken(span);
        }
        if !matches!(index_type, Type::Int | Type::Bit(_) | Type::Signed(_)) {
            let message = format!("an index must be a number, not `{}`", self.show(&index_type));
            return self.broken_with(index.span, message);
        }
        let known = self.integer(&i).cloned();
        let check = |checker: &mut Self, size: usize| match &known {
            Some(n) if n.is_negative() || n.to_usize().is_none_or(|n| n >= size) => {
                let label = format!("indices run from 0 to {}", size - 1);
                let d = Diagnostic::error(index.span, format!("index {n} is out of range"))
                    .label(label);
                checker.report(d);
                false
            }
            _ => true,
        };
        match base_type {
            Type::Stack(element, size) => {
                if !check(self, size as usize) {
                    return self.broken(span);
                }
                // An `int` index is given the width that the stack's own indices have.
                let i = if index_type == Type::Int { self.coerce(i, &Type::Bit(32)) } else { i };
                Expr { kind: ExprKind::Element(Box::new(base), Box::new(i)), ty: *element, span }
            }
            Type::Tuple(elements) => {
                let Some(n) = known.clone() else {
                    return self.broken_with(
                        index.span,
                        "a tuple's index must be a compile-time constant",
                    );
                };
                if elements.is_empty() || !check(self, elements.len()) {
                    return self.broken(span);
                }
                let n = n.to_usize().unwrap_or(0);
                let ty = elements[n].clone();
                if let ExprKind::Tuple(values) = &base.kind {
                    return Expr { span, ..values[n].clone() };
                }
                Expr { kind: ExprKind::TupleField(Box::new(base), n as u32), ty, span }
            }
            other => {
                let message = format!("`{}` cannot be indexed", self.show(&other));
                self.broken_with(span, message)
            }
        }
    }

    fn slice(
        &mut self,
        base: &'a Expression,
        hi: &'a Expression,
        lo: &'a Expression,
        span: Span,
    ) -> Expr {
        let lowered = self.expression(base, None);
        let base_expr = self.as_number(lowered);
        let (hi_value, lo_value) = (
            self.compile_time_integer(hi, "a slice's bound"),
            self.compile_time_integer(lo, "a slice's bound"),
        );
        let ty = self.shallow(&base_expr.ty);
        let width = match self.program.types.storage(&ty) {
            Type::Unknown => return self.broken(span),
            _ if matches!(ty, Type::New(_)) => {
                let message = format!("`{}` cannot be sliced; cast it first", self.show(&ty));
                return self.broken_with(span, message);
            }
            Type::Bit(w) | Type::Signed(w) => *w,
            // A constant without a width has as many bits as one cares to ask for.
            Type::Int if self.integer(&base_expr).is_some() => super::type_expressions::MAX_WIDTH,
            _ => {
                let message = format!("`{}` cannot be sliced", self.show(&ty));
                let d = Diagnostic::error(span, message)
                    .label("only bit<W> and int<W> have bits to select");
                self.report(d);
                return self.broken(span);
            }
        };
        let (Some(h), Some(l)) = (hi_value, lo_value) else { return self.broken(span) };
        for (value, at) in [(&h, hi), (&l, lo)] {
            if value.is_negative() || *value >= BigInt::from(width) {
                let d = Diagnostic::error(at.span, format!("bit {value} is out of range"))
                    .label(format!("the value has bits 0 to {}", i64::from(width) - 1));
                self.report(d);
                return self.broken(span);
            }
        }
        if h < l {
            return self.broken_with(span, format!("slice bounds are reversed: [{h}:{l}]"));
        }
        let (h, l) = (h.to_u32().unwrap_or(0), l.to_u32().unwrap_or(0));
        self.fold_slice(base_expr, h, l, span)
    }

    fn conditional(
        &mut self,
        c: &'a Expression,
        a: &'a Expression,
        b: &'a Expression,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let c = self.typed_expression(c, &Type::Bool);
        let a = self.expression(a, expected);
        let b = self.expression(b, expected);
        let (ta, tb) = (self.shallow(&a.ty), self.shallow(&b.ty));
        if ta == Type::Unknown || tb == Type::Unknown || c.ty == Type::Unknown {
            return self.broken(span);
        }
        let known = match self.constant(&c) {
            Some(Const::Bool(value)) => Some(*value),
            _ => None,
        };
        if ta == Type::Int && tb == Type::Int && known.is_none() && !self.is_compile_time(&c) {
            let d = Diagnostic::error(span, "both results are `int`, whose width is unknown")
                .help("give one of them a width, such as `8w1`");
            self.report(d);
            return self.broken(span);
        }
        if matches!(
            ta,
            Type::Void | Type::Extern(..) | Type::Apply(..) | Type::Parser(_) | Type::Control(_)
        ) {
            let message = format!("`?:` cannot choose between values of type `{}`", self.show(&ta));
            return self.broken_with(span, message);
        }
        let (a, b) = match self.try_coerce(a, &tb) {
            Ok(a) => (a, b),
            Err(a) => match self.try_coerce(b, &ta) {
                Ok(b) => (a, b),
                Err(b) => {
                    self.mismatch(b.span, &ta, &tb);
                    return self.broken(span);
                }
            },
        };
        match known {
            Some(true) => a,
            Some(false) => b,
            None => {
                let ty = a.ty.clone();
                Expr {
                    kind: ExprKind::Conditional(Box::new(c), Box::new(a), Box::new(b)),
                    ty,
                    span,
                }
            }
        }
    }

    fn cast(&mut self, written: &'a ast::TypeExpr, operand: &'a Expression, span: Span) -> Expr {
        let to = self.type_of(written);
        let e = self.expression(operand, Some(&to));
        let from = self.shallow(&e.ty);
        if to == Type::Unknown || from == Type::Unknown {
            return self.broken(span);
        }
        if let Some(Const::Int(value)) = self.constant(&e)
            && from == Type::Int
            && to == Type::Bool
            && *value != BigInt::from(0)
            && *value != BigInt::from(1)
        {
            return self
                .broken_with(span, format!("only 0 and 1 can be cast to `bool`, not {value}"));
        }
        if matches!(
            to,
            Type::Bit(_) | Type::Signed(_) | Type::Bool | Type::New(_) | Type::Enum(_) | Type::Int
        ) && self.can_cast(&from, &to)
        {
            if to == Type::Int && from != Type::Int && self.constant(&e).is_none() {
                return self.broken_with(span, "only a compile-time constant can be cast to `int`");
            }
            return self.fold_cast(e, to, span);
        }
        match self.try_coerce(e, &to) {
            Ok(e) => Expr { span, ..e },
            Err(_) => {
                let message =
                    format!("`{}` cannot be cast to `{}`", self.show(&from), self.show(&to));
                self.broken_with(span, message)
            }
        }
    }

    /// The types that the elements of a list expression should have, if they are known.
    fn element_types(&self, expected: Option<&Type>, count: usize) -> Option<Vec<Type>> {
        let shallow = self.shallow(expected?);
        match self.program.types.storage(&shallow) {
            Type::Struct(id) => {
                Some(self.program.types[*id].fields.iter().map(|f| f.ty.clone()).collect())
            }
            Type::Tuple(types) => Some(types.clone()),
            Type::Stack(element, n) => Some(vec![(**element).clone(); *n as usize]),
            Type::List(element) => Some(vec![(**element).clone(); count]),
            _ => None,
        }
    }

    fn list(
        &mut self,
        elements: &'a [Expression],
        defaults: bool,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let wanted = self.element_types(expected, elements.len());
        let mut lowered = Vec::with_capacity(elements.len());
        for (n, e) in elements.iter().enumerate() {
            if matches!(e.kind, ExpressionKind::Defaults) {
                return self.broken_with(e.span, "`...` is only legal at the end of a list");
            }
            let hint = wanted.as_ref().and_then(|w| w.get(n)).cloned();
            lowered.push(self.expression(e, hint.as_ref()));
        }
        if defaults {
            let Some(wanted) = wanted else {
                return self.broken_with(span, "`...` needs a place whose type is known");
            };
            for ty in wanted.iter().skip(lowered.len()) {
                lowered.push(Expr { kind: ExprKind::Default, ty: ty.clone(), span });
            }
        }
        if lowered.iter().any(|e| e.ty == Type::Unknown) {
            return self.broken(span);
        }
        if let Some(e) = lowered.iter().find(|e| e.ty == Type::Void) {
            return self.broken_with(e.span, "`void` is not a value");
        }
        let ty = Type::Tuple(lowered.iter().map(|e| e.ty.clone()).collect());
        Expr { kind: ExprKind::Tuple(lowered), ty, span }
    }

    fn record(
        &mut self,
        fields: &'a [(ast::Ident, Expression)],
        defaults: bool,
        span: Span,
        expected: Option<&Type>,
    ) -> Expr {
        let shallow = expected.map(|t| self.shallow(t));
        let known: Option<Vec<(ast::Name, Type)>> = match &shallow {
            Some(Type::Struct(id)) => {
                let fields = &self.program.types[*id].fields;
                Some(fields.iter().map(|f| (f.name.clone(), f.ty.clone())).collect())
            }
            _ => None,
        };
        let by_name: HashMap<&str, &Type> =
            known.iter().flatten().map(|(name, ty)| (&**name, ty)).collect();
        let mut names: HashSet<&str> = HashSet::new();
        let mut types = Vec::with_capacity(fields.len());
        let mut values = Vec::with_capacity(fields.len());
        let mut failed = false;
        for (name, value) in fields {
            if !names.insert(&name.name) {
                self.error(name.span, format!("field `{}` is given twice", name.name));
                failed = true;
            }
            let hint = match &known {
                Some(_) => match by_name.get(&*name.name) {
                    Some(ty) => Some((*ty).clone()),
                    None => {
                        let holder = self.show(&shallow.clone().unwrap_or(Type::Unknown));
                        self.error(name.span, format!("`{holder}` has no field `{}`", name.name));
                        failed = true;
                        None
                    }
                },
                None => None,
            };
            let lowered = match &hint {
                Some(ty) => self.typed_expression(value, ty),
                None => self.expression(value, None),
            };
            failed |= lowered.ty == Type::Unknown;
            types.push((name.name.clone(), lowered.ty.clone()));
            values.push(lowered);
        }
        if let Some(known) = &known {
            let missing: Vec<_> = known.iter().filter(|(n, _)| !names.contains(&**n)).collect();
            if defaults {
                for (name, ty) in missing {
                    types.push((name.clone(), ty.clone()));
                    values.push(Expr { kind: ExprKind::Default, ty: ty.clone(), span });
                }
            } else if let Some((name, _)) = missing.first() {
                self.report(
                    Diagnostic::error(span, format!("field `{name}` is missing"))
                        .help("`...` at the end gives the others their default values"),
                );
                failed = true;
            }
        } else if defaults {
            return self.broken_with(span, "`...` needs a place whose type is known");
        }
        if failed {
            return self.broken(span);
        }
        Expr { kind: ExprKind::Struct(values), ty: Type::Record(types), span }
    }

    /// Whether a value is fixed when the program is loaded (§18.1): constants, constructor
    /// parameters, objects, and what is computed from them.
    pub(super) fn is_compile_time(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Const(_) | ExprKind::Default | ExprKind::Invalid | ExprKind::Construct(_) => {
                true
            }
            ExprKind::Var(var) => match self.program[*var].kind {
                VariableKind::ConstructorParameter | VariableKind::Instance => true,
                VariableKind::Parameter(Direction::None) => {
                    // Action data is not: it comes from the control plane.
                    self.context.place != Place::Action
                }
                _ => false,
            },
            ExprKind::Struct(es) | ExprKind::Tuple(es) => {
                es.iter().all(|e| self.is_compile_time(e))
            }
            ExprKind::Field(e, _)
            | ExprKind::TupleField(e, _)
            | ExprKind::Slice { base: e, .. }
            | ExprKind::Unary(_, e)
            | ExprKind::Cast(e) => self.is_compile_time(e),
            ExprKind::Binary(_, a, b) => self.is_compile_time(a) && self.is_compile_time(b),
            ExprKind::Conditional(c, a, b) => [c, a, b].iter().all(|e| self.is_compile_time(e)),
            _ => false,
        }
    }

    /// Checks that an expression can be assigned to; reports why not.
    pub(super) fn check_lvalue(&mut self, e: &Expr) -> bool {
        match &e.kind {
            _ if e.ty == Type::Unknown => true,
            ExprKind::Var(var) => {
                let variable = &self.program[*var];
                let (name, declared) = (variable.name.clone(), variable.span);
                let why = match variable.kind {
                    VariableKind::Local => {
                        if matches!(self.shallow(&e.ty), Type::Extern(..)) {
                            "an object cannot be assigned to"
                        } else {
                            return true;
                        }
                    }
                    VariableKind::Parameter(Direction::Out | Direction::InOut) => return true,
                    VariableKind::Parameter(Direction::In) => {
                        "a parameter with direction `in` is read-only"
                    }
                    VariableKind::Parameter(Direction::None) => {
                        "a parameter without direction is read-only"
                    }
                    VariableKind::ConstructorParameter => "a constructor parameter is read-only",
                    VariableKind::Instance => "an object cannot be assigned to",
                    VariableKind::ValueSet => "a value set cannot be assigned to",
                };
                let d = Diagnostic::error(e.span, format!("`{name}` cannot be written: {why}"))
                    .label("needs a writable l-value")
                    .also(declared, "declared here");
                self.report(d);
                false
            }
            ExprKind::Field(base, _)
            | ExprKind::Element(base, _)
            | ExprKind::Next(base)
            | ExprKind::Last(base)
            | ExprKind::Slice { base, .. } => self.check_lvalue(base),
            _ => {
                let d = Diagnostic::error(e.span, "this expression cannot be written").label(
                    "not an l-value: must be a variable, a field, an element or a slice of one",
                );
                self.report(d);
                false
            }
        }
    }
}

/// A constant expression.
pub(super) fn constant(value: Const, ty: Type, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), ty, span }
}
