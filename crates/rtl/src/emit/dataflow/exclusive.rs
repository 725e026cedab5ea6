//! Which conditions exclude each other: by binary decision diagrams (R. E. Bryant, 1986) over the
//! bits that conditions are made of. What a diagram would grow too large for is taken as
//! possible.

use super::graph::{Graph, Operation, ValueId, ValueKind};
use num_bigint::BigUint;
use std::collections::{BTreeMap, HashMap};
use ww_p4::pipeline::{BinaryOp, UnaryOp};

/// Most nodes of all diagrams together.
const MAX_NODES: usize = 200_000;

const FALSE: u32 = 0;
const TRUE: u32 = 1;

/// Decides about the conditions of one graph.
#[derive(Debug)]
pub struct Conditions {
    nodes: Vec<(ValueId, u32, u32)>,
    unique: HashMap<(ValueId, u32, u32), u32>,
    made: HashMap<ValueId, Option<u32>>,
    both: HashMap<(u32, u32), u32>,
    /// Comparisons of one value with constants: at most one of them holds.
    comparisons: BTreeMap<ValueId, Vec<(BigUint, ValueId)>>,
    /// Further bits of which at most one is 1.
    exclusive: Vec<(ValueId, ValueId)>,
}

impl Default for Conditions {
    fn default() -> Self {
        // Positions 0 and 1 stand for the constants.
        let leaf = (ValueId(u32::MAX), 0, 0);
        Self {
            nodes: vec![leaf, leaf],
            unique: HashMap::new(),
            made: HashMap::new(),
            both: HashMap::new(),
            comparisons: BTreeMap::new(),
            exclusive: Vec::new(),
        }
    }
}

impl Conditions {
    /// Whether no packet can have both bits 1.
    pub fn exclude(&mut self, graph: &Graph, a: ValueId, b: ValueId) -> bool {
        let (Some(x), Some(y)) = (self.diagram(graph, a), self.diagram(graph, b)) else {
            return false;
        };
        let Some(both) = self.and(x, y) else { return false };
        if both == FALSE {
            return true;
        }
        self.and_comparisons(both) == Some(FALSE)
    }

    /// Whether no packet can have the bit 1.
    pub fn is_never(&mut self, graph: &Graph, a: ValueId) -> bool {
        self.exclude(graph, a, a)
    }

    /// Notes that two bits are never both 1.
    pub fn add_exclusive(&mut self, a: ValueId, b: ValueId) {
        self.exclusive.push((a, b));
    }

    fn node(&mut self, variable: ValueId, low: u32, high: u32) -> Option<u32> {
        if low == high {
            return Some(low);
        }
        if let Some(id) = self.unique.get(&(variable, low, high)) {
            return Some(*id);
        }
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        let id = self.nodes.len() as u32;
        self.nodes.push((variable, low, high));
        self.unique.insert((variable, low, high), id);
        Some(id)
    }

    fn variable(&self, node: u32) -> ValueId {
        self.nodes[node as usize].0
    }

    fn cofactors(&self, node: u32, variable: ValueId) -> (u32, u32) {
        let (own, low, high) = self.nodes[node as usize];
        if node > TRUE && own == variable { (low, high) } else { (node, node) }
    }

