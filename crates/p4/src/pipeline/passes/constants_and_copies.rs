//! Propagates constants and copies forward through parse graphs, control-flow graphs and
//! actions; folds branches and selects whose outcome is known.
//!
//! Each place is visited once. What a loop writes is forgotten at its head, so that nothing has
//! to be known about its later rounds.

use super::facts::Propagation;
use super::field_sets::Facts;
use super::parse_graph::{remove_unreachable, reverse_postorder};
use super::switch_fields::SwitchFields;
use crate::pipeline::Pipeline;
use crate::pipeline::blocks::{
    Body, ControlGraph, Match, NodeId, NodeKind, ParseGraph, Row, RowKind, StateId, Target,
    Transition,
};
use crate::pipeline::expression::Expr;
use crate::pipeline::fields::{FieldId, Scope};
use crate::pipeline::tables::{Action, Table};
use num_bigint::{BigInt, BigUint, Sign};
use std::collections::{HashMap, HashSet};

/// Above this number of steps loops are not looked at closely: everything is forgotten.
const EFFORT: usize = 1 << 22;

/// Runs the pass; gives the number of changes.
pub(super) fn run(pipeline: &mut Pipeline) -> u64 {
    let switch = SwitchFields::of(pipeline);
    let mut blocks = std::mem::take(&mut pipeline.blocks);
    let mut actions = std::mem::take(&mut pipeline.actions);
    let mut walk = Walk {
        writes: pipeline.tables.iter().map(|t| table_writes(pipeline, &actions, t)).collect(),
        applied: vec![None; pipeline.tables.len()],
        inner: Propagation::new(pipeline),
        effort: EFFORT,
        folded: 0,
    };
    let locals: Vec<FieldId> = (0..walk.inner.pipeline.fields.len() as u32)
        .map(FieldId)
        .filter(|f| walk.inner.pipeline[*f].scope == Scope::Local)
        .collect();
    let mut end = Some(walk.initial(&switch));
    for (n, block) in blocks.iter_mut().enumerate() {
        let mut entry = match end.take() {
            Some(facts) if n == 0 || switch.is_linear[n] => facts,
            _ => Facts::default(),
        };
        if n > 0 {
            // The switch writes some fields between blocks, and local ones end with theirs: what
            // is a copy of such a field has to be read itself.
            for field in switch.written.iter().chain(&locals) {
                if entry.get(*field) != 0 {
                    entry.set(*field, 0);
                }
            }
        }
        end = match &mut block.body {
            Body::Parser(graph) => walk.parser(graph, entry),
            Body::Control(graph) => walk.control(graph, entry),
        };
    }
    let users = users(pipeline, actions.len());
    for (action, tables) in actions.iter_mut().zip(users) {
        let mut entry = None;
        for table in tables {
            if let Some(facts) = &walk.applied[table] {
                Facts::join(&mut entry, facts);
            }
        }
        let mut entry = entry.unwrap_or_default();
        for field in action.parameters.iter().flat_map(|p| &p.fields) {
            entry.set(*field, 0);
        }
        walk.control(&mut action.body, entry);
    }
    let changes = walk.inner.changes + walk.folded;
    pipeline.blocks = blocks;
    pipeline.actions = actions;
    changes
}

/// By action the tables that list it.
fn users(pipeline: &Pipeline, actions: usize) -> Vec<Vec<usize>> {
    let mut users = vec![Vec::new(); actions];
    for (n, table) in pipeline.tables.iter().enumerate() {
        table.actions.iter().for_each(|listed| users[listed.action.index()].push(n));
    }
    users
}

/// All fields that an application of a table can write.
fn table_writes(pipeline: &Pipeline, actions: &[Action], table: &Table) -> Vec<FieldId> {
    let mut found = HashSet::new();
    for listed in &table.actions {
        let action = &actions[listed.action.index()];
        found.extend(action.parameters.iter().flat_map(|p| &p.fields).copied());
        for (_, op) in action.body.operations() {
            op.kind.for_each_write(&pipeline.headers, &mut |f| {
                found.insert(f);
            });
        }
    }
    found.into_iter().collect()
}

