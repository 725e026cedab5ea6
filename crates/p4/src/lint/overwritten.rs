//! Fields that the switch sets itself between two blocks, written by the program in a block before: the value is lost.
//! Which field and which block is in the description of the architecture.

use super::{Lint, Sink};
use crate::architecture::{self, Meaning, Role, Writer, bind_parameters};
use crate::diagnostic::Diagnostic;
use crate::ir::visit::{self, Visitor};
use crate::ir::{
    Call, Callee, ControlId, Direction, Expr, ExprKind, InstanceKind, Program, Stmt, StmtKind,
    StructId, Type,
};
use std::collections::HashSet;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    let Ok((architecture, blocks)) = architecture::bind(program) else { return };
    let Some(output) = architecture.named(Meaning::OutputPort) else { return };
    let is_port = |f: &&architecture::IntrinsicField| {
        f.meaning == Meaning::EgressPort && f.writer == Writer::Switch
    };
    for field in architecture.intrinsic.iter().filter(is_port) {
        let Some(written_at) = architecture.block(field.block) else { continue };
        let mut before = HashSet::new();
        let mut behind = HashSet::new();
        let mut structs = HashSet::new();
        for block in &blocks {
            let position = architecture.block(block.description.parameter).unwrap_or(written_at);
            let InstanceKind::Control(id) = program[block.instance].kind else { continue };
            let reached = if position < written_at { &mut before } else { &mut behind };
            collect(program, id, reached);
            let parameters = bind_parameters(program, block.instance).iter();
            for (p, role) in parameters.zip(block.description.roles) {
                if let (Role::Intrinsic, Type::Struct(id)) = (role, &p.ty) {
                    structs.insert(*id);
                }
            }
        }
        let help = format!("the output port is chosen with `{output}`");
        let mut search = Search { program, sink, field: field.name, structs, help };
        for id in before.difference(&behind) {
            let control = &program[*id];
            visit::block(&mut search, &control.body);
            control.actions.iter().for_each(|&a| visit::block(&mut search, &program[a].body));
        }
    }
}

/// A control and all that it applies.
fn collect(program: &Program, id: ControlId, found: &mut HashSet<ControlId>) {
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        visit::calls_in(&program[id].body, &mut |call: &Call| {
            if let Callee::Apply(object) = &call.callee
                && let Type::Control(inner) = object.ty
            {
                open.push(inner);
            }
        });
    }
}

struct Search<'a, 's> {
    program: &'a Program,
    sink: &'a mut Sink<'s>,
    field: &'static str,
    structs: HashSet<StructId>,
    help: String,
}

impl Search<'_, '_> {
    fn written(&mut self, e: &Expr) {
        let e = match &e.kind {
            ExprKind::Slice { base, .. } => base,
            _ => e,
        };
        let ExprKind::Field(base, n) = &e.kind else { return };
        let Type::Struct(id) = base.ty else { return };
        let is_field = self.structs.contains(&id)
            && self.program.types[id]
                .fields
                .get(*n as usize)
                .is_some_and(|field| &*field.name == self.field);
        if is_field {
            let message = format!("what is written to `{}` here is lost", self.field);
            let d = Diagnostic::warning(e.span, message)
                .label("the switch sets this field itself before a later block")
                .help(self.help.clone());
            self.sink.warn(Lint::OverwrittenField, d);
        }
    }
}

impl Visitor for Search<'_, '_> {
    fn statement(&mut self, s: &Stmt) {
        if let StmtKind::Assign { left, .. } = &s.kind {
            self.written(left);
        }
    }

    fn call(&mut self, c: &Call) {
        for a in &c.arguments {
            if let (Direction::Out | Direction::InOut, Some(value)) = (a.direction, &a.value) {
                self.written(value);
            }
        }
    }
}
