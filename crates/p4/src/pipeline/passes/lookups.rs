//! Which lookups could happen at the same time.

use super::field_sets::FieldSet;
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{ControlGraph, NodeId, NodeKind};
use crate::pipeline::fields::FieldId;
use crate::pipeline::tables::TableId;

/// Most nodes between the first application of a group and the last one.
const WINDOW: usize = 256;

/// Groups of two or more applications, in the order in which they run, whose keys all have their
/// values when the first of them runs: nothing between them, and none of their actions, writes
/// to a later one's keys. Whenever the first one runs, so do the others. An engine may look up
/// all keys of a group at its first application, and use the results one after the other.
///
/// No application is in two groups; those in loops are in none.
pub fn lookup_groups(pipeline: &Pipeline, graph: &ControlGraph) -> Vec<Vec<NodeId>> {
    let count = graph.nodes.len();
    let in_loop = in_loops(graph);
    let behind = certain_successors(graph);
    let mut grouped = vec![false; count];
    let mut groups = Vec::new();
    for first in 0..count {
        let is_apply = matches!(graph.nodes[first].kind, NodeKind::Apply { .. });
        if !is_apply || grouped[first] || in_loop[first] {
            continue;
        }
        let last = count.min(first + WINDOW);
        let mut reached = vec![false; last - first];
        let mut written = FieldSet::default();
        let mut group = vec![NodeId(first as u32)];
        let mut certain = behind[first];
        reached[0] = true;
        for n in first..last {
            if !reached[n - first] {
                continue;
            }
            let kind = &graph.nodes[n].kind;
            while certain < n {
                certain = behind[certain];
            }
            match kind {
                NodeKind::Loop { .. } | NodeKind::Continue { .. } => break,
                NodeKind::Block { ops, .. } => {
                    for op in ops {
                        op.kind.for_each_write(&pipeline.headers, &mut |f| written.insert(f));
                    }
                }
                NodeKind::Apply { table, hit, action_run, .. } => {
                    let keys = &pipeline[*table].keys;
                    if certain == n
                        && !grouped[n]
                        && keys.iter().all(|key| !written.contains(key.field))
                    {
                        group.push(NodeId(n as u32));
                    }
                    table_writes(pipeline, *table, &mut |f| written.insert(f));
                    written.extend(hit.iter().chain(action_run).copied());
                }
                _ => {}
            }
            kind.for_each_successor(&mut |to| {
                if let Some(slot) = to.index().checked_sub(first).and_then(|n| reached.get_mut(n)) {
                    *slot = true;
                }
            });
        }
        if group.len() > 1 {
            group.iter().for_each(|n| grouped[n.index()] = true);
            groups.push(group);
        }
    }
    groups
}

fn table_writes(pipeline: &Pipeline, table: TableId, visit: &mut dyn FnMut(FieldId)) {
    for listed in &pipeline[table].actions {
        let action = &pipeline[listed.action];
        action.parameters.iter().flat_map(|p| &p.fields).for_each(|f| visit(*f));
        for (_, op) in action.body.operations() {
            op.kind.for_each_write(&pipeline.headers, visit);
        }
    }
}

fn in_loops(graph: &ControlGraph) -> Vec<bool> {
    let mut inside = vec![false; graph.nodes.len()];
    let mut outermost = usize::MAX;
    for (n, node) in graph.nodes.iter().enumerate().rev() {
        // All nodes of a loop stand between its head and the last way back to it.
        if let NodeKind::Continue { head } = node.kind {
            outermost = outermost.min(head.index());
        }
        inside[n] = outermost <= n;
        if outermost == n {
            outermost = usize::MAX;
        }
    }
    inside
}

/// For each node the next one that every way from it passes (the immediate post-dominator);
/// the number of nodes if there is none.
fn certain_successors(graph: &ControlGraph) -> Vec<usize> {
    let count = graph.nodes.len();
    let mut behind = vec![count; count + 1];
    for n in (0..count).rev() {
        let mut common: Option<usize> = None;
        let mut add = |to: usize| {
            common = Some(match common {
                None => to,
                Some(mut other) => {
                    let mut at = to;
                    while at != other {
                        if at < other {
                            at = behind[at];
                        } else {
                            other = behind[other];
                        }
                    }
                    at
                }
            });
        };
        match &graph.nodes[n].kind {
            // Where a loop ends is not known to be reached.
            NodeKind::Loop { .. } | NodeKind::Continue { .. } => add(count),
            kind => kind
                .for_each_successor(&mut |to| add(if to.index() > n { to.index() } else { count })),
        }
        behind[n] = common.unwrap_or(count);
    }
    behind
}
