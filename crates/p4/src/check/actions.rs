//! Actions (§14.1).

use super::context::{Context, Place};
use super::declarations::has_annotation;
use super::scope::Symbol;
use super::Checker;
use crate::ast::{self, Annotation, Direction};
use crate::ir::{self, ActionId, ControlId, Type, VariableKind};

impl<'a> Checker<'a> {
    /// `action a(..) { .. }`, at the top level or in a control.
    pub(super) fn action_declaration(
        &mut self,
        a: &'a ast::ActionDeclaration,
        annotations: &'a [Annotation],
        control: Option<ControlId>,
    ) -> ActionId {
        let outer = std::mem::replace(
            &mut self.context,
            Context { place: Place::Action, control, return_type: Some(Type::Void), ..Context::default() },
        );
        self.scopes.push();
        let parameters = self.parameters(&a.parameters);
        let first_data = a.parameters.iter().position(|p| p.direction == Direction::None);
        if let Some(n) = first_data {
            for p in a.parameters[n..].iter().filter(|p| p.direction != Direction::None) {
                let message = format!("parameter `{}` with a direction follows one without", p.name.name);
                self.error(p.span, message);
            }
        }
        for (p, written) in parameters.iter().zip(&a.parameters) {
            if matches!(self.shallow(&p.ty), Type::Extern(..) | Type::Apply(..) | Type::Parser(_) | Type::Control(_))
            {
                let message = format!("parameter `{}` of an action cannot be an object", written.name.name);
                self.error(written.span, message);
            }
        }
        let body = self.body(&a.body);
        self.scopes.pop();
        self.context = outer;
        let id = ActionId(self.program.actions.len() as u32);
        self.program.actions.push(ir::Action {
            name: a.name.name.clone(),
            control,
            parameters,
            body,
            annotations: annotations.to_vec(),
            span: a.name.span,
        });
        self.declare(&a.name, Symbol::Action(id));
        id
    }

    /// Parameters of something with a body: signature checks, variables, names in scope.
    pub(super) fn parameters(&mut self, written: &'a [ast::Parameter]) -> Vec<ir::Parameter> {
        let defined = self.signature_parameters(written);
        let declare = |(p, def): (&'a ast::Parameter, ir::ParameterDef)| {
            let var = self.variable(&p.name, def.ty.clone(), VariableKind::Parameter(p.direction));
            // Twins were reported with the signature.
            self.scopes.declare(&p.name.name, Symbol::Var(var), p.name.span);
            ir::Parameter { var, direction: p.direction, ty: def.ty, annotations: p.annotations.clone() }
        };
        written.iter().zip(defined).map(declare).collect()
    }

    /// Constructor parameters.
    pub(super) fn constructor_parameters(&mut self, written: &'a [ast::Parameter]) -> Vec<ir::Parameter> {
        let parameters = self.parameters(written);
        for (p, written) in parameters.iter().zip(written) {
            self.program[p.var].kind = VariableKind::ConstructorParameter;
            if p.direction != Direction::None {
                self.error(written.span, "a constructor parameter cannot have a direction");
            }
            if has_annotation(&written.annotations, "optional") && written.default.is_some() {
                self.error(written.span, "an `@optional` parameter cannot have a default value");
            }
        }
        parameters
    }
}
