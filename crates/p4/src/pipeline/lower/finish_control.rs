//! From a finished draft to a control-flow graph: unreachable blocks go, chains of blocks become
//! one, nodes are numbered so that edges lead forward.

use super::Lowerer;
use super::draft::{BlockId, Draft, End};
use crate::pipeline::blocks::{ControlGraph, Node, NodeId, NodeKind, SwitchCase};
use crate::pipeline::operations::Op;
use crate::source::Span;

impl Lowerer<'_> {
    /// The graph of the draft at work; in actions `exit` is told from the end.
    pub(super) fn finish_control(&mut self, is_action: bool) -> ControlGraph {
        let mut draft = std::mem::replace(&mut self.draft, Draft::new());
        for block in &mut draft.blocks {
            match &block.end {
                None => block.end = Some(End::Finish),
                Some(End::Exit) if !is_action => block.end = Some(End::Finish),
                _ => {}
            }
        }
        draft.thread_jumps();
        control_graph(&mut draft)
    }
}

/// Whether a block is nothing but the end of the graph.
fn is_end(draft: &Draft, block: BlockId) -> Option<bool> {
    let block = &draft.blocks[block.0];
    match block.end {
        Some(End::Finish) if block.ops.is_empty() => Some(false),
        Some(End::Exit) if block.ops.is_empty() => Some(true),
        _ => None,
    }
}

fn control_graph(draft: &mut Draft) -> ControlGraph {
    let entry = first(draft);
    let reachable = reachable(draft, entry);
    merge(draft, entry, &reachable);
    let reachable = self::reachable(draft, entry);
    let successors = |block: BlockId| -> Vec<BlockId> {
        let mut list = Vec::new();
        if let Some(end) = &draft.blocks[block.0].end {
            match end {
                // Behind the loop comes what follows it.
                End::Continue(head) => {
                    if let Some(End::Loop(_, behind, _)) = &draft.blocks[head.0].end
                        && reachable[behind.0]
                    {
                        list.push(*behind);
                    }
                }
                End::Loop(body, behind, _) => {
                    list.push(*body);
                    if reachable[behind.0] {
                        list.push(*behind);
                    }
                }
                end => Draft::for_each_successor(end, &mut |to| list.push(to)),
            }
        }
        list.retain(|to| is_end(draft, *to).is_none());
        list
    };
    let order =
        if is_end(draft, entry).is_some() { Vec::new() } else { draft.order(entry, &successors) };
    if is_end(draft, entry) == Some(true) {
        return ControlGraph { nodes: vec![Node { kind: NodeKind::Exit, span: Span::NONE }] };
    }
    number(draft, &order, &reachable)
}

/// Where the graph begins: behind an entry that only leads on.
fn first(draft: &Draft) -> BlockId {
    match &draft.blocks[0] {
        block if block.ops.is_empty() => match block.end {
            Some(End::Goto(to)) => to,
            _ => BlockId(0),
        },
        _ => BlockId(0),
    }
}

fn reachable(draft: &Draft, entry: BlockId) -> Vec<bool> {
    let mut seen = vec![false; draft.blocks.len()];
    let mut pending = vec![entry];
    while let Some(block) = pending.pop() {
        if std::mem::replace(&mut seen[block.0], true) {
            continue;
        }
        if let Some(end) = &draft.blocks[block.0].end {
            Draft::for_each_successor(end, &mut |to| pending.push(to));
        }
    }
    seen
}

