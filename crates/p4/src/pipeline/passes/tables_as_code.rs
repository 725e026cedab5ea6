//! Tables whose outcome the program alone decides become control flow.
//!
//! That is so if the control plane can change neither entries nor the default action, and no
//! counter, meter or profile belongs to the table. Which of several fitting entries wins is the
//! rule of the reference engine: tables with exact keys and at most one prefix take the longest
//! prefix, then the first entry; all others the highest priority, among equals the longest
//! prefixes if the keys only overlap by these, then the first entry.

use crate::pipeline::blocks::{Body, ControlGraph, Match, Node, NodeId, NodeKind, SwitchCase};
use crate::pipeline::expression::{BinaryOp, Expr};
use crate::pipeline::fields::FieldId;
use crate::pipeline::operations::{Op, OpKind};
use crate::pipeline::tables::{ActionCall, Entry, Key, PropertyValue, Table, TableId};
use crate::pipeline::{MAX_OPERATIONS, Pipeline};
use crate::source::Span;
use num_bigint::BigUint;
use std::cmp::Reverse;

/// Most entries of a table that becomes code.
const MAX_ENTRIES: usize = 16;
/// Most operations and nodes that an application may grow by.
const MAX_GROWTH: usize = 256;

/// Runs the pass; gives the number of applications that became code.
pub(super) fn run(pipeline: &mut Pipeline) -> u64 {
    let ranked: Vec<Option<Vec<usize>>> =
        pipeline.tables.iter().map(|table| ranked_entries(pipeline, table)).collect();
    if ranked.iter().all(Option::is_none) {
        return 0;
    }
    let mut budget = MAX_OPERATIONS / 4;
    let mut blocks = std::mem::take(&mut pipeline.blocks);
    let mut count = 0;
    for block in &mut blocks {
        if let Body::Control(graph) = &mut block.body {
            count += inline(pipeline, graph, &ranked, &mut budget);
        }
    }
    pipeline.blocks = blocks;
    count
}

/// Annotation that asks for a block of hardware: such a table stays one.
const BLOCK: &str = "ww_table";

/// The entries of a table that nobody can change and that no counter, meter or profile belongs
/// to, in the order in which they are tried: the winner is the first one that fits.
pub fn constant_entries(table: &Table) -> Option<Vec<usize>> {
    let has_objects = table.properties.iter().any(|p| matches!(p.value, PropertyValue::Object(_)));
    let has_entries = !table.keys.is_empty() && !table.entries.is_empty();
    let is_fixed =
        table.keys.is_empty() || table.const_entries && table.entries.iter().all(|e| e.is_const);
    let known = ["exact", "lpm", "ternary", "range", "optional"];
    let is_known = table.keys.iter().all(|k| known.contains(&&*k.match_kind));
    let is_asked_for = table.annotations.iter().any(|a| &*a.name.name == BLOCK);
    if has_objects || !is_fixed || !is_known || is_asked_for {
        return None;
    }
    Some(if has_entries { rank(table) } else { Vec::new() })
}

/// The entries in the order in which they are tried, if the table can become code.
fn ranked_entries(pipeline: &Pipeline, table: &Table) -> Option<Vec<usize>> {
    if !table.const_default || table.entries.len() > MAX_ENTRIES {
        return None;
    }
    let order = constant_entries(table)?;
    let calls = order.iter().map(|n| &table.entries[*n].action).chain([&table.default_action]);
    let growth: usize = calls.map(|call| size(pipeline, table, call)).sum();
    (growth <= MAX_GROWTH).then_some(order)
}

/// Operations and nodes of an action.
fn size(pipeline: &Pipeline, table: &Table, call: &ActionCall) -> usize {
    let body = &pipeline[table.actions[call.action as usize].action].body;
    body.nodes.len() + body.operations().count() + call.arguments.len() + 2
}

/// A key as value and mask.
fn masked(m: &Match, width: u32) -> Option<(BigUint, BigUint)> {
    let ones = (BigUint::from(1u32) << width) - 1u32;
    match m {
        Match::Any => Some((BigUint::ZERO, BigUint::ZERO)),
        Match::Value(value) => Some((value.clone(), ones)),
        Match::Mask { value, mask } => Some((value.clone(), mask.clone())),
        Match::Range { .. } | Match::ValueSet(_) => None,
    }
}

/// Length of the prefix if a key is one.
fn prefix(m: &Match, width: u32) -> Option<u64> {
    let (_, mask) = masked(m, width)?;
    let length = mask.count_ones();
    let lowest = mask.trailing_zeros().unwrap_or(u64::from(width));
    (length + lowest == u64::from(width)).then_some(length)
}

