//! Small branches become selections: what both ways assign is computed, and the condition
//! chooses. That costs fewer cycles than a branch that is guessed wrongly, and in hardware
//! nothing.

use super::control_flow::tidy_graph;
use super::field_sets::FieldSet;
use super::liveness::{Liveness, Visitor};
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{Body, ControlGraph, NodeId, NodeKind};
use crate::pipeline::expression::{BinaryOp, Expr, ExprKind};
use crate::pipeline::fields::{Field, FieldId};
use crate::pipeline::operations::{Op, OpKind};
use std::collections::{HashMap, HashSet};

/// Most operations on one way.
const MAX_OPS: usize = 4;
/// Most parts of an expression.
const MAX_PARTS: u32 = 12;
/// Most bits of an assigned field.
const MAX_WIDTH: u32 = 64;
/// Branches within branches are converted from the inside to the outside, so often.
const MAX_ROUNDS: usize = 8;

/// For each branch what is read on its ways, of the fields that it assigns.
#[derive(Default)]
struct Reads {
    /// Fields that small branches assign.
    asked: HashMap<usize, Vec<FieldId>>,
    /// Branch and field, read after the condition was true, and after it was false.
    then: HashSet<(usize, FieldId)>,
    otherwise: HashSet<(usize, FieldId)>,
}

impl Visitor for Reads {
    fn branch(&mut self, at: usize, then: &FieldSet, otherwise: &FieldSet) {
        for field in self.asked.get(&at).into_iter().flatten() {
            if then.contains(*field) {
                self.then.insert((at, *field));
            }
            if otherwise.contains(*field) {
                self.otherwise.insert((at, *field));
            }
        }
    }
}

/// Runs the pass; gives the number of branches that are gone.
pub(super) fn run(pipeline: &mut Pipeline) -> u64 {
    let mut total = 0;
    for _ in 0..MAX_ROUNDS {
        let count = round(pipeline);
        if count == 0 {
            break;
        }
        total += count;
    }
    total
}

fn round(pipeline: &mut Pipeline) -> u64 {
    let fields = &pipeline.fields;
    let of = |graph: &ControlGraph| candidates(fields, graph);
    let block_candidates: Vec<_> = pipeline
        .blocks
        .iter()
        .map(|block| match &block.body {
            Body::Control(graph) => of(graph),
            Body::Parser(_) => Vec::new(),
        })
        .collect();
    let action_candidates: Vec<_> = pipeline.actions.iter().map(|a| of(&a.body)).collect();
    if block_candidates.iter().chain(&action_candidates).all(Vec::is_empty) {
        return 0;
    }
    let mut liveness = Liveness::of(pipeline);
    let reads = |candidates: &[Candidate]| {
        let asked = candidates.iter().map(|c| (c.at, c.written.clone())).collect();
        Reads { asked, ..Reads::default() }
    };
    let mut block_reads: Vec<Reads> = block_candidates.iter().map(|c| reads(c)).collect();
    let mut action_reads: Vec<Reads> = action_candidates.iter().map(|c| reads(c)).collect();
    for (n, reads) in block_reads.iter_mut().enumerate() {
        liveness.walk_block(n, reads);
    }
    for (n, reads) in action_reads.iter_mut().enumerate() {
        liveness.walk_action(n, reads);
    }
    let mut count = 0;
    let fields = std::mem::take(&mut pipeline.fields);
    for ((block, candidates), reads) in
        pipeline.blocks.iter_mut().zip(&block_candidates).zip(&block_reads)
    {
        if let Body::Control(graph) = &mut block.body {
            count += convert(&fields, graph, candidates, reads);
        }
    }
    for ((action, candidates), reads) in
        pipeline.actions.iter_mut().zip(&action_candidates).zip(&action_reads)
    {
        count += convert(&fields, &mut action.body, candidates, reads);
    }
    pipeline.fields = fields;
    count
}

/// A branch that can go.
struct Candidate {
    at: usize,
    /// The block on each way, if it is not empty.
    then: Option<usize>,
    otherwise: Option<usize>,
    join: NodeId,
    /// What the blocks assign.
    written: Vec<FieldId>,
}

/// Branches whose ways are small, and not within each other.
fn candidates(fields: &[Field], graph: &ControlGraph) -> Vec<Candidate> {
    let mut uses = vec![0u32; graph.nodes.len()];
    for node in &graph.nodes {
        node.kind.for_each_successor(&mut |to| uses[to.index()] += 1);
        if let NodeKind::Loop { next: Some(next), .. } = node.kind {
            uses[next.index()] += 1;
        }
    }
    let mut found = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        let NodeKind::Branch { condition, then, otherwise } = &node.kind else { continue };
        let small = |way: NodeId| match &graph.nodes[way.index()].kind {
            NodeKind::Block { ops, next } if uses[way.index()] == 1 && way.index() > at => {
                (ops.len() <= MAX_OPS && ops.iter().all(|op| is_cheap(fields, op))).then_some(*next)
            }
            _ => None,
        };
        let (a, b) = (small(*then), small(*otherwise));
        let (then, otherwise, join) = match (a, b) {
            (Some(a), Some(b)) if a == b => (Some(*then), Some(*otherwise), a),
            (Some(a), _) if a == *otherwise => (Some(*then), None, a),
            (_, Some(b)) if b == *then => (None, Some(*otherwise), b),
            _ => continue,
        };
        if parts(condition).is_none_or(|parts| parts > MAX_PARTS) {
            continue;
        }
        let ops = |way: Option<NodeId>| way.map_or(&[][..], |way| block_ops(graph, way.index()));
        let written: Vec<FieldId> =
            ops(then).iter().chain(ops(otherwise)).filter_map(assigned).collect();
        // The condition is evaluated in front of each assignment.
        let mut is_stable = true;
        condition.for_each_field(&mut |f| is_stable &= !written.contains(&f));
        if is_stable {
            let index = |way: Option<NodeId>| way.map(NodeId::index);
            let (then, otherwise) = (index(then), index(otherwise));
            found.push(Candidate { at, then, otherwise, join, written });
        }
    }
    found
}

