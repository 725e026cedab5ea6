//! Application of tables.

use super::super::dataflow::{UnitId, UnitKind, ValueId, ValueKind};
use super::super::selector::{Selector, key_bits};
use super::Lowering;
use super::control::{Ending, Endings};
use super::environment::{Environment, Slot};
use super::joins::Way;
use super::state::{Counter, Owner};
use num_bigint::BigUint;
use num_traits::One;
use ww_p4::pipeline::{
    Action, ActionCall, BinaryOp, ExternInstanceId, FieldId, Key, Pipeline, PropertyValue, Table,
    TableId,
};

/// How a pipeline uses a table.
#[derive(Clone, Debug, Default)]
pub struct TableUse {
    /// Copies of it, each with one lookup a packet: the lookups' units and the conditions under
    /// which somebody looks at the result.
    pub copies: Vec<(UnitId, ValueId)>,
    /// Its entries are logic; the copies hold its default action.
    pub constant: bool,
}

/// The layout of a table's data: bits of the action's number, which come lowest, and all bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataLayout {
    /// Bits of the action's number.
    pub action_bits: u32,
    /// All bits.
    pub data_bits: u32,
}

/// The layout of a table's data.
pub fn data_layout(table: &Table, action: impl Fn(usize) -> u32) -> DataLayout {
    let actions = table.actions.len().max(1);
    let action_bits = usize::BITS - (actions - 1).leading_zeros();
    let action_bits = action_bits.max(1);
    let widest = (0..table.actions.len()).map(action).max().unwrap_or(0);
    DataLayout { action_bits, data_bits: action_bits + widest }
}

/// The data of an action with its arguments in a table.
pub fn call_data(
    pipeline: &Pipeline,
    table: &Table,
    call: &ActionCall,
    layout: DataLayout,
) -> BigUint {
    let mut data = BigUint::from(call.action);
    let mut offset = layout.action_bits;
    if let Some(listed) = table.actions.get(call.action as usize) {
        for (parameter, value) in pipeline[listed.action].parameters.iter().zip(&call.arguments) {
            data |= value << offset;
            offset += parameter.width;
        }
    }
    data
}

/// Bits of an action's parameters.
pub fn parameter_bits(action: &Action) -> u32 {
    action.parameters.iter().map(|p| p.width).sum()
}