/// Positions of the entries, the winner first.
fn rank(table: &Table) -> Vec<usize> {
    let kinds = || table.keys.iter().map(|k| &*k.match_kind);
    let exact = kinds().filter(|k| *k == "exact").count();
    let prefix_key = kinds().position(|k| k == "lpm");
    let mut is_hashed = exact + usize::from(prefix_key.is_some()) == table.keys.len();
    let by_prefix = !kinds().any(|k| matches!(k, "ternary" | "range" | "optional"));
    let hashable = |entry: &Entry| {
        entry.keys.iter().zip(&table.keys).enumerate().all(|(n, (m, key))| {
            prefix(m, key.width)
                .is_some_and(|length| prefix_key == Some(n) || length == u64::from(key.width))
        })
    };
    let same_keys = |a: &Entry, b: &Entry| {
        let all = a.keys.iter().zip(&b.keys).zip(&table.keys);
        all.into_iter().all(|((a, b), key)| {
            let widened = masked(a, key.width).zip(masked(b, key.width));
            widened.map_or(a == b, |(a, b)| a == b)
        })
    };
    let mut order: Vec<usize> = Vec::new();
    for (n, entry) in table.entries.iter().enumerate() {
        // Of two equal entries the first counts.
        if is_hashed && order.iter().any(|o| same_keys(&table.entries[*o], entry)) {
            continue;
        }
        is_hashed &= hashable(entry);
        order.push(n);
    }
    let lengths = |n: usize| -> u64 {
        let keys = table.entries[n].keys.iter().zip(&table.keys);
        keys.filter_map(|(m, key)| prefix(m, key.width)).sum()
    };
    // The sort keeps the order of equals.
    if is_hashed {
        order.sort_by_key(|n| Reverse(lengths(*n)));
    } else {
        let priority = |n: usize| table.entries[n].priority.unwrap_or(0);
        order.sort_by_key(|n| {
            (Reverse(priority(*n)), Reverse(if by_prefix { lengths(*n) } else { 0 }))
        });
    }
    order
}

/// Whether a key of an entry fits.
pub fn entry_condition(pipeline: &Pipeline, key: &Key, m: &Match) -> Expr {
    let value = || Expr::field(key.field, &pipeline.fields);
    let constant = |n: &BigUint| Expr::constant(key.width, n.clone());
    match m {
        Match::Any => Expr::bool(true),
        Match::Value(wanted) => value().equals(constant(wanted)),
        Match::Mask { value: wanted, mask } => {
            Expr::binary(BinaryOp::And, value(), constant(mask)).equals(constant(wanted))
        }
        Match::Range { low, high, signed } => {
            let le = if *signed { BinaryOp::LeSigned } else { BinaryOp::Le };
            let above = Expr::binary(le, constant(low), value());
            above.and(Expr::binary(le, value(), constant(high)))
        }
        // Entries of tables have none.
        Match::ValueSet(_) => Expr::bool(false),
    }
}

/// The nodes that stand for one application.
struct Code<'p> {
    pipeline: &'p Pipeline,
    table: &'p Table,
    nodes: Vec<Node>,
    /// Number of the first node.
    base: usize,
    hit: Option<FieldId>,
    action_run: Option<FieldId>,
    span: Span,
}

/// Stand for the nodes behind the application until these have their numbers.
const NEXT: NodeId = NodeId(u32::MAX);
const EXIT: NodeId = NodeId(u32::MAX - 1);

