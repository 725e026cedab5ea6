//! Tables whose entries the program alone decides, as logic: each entry is a comparison.
//!
//! The pass over the pipeline IR that makes control flow of tables has taken those already whose
//! default action is constant too and whose actions are small.

use super::super::dataflow::ValueId;
use super::super::implementation::request::requested;
use super::super::options::Optimiser;
use super::super::selector::Selector;
use super::tables::{DataLayout, call_data};
use super::{Environment, Lowering};
use ww_p4::pipeline::passes::{constant_entries, entry_condition};
use ww_p4::pipeline::{Match, Table, TableId};

/// Most entries that become logic.
const MAX_ENTRIES: usize = 64;
/// Most bits that are compared.
const MAX_BITS: u64 = 8192;

impl Lowering<'_> {
    /// The entries of a table that becomes logic, the one that wins first.
    pub(super) fn entries_as_logic(&self, table: &Table) -> Option<Vec<usize>> {
        // A block that is asked for stands.
        let asked = !matches!(requested(table, self.options), Ok(None));
        let key_bits: u64 = table.keys.iter().map(|key| u64::from(key.width)).sum();
        let entries = table.entries.len();
        // A table without keys has one thing to hold: its default action, which may change.
        let only_default = table.keys.is_empty() && !table.const_default;
        // A default action that may become a group needs a selector.
        let selects = Selector::of(self.pipeline, table).is_some();
        if asked
            || only_default
            || selects
            || !self.optimises(Optimiser::ConstantEntries)
            || entries > MAX_ENTRIES
            || key_bits * entries as u64 > MAX_BITS
        {
            return None;
        }
        constant_entries(table)
    }

    /// Looks up in constant entries: hit, data, row.
    pub(super) fn constant_lookup(
        &mut self,
        env: &Environment,
        id: TableId,
        order: &[usize],
        enabled: ValueId,
        layout: DataLayout,
    ) -> Vec<ValueId> {
        let pipeline = self.pipeline;
        let table = &pipeline[id];
        let default = if table.const_default {
            let data = call_data(pipeline, table, &table.default_action, layout);
            self.graph.constant(layout.data_bits, data)
        } else {
            self.tables[id.index()].constant = true;
            self.lookup(id, Vec::new(), enabled, layout.data_bits)[1]
        };
        // Entries with one value for each key exclude each other: equal ones are left out.
        let is_value = |m: &Match| matches!(m, Match::Value(_));
        let distinct = order.iter().all(|n| table.entries[*n].keys.iter().all(is_value));
        let mut any = self.graph.bit(false);
        let mut choices = Vec::new();
        for n in order {
            let entry = &table.entries[*n];
            self.graph.at = Some(entry.span);
            let mut fits = self.graph.bit(true);
            for (key, m) in table.keys.iter().zip(&entry.keys) {
                let condition = self.eval(env, &entry_condition(pipeline, key, m));
                fits = self.graph.and(fits, condition);
            }
            let not = self.not(any);
            let wins = if distinct { fits } else { self.graph.and(fits, not) };
            any = self.graph.or(any, fits);
            let data = call_data(pipeline, table, &entry.action, layout);
            choices.push((wins, self.graph.constant(layout.data_bits, data)));
        }
        let not = self.not(any);
        choices.push((not, default));
        let data = self.graph.one_hot(layout.data_bits, choices);
        vec![any, data, self.graph.zero(32)]
    }
}
