//! Loops of controls, written out.

use super::super::refusal::Reason;
use super::Lowering;
use std::borrow::Cow;
use ww_p4::pipeline::{ControlGraph, Node, NodeId, NodeKind};

/// Most rounds of a loop.
const MAX_ROUNDS: u64 = 256;
/// Most nodes of a graph.
const MAX_NODES: usize = 50_000;

impl Lowering<'_> {
    /// The graph without loops: each body as often as it runs at most.
    pub fn without_loops<'g>(&mut self, graph: &'g ControlGraph) -> Cow<'g, ControlGraph> {
        let mut graph = Cow::Borrowed(graph);
        // The last loop has no loop within.
        while let Some(head) =
            graph.nodes.iter().rposition(|node| matches!(node.kind, NodeKind::Loop { .. }))
        {
            let NodeKind::Loop { body, bound, .. } = graph.nodes[head].kind else { break };
            let rounds = bound.filter(|rounds| *rounds <= MAX_ROUNDS);
            let nodes = graph.nodes.len();
            let fits = |rounds: u64| nodes.saturating_mul(rounds as usize) <= MAX_NODES;
            let Some(rounds) = rounds.filter(|rounds| fits(*rounds)) else {
                let span = graph.nodes[head].span;
                self.refuse(Reason::UnboundedLoop, "", Some(span));
                return Cow::Owned(ControlGraph {
                    nodes: vec![Node { kind: NodeKind::End, span }],
                });
            };
            graph = Cow::Owned(unroll(&graph, head, body, rounds as usize));
        }
        graph
    }
}

/// One loop written out. Its body are the nodes from the first behind the head to the last that
/// goes back to it; leaving is any edge to a node behind those.
fn unroll(graph: &ControlGraph, head: usize, body: NodeId, rounds: usize) -> ControlGraph {
    let is_back =
        |node: &Node| matches!(node.kind, NodeKind::Continue { head: to } if to.index() == head);
    let last = graph.nodes.iter().rposition(is_back).unwrap_or(head);
    let length = last - head;
    // One round more than the body runs: in it, the condition fails.
    let rounds = if length == 0 { 1 } else { rounds + 1 };
    // The head becomes a step into the first round; after the last round there is an end that
    // is never reached.
    let behind = head + 1 + length * rounds;
    let shifted = |to: NodeId, round: usize| {
        let n = to.index();
        if n <= head {
            to
        } else if n <= last {
            NodeId((n + length * round) as u32)
        } else {
            NodeId((n - last - 1 + behind + 1) as u32)
        }
    };
    let mut nodes = Vec::with_capacity(graph.nodes.len() + length * rounds);
    let copy = |node: &Node, round: usize| {
        let kind = match &node.kind {
            NodeKind::Continue { head: to } if to.index() == head => {
                let next = if round + 1 < rounds {
                    shifted(body, round + 1)
                } else {
                    NodeId(behind as u32)
                };
                step(next)
            }
            kind => retarget(kind, &|to| shifted(to, round)),
        };
        Node { kind, span: node.span }
    };
    nodes.extend(graph.nodes[..head].iter().map(|node| copy(node, 0)));
    nodes.push(Node { kind: step(shifted(body, 0)), span: graph.nodes[head].span });
    for round in 0..rounds {
        nodes.extend(graph.nodes[head + 1..=last].iter().map(|node| copy(node, round)));
    }
    nodes.push(Node { kind: NodeKind::End, span: graph.nodes[head].span });
    nodes.extend(graph.nodes[last + 1..].iter().map(|node| copy(node, 0)));
    ControlGraph { nodes }
}

/// A node that only leads on.
fn step(next: NodeId) -> NodeKind {
    NodeKind::Block { ops: Vec::new(), next }
}

/// A node with other targets. Heads of loops around it keep theirs.
fn retarget(kind: &NodeKind, to: &dyn Fn(NodeId) -> NodeId) -> NodeKind {
    let mut kind = kind.clone();
    match &mut kind {
        NodeKind::Block { next, .. } => *next = to(*next),
        NodeKind::Branch { then, otherwise, .. } => {
            *then = to(*then);
            *otherwise = to(*otherwise);
        }
        NodeKind::Switch { cases, default, .. } => {
            cases.iter_mut().for_each(|case| case.target = to(case.target));
            *default = to(*default);
        }
        NodeKind::Apply { next, exit, .. } => {
            *next = to(*next);
            if let Some(exit) = exit {
                *exit = to(*exit);
            }
        }
        NodeKind::Loop { body, next, .. } => {
            *body = to(*body);
            if let Some(next) = next {
                *next = to(*next);
            }
        }
        NodeKind::Continue { .. } | NodeKind::End | NodeKind::Exit => {}
    }
    kind
}
