//! Which fields are read later: backward over all blocks, from what the switch sends back to the
//! parser. A write to a field that is not read later is dead, and what only dead operations read
//! is not read.

use super::field_sets::FieldSet;
use super::switch_fields::SwitchFields;
use crate::architecture::{Access, Effect};
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{
    Body, ControlGraph, NodeKind, ParseGraph, State, Target, Transition,
};
use crate::pipeline::expression::Expr;
use crate::pipeline::fields::{FieldId, HeaderId};
use crate::pipeline::operations::{ArgumentValue, ExternCall, Op, OpKind};
use crate::pipeline::tables::{Table, TableId};

/// Is told what holds at each operation when the analysis is done.
pub(super) trait Visitor {
    /// An operation of a node or state; `live` are the fields that are read after it.
    fn op(&mut self, _at: usize, _index: usize, _op: &Op, _live: &FieldSet, _is_dead: bool) {}
    /// A branch, with what is read on either way.
    fn branch(&mut self, _at: usize, _then: &FieldSet, _otherwise: &FieldSet) {}
    /// An application, with what is read after it.
    fn apply(&mut self, _at: usize, _live: &FieldSet) {}
}

struct Silent;

impl Visitor for Silent {}

/// The fields that are read after the end of each graph.
pub(super) struct Liveness<'p> {
    pipeline: &'p Pipeline,
    /// By block.
    block_ends: Vec<FieldSet>,
    /// By action: after its end, and after its `exit`.
    action_ends: Vec<(FieldSet, FieldSet)>,
}

impl<'p> Liveness<'p> {
    /// Analyses the whole pipeline.
    pub fn of(pipeline: &'p Pipeline) -> Self {
        let switch = SwitchFields::of(pipeline);
        let count = pipeline.blocks.len();
        let mut liveness = Self {
            pipeline,
            block_ends: vec![FieldSet::default(); count],
            action_ends: vec![Default::default(); pipeline.actions.len()],
        };
        for (n, end) in liveness.block_ends.iter_mut().enumerate() {
            end.extend(switch.read_at_end(n).iter().copied());
        }
        // Blocks that lead back to one in front of them make another round necessary.
        let mut starts: Vec<Option<FieldSet>> = vec![None; count];
        loop {
            let mut changed = false;
            for n in (0..count).rev() {
                let mut grew = starts[n].is_none();
                for next in &switch.successors[n] {
                    if let Some(start) = &starts[*next] {
                        grew |= liveness.block_ends[n].union(start);
                    }
                }
                if grew {
                    starts[n] = Some(liveness.walk_block(n, &mut Silent));
                    changed = true;
                }
            }
            if !changed {
                return liveness;
            }
        }
    }

    /// Walks over a block; gives what is read after its start.
    pub fn walk_block(&mut self, block: usize, visitor: &mut dyn Visitor) -> FieldSet {
        let pipeline = self.pipeline;
        let end = self.block_ends[block].clone();
        match &pipeline.blocks[block].body {
            Body::Parser(graph) => self.parser(graph, &end, visitor),
            Body::Control(graph) => self.control(graph, &end, &end, visitor),
        }
    }

    /// Walks over the body of an action, for all places that apply its table.
    pub fn walk_action(&mut self, action: usize, visitor: &mut dyn Visitor) {
        let (end, exit) = self.action_ends[action].clone();
        let pipeline = self.pipeline;
        self.control(&pipeline.actions[action].body, &end, &exit, visitor);
    }

    fn control(
        &mut self,
        graph: &ControlGraph,
        end: &FieldSet,
        exit: &FieldSet,
        visitor: &mut dyn Visitor,
    ) -> FieldSet {
        let mut at_heads = Vec::new();
        if graph.nodes.iter().any(|n| matches!(n.kind, NodeKind::Loop { .. })) {
            at_heads = vec![FieldSet::default(); graph.nodes.len()];
            while self.control_round(graph, end, exit, &mut at_heads, &mut Silent).1 {}
        }
        self.control_round(graph, end, exit, &mut at_heads, visitor).0
    }

