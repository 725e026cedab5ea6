//! Graphs in the making.

use super::{Lowered, Lowerer};
use crate::pipeline::MAX_OPERATIONS;
use crate::pipeline::blocks::Match;
use crate::pipeline::expression::{Expr, ExprKind, UnaryOp};
use crate::pipeline::fields::FieldId;
use crate::pipeline::operations::{Op, OpKind};
use crate::pipeline::tables::{TableId, ValueSetId};
use crate::source::Span;
use num_bigint::BigUint;

/// A block of a [`Draft`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct BlockId(pub usize);

/// Operations without branches and where they lead.
#[derive(Clone, Debug)]
pub(super) struct DraftBlock {
    /// In order.
    pub ops: Vec<Op>,
    /// Set when the block is complete.
    pub end: Option<End>,
    /// What the block stands for.
    pub span: Span,
    /// Name of the parser state.
    pub label: String,
    /// Whether a state of the program begins here.
    pub is_entry: bool,
    /// Where parser errors lead; `None` for reject.
    pub on_error: Option<BlockId>,
}

/// The end of a block.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Unconditional.
    Goto(BlockId),
    /// One of two ways.
    Branch(Expr, BlockId, BlockId),
    /// One of several ways.
    Switch(Expr, Vec<(Vec<BigUint>, BlockId)>, BlockId),
    /// A parser's select.
    Select(Vec<Expr>, Vec<DraftRow>),
    /// A table.
    Apply {
        table: TableId,
        application: u32,
        hit: Option<FieldId>,
        action_run: Option<FieldId>,
        next: BlockId,
        exit: Option<BlockId>,
    },
    /// A loop: body and the block behind it.
    Loop(BlockId, BlockId, Option<u64>),
    /// To the next round of a loop.
    Continue(BlockId),
    /// The parser accepts.
    Accept,
    /// The parser rejects.
    Reject,
    /// The graph ends.
    Finish,
    /// The graph, and what it belongs to, ends.
    Exit,
}

/// A row of a select.
#[derive(Clone, Debug)]
pub(super) struct DraftRow {
    /// When it fits.
    pub kind: DraftMatch,
    /// Where to.
    pub target: BlockId,
    /// Where it was written.
    pub span: Span,
}

/// When a [`DraftRow`] fits.
#[derive(Clone, Debug)]
pub(super) enum DraftMatch {
    Values(Vec<Match>),
    ValueSet(ValueSetId),
    Any,
}

/// A graph in the making.
#[derive(Clone, Debug)]
pub(super) struct Draft {
    /// The blocks; the first one is the entry.
    pub blocks: Vec<DraftBlock>,
    /// Where operations go.
    pub current: BlockId,
}

impl Draft {
    /// A graph with an empty entry.
    pub fn new() -> Self {
        let entry = DraftBlock {
            ops: Vec::new(),
            end: None,
            span: Span::NONE,
            label: String::new(),
            is_entry: false,
            on_error: None,
        };
        Self { blocks: vec![entry], current: BlockId(0) }
    }

    /// A new block like the present one, not reached from anywhere.
    pub fn block(&mut self, span: Span, on_error: Option<BlockId>) -> BlockId {
        let label = self.blocks[self.current.0].label.clone();
        let block =
            DraftBlock { ops: Vec::new(), end: None, span, label, is_entry: false, on_error };
        self.blocks.push(block);
        BlockId(self.blocks.len() - 1)
    }

    /// Ends the present block, unless it has ended.
    pub fn end(&mut self, end: End) {
        let block = &mut self.blocks[self.current.0];
        if block.end.is_none() {
            block.end = Some(end);
        }
    }

    /// Goes on in another block.
    pub fn switch_to(&mut self, block: BlockId) {
        self.current = block;
    }

    /// Calls `visit` with every block that `end` leads to.
    pub fn for_each_successor(end: &End, visit: &mut dyn FnMut(BlockId)) {
        match end {
            End::Goto(to) | End::Continue(to) => visit(*to),
            End::Branch(_, then, otherwise) => {
                visit(*then);
                visit(*otherwise);
            }
            End::Switch(_, cases, default) => {
                cases.iter().for_each(|(_, to)| visit(*to));
                visit(*default);
            }
            End::Select(_, rows) => rows.iter().for_each(|r| visit(r.target)),
            End::Apply { next, exit, .. } => {
                visit(*next);
                exit.iter().copied().for_each(visit);
            }
            End::Loop(body, _, _) => visit(*body),
            End::Accept | End::Reject | End::Finish | End::Exit => {}
        }
    }

