//! Cases of a `select` that an earlier case takes everything from (§13.6).

use super::keysets::{Row, Set, covers};
use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::{Program, SelectCase, Transition};
use std::collections::HashMap;

/// More comparisons than this are not made in one `select` or table.
pub(super) const MAX_COMPARISONS: usize = 1_000_000;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    for parser in &program.parsers {
        for state in &parser.states {
            if let Transition::Select { cases, .. } = &state.transition {
                select(program, cases, sink);
            }
        }
    }
}

fn select(program: &Program, cases: &[SelectCase], sink: &mut Sink) {
    let rows: Vec<Row> =
        cases.iter().map(|c| c.sets.iter().map(|s| Set::of(s, &program.types)).collect()).collect();
    for (n, first) in hidden(&rows) {
        let same = rows[n] == rows[first];
        let message =
            if same { "this case was there before" } else { "this case is never reached" };
        let label = match (same, rows[first].iter().all(|s| *s == Set::Any)) {
            (_, true) => "everything ends here",
            (true, _) => "first",
            _ => "this earlier case takes all its values",
        };
        let d = Diagnostic::warning(cases[n].span, message).also(cases[first].span, label);
        sink.warn(Lint::Unreachable, d);
    }
}

/// Rows that an earlier row covers, each with that row. Earlier rows win.
pub(super) fn hidden(rows: &[Row]) -> Vec<(usize, usize)> {
    let mut singles: HashMap<&Row, usize> = HashMap::new();
    let mut wide: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    let mut left = MAX_COMPARISONS;
    for (n, row) in rows.iter().enumerate() {
        let by_wide = wide.iter().take(left).find(|&&w| covers(&rows[w], row)).copied();
        left = left.saturating_sub(wide.len());
        let hidden_by = by_wide.or_else(|| singles.get(row).copied());
        match hidden_by {
            Some(first) => found.push((n, first)),
            None if row.iter().all(Set::is_single) => {
                singles.insert(row, n);
            }
            None => wide.push(n),
        }
    }
    found
}