    /// One round over a graph; gives what is read after its start, and whether the start of a
    /// loop has learned something.
    fn control_round(
        &mut self,
        graph: &ControlGraph,
        end: &FieldSet,
        exit: &FieldSet,
        at_heads: &mut [FieldSet],
        visitor: &mut dyn Visitor,
    ) -> (FieldSet, bool) {
        let count = graph.nodes.len();
        // How many edges into a node are still to come: then its set is let go.
        let mut uses = vec![0u32; count];
        for node in &graph.nodes {
            node.kind.for_each_successor(&mut |to| uses[to.index()] += 1);
        }
        let mut starts: Vec<Option<FieldSet>> = vec![None; count];
        let mut learned = false;
        let mut first = FieldSet::default();
        for n in (0..count).rev() {
            let mut take = |to: crate::pipeline::blocks::NodeId| {
                let slot = &mut starts[to.index()];
                uses[to.index()] = uses[to.index()].saturating_sub(1);
                if uses[to.index()] == 0 { slot.take() } else { slot.clone() }.unwrap_or_default()
            };
            let live = match &graph.nodes[n].kind {
                NodeKind::Block { ops, next } => {
                    let mut live = take(*next);
                    for (index, op) in ops.iter().enumerate().rev() {
                        self.op(n, index, op, &mut live, visitor);
                    }
                    live
                }
                NodeKind::Branch { condition, then, otherwise } => {
                    let (mut live, other) = (take(*then), take(*otherwise));
                    visitor.branch(n, &live, &other);
                    live.union(&other);
                    reads(condition, &mut live);
                    live
                }
                NodeKind::Switch { value, cases, default } => {
                    let mut live = take(*default);
                    for case in cases {
                        live.union(&take(case.target));
                    }
                    reads(value, &mut live);
                    live
                }
                NodeKind::Apply { table, hit, action_run, next, exit, .. } => {
                    let mut after_end = take(*next);
                    let mut after_exit = exit.map(&mut take).unwrap_or_default();
                    visitor.apply(n, &{
                        let mut both = after_end.clone();
                        both.union(&after_exit);
                        both
                    });
                    for field in hit.iter().chain(action_run) {
                        after_end.remove(*field);
                        after_exit.remove(*field);
                    }
                    self.apply(*table, &after_end, &after_exit)
                }
                NodeKind::Loop { body, .. } => {
                    let live = take(*body);
                    if let Some(head) = at_heads.get_mut(n) {
                        learned |= head.union(&live);
                    }
                    live
                }
                NodeKind::Continue { head } => {
                    at_heads.get(head.index()).cloned().unwrap_or_default()
                }
                NodeKind::End => end.clone(),
                NodeKind::Exit => exit.clone(),
            };
            if n == 0 {
                first = live;
            } else if uses[n] > 0 {
                starts[n] = Some(live);
            }
        }
        (first, learned)
    }

    /// What is read after the start of an application.
    fn apply(&mut self, table: TableId, end: &FieldSet, exit: &FieldSet) -> FieldSet {
        let pipeline = self.pipeline;
        let table: &Table = &pipeline[table];
        let mut live = if table.actions.is_empty() { end.clone() } else { FieldSet::default() };
        for listed in &table.actions {
            let ends = &mut self.action_ends[listed.action.index()];
            ends.0.union(end);
            ends.1.union(exit);
            let action = &pipeline[listed.action];
            let mut start = self.control(&action.body, end, exit, &mut Silent);
            for field in action.parameters.iter().flat_map(|p| &p.fields) {
                start.remove(*field);
            }
            live.union(&start);
        }
        live.extend(table.keys.iter().map(|k| k.field));
        live
    }

