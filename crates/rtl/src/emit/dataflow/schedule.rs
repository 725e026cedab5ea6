//! In which clock each value of a dataflow graph is made.
//!
//! As early as what it is made of allows. Operations follow each other within a clock while their
//! estimated depth stays below [`Timing::levels`]; a register stands between clocks. What a
//! register array gives, what is made of that, and what is written back to it happen in one
//! clock, so that the next packet, one clock later, sees it.

use super::graph::{Graph, Operation, UnitId, UnitKind, ValueId, ValueKind};
use ww_p4::pipeline::{BinaryOp, UnaryOp};

/// What the schedule must know of the hardware.
pub struct Timing<'a> {
    /// Levels of 4-input look-up tables between two registers, as estimated by [`cost`].
    pub levels: u32,
    /// Clocks from a unit's inputs to its outputs.
    pub latency: &'a dyn Fn(UnitKind) -> u32,
}

/// A schedule.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// By value: the clock in which it is there, counted from the token's; `None` if nothing
    /// needs it.
    pub clocks: Vec<Option<u32>>,
    /// By unit: the clock in which it gets its inputs; `None` if nothing needs it.
    pub units: Vec<Option<u32>>,
    /// The clock in which the last value is there.
    pub last: u32,
}

/// Arrays whose accesses are one step: the arrays' numbers.
#[derive(Clone, Debug, Default)]
struct Cluster {
    values: Vec<ValueId>,
    reads: Vec<UnitId>,
    writes: Vec<UnitId>,
}

/// A node of the graph in which clusters are single nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node {
    Value(ValueId),
    Unit(UnitId),
    Cluster(usize),
}

/// A graph cannot be scheduled: this array's next value depends on itself through a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateCycle(pub u32);

/// Levels of look-up tables with 4 inputs.
pub fn cost(graph: &Graph, id: ValueId) -> u32 {
    let ValueKind::Operation(operation, operands) = graph.kind(id) else { return 0 };
    let log4 = |n: u32| if n <= 1 { 0 } else { (u32::BITS - (n - 1).leading_zeros()).div_ceil(2) };
    let width = graph.width(operands[0]);
    let carry = 4 + width / 32;
    match operation {
        Operation::Unary(UnaryOp::Not)
        | Operation::Slice(_)
        | Operation::ZeroExtend
        | Operation::SignExtend
        | Operation::Join
        | Operation::After => 0,
        Operation::Unary(UnaryOp::Negate) => carry,
        Operation::Mux => 1,
        Operation::OneHot => log4(operands.len() as u32).max(1),
        Operation::Parity => {
            log4(graph.as_const(operands[1]).map_or(width, |mask| mask.count_ones() as u32))
        }
        Operation::Binary(op) => match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Xor => 1,
            BinaryOp::Eq | BinaryOp::Ne => {
                let constant = operands.iter().any(|o| graph.as_const(*o).is_some());
                log4(if constant { width } else { 2 * width }).max(1)
            }
            BinaryOp::Shl | BinaryOp::Shr | BinaryOp::ShrSigned => {
                u32::BITS - (width.max(2) - 1).leading_zeros()
            }
            BinaryOp::SatAdd
            | BinaryOp::SatSub
            | BinaryOp::SatAddSigned
            | BinaryOp::SatSubSigned => carry + 2,
            BinaryOp::Mul => carry + 3,
            _ => carry,
        },
    }
}

/// Schedules what the roots and all effects need.
///
/// # Errors
/// If a register array's next value depends on itself through a lookup or another array.
pub fn schedule(
    graph: &Graph,
    roots: &[ValueId],
    timing: &Timing<'_>,
) -> Result<Schedule, StateCycle> {
    let mut work = Work::new(graph, timing);
    work.find_live(roots);
    work.find_clusters()?;
    work.run()?;
    let last = work.values.iter().flatten().map(|(clock, _)| *clock).max().unwrap_or(0);
    let clocks = work.values.iter().map(|v| v.map(|(clock, _)| clock)).collect();
    Ok(Schedule { clocks, units: work.units, last })
}

