//! The walk over statements: which paths lead on, and what is written on each.

use super::{Flow, LoopExits, join};
use crate::ir::{Block, Collection, Const, Expr, ExprKind, Stmt, StmtKind, SwitchCase, Type};

impl Flow<'_, '_> {
    pub(super) fn block(&mut self, b: &Block) {
        self.statements(&b.statements);
    }

    pub(super) fn statements(&mut self, list: &[Stmt]) {
        list.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Declare { var, init } => {
                init.iter().for_each(|e| self.read(e));
                if let Some(slots) = self.slots.of(*var) {
                    match init {
                        Some(_) => self.wrote(slots),
                        None => self.forget(slots),
                    }
                }
            }
            StmtKind::Instance(_) => {}
            StmtKind::Assign { op, left, right } => {
                if op.is_some() {
                    self.read(left);
                }
                self.read(right);
                self.write(left);
            }
            StmtKind::Call(c) => self.call(c),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { condition, then, otherwise } => {
                self.read(condition);
                let before = self.state.clone();
                let known = match &condition.kind {
                    ExprKind::Const(Const::Bool(value)) => Some(*value),
                    _ => None,
                };
                if known == Some(false) {
                    self.state = None;
                }
                self.block(then);
                let after = std::mem::replace(&mut self.state, before);
                if known == Some(true) {
                    self.state = None;
                }
                otherwise.iter().for_each(|b| self.block(b));
                self.state = join(after, self.state.take());
            }
            StmtKind::Switch { value, cases } => self.switch(value, cases),
            StmtKind::Return(value) => {
                value.iter().for_each(|e| self.read(e));
                self.state = None;
            }
            StmtKind::Exit => self.state = None,
            StmtKind::For { init, condition, update, body } => {
                self.statements(init);
                self.read(condition);
                let before = self.state.clone();
                self.loops.push(LoopExits::default());
                self.block(body);
                let exits = self.loops.pop().unwrap_or_default();
                self.state = join(self.state.take(), exits.continues);
                self.statements(update);
                self.state = join(self.state.take().or(before), exits.breaks);
            }
            StmtKind::ForIn { variable, collection, body } => {
                match collection {
                    Collection::Range(lo, hi) => {
                        self.read(lo);
                        self.read(hi);
                    }
                    Collection::Elements(e) => self.read(e),
                }
                let before = self.state.clone();
                self.write(variable);
                self.loops.push(LoopExits::default());
                self.block(body);
                let exits = self.loops.pop().unwrap_or_default();
                self.state = join(self.state.take(), exits.continues).or(before);
                self.state = join(self.state.take(), exits.breaks);
            }
            StmtKind::Break => {
                let state = self.state.take();
                if let Some(exits) = self.loops.last_mut() {
                    exits.breaks = join(exits.breaks.take(), state);
                }
            }
            StmtKind::Continue => {
                let state = self.state.take();
                if let Some(exits) = self.loops.last_mut() {
                    exits.continues = join(exits.continues.take(), state);
                }
            }
        }
    }

    fn switch(&mut self, value: &Expr, cases: &[SwitchCase]) {
        self.read(value);
        let labels: usize = cases.iter().map(|c| c.labels.len()).sum();
        let possible = match &value.ty {
            Type::ActionRun(t) => Some(self.program[*t].actions.len()),
            Type::Enum(id) if self.program.types[*id].underlying.is_none() => {
                Some(self.program.types[*id].members.len())
            }
            Type::Bool => Some(2),
            _ => None,
        };
        let complete = cases.iter().any(|c| c.is_default) || possible == Some(labels);
        let before = self.state.clone();
        let mut after = if complete { None } else { before.clone() };
        for case in cases {
            self.state = before.clone();
            self.block(&case.body);
            after = join(after, self.state.take());
        }
        self.state = after;
    }
}
