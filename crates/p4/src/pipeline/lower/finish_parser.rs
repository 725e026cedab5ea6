//! From a finished draft to a parse graph: unreachable blocks go, parts of states that follow
//! each other become one, and offsets inside states are fixed where they can be.

use super::Lowerer;
use super::draft::{BlockId, Draft, DraftBlock, DraftMatch, End};
use crate::pipeline::blocks::{
    Match, ParseGraph, Row, RowKind, State, StateId, Target, Transition,
};
use crate::pipeline::operations::{Op, OpKind};
use num_traits::{One, ToPrimitive};
use std::collections::HashMap;

impl Lowerer<'_> {
    /// The parse graph of the draft at work.
    pub(super) fn finish_parser(&mut self) -> ParseGraph {
        let mut draft = std::mem::replace(&mut self.draft, Draft::new());
        for block in &mut draft.blocks {
            block.end = Some(match block.end.take() {
                // Loops are loops of the graph.
                Some(End::Loop(body, _, _)) => End::Goto(body),
                Some(End::Continue(head)) => End::Goto(head),
                Some(end) => end,
                None => End::Reject,
            });
        }
        draft.thread_jumps();
        let entry = match &draft.blocks[0] {
            block if block.ops.is_empty() => match block.end {
                Some(End::Goto(to)) => to,
                _ => BlockId(0),
            },
            _ => BlockId(0),
        };
        merge(&mut draft, entry);
        let successors = |block: BlockId| {
            let mut list = Vec::new();
            for_each_next(&draft.blocks[block.0], &mut |to| list.push(to));
            list.retain(|to| outcome(&draft, *to).is_none());
            list
        };
        let order = draft.order(entry, &successors);
        states(draft, &order)
    }
}

/// Whether a block is nothing but the end of the parser.
fn outcome(draft: &Draft, block: BlockId) -> Option<Target> {
    let block = &draft.blocks[block.0];
    match block.end {
        Some(End::Accept) if block.ops.is_empty() && !block.is_entry => Some(Target::Accept),
        Some(End::Reject) if block.ops.is_empty() && !block.is_entry => Some(Target::Reject),
        _ => None,
    }
}

fn can_fail(block: &DraftBlock) -> bool {
    let op = |op: &Op| {
        matches!(
            op.kind,
            OpKind::Extract(_)
                | OpKind::Lookahead { .. }
                | OpKind::Advance { .. }
                | OpKind::Verify { .. }
        )
    };
    block.ops.iter().any(op) || matches!(block.end, Some(End::Select(..)))
}

/// Successors, and where errors lead.
fn for_each_next(block: &DraftBlock, visit: &mut dyn FnMut(BlockId)) {
    if let Some(end) = &block.end {
        Draft::for_each_successor(end, visit);
    }
    if can_fail(block) {
        block.on_error.into_iter().for_each(visit);
    }
}

/// Joins blocks with the only ones that lead to them.
fn merge(draft: &mut Draft, entry: BlockId) {
    let mut uses = vec![0u32; draft.blocks.len()];
    let mut seen = vec![false; draft.blocks.len()];
    let mut pending = vec![entry];
    uses[entry.0] = 1;
    while let Some(block) = pending.pop() {
        if std::mem::replace(&mut seen[block.0], true) {
            continue;
        }
        for_each_next(&draft.blocks[block.0], &mut |to| {
            uses[to.0] += 1;
            pending.push(to);
        });
    }
    for n in (0..seen.len()).filter(|n| seen[*n]) {
        while let Some(End::Goto(to)) = draft.blocks[n].end {
            let (this, next) = (&draft.blocks[n], &draft.blocks[to.0]);
            let same_errors = this.on_error == next.on_error || !can_fail(this) || !can_fail(next);
            if to.0 == n || uses[to.0] != 1 || (this.is_entry && next.is_entry) || !same_errors {
                break;
            }
            let mut next = next.clone();
            let this = &mut draft.blocks[n];
            if can_fail(&next) {
                this.on_error = next.on_error;
            }
            if next.is_entry {
                this.is_entry = true;
                this.label = std::mem::take(&mut next.label);
                this.span = next.span;
            }
            this.ops.append(&mut next.ops);
            this.end = next.end;
        }
    }
}