/// Joins blocks with the only ones that lead to them.
fn merge(draft: &mut Draft, entry: BlockId, reachable: &[bool]) {
    let mut uses = vec![0u32; draft.blocks.len()];
    uses[entry.0] = 1;
    for (block, _) in draft.blocks.iter().zip(reachable).filter(|(_, r)| **r) {
        if let Some(end) = &block.end {
            Draft::for_each_successor(end, &mut |to| uses[to.0] += 1);
        }
    }
    for n in 0..draft.blocks.len() {
        if !reachable[n] {
            continue;
        }
        while let Some(End::Goto(to)) = draft.blocks[n].end {
            // The head of a loop is led to by its rounds, too.
            if to.0 == n || uses[to.0] != 1 || !reachable[to.0] {
                break;
            }
            let next = &mut draft.blocks[to.0];
            let (mut ops, end) = (std::mem::take(&mut next.ops), next.end.clone());
            if let Some(End::Loop(..)) = end {
                draft.blocks[to.0].ops = ops;
                break;
            }
            draft.blocks[n].ops.append(&mut ops);
            draft.blocks[n].end = end;
        }
    }
}

fn number(draft: &mut Draft, order: &[BlockId], reachable: &[bool]) -> ControlGraph {
    // One node for the operations of a block, if there are any, and one for its end.
    let mut firsts = vec![None; draft.blocks.len()];
    let mut count = 0u32;
    for block in order {
        firsts[block.0] = Some(NodeId(count));
        let block = &draft.blocks[block.0];
        let has_ops = !block.ops.is_empty();
        let has_end = !matches!(block.end, Some(End::Goto(_) | End::Finish | End::Exit) | None);
        count += u32::from(has_ops) + u32::from(has_end);
        if !has_ops && !has_end {
            // Only an endless loop of empty blocks: it stands as a block without operations.
            count += 1;
        }
    }
    let uses_exit =
        draft.blocks.iter().zip(reachable).any(|(b, r)| *r && matches!(b.end, Some(End::Exit)));
    let (end, exit) = (NodeId(count), NodeId(count + 1));
    let node_of = |draft: &Draft, block: BlockId| match is_end(draft, block) {
        Some(false) => end,
        Some(true) => exit,
        None => firsts[block.0].unwrap_or(end),
    };
    let mut nodes = Vec::new();
    for block in order {
        let ops: Vec<Op> = std::mem::take(&mut draft.blocks[block.0].ops);
        let span = draft.blocks[block.0].span;
        let block_end = draft.blocks[block.0].end.clone().unwrap_or(End::Finish);
        let to = |block: BlockId| node_of(draft, block);
        let follow = match &block_end {
            End::Goto(next) => Some(to(*next)),
            End::Finish => Some(end),
            End::Exit => Some(exit),
            _ => None,
        };
        if !ops.is_empty() || follow.is_some() {
            let next = follow.unwrap_or(NodeId(nodes.len() as u32 + 1));
            let span = ops.first().map_or(span, |op| op.span);
            nodes.push(Node { kind: NodeKind::Block { ops, next }, span });
        }
        let kind = match block_end {
            End::Goto(_) | End::Finish | End::Exit => continue,
            End::Branch(condition, then, otherwise) => {
                NodeKind::Branch { condition, then: to(then), otherwise: to(otherwise) }
            }
            End::Switch(value, cases, default) => NodeKind::Switch {
                value,
                cases: cases
                    .into_iter()
                    .map(|(values, target)| SwitchCase { values, target: to(target) })
                    .collect(),
                default: to(default),
            },
            End::Apply { table, application, hit, action_run, next, exit } => NodeKind::Apply {
                table,
                application,
                hit,
                action_run,
                next: to(next),
                exit: exit.map(to),
            },
            End::Loop(body, behind, bound) => NodeKind::Loop {
                body: to(body),
                next: reachable[behind.0].then(|| to(behind)),
                bound,
            },
            End::Continue(head) => NodeKind::Continue { head: firsts[head.0].unwrap_or(end) },
            // Ends of parsers: they are not in controls.
            End::Select(..) | End::Accept | End::Reject => NodeKind::End,
        };
        nodes.push(Node { kind, span });
    }
    nodes.push(Node { kind: NodeKind::End, span: Span::NONE });
    if uses_exit {
        nodes.push(Node { kind: NodeKind::Exit, span: Span::NONE });
    }
    ControlGraph { nodes }
}