impl Lowering<'_> {
    /// The layout of a table's data.
    pub fn data_layout(&self, table: &Table) -> DataLayout {
        data_layout(table, |n| parameter_bits(&self.pipeline[table.actions[n].action]))
    }

    /// Applies a table: looks up, runs the action that was found.
    pub fn apply(
        &mut self,
        id: TableId,
        hit: Option<FieldId>,
        action_run: Option<FieldId>,
        mut env: Environment,
        active: ValueId,
    ) -> Endings {
        let pipeline = self.pipeline;
        let table = &pipeline[id];
        let span = self.graph.at;
        let mut inputs = self.matched_key(&env, table);
        inputs.extend(self.selector_hash(&env, table));
        let enabled = self.enabled(&env, active);
        let layout = self.data_layout(table);
        let outputs = match self.entries_as_logic(table) {
            Some(order) => self.constant_lookup(&env, id, &order, enabled, layout),
            None => self.lookup(id, inputs, enabled, layout.data_bits),
        };
        let (found, data, row) = (outputs[0], outputs[1], outputs[2]);
        self.count_direct(table, enabled, found, row);
        self.meter_direct(&mut env, table, enabled, found, row);
        let number = self.graph.slice(data, 0, layout.action_bits);
        let name = format!("{}_action", table.name);
        self.graph.name(number, &name);
        self.graph.name(found, &format!("{}_hit", table.name));
        if let Some(hit) = hit {
            self.set(&mut env, hit, found);
        }
        if let Some(run) = action_run {
            let width = pipeline[run].width;
            let value = self.graph.zero_extend(number, width);
            self.set(&mut env, run, value);
        }

        let (mut ends, mut exits) = (Vec::new(), Vec::new());
        for (n, listed) in table.actions.iter().enumerate() {
            let action = &pipeline[listed.action];
            let chosen = if table.actions.len() == 1 {
                self.graph.bit(true)
            } else {
                self.graph.is(number, n)
            };
            let mut env = env.clone();
            self.bind(&mut env, action, data, layout);
            let active = self.graph.and(active, chosen);
            let endings = self.control(&action.body, env, active);
            for (ending, list) in [(endings.end, &mut ends), (endings.exit, &mut exits)] {
                if let Some(Ending { condition, env }) = ending {
                    let condition = self.graph.and(chosen, condition);
                    list.push(Way { condition, env });
                }
            }
        }
        self.graph.at = span;
        let exit = self.any(&exits);
        let always = self.graph.bit(true);
        let exit_ending =
            (!exits.is_empty()).then(|| Ending { condition: exit, env: self.join(&exits) });
        let end = if exits.is_empty() { always } else { self.not(exit) };
        let end_ending =
            (!ends.is_empty()).then(|| Ending { condition: end, env: self.join(&ends) });
        Endings { end: end_ending, exit: exit_ending }
    }

    /// The key that entries match, with the first of the table's keys in the highest bits; none
    /// if the table has no such keys.
    fn matched_key(&mut self, env: &Environment, table: &Table) -> Vec<ValueId> {
        let mut parts = Vec::new();
        for key in &table.keys {
            if key.width == 0 || &*key.match_kind == "selector" {
                continue;
            }
            let mut value = self.field(env, key.field);
            if key.signed && &*key.match_kind == "range" {
                // Signed numbers in their order are unsigned ones when the sign is inverted.
                let sign = self.graph.constant(key.width, BigUint::one() << (key.width - 1));
                value = self.graph.binary(BinaryOp::Xor, value, sign);
            }
            parts.push(value);
        }
        if parts.is_empty() { parts } else { vec![self.graph.join(parts)] }
    }

    /// The hash by which a table's action selector chooses; `None` without one, and if hardware
    /// does not have the hash.
    fn selector_hash(&mut self, env: &Environment, table: &Table) -> Option<ValueId> {
        let selector = Selector::of(self.pipeline, table)?;
        let chosen = |key: &&Key| &*key.match_kind == "selector" && key.width > 0;
        let keys = table.keys.iter().filter(chosen).map(|key| self.field(env, key.field));
        let keys = keys.collect();
        let hash = self.hash_of_keys(selector.algorithm, keys)?;
        if selector.output_width == 0 {
            return Some(self.graph.zero(1));
        }
        Some(self.graph.slice(hash, 0, selector.hash_bits(key_bits(table))))
    }

    fn any(&mut self, ways: &[Way]) -> ValueId {
        let mut any = self.graph.bit(false);
        for way in ways {
            any = self.graph.or(any, way.condition);
        }
        any
    }

    /// Gives an action's parameters the entry's values.
    fn bind(&mut self, env: &mut Environment, action: &Action, data: ValueId, layout: DataLayout) {
        let mut offset = layout.action_bits;
        for parameter in &action.parameters {
            // The first field of a struct has the highest bits.
            let mut top = offset + parameter.width;
            for field in &parameter.fields {
                let width = self.pipeline[*field].width;
                top -= width;
                if width > 0 {
                    let value = self.graph.slice(data, top, width);
                    self.set(env, *field, value);
                }
            }
            offset += parameter.width;
        }
    }

    /// Looks up: hit, data, row. The inputs are those of [`UnitKind::Lookup`]. A table whose
    /// applications exclude each other has one lookup for all of them.
    pub(super) fn lookup(
        &mut self,
        id: TableId,
        inputs: Vec<ValueId>,
        enabled: ValueId,
        data_bits: u32,
    ) -> Vec<ValueId> {
        let inputs: Vec<ValueId> =
            inputs.into_iter().map(|input| self.when_known(input, enabled)).collect();
        let copies = self.tables[id.index()].copies.clone();
        for (copy, (unit, condition)) in copies.iter().enumerate() {
            let same = self.graph.units[unit.index()].inputs == inputs;
            let mut apart = || {
                inputs.iter().all(|k| !self.depends(*k, *unit))
                    && !self.depends(enabled, *unit)
                    && self.conditions.exclude(&self.graph, *condition, enabled)
            };
            if !same && !apart() {
                continue;
            }
            if !same {
                for (n, input) in inputs.iter().enumerate() {
                    let old = self.graph.units[unit.index()].inputs[n];
                    let new = self.graph.mux(enabled, *input, old);
                    self.graph.units[unit.index()].inputs[n] = new;
                }
            }
            let either = self.graph.or(*condition, enabled);
            self.tables[id.index()].copies[copy].1 = either;
            return self.outputs(*unit);
        }
        let kind = UnitKind::Lookup(id.0, copies.len() as u32);
        let row_bits = 32;
        let outputs = self.graph.unit(kind, inputs, vec![1, data_bits, row_bits]);
        if let ValueKind::Output(unit, _) = *self.graph.kind(outputs[0]) {
            self.tables[id.index()].copies.push((unit, enabled));
        }
        outputs
    }

    /// The outputs of a unit that exists.
    fn outputs(&mut self, unit: UnitId) -> Vec<ValueId> {
        let found = |g: &super::Graph, n: u32| {
            let is = |v: &super::super::dataflow::Value| v.kind == ValueKind::Output(unit, n);
            ValueId(g.values.iter().position(is).unwrap_or_default() as u32)
        };
        let count = self.graph.units[unit.index()].outputs.len() as u32;
        (0..count).map(|n| found(&self.graph, n)).collect()
    }

    /// Whether a value is made from what a unit gives.
    pub fn depends(&self, value: ValueId, unit: UnitId) -> bool {
        self.comes_from(value, |made_by| made_by == unit)
    }

    /// Whether a value is made from what a unit gives that `is_meant`.
    pub(super) fn comes_from(&self, value: ValueId, is_meant: impl Fn(UnitId) -> bool) -> bool {
        let mut seen = vec![false; self.graph.values.len()];
        let mut stack = vec![value];
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            match self.graph.kind(id) {
                ValueKind::Operation(_, operands) => stack.extend(operands),
                ValueKind::Output(made_by, _) => {
                    if is_meant(*made_by) {
                        return true;
                    }
                    stack.extend(&self.graph.units[made_by.index()].inputs);
                }
                _ => {}
            }
        }
        false
    }

    /// Direct meters are executed when an entry matches.
    fn meter_direct(
        &mut self,
        env: &mut Environment,
        table: &Table,
        enabled: ValueId,
        hit: ValueId,
        row: ValueId,
    ) {
        let Some(object) = object_of(table, "meters") else { return };
        let executes = self.graph.and(enabled, hit);
        let owner = Owner::Table(table.name.to_string().into());
        let colour = self.execute_meter(object, owner, executes, row);
        env.set(Slot::Colour(object), colour);
    }

    /// Direct counters count when an entry matches.
    fn count_direct(&mut self, table: &Table, enabled: ValueId, hit: ValueId, row: ValueId) {
        let Some(object) = object_of(table, "counters") else { return };
        let counts = self.graph.and(enabled, hit);
        self.count(Counter::direct(object, table), counts, row);
    }
}

/// The object that is a property of a table.
pub fn object_of(table: &Table, property: &str) -> Option<ExternInstanceId> {
    table.properties.iter().find_map(|p| match &p.value {
        PropertyValue::Object(object) if &*p.name == property => Some(*object),
        _ => None,
    })
}