fn block_ops(graph: &ControlGraph, node: usize) -> &[Op] {
    match &graph.nodes[node].kind {
        NodeKind::Block { ops, .. } => ops,
        _ => &[],
    }
}

fn assigned(op: &Op) -> Option<FieldId> {
    match op.kind {
        OpKind::Assign { to, .. } => Some(to),
        _ => None,
    }
}

fn is_cheap(fields: &[Field], op: &Op) -> bool {
    match &op.kind {
        OpKind::Assign { to, value, .. } => {
            fields[to.index()].width <= MAX_WIDTH
                && parts(value).is_some_and(|parts| parts <= MAX_PARTS)
        }
        _ => false,
    }
}

/// Number of parts of an expression of which each costs about one step; `None` if one does not.
fn parts(e: &Expr) -> Option<u32> {
    match &e.kind {
        ExprKind::Index(..) => return None,
        ExprKind::Binary(BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem, ..) => return None,
        _ => {}
    }
    let mut sum = Some(1u32);
    e.for_each_operand(&mut |operand| {
        sum = sum.zip(parts(operand)).map(|(a, b)| a.saturating_add(b));
    });
    sum
}

fn convert(
    fields: &[Field],
    graph: &mut ControlGraph,
    candidates: &[Candidate],
    reads: &Reads,
) -> u64 {
    for candidate in candidates {
        let take = |graph: &mut ControlGraph, way: Option<usize>| match way {
            None => Vec::new(),
            Some(way) => match &mut graph.nodes[way].kind {
                NodeKind::Block { ops, .. } => std::mem::take(ops),
                _ => Vec::new(),
            },
        };
        let then = take(graph, candidate.then);
        let otherwise = take(graph, candidate.otherwise);
        let node = &mut graph.nodes[candidate.at];
        let NodeKind::Branch { condition, .. } = &node.kind else { continue };
        let choice = Choice { fields, condition, at: candidate.at, reads };
        let ops = choice.of(then, otherwise);
        node.kind = NodeKind::Block { ops, next: candidate.join };
    }
    if !candidates.is_empty() {
        tidy_graph(graph);
    }
    candidates.len() as u64
}

struct Choice<'c> {
    fields: &'c [Field],
    condition: &'c Expr,
    at: usize,
    reads: &'c Reads,
}

impl Choice<'_> {
    /// The operations of both ways as one list.
    fn of(&self, then: Vec<Op>, mut otherwise: Vec<Op>) -> Vec<Op> {
        let independent = is_parallel(&then, &otherwise);
        let assigned_then: Vec<FieldId> = then.iter().filter_map(assigned).collect();
        let mut ops = Vec::new();
        for mut op in then {
            let OpKind::Assign { to, value, guard } = &mut op.kind else { continue };
            let same = |other: &Op| matches!(&other.kind, OpKind::Assign { to: t, guard: g, .. } if t == to && g == guard);
            let partner = otherwise.iter().position(same).filter(|_| independent);
            let other = match partner.map(|n| otherwise.remove(n).kind) {
                Some(OpKind::Assign { value, .. }) => Some(value),
                _ if !self.reads.otherwise.contains(&(self.at, *to)) => None,
                _ => Some(Expr::field(*to, self.fields)),
            };
            if let Some(other) = other {
                let chosen = std::mem::replace(value, Expr::zero(0));
                *value = Expr::select(self.condition.clone(), chosen, other);
            }
            ops.push(op);
        }
        for mut op in otherwise {
            let OpKind::Assign { to, value, .. } = &mut op.kind else { continue };
            // What the first way has assigned is there by now.
            if self.reads.then.contains(&(self.at, *to)) || assigned_then.contains(to) {
                let chosen = std::mem::replace(value, Expr::zero(0));
                let kept = Expr::field(*to, self.fields);
                *value = Expr::select(self.condition.clone(), kept, chosen);
            }
            ops.push(op);
        }
        ops
    }
}

/// Whether the operations of both ways could happen in any order, and none assigns twice.
fn is_parallel(then: &[Op], otherwise: &[Op]) -> bool {
    let distinct = |ops: &[Op]| {
        let written: HashSet<_> = ops.iter().filter_map(assigned).collect();
        written.len() == ops.len()
    };
    let written: HashSet<_> = then.iter().chain(otherwise).filter_map(assigned).collect();
    let mut reads_written = false;
    for op in then.iter().chain(otherwise) {
        op.kind.for_each_expr(&mut |e| {
            e.for_each_field(&mut |f| reads_written |= written.contains(&f));
        });
        op.kind.for_each_guard(&mut |f| reads_written |= written.contains(&f));
    }
    distinct(then) && distinct(otherwise) && !reads_written
}
