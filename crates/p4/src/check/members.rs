//! Members: fields, enum members, stack properties, results of `apply` (§8.3, §8.13, §8.18).

use super::Checker;
use super::context::Place;
use super::expressions::constant;
use super::scope::Symbol;
use crate::ast::{Expression, ExpressionKind, Ident, Name, TypeExprKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{Callee, Const, EnumId, Expr, ExprKind, StructId, Type};
use crate::source::Span;

/// Up to this many members or fields are looked through; more are indexed by name.
const FEW: usize = 32;

/// What has members or fields.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Holder {
    Enum(EnumId),
    Struct(StructId),
}

impl<'a> Checker<'a> {
    /// `base.member`, not called.
    pub(super) fn member(&mut self, base: &'a Expression, member: &'a Ident, span: Span) -> Expr {
        if let Some(ty) = self.type_named_by(base) {
            return self.type_member(&ty, member, span);
        }
        let lowered = self.expression(base, None);
        self.value_member(lowered, member, span)
    }

    /// The type that an expression names, if it is one.
    pub(super) fn type_named_by(&mut self, e: &'a Expression) -> Option<Type> {
        match &e.kind {
            ExpressionKind::Type(written) => Some(match &written.kind {
                TypeExprKind::Error => Type::Error,
                _ => self.type_of(written),
            }),
            ExpressionKind::Name(path) => match self.lookup(path)? {
                Symbol::Type(ty) => Some(ty),
                Symbol::Struct(n) if self.structs[n].parameters.is_empty() => {
                    Some(Type::Struct(self.instantiate_struct(n, Vec::new())))
                }
                Symbol::Parser(id) => Some(Type::Parser(id)),
                Symbol::Control(id) => Some(Type::Control(id)),
                symbol if symbol.is_type() => Some(Type::Unknown),
                _ => None,
            },
            _ => None,
        }
    }

    /// Which member of an enum has a name.
    fn position_of_member(&mut self, id: EnumId, name: &Name) -> Option<usize> {
        let members = &self.program.types[id].members;
        if members.len() <= FEW {
            return members.iter().position(|m| m.name == *name);
        }
        // A member's value may use those before it: the list grows while it is looked at.
        let index = self.positions.entry(Holder::Enum(id)).or_default();
        for (n, member) in members.iter().enumerate().skip(index.len()) {
            index.entry(member.name.clone()).or_insert(n);
        }
        index.get(name).copied()
    }

    /// Which field of a struct has a name.
    fn position_of_field(&mut self, id: StructId, name: &Name) -> Option<usize> {
        let fields = &self.program.types[id].fields;
        if fields.len() <= FEW {
            return fields.iter().position(|f| f.name == *name);
        }
        let index = self.positions.entry(Holder::Struct(id)).or_insert_with(|| {
            let numbered = fields.iter().enumerate().rev();
            numbered.map(|(n, f)| (f.name.clone(), n)).collect()
        });
        index.get(name).copied()
    }

    fn type_member(&mut self, ty: &Type, member: &'a Ident, span: Span) -> Expr {
        match self.shallow(ty) {
            Type::Error => match self.error_codes.get(&member.name).copied() {
                Some(code) => constant(Const::Error(code), Type::Error, span),
                None => {
                    let known = self.program.errors.iter().map(|n| &**n);
                    let near = Self::nearest(&mut self.compared, &member.name, known);
                    let d = Diagnostic::error(
                        member.span,
                        format!("`error` has no member `{}`", member.name),
                    );
                    self.report(match near {
                        Some(near) => d.help(format!("did you mean `{near}`?")),
                        None => d,
                    });
                    self.broken(span)
                }
            },
            Type::Enum(id) => {
                let found = self.position_of_member(id, &member.name);
                let def = &self.program.types[id];
                if let Some(n) = found {
                    let value = match &def.members[n].value {
                        Some(value) => Const::Int(value.clone()),
                        None => Const::Member(n as u32),
                    };
                    return constant(value, Type::Enum(id), span);
                }
                let known = def.members.iter().map(|m| &*m.name);
                let near = Self::nearest(&mut self.compared, &member.name, known);
                let d = Diagnostic::error(
                    member.span,
                    format!("enum `{}` has no member `{}`", def.name, member.name),
                );
                self.report(match near {
                    Some(near) => d.help(format!("did you mean `{near}`?")),
                    None => d,
                });
                self.broken(span)
            }
            other => {
                let message =
                    format!("type `{}` has no member `{}`", self.show(&other), member.name);
                self.broken_with(member.span, message)
            }
        }
    }

