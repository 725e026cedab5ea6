//! Tables whose entries cannot make a difference.

use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::visit::{self, Visitor};
use crate::ir::{Expr, ExprKind, Program, Table, TableId};
use std::collections::HashSet;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    let mut outcomes = Outcomes::default();
    visit::program(&mut outcomes, program);
    for (n, t) in program.tables.iter().enumerate() {
        if t.keys.is_empty() || !t.const_default || t.name.starts_with('_') {
            continue;
        }
        let usable = t.actions.iter().filter(|a| !a.default_only).count();
        let watched = outcomes.tables.contains(&TableId(n as u32));
        let why = if t.const_entries && t.entries.is_empty() {
            "its constant list of entries is empty"
        } else if usable == 0 {
            "none of its actions may be used in an entry"
        } else if !watched && t.properties.is_empty() && only_default(program, t) {
            "an entry could only choose the action that a miss runs anyway"
        } else {
            continue;
        };
        let message = format!("table `{}` always runs its default action", t.name);
        sink.warn(Lint::UselessTable, Diagnostic::warning(t.span, message).label(why));
    }
}

/// Whether the only action is the default one and takes nothing from the entry.
fn only_default(program: &Program, t: &Table) -> bool {
    let [only] = &t.actions[..] else { return false };
    program[only.action].parameters.len() == only.bound.len()
}

/// Tables of which the program wants to know whether they hit.
#[derive(Default)]
struct Outcomes {
    tables: HashSet<TableId>,
}

impl Visitor for Outcomes {
    fn expression(&mut self, e: &Expr) {
        if let ExprKind::TableHit(t) | ExprKind::TableMiss(t) = &e.kind {
            self.tables.insert(*t);
        }
    }
}