fn states(mut draft: Draft, order: &[BlockId]) -> ParseGraph {
    let mut ids = vec![None; draft.blocks.len()];
    for (n, block) in order.iter().enumerate() {
        ids[block.0] = Some(StateId(n as u32));
    }
    let outcomes: Vec<Option<Target>> =
        (0..draft.blocks.len()).map(|n| outcome(&draft, BlockId(n))).collect();
    let to = |block: BlockId| match (outcomes[block.0], ids[block.0]) {
        (Some(target), _) => target,
        (None, Some(state)) => Target::State(state),
        (None, None) => Target::Reject,
    };
    let mut parts: HashMap<String, u32> = HashMap::new();
    let mut states = Vec::with_capacity(order.len());
    for block in order {
        let draft_block = &mut draft.blocks[block.0];
        let fails = can_fail(draft_block);
        let mut ops = std::mem::take(&mut draft_block.ops);
        let fixed_bits = fix_offsets(&mut ops);
        let mut name = draft_block.label.clone();
        if name.is_empty() {
            name = "$begin".to_owned();
        }
        if !draft_block.is_entry {
            let part = parts.entry(name.clone()).or_insert(0);
            *part += 1;
            name = format!("{name}${part}");
        }
        let on_error = match draft_block.on_error {
            Some(block) if fails => to(block),
            _ => Target::Reject,
        };
        let span = draft_block.span;
        let end = draft_block.end.take().unwrap_or(End::Reject);
        let row = |kind, target| Row { kind, target: to(target), span };
        let transition = match end {
            End::Goto(next) => Transition::Goto(to(next)),
            End::Branch(condition, then, otherwise) => {
                let one = num_bigint::BigUint::one();
                let rows = vec![
                    row(RowKind::Values(vec![Match::Value(one)]), then),
                    row(RowKind::Any, otherwise),
                ];
                Transition::Select { values: vec![condition], rows }
            }
            End::Switch(value, cases, default) => {
                let mut rows = Vec::new();
                for (values, target) in cases {
                    for value in values {
                        rows.push(row(RowKind::Values(vec![Match::Value(value)]), target));
                    }
                }
                rows.push(row(RowKind::Any, default));
                Transition::Select { values: vec![value], rows }
            }
            End::Select(values, rows) => {
                let rows = rows
                    .into_iter()
                    .map(|r| Row {
                        kind: match r.kind {
                            DraftMatch::Values(matches) => RowKind::Values(matches),
                            DraftMatch::ValueSet(set) => RowKind::ValueSet(set),
                            DraftMatch::Any => RowKind::Any,
                        },
                        target: to(r.target),
                        span: r.span,
                    })
                    .collect();
                Transition::Select { values, rows }
            }
            End::Accept => Transition::Goto(Target::Accept),
            _ => Transition::Goto(Target::Reject),
        };
        let is_entry = draft_block.is_entry;
        states.push(State { name, is_entry, ops, transition, on_error, fixed_bits, span });
    }
    ParseGraph { states, loops: Vec::new() }
}

/// Notes where in the state each access to the packet begins, while that is known; gives the
/// number of bits that the state takes, if it is always the same.
fn fix_offsets(ops: &mut [Op]) -> Option<u64> {
    let mut at = Some(0u64);
    for op in ops {
        match &mut op.kind {
            OpKind::Extract(extract) => {
                extract.offset = at;
                let variable = match &extract.varbit {
                    None => Some(0),
                    Some(length) => length.as_const().and_then(ToPrimitive::to_u64),
                };
                let bits = variable.map(|v| v.saturating_add(u64::from(extract.fixed_bits)));
                at = at.zip(bits).map(|(at, bits)| at.saturating_add(bits));
            }
            OpKind::Lookahead { offset, .. } => *offset = at,
            OpKind::Advance { bits, offset } => {
                *offset = at;
                let bits = bits.as_const().and_then(ToPrimitive::to_u64);
                at = at.zip(bits).map(|(at, bits)| at.saturating_add(bits));
            }
            _ => {}
        }
    }
    at
}