    fn and(&mut self, a: u32, b: u32) -> Option<u32> {
        match (a.min(b), a.max(b)) {
            (FALSE, _) => return Some(FALSE),
            (TRUE, other) => return Some(other),
            (x, y) if x == y => return Some(x),
            _ => {}
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.both.get(&key) {
            return Some(*known);
        }
        let variable = self.variable(a).min(self.variable(b));
        let ((a0, a1), (b0, b1)) = (self.cofactors(a, variable), self.cofactors(b, variable));
        let (low, high) = (self.and(a0, b0)?, self.and(a1, b1)?);
        let result = self.node(variable, low, high)?;
        self.both.insert(key, result);
        Some(result)
    }

    fn not(&mut self, a: u32) -> Option<u32> {
        let mut known = HashMap::from([(FALSE, TRUE), (TRUE, FALSE)]);
        self.negate(a, &mut known)
    }

    fn negate(&mut self, a: u32, known: &mut HashMap<u32, u32>) -> Option<u32> {
        if let Some(done) = known.get(&a) {
            return Some(*done);
        }
        let (variable, low, high) = self.nodes[a as usize];
        let (low, high) = (self.negate(low, known)?, self.negate(high, known)?);
        let result = self.node(variable, low, high)?;
        known.insert(a, result);
        Some(result)
    }

    fn or(&mut self, a: u32, b: u32) -> Option<u32> {
        let (a, b) = (self.not(a)?, self.not(b)?);
        let neither = self.and(a, b)?;
        self.not(neither)
    }

    fn diagram(&mut self, graph: &Graph, id: ValueId) -> Option<u32> {
        if let Some(made) = self.made.get(&id) {
            return *made;
        }
        let result = self.make(graph, id);
        self.made.insert(id, result);
        result
    }

    fn make(&mut self, graph: &Graph, id: ValueId) -> Option<u32> {
        if let Some(bit) = graph.as_bit(id) {
            return Some(u32::from(bit));
        }
        if let ValueKind::Operation(operation, operands) = graph.kind(id) {
            match operation {
                Operation::Unary(UnaryOp::Not) => {
                    let inner = self.diagram(graph, operands[0])?;
                    return self.not(inner);
                }
                Operation::Binary(BinaryOp::And) => {
                    let (a, b) =
                        (self.diagram(graph, operands[0])?, self.diagram(graph, operands[1])?);
                    return self.and(a, b);
                }
                Operation::Binary(BinaryOp::Or) => {
                    let (a, b) =
                        (self.diagram(graph, operands[0])?, self.diagram(graph, operands[1])?);
                    return self.or(a, b);
                }
                Operation::Mux => {
                    let c = self.diagram(graph, operands[0])?;
                    let (t, e) =
                        (self.diagram(graph, operands[1])?, self.diagram(graph, operands[2])?);
                    let (then, not) = (self.and(c, t)?, self.not(c)?);
                    let otherwise = self.and(not, e)?;
                    return self.or(then, otherwise);
                }
                Operation::Binary(BinaryOp::Eq) => {
                    for (x, constant) in [(operands[0], operands[1]), (operands[1], operands[0])] {
                        if let Some(value) = graph.as_const(constant) {
                            self.comparisons.entry(x).or_default().push((value.clone(), id));
                        }
                    }
                }
                _ => {}
            }
        }
        self.node(id, FALSE, TRUE)
    }

    /// Adds to a diagram that a value equals one constant at most.
    fn and_comparisons(&mut self, diagram: u32) -> Option<u32> {
        let mut used = Vec::new();
        self.variables(diagram, &mut used);
        let mut result = diagram;
        let mut pairs = self.exclusive.clone();
        for group in self.comparisons.values() {
            let bits: Vec<ValueId> =
                group.iter().map(|(_, bit)| *bit).filter(|bit| used.contains(bit)).collect();
            for (n, first) in bits.iter().enumerate() {
                pairs.extend(bits[n + 1..].iter().map(|second| (*first, *second)));
            }
        }
        for (first, second) in pairs {
            if first == second || !used.contains(&first) || !used.contains(&second) {
                continue;
            }
            let (x, y) = (self.node(first, FALSE, TRUE)?, self.node(second, FALSE, TRUE)?);
            let both = self.and(x, y)?;
            let not = self.not(both)?;
            result = self.and(result, not)?;
        }
        Some(result)
    }

    fn variables(&self, diagram: u32, found: &mut Vec<ValueId>) {
        let mut seen = vec![false; self.nodes.len()];
        let mut stack = vec![diagram];
        while let Some(node) = stack.pop() {
            if node > TRUE && !std::mem::replace(&mut seen[node as usize], true) {
                let (variable, low, high) = self.nodes[node as usize];
                if !found.contains(&variable) {
                    found.push(variable);
                }
                stack.extend([low, high]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches_and_cases_exclude_each_other() {
        let mut g = Graph::default();
        let (p, q, x) = (g.input("p", 1), g.input("q", 1), g.input("x", 8));
        let (one, two) = (g.is(x, 1u32), g.is(x, 2u32));
        let not_p = g.not(p);
        let (a, b, c) = (g.and(p, q), g.and(not_p, q), g.or(one, q));
        let mut conditions = Conditions::default();
        assert!(conditions.exclude(&g, a, b));
        assert!(conditions.exclude(&g, one, two));
        assert!(!conditions.exclude(&g, a, one));
        assert!(!conditions.exclude(&g, c, two));
        // Returns after a switch: neither 1 nor q, then 2.
        let neither = g.not(c);
        let later = g.and(neither, two);
        assert!(conditions.exclude(&g, later, one));
        assert!(!conditions.is_never(&g, later));
    }
}
