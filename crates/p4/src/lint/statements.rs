//! Statements behind one that never lets control pass.

use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::{Program, Stmt, StmtKind};

pub(super) fn run(program: &Program, sink: &mut Sink) {
    for f in &program.functions {
        ends(&f.body.statements, sink);
    }
    for a in &program.actions {
        ends(&a.body.statements, sink);
    }
    for c in &program.controls {
        ends(&c.body.statements, sink);
    }
}

/// Whether control never reaches the end of a block; reports what it cannot reach before.
fn ends(statements: &[Stmt], sink: &mut Sink) -> bool {
    let mut end: Option<&Stmt> = None;
    let mut reported = false;
    for s in statements {
        if let Some(end) = end
            && !reported
        {
            let d = Diagnostic::warning(s.span, "this statement is never reached");
            let label = match end.kind {
                StmtKind::Return(_) => "everything ends with this `return`",
                StmtKind::Exit => "everything ends with this `exit`",
                StmtKind::Break => "the loop is left here",
                StmtKind::Continue => "the next round begins here",
                _ => "no way leads past this statement",
            };
            sink.warn(Lint::Unreachable, d.also(end.span, label));
            reported = true;
        }
        if passes_never(s, sink) && end.is_none() {
            end = Some(s);
        }
    }
    end.is_some()
}

fn passes_never(s: &Stmt, sink: &mut Sink) -> bool {
    match &s.kind {
        StmtKind::Return(_) | StmtKind::Exit | StmtKind::Break | StmtKind::Continue => true,
        StmtKind::Block(b) => ends(&b.statements, sink),
        StmtKind::If { then, otherwise, .. } => {
            let then = ends(&then.statements, sink);
            let otherwise = otherwise.as_ref().is_some_and(|b| ends(&b.statements, sink));
            then && otherwise
        }
        StmtKind::Switch { cases, .. } => {
            let open = cases.iter().filter(|c| !ends(&c.body.statements, sink)).count();
            open == 0 && cases.iter().any(|c| c.is_default)
        }
        StmtKind::For { body, .. } | StmtKind::ForIn { body, .. } => {
            ends(&body.statements, sink);
            false
        }
        _ => false,
    }
}
