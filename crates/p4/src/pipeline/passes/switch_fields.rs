//! What the switch around the blocks reads and writes: intrinsic metadata, and the fields that
//! survive when a packet or a copy of it begins anew.

use super::field_sets::FieldSet;
use crate::architecture::{Effect, Trigger, Writer};
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::Body;
use crate::pipeline::fields::{FieldId, Scope};
use crate::pipeline::operations::{ArgumentValue, ExternCall, Op, OpKind};
use std::collections::HashSet;

/// What the switch does with fields.
pub(super) struct SwitchFields {
    /// Kept when a packet or a copy begins anew.
    pub kept: FieldSet,
    /// Those of `kept`.
    kept_list: Vec<FieldId>,
    /// Fields that it writes at the start of blocks.
    pub written: Vec<FieldId>,
    /// By block: what it reads at the end.
    read_at_end: Vec<Vec<FieldId>>,
    /// By block: the blocks that packets and copies can enter behind it, by position.
    pub successors: Vec<Vec<usize>>,
    /// By block: whether packets come only from the block in front of it.
    pub is_linear: Vec<bool>,
}

/// Whether the call names fields instead of giving values: what they hold when the block ends
/// goes with the copy of the packet.
pub(super) fn names_fields(pipeline: &Pipeline, call: &ExternCall) -> bool {
    let function = pipeline.architecture.by_primitive(&call.name);
    call.object.is_none()
        && function.is_some_and(|f| matches!(f.effect, Effect::Request(_)))
        && !call.name.ends_with("field_list")
}

/// Calls `visit` with all operations of blocks and actions.
pub(super) fn for_each_op<'p>(pipeline: &'p Pipeline, visit: &mut dyn FnMut(&'p Op)) {
    for block in &pipeline.blocks {
        match &block.body {
            Body::Parser(graph) => graph.states.iter().flat_map(|s| &s.ops).for_each(&mut *visit),
            Body::Control(graph) => graph.operations().for_each(|(_, op)| visit(op)),
        }
    }
    for action in &pipeline.actions {
        action.body.operations().for_each(|(_, op)| visit(op));
    }
}

impl SwitchFields {
    pub fn of(pipeline: &Pipeline) -> Self {
        let architecture = pipeline.architecture;
        let mut called: HashSet<&str> = HashSet::new();
        let mut kept_list: Vec<FieldId> =
            pipeline.field_lists.iter().flat_map(|(_, fields)| fields).copied().collect();
        for_each_op(pipeline, &mut |op| {
            let OpKind::Extern(call) = &op.kind else { return };
            if call.object.is_some() {
                return;
            }
            called.insert(&*call.name);
            if names_fields(pipeline, call) {
                for argument in &call.arguments {
                    let ArgumentValue::In(operand) = &argument.value else { continue };
                    let named = operand.leaves.iter().filter_map(|leaf| leaf.value.as_field());
                    kept_list.extend(named.filter(|f| {
                        matches!(pipeline[*f].scope, Scope::Metadata | Scope::Intrinsic)
                    }));
                }
            }
        });
        let is_asked = |request| {
            let asks = |name: &&str| {
                let function = architecture.by_primitive(name);
                function.is_some_and(|f| f.effect == Effect::Request(request))
            };
            called.iter().any(asks)
        };
        let blocks = &pipeline.blocks;
        let position =
            |parameter: &str| blocks.iter().position(|b| b.description.parameter == parameter);
        let mut read_at_end = vec![Vec::new(); blocks.len()];
        let mut successors: Vec<Vec<usize>> = (0..blocks.len())
            .map(|n| Vec::from_iter((n + 1 < blocks.len()).then_some(n + 1)))
            .collect();
        let mut is_linear = vec![true; blocks.len()];
        let (mut written, mut origin) = (Vec::new(), Vec::new());
        for described in architecture.intrinsic {
            let Some(field) = pipeline.intrinsic_field(described.name) else { continue };
            match described.writer {
                Writer::Switch => {
                    written.push(field);
                    if position(described.block) == Some(0) {
                        origin.push(field);
                    }
                }
                Writer::Program => {
                    if let Some(n) = position(described.block) {
                        read_at_end[n].push(field);
                    }
                }
            }
        }
        for path in architecture.paths {
            let Some(from) = position(path.from) else { continue };
            let to = path.to.and_then(position);
            if let Some(to) = to {
                is_linear[to] = false;
            }
            match path.when {
                Trigger::Equals(name, _) | Trigger::NotZero(name) => {
                    read_at_end[from].extend(pipeline.intrinsic_field(name));
                }
                Trigger::Asked(request) if !is_asked(request) => continue,
                Trigger::Asked(_) => {
                    read_at_end[from].extend(&kept_list);
                    // What tells where the packet came from goes with it.
                    read_at_end[from].extend(&origin);
                }
                Trigger::Otherwise => {}
            }
            let Some(to) = to else { continue };
            if to > 0 {
                successors[from].push(to);
            }
            if path.copies() {
                // A copy has the headers as the parser leaves them.
                successors[0].push(to);
            }
        }
        if let Some(first) = read_at_end.first_mut() {
            first.push(pipeline.parser_error);
        }
        let mut kept = FieldSet::default();
        kept.extend(kept_list.iter().copied());
        Self { kept, kept_list, written, read_at_end, successors, is_linear }
    }

    /// What the switch reads when a block ends.
    pub fn read_at_end(&self, block: usize) -> &[FieldId] {
        &self.read_at_end[block]
    }

    /// Everything that the switch reads.
    pub fn all_reads(&self) -> impl Iterator<Item = FieldId> {
        self.read_at_end.iter().flatten().chain(&self.kept_list).copied()
    }

    /// Whether the field is intrinsic metadata that only the program writes.
    pub fn is_program_written(pipeline: &Pipeline, field: FieldId) -> bool {
        let described = |name: &str| {
            let found = pipeline.architecture.intrinsic.iter().find(|f| f.name == name);
            found.is_some_and(|f| f.writer == Writer::Program)
        };
        pipeline.intrinsic.iter().any(|(name, id)| *id == field && described(name))
    }
}