    fn value_member(&mut self, base: Expr, member: &'a Ident, span: Span) -> Expr {
        let ty = self.shallow(&base.ty);
        if ty == Type::Unknown {
            return self.broken(span);
        }
        if let ExprKind::Call(call) = &base.kind
            && let Callee::Table(table) = call.callee
        {
            let (kind, ty) = match &*member.name {
                "hit" => (ExprKind::TableHit(table), Type::Bool),
                "miss" => (ExprKind::TableMiss(table), Type::Bool),
                "action_run" => (ExprKind::TableActionRun(table), Type::ActionRun(table)),
                _ => {
                    let d = Diagnostic::error(
                        member.span,
                        format!("the result of a table's `apply` has no member `{}`", member.name),
                    )
                    .label("has `hit`, `miss` and `action_run`");
                    self.report(d);
                    return self.broken(span);
                }
            };
            return Expr { kind, ty, span };
        }
        match &ty {
            Type::Struct(id) => self.field(base, *id, member, span),
            Type::Stack(..) => self.stack_member(base, member, span),
            Type::Record(fields) => {
                if let (Some(n), ExprKind::Struct(values)) =
                    (fields.iter().position(|(name, _)| *name == member.name), &base.kind)
                {
                    return Expr { span, ..values[n].clone() };
                }
                self.broken_with(member.span, format!("no field `{}` here", member.name))
            }
            _ => {
                let message = format!("`{}` has no member `{}`", self.show(&ty), member.name);
                self.broken_with(member.span, message)
            }
        }
    }

    fn field(
        &mut self,
        base: Expr,
        id: crate::ir::StructId,
        member: &'a Ident,
        span: Span,
    ) -> Expr {
        let found = self.position_of_field(id, &member.name);
        let def = &self.program.types[id];
        let Some(n) = found else {
            let message = format!("`{}` has no field `{}`", def.name, member.name);
            let mut d = Diagnostic::error(member.span, message);
            let known = def.fields.iter().map(|f| &*f.name);
            if let Some(near) = Self::nearest(&mut self.compared, &member.name, known) {
                d = d.help(format!("did you mean `{near}`?"));
            } else if matches!(&*member.name, "isValid" | "setValid" | "setInvalid") {
                d = d.help(format!("it is a method of headers: `{}()`", member.name));
            }
            self.report(d);
            return self.broken(span);
        };
        let ty = def.fields[n].ty.clone();
        match &base.kind {
            // A field of a constant is a constant.
            ExprKind::Struct(values) if self.is_compile_time(&base) => {
                Expr { span, ..values[n].clone() }
            }
            ExprKind::Const(Const::Aggregate(values)) => constant(values[n].clone(), ty, span),
            _ => Expr { kind: ExprKind::Field(Box::new(base), n as u32), ty, span },
        }
    }

    fn stack_member(&mut self, base: Expr, member: &'a Ident, span: Span) -> Expr {
        let Type::Stack(element, size) = self.shallow(&base.ty) else { return self.broken(span) };
        let in_parser = matches!(self.context.place, Place::ParserState);
        let parser_only = |checker: &mut Self, kind: ExprKind, ty: Type| {
            if !in_parser {
                let message = format!(
                    "`{}` of a header stack can only be used in a parser state",
                    member.name
                );
                return checker.broken_with(span, message);
            }
            Expr { kind, ty, span }
        };
        match &*member.name {
            "next" => parser_only(self, ExprKind::Next(Box::new(base)), *element),
            "last" => parser_only(self, ExprKind::Last(Box::new(base)), *element),
            "lastIndex" => parser_only(self, ExprKind::LastIndex(Box::new(base)), Type::Bit(32)),
            "size" => constant(Const::Int(size.into()), Type::Bit(32), span),
            _ => {
                let d = Diagnostic::error(
                    member.span,
                    format!("a header stack has no member `{}`", member.name),
                )
                .label("has `next`, `last`, `lastIndex`, `size`, `push_front` and `pop_front`");
                self.report(d);
                self.broken(span)
            }
        }
    }
}
