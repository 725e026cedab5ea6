//! Finds all calls in a program's bodies, for questions about the whole program.

use ww_p4::ir::{
    Block, Call, Callee, Collection, Expr, ExprKind, KeySet, Local, Program, Stmt, StmtKind,
    Transition,
};

/// Calls `visit` with every call in `program`, nested ones after the one around them.
pub fn for_each_call<'p>(program: &'p Program, visit: &mut dyn FnMut(&'p Call)) {
    let mut walk = Walk { visit };
    for function in &program.functions {
        walk.block(&function.body);
    }
    for action in &program.actions {
        walk.block(&action.body);
    }
    for table in &program.tables {
        for key in &table.keys {
            walk.expr(&key.value);
        }
        for action in &table.actions {
            for argument in &action.bound {
                walk.optional(argument.value.as_ref());
            }
        }
    }
    for parser in &program.parsers {
        walk.locals(&parser.locals);
        for state in &parser.states {
            walk.statements(&state.body);
            if let Transition::Select { values, cases } = &state.transition {
                values.iter().for_each(|v| walk.expr(v));
                cases.iter().flat_map(|c| &c.sets).for_each(|s| walk.set(s));
            }
        }
    }
    for control in &program.controls {
        walk.locals(&control.locals);
        walk.block(&control.body);
    }
}

struct Walk<'v, 'p> {
    visit: &'v mut dyn FnMut(&'p Call),
}

impl<'p> Walk<'_, 'p> {
    fn locals(&mut self, locals: &'p [Local]) {
        for local in locals {
            if let Local::Variable(_, Some(init)) = local {
                self.expr(init);
            }
        }
    }

    fn block(&mut self, block: &'p Block) {
        self.statements(&block.statements);
    }

    fn statements(&mut self, statements: &'p [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'p Stmt) {
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
                self.statements(init);
                self.expr(condition);
                self.statements(update);
                self.block(body);
            }
            StmtKind::ForIn { variable, collection, body } => {
                self.expr(variable);
                match collection {
                    Collection::Range(lo, hi) => {
                        self.expr(lo);
                        self.expr(hi);
                    }
                    Collection::Elements(list) => self.expr(list),
                }
                self.block(body);
            }
        }
    }

    fn optional(&mut self, expr: Option<&'p Expr>) {
        if let Some(expr) = expr {
            self.expr(expr);
        }
    }

    fn set(&mut self, set: &'p KeySet) {
        match set {
            KeySet::Any => {}
            KeySet::Value(a) | KeySet::ValueSet(a) => self.expr(a),
            KeySet::Mask(a, b) | KeySet::Range(a, b) => {
                self.expr(a);
                self.expr(b);
            }
        }
    }

    fn call(&mut self, call: &'p Call) {
        (self.visit)(call);
        match &call.callee {
            Callee::Method { object: Some(base), .. }
            | Callee::Apply(base)
            | Callee::IsValid(base)
            | Callee::SetValid(base)
            | Callee::SetInvalid(base)
            | Callee::PushFront(base, _)
            | Callee::PopFront(base, _) => self.expr(base),
            Callee::Method { object: None, .. }
            | Callee::Function(_)
            | Callee::Action(_)
            | Callee::ExternFunction(_)
            | Callee::Table(_) => {}
        }
        for argument in &call.arguments {
            self.optional(argument.value.as_ref());
        }
    }

    fn expr(&mut self, expr: &'p Expr) {
        match &expr.kind {
            ExprKind::Const(_)
            | ExprKind::Var(_)
            | ExprKind::Invalid
            | ExprKind::Default
            | ExprKind::TableHit(_)
            | ExprKind::TableMiss(_)
            | ExprKind::TableActionRun(_)
            | ExprKind::Construct(_) => {}
            ExprKind::Field(a, _)
            | ExprKind::TupleField(a, _)
            | ExprKind::Next(a)
            | ExprKind::Last(a)
            | ExprKind::LastIndex(a)
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
                items.iter().for_each(|item| self.expr(item));
            }
            ExprKind::Call(call) => self.call(call),
        }
    }
}
