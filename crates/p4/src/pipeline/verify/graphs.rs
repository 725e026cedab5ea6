//! Checks of graphs.

use super::{Place, Verifier};
use crate::pipeline::blocks::{
    ControlGraph, NodeId, NodeKind, ParseGraph, RowKind, Target, Transition,
};

impl Verifier<'_> {
    /// A parse graph.
    pub(super) fn parse_graph(&mut self, graph: &ParseGraph) {
        let count = graph.states.len();
        let block = self.place.clone();
        for state in &graph.states {
            self.place = format!("{block}, state {}", state.name);
            state.ops.iter().for_each(|op| self.op(op, Place::Parser));
            let mut targets = vec![state.on_error];
            state.transition.for_each_target(&mut |t| targets.push(t));
            for target in targets {
                if let Target::State(id) = target {
                    self.require(id.index() < count, || format!("there is no state {}", id.0));
                }
            }
            let Transition::Select { values, rows } = &state.transition else { continue };
            for value in values {
                self.expr(value, value.width);
            }
            let widths: Vec<u32> = values.iter().map(|v| v.width).collect();
            for row in rows {
                match &row.kind {
                    RowKind::Any => {}
                    RowKind::ValueSet(set) => {
                        let found = self.pipeline.value_sets.get(set.index());
                        let fits = found.is_some_and(|s| s.widths == widths);
                        self.require(fits, || "a value set of other members".to_owned());
                    }
                    RowKind::Values(matches) => {
                        self.require(matches.len() == widths.len(), || {
                            format!("a row of {} for {} values", matches.len(), widths.len())
                        });
                        for (m, width) in matches.iter().zip(&widths) {
                            self.match_fits(m, *width);
                        }
                    }
                }
            }
        }
        self.place = block;
        self.require(count > 0 || graph.loops.is_empty(), || "loops of no states".to_owned());
    }

    /// A control-flow graph.
    pub(super) fn control_graph(&mut self, graph: &ControlGraph, place: Place) {
        let count = graph.nodes.len();
        let block = self.place.clone();
        self.require(count > 0, || "a graph without nodes".to_owned());
        for (n, node) in graph.nodes.iter().enumerate() {
            self.place = format!("{block}, node {n}");
            self.edges(graph, n, &node.kind);
            match &node.kind {
                NodeKind::Block { ops, .. } => ops.iter().for_each(|op| self.op(op, place)),
                NodeKind::Branch { condition, .. } => self.expr(condition, 1),
                NodeKind::Switch { value, cases, .. } => {
                    self.expr(value, value.width);
                    for case in cases {
                        case.values.iter().for_each(|v| self.pattern(v, value.width));
                    }
                }
                NodeKind::Apply { table, application, hit, action_run, exit, .. } => {
                    self.require(place != Place::Action, || "a table in an action".to_owned());
                    let pipeline = self.pipeline;
                    let Some(found) = pipeline.tables.get(table.index()) else {
                        self.error(format!("there is no table {}", table.0));
                        continue;
                    };
                    self.applied.push((table.0, *application));
                    hit.iter().for_each(|f| self.field_has_width(*f, 1));
                    action_run.iter().for_each(|f| self.field_has_width(*f, 32));
                    let exits = found
                        .actions
                        .iter()
                        .filter_map(|a| pipeline.actions.get(a.action.index()))
                        .any(|a| a.body.nodes.iter().any(|n| matches!(n.kind, NodeKind::Exit)));
                    self.require(exits == exit.is_some(), || {
                        "an edge for `exit` that does not fit the actions".to_owned()
                    });
                }
                NodeKind::Exit => {
                    self.require(place == Place::Action, || "an exit in a control".to_owned());
                }
                NodeKind::Loop { .. } | NodeKind::Continue { .. } | NodeKind::End => {}
            }
        }
        self.place = block;
    }

    fn edges(&mut self, graph: &ControlGraph, n: usize, kind: &NodeKind) {
        let mut successors = Vec::new();
        kind.for_each_successor(&mut |to| successors.push(to));
        if let NodeKind::Loop { next: Some(next), .. } = kind {
            successors.push(*next);
        }
        let exists = |to: &NodeId| to.index() < graph.nodes.len();
        if let Some(missing) = successors.iter().find(|to| !exists(to)) {
            return self.error(format!("there is no node {}", missing.0));
        }
        if let NodeKind::Continue { head } = kind {
            let is_loop = matches!(graph.nodes[head.index()].kind, NodeKind::Loop { .. });
            self.require(is_loop && head.index() < n, || "no loop to continue".to_owned());
            return;
        }
        // An endless loop of nothing leads to itself.
        let is_empty = matches!(kind, NodeKind::Block { ops, .. } if ops.is_empty());
        for to in successors {
            self.require(to.index() > n || is_empty, || format!("an edge back to {}", to.0));
        }
    }
}