    /// The same with every block replaced.
    pub fn redirect(end: &mut End, to: &mut dyn FnMut(BlockId) -> BlockId) {
        match end {
            End::Goto(target) => *target = to(*target),
            End::Branch(_, then, otherwise) => {
                *then = to(*then);
                *otherwise = to(*otherwise);
            }
            End::Switch(_, cases, default) => {
                cases.iter_mut().for_each(|(_, target)| *target = to(*target));
                *default = to(*default);
            }
            End::Select(_, rows) => rows.iter_mut().for_each(|r| r.target = to(r.target)),
            End::Apply { next, exit, .. } => {
                *next = to(*next);
                if let Some(exit) = exit {
                    *exit = to(*exit);
                }
            }
            End::Loop(body, next, _) => {
                *body = to(*body);
                *next = to(*next);
            }
            // The head of a loop is never empty, so it stays.
            End::Continue(_) | End::Accept | End::Reject | End::Finish | End::Exit => {}
        }
    }

    /// Edges over blocks that do nothing go to where these lead.
    pub fn thread_jumps(&mut self) {
        let through: Vec<BlockId> = (0..self.blocks.len())
            .map(|start| {
                let mut at = BlockId(start);
                for _ in 0..=self.blocks.len() {
                    let block = &self.blocks[at.0];
                    match block.end {
                        Some(End::Goto(next)) if block.ops.is_empty() && !block.is_entry => {
                            at = next;
                        }
                        _ => return at,
                    }
                }
                BlockId(start)
            })
            .collect();
        for block in &mut self.blocks {
            if let Some(end) = &mut block.end {
                Self::redirect(end, &mut |to| through[to.0]);
            }
            block.on_error = block.on_error.map(|to| through[to.0]);
        }
    }

    /// Blocks in an order in which all edges but those of loops lead forward. `successors` gives
    /// the edges that count, in the order in which their targets should stand.
    pub fn order(
        &self,
        entry: BlockId,
        successors: &dyn Fn(BlockId) -> Vec<BlockId>,
    ) -> Vec<BlockId> {
        let mut seen = vec![false; self.blocks.len()];
        let mut order = Vec::new();
        let mut stack = vec![(entry, successors(entry))];
        seen[entry.0] = true;
        while let Some((block, pending)) = stack.last_mut() {
            match pending.pop() {
                Some(next) if seen[next.0] => {}
                Some(next) => {
                    seen[next.0] = true;
                    stack.push((next, successors(next)));
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

impl Lowerer<'_> {
    /// Appends an operation.
    pub(super) fn emit(&mut self, kind: OpKind, span: Span) -> Lowered<()> {
        if let OpKind::Assign { to, value, .. } = &kind
            && (value.width == 0 || value.as_field() == Some(*to))
        {
            return Ok(());
        }
        if let OpKind::AssignElement { value, .. } = &kind
            && value.width == 0
        {
            return Ok(());
        }
        let block = &mut self.draft.blocks[self.draft.current.0];
        if block.end.is_some() {
            // Behind `return` and the like.
            return Ok(());
        }
        block.ops.push(Op { kind, span });
        self.count_operation(span)
    }

    /// Counts an operation, or a call that becomes some: programs in which each function calls the
    /// next one twice grow without bounds.
    pub(super) fn count_operation(&mut self, span: Span) -> Lowered<()> {
        self.operations += 1;
        if self.operations > MAX_OPERATIONS {
            let message = format!("the program has more than {MAX_OPERATIONS} operations");
            return self.refuse(span, message);
        }
        Ok(())
    }

    /// A new block of the present graph.
    pub(super) fn new_block(&mut self, span: Span) -> BlockId {
        let on_error = self.flow.reject;
        self.draft.block(span, on_error)
    }

    /// Goes on in a new block.
    pub(super) fn start_block(&mut self, span: Span) -> BlockId {
        let block = self.new_block(span);
        self.draft.end(End::Goto(block));
        self.draft.switch_to(block);
        block
    }

    /// Ends the present block with a condition; a constant one leaves a single way.
    pub(super) fn branch(&mut self, condition: Expr, then: BlockId, otherwise: BlockId) {
        let end = match condition.as_bool() {
            Some(true) => End::Goto(then),
            Some(false) => End::Goto(otherwise),
            None => match condition.kind {
                ExprKind::Unary(UnaryOp::Not, opposite) => End::Branch(*opposite, otherwise, then),
                _ => End::Branch(condition, then, otherwise),
            },
        };
        self.draft.end(end);
    }
}
