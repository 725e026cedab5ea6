//! Tidies control-flow graphs after other passes: edges skip what does nothing, nodes that
//! cannot be reached go, blocks that follow each other become one.

use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{Body, ControlGraph, NodeId, NodeKind};
use std::collections::HashSet;

/// Tidies all graphs; gives the number of nodes that are gone.
pub(super) fn tidy(pipeline: &mut Pipeline) -> u64 {
    let mut removed = 0;
    for action in &mut pipeline.actions {
        removed += tidy_graph(&mut action.body);
    }
    // Actions may have lost their last `exit`.
    let exits: Vec<bool> = pipeline
        .tables
        .iter()
        .map(|table| {
            table.actions.iter().any(|listed| {
                let nodes = &pipeline.actions[listed.action.index()].body.nodes;
                nodes.iter().any(|n| matches!(n.kind, NodeKind::Exit))
            })
        })
        .collect();
    for block in &mut pipeline.blocks {
        let Body::Control(graph) = &mut block.body else { continue };
        for node in &mut graph.nodes {
            if let NodeKind::Apply { table, exit, .. } = &mut node.kind
                && !exits[table.index()]
            {
                *exit = None;
            }
        }
        removed += tidy_graph(graph);
    }
    removed
}

/// Tidies one graph; gives the number of nodes that are gone.
pub(super) fn tidy_graph(graph: &mut ControlGraph) -> u64 {
    let before = graph.nodes.len();
    let mut entry = skip(graph);
    let mut reachable = reachable(graph, entry);
    while dissolve_loops(graph, &reachable) {
        entry = skip_from(graph, entry);
        reachable = self::reachable(graph, entry);
    }
    for node in &mut graph.nodes {
        if let NodeKind::Loop { next, .. } = &mut node.kind {
            *next = next.filter(|to| reachable[to.index()]);
        }
    }
    merge(graph, entry, &mut reachable);
    renumber(graph, &reachable);
    (before - graph.nodes.len()) as u64
}

fn skip(graph: &mut ControlGraph) -> NodeId {
    skip_from(graph, ControlGraph::ENTRY)
}

/// Redirects edges over nodes that do nothing; gives where `entry` leads.
fn skip_from(graph: &mut ControlGraph, entry: NodeId) -> NodeId {
    let mut through: Vec<NodeId> = (0..graph.nodes.len() as u32).map(NodeId).collect();
    // Edges lead forward, so what is behind them is known.
    for n in (0..graph.nodes.len()).rev() {
        let kind = &mut graph.nodes[n].kind;
        redirect(kind, &mut |to| if to.index() > n { through[to.index()] } else { to });
        if let NodeKind::Switch { cases, default, .. } = kind {
            cases.retain(|case| case.target != *default && !case.values.is_empty());
        }
        match kind {
            NodeKind::Block { ops, next } if ops.is_empty() && next.index() > n => {
                through[n] = *next;
            }
            NodeKind::Branch { then, otherwise, .. } if then == otherwise => through[n] = *then,
            NodeKind::Switch { cases, default, .. } if cases.is_empty() => through[n] = *default,
            _ => {}
        }
    }
    through.get(entry.index()).copied().unwrap_or(entry)
}

/// Replaces the targets of all edges, but for those back to a loop.
pub(super) fn redirect(kind: &mut NodeKind, to: &mut dyn FnMut(NodeId) -> NodeId) {
    match kind {
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
            exit.iter_mut().for_each(|exit| *exit = to(*exit));
        }
        NodeKind::Loop { body, next, .. } => {
            *body = to(*body);
            next.iter_mut().for_each(|next| *next = to(*next));
        }
        NodeKind::Continue { .. } | NodeKind::End | NodeKind::Exit => {}
    }
}

fn reachable(graph: &ControlGraph, entry: NodeId) -> Vec<bool> {
    let mut seen = vec![false; graph.nodes.len()];
    let mut pending = vec![entry];
    while let Some(node) = pending.pop() {
        if !std::mem::replace(&mut seen[node.index()], true) {
            graph.nodes[node.index()].kind.for_each_successor(&mut |to| pending.push(to));
        }
    }
    seen
}

/// Loops without a second round become blocks; whether there were any.
fn dissolve_loops(graph: &mut ControlGraph, reachable: &[bool]) -> bool {
    let continued: HashSet<NodeId> = graph
        .nodes
        .iter()
        .zip(reachable)
        .filter_map(|(node, reachable)| match node.kind {
            NodeKind::Continue { head } if *reachable => Some(head),
            _ => None,
        })
        .collect();
    let mut found = false;
    for (n, node) in graph.nodes.iter_mut().enumerate() {
        if let NodeKind::Loop { body, .. } = node.kind
            && reachable[n]
            && !continued.contains(&NodeId(n as u32))
        {
            node.kind = NodeKind::Block { ops: Vec::new(), next: body };
            found = true;
        }
    }
    found
}

/// Joins blocks with the only ones that lead to them.
fn merge(graph: &mut ControlGraph, entry: NodeId, reachable: &mut [bool]) {
    let mut uses = vec![0u32; graph.nodes.len()];
    uses[entry.index()] = 1;
    for (node, _) in graph.nodes.iter().zip(reachable.iter()).filter(|(_, r)| **r) {
        node.kind.for_each_successor(&mut |to| uses[to.index()] += 1);
        if let NodeKind::Loop { next: Some(next), .. } = node.kind {
            uses[next.index()] += 1;
        }
    }
    for n in 0..graph.nodes.len() {
        if !reachable[n] {
            continue;
        }
        while let NodeKind::Block { next, .. } = &graph.nodes[n].kind {
            let to = next.index();
            if to <= n || uses[to] != 1 {
                break;
            }
            let NodeKind::Block { ops: moved, next: behind } = &mut graph.nodes[to].kind else {
                break;
            };
            let (mut moved, behind) = (std::mem::take(moved), *behind);
            reachable[to] = false;
            if let NodeKind::Block { ops, next } = &mut graph.nodes[n].kind {
                ops.append(&mut moved);
                *next = behind;
            }
        }
    }
}

fn renumber(graph: &mut ControlGraph, reachable: &[bool]) {
    let mut ids = Vec::with_capacity(reachable.len());
    let mut count = 0;
    for kept in reachable {
        ids.push(NodeId(count));
        count += u32::from(*kept);
    }
    let mut kept = reachable.iter();
    graph.nodes.retain(|_| kept.next().copied().unwrap_or(false));
    for node in &mut graph.nodes {
        if let NodeKind::Continue { head } = &mut node.kind {
            *head = ids[head.index()];
        }
        redirect(&mut node.kind, &mut |to| ids[to.index()]);
    }
}