/// Bits of the registers between the stages of a schedule.
pub fn register_bits(graph: &Graph, schedule: &Schedule, roots: &[ValueId]) -> u64 {
    let mut until: Vec<u32> = schedule.clocks.iter().map(|clock| clock.unwrap_or(0)).collect();
    let mut used = |id: ValueId, clock: u32| until[id.index()] = until[id.index()].max(clock);
    for (value, clock) in graph.values.iter().zip(&schedule.clocks) {
        if let (ValueKind::Operation(operation, operands), Some(clock)) = (&value.kind, clock) {
            used_operands(*operation, operands).iter().for_each(|o| used(*o, *clock));
        }
    }
    for (unit, clock) in graph.units.iter().zip(&schedule.units) {
        clock.iter().for_each(|clock| unit.inputs.iter().for_each(|input| used(*input, *clock)));
    }
    roots.iter().for_each(|root| used(*root, schedule.last));
    let values = graph.values.iter().zip(&schedule.clocks).zip(&until);
    values
        .filter(|((value, _), _)| !matches!(value.kind, ValueKind::Const(_)))
        .filter_map(|((value, clock), until)| {
            Some(u64::from(value.width) * u64::from(until - (*clock)?))
        })
        .sum()
}

/// The operands that an operation's text has.
pub fn used_operands(operation: Operation, operands: &[ValueId]) -> &[ValueId] {
    match operation {
        Operation::After => &operands[..1],
        _ => operands,
    }
}

/// Names of the inputs that the roots and all effects need.
pub fn live_inputs(graph: &Graph, roots: &[ValueId]) -> Vec<String> {
    let latency = |_: UnitKind| 0;
    let timing = Timing { levels: 1, latency: &latency };
    let mut work = Work::new(graph, &timing);
    work.find_live(roots);
    let values = graph.values.iter().zip(&work.live_values).filter(|(_, live)| **live);
    values
        .filter_map(|(value, _)| match value.kind {
            ValueKind::Input(n) => Some(graph.inputs[n as usize].0.clone()),
            _ => None,
        })
        .collect()
}

struct Work<'a> {
    graph: &'a Graph,
    timing: &'a Timing<'a>,
    live_values: Vec<bool>,
    live_units: Vec<bool>,
    clusters: Vec<Cluster>,
    /// By value and unit: the cluster.
    value_cluster: Vec<Option<usize>>,
    unit_cluster: Vec<Option<usize>>,
    /// Clock and depth.
    values: Vec<Option<(u32, u32)>>,
    units: Vec<Option<u32>>,
}

impl<'a> Work<'a> {
    fn new(graph: &'a Graph, timing: &'a Timing<'a>) -> Self {
        let (values, units) = (graph.values.len(), graph.units.len());
        Self {
            graph,
            timing,
            live_values: vec![false; values],
            live_units: vec![false; units],
            clusters: Vec::new(),
            value_cluster: vec![None; values],
            unit_cluster: vec![None; units],
            values: vec![None; values],
            units: vec![None; units],
        }
    }

