//! Controls (§14).

use super::Checker;
use super::constructors::Head;
use super::context::{Context, Place};
use super::parameters::Owner;
use super::scope::Symbol;
use crate::ast::{self, Annotation, DeclarationKind};
use crate::diagnostic::Diagnostic;
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
        let (constructor, constructor_defs) =
            self.parameters(&c.constructor_parameters, Owner::ControlConstructor);
        self.forbid_shared_names(&c.constructor_parameters, &c.head.parameters);
        let (parameters, apply_defs) = self.parameters(&c.head.parameters, Owner::Control);
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
        self.ahead.push(&c.locals);
        for d in &c.locals {
            self.check_annotations(&d.annotations);
            match &d.kind {
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
                _ => locals.extend(self.local_declaration(d, "in a control")),
            }
        }
        self.context.place = Place::ControlApply;
        self.context.return_type = Some(Type::Void);
        let body = self.body(&c.body);
        self.ahead.pop();
        self.scopes.pop();
        self.scopes.pop();
        locals.extend(
            std::mem::replace(&mut self.nameless, outer_nameless).into_iter().map(Local::Instance),
        );
        self.context = outer;
        self.distinct_applications(&locals);
        let control = &mut self.program[id];
        (control.locals, control.body) = (locals, body);
        self.declare(&c.head.name, Symbol::Control(id));
    }

    /// A control with tables can be applied directly by its name once only: a second nameless
    /// instance would have tables with the same names (§15.1).
    fn distinct_applications(&mut self, locals: &[Local]) {
        let mut seen: Vec<(ControlId, crate::source::Span)> = Vec::new();
        for local in locals {
            let Local::Instance(d) = local else { continue };
            let Type::Control(id) = d.ty else { continue };
            if d.name != self.program[id].name || !self.holds_tables(id) {
                continue;
            }
            if let Some((_, first)) = seen.iter().find(|(other, _)| *other == id) {
                let message =
                    format!("control `{}`, which has tables, is applied twice by name", d.name);
                let e = Diagnostic::error(d.span, message)
                    .label("its tables would have the same names")
                    .also(*first, "first application")
                    .help("declare two instances with names of their own");
                self.report(e);
            }
            seen.push((id, d.span));
        }
    }

    fn holds_tables(&self, id: ControlId) -> bool {
        let control = &self.program[id];
        !control.tables.is_empty()
            || control.locals.iter().any(|l| match l {
                Local::Instance(d) => {
                    matches!(d.ty, Type::Control(inner) if self.holds_tables(inner))
                }
                _ => false,
            })
    }
}
