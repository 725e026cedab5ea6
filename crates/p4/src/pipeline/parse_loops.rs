//! Finds the loops of parse graphs and what limits them.

use super::Pipeline;
use super::blocks::{Body, ParseGraph, ParseLoop, State, StateId, Target};
use super::expression::{BinaryOp, Expr, ExprKind};
use super::fields::{FieldId, FieldRole, StackId};
use super::operations::OpKind;
use std::collections::BTreeSet;

/// Fills in [`ParseGraph::loops`].
pub(super) fn find(pipeline: &mut Pipeline) {
    let mut found = Vec::new();
    for (n, block) in pipeline.blocks.iter().enumerate() {
        if let Body::Parser(graph) = &block.body {
            found.push((n, loops(pipeline, graph)));
        }
    }
    for (n, loops) in found {
        if let Body::Parser(graph) = &mut pipeline.blocks[n].body {
            graph.loops = loops;
        }
    }
}

fn targets(state: &State) -> Vec<StateId> {
    let mut list = Vec::new();
    state.transition.for_each_target(&mut |target| {
        if let Target::State(id) = target {
            list.push(id);
        }
    });
    list
}

fn loops(pipeline: &Pipeline, graph: &ParseGraph) -> Vec<ParseLoop> {
    let all: BTreeSet<StateId> = (0..graph.states.len() as u32).map(StateId).collect();
    components(graph, &all).into_iter().map(|states| describe(pipeline, graph, states)).collect()
}

/// Sets of states that reach each other, by way of states in `within` alone (Tarjan's algorithm,
/// without recursion), each with more than one state or a state that leads to itself.
fn components(graph: &ParseGraph, within: &BTreeSet<StateId>) -> Vec<Vec<StateId>> {
    let count = graph.states.len();
    let mut index = vec![usize::MAX; count];
    let mut low = vec![0usize; count];
    let mut on_stack = vec![false; count];
    let (mut stack, mut next, mut found) = (Vec::new(), 0, Vec::new());
    for root in within {
        if index[root.index()] != usize::MAX {
            continue;
        }
        let mut work = vec![(*root, targets(&graph.states[root.index()]))];
        index[root.index()] = next;
        low[root.index()] = next;
        next += 1;
        stack.push(*root);
        on_stack[root.index()] = true;
        while let Some((state, pending)) = work.last_mut() {
            let state = *state;
            if let Some(to) = pending.pop() {
                if !within.contains(&to) {
                    continue;
                }
                if index[to.index()] == usize::MAX {
                    index[to.index()] = next;
                    low[to.index()] = next;
                    next += 1;
                    stack.push(to);
                    on_stack[to.index()] = true;
                    work.push((to, targets(&graph.states[to.index()])));
                } else if on_stack[to.index()] {
                    low[state.index()] = low[state.index()].min(index[to.index()]);
                }
                continue;
            }
            work.pop();
            if let Some((parent, _)) = work.last() {
                low[parent.index()] = low[parent.index()].min(low[state.index()]);
            }
            if low[state.index()] == index[state.index()] {
                let mut component = Vec::new();
                while let Some(member) = stack.pop() {
                    on_stack[member.index()] = false;
                    component.push(member);
                    if member == state {
                        break;
                    }
                }
                component.sort();
                let is_loop =
                    component.len() > 1 || targets(&graph.states[state.index()]).contains(&state);
                if is_loop {
                    found.push(component);
                }
            }
        }
    }
    found.sort();
    found
}

fn describe(pipeline: &Pipeline, graph: &ParseGraph, states: Vec<StateId>) -> ParseLoop {
    let members: BTreeSet<StateId> = states.iter().copied().collect();
    // Whether every round passes one of the states for which this holds.
    let always = |holds: &dyn Fn(&State) -> bool| {
        let rest = members.iter().copied().filter(|s| !holds(&graph.states[s.index()])).collect();
        components(graph, &rest).is_empty()
    };
    let mut touched = BTreeSet::new();
    let mut disturbed = BTreeSet::new();
    for state in &states {
        for op in &graph.states[state.index()].ops {
            op.kind.for_each_write(&pipeline.headers, &mut |field| {
                if let FieldRole::NextIndex(stack) = pipeline[field].role {
                    let set =
                        if counts_up(&op.kind, field) { &mut touched } else { &mut disturbed };
                    set.insert(stack);
                }
            });
        }
    }
    let stacks: Vec<StackId> = touched
        .into_iter()
        .filter(|stack| {
            let next = pipeline[*stack].next;
            !disturbed.contains(stack)
                && always(&|s| s.ops.iter().any(|op| counts_up(&op.kind, next)))
        })
        .collect();
    let bound = stacks.iter().map(|s| pipeline[*s].elements.len() as u64 + 1).min();
    let taken = |s: &State| s.fixed_bits.unwrap_or_else(|| least_bits(s));
    let mut sizes: Vec<u64> =
        states.iter().map(|s| taken(&graph.states[s.index()])).filter(|b| *b > 0).collect();
    sizes.sort_unstable();
    let bits = sizes.into_iter().rev().find(|bits| always(&|s| taken(s) >= *bits)).unwrap_or(0);
    ParseLoop { states, stacks, bound, bits }
}

/// Whether an operation adds one to a field.
fn counts_up(op: &OpKind, field: FieldId) -> bool {
    let OpKind::Assign { to, value, guard: None } = op else { return false };
    let is_one = |e: &Expr| e.as_const().is_some_and(|v| *v == 1u32.into());
    *to == field
        && matches!(&value.kind, ExprKind::Binary(BinaryOp::Add, a, b)
            if a.as_field() == Some(field) && is_one(b))
}

/// Bits that a state takes at least.
fn least_bits(state: &State) -> u64 {
    let bits = |op: &OpKind| match op {
        OpKind::Extract(extract) => u64::from(extract.fixed_bits),
        _ => 0,
    };
    state.ops.iter().map(|op| bits(&op.kind)).sum()
}
