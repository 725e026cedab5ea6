//! Logical stages: which operations could happen at the same time, by true dependencies alone.
//!
//! An operation belongs to the first stage in which everything it reads is there. A result is
//! there one stage later; a value that is only moved, unconditionally, is there at once. What
//! depends on a condition can happen in the stage of the condition; what an action of a table
//! writes is there one stage after the table. The body of a loop counts once.

use super::Pipeline;
use super::blocks::{ControlGraph, NodeId, NodeKind};
use super::expression::Expr;
use super::fields::FieldId;
use super::operations::{Op, OpKind};
use std::collections::HashMap;

/// The stages of a control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stages {
    /// By node.
    pub nodes: Vec<NodeStages>,
    /// Number of stages.
    pub count: u32,
}

/// The stages of a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeStages {
    /// Of the node: of a block its first operation, of a table its lookup.
    pub stage: u32,
    /// Of each operation of a block.
    pub ops: Vec<u32>,
}

/// When the value of each field is there; 0 for those not mentioned.
type Ready = HashMap<FieldId, u32>;

/// The stages of a control or deparser.
pub fn stages(pipeline: &Pipeline, graph: &ControlGraph) -> Stages {
    let mut walk = Walk { pipeline, count: 0 };
    let (nodes, _) = walk.graph(graph, Ready::new(), None);
    Stages { nodes, count: walk.count }
}

struct Walk<'p> {
    pipeline: &'p Pipeline,
    count: u32,
}

impl Walk<'_> {
    /// Walks a graph; `gate` is the stage of the table whose action it is.
    fn graph(
        &mut self,
        graph: &ControlGraph,
        start: Ready,
        gate: Option<u32>,
    ) -> (Vec<NodeStages>, Ready) {
        let controllers = controllers(graph);
        let mut incoming: Vec<Option<Ready>> = vec![None; graph.nodes.len()];
        if let Some(entry) = incoming.first_mut() {
            *entry = Some(start);
        }
        let mut nodes: Vec<NodeStages> = Vec::with_capacity(graph.nodes.len());
        let mut last = Ready::new();
        for (n, node) in graph.nodes.iter().enumerate() {
            let mut ready = incoming[n].take().unwrap_or_default();
            let by_branch = controllers[n].iter().map(|b| nodes[*b].stage).max();
            let gated = by_branch.max(gate);
            let control = gated.unwrap_or(0);
            let mut found = NodeStages { stage: control, ops: Vec::new() };
            match &node.kind {
                NodeKind::Block { ops, .. } => {
                    for op in ops {
                        let stage = self.op(op, control, gated.is_some(), &mut ready);
                        found.ops.push(stage);
                    }
                    found.stage = found.ops.iter().copied().min().unwrap_or(control);
                }
                NodeKind::Branch { condition, .. } => {
                    found.stage = control.max(expr_ready(condition, &ready));
                }
                NodeKind::Switch { value, .. } => {
                    found.stage = control.max(expr_ready(value, &ready));
                }
                NodeKind::Apply { table, hit, action_run, .. } => {
                    let table = &self.pipeline[*table];
                    let keys = table.keys.iter().map(|k| field_ready(k.field, &ready));
                    let stage = keys.max().unwrap_or(0).max(control);
                    found.stage = stage;
                    let before = ready.clone();
                    for listed in &table.actions {
                        let action = &self.pipeline[listed.action];
                        let (_, after) = self.graph(&action.body, before.clone(), Some(stage));
                        merge(&mut ready, &after);
                    }
                    for field in hit.iter().chain(action_run) {
                        ready.insert(*field, stage + 1);
                    }
                }
                NodeKind::Loop { .. } | NodeKind::Continue { .. } => {}
                NodeKind::End | NodeKind::Exit => merge(&mut last, &ready),
            }
            self.count = self.count.max(match &node.kind {
                NodeKind::End | NodeKind::Exit => 0,
                _ => found.ops.iter().copied().max().unwrap_or(found.stage) + 1,
            });
            nodes.push(found);
            for to in forward(&node.kind) {
                match &mut incoming[to.index()] {
                    Some(other) => merge(other, &ready),
                    empty => *empty = Some(ready.clone()),
                }
            }
        }
        (nodes, last)
    }

    fn op(&self, op: &Op, control: u32, is_gated: bool, ready: &mut Ready) -> u32 {
        let mut stage = control;
        op.kind.for_each_expr(&mut |e| stage = stage.max(expr_ready(e, ready)));
        op.kind.for_each_guard(&mut |f| stage = stage.max(field_ready(f, ready)));
        if let OpKind::Emit { header } = &op.kind {
            let header = &self.pipeline[*header];
            stage = stage.max(field_ready(header.valid, ready));
            for item in &header.layout {
                stage = stage.max(field_ready(item.field, ready));
            }
        }
        let is_partial = op.kind.is_partial();
        let moves = match &op.kind {
            OpKind::Assign { value, .. } => value.is_wiring() && !is_partial && !is_gated,
            OpKind::Invalidate { .. } => !is_partial && !is_gated,
            _ => false,
        };
        let there = if moves { stage } else { stage + 1 };
        op.kind.for_each_write(&self.pipeline.headers, &mut |field| {
            let old = field_ready(field, ready);
            ready.insert(field, if is_partial { there.max(old) } else { there });
        });
        stage
    }
}

fn field_ready(field: FieldId, ready: &Ready) -> u32 {
    ready.get(&field).copied().unwrap_or(0)
}

fn expr_ready(e: &Expr, ready: &Ready) -> u32 {
    let mut stage = 0;
    e.for_each_field(&mut |f| stage = stage.max(field_ready(f, ready)));
    stage
}

fn merge(into: &mut Ready, from: &Ready) {
    for (field, stage) in from {
        let slot = into.entry(*field).or_insert(*stage);
        *slot = (*slot).max(*stage);
    }
}

/// Edges without those that lead back.
fn forward(kind: &NodeKind) -> Vec<NodeId> {
    let mut list = Vec::new();
    match kind {
        NodeKind::Continue { .. } => {}
        NodeKind::Loop { body, next, .. } => {
            list.push(*body);
            list.extend(next);
        }
        kind => kind.for_each_successor(&mut |to| list.push(to)),
    }
    list
}

/// For each node the branches that decide whether it runs (Ferrante, Ottenstein, Warren 1987:
/// control dependence by post-dominators).
fn controllers(graph: &ControlGraph) -> Vec<Vec<usize>> {
    let count = graph.nodes.len();
    // `count` stands for what comes after everything.
    let mut post: Vec<usize> = vec![count; count + 1];
    for n in (0..count).rev() {
        let mut common = None;
        for to in forward(&graph.nodes[n].kind) {
            common = Some(match common {
                None => to.index(),
                Some(other) => meet(&post, other, to.index()),
            });
        }
        post[n] = common.unwrap_or(count);
    }
    let mut controllers = vec![Vec::new(); count];
    for (n, node) in graph.nodes.iter().enumerate() {
        let successors = forward(&node.kind);
        if successors.len() < 2 || matches!(node.kind, NodeKind::Loop { .. }) {
            continue;
        }
        for to in successors {
            let mut at = to.index();
            while at != post[n] && at < count {
                if !controllers[at].contains(&n) {
                    controllers[at].push(n);
                }
                at = post[at];
            }
        }
    }
    controllers
}

/// The first node that both lead to in any case; edges lead to higher numbers.
fn meet(post: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a < b {
            a = post[a];
        } else {
            b = post[b];
        }
    }
    a
}
