//! Removes operations whose results nobody reads.

use super::field_sets::FieldSet;
use super::liveness::{Liveness, Visitor};
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{Body, ControlGraph, NodeKind};
use crate::pipeline::fields::FieldId;
use crate::pipeline::operations::{Op, OpKind};
use std::collections::HashSet;

/// What is dead in one graph.
#[derive(Default)]
struct Dead {
    /// Nodes or states, and positions of operations in them.
    ops: HashSet<(usize, usize)>,
    /// Fields that operations write in vain beside others.
    looked_at: HashSet<(usize, usize, FieldId)>,
    /// Applications and results of them that nobody asks for.
    results: HashSet<(usize, FieldId)>,
    /// What can be a result of an application.
    applications: Vec<Option<[Option<FieldId>; 2]>>,
}

impl Visitor for Dead {
    fn op(&mut self, at: usize, index: usize, op: &Op, live: &FieldSet, is_dead: bool) {
        if is_dead {
            self.ops.insert((at, index));
        } else if let OpKind::Lookahead { to, .. } = &op.kind {
            let dead = to.iter().filter(|(f, _)| !live.contains(*f));
            self.looked_at.extend(dead.map(|(f, _)| (at, index, *f)));
        }
    }

    fn apply(&mut self, at: usize, live: &FieldSet) {
        for field in self.applications[at].iter().flatten().flatten() {
            if !live.contains(*field) {
                self.results.insert((at, *field));
            }
        }
    }
}

impl Dead {
    fn of(graph: &ControlGraph) -> Self {
        let results = |kind: &NodeKind| match kind {
            NodeKind::Apply { hit, action_run, .. } => Some([*hit, *action_run]),
            _ => None,
        };
        let applications = graph.nodes.iter().map(|n| results(&n.kind)).collect();
        Self { applications, ..Self::default() }
    }

    fn count(&self) -> u64 {
        (self.ops.len() + self.looked_at.len() + self.results.len()) as u64
    }

    fn remove_ops(&self, at: usize, ops: &mut Vec<Op>) {
        let mut index = 0;
        ops.retain_mut(|op| {
            if let OpKind::Lookahead { to, .. } = &mut op.kind {
                to.retain(|(f, _)| !self.looked_at.contains(&(at, index, *f)));
            }
            index += 1;
            !self.ops.contains(&(at, index - 1))
        });
    }

    fn remove(&self, graph: &mut ControlGraph) {
        for (n, node) in graph.nodes.iter_mut().enumerate() {
            match &mut node.kind {
                NodeKind::Block { ops, .. } => self.remove_ops(n, ops),
                NodeKind::Apply { hit, action_run, .. } => {
                    for slot in [hit, action_run] {
                        *slot = slot.filter(|f| !self.results.contains(&(n, *f)));
                    }
                }
                _ => {}
            }
        }
    }
}

/// Removes dead operations; gives their number.
pub(super) fn run(pipeline: &mut Pipeline) -> u64 {
    let (mut blocks, mut actions) = (Vec::new(), Vec::new());
    let mut liveness = Liveness::of(pipeline);
    for (n, block) in pipeline.blocks.iter().enumerate() {
        let mut dead = match &block.body {
            Body::Control(graph) => Dead::of(graph),
            Body::Parser(_) => Dead::default(),
        };
        liveness.walk_block(n, &mut dead);
        blocks.push(dead);
    }
    for (n, action) in pipeline.actions.iter().enumerate() {
        let mut dead = Dead::of(&action.body);
        liveness.walk_action(n, &mut dead);
        actions.push(dead);
    }
    let count = blocks.iter().chain(&actions).map(Dead::count).sum();
    for (block, dead) in pipeline.blocks.iter_mut().zip(&blocks) {
        match &mut block.body {
            Body::Control(graph) => dead.remove(graph),
            Body::Parser(graph) => {
                for (n, state) in graph.states.iter_mut().enumerate() {
                    dead.remove_ops(n, &mut state.ops);
                }
            }
        }
    }
    for (action, dead) in pipeline.actions.iter_mut().zip(&actions) {
        dead.remove(&mut action.body);
    }
    count
}
