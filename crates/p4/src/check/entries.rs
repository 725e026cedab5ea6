//! `entries` of a table and their priorities (§14.2.1.4).

use super::Checker;
use crate::ast;
use crate::diagnostic::Diagnostic;
use crate::ir::{self, KeySet, TableId, Type};
use num_traits::ToPrimitive;

impl<'a> Checker<'a> {
    pub(super) fn entries(
        &mut self,
        table: TableId,
        list: &'a [ast::TableEntry],
        p: &'a ast::TableProperty,
    ) {
        self.program[table].const_entries = p.is_const;
        let kinds: Vec<ast::Name> =
            self.program[table].keys.iter().map(|k| k.match_kind.clone()).collect();
        let types: Vec<Type> =
            self.program[table].keys.iter().map(|k| k.value.ty.clone()).collect();
        if kinds.is_empty() && !list.is_empty() {
            let d = Diagnostic::error(p.span, "a table without keys cannot have entries");
            self.report(d);
            return;
        }
        let ordered = kinds.iter().any(|k| matches!(&**k, "ternary" | "range" | "optional"));
        let mut lowered: Vec<ir::Entry> = Vec::with_capacity(list.len());
        for e in list {
            self.check_annotations(&e.annotations);
            let priority = self.entry_priority(e, p, ordered);
            let sets = self.keysets(&e.keyset, &types, e.span).map(|mut sets| {
                if sets.len() == 1 && types.len() > 1 {
                    sets = types.iter().map(|_| KeySet::Any).collect();
                }
                sets
            });
            if let Some(sets) = &sets {
                for ((set, kind), written) in sets.iter().zip(&kinds).zip(&e.keyset) {
                    self.check_set(set, kind, written);
                }
            }
            let arguments = e.action.arguments.as_deref();
            let call = self.chosen_action(table, &e.action.path, arguments, e.action.span);
            if let Some(call) = &call
                && self.program[table].actions[call.action as usize].default_only
            {
                let message = format!(
                    "action `{}` is `@defaultonly` and cannot be used in an entry",
                    e.action.path.name.name
                );
                self.error(e.action.span, message);
            }
            let (Some(keys), Some(action)) = (sets, call) else { continue };
            lowered.push(ir::Entry {
                keys,
                action,
                priority,
                is_const: e.is_const || p.is_const,
                span: e.span,
            });
        }
        if ordered {
            self.assign_priorities(table, &mut lowered);
        }
        self.program[table].entries = lowered;
    }

    /// A priority as written. `const entries` may have the annotation `@priority(N)`.
    fn entry_priority(
        &mut self,
        e: &'a ast::TableEntry,
        p: &'a ast::TableProperty,
        ordered: bool,
    ) -> Option<i64> {
        let Some(written) = e.priority.as_ref() else {
            return if p.is_const && ordered { annotated_priority(&e.annotations) } else { None };
        };
        let value = self.compile_time_integer(written, "a priority")?;
        if p.is_const {
            let d =
                Diagnostic::error(written.span, "entries of `const entries` have no priorities")
                    .help("their order decides; or leave `const` away");
            self.report(d);
            return None;
        }
        if !ordered {
            let message = "a priority has no meaning here: no key is ternary, range or optional";
            self.warning(written.span, message);
        }
        match value.to_i64() {
            Some(n) if n >= 0 && n <= i64::from(i32::MAX) => Some(n),
            _ => {
                self.error(written.span, format!("illegal priority {value}"));
                None
            }
        }
    }

    fn check_set(&mut self, set: &KeySet, kind: &str, written: &ast::Expression) {
        match (kind, set) {
            ("exact", KeySet::Mask(..) | KeySet::Range(..)) => {
                self.error(written.span, "an exact key takes a single value");
            }
            ("optional", KeySet::Mask(..) | KeySet::Range(..)) => {
                self.error(written.span, "an optional key takes a single value or `_`");
            }
            ("lpm" | "ternary", KeySet::Range(..)) => {
                self.error(written.span, format!("a range does not fit match kind `{kind}`"));
            }
            ("lpm", KeySet::Mask(_, mask)) => {
                let ty = self.program.types.storage(&mask.ty).clone();
                if let (Some(m), Type::Bit(w)) = (self.integer(mask), ty) {
                    let inverted = super::fold::wrap(&!m.clone(), &Type::Bit(w));
                    // Ones followed by zeros: the complement plus one is a power of two.
                    if (&inverted & (&inverted + 1)) != num_bigint::BigInt::from(0) {
                        self.error(
                            written.span,
                            "the mask of an lpm key must be ones followed by zeros",
                        );
                    }
                }
            }
            ("range", KeySet::Mask(..)) => {
                self.error(written.span, "a range key takes `lo .. hi`, a value or `_`");
            }
            _ => {}
        }
    }

    /// Gives every entry a priority with the larger number winning.
    ///
    /// Entries of `const entries` are ordered by their position from 1 on, or by the number in
    /// their `@priority` instead; the smallest wins, as programs for BMv2 have it. Otherwise an entry without a
    /// priority follows its predecessor by `priority_delta`; the numbering starts so that the
    /// last entry gets 1 when the largest wins, and with 1 when the smallest wins.
    fn assign_priorities(&mut self, table: TableId, entries: &mut [ir::Entry]) {
        let t = &self.program[table];
        let largest_wins = t.largest_priority_wins;
        let delta = t
            .properties
            .iter()
            .find(|p| &*p.name == "priority_delta")
            .and_then(|p| self.integer(&p.value))
            .and_then(|v| v.to_i64())
            .unwrap_or(1);
        let count = entries.len() as i64;
        if self.program[table].const_entries {
            let mut order: Vec<usize> = (0..entries.len()).collect();
            order.sort_by_key(|&n| entries[n].priority.unwrap_or(n as i64 + 1));
            for (rank, n) in order.into_iter().enumerate() {
                entries[n].priority = Some(count - rank as i64);
            }
            return;
        }
        let mut next = if largest_wins { (count - 1) * delta + 1 } else { 1 };
        if let Some(first) = entries.first()
            && first.priority.is_none()
            && entries.iter().any(|e| e.priority.is_some())
        {
            let d = Diagnostic::error(
                first.span,
                "the first entry needs a priority, for another entry has one",
            );
            self.report(d.help("write `priority = N :` before it"));
        }
        let mut numbers = Vec::with_capacity(entries.len());
        for e in entries.iter() {
            let number = e.priority.unwrap_or(next);
            numbers.push((number, e.span));
            next = if largest_wins { number - delta } else { number + delta };
        }
        for (n, &(number, span)) in numbers.iter().enumerate() {
            if number < 0 {
                let message = format!("the priority of this entry would be {number}, below zero");
                let d = Diagnostic::error(span, message)
                    .help("give it or its predecessors explicit priorities");
                self.report(d);
            }
            entries[n].priority = Some(if largest_wins { number } else { -number });
        }
    }
}

/// The number in `@priority(N)`.
fn annotated_priority(annotations: &[ast::Annotation]) -> Option<i64> {
    let annotation = annotations.iter().find(|a| &*a.name.name == "priority")?;
    match &annotation.body {
        ast::AnnotationBody::Unstructured(tokens) => match tokens.as_slice() {
            [token] if !token.is_string => token.text.parse().ok().filter(|n| *n >= 0),
            _ => None,
        },
        _ => None,
    }
}
