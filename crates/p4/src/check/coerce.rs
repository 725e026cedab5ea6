//! Implicit conversions (§8.11.2) and the shapes of list and record expressions (§8.14 to §8.16).

use super::{Checker, fold};
use crate::diagnostic::Diagnostic;
use crate::ir::visit::has_effects;
use crate::ir::{Const, Expr, ExprKind, StructKind, Type};
use crate::source::Span;
use std::collections::HashMap;

impl Checker<'_> {
    /// Gives an expression the type that its place demands, or reports that it cannot be had.
    pub(super) fn coerce(&mut self, e: Expr, to: &Type) -> Expr {
        let span = e.span;
        let from = e.ty.clone();
        match self.try_coerce(e, to) {
            Ok(e) => e,
            Err(e) => {
                self.mismatch(span, to, &from);
                Expr { ty: Type::Unknown, ..e }
            }
        }
    }

    /// Reports that a type was found where another was expected.
    pub(super) fn mismatch(&mut self, span: Span, expected: &Type, found: &Type) {
        let (e, f) = (self.show(expected), self.show(found));
        let label = format!("expected `{e}`, found `{f}`");
        let mut d = Diagnostic::error(span, format!("type mismatch: expected `{e}`, found `{f}`"))
            .label(label);
        if let (Type::Bool, Some(help)) = (self.shallow(expected), self.number_as_bool(span, found))
        {
            d = d.help(help);
        } else if self.can_cast(&self.shallow(found), &self.shallow(expected)) {
            d = d.help(format!("a cast makes it explicit: `({e}) ...`"));
        }
        self.report(d);
    }

    /// As [`Checker::coerce`], but silent: an expression that does not fit comes back.
    pub(super) fn try_coerce(&mut self, e: Expr, to: &Type) -> Result<Expr, Expr> {
        let from = self.shallow(&e.ty);
        let to = self.shallow(to);
        let storage = self.program.types.storage(&to).clone();
        match (&from, &to) {
            (Type::Unknown, _) | (_, Type::Unknown) => return Ok(e),
            (Type::Int, Type::Bit(_) | Type::Signed(_)) => return Ok(self.narrow(e, &to)),
            // Not a mixture of two types: a literal has no type of its own to protect.
            (Type::Int, Type::New(_)) if matches!(storage, Type::Bit(_) | Type::Signed(_)) => {
                return Ok(self.narrow(e, &to));
            }
            (Type::Enum(id), Type::Bit(_) | Type::Signed(_) | Type::New(_)) => {
                return match self.program.types[*id].underlying.clone() {
                    Some(underlying)
                        if underlying == to || self.program.types.storage(&underlying) == &to =>
                    {
                        let span = e.span;
                        Ok(self.fold_cast(e, to, span))
                    }
                    _ => Err(e),
                };
            }
            _ => {}
        }
        match (&e.kind, &from, &storage) {
            (ExprKind::Invalid, _, Type::Struct(id))
                if self.program.types[*id].kind != StructKind::Struct =>
            {
                return Ok(Expr { ty: to, ..e });
            }
            (ExprKind::Invalid, Type::Infer(_), storage)
                if !matches!(storage, Type::Infer(_) | Type::Parameter(_)) =>
            {
                return Err(e);
            }
            (ExprKind::Default, Type::Infer(_), _) => return Ok(Expr { ty: to, ..e }),
            (ExprKind::Conditional(..), ..) if from != to => {
                return self.coerce_conditional(e, &to);
            }
            (
                _,
                Type::Tuple(_),
                Type::Struct(_) | Type::Tuple(_) | Type::Stack(..) | Type::List(_),
            ) => {
                return self.coerce_elements(e, &to);
            }
            (_, Type::Record(_), Type::Struct(_)) => return self.coerce_record(e, &to),
            _ => {}
        }
        let snapshot = self.trail.len();
        if self.unify(&from, &to) {
            let ty = self.resolve(&to);
            // A parser keeps its own type, so that its declaration stays known.
            let ty = if matches!(from, Type::Parser(_) | Type::Control(_)) { from } else { ty };
            Ok(Expr { ty, ..e })
        } else {
            self.roll_back(snapshot);
            Err(e)
        }
    }

    /// An `int` in a type with a width.
    fn narrow(&mut self, e: Expr, to: &Type) -> Expr {
        let span = e.span;
        if let Some(Const::Int(value)) = self.constant(&e) {
            let value = value.clone();
            let storage = self.program.types.storage(to).clone();
            self.warn_if_truncated(&value, &storage, span);
            let kind = ExprKind::Const(Const::Int(fold::wrap(&value, &storage)));
            return Expr { kind, ty: to.clone(), span };
        }
        self.fold_cast(e, to.clone(), span)
    }

    fn coerce_conditional(&mut self, e: Expr, to: &Type) -> Result<Expr, Expr> {
        let Expr { kind: ExprKind::Conditional(c, a, b), ty, span } = e else { return Err(e) };
        match (self.try_coerce((*a).clone(), to), self.try_coerce((*b).clone(), to)) {
            (Ok(a), Ok(b)) => {
                let ty = a.ty.clone();
                Ok(Expr { kind: ExprKind::Conditional(c, Box::new(a), Box::new(b)), ty, span })
            }
            _ => Err(Expr { kind: ExprKind::Conditional(c, a, b), ty, span }),
        }
    }

    /// `{ a, b }` as a struct, header, tuple, stack, array or list.
    fn coerce_elements(&mut self, e: Expr, to: &Type) -> Result<Expr, Expr> {
        let ExprKind::Tuple(elements) = &e.kind else {
            // A tuple that is not written out: only an equal tuple will do.
            return if self.unify(&e.ty, to) {
                Ok(Expr { ty: self.resolve(to), ..e })
            } else {
                Err(e)
            };
        };
        let elements = elements.clone();
        let span = e.span;
        let targets = match &self.program.types.storage(to).clone() {
            Type::Struct(id) => {
                if self.program.types[*id].kind == StructKind::Union {
                    return Err(e);
                }
                self.program.types[*id].fields.iter().map(|f| f.ty.clone()).collect()
            }
            Type::Tuple(types) => types.clone(),
            Type::Stack(element, n) => {
                vec![(**element).clone(); (*n as usize).min(elements.len() + 1)]
            }
            Type::List(element) => vec![(**element).clone(); elements.len()],
            _ => return Err(e),
        };
        if let Type::Stack(_, n) = self.program.types.storage(to)
            && *n as usize != elements.len()
        {
            return Err(e);
        }
        if targets.len() != elements.len() {
            return Err(e);
        }
        let mut lowered = Vec::with_capacity(elements.len());
        for (element, target) in elements.into_iter().zip(&targets) {
            match self.try_coerce(element, target) {
                Ok(element) => lowered.push(element),
                Err(_) => return Err(e),
            }
        }
        let kind = match self.program.types.storage(to) {
            Type::Struct(_) => ExprKind::Struct(lowered),
            _ => ExprKind::Tuple(lowered),
        };
        let ty = self.settle(to);
        Ok(Expr { kind, ty, span })
    }

    /// `{ a = x, b = y }` as a struct or header.
    fn coerce_record(&mut self, e: Expr, to: &Type) -> Result<Expr, Expr> {
        let (ExprKind::Struct(values), Type::Record(written)) = (&e.kind, &e.ty) else {
            return Err(e);
        };
        let Type::Struct(id) = self.program.types.storage(to).clone() else { return Err(e) };
        let def = &self.program.types[id];
        if def.kind == StructKind::Union || def.fields.len() != written.len() {
            return Err(e);
        }
        let fields: Vec<_> = def.fields.iter().map(|f| (f.name.clone(), f.ty.clone())).collect();
        let positions: HashMap<&str, usize> =
            written.iter().enumerate().map(|(n, (name, _))| (&**name, n)).collect();
        let mut lowered = Vec::with_capacity(fields.len());
        let mut places = Vec::with_capacity(fields.len());
        for (name, ty) in &fields {
            let Some(&n) = positions.get(&**name) else { return Err(e) };
            match self.try_coerce(values[n].clone(), ty) {
                Ok(value) => lowered.push(value),
                Err(_) => return Err(e),
            }
            places.push(n);
        }
        let ty = self.settle(to);
        let kind = if places.is_sorted() || !lowered.iter().any(has_effects) {
            ExprKind::Struct(lowered)
        } else {
            let mut order: Vec<u32> = (0..places.len() as u32).collect();
            order.sort_by_key(|&field| places[field as usize]);
            ExprKind::StructInOrder(lowered, order)
        };
        Ok(Expr { kind, ty, span: e.span })
    }

    /// Whether an explicit cast between two types is legal (§8.11.1).
    pub(super) fn can_cast(&self, from: &Type, to: &Type) -> bool {
        use Type::*;
        if from == to {
            return true;
        }
        match (from, to) {
            (Unknown, _) | (_, Unknown) => true,
            (New(id), _) if self.can_cast(&self.program.types[*id].underlying, to) => true,
            (_, New(id)) => self.can_cast(from, &self.program.types[*id].underlying),
            (Enum(id), _) => match &self.program.types[*id].underlying {
                Some(underlying) => self.can_cast(underlying, to),
                None => false,
            },
            (_, Enum(id)) => match &self.program.types[*id].underlying {
                Some(underlying) => self.can_cast(from, underlying),
                None => false,
            },
            (Bit(_), Bit(_)) | (Signed(_), Signed(_)) => true,
            (Bit(a), Signed(b)) | (Signed(a), Bit(b)) => a == b,
            (Bit(1), Bool) | (Bool, Bit(1)) => true,
            (Int, Bit(_) | Signed(_) | Bool) => true,
            (Bit(_) | Signed(_), Int) => true,
            _ => false,
        }
    }
}