struct Walk<'p> {
    inner: Propagation<'p>,
    /// By table: what its applications can write.
    writes: Vec<Vec<FieldId>>,
    /// By table: what holds at all its applications.
    applied: Vec<Option<Facts>>,
    /// Steps left for loops.
    effort: usize,
    /// Branches and selects that became simpler.
    folded: u64,
}

impl Walk<'_> {
    /// What holds when a packet enters the first block.
    fn initial(&mut self, switch: &SwitchFields) -> Facts {
        let pipeline = self.inner.pipeline;
        let mut facts = Facts::default();
        for (n, field) in pipeline.fields.iter().enumerate() {
            let id = FieldId(n as u32);
            let starts_anew = match field.scope {
                Scope::Headers | Scope::Metadata => true,
                Scope::Intrinsic => SwitchFields::is_program_written(pipeline, id),
                Scope::Local => false,
            };
            if starts_anew && !switch.kept.contains(id) {
                let value = BigUint::from(pipeline.initial(field));
                self.inner.set_constant(id, &value, &mut facts);
            }
        }
        facts
    }

    /// Walks over a graph; gives what holds at its end, if it is reached.
    fn control(&mut self, graph: &mut ControlGraph, entry: Facts) -> Option<Facts> {
        // The last way back to each loop: what is behind it is not repeated.
        let mut last_continue: HashMap<usize, usize> = HashMap::new();
        for (n, node) in graph.nodes.iter().enumerate() {
            if let NodeKind::Continue { head } = node.kind {
                last_continue.insert(head.index(), n);
            }
        }
        let mut incoming: Vec<Option<Facts>> = vec![None; graph.nodes.len()];
        incoming[0] = Some(entry);
        let mut end = None;
        for n in 0..graph.nodes.len() {
            let Some(mut facts) = incoming[n].take() else { continue };
            let mut flow = |to: NodeId, facts: Facts| {
                let slot = &mut incoming[to.index()];
                match slot {
                    Some(other) => other.meet(&facts),
                    None => *slot = Some(facts),
                }
            };
            let (around, rest) = graph.nodes.split_at_mut(n + 1);
            let kind = &mut around[n].kind;
            match kind {
                NodeKind::Block { ops, next } => {
                    ops.retain_mut(|op| self.inner.op(op, &mut facts));
                    if next.index() > n {
                        flow(*next, facts);
                    }
                }
                NodeKind::Branch { condition, then, otherwise } => {
                    self.inner.expr(condition, &facts);
                    if let Some(holds) = condition.as_bool() {
                        let next = if holds { *then } else { *otherwise };
                        *kind = NodeKind::Block { ops: Vec::new(), next };
                        self.folded += 1;
                        flow(next, facts);
                        continue;
                    }
                    let mut other = facts.clone();
                    self.inner.assume(condition, true, &mut facts);
                    self.inner.assume(condition, false, &mut other);
                    flow(*then, facts);
                    flow(*otherwise, other);
                }
                NodeKind::Switch { value, cases, default } => {
                    self.inner.expr(value, &facts);
                    if let Some(value) = value.as_const() {
                        let case = cases.iter().find(|c| c.values.contains(value));
                        let next = case.map_or(*default, |c| c.target);
                        *kind = NodeKind::Block { ops: Vec::new(), next };
                        self.folded += 1;
                        flow(next, facts);
                        continue;
                    }
                    for case in cases {
                        let mut facts = facts.clone();
                        if let [only] = case.values.as_slice() {
                            self.inner.assume_value(value, only, &mut facts);
                        }
                        flow(case.target, facts);
                    }
                    flow(*default, facts);
                }
                NodeKind::Apply { table, hit, action_run, next, exit, .. } => {
                    Facts::join(&mut self.applied[table.index()], &facts);
                    self.writes[table.index()].iter().for_each(|f| facts.set(*f, 0));
                    hit.iter().chain(&*action_run).for_each(|f| facts.set(*f, 0));
                    if let Some(exit) = exit {
                        flow(*exit, facts.clone());
                    }
                    flow(*next, facts);
                }
                NodeKind::Loop { body, .. } => {
                    let last = last_continue.get(&n).copied().unwrap_or(n);
                    for node in &rest[..last - n] {
                        match &node.kind {
                            NodeKind::Block { ops, .. } => {
                                self.effort = self.effort.saturating_sub(ops.len());
                                ops.iter().for_each(|op| self.inner.forget(&op.kind, &mut facts));
                            }
                            NodeKind::Apply { table, hit, action_run, .. } => {
                                let writes = &self.writes[table.index()];
                                self.effort = self.effort.saturating_sub(writes.len());
                                let all = writes.iter().chain(hit).chain(action_run);
                                all.for_each(|f| facts.set(*f, 0));
                            }
                            _ => {}
                        }
                        if self.effort == 0 {
                            facts = Facts::default();
                            break;
                        }
                    }
                    flow(*body, facts);
                }
                NodeKind::Continue { .. } => {}
                NodeKind::End | NodeKind::Exit => Facts::join(&mut end, &facts),
            }
        }
        end
    }

    /// Walks over a parser; gives what holds where it accepts and rejects.
    fn parser(&mut self, graph: &mut ParseGraph, entry: Facts) -> Option<Facts> {
        let order = reverse_postorder(graph);
        let mut position = vec![usize::MAX; graph.states.len()];
        order.iter().enumerate().for_each(|(n, id)| position[id.index()] = n);
        let repeated = repeated_writes(self.inner.pipeline, graph, &position);
        let mut incoming: Vec<Option<Facts>> = vec![None; graph.states.len()];
        incoming[0] = Some(entry);
        let mut end = None;
        for id in order {
            let Some(mut facts) = incoming[id.index()].take() else { continue };
            match repeated.get(&id) {
                Some(writes) if writes.len() <= self.effort => {
                    self.effort -= writes.len();
                    writes.iter().for_each(|f| facts.set(*f, 0));
                }
                Some(_) => facts = Facts::default(),
                None => {}
            }
            let here = position[id.index()];
            let mut flow = |to: Target, facts: &Facts| match to {
                // Edges back lead to where everything repeated is forgotten.
                Target::State(to) if position[to.index()] <= here => {}
                Target::State(to) => Facts::join(&mut incoming[to.index()], facts),
                Target::Accept | Target::Reject => Facts::join(&mut end, facts),
            };
            let state = &mut graph.states[id.index()];
            // An error can come in front of everything and behind everything.
            let mut failed = facts.clone();
            state.ops.iter().for_each(|op| self.inner.forget(&op.kind, &mut failed));
            failed.set(self.inner.pipeline.parser_error, 0);
            flow(state.on_error, &failed);
            state.ops.retain_mut(|op| self.inner.op(op, &mut facts));
            let mut dropped = HashSet::new();
            state.transition.for_each_target(&mut |target| {
                dropped.insert(target);
            });
            self.select(&mut state.transition, &facts);
            state.transition.for_each_target(&mut |target| {
                dropped.remove(&target);
            });
            // Edges back may lead there all the same, and are not followed.
            dropped.iter().for_each(|target| flow(*target, &facts));
            match &state.transition {
                Transition::Goto(target) => flow(*target, &facts),
                Transition::Select { values, rows } => {
                    for row in rows {
                        let mut facts = facts.clone();
                        if let RowKind::Values(matches) = &row.kind {
                            for (m, value) in matches.iter().zip(values) {
                                if let Match::Value(wanted) = m {
                                    self.inner.assume_value(value, wanted, &mut facts);
                                }
                            }
                        }
                        flow(row.target, &facts);
                    }
                }
            }
        }
        remove_unreachable(graph);
        end
    }

    /// Drops rows that cannot fit, or cannot be reached.
    fn select(&mut self, transition: &mut Transition, facts: &Facts) {
        let Transition::Select { values, rows } = transition else { return };
        values.iter_mut().for_each(|value| self.inner.expr(value, facts));
        let before = rows.len();
        let mut is_decided = false;
        rows.retain_mut(|row| {
            if is_decided {
                return false;
            }
            match fits(row, values) {
                Some(false) => return false,
                Some(true) => {
                    row.kind = RowKind::Any;
                    is_decided = true;
                }
                None => {}
            }
            true
        });
        if let Some(last) = rows.last().filter(|row| row.is_any()) {
            let target = last.target;
            while rows.len() > 1 && rows[rows.len() - 2].target == target {
                rows.remove(rows.len() - 2);
            }
        }
        self.folded += (before - rows.len()) as u64;
        if let [only] = rows.as_slice()
            && only.is_any()
        {
            *transition = Transition::Goto(only.target);
            self.folded += 1;
        }
    }
}

