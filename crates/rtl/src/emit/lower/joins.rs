//! Where ways come together.

use super::super::dataflow::ValueId;
use super::super::refusal::Reason;
use super::environment::{Environment, Slot};
use super::{Lowering, MAX_VALUES};
use std::collections::{BTreeMap, HashMap};

/// Most values that the ways of a join have beside those of its first way.
const MAX_DIFFERENCES: usize = 10 * MAX_VALUES;

/// From that many conditions on, their disjunction is built so that others share parts of it.
const MANY: usize = 64;

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
    ///
    /// The work is in proportion to the values in which ways differ from the first way, for there may be thousands of
    /// ways (the actions of a table, the states of a parser) with thousands of slots.
    pub fn join(&mut self, ways: &[Way]) -> Environment {
        let Some((first, others)) = ways.split_first() else { return Environment::default() };
        if self.refusals.iter().any(|refusal| refusal.reason == Reason::Size) {
            return first.env.clone();
        }
        let mut slots: BTreeMap<Slot, Vec<usize>> = BTreeMap::new();
        let mut differences = 0;
        for (n, way) in others.iter().enumerate() {
            for slot in first.env.differences(&way.env) {
                slots.entry(slot).or_default().push(n + 1);
                differences += 1;
            }
            if differences > MAX_DIFFERENCES {
                self.too_large(MAX_DIFFERENCES, "values where ways join", self.graph.at);
                return first.env.clone();
            }
        }
        let mut joined = first.env.clone();
        for (slot, places) in slots {
            if self.graph.values.len() > MAX_VALUES {
                self.too_large(MAX_VALUES, "values", self.graph.at);
                break;
            }
            let usual = self.get(&first.env, slot);
            let others: Vec<(usize, ValueId)> =
                places.into_iter().map(|n| (n, self.get(&ways[n].env, slot))).collect();
            let value = self.choose(ways, usual, &others);
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

    /// One of several values, by the way: `usual`, but for the ways in `others`, by their place.
    fn choose(&mut self, ways: &[Way], usual: ValueId, others: &[(usize, ValueId)]) -> ValueId {
        // Groups of ways with one value, in the order of their first ways: the first way is the first of `usual`.
        let mut groups: Vec<(ValueId, Vec<usize>)> = vec![(usual, Vec::new())];
        let mut places: HashMap<ValueId, usize> = HashMap::from([(usual, 0)]);
        for (way, value) in others {
            let place = *places.entry(*value).or_insert(groups.len());
            if place == groups.len() {
                groups.push((*value, Vec::new()));
            }
            if place > 0 {
                groups[place].1.push(*way);
            }
        }
        if groups.len() == 1 {
            return usual;
        }
        let unusual: usize = groups[1..].iter().map(|(_, group)| group.len()).sum();
        let largest = (1..groups.len()).max_by_key(|n| groups[*n].1.len()).unwrap_or(0);
        // The value of most ways needs no condition of its own.
        let most = if ways.len() - unusual > groups[largest].1.len() { 0 } else { largest };
        if most != 0 {
            let mut is_usual = vec![true; ways.len()];
            for way in groups[1..].iter().flat_map(|(_, group)| group) {
                is_usual[*way] = false;
            }
            groups[0].1 = (0..ways.len()).filter(|n| is_usual[*n]).collect();
        }
        let (otherwise, _) = groups.swap_remove(most);
        let width = self.graph.width(otherwise);
        let mut any = self.graph.bit(false);
        let mut choices = Vec::new();
        for (value, group) in groups {
            let condition = self.comes_by(ways, &group);
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

    /// Whether the packet comes one of the ways of a group.
    fn comes_by(&mut self, ways: &[Way], group: &[usize]) -> ValueId {
        let mut condition = self.graph.bit(false);
        // What a parser takes in its n-th state is known on all ways that end behind it: sets that differ in how
        // many of the first ways they leave out. From the back they have most of their disjunctions in common.
        if group.len() >= MANY && group.last() == Some(&(ways.len() - 1)) {
            for way in group.iter().rev() {
                condition = self.graph.or(ways[*way].condition, condition);
            }
        } else {
            for way in group {
                condition = self.graph.or(condition, ways[*way].condition);
            }
        }
        condition
    }
}
