//! Parameters: what may be declared where (§6.8, §6.8.2, Appendix F).

use super::Checker;
use super::declarations::has_annotation;
use super::scope::Symbol;
use crate::ast::{self, Direction};
use crate::ir::{self, ApplyKind, Type, VariableKind};
use std::collections::HashSet;

/// Whose parameters are declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// `apply` of a parser, or a parser type.
    Parser,
    /// A parser's constructor.
    ParserConstructor,
    /// `apply` of a control, or a control type.
    Control,
    /// A control's constructor.
    ControlConstructor,
    /// A package's constructor.
    Package,
    /// An extern function or method.
    Extern,
    /// An extern object's constructor.
    ExternConstructor,
    /// A function with a body.
    Function,
    /// An action.
    Action,
}

impl Owner {
    fn describe(self) -> &'static str {
        match self {
            Owner::Parser => "a parser",
            Owner::ParserConstructor => "a parser's constructor",
            Owner::Control => "a control",
            Owner::ControlConstructor => "a control's constructor",
            Owner::Package => "a package",
            Owner::Extern => "an extern",
            Owner::ExternConstructor => "an extern's constructor",
            Owner::Function => "a function",
            Owner::Action => "an action",
        }
    }

    fn is_constructor(self) -> bool {
        use Owner::*;
        matches!(self, ParserConstructor | ControlConstructor | Package | ExternConstructor)
    }
}

impl<'a> Checker<'a> {
    /// Parameters of a declared signature.
    pub(super) fn signature_parameters(
        &mut self,
        written: &'a [ast::Parameter],
        owner: Owner,
    ) -> Vec<ir::ParameterDef> {
        let mut names: HashSet<&str> = HashSet::new();
        let mut out: Vec<ir::ParameterDef> = Vec::with_capacity(written.len());
        for p in written {
            self.check_annotations(&p.annotations);
            let ty = self.type_of(&p.ty);
            self.check_parameter_type(p, &ty, owner);
            if !names.insert(&p.name.name) {
                self.error(p.name.span, format!("parameter `{}` is declared twice", p.name.name));
            }
            let default = p.default.as_ref().map(|d| self.default_argument(p, d, &ty));
            let optional = has_annotation(&p.annotations, "optional");
            if optional && default.is_some() {
                self.error(p.span, "an `@optional` parameter cannot have a default value");
            }
            if optional && matches!(owner, Owner::Function | Owner::Action) {
                let message = format!("a parameter of {} cannot be `@optional`", owner.describe());
                self.error(p.span, message);
            }
            out.push(ir::ParameterDef {
                name: p.name.name.clone(),
                direction: p.direction,
                ty,
                optional,
                default,
                annotations: p.annotations.clone(),
                span: p.span,
            });
        }
        out
    }

    fn default_argument(
        &mut self,
        p: &'a ast::Parameter,
        d: &'a ast::Expression,
        ty: &Type,
    ) -> ir::Expr {
        if self.is_generic(ty) {
            // Its type is checked where the parameter's type is known: at each call.
            return self.expression(d, None);
        }
        if matches!(p.direction, Direction::Out | Direction::InOut) {
            self.error(
                d.span,
                "a parameter with direction `out` or `inout` cannot have a default value",
            );
        }
        let lowered = self.typed_expression(d, ty);
        if lowered.ty != Type::Unknown && !self.is_compile_time(&lowered) {
            self.error(d.span, "a default value must be a compile-time constant");
        }
        lowered
    }

    fn check_parameter_type(&mut self, p: &'a ast::Parameter, ty: &Type, owner: Owner) {
        let shallow = self.shallow(ty);
        let kind = match &shallow {
            Type::Parser(_) => Some(ApplyKind::Parser),
            Type::Control(_) => Some(ApplyKind::Control),
            Type::Apply(id, _) => Some(self.program.types[*id].kind),
            _ => None,
        };
        let legal_object = match kind {
            None => true,
            Some(_) if owner == Owner::Package => true,
            Some(ApplyKind::Parser) => owner == Owner::ParserConstructor,
            Some(ApplyKind::Control) => owner == Owner::ControlConstructor,
            Some(ApplyKind::Package) => false,
        };
        let (shown, holder) = (self.show(ty), owner.describe());
        if !legal_object || (owner == Owner::Action && matches!(shallow, Type::Extern(..))) {
            self.error(p.span, format!("a parameter of {holder} cannot have type `{shown}`"));
            return;
        }
        if p.direction != Direction::None {
            let compile_time =
                matches!(shallow, Type::Extern(..) | Type::String | Type::Int | Type::List(_))
                    || kind.is_some();
            if compile_time || owner.is_constructor() {
                let why = if owner.is_constructor() {
                    format!("a parameter of {holder} cannot have a direction")
                } else {
                    format!("a parameter of type `{shown}` cannot have a direction")
                };
                self.error(p.span, why);
                return;
            }
        }
        if shallow == Type::Void {
            self.error(p.span, "a parameter cannot have type `void`");
        } else if shallow == Type::Int && owner == Owner::Action {
            self.error(p.span, "an action's parameter cannot have type `int`, which has no width");
        }
    }

    /// Parameters of something with a body: checks, variables, names in scope. Also gives them as
    /// callers see them, with names and defaults.
    pub(super) fn parameters(
        &mut self,
        written: &'a [ast::Parameter],
        owner: Owner,
    ) -> (Vec<ir::Parameter>, Vec<ir::ParameterDef>) {
        let defined = self.signature_parameters(written, owner);
        let declare = |(p, def): (&'a ast::Parameter, &ir::ParameterDef)| {
            let kind = match owner.is_constructor() {
                true => VariableKind::ConstructorParameter,
                false => VariableKind::Parameter(p.direction),
            };
            let var = self.variable(&p.name, def.ty.clone(), kind);
            // Twins were reported with the signature.
            self.scopes.declare(&p.name.name, Symbol::Var(var), p.name.span);
            let annotations = p.annotations.clone();
            ir::Parameter { var, direction: p.direction, ty: def.ty.clone(), annotations }
        };
        let parameters = written.iter().zip(&defined).map(declare).collect();
        (parameters, defined)
    }
}
