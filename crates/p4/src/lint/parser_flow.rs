//! A forward walk over the states of a parser, for passes that follow paths: each state is walked
//! with what is known on all ways to it, again until nothing changes, and a last time to
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

/// A state is not walked more often than this on average; real parsers need two or three rounds.
const MAX_ROUNDS: usize = 16;

/// Walks a parser, beginning with what is known now. If the states are so entangled that knowledge
/// does not settle soon, nothing is reported.
pub(super) fn run<F: ParserFlow>(flow: &mut F, p: &Parser) {
    let mut before: Vec<Option<F::State>> = vec![None; p.states.len()];
    let start = p.start as usize;
    if start >= before.len() {
        return;
    }
    before[start] = flow.state().take();
    flow.reports(false);
    let order = forward_order(p);
    let mut rank = vec![0; p.states.len()];
    order.iter().enumerate().for_each(|(n, &state)| rank[state] = n);
    let mut open = BTreeSet::from([rank[start]]);
    let mut left = MAX_ROUNDS * p.states.len();
    while let Some(n) = open.pop_first().map(|n| order[n]) {
        if left == 0 {
            return;
        }
        left -= 1;
        *flow.state() = before[n].clone();
        walk(flow, &p.states[n]);
        let after = flow.state().take();
        for m in successors(p, n) {
            let joined = F::join(before[m].clone(), after.clone());
            if joined != before[m] {
                before[m] = joined;
                open.insert(rank[m]);
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

/// The states that can be reached, each before those behind it unless they form a loop: the
/// reverse of the order in which a search leaves them.
fn forward_order(p: &Parser) -> Vec<usize> {
    let start = p.start as usize;
    let mut seen = vec![false; p.states.len()];
    let mut order = Vec::with_capacity(p.states.len());
    seen[start] = true;
    let mut path = vec![(start, successors(p, start))];
    while let Some((n, open)) = path.last_mut() {
        match open.find(|&m| !std::mem::replace(&mut seen[m], true)) {
            Some(m) => path.push((m, successors(p, m))),
            None => {
                order.push(*n);
                path.pop();
            }
        }
    }
    order.reverse();
    order
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
