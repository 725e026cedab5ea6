//! Actions (§14.1).

use super::Checker;
use super::context::{Context, Place};
use super::parameters::Owner;
use super::scope::Symbol;
use crate::ast::{self, Annotation, Direction};
use crate::ir::{self, ActionId, ControlId, Type};

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
            Context {
                place: Place::Action,
                control,
                return_type: Some(Type::Void),
                ..Context::default()
            },
        );
        self.scopes.push();
        let (parameters, head) = self.parameters(&a.parameters, Owner::Action);
        let first_data = a.parameters.iter().position(|p| p.direction == Direction::None);
        if let Some(n) = first_data {
            for p in a.parameters[n..].iter().filter(|p| p.direction != Direction::None) {
                let message =
                    format!("parameter `{}` with a direction follows one without", p.name.name);
                self.error(p.span, message);
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
        self.action_heads.push(head);
        self.declare(&a.name, Symbol::Action(id));
        id
    }
}
