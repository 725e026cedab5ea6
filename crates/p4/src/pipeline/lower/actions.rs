//! Actions of tables: graphs of their own, with the program's arguments bound.

use super::arguments::{Home, Passing};
use super::draft::{Draft, End};
use super::storage::{Purpose, Storage};
use super::{Binding, Lowered, Lowerer, Place};
use crate::check::control_plane_name;
use crate::ir;
use crate::pipeline::fields::{FieldRole, Scope};
use crate::pipeline::tables::{Action, ActionId, ActionParameter};
use crate::source::Span;

impl Lowerer<'_> {
    /// An action as a table of the control at work lists it.
    pub(super) fn table_action(
        &mut self,
        listed: &ir::TableAction,
        span: Span,
    ) -> Lowered<ActionId> {
        let action = &self.program[listed.action];
        let path = match action.control {
            Some(_) => self.program[self.instance].name.as_str(),
            None => "",
        };
        let name = control_plane_name(path, &action.name, &action.annotations);
        let draft = std::mem::replace(&mut self.draft, Draft::new());
        let flow = std::mem::take(&mut self.flow);
        let prefix = format!("{}.{}", self.prefix, action.name);
        let prefix = std::mem::replace(&mut self.prefix, prefix);
        let body = self.action_body(listed, action, span);
        let graph = self.finish_control(true);
        self.prefix = prefix;
        self.flow = flow;
        self.draft = draft;
        let id = ActionId(self.out.actions.len() as u32);
        let parameters = body?;
        self.out.actions.push(Action {
            name: name.into(),
            parameters,
            body: graph,
            span: action.span,
        });
        Ok(id)
    }

    fn action_body(
        &mut self,
        listed: &ir::TableAction,
        action: &ir::Action,
        span: Span,
    ) -> Lowered<Vec<ActionParameter>> {
        let mut parameters = Vec::new();
        for parameter in action.parameters.iter().skip(listed.bound.len()) {
            let variable = &self.program[parameter.var];
            let name = format!("{}.{}", self.prefix, variable.name);
            let purpose =
                Purpose { scope: Scope::Local, role: FieldRole::ActionData, span: variable.span };
            let storage = self.storage(&name, &parameter.ty, purpose)?;
            let mut fields = Vec::new();
            if !self.data_fields(&storage, &mut fields) {
                let message = format!(
                    "parameter `{}` of type {} of an action in a table",
                    variable.name,
                    self.program.types.display(&parameter.ty)
                );
                return self.refuse(variable.span, message);
            }
            parameters.push(ActionParameter {
                name: variable.name.clone(),
                width: fields.iter().map(|f| self.out[*f].width).sum(),
                fields,
            });
            let place = Place::of(storage);
            self.environment.insert(parameter.var, Binding::Place(place));
        }
        let reach = self.reach(listed.action);
        let passing = Passing {
            parameters: action.parameters.get(..listed.bound.len()).unwrap_or_default(),
            arguments: &listed.bound,
            reach: &reach,
            home: Home::Call,
            by_reference: true,
            span,
        };
        let results = self.pass(&passing)?;
        self.with_copy_out(&results, span, |lowerer| lowerer.body(&action.body, None, span))?;
        self.draft.end(End::Finish);
        Ok(parameters)
    }

    /// The scalars of action data; `false` if there are others.
    fn data_fields(&self, storage: &Storage, out: &mut Vec<super::FieldId>) -> bool {
        match storage {
            Storage::Scalar(field) => {
                out.push(*field);
                true
            }
            Storage::Struct(parts) => parts.iter().all(|p| self.data_fields(p, out)),
            _ => false,
        }
    }
}
