//! Graphs as text.

use super::Printer;
use crate::pipeline::blocks::{
    ControlGraph, NodeId, NodeKind, ParseGraph, RowKind, State, Target, Transition,
};

impl Printer<'_> {
    /// A parse graph.
    pub(super) fn parse_graph(&mut self, graph: &ParseGraph) {
        for found in &graph.loops {
            let states: Vec<_> =
                found.states.iter().map(|s| graph.states[s.index()].name.clone()).collect();
            let bound = match found.bound {
                Some(bound) => format!("at most {bound} times"),
                None => "unbounded".to_owned(),
            };
            self.line(&format!("loop {{{}}} {bound}, {} bits", states.join(", "), found.bits));
        }
        for state in &graph.states {
            self.state(graph, state);
        }
    }

    fn state(&mut self, graph: &ParseGraph, state: &State) {
        let target = |target: Target| match target {
            Target::State(id) => graph.states[id.index()].name.clone(),
            Target::Accept => "accept".to_owned(),
            Target::Reject => "reject".to_owned(),
        };
        let on_error = match state.on_error {
            Target::Reject => String::new(),
            other => format!(" on error {}", target(other)),
        };
        self.line(&format!("{}:{on_error}", state.name));
        self.indent += 1;
        for op in &state.ops {
            self.line(&self.op(&op.kind));
        }
        match &state.transition {
            Transition::Goto(to) => self.line(&format!("goto {}", target(*to))),
            Transition::Select { values, rows } => {
                let values: Vec<_> = values.iter().map(|v| self.expr(v)).collect();
                self.line(&format!("select {}", values.join(", ")));
                self.indent += 1;
                for row in rows {
                    let kind = match &row.kind {
                        RowKind::Any => "_".to_owned(),
                        RowKind::ValueSet(set) => self.pipeline[*set].name.to_string(),
                        RowKind::Values(matches) => {
                            let texts: Vec<_> =
                                matches.iter().map(|m| self.match_text(m)).collect();
                            texts.join(", ")
                        }
                    };
                    self.line(&format!("{kind} -> {}", target(row.target)));
                }
                self.indent -= 1;
            }
        }
        self.indent -= 1;
    }

    /// A control-flow graph. A block goes on with the next node unless it says where it goes.
    pub(super) fn control_graph(&mut self, graph: &ControlGraph) {
        for (n, node) in graph.nodes.iter().enumerate() {
            let following = NodeId(n as u32 + 1);
            let goto = |to: NodeId| match to == following {
                true => String::new(),
                false => format!(" goto {}", to.0),
            };
            match &node.kind {
                NodeKind::Block { ops, next } => {
                    self.line(&format!("{n}:{}", goto(*next)));
                    self.indent += 1;
                    for op in ops {
                        self.line(&self.op(&op.kind));
                    }
                    self.indent -= 1;
                }
                NodeKind::Branch { condition, then, otherwise } => {
                    let condition = self.expr(condition);
                    let (then, otherwise) = (then.0, otherwise.0);
                    self.line(&format!("{n}: if {condition} goto {then} else {otherwise}"));
                }
                NodeKind::Switch { value, cases, default } => {
                    let value = self.expr(value);
                    self.line(&format!("{n}: switch {value} default {}", default.0));
                    self.indent += 1;
                    for case in cases {
                        let values: Vec<_> =
                            case.values.iter().map(|v| format!("{v:#x}")).collect();
                        self.line(&format!("{} goto {}", values.join(", "), case.target.0));
                    }
                    self.indent -= 1;
                }
                NodeKind::Apply { table, application, hit, action_run, next, exit } => {
                    let mut text = format!("{n}: apply {}", self.pipeline[*table].name);
                    if self.pipeline[*table].applications > 1 {
                        text += &format!(" #{application}");
                    }
                    if let Some(hit) = hit {
                        text += &format!(" hit -> {}", self.pipeline[*hit].name);
                    }
                    if let Some(run) = action_run {
                        text += &format!(" action_run -> {}", self.pipeline[*run].name);
                    }
                    if let Some(exit) = exit {
                        text += &format!(" on exit {}", exit.0);
                    }
                    self.line(&(text + &goto(*next)));
                }
                NodeKind::Loop { body, next, bound } => {
                    let bound = match bound {
                        Some(bound) => format!(" at most {bound} times"),
                        None => String::new(),
                    };
                    let next = match next {
                        Some(next) => format!(" then {}", next.0),
                        None => String::new(),
                    };
                    self.line(&format!("{n}: loop{bound}{}{next}", goto(*body)));
                }
                NodeKind::Continue { head } => self.line(&format!("{n}: next round of {}", head.0)),
                NodeKind::End => self.line(&format!("{n}: end")),
                NodeKind::Exit => self.line(&format!("{n}: exit")),
            }
        }
    }
}
