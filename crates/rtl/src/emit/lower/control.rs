//! Controls and actions: graphs of nodes, walked in order.

use super::super::dataflow::ValueId;
use super::environment::Environment;
use super::joins::Way;
use super::{Lowering, MAX_VALUES};
use ww_p4::pipeline::{ControlGraph, NodeId, NodeKind};

/// How a graph ends. Conditions are relative to its entry.
pub struct Ending {
    /// Whether it ends this way.
    pub condition: ValueId,
    /// What is known then.
    pub env: Environment,
}

/// The two ways in which a graph ends.
pub struct Endings {
    /// At its end.
    pub end: Option<Ending>,
    /// By `exit`, in an action.
    pub exit: Option<Ending>,
}

/// An edge that is on some packet's way.
struct Edge {
    from: usize,
    /// Whether a packet at its origin takes it.
    condition: ValueId,
    env: Environment,
}

impl Lowering<'_> {
    /// Walks a graph. `active` says whether a packet comes to its entry.
    pub fn control(&mut self, graph: &ControlGraph, env: Environment, active: ValueId) -> Endings {
        let graph = self.without_loops(graph).into_owned();
        let count = graph.nodes.len();
        // Two more places, where all ends and all exits lead.
        let mut edges: Vec<Vec<Edge>> = (0..count + 2).map(|_| Vec::new()).collect();
        let mut dominators: Vec<usize> = vec![0; count + 2];
        let mut actives: Vec<ValueId> = vec![active; count + 2];
        let mut entry = Some(env);
        let mut endings = [None, None];
        for n in 0..count + 2 {
            let (env, condition) = match entry.take() {
                Some(env) if n == 0 => (env, self.graph.bit(true)),
                _ if edges[n].is_empty() => continue,
                _ => self.arrive(n, &edges, &mut dominators, &mut actives),
            };
            if n >= count {
                let relative = if n == 0 { condition } else { self.relative(0, n, &edges) };
                endings[n - count] = Some(Ending { condition: relative, env });
                continue;
            }
            if self.graph.values.len() > MAX_VALUES {
                self.too_large(MAX_VALUES, "values", Some(graph.nodes[n].span));
                break;
            }
            self.graph.at = Some(graph.nodes[n].span);
            let here = actives[n];
            for (to, condition, env) in self.node(&graph.nodes[n].kind, count, env, here) {
                if self.graph.as_bit(condition) != Some(false) {
                    edges[to].push(Edge { from: n, condition, env });
                }
            }
        }
        let [end, exit] = endings;
        Endings { end, exit }
    }

    /// What is known at a node, and whether a packet that comes to its dominator comes there.
    fn arrive(
        &mut self,
        n: usize,
        edges: &[Vec<Edge>],
        dominators: &mut [usize],
        actives: &mut [ValueId],
    ) -> (Environment, ValueId) {
        if let [edge] = &edges[n][..] {
            dominators[n] = edge.from;
            actives[n] = self.graph.and(actives[edge.from], edge.condition);
            return (edge.env.clone(), edge.condition);
        }
        let mut dominator = edges[n][0].from;
        for edge in &edges[n][1..] {
            dominator = common(dominators, dominator, edge.from);
        }
        dominators[n] = dominator;
        let reached = self.reached(dominator, n, edges);
        let mut any = self.graph.bit(false);
        let mut ways = Vec::new();
        for edge in &edges[n] {
            let origin = reached[edge.from - dominator];
            let Some(origin) = origin else { continue };
            let condition = self.graph.and(origin, edge.condition);
            any = self.graph.or(any, condition);
            ways.push(Way { condition, env: edge.env.clone() });
        }
        actives[n] = self.graph.and(actives[dominator], any);
        (self.join(&ways), any)
    }

    /// For the nodes from `from` to `to` whether a packet at the first comes to them.
    fn reached(&mut self, from: usize, to: usize, edges: &[Vec<Edge>]) -> Vec<Option<ValueId>> {
        let mut reached = vec![None; to - from + 1];
        reached[0] = Some(self.graph.bit(true));
        for n in from + 1..to {
            for edge in &edges[n] {
                let Some(origin) = edge.from.checked_sub(from).and_then(|o| reached[o]) else {
                    continue;
                };
                let way = self.graph.and(origin, edge.condition);
                let before = reached[n - from];
                reached[n - from] = Some(match before {
                    Some(before) => self.graph.or(before, way),
                    None => way,
                });
            }
        }
        reached
    }

    fn relative(&mut self, from: usize, to: usize, edges: &[Vec<Edge>]) -> ValueId {
        let reached = self.reached(from, to, edges);
        let mut any = self.graph.bit(false);
        for edge in &edges[to] {
            if let Some(origin) = reached[edge.from - from] {
                let way = self.graph.and(origin, edge.condition);
                any = self.graph.or(any, way);
            }
        }
        any
    }

    /// Walks a node: the edges that leave it, with what is known on each.
    fn node(
        &mut self,
        kind: &NodeKind,
        count: usize,
        mut env: Environment,
        active: ValueId,
    ) -> Vec<(usize, ValueId, Environment)> {
        let always = self.graph.bit(true);
        let at = |to: NodeId| to.index();
        match kind {
            NodeKind::Block { ops, next } => {
                self.statement = None;
                for op in ops {
                    self.graph.at = Some(op.span);
                    self.operation(&mut env, op, active);
                }
                vec![(at(*next), always, env)]
            }
            NodeKind::Branch { condition, then, otherwise } => {
                let condition = self.eval(&env, condition);
                let not = self.not(condition);
                vec![(at(*then), condition, env.clone()), (at(*otherwise), not, env)]
            }
            NodeKind::Switch { value, cases, default } => {
                let value = self.eval(&env, value);
                let mut any = self.graph.bit(false);
                let mut edges = Vec::new();
                for case in cases {
                    let mut taken = self.graph.bit(false);
                    for wanted in &case.values {
                        let equal = self.graph.is(value, wanted.clone());
                        taken = self.graph.or(taken, equal);
                    }
                    any = self.graph.or(any, taken);
                    edges.push((at(case.target), taken, env.clone()));
                }
                let not = self.not(any);
                edges.push((at(*default), not, env));
                edges
            }
            NodeKind::Apply { table, hit, action_run, next, exit, .. } => {
                let endings = self.apply(*table, *hit, *action_run, env, active);
                let mut edges = Vec::new();
                if let Some(end) = endings.end {
                    edges.push((at(*next), end.condition, end.env));
                }
                if let (Some(ending), Some(exit)) = (endings.exit, exit) {
                    edges.push((at(*exit), ending.condition, ending.env));
                }
                edges
            }
            NodeKind::End => vec![(count, always, env)],
            NodeKind::Exit => vec![(count + 1, always, env)],
            // Loops are written out.
            NodeKind::Loop { .. } | NodeKind::Continue { .. } => Vec::new(),
        }
    }
}

/// The nearest node that every way to both comes by; dominators have lower numbers.
fn common(dominators: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        if a > b {
            a = dominators[a];
        } else {
            b = dominators[b];
        }
    }
    a
}
