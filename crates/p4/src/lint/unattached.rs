//! Direct objects that belong to no table: their methods do nothing, because there is no entry.

use super::{Lint, Sink};
use crate::architecture;
use crate::contradictions::{attached, is_direct};
use crate::diagnostic::Diagnostic;
use crate::ir::{Callee, ExprKind, InstanceDeclaration, Local, Program, VarId, visit};
use std::collections::HashSet;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    let Ok((architecture, _)) = architecture::bind(program) else { return };
    let declared =
        program.controls.iter().flat_map(|c| &c.locals).filter_map(|local| match local {
            Local::Instance(declared) => Some(declared),
            _ => None,
        });
    let direct: Vec<(VarId, &InstanceDeclaration)> = declared
        .chain(&program.top_level)
        .filter(|d| is_direct(program, architecture, &d.ty))
        .filter_map(|d| Some((d.var?, d)))
        .collect();
    if direct.is_empty() {
        return;
    }
    let tables = attached(program, architecture);
    // What nothing names at all is reported as unused.
    let used = called(program);
    for (var, d) in direct {
        if !tables.contains_key(&var) && used.contains(&var) {
            let message = format!("`{}` is attached to no table", d.name);
            let d = Diagnostic::warning(program[var].span, message)
                .label("a direct object has its cells in the entries of a table: here it has none")
                .help("name it in a property of the table, as `counters` or `meters`");
            sink.warn(Lint::Unattached, d);
        }
    }
}

/// The objects whose methods are called.
fn called(program: &Program) -> HashSet<VarId> {
    let mut found = HashSet::new();
    visit::calls(program, |call| {
        if let Callee::Method { object: Some(object), .. } = &call.callee
            && let ExprKind::Var(var) = object.kind
        {
            found.insert(var);
        }
    });
    found
}
