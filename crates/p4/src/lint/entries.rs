//! Entries of a table that another entry hides, and priorities that are equal or out of order
//! (§14.2.1.4).

use super::keysets::{Row, Set};
use super::select_cases::hidden;
use super::{Lint, Sink};
use crate::diagnostic::Diagnostic;
use crate::ir::{Program, Table};
use std::collections::HashMap;

pub(super) fn run(program: &Program, sink: &mut Sink) {
    for t in program.tables.iter().filter(|t| t.entries.len() > 1) {
        covered(program, t, sink);
        if !t.const_entries {
            priorities(t, sink);
        }
    }
}

fn covered(program: &Program, t: &Table, sink: &mut Sink) {
    let rows: Vec<Row> = t
        .entries
        .iter()
        .map(|e| e.keys.iter().map(|s| Set::of(s, &program.types)).collect())
        .collect();
    if t.entries.iter().all(|e| e.priority.is_none()) {
        // The longest prefix decides, so that only the same set twice hides anything.
        let mut seen: HashMap<&Row, usize> = HashMap::new();
        for (n, row) in rows.iter().enumerate().filter(|(_, r)| !r.contains(&Set::Unknown)) {
            if let Some(&first) = seen.get(row) {
                report(t, &rows, n, first, sink);
            } else {
                seen.insert(row, n);
            }
        }
        return;
    }
    // The larger priority wins, among equals the first.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&n| std::cmp::Reverse(t.entries[n].priority));
    let sorted: Vec<Row> = order.iter().map(|&n| rows[n].clone()).collect();
    for (n, first) in hidden(&sorted) {
        report(t, &rows, order[n], order[first], sink);
    }
}

fn report(t: &Table, rows: &[Row], n: usize, first: usize, sink: &mut Sink) {
    let (message, label) = if rows[n] == rows[first] {
        ("this entry never matches: another one has the same key", "this one wins")
    } else {
        ("this entry never matches: another one takes all its keys", "this one wins")
    };
    let d = Diagnostic::warning(t.entries[n].span, message).also(t.entries[first].span, label);
    sink.warn(Lint::OverlappingEntries, d);
}

fn priorities(t: &Table, sink: &mut Sink) {
    // Inside, the larger number always wins; show what the author wrote.
    let shown = |p: i64| if t.largest_priority_wins { p } else { -p };
    let mut seen: HashMap<i64, usize> = HashMap::new();
    for (n, e) in t.entries.iter().enumerate() {
        let Some(p) = e.priority else { continue };
        if let Some(&first) = seen.get(&p) {
            let message = format!("two entries have priority {}", shown(p));
            let d = Diagnostic::warning(e.span, message)
                .label("which of them wins a packet that fits both is not defined")
                .also(t.entries[first].span, "first");
            sink.warn(Lint::DuplicatePriorities, d);
        } else {
            seen.insert(p, n);
        }
    }
    for pair in t.entries.windows(2) {
        if let (Some(a), Some(b)) = (pair[0].priority, pair[1].priority)
            && a < b
        {
            let message = format!(
                "this entry, of priority {}, goes before the one above it, of priority {}",
                shown(b),
                shown(a)
            );
            let d = Diagnostic::warning(pair[1].span, message).also(pair[0].span, "goes after it");
            sink.warn(Lint::EntriesOutOfPriorityOrder, d);
        }
    }
}
