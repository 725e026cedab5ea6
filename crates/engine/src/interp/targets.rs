//! What requests of the control plane refer to: checked, and in the form of the engine.

use super::Interp;
use super::state::{ActionEntry, EntryPayload, EntryTarget};
use super::values::Value;
use crate::bits::Bits;
use crate::objects::{self, Meter, Profile};
use crate::schema::parameter_types;
use crate::tables::{Entry, key_views};
use crate::validation::{self, CheckedTarget, no_such};
use ww_dataplane::control::{
    ActionData, ActionInfo, EntryHandle, EntryView, Error, MeterIndex, NewEntry, ProfileIndex,
    TableIndex, TableInfo, Target,
};
use ww_p4::ir::ActionId;

type Result<T> = std::result::Result<T, Error>;

impl Interp {
    fn entry_of(&self, info: &ActionInfo, arguments: &[Bits]) -> ActionEntry {
        let arguments = parameter_types(&self.program, info)
            .zip(arguments)
            .map(|(ty, bits)| Value::from_bits(&self.program, ty, bits))
            .collect();
        ActionEntry { action: ActionId(info.action), arguments }
    }

    pub(super) fn action_entry(
        &self,
        actions: &[ActionInfo],
        data: &ActionData,
    ) -> Result<ActionEntry> {
        let (info, arguments) = validation::arguments(actions, data)?;
        Ok(self.entry_of(info, &arguments))
    }

    /// Checks a target and brings it into the form of the engine.
    pub(super) fn entry_target(
        &self,
        info: &TableInfo,
        to: &Target,
        default: bool,
    ) -> Result<EntryTarget> {
        let (schema, profiles) = (&self.loaded.schema, &self.state.profiles);
        Ok(match validation::target(schema, info, profiles, to, default)? {
            CheckedTarget::Action { action, arguments, .. } => {
                EntryTarget::Action(self.entry_of(action, &arguments))
            }
            CheckedTarget::Member(member) => EntryTarget::Member(member),
            CheckedTarget::Group(group) => EntryTarget::Group(group),
        })
    }

    pub(super) fn target_view(&self, info: &TableInfo, target: &EntryTarget) -> Target {
        match target {
            EntryTarget::Member(member) => Target::Member(*member),
            EntryTarget::Group(group) => Target::Group(*group),
            EntryTarget::Action(entry) => Target::Action(action_view(&info.actions, entry)),
        }
    }

    /// An entry as the control plane sees it.
    pub(super) fn entry_view(
        &self,
        info: &TableInfo,
        handle: u64,
        entry: &Entry<EntryPayload>,
    ) -> EntryView {
        EntryView {
            handle: EntryHandle(handle),
            entry: NewEntry {
                keys: key_views(&info.keys, &entry.keys),
                priority: entry.priority,
                target: self.target_view(info, &entry.payload.target),
            },
            is_const: entry.payload.is_const,
        }
    }

    pub(super) fn table_info(&self, table: TableIndex) -> Result<&TableInfo> {
        validation::table_info(&self.loaded.schema, table)
    }

    pub(super) fn payload_mut(
        &mut self,
        table: TableIndex,
        handle: u64,
    ) -> Result<&mut EntryPayload> {
        let info = validation::table_info(&self.loaded.schema, table)?;
        self.state.tables[table.index()]
            .entries
            .payload_mut(handle)
            .ok_or_else(|| validation::no_entry(info, handle))
    }

    pub(super) fn payload(&self, table: TableIndex, handle: u64) -> Result<&EntryPayload> {
        let info = self.table_info(table)?;
        let entry = self.state.tables[table.index()].entries.get(handle);
        entry.map(|e| &e.payload).ok_or_else(|| validation::no_entry(info, handle))
    }

    /// An entry that the control plane may change.
    pub(super) fn changeable(
        &mut self,
        table: TableIndex,
        handle: u64,
    ) -> Result<&mut EntryPayload> {
        if self.payload(table, handle)?.is_const {
            return Err(validation::constant_entry(self.table_info(table)?, handle));
        }
        self.payload_mut(table, handle)
    }

    pub(super) fn profile_mut(
        &mut self,
        profile: ProfileIndex,
    ) -> Result<&mut Profile<ActionEntry>> {
        objects::profile(&mut self.state.profiles, profile)
    }

    /// Whether an entry or default action refers to a member or group.
    pub(super) fn is_referred_to(&self, profile: ProfileIndex, target: &EntryTarget) -> bool {
        let info = self.loaded.schema.profiles.get(profile.index());
        let tables = info.into_iter().flat_map(|info| &info.tables);
        tables.map(|t| &self.state.tables[t.index()]).any(|table| {
            table.default == *target
                || table.entries.iter().any(|(_, entry)| entry.payload.target == *target)
        })
    }

    pub(super) fn meter_mut(&mut self, meter: MeterIndex, index: u64) -> Result<&mut Meter> {
        let info = &self.loaded.schema[meter];
        let what = format!("meter {index} of `{}`", info.name);
        match (info.is_direct, info.table) {
            (true, Some(table)) => Ok(&mut self.payload_mut(table, index)?.meter),
            (true, None) => Err(no_such(what)),
            _ => self.state.meters[meter.index()].get_mut(index).ok_or_else(|| no_such(what)),
        }
    }
}

/// An action as the control plane sees it, among those of a table or profile.
pub(super) fn action_view(actions: &[ActionInfo], entry: &ActionEntry) -> ActionData {
    let action = actions.iter().position(|a| a.action == entry.action.0);
    let arguments = entry.arguments.iter().map(|v| v.to_bits().to_biguint()).collect();
    ActionData { action: action.unwrap_or(0), arguments }
}
