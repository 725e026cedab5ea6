//! Controls (§14).

use super::Checker;
use super::constructors::Head;
use super::context::{Context, Place};
use super::parameters::Owner;
use super::scope::Symbol;
use crate::ast::{self, Annotation, DeclarationKind};
use crate::ir::{self, ControlId, Local, Type};

impl<'a> Checker<'a> {
    pub(super) fn control_declaration(
        &mut self,
        c: &'a ast::ControlDeclaration,
        annotations: &'a [Annotation],
    ) {
        let id = ControlId(self.program.controls.len() as u32);
        let context =
            Context { place: Place::ControlLocals, control: Some(id), ..Context::default() };
        let outer = std::mem::replace(&mut self.context, context);
        if let Some(first) = c.head.type_parameters.first() {
            self.error(first.span, "a control declaration cannot have type parameters");
        }
        self.scopes.push();
        self.type_parameters(&c.head.type_parameters);
        let constructor_defs =
            self.signature_parameters(&c.constructor_parameters, Owner::ControlConstructor);
        let constructor = self.parameters(&c.constructor_parameters, Owner::ControlConstructor);
        let apply_defs = self.signature_parameters(&c.head.parameters, Owner::Control);
        self.forbid_shared_names(&c.constructor_parameters, &c.head.parameters);
        let parameters = self.parameters(&c.head.parameters, Owner::Control);
        self.program.controls.push(ir::Control {
            name: c.head.name.name.clone(),
            parameters,
            constructor,
            locals: Vec::new(),
            actions: Vec::new(),
            tables: Vec::new(),
            body: ir::Block::default(),
            annotations: annotations.to_vec(),
            span: c.head.name.span,
        });
        self.control_heads.push(Head { apply: apply_defs, constructor: constructor_defs });
        let outer_nameless = std::mem::take(&mut self.nameless);
        self.scopes.push();
        let mut locals = Vec::new();
        for d in &c.locals {
            self.check_annotations(&d.annotations);
            match &d.kind {
                DeclarationKind::Variable(v) => {
                    let (var, init) = self.variable_declaration(v);
                    locals.push(Local::Variable(var, init));
                }
                DeclarationKind::Constant { ty, name, value } => {
                    self.constant_declaration(ty, name, value)
                }
                DeclarationKind::Instantiation(i) => {
                    if let Some(declared) = self.instantiation(i, &d.annotations, d.span) {
                        locals.push(Local::Instance(declared));
                    }
                }
                DeclarationKind::Action(a) => {
                    let action = self.action_declaration(a, &d.annotations, Some(id));
                    self.program[id].actions.push(action);
                }
                DeclarationKind::Table(t) => {
                    self.context.place = Place::Table;
                    let table = self.table_declaration(t, &d.annotations, id);
                    self.context.place = Place::ControlLocals;
                    self.program[id].tables.push(table);
                }
                _ => self.error(d.span, "this declaration is not legal in a control"),
            }
        }
        self.context.place = Place::ControlApply;
        self.context.return_type = Some(Type::Void);
        let body = self.body(&c.body);
        self.scopes.pop();
        self.scopes.pop();
        locals.extend(
            std::mem::replace(&mut self.nameless, outer_nameless).into_iter().map(Local::Instance),
        );
        self.context = outer;
        let control = &mut self.program[id];
        (control.locals, control.body) = (locals, body);
        self.declare(&c.head.name, Symbol::Control(id));
    }
}
