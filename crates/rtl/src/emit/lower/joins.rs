//! Where ways come together.

use super::super::dataflow::ValueId;
use super::Lowering;
use super::environment::{Environment, Slot};
use std::collections::{BTreeSet, HashMap};

/// A way that leads to a join.
#[derive(Clone, Debug)]
pub struct Way {
    /// Whether the packet comes this way, given that it comes to the join at all.
    pub condition: ValueId,
    /// What is known there.
    pub env: Environment,
}

impl Lowering<'_> {
    /// What is known where ways join: for each slot the value of the way that the packet came.
    /// Conditions are such that exactly one holds for a packet that comes here.
    pub fn join(&mut self, ways: &[Way]) -> Environment {
        let Some((first, others)) = ways.split_first() else { return Environment::default() };
        if others.iter().all(|way| way.env.is(&first.env)) {
            return first.env.clone();
        }
        let slots: BTreeSet<Slot> = ways.iter().flat_map(|way| way.env.slots()).collect();
        let mut joined = first.env.clone();
        for slot in slots {
            let values: Vec<ValueId> = ways.iter().map(|way| self.get(&way.env, slot)).collect();
            let value = self.choose(ways, &values);
            if joined.get(slot) != Some(value) {
                if let Slot::Field(field) = slot {
                    let name = self.pipeline[field].name.clone();
                    self.graph.name(value, &name);
                }
                joined.set(slot, value);
            }
        }
        joined
    }

    /// One of several values, by the way.
    fn choose(&mut self, ways: &[Way], values: &[ValueId]) -> ValueId {
        let mut groups: Vec<(ValueId, Vec<ValueId>)> = Vec::new();
        let mut places: HashMap<ValueId, usize> = HashMap::new();
        for (way, value) in ways.iter().zip(values) {
            let place = *places.entry(*value).or_insert(groups.len());
            if place == groups.len() {
                groups.push((*value, Vec::new()));
            }
            groups[place].1.push(way.condition);
        }
        if let [(value, _)] = groups[..] {
            return value;
        }
        // The value of most ways needs no condition of its own.
        let most = (0..groups.len()).max_by_key(|n| groups[*n].1.len()).unwrap_or(0);
        let (otherwise, _) = groups.swap_remove(most);
        let width = self.graph.width(otherwise);
        let mut any = self.graph.bit(false);
        let mut choices = Vec::new();
        for (value, conditions) in groups {
            let mut condition = self.graph.bit(false);
            for c in conditions {
                condition = self.graph.or(condition, c);
            }
            any = self.graph.or(any, condition);
            choices.push((condition, value));
        }
        if let [(condition, value)] = choices[..] {
            return self.graph.mux(condition, value, otherwise);
        }
        if self.graph.as_number(otherwise) == Some(0) {
            return self.graph.one_hot(width, choices);
        }
        let chosen = self.graph.one_hot(width, choices);
        self.graph.mux(any, chosen, otherwise)
    }
}
