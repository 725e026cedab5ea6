//! Uses of fields, and calls that change headers.

use super::effects::outputs;
use super::paths::Node;
use super::{Flow, Validity, join};
use crate::diagnostic::Diagnostic;
use crate::ir::visit::{self, Visitor};
use crate::ir::{
    ActionId, BinaryOp, Block, Call, CallArgument, Callee, Direction, Expr, ExprKind, Stmt,
    StmtKind, TableId,
};
use crate::lint::Lint;

/// Longest body of an action, in statements at its top level, that is walked for each call.
const MAX_FOLLOWED: usize = 16;

/// Whether a block ends early other than by `exit`, or is too large to be walked for each call.
fn returns(body: &Block) -> bool {
    struct Search {
        found: bool,
        left: usize,
    }
    impl Visitor for Search {
        fn statement(&mut self, s: &Stmt) {
            self.left = self.left.saturating_sub(1);
            self.found |= self.left == 0 || matches!(s.kind, StmtKind::Return(_));
        }
    }
    let mut search = Search { found: false, left: 4 * MAX_FOLLOWED };
    visit::block(&mut search, body);
    search.found
}

impl Flow<'_, '_> {
    /// Complains if an expression names a field of an invalid header.
    fn field(&mut self, e: &Expr, written: bool) {
        let ExprKind::Field(base, _) = &e.kind else { return };
        let Some(n) = self.paths.find(base).filter(|&n| self.paths.is_header(n)) else { return };
        if self.get(n) != Validity::Invalid {
            return;
        }
        if self.report {
            let name = self.sink.text(base.span);
            let (message, label) = if written {
                let message = format!("write to a field of `{name}`, which is invalid here");
                (message, "an invalid header keeps nothing that is written to it")
            } else {
                let message = format!("read of a field of `{name}`, which is invalid here");
                (message, "an invalid header has no values")
            };
            let d = Diagnostic::warning(e.span, message).label(label);
            let d = if written { d.help(format!("call `{name}.setValid()` before")) } else { d };
            self.sink.warn(Lint::InvalidHeader, d);
        }
        // Once is enough.
        self.set(n, Validity::Unknown);
    }

    /// An l-value that is written.
    pub(super) fn target(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Field(base, _) => {
                self.field(e, true);
                self.target(base);
            }
            ExprKind::Element(base, index) => {
                self.read(index);
                self.target(base);
            }
            ExprKind::Slice { base, .. }
            | ExprKind::TupleField(base, _)
            | ExprKind::Next(base)
            | ExprKind::Last(base) => self.target(base),
            _ => {}
        }
    }

    pub(super) fn read(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Field(base, _) => {
                self.field(e, false);
                self.read(base);
            }
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, ..) => {
                let (yes, no) = self.condition(e);
                self.state = join(yes, no);
            }
            ExprKind::Conditional(c, a, b) => {
                let (yes, no) = self.condition(c);
                self.state = yes;
                self.read(a);
                let after = std::mem::replace(&mut self.state, no);
                self.read(b);
                self.state = join(after, self.state.take());
            }
            ExprKind::Call(c) => self.call(c),
            ExprKind::TableHit(t) | ExprKind::TableMiss(t) | ExprKind::TableActionRun(t) => {
                self.apply(*t);
            }
            _ => visit::operands(e).for_each(|e| self.read(e)),
        }
    }

    fn apply(&mut self, id: TableId) {
        let nodes = self.effects.of_table(self.program, &self.paths, id);
        self.forget(nodes);
    }

    /// Walks the body of an action that is called, for what it leaves behind. Not from within another one: chains of
    /// calls double. Whether it did.
    fn follow(&mut self, id: ActionId) -> bool {
        let body = &self.program[id].body;
        if self.follows || body.statements.len() > MAX_FOLLOWED || returns(body) {
            return false;
        }
        let report = std::mem::replace(&mut self.report, false);
        self.follows = true;
        self.statements(&body.statements);
        (self.follows, self.report) = (false, report);
        true
    }

    fn arguments(&mut self, list: &[CallArgument]) {
        for a in list {
            let Some(value) = &a.value else { continue };
            match a.direction {
                Direction::None | Direction::In => self.read(value),
                Direction::InOut => {
                    self.read(value);
                    self.target(value);
                }
                Direction::Out => self.target(value),
            }
        }
        let nodes: Vec<Node> = outputs(&self.paths, list).collect();
        self.forget(nodes);
    }

    pub(super) fn call(&mut self, c: &Call) {
        self.arguments(&c.arguments);
        match &c.callee {
            Callee::SetValid(e) => {
                self.target(e);
                match self.paths.find(e) {
                    Some(n) => self.becomes_valid(n),
                    None => self.forget(self.paths.around(e)),
                }
            }
            Callee::SetInvalid(e) => {
                self.target(e);
                match self.paths.find(e) {
                    Some(n) => self.set_within(n, Validity::Invalid),
                    None => self.forget(self.paths.around(e)),
                }
            }
            Callee::PushFront(e, _) | Callee::PopFront(e, _) => {
                self.target(e);
                self.forget(self.paths.around(e));
            }
            Callee::Table(id) => self.apply(*id),
            Callee::Action(id) => {
                if !self.follow(*id) {
                    let nodes = self.effects.of_action(self.program, &self.paths, *id);
                    self.forget(nodes);
                }
            }
            Callee::Method { extern_id, method, .. } => {
                let def = &self.program.types[*extern_id];
                let name = def.methods.get(*method as usize).map(|m| &*m.signature.name);
                if &*def.name == "packet_in"
                    && name == Some("extract")
                    && let Some(header) = c.arguments.first().and_then(|a| a.value.as_ref())
                    && let Some(n) = self.paths.find(header).filter(|&n| self.paths.is_header(n))
                {
                    self.becomes_valid(n);
                }
            }
            Callee::Function(_)
            | Callee::ExternFunction(_)
            | Callee::Apply(_)
            | Callee::IsValid(_) => {}
        }
    }
}