    fn parser(
        &mut self,
        graph: &ParseGraph,
        end: &FieldSet,
        visitor: &mut dyn Visitor,
    ) -> FieldSet {
        let count = graph.states.len();
        let mut starts: Vec<Option<FieldSet>> = vec![None; count];
        let order = super::parse_graph::reverse_postorder(graph);
        loop {
            let mut changed = false;
            for id in order.iter().rev() {
                let live =
                    self.state(&graph.states[id.index()], id.index(), &starts, end, &mut Silent);
                match &mut starts[id.index()] {
                    Some(start) => changed |= start.union(&live),
                    empty => {
                        *empty = Some(live);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for (n, state) in graph.states.iter().enumerate() {
            self.state(state, n, &starts, end, visitor);
        }
        starts.first_mut().and_then(Option::take).unwrap_or_default()
    }

    fn state(
        &self,
        state: &State,
        n: usize,
        starts: &[Option<FieldSet>],
        end: &FieldSet,
        visitor: &mut dyn Visitor,
    ) -> FieldSet {
        let at = |target: Target| match target {
            Target::State(id) => starts[id.index()].as_ref(),
            Target::Accept | Target::Reject => Some(end),
        };
        let on_error = at(state.on_error);
        let mut live = match &state.transition {
            Transition::Goto(target) => at(*target).cloned().unwrap_or_default(),
            Transition::Select { values, rows } => {
                // No row may fit.
                let mut live = on_error.cloned().unwrap_or_default();
                for set in rows.iter().filter_map(|row| at(row.target)) {
                    live.union(set);
                }
                values.iter().for_each(|value| reads(value, &mut live));
                live
            }
        };
        for (index, op) in state.ops.iter().enumerate().rev() {
            self.op(n, index, op, &mut live, visitor);
            if can_fail(&op.kind)
                && let Some(set) = on_error
            {
                live.union(set);
            }
        }
        // It may be entered once too often.
        if state.is_entry
            && let Some(set) = on_error
        {
            live.union(set);
        }
        live
    }

    /// Goes from behind an operation to in front of it.
    fn op(&self, at: usize, index: usize, op: &Op, live: &mut FieldSet, visitor: &mut dyn Visitor) {
        let pipeline = self.pipeline;
        let mut is_dead = is_removable(pipeline, &op.kind);
        if is_dead {
            let mut writes = false;
            op.kind.for_each_write(&pipeline.headers, &mut |f| {
                writes = true;
                is_dead &= !live.contains(f);
            });
            is_dead &= writes;
        }
        visitor.op(at, index, op, live, is_dead);
        if is_dead {
            return;
        }
        if !op.kind.is_partial() {
            op.kind.for_each_write(&pipeline.headers, &mut |f| live.remove(f));
        }
        op.kind.for_each_expr(&mut |e| reads(e, live));
        op.kind.for_each_guard(&mut |f| live.insert(f));
        if let OpKind::Emit { header } = op.kind {
            for_each_header_field(pipeline, header, &mut |f| live.insert(f));
        }
    }
}

/// Calls `visit` with the validity bit, the fields and their lengths.
pub(super) fn for_each_header_field(
    pipeline: &Pipeline,
    header: HeaderId,
    visit: &mut dyn FnMut(FieldId),
) {
    let header = &pipeline[header];
    visit(header.valid);
    for item in &header.layout {
        visit(item.field);
        item.length.into_iter().for_each(&mut *visit);
    }
}

fn reads(e: &Expr, live: &mut FieldSet) {
    e.for_each_field(&mut |f| live.insert(f));
}

/// Whether an operation of a parser can fail.
pub(super) fn can_fail(op: &OpKind) -> bool {
    matches!(
        op,
        OpKind::Extract(_)
            | OpKind::Lookahead { .. }
            | OpKind::Advance { .. }
            | OpKind::Verify { .. }
    )
}

/// Whether an operation does nothing but write fields.
fn is_removable(pipeline: &Pipeline, op: &OpKind) -> bool {
    match op {
        OpKind::Assign { .. }
        | OpKind::AssignElement { .. }
        | OpKind::Invalidate { .. }
        | OpKind::InvalidateElement { .. }
        | OpKind::PacketLength { .. } => true,
        OpKind::Extern(call) => is_pure(pipeline, call),
        _ => false,
    }
}

/// Whether a call only gives results. Random numbers count: which one a call draws depends on the
/// calls before it.
fn is_pure(pipeline: &Pipeline, call: &ExternCall) -> bool {
    let draws = call
        .arguments
        .iter()
        .any(|a| matches!(&a.value, ArgumentValue::Member(name, _) if &**name == "random"));
    if draws {
        return false;
    }
    let architecture = pipeline.architecture;
    match call.object {
        None => architecture
            .by_primitive(&call.name)
            .is_some_and(|f| matches!(f.effect, Effect::Pure | Effect::ReadsPayload)),
        Some(object) => architecture
            .object(&pipeline[object].type_name)
            .is_some_and(|o| matches!(o.access(&call.name), Access::None | Access::Read)),
    }
}

/// For each field whether it is read anywhere: by the program, or by the switch. The others need
/// no storage; what writes to them need not happen. An extraction still moves over the bits of
/// such fields, and a header whose validity bit is among them is never asked whether it is there.
pub fn live_fields(pipeline: &Pipeline) -> Vec<bool> {
    let mut live = vec![false; pipeline.fields.len()];
    let mut mark = |field: FieldId| {
        if let Some(slot) = live.get_mut(field.index()) {
            *slot = true;
        }
    };
    SwitchFields::of(pipeline).all_reads().for_each(&mut mark);
    let mut applied = vec![false; pipeline.tables.len()];
    for block in &pipeline.blocks {
        match &block.body {
            Body::Parser(graph) => {
                for state in &graph.states {
                    state.ops.iter().for_each(|op| op_reads(pipeline, &op.kind, &mut mark));
                    if let Transition::Select { values, .. } = &state.transition {
                        values.iter().for_each(|v| v.for_each_field(&mut mark));
                    }
                }
            }
            Body::Control(graph) => graph_reads(pipeline, graph, &mut applied, &mut mark),
        }
    }
    let tables: Vec<&Table> =
        pipeline.tables.iter().zip(&applied).filter(|(_, a)| **a).map(|(t, _)| t).collect();
    for table in tables {
        table.keys.iter().for_each(|key| mark(key.field));
        for listed in &table.actions {
            graph_reads(pipeline, &pipeline[listed.action].body, &mut applied, &mut mark);
        }
    }
    live
}

fn graph_reads(
    pipeline: &Pipeline,
    graph: &ControlGraph,
    applied: &mut [bool],
    mark: &mut dyn FnMut(FieldId),
) {
    for node in &graph.nodes {
        match &node.kind {
            NodeKind::Block { ops, .. } => {
                ops.iter().for_each(|op| op_reads(pipeline, &op.kind, mark));
            }
            NodeKind::Branch { condition: e, .. } | NodeKind::Switch { value: e, .. } => {
                e.for_each_field(mark);
            }
            NodeKind::Apply { table, .. } => applied[table.index()] = true,
            _ => {}
        }
    }
}

fn op_reads(pipeline: &Pipeline, op: &OpKind, mark: &mut dyn FnMut(FieldId)) {
    op.for_each_expr(&mut |e| e.for_each_field(mark));
    op.for_each_guard(mark);
    if let OpKind::Emit { header } = op {
        for_each_header_field(pipeline, *header, mark);
    }
}
