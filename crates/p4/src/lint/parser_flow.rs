//! A forward walk over the states of a parser, for passes that follow paths: each state is walked
//! with what is known on all ways to it, again and again until nothing changes, and a last time to
//! report.

use super::states::successors;
use crate::ir::{Expr, KeySet, Parser, State, Stmt, Transition};
use std::collections::BTreeSet;

/// A pass that follows paths.
pub(super) trait ParserFlow {
    /// What is known at a point.
    type State: Clone + PartialEq;

    /// What is known now; `None` where no path leads.
    fn state(&mut self) -> &mut Option<Self::State>;

    /// What is known where two paths meet.
    fn join(a: Option<Self::State>, b: Option<Self::State>) -> Option<Self::State>;

    /// Switches reporting on or off.
    fn reports(&mut self, on: bool);

    /// Walks statements.
    fn statements(&mut self, list: &[Stmt]);

    /// Walks an expression that is read.
    fn read(&mut self, e: &Expr);
}

/// Walks a parser, beginning with what is known now.
pub(super) fn run<F: ParserFlow>(flow: &mut F, p: &Parser) {
    let mut before: Vec<Option<F::State>> = vec![None; p.states.len()];
    let start = p.start as usize;
    if start >= before.len() {
        return;
    }
    before[start] = flow.state().take();
    flow.reports(false);
    let mut open = BTreeSet::from([start]);
    while let Some(n) = open.pop_first() {
        *flow.state() = before[n].clone();
        walk(flow, &p.states[n]);
        let after = flow.state().take();
        for m in successors(p, n) {
            let joined = F::join(before[m].clone(), after.clone());
            if joined != before[m] {
                before[m] = joined;
                open.insert(m);
            }
        }
    }
    flow.reports(true);
    for (s, known) in p.states.iter().zip(before) {
        if known.is_some() {
            *flow.state() = known;
            walk(flow, s);
        }
    }
}

fn walk<F: ParserFlow>(flow: &mut F, s: &State) {
    flow.statements(&s.body);
    if let Transition::Select { values, cases } = &s.transition {
        values.iter().for_each(|e| flow.read(e));
        for set in cases.iter().flat_map(|c| &c.sets) {
            match set {
                KeySet::Any | KeySet::ValueSet(_) => {}
                KeySet::Value(e) => flow.read(e),
                KeySet::Mask(a, b) | KeySet::Range(a, b) => {
                    flow.read(a);
                    flow.read(b);
                }
            }
        }
    }
}