/// What is forgotten at states that edges lead back to.
fn repeated_writes(
    pipeline: &Pipeline,
    graph: &ParseGraph,
    position: &[usize],
) -> HashMap<StateId, std::rc::Rc<Vec<FieldId>>> {
    let mut loop_of: HashMap<StateId, usize> = HashMap::new();
    for (n, found) in graph.loops.iter().enumerate() {
        found.states.iter().for_each(|s| {
            loop_of.insert(*s, n);
        });
    }
    let writes = |states: &mut dyn Iterator<Item = StateId>| {
        let mut found = HashSet::new();
        for state in states {
            for op in &graph.states[state.index()].ops {
                op.kind.for_each_write(&pipeline.headers, &mut |f| {
                    found.insert(f);
                });
            }
        }
        found.insert(pipeline.parser_error);
        std::rc::Rc::new(found.into_iter().collect::<Vec<_>>())
    };
    let (mut by_loop, mut everything) = (HashMap::new(), None);
    let mut repeated = HashMap::new();
    for (n, state) in graph.states.iter().enumerate() {
        let from = StateId(n as u32);
        if position[n] == usize::MAX {
            continue;
        }
        let mut back = |target: Target| {
            let Target::State(to) = target else { return };
            if position[to.index()] > position[n] {
                return;
            }
            let list = match (loop_of.get(&from), loop_of.get(&to)) {
                (Some(a), Some(b)) if a == b => by_loop
                    .entry(*a)
                    .or_insert_with(|| writes(&mut graph.loops[*a].states.iter().copied()))
                    .clone(),
                _ => everything
                    .get_or_insert_with(|| writes(&mut (0..graph.states.len() as u32).map(StateId)))
                    .clone(),
            };
            let slot = repeated.entry(to).or_insert_with(|| list.clone());
            if slot.len() < list.len() {
                *slot = list;
            }
        };
        state.transition.for_each_target(&mut back);
        back(state.on_error);
    }
    repeated
}

