//! Which expressions do more than have a value, and what actions may touch.

use super::{Binding, Lowerer};
use crate::ir::{ActionId, Block, Call, Callee, Collection, Expr, ExprKind, Stmt, StmtKind};
use crate::pipeline::fields::FieldId;
use std::collections::HashSet;

pub(super) use crate::ir::visit::has_effects;

impl Lowerer<'_> {
    /// The fields of variables around an action that its body, or what it calls, mentions.
    pub(super) fn reach(&self, action: ActionId) -> HashSet<FieldId> {
        let mut walk = Reach { lowerer: self, fields: HashSet::new(), actions: HashSet::new() };
        walk.action(action);
        walk.fields
    }
}

struct Reach<'a, 'p> {
    lowerer: &'a Lowerer<'p>,
    fields: HashSet<FieldId>,
    /// Those that were looked at.
    actions: HashSet<ActionId>,
}

impl Reach<'_, '_> {
    fn action(&mut self, id: ActionId) {
        if self.actions.insert(id) {
            self.block(&self.lowerer.program[id].body);
        }
    }

    fn block(&mut self, block: &Block) {
        block.statements.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Declare { init, .. } => self.optional(init.as_ref()),
            StmtKind::Instance(_) | StmtKind::Exit | StmtKind::Break | StmtKind::Continue => {}
            StmtKind::Assign { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                if let Some(block) = otherwise {
                    self.block(block);
                }
            }
            StmtKind::Switch { value, cases } => {
                self.expr(value);
                cases.iter().for_each(|case| self.block(&case.body));
            }
            StmtKind::Return(value) => self.optional(value.as_ref()),
            StmtKind::For { init, condition, update, body } => {
                init.iter().chain(update).for_each(|s| self.statement(s));
                self.expr(condition);
                self.block(body);
            }
            StmtKind::ForIn { variable, collection, body } => {
                self.expr(variable);
                match collection {
                    Collection::Range(low, high) => {
                        self.expr(low);
                        self.expr(high);
                    }
                    Collection::Elements(list) => self.expr(list),
                }
                self.block(body);
            }
        }
    }

    fn optional(&mut self, e: Option<&Expr>) {
        if let Some(e) = e {
            self.expr(e);
        }
    }

    fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Method { object: Some(base), .. }
            | Callee::Apply(base)
            | Callee::IsValid(base)
            | Callee::SetValid(base)
            | Callee::SetInvalid(base)
            | Callee::PushFront(base, _)
            | Callee::PopFront(base, _) => self.expr(base),
            Callee::Action(id) => self.action(*id),
            Callee::ExternFunction(_) => {
                // `mark_to_drop()` reaches the intrinsic metadata without being told of it.
                for (_, field) in &self.lowerer.out.intrinsic {
                    self.fields.insert(*field);
                }
            }
            Callee::Method { object: None, .. } | Callee::Function(_) | Callee::Table(_) => {}
        }
        for argument in &call.arguments {
            self.optional(argument.value.as_ref());
        }
    }

    /// The fields at the end of a path of fields from a variable; the whole variable otherwise.
    fn expr(&mut self, e: &Expr) {
        if let Some(place) = self.path(e) {
            for storage in &place.alternatives {
                self.lowerer.for_each_field(storage, &mut |f| {
                    self.fields.insert(f);
                });
            }
            self.fields.extend(&place.guards);
            return;
        }
        match &e.kind {
            ExprKind::Call(call) => self.call(call),
            ExprKind::Field(a, _)
            | ExprKind::TupleField(a, _)
            | ExprKind::LastIndex(a)
            | ExprKind::Next(a)
            | ExprKind::Last(a)
            | ExprKind::Slice { base: a, .. }
            | ExprKind::Unary(_, a)
            | ExprKind::Cast(a) => self.expr(a),
            ExprKind::Element(a, b) | ExprKind::Binary(_, a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Conditional(a, b, c) => {
                self.expr(a);
                self.expr(b);
                self.expr(c);
            }
            ExprKind::Struct(items)
            | ExprKind::StructInOrder(items, _)
            | ExprKind::Tuple(items) => {
                items.iter().for_each(|i| self.expr(i));
            }
            _ => {}
        }
    }

    fn path(&self, e: &Expr) -> Option<super::places::Place> {
        match &e.kind {
            ExprKind::Var(var) => match self.lowerer.environment.get(var) {
                Some(Binding::Place(place)) => Some(place.clone()),
                _ => None,
            },
            ExprKind::Field(base, n) | ExprKind::TupleField(base, n) => {
                let base = self.path(base)?;
                // A member of a union reaches the others.
                if matches!(base.alternatives.first(), Some(super::storage::Storage::Union(_))) {
                    return Some(base);
                }
                Some(self.lowerer.part(&base, *n as usize))
            }
            _ => None,
        }
    }
}