    /// What roots and effects need.
    fn find_live(&mut self, roots: &[ValueId]) {
        let mut stack = roots.to_vec();
        for (n, unit) in self.graph.units.iter().enumerate() {
            let has_effect =
                unit.outputs.is_empty() || matches!(unit.kind, UnitKind::Module(_, true));
            let never = unit.inputs.first().is_some_and(|e| self.graph.as_bit(*e) == Some(false));
            if has_effect && !never {
                self.live_units[n] = true;
                stack.extend(&unit.inputs);
            }
        }
        // A write happens where the packet has read, needed or not.
        for (n, unit) in self.graph.units.iter().enumerate() {
            let UnitKind::Read(array, _) = unit.kind else { continue };
            let written = self.graph.units.iter().enumerate().any(|(w, other)| {
                self.live_units[w] && matches!(other.kind, UnitKind::Write(a, _) if a == array)
            });
            if written && !std::mem::replace(&mut self.live_units[n], true) {
                stack.extend(&unit.inputs);
            }
        }
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.live_values[id.index()], true) {
                continue;
            }
            match self.graph.kind(id) {
                ValueKind::Operation(_, operands) => stack.extend(operands),
                ValueKind::Output(unit, _)
                    if !std::mem::replace(&mut self.live_units[unit.index()], true) =>
                {
                    stack.extend(&self.graph.units[unit.index()].inputs);
                }
                _ => {}
            }
        }
    }

    fn operands(&self, id: ValueId) -> Vec<ValueId> {
        match self.graph.kind(id) {
            ValueKind::Operation(_, operands) => operands.clone(),
            ValueKind::Output(unit, _) => self.graph.units[unit.index()].inputs.clone(),
            _ => Vec::new(),
        }
    }

    /// Arrays that a packet both reads and writes, with what lies between.
    fn find_clusters(&mut self) -> Result<(), StateCycle> {
        let graph = self.graph;
        let mut arrays: Vec<u32> = Vec::new();
        for (n, unit) in graph.units.iter().enumerate() {
            if let UnitKind::Write(array, _) = unit.kind
                && self.live_units[n]
                && !arrays.contains(&array)
            {
                arrays.push(array);
            }
        }
        for array in arrays {
            let mut cluster = Cluster::default();
            for (n, unit) in graph.units.iter().enumerate() {
                let id = UnitId(n as u32);
                match unit.kind {
                    UnitKind::Read(a, _) if a == array && self.live_units[n] => {
                        cluster.reads.push(id);
                    }
                    UnitKind::Write(a, _) if a == array && self.live_units[n] => {
                        cluster.writes.push(id);
                    }
                    _ => {}
                }
            }
            cluster.values = self.between(&cluster, array)?;
            // Arrays whose steps share values are one step.
            let shared: Vec<usize> = cluster
                .values
                .iter()
                .filter_map(|v| self.value_cluster[v.index()])
                .collect::<std::collections::BTreeSet<_>>()
                .into_iter()
                .collect();
            let n = match shared[..] {
                [] => {
                    self.clusters.push(Cluster::default());
                    self.clusters.len() - 1
                }
                [n, ..] => n,
            };
            for other in shared.into_iter().skip(1) {
                let other = std::mem::take(&mut self.clusters[other]);
                self.enter(n, other);
            }
            self.enter(n, cluster);
        }
        Ok(())
    }

    fn enter(&mut self, n: usize, cluster: Cluster) {
        for value in cluster.values {
            if self.value_cluster[value.index()].replace(n) != Some(n) {
                self.clusters[n].values.push(value);
            }
        }
        for unit in cluster.reads {
            self.unit_cluster[unit.index()] = Some(n);
            self.clusters[n].reads.push(unit);
        }
        for unit in cluster.writes {
            self.unit_cluster[unit.index()] = Some(n);
            self.clusters[n].writes.push(unit);
        }
    }

    /// The values from what an array gives to what is written to it, both ends included.
    fn between(&self, cluster: &Cluster, array: u32) -> Result<Vec<ValueId>, StateCycle> {
        let graph = self.graph;
        let given = |id: ValueId| matches!(graph.kind(id), ValueKind::Output(unit, _) if cluster.reads.contains(unit));
        // Whether a value depends on what the array gives, by depth-first search.
        let mut depends: Vec<Option<bool>> = vec![None; graph.values.len()];
        let mut order = Vec::new();
        let mut stack: Vec<(ValueId, bool)> = Vec::new();
        for unit in &cluster.writes {
            stack.extend(graph.units[unit.index()].inputs.iter().map(|v| (*v, false)));
        }
        while let Some((id, seen)) = stack.pop() {
            if seen {
                let is =
                    given(id) || self.operands(id).iter().any(|o| depends[o.index()] == Some(true));
                depends[id.index()] = Some(is);
                order.push(id);
            } else if depends[id.index()].is_none() {
                depends[id.index()] = Some(false);
                stack.push((id, true));
                if !given(id) {
                    stack.extend(self.operands(id).into_iter().map(|o| (o, false)));
                }
            }
        }
        let inside: Vec<ValueId> =
            order.into_iter().filter(|id| depends[id.index()] == Some(true)).collect();
        let through_unit =
            inside.iter().any(|id| matches!(graph.kind(*id), ValueKind::Output(..)) && !given(*id));
        if through_unit { Err(StateCycle(array)) } else { Ok(inside) }
    }

    fn node_of(&self, id: ValueId) -> Node {
        self.value_cluster[id.index()].map_or(Node::Value(id), Node::Cluster)
    }

    fn unit_node(&self, id: UnitId) -> Node {
        self.unit_cluster[id.index()].map_or(Node::Unit(id), Node::Cluster)
    }

    fn dependencies(&self, node: Node) -> Vec<Node> {
        match node {
            Node::Value(id) => match self.graph.kind(id) {
                ValueKind::Operation(_, operands) => {
                    operands.iter().map(|o| self.node_of(*o)).collect()
                }
                ValueKind::Output(unit, _) => vec![self.unit_node(*unit)],
                _ => Vec::new(),
            },
            Node::Unit(id) => {
                let inputs = &self.graph.units[id.index()].inputs;
                inputs.iter().map(|v| self.node_of(*v)).collect()
            }
            Node::Cluster(n) => {
                let cluster = &self.clusters[n];
                let mut list = Vec::new();
                for value in &cluster.values {
                    if let ValueKind::Operation(_, operands) = self.graph.kind(*value) {
                        list.extend(operands.iter().map(|o| self.node_of(*o)));
                    }
                }
                for unit in cluster.reads.iter().chain(&cluster.writes) {
                    let inputs = &self.graph.units[unit.index()].inputs;
                    list.extend(inputs.iter().map(|v| self.node_of(*v)));
                }
                list.retain(|other| *other != node);
                list
            }
        }
    }

    /// Schedules everything that is live, each node behind those that it depends on.
    fn run(&mut self) -> Result<(), StateCycle> {
        let mut open: std::collections::HashMap<Node, bool> = Default::default();
        let values = (0..self.graph.values.len()).filter(|n| self.live_values[*n]);
        let mut all: Vec<Node> = values.map(|n| self.node_of(ValueId(n as u32))).collect();
        let units = (0..self.graph.units.len()).filter(|n| self.live_units[*n]);
        all.extend(units.map(|n| self.unit_node(UnitId(n as u32))));
        for root in all {
            let mut stack = vec![(root, false)];
            while let Some((node, entered)) = stack.pop() {
                if entered {
                    open.insert(node, false);
                    self.place(node);
                    continue;
                }
                match open.get(&node) {
                    Some(false) => continue,
                    Some(true) => return Err(StateCycle(self.array_of(node))),
                    None => {}
                }
                open.insert(node, true);
                stack.push((node, true));
                for dependency in self.dependencies(node) {
                    match open.get(&dependency) {
                        Some(false) => {}
                        Some(true) => return Err(StateCycle(self.array_of(dependency))),
                        None => stack.push((dependency, false)),
                    }
                }
            }
        }
        Ok(())
    }

    fn array_of(&self, node: Node) -> u32 {
        let Node::Cluster(n) = node else {
            return self
                .clusters
                .iter()
                .find_map(|c| c.reads.first())
                .map_or(0, |unit| self.array_number(*unit));
        };
        self.clusters[n].reads.first().map_or(0, |unit| self.array_number(*unit))
    }

    fn array_number(&self, unit: UnitId) -> u32 {
        match self.graph.units[unit.index()].kind {
            UnitKind::Read(array, _) => array,
            _ => 0,
        }
    }

    /// Clock and depth of a value that was placed. Constants are always there.
    fn at(&self, id: ValueId) -> (u32, u32) {
        self.values[id.index()].unwrap_or((0, 0))
    }

    fn is_const(&self, id: ValueId) -> bool {
        self.graph.as_const(id).is_some()
    }

    /// The first clock in which all inputs are there.
    fn ready(&self, inputs: &[ValueId]) -> u32 {
        let there = inputs.iter().filter(|v| !self.is_const(**v)).map(|v| self.at(*v).0);
        there.max().unwrap_or(0)
    }

    fn place(&mut self, node: Node) {
        match node {
            Node::Value(id) => {
                let at = match self.graph.kind(id) {
                    ValueKind::Operation(_, operands) => self.operation(id, &operands.clone()),
                    ValueKind::Output(unit, _) => {
                        let unit = *unit;
                        let kind = self.graph.units[unit.index()].kind;
                        let clock = self.units[unit.index()].unwrap_or(0);
                        (clock + (self.timing.latency)(kind), output_depth(kind))
                    }
                    _ => (0, 0),
                };
                self.values[id.index()] = Some(at);
            }
            Node::Unit(id) => {
                let inputs = &self.graph.units[id.index()].inputs;
                self.units[id.index()] = Some(self.ready(inputs));
            }
            Node::Cluster(n) => self.place_cluster(n),
        }
    }

    fn operation(&self, id: ValueId, operands: &[ValueId]) -> (u32, u32) {
        if let (ValueKind::Operation(Operation::After, _), &[a, other]) =
            (self.graph.kind(id), operands)
        {
            let (clock, depth) = self.at(a);
            let next = self.at(other).0 + 1;
            return if next > clock { (next, 0) } else { (clock, depth) };
        }
        let clock = self.ready(operands);
        let depths = operands.iter().map(|o| self.at(*o));
        let depth = depths.filter(|(c, _)| *c == clock).map(|(_, d)| d).max().unwrap_or(0);
        let cost = cost(self.graph, id);
        if depth + cost > self.timing.levels && depth > 0 {
            (clock + 1, cost)
        } else {
            (clock, depth + cost)
        }
    }

    /// All accesses of a cluster in one clock: the first in which everything from outside is
    /// there.
    fn place_cluster(&mut self, n: usize) {
        let cluster = self.clusters[n].clone();
        let outside = |this: &Self, id: ValueId| {
            this.value_cluster[id.index()] != Some(n) && !this.is_const(id)
        };
        // A value from outside is registered first, unless it costs no time.
        let registered = |this: &Self, id: ValueId| {
            let (clock, depth) = this.at(id);
            if depth > 1 { clock + 1 } else { clock }
        };
        let mut clock = 0;
        for value in &cluster.values {
            if let ValueKind::Operation(_, operands) = self.graph.kind(*value) {
                for o in operands.iter().filter(|o| outside(self, **o)) {
                    clock = clock.max(registered(self, *o));
                }
            }
        }
        for unit in &cluster.writes {
            for v in self.graph.units[unit.index()].inputs.iter().filter(|v| outside(self, **v)) {
                clock = clock.max(registered(self, *v));
            }
        }
        for unit in &cluster.reads {
            let described = &self.graph.units[unit.index()];
            let latency = (self.timing.latency)(described.kind);
            clock = clock.max(self.ready(&described.inputs) + latency);
        }
        for unit in &cluster.reads {
            let latency = (self.timing.latency)(self.graph.units[unit.index()].kind);
            self.units[unit.index()] = Some(clock - latency);
        }
        for unit in &cluster.writes {
            self.units[unit.index()] = Some(clock);
        }
        // What lies between is in the order of its making.
        for value in &cluster.values {
            let depth = match self.graph.kind(*value) {
                ValueKind::Operation(_, operands) => {
                    let inner = operands.iter().map(|o| self.at(*o));
                    let deepest = inner.filter(|(c, _)| *c == clock).map(|(_, d)| d).max();
                    deepest.unwrap_or(0) + cost(self.graph, *value)
                }
                _ => 1,
            };
            self.values[value.index()] = Some((clock, depth));
        }
    }
}

/// Levels behind the last register of a unit.
fn output_depth(kind: UnitKind) -> u32 {
    match kind {
        // The default action takes the place of a miss.
        UnitKind::Lookup(..) | UnitKind::Read(..) => 1,
        _ => 0,
    }
}