/// Whether a row fits, if that is known.
fn fits(row: &Row, values: &[Expr]) -> Option<bool> {
    match &row.kind {
        RowKind::Any => Some(true),
        RowKind::ValueSet(_) => None,
        RowKind::Values(matches) => {
            let mut known = Some(true);
            for (m, value) in matches.iter().zip(values) {
                match match_fits(m, value) {
                    Some(false) => return Some(false),
                    Some(true) => {}
                    None => known = None,
                }
            }
            known
        }
    }
}

fn match_fits(m: &Match, value: &Expr) -> Option<bool> {
    if *m == Match::Any {
        return Some(true);
    }
    let number = value.as_const()?;
    Some(match m {
        Match::Any => true,
        Match::Value(wanted) => wanted == number,
        Match::Mask { value, mask } => number & mask == *value,
        Match::Range { low, high, signed: false } => low <= number && number <= high,
        Match::Range { low, high, signed: true } => {
            let signed = |n: &BigUint| {
                let plain = BigInt::from_biguint(Sign::Plus, n.clone());
                let is_negative = value.width > 0 && n.bit(u64::from(value.width) - 1);
                if is_negative { plain - (BigInt::from(1u32) << value.width) } else { plain }
            };
            signed(low) <= signed(number) && signed(number) <= signed(high)
        }
        Match::ValueSet(_) => return None,
    })
}