impl Code<'_> {
    fn here(&self) -> NodeId {
        NodeId((self.base + self.nodes.len()) as u32)
    }

    fn push(&mut self, kind: NodeKind) {
        self.nodes.push(Node { kind, span: self.span });
    }

    /// Runs an action with constant arguments, then notes the outcome.
    fn call(&mut self, call: &ActionCall, is_hit: bool) {
        let action = &self.pipeline[self.table.actions[call.action as usize].action];
        let span = self.span;
        let assign =
            |to: FieldId, value: Expr| Op { kind: OpKind::Assign { to, value, guard: None }, span };
        let mut ops = Vec::new();
        for (parameter, argument) in action.parameters.iter().zip(&call.arguments) {
            let mut left = parameter.width;
            for field in &parameter.fields {
                let width = self.pipeline[*field].width;
                left = left.saturating_sub(width);
                if width > 0 {
                    ops.push(assign(*field, Expr::constant(width, argument >> left)));
                }
            }
        }
        let next = NodeId(self.here().0 + 1);
        self.push(NodeKind::Block { ops, next });
        let first = self.here();
        let count = action.body.nodes.len() as u32;
        // Behind the body: what happens at its end, and at its exit.
        let (at_end, at_exit) = (NodeId(first.0 + count), NodeId(first.0 + count + 1));
        for node in &action.body.nodes {
            let mut kind = node.kind.clone();
            super::control_flow::redirect(&mut kind, &mut |to| NodeId(to.0 + first.0));
            match &mut kind {
                NodeKind::Continue { head } => head.0 += first.0,
                NodeKind::End => kind = NodeKind::Block { ops: Vec::new(), next: at_end },
                NodeKind::Exit => kind = NodeKind::Block { ops: Vec::new(), next: at_exit },
                _ => {}
            }
            self.nodes.push(Node { kind, span: node.span });
        }
        let mut results = Vec::new();
        results.extend(self.hit.map(|f| assign(f, Expr::bool(is_hit))));
        let width = |f: FieldId| self.pipeline[f].width;
        results.extend(self.action_run.map(|f| assign(f, Expr::constant(width(f), call.action))));
        self.push(NodeKind::Block { ops: results.clone(), next: NEXT });
        self.push(NodeKind::Block { ops: results, next: EXIT });
    }

    fn table(&mut self, order: &[usize]) {
        if let Some(switch) = self.by_value(order) {
            return self.switch(order, switch);
        }
        for n in order {
            let entry = &self.table.entries[*n];
            let keys = self.table.keys.iter().zip(&entry.keys);
            let fits = keys
                .map(|(key, m)| entry_condition(self.pipeline, key, m))
                .fold(Expr::bool(true), Expr::and);
            let at = self.nodes.len();
            let then = NodeId(self.here().0 + 1);
            self.push(NodeKind::Branch { condition: fits, then, otherwise: then });
            self.call(&entry.action, true);
            let behind = self.here();
            if let NodeKind::Branch { otherwise, .. } = &mut self.nodes[at].kind {
                *otherwise = behind;
            }
        }
        let default = self.table.default_action.clone();
        self.call(&default, false);
    }

    /// The values of all entries, if there is one key with one value in each.
    fn by_value(&self, order: &[usize]) -> Option<Vec<BigUint>> {
        if self.table.keys.len() != 1 || order.len() < 2 {
            return None;
        }
        let mut values: Vec<BigUint> = Vec::new();
        for n in order {
            match self.table.entries[*n].keys.as_slice() {
                [Match::Value(value)] if !values.contains(value) => values.push(value.clone()),
                _ => return None,
            }
        }
        Some(values)
    }

    fn switch(&mut self, order: &[usize], values: Vec<BigUint>) {
        let at = self.nodes.len();
        let value = Expr::field(self.table.keys[0].field, &self.pipeline.fields);
        self.push(NodeKind::Switch { value, cases: Vec::new(), default: NEXT });
        let mut found = Vec::new();
        for (n, value) in order.iter().zip(values) {
            found.push(SwitchCase { values: vec![value], target: self.here() });
            self.call(&self.table.entries[*n].action.clone(), true);
        }
        let otherwise = self.here();
        self.call(&self.table.default_action.clone(), false);
        if let NodeKind::Switch { cases, default, .. } = &mut self.nodes[at].kind {
            *cases = found;
            *default = otherwise;
        }
    }
}

/// The table that a node applies, and its entries, if it can become code.
fn chosen<'r>(
    kind: &NodeKind,
    ranked: &'r [Option<Vec<usize>>],
) -> Option<(TableId, &'r Vec<usize>)> {
    match kind {
        NodeKind::Apply { table, .. } => {
            ranked[table.index()].as_ref().map(|order| (*table, order))
        }
        _ => None,
    }
}

/// Replaces the applications in a graph; gives their number.
fn inline(
    pipeline: &Pipeline,
    graph: &mut ControlGraph,
    ranked: &[Option<Vec<usize>>],
    budget: &mut usize,
) -> u64 {
    if !graph.nodes.iter().any(|n| chosen(&n.kind, ranked).is_some()) {
        return 0;
    }
    let old = std::mem::take(&mut graph.nodes);
    let mut count = 0;
    let mut nodes: Vec<Node> = Vec::with_capacity(old.len());
    // The new numbers of the old nodes.
    let mut ids = Vec::with_capacity(old.len());
    // New nodes: the first, the one behind the last, and the old nodes that follow.
    let mut fresh: Vec<(usize, usize, NodeId, NodeId)> = Vec::new();
    for node in old {
        let base = nodes.len();
        ids.push(NodeId(base as u32));
        let found = chosen(&node.kind, ranked);
        let (Some((table, order)), NodeKind::Apply { hit, action_run, next, exit, .. }) =
            (found, &node.kind)
        else {
            nodes.push(node);
            continue;
        };
        let mut code = Code {
            pipeline,
            table: &pipeline[table],
            nodes: Vec::new(),
            base,
            hit: *hit,
            action_run: *action_run,
            span: node.span,
        };
        code.table(order);
        let Some(rest) = budget.checked_sub(code.nodes.len()) else {
            nodes.push(node);
            continue;
        };
        *budget = rest;
        count += 1;
        fresh.push((base, base + code.nodes.len(), *next, exit.unwrap_or(*next)));
        nodes.append(&mut code.nodes);
    }
    let mut ranges = fresh.into_iter().peekable();
    for (n, node) in nodes.iter_mut().enumerate() {
        while ranges.next_if(|(_, end, ..)| *end <= n).is_some() {}
        match ranges.peek() {
            Some((start, _, next, exit)) if n >= *start => {
                super::control_flow::redirect(&mut node.kind, &mut |to| match to {
                    NEXT => ids[next.index()],
                    EXIT => ids[exit.index()],
                    to => to,
                });
            }
            _ => {
                if let NodeKind::Continue { head } = &mut node.kind {
                    *head = ids[head.index()];
                }
                super::control_flow::redirect(&mut node.kind, &mut |to| ids[to.index()]);
            }
        }
    }
    graph.nodes = nodes;
    super::control_flow::tidy_graph(graph);
    count
}
