//! What requests of the control plane refer to: checked, and in the form of the engine.

use super::Interp;
use super::state::{ActionEntry, EntryPayload, EntryTarget};
use super::values::Value;
use crate::objects::{Meter, ProfileError};
use crate::runtime::{
    ActionData, ActionInfo, MeterIndex, ProfileIndex, RuntimeError, TableIndex, TableInfo, Target,
};
use crate::tables::fitting;

type Result<T> = std::result::Result<T, RuntimeError>;

/// The error of a missing thing.
pub(super) fn no_such(what: String) -> RuntimeError {
    RuntimeError::NoSuch { what }
}

impl Interp {
    pub(super) fn action_entry(
        &self,
        actions: &[ActionInfo],
        data: &ActionData,
    ) -> Result<ActionEntry> {
        let info = actions
            .get(data.action)
            .ok_or_else(|| no_such(format!("action number {}", data.action)))?;
        if info.parameters.len() != data.arguments.len() {
            return Err(RuntimeError::ArgumentCount {
                action: info.name.clone(),
                expected: info.parameters.len(),
                found: data.arguments.len(),
            });
        }
        let mut arguments = Vec::with_capacity(data.arguments.len());
        for (parameter, value) in info.parameters.iter().zip(&data.arguments) {
            let bits = fitting(value, parameter.width, || {
                format!("parameter `{}` of action `{}`", parameter.name, info.name)
            })?;
            arguments.push(Value::from_bits(&self.program, &parameter.ty, &bits));
        }
        Ok(ActionEntry { action: info.action, arguments: arguments.into() })
    }

    /// Checks a target and brings it into the form of the engine.
    pub(super) fn entry_target(
        &self,
        info: &TableInfo,
        to: &Target,
        default: bool,
    ) -> Result<EntryTarget> {
        let schema = &self.loaded.schema;
        let wrong = |expected| RuntimeError::WrongTarget { table: info.name.clone(), expected };
        match (to, info.profile) {
            (Target::Action(_), Some(_)) if !default => {
                Err(wrong("members or groups of its action profile"))
            }
            (Target::Action(data), _) => {
                let entry = self.action_entry(&info.actions, data)?;
                let action = &info.actions[data.action];
                let place = match default {
                    true if action.table_only => Some("the default action"),
                    false if action.default_only => Some("an entry"),
                    _ => None,
                };
                if let Some(place) = place {
                    let action = action.name.clone();
                    return Err(RuntimeError::ActionNotAllowed { action, place });
                }
                Ok(EntryTarget::Action(entry))
            }
            (Target::Member(_) | Target::Group(_), None) => Err(wrong("actions")),
            (Target::Member(member), Some(index)) => {
                let profile = &self.state.profiles[index.index()];
                let known = profile.member(*member).is_some();
                let name = &schema[index].name;
                known
                    .then_some(EntryTarget::Member(*member))
                    .ok_or_else(|| no_such(format!("member {member} of `{name}`")))
            }
            (Target::Group(group), Some(index)) => {
                let name = &schema[index].name;
                if schema[index].selector.is_none() {
                    return Err(wrong("members of an action profile, which has no groups"));
                }
                let known = self.state.profiles[index.index()].has_group(*group);
                known
                    .then_some(EntryTarget::Group(*group))
                    .ok_or_else(|| no_such(format!("group {group} of `{name}`")))
            }
        }
    }

    pub(super) fn target_view(&self, info: &TableInfo, target: &EntryTarget) -> Target {
        match target {
            EntryTarget::Member(member) => Target::Member(*member),
            EntryTarget::Group(group) => Target::Group(*group),
            EntryTarget::Action(entry) => {
                let action = info.actions.iter().position(|a| a.action == entry.action);
                let arguments = entry.arguments.iter().map(|v| v.to_bits().to_biguint()).collect();
                Target::Action(ActionData { action: action.unwrap_or(0), arguments })
            }
        }
    }

    pub(super) fn table_info(&self, table: TableIndex) -> Result<&TableInfo> {
        let info = self.loaded.schema.tables.get(table.index());
        info.ok_or_else(|| no_such(format!("table number {}", table.0)))
    }

    pub(super) fn payload_mut(
        &mut self,
        table: TableIndex,
        handle: u64,
    ) -> Result<&mut EntryPayload> {
        let name = self.table_info(table)?.name.clone();
        self.state.tables[table.index()]
            .entries
            .payload_mut(handle)
            .ok_or_else(|| no_such(format!("entry {handle} of table `{name}`")))
    }

    pub(super) fn payload(&self, table: TableIndex, handle: u64) -> Result<&EntryPayload> {
        let name = &self.table_info(table)?.name;
        let entry = self.state.tables[table.index()].entries.get(handle);
        entry
            .map(|e| &e.payload)
            .ok_or_else(|| no_such(format!("entry {handle} of table `{name}`")))
    }

    /// An entry that the control plane may change.
    pub(super) fn changeable(
        &mut self,
        table: TableIndex,
        handle: u64,
    ) -> Result<&mut EntryPayload> {
        let what = format!("entry {handle} of table `{}`", self.table_info(table)?.name);
        let payload = self.payload_mut(table, handle)?;
        if payload.is_const { Err(RuntimeError::Constant { what }) } else { Ok(payload) }
    }

    pub(super) fn profile_error(
        &self,
        profile: ProfileIndex,
        error: ProfileError,
        n: u32,
    ) -> RuntimeError {
        let info = &self.loaded.schema[profile];
        let name = &info.name;
        match error {
            ProfileError::NoMember => no_such(format!("member {n} of `{name}`")),
            ProfileError::NoGroup => no_such(format!("group {n} of `{name}`")),
            ProfileError::Full => {
                RuntimeError::Full { what: format!("action profile `{name}`"), size: info.size }
            }
            ProfileError::AlreadyInGroup => RuntimeError::Invalid {
                message: format!("member {n} of `{name}` is in the group already"),
            },
            ProfileError::NotInGroup => no_such(format!("member {n} in the group of `{name}`")),
            ProfileError::InGroup => {
                RuntimeError::InUse { what: format!("member {n} of `{name}`"), by: "a group" }
            }
        }
    }

    /// Whether an entry or default action refers to a member or group.
    pub(super) fn is_referred_to(&self, profile: ProfileIndex, target: &EntryTarget) -> bool {
        let tables = &self.loaded.schema[profile].tables;
        tables.iter().map(|t| &self.state.tables[t.index()]).any(|table| {
            table.default == *target
                || table.entries.iter().any(|(_, entry)| entry.payload.target == *target)
        })
    }

    pub(super) fn known_profile(&self, profile: ProfileIndex) -> Result<()> {
        let known = profile.index() < self.state.profiles.len();
        known.then_some(()).ok_or_else(|| no_such(format!("action profile number {}", profile.0)))
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
