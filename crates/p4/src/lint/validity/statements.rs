//! The walk over statements and conditions: what each path knows about headers.

use super::paths::may_hold_headers;
use super::{Flow, State, Validity, join};
use crate::ir::{
    BinaryOp, Block, Callee, Collection, Const, Expr, ExprKind, Stmt, StmtKind, UnaryOp,
};

impl Flow<'_, '_> {
    fn block(&mut self, b: &Block) {
        self.statements(&b.statements);
    }

    pub(super) fn statements(&mut self, list: &[Stmt]) {
        list.iter().for_each(|s| self.statement(s));
    }

    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::Declare { var, init } => {
                init.iter().for_each(|e| self.read(e));
                if let Some(n) = self.paths.root(*var) {
                    self.gets(n, init.as_ref());
                }
            }
            StmtKind::Instance(_) => {}
            StmtKind::Assign { op, left, right } => {
                if op.is_some() {
                    self.read(left);
                }
                self.read(right);
                self.target(left);
                if may_hold_headers(&left.ty) {
                    match self.paths.find(left) {
                        Some(n) => self.gets(n, Some(right)),
                        None => self.forget(self.paths.around(left)),
                    }
                }
            }
            StmtKind::Call(c) => self.call(c),
            StmtKind::Block(b) => self.block(b),
            StmtKind::If { condition, then, otherwise } => {
                let (yes, no) = self.condition(condition);
                self.state = yes;
                self.block(then);
                let after = std::mem::replace(&mut self.state, no);
                otherwise.iter().for_each(|b| self.block(b));
                self.state = join(after, self.state.take());
            }
            StmtKind::Switch { value, cases } => {
                self.read(value);
                let before = self.state.clone();
                let complete = cases.iter().any(|c| c.is_default);
                let mut after = if complete { None } else { before.clone() };
                for case in cases {
                    self.state = before.clone();
                    self.block(&case.body);
                    after = join(after, self.state.take());
                }
                self.state = after;
            }
            StmtKind::Return(value) => {
                value.iter().for_each(|e| self.read(e));
                self.state = None;
            }
            StmtKind::Exit | StmtKind::Continue => self.state = None,
            StmtKind::Break => {
                let state = self.state.take();
                if let Some(breaks) = self.breaks.last_mut() {
                    *breaks = join(breaks.take(), state);
                }
            }
            StmtKind::For { init, condition, update, body } => {
                self.statements(init);
                self.changes(&body.statements);
                self.changes(update);
                let (yes, no) = self.condition(condition);
                self.state = yes;
                self.breaks.push(None);
                self.block(body);
                self.statements(update);
                self.state = join(no, self.breaks.pop().flatten());
            }
            StmtKind::ForIn { variable, collection, body } => {
                match collection {
                    Collection::Range(lo, hi) => {
                        self.read(lo);
                        self.read(hi);
                    }
                    Collection::Elements(e) => self.read(e),
                }
                self.changes(&body.statements);
                self.forget(self.paths.around(variable));
                let before = self.state.clone();
                self.breaks.push(None);
                self.block(body);
                self.state = join(before, self.breaks.pop().flatten());
            }
        }
    }

    /// Forgets what the rounds of a loop may change.
    fn changes(&mut self, list: &[Stmt]) {
        let nodes = self.effects.of_statements(self.program, &self.paths, list);
        self.forget(nodes);
    }

    /// Evaluates a condition: the states in which it is true and false.
    pub(super) fn condition(&mut self, e: &Expr) -> (State, State) {
        match &e.kind {
            ExprKind::Const(Const::Bool(true)) => (self.state.take(), None),
            ExprKind::Const(Const::Bool(false)) => (None, self.state.take()),
            ExprKind::Unary(UnaryOp::Not, inner) => {
                let (yes, no) = self.condition(inner);
                (no, yes)
            }
            ExprKind::Binary(BinaryOp::LogicalAnd, a, b) => {
                let (yes, no) = self.condition(a);
                self.state = yes;
                let (both, second_not) = self.condition(b);
                (both, join(no, second_not))
            }
            ExprKind::Binary(BinaryOp::LogicalOr, a, b) => {
                let (yes, no) = self.condition(a);
                self.state = no;
                let (second, neither) = self.condition(b);
                (join(yes, second), neither)
            }
            ExprKind::Call(c) => {
                self.call(c);
                let before = self.state.clone();
                let node = match &c.callee {
                    Callee::IsValid(h) => self.paths.find(h).filter(|&n| self.paths.is_header(n)),
                    _ => None,
                };
                let Some(n) = node else { return (before.clone(), before) };
                self.becomes_valid(n);
                let yes = std::mem::replace(&mut self.state, before);
                self.set(n, Validity::Invalid);
                (yes, self.state.take())
            }
            _ => {
                self.read(e);
                (self.state.clone(), self.state.take())
            }
        }
    }
}
