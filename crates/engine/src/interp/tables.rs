//! Tables: keys, lookup, action, direct counters and meters (§14.2).

use super::machine::{Interrupt, Machine, Run};
use super::state::{ActionEntry, EntryTarget};
use crate::bits::{BitWriter, Bits};
use crate::schema::parameter_types;
use ww_dataplane::DropReason;
use ww_dataplane::control::{MatchKind, TableIndex, TableInfo};
use ww_dataplane::trace::{NamedValue, TraceEvent};
use ww_p4::ir::{Span, Table, TableId};

/// What the application of a table gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Applied {
    /// Whether an entry matched.
    pub hit: bool,
    /// The position in the table of the action that ran.
    pub action: u32,
}

impl<'a> Machine<'a> {
    /// Applies a table of the control at work.
    pub fn apply_table(&mut self, id: TableId) -> Run<Applied> {
        let table = &self.program[id];
        let fault = Interrupt::Drop(DropReason::Fault);
        let index = self.loaded.table(self.instance, id).ok_or(fault)?;
        let loaded = self.loaded;
        let info = &loaded.schema[index];

        let mut keys = Vec::with_capacity(table.keys.len());
        let mut selector = BitWriter::new();
        let mut matched_keys = info.keys.iter();
        for key in &table.keys {
            let value = self.eval(&key.value)?;
            if MatchKind::by_name(&key.match_kind) == Some(MatchKind::Selector) {
                value.write(&mut selector);
            } else if let Some(key) = matched_keys.next() {
                let bits = value.to_bits();
                // Only a varbit differs in width from its key.
                keys.push(if bits.width() == key.width { bits } else { bits.resize(key.width) });
            }
        }

        // A table without keys has no entries, only its default action.
        let found = if keys.is_empty() {
            None
        } else {
            self.state.tables[index.index()].entries.lookup(&keys)
        };
        let resolved = self.resolve(index, found, selector, table.span);
        let (entry, hit) = resolved.ok_or(Interrupt::Drop(DropReason::Fault))?;
        let hit_entry = found.filter(|_| hit);
        if loaded.options.tcpu {
            self.note(index, hit_entry);
        }
        self.count(index, info, hit_entry);

        let position = table
            .actions
            .iter()
            .position(|a| a.action == entry.action)
            .ok_or(Interrupt::Drop(DropReason::Fault))?;
        if self.is_traced() {
            self.trace_table(index, table, &keys, hit_entry, &entry, position);
        }
        self.run_action(table, position, &entry)?;
        Ok(Applied { hit, action: position as u32 })
    }

    /// The action for a packet: that of the entry, of the member it refers to or of the one
    /// that the selector chooses in its group; the default action if there is no such.
    fn resolve(
        &mut self,
        index: TableIndex,
        found: Option<u64>,
        selector: BitWriter,
        at: Span,
    ) -> Option<(ActionEntry, bool)> {
        let table = &self.state.tables[index.index()];
        let (default, initial) = (table.default.clone(), table.initial_default.clone());
        let entry = found.and_then(|handle| table.entries.get(handle));
        let key = selector.into_bytes();
        if let Some(target) = entry.map(|e| e.payload.target.clone())
            && let Some(action) = self.target_action(index, target, &key, at)
        {
            return Some((action, true));
        }
        let action = match self.target_action(index, default, &key, at) {
            Some(action) => action,
            None => self.target_action(index, initial, &key, at)?,
        };
        Some((action, false))
    }

    fn target_action(
        &mut self,
        index: TableIndex,
        target: EntryTarget,
        selector_key: &[u8],
        at: Span,
    ) -> Option<ActionEntry> {
        let schema = &self.loaded.schema;
        let (member, profile) = match target {
            EntryTarget::Action(action) => return Some(action),
            EntryTarget::Member(member) => (member, schema[index].profile?),
            EntryTarget::Group(group) => {
                let profile = schema[index].profile?;
                let (algorithm, width) = schema[profile].selector.as_ref()?;
                let hash = self.hash(algorithm, selector_key, at);
                let hash = Bits::new((*width).min(64), u128::from(hash)).low_u64();
                (self.state.profiles.get(profile.index())?.select(group, hash)?, profile)
            }
        };
        self.state.profiles.get(profile.index())?.member(member).cloned()
    }

    /// Notes for the TCPU what a table did with the packet.
    fn note(&mut self, index: TableIndex, hit: Option<u64>) {
        let length = u64::from(self.packet.length);
        let [lookups, matches] = &mut self.state.tables[index.index()].seen;
        lookups.count(length);
        if let Some(handle) = hit {
            matches.count(length);
            self.packet.matched.retain(|(table, _)| *table != index);
            self.packet.matched.push((index, handle));
        }
    }

    /// Direct counters and meters belong to entries: a miss touches none.
    fn count(&mut self, index: TableIndex, info: &TableInfo, hit: Option<u64>) {
        let length = u64::from(self.packet.length);
        let now = self.packet.now;
        let entries = &mut self.state.tables[index.index()].entries;
        let mut payload = hit.and_then(|handle| entries.payload_mut(handle));
        if (info.counter.is_some() || self.loaded.options.tcpu)
            && let Some(payload) = &mut payload
        {
            payload.counter.count(length);
        }
        if let Some(meter) = info.meter {
            let units = if self.loaded.schema[meter].bytes { length } else { 1 };
            let colour = payload.map_or(0, |p| p.meter.execute(now, units) as u8);
            if let Some(last) = self.state.colours.get_mut(meter.index()) {
                *last = colour;
            }
        }
    }

    fn run_action(&mut self, table: &'a Table, position: usize, entry: &ActionEntry) -> Run<()> {
        let listed = &table.actions[position];
        let action = &self.program[listed.action];
        self.call_action(
            &action.parameters,
            &listed.bound,
            &entry.arguments,
            &action.body,
            table.span,
        )
    }

    fn trace_table(
        &mut self,
        index: TableIndex,
        table: &'a Table,
        keys: &[Bits],
        hit: Option<u64>,
        entry: &ActionEntry,
        position: usize,
    ) {
        let loaded = self.loaded;
        let info = &loaded.schema[index];
        let matched = hit
            .and_then(|handle| self.state.tables[index.index()].entries.get(handle))
            .map(|e| e.keys.iter().zip(&info.keys).map(|(k, i)| k.text(i.kind)).collect())
            .unwrap_or_default();
        let named = |name: &str, value: String| NamedValue { name: name.to_owned(), value };
        let action = info.actions.get(position);
        let parameters = action.map(|a| a.parameters.as_slice()).unwrap_or_default();
        self.trace(|program| TraceEvent::Table {
            table: info.name.clone(),
            keys: info.keys.iter().zip(keys).map(|(i, k)| named(&i.name, k.to_string())).collect(),
            hit: hit.is_some(),
            entry: hit,
            matched,
            action: action.map(|a| a.name.clone()).unwrap_or_default(),
            arguments: parameters
                .iter()
                .zip(entry.arguments.iter())
                .zip(action.into_iter().flat_map(|action| parameter_types(program, action)))
                .map(|((p, v), ty)| named(&p.name, v.text(program, ty)))
                .collect(),
            at: table.span.into(),
        });
    }
}
