//! Conditions and comparisons that have only one possible outcome.

use super::ranges::{compare, range};
use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::visit::{self, Visitor};
use crate::ir::{BinaryOp, Const, Expr, ExprKind, Program, Stmt, StmtKind};
use crate::source::Span;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    visit::program(&mut Conditions { program, sink }, program);
}

struct Conditions<'a, 's> {
    program: &'a Program,
    sink: &'a mut Sink<'s>,
}

impl Conditions<'_, '_> {
    /// A constant condition, unless it names something: then it is a switch that the author sets.
    fn condition(&mut self, e: &Expr, what: &str) {
        if let ExprKind::Const(Const::Bool(value)) = &e.kind
            && !names_something(self.sink.sources.snippet(e.span))
        {
            let message = format!("this {what} is always {value}");
            self.sink.warn(Lint::ConstantCondition, Diagnostic::warning(e.span, message));
        }
    }

    fn comparison(&mut self, op: BinaryOp, a: &Expr, b: &Expr, span: Span) {
        use BinaryOp::{Eq, Ge, Gt, Le, Lt, Ne};
        if !matches!(op, Eq | Ne | Lt | Le | Gt | Ge) {
            return;
        }
        if same_place(a, b) {
            let outcome = matches!(op, Eq | Le | Ge);
            let message = format!("this comparison is always {outcome}");
            let d = Diagnostic::warning(span, message).label("both sides are the same");
            self.sink.warn(Lint::ConstantCondition, d);
            return;
        }
        let types = &self.program.types;
        let (Some(x), Some(y)) = (range(a, types), range(b, types)) else { return };
        let Some(outcome) = compare(op, &x, &y) else { return };
        let side = |(lo, hi): &(_, _)| {
            if lo == hi { format!("{lo}") } else { format!("{lo} to {hi}") }
        };
        let message = format!("this comparison is always {outcome}");
        let d = Diagnostic::warning(span, message).label(format!(
            "the left side can be {}, the right side {}",
            side(&x),
            side(&y)
        ));
        self.sink.warn(Lint::ConstantCondition, d);
    }
}

impl Visitor for Conditions<'_, '_> {
    fn statement(&mut self, s: &Stmt) {
        match &s.kind {
            StmtKind::If { condition, .. } => self.condition(condition, "condition"),
            StmtKind::For { condition, body, .. } => {
                let constant = matches!(&condition.kind, ExprKind::Const(Const::Bool(true)));
                if !(constant && leaves(&body.statements)) {
                    self.condition(condition, "loop's condition");
                }
            }
            _ => {}
        }
    }

    fn expression(&mut self, e: &Expr) {
        if let ExprKind::Binary(op, a, b) = &e.kind {
            self.comparison(*op, a, b, e.span);
        }
    }
}

/// Whether a loop's body has a way out.
fn leaves(body: &[Stmt]) -> bool {
    struct Ways(bool);
    impl Visitor for Ways {
        fn statement(&mut self, s: &Stmt) {
            self.0 |= matches!(s.kind, StmtKind::Break | StmtKind::Return(_) | StmtKind::Exit);
        }
    }
    let mut ways = Ways(false);
    visit::statements(&mut ways, body);
    ways.0
}

/// Whether a text has a word in it, other than the boolean literals and the prefixes of numbers.
fn names_something(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && !matches!(word, "true" | "false")
    })
}

/// Whether two expressions read the same variable or part of it.
fn same_place(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Var(a), ExprKind::Var(b)) => a == b,
        (ExprKind::Field(a, m), ExprKind::Field(b, n))
        | (ExprKind::TupleField(a, m), ExprKind::TupleField(b, n)) => m == n && same_place(a, b),
        (ExprKind::Slice { base: a, hi, lo }, ExprKind::Slice { base: b, hi: h, lo: l }) => {
            hi == h && lo == l && same_place(a, b)
        }
        _ => false,
    }
}
