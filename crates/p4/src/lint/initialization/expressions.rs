//! Reads and writes: what an expression needs, what a call writes.

use super::slots::Bits;
use super::{Exposed, Flow, Summary, join};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    BinaryOp, Call, CallArgument, Callee, Direction, Expr, ExprKind, TableId, VariableKind, visit,
};
use crate::lint::Lint;
use crate::source::Span;
use std::ops::Range;

impl Flow<'_, '_> {
    pub(super) fn wrote(&mut self, slots: Range<u32>) {
        if let Some(state) = &mut self.state {
            state.must.set(slots.clone(), true);
            state.may.set(slots.clone(), true);
        }
        self.written.set(slots, true);
    }

    pub(super) fn forget(&mut self, slots: Range<u32>) {
        if let Some(state) = &mut self.state {
            state.must.set(slots.clone(), false);
            state.may.set(slots, false);
        }
    }

    /// An l-value gets a value. Part of a scalar or of a stack counts as all of it.
    pub(super) fn write(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Element(base, index) => {
                self.read(index);
                self.write(base);
            }
            ExprKind::Slice { base, .. }
            | ExprKind::TupleField(base, _)
            | ExprKind::Next(base)
            | ExprKind::Last(base) => self.write(base),
            _ => match self.slots.place(e) {
                Some(slots) => self.wrote(slots),
                None => {
                    if let ExprKind::Field(base, _) = &e.kind {
                        self.write(base);
                    }
                }
            },
        }
    }

    pub(super) fn read(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Var(_) | ExprKind::Field(..) => match self.slots.place(e) {
                Some(slots) => self.need(slots, e.span),
                None => {
                    if let ExprKind::Field(base, _) = &e.kind {
                        self.read(base);
                    }
                }
            },
            ExprKind::Binary(BinaryOp::LogicalAnd | BinaryOp::LogicalOr, a, b) => {
                self.read(a);
                let before = self.state.clone();
                self.read(b);
                self.state = join(before, self.state.take());
            }
            ExprKind::Conditional(c, a, b) => {
                self.read(c);
                let before = self.state.clone();
                self.read(a);
                let after = std::mem::replace(&mut self.state, before);
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

    /// A read of slots.
    fn need(&mut self, slots: Range<u32>, span: Span) {
        let Some(state) = &self.state else { return };
        let missing = slots.clone().filter(|&n| !state.must.contains(n)).count();
        let whole = slots.len();
        let touched = slots.clone().any(|n| state.may.contains(n));
        // A struct of which some part was written is given on as it is.
        if missing == 0 || (whole > 1 && (missing < whole || touched)) {
            return;
        }
        if slots.end <= self.shared {
            // The control says what is written before its actions run.
            if !self.exposed.iter().any(|e| e.slots == slots) {
                self.exposed.push(Exposed { slots: slots.clone(), span });
            }
        } else {
            self.complain(&slots, touched, span);
        }
        // Once is enough.
        if let Some(state) = &mut self.state {
            state.must.set(slots.clone(), true);
            state.may.set(slots, true);
        }
    }

    fn complain(&mut self, slots: &Range<u32>, touched: bool, span: Span) {
        if !self.report {
            return;
        }
        let Some(var) = self.slots.owner(slots.start) else { return };
        let v = &self.program[var];
        let known = slots.clone().any(|n| self.reported.contains(&n));
        self.reported.extend(slots.clone());
        if known {
            return;
        }
        let text = self.sink.text(span);
        let name = if text.starts_with(&*v.name) { text } else { v.name.to_string() };
        let out = matches!(v.kind, VariableKind::Parameter(_));
        let message = match (touched, out) {
            (true, _) => format!("`{name}` may be read before it has a value"),
            (false, true) => {
                format!("`out` parameter `{name}` is read before it has a value")
            }
            (false, false) => format!("`{name}` is read before it has a value"),
        };
        let d = Diagnostic::warning(span, message)
            .label(if touched { "not written on every path" } else { "never written before" })
            .also(v.span, "declared here");
        self.sink.warn(Lint::UninitializedUse, d);
    }

    pub(super) fn call(&mut self, c: &Call) {
        match &c.callee {
            Callee::SetValid(e)
            | Callee::SetInvalid(e)
            | Callee::PushFront(e, _)
            | Callee::PopFront(e, _)
            | Callee::IsValid(e) => self.indices(e),
            Callee::Table(t) => self.apply(*t),
            Callee::Action(id) => {
                self.arguments(&c.arguments);
                if let Some(summary) = self.summaries.get(id).cloned() {
                    self.run(&summary);
                }
                return;
            }
            Callee::Function(_)
            | Callee::ExternFunction(_)
            | Callee::Method { .. }
            | Callee::Apply(_) => {}
        }
        self.arguments(&c.arguments);
    }

    /// Reads in the indices of an l-value that itself is not read.
    fn indices(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Element(base, index) => {
                self.indices(base);
                self.read(index);
            }
            ExprKind::Field(base, _) | ExprKind::Next(base) | ExprKind::Last(base) => {
                self.indices(base);
            }
            _ => {}
        }
    }

    fn arguments(&mut self, list: &[CallArgument]) {
        for a in list {
            let Some(value) = &a.value else { continue };
            match a.direction {
                Direction::None | Direction::In => self.read(value),
                Direction::Out => self.indices(value),
                // Structs often are given on to be filled.
                Direction::InOut => match self.slots.place(value) {
                    Some(slots) if slots.len() != 1 => {}
                    _ => self.read(value),
                },
            }
        }
        for a in list.iter().filter(|a| matches!(a.direction, Direction::Out | Direction::InOut)) {
            a.value.iter().for_each(|e| self.write(e));
        }
    }

    /// Runs what a summary describes.
    fn run(&mut self, summary: &Summary) {
        for read in &summary.reads {
            self.need(read.slots.clone(), read.span);
        }
        if let Some(state) = &mut self.state {
            state.must.add(&summary.must);
            state.may.add(&summary.may);
        }
        self.written.add(&summary.may);
    }

    fn apply(&mut self, id: TableId) {
        let t = &self.program[id];
        t.keys.iter().for_each(|k| self.read(&k.value));
        // Each action starts from here; the control plane decides which of them runs.
        let before = self.state.clone();
        let mut after = before.clone();
        for a in t.actions.iter().filter(|a| !a.bound.is_empty()) {
            self.state = before.clone();
            self.arguments(&a.bound);
            if let (Some(after), Some(state)) = (&mut after, &self.state) {
                after.must.add(&state.must);
                after.may.add(&state.may);
            }
        }
        self.state = after;
        let summary = match self.tables.get(&id) {
            Some(known) => known.clone(),
            None => {
                let mut all = Summary {
                    must: Bits::new(self.slots.count()),
                    may: Bits::new(self.slots.count()),
                    reads: Vec::new(),
                };
                for summary in t.actions.iter().filter_map(|a| self.summaries.get(&a.action)) {
                    for read in &summary.reads {
                        if !all.reads.iter().any(|r| r.slots == read.slots) {
                            all.reads.push(read.clone());
                        }
                    }
                    all.must.add(&summary.may);
                    all.may.add(&summary.may);
                }
                self.tables.insert(id, all.clone());
                all
            }
        };
        self.run(&summary);
    }
}
