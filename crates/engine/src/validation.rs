//! Checks of requests that do not depend on how an engine keeps its state: every engine refuses
//! the same requests with the same errors, in the same order.

use crate::bits::Bits;
use crate::objects::Profile;
use crate::tables::{InsertError, fitting};
use ww_dataplane::control::{
    ActionData, ActionInfo, Error, MeterRates, ProfileIndex, ProfileInfo, Request, Schema,
    TableIndex, TableInfo, Target,
};

type Result<T> = std::result::Result<T, Error>;

/// Registers with more cells are read cell by cell.
const MOST_CELLS: u64 = 1 << 20;

/// The error of a missing thing.
pub fn no_such(what: String) -> Error {
    Error::NoSuch { what }
}

/// The error of a missing entry.
pub fn no_entry(table: &TableInfo, handle: u64) -> Error {
    no_such(format!("entry {handle} of table `{}`", table.name))
}

/// The error of an attempt to change an entry that is constant in the program.
pub fn constant_entry(table: &TableInfo, handle: u64) -> Error {
    Error::Constant { what: format!("entry {handle} of table `{}`", table.name) }
}

/// Refuses copies to ports that do not exist.
pub fn ports(schema: &Schema, request: &Request) -> Result<()> {
    schema.ports.map_or(Ok(()), |ports| ports.check(request))
}

/// A table of the schema.
pub fn table_info(schema: &Schema, table: TableIndex) -> Result<&TableInfo> {
    let info = schema.tables.get(table.index());
    info.ok_or_else(|| no_such(format!("table number {}", table.0)))
}

/// An action profile of the schema.
pub fn profile_info(schema: &Schema, profile: ProfileIndex) -> Result<&ProfileInfo> {
    let info = schema.profiles.get(profile.index());
    info.ok_or_else(|| no_such(format!("action profile number {}", profile.0)))
}

/// Whether a table takes entries from the control plane.
pub fn takes_entries(table: &TableInfo) -> Result<()> {
    if table.const_entries {
        let what = format!("entries of table `{}`", table.name);
        return Err(Error::Constant { what });
    }
    if table.keys.is_empty() {
        let message = format!("table `{}` has no keys, so it takes no entries", table.name);
        return Err(Error::Invalid { message });
    }
    Ok(())
}

/// Whether a table's default action may be changed.
pub fn takes_default(table: &TableInfo) -> Result<()> {
    if table.const_default {
        let what = format!("default action of table `{}`", table.name);
        return Err(Error::Constant { what });
    }
    Ok(())
}

/// Why a table refused an entry.
pub fn insert_error(table: &TableInfo, error: InsertError) -> Error {
    match error {
        InsertError::Full => {
            Error::Full { what: format!("table `{}`", table.name), size: table.size }
        }
        InsertError::Duplicate => Error::Duplicate { table: table.name.clone() },
    }
}

/// The action that a request names among `actions`, and its arguments in the widths of the
/// parameters.
pub fn arguments<'s>(
    actions: &'s [ActionInfo],
    data: &ActionData,
) -> Result<(&'s ActionInfo, Vec<Bits>)> {
    let info = actions
        .get(data.action)
        .ok_or_else(|| no_such(format!("action number {}", data.action)))?;
    if info.parameters.len() != data.arguments.len() {
        return Err(Error::ArgumentCount {
            action: info.name.clone(),
            expected: info.parameters.len(),
            found: data.arguments.len(),
        });
    }
    let mut arguments = Vec::with_capacity(data.arguments.len());
    for (parameter, value) in info.parameters.iter().zip(&data.arguments) {
        arguments.push(fitting(value, parameter.width, || {
            format!("parameter `{}` of action `{}`", parameter.name, info.name)
        })?);
    }
    Ok((info, arguments))
}

/// A [`Target`] that has been checked.
pub enum CheckedTarget<'s> {
    /// An action.
    Action {
        /// Its position among the table's actions.
        position: usize,
        /// The action.
        action: &'s ActionInfo,
        /// Arguments in the widths of its parameters.
        arguments: Vec<Bits>,
    },
    /// A member that exists.
    Member(u32),
    /// A group that exists.
    Group(u32),
}

/// Checks what an entry, or with `default` a default action, is to lead to.
pub fn target<'s, T>(
    schema: &'s Schema,
    table: &'s TableInfo,
    profiles: &[Profile<T>],
    to: &Target,
    default: bool,
) -> Result<CheckedTarget<'s>> {
    let wrong = |expected| Error::WrongTarget { table: table.name.clone(), expected };
    match (to, table.profile) {
        (Target::Action(_), Some(_)) if !default => {
            Err(wrong("members or groups of its action profile"))
        }
        (Target::Action(data), _) => {
            let (action, arguments) = arguments(&table.actions, data)?;
            let place = match default {
                true if action.table_only => Some("the default action"),
                false if action.default_only => Some("an entry"),
                _ => None,
            };
            if let Some(place) = place {
                let action = action.name.clone();
                return Err(Error::ActionNotAllowed { action, place });
            }
            Ok(CheckedTarget::Action { position: data.action, action, arguments })
        }
        (Target::Member(_) | Target::Group(_), None) => Err(wrong("actions")),
        (Target::Member(member), Some(index)) => {
            let known = profiles[index.index()].member(*member).is_some();
            known
                .then_some(CheckedTarget::Member(*member))
                .ok_or_else(|| no_such(format!("member {member} of `{}`", schema[index].name)))
        }
        (Target::Group(group), Some(index)) => {
            if schema[index].selector.is_none() {
                return Err(wrong("members of an action profile, which has no groups"));
            }
            let known = profiles[index.index()].has_group(*group);
            known
                .then_some(CheckedTarget::Group(*group))
                .ok_or_else(|| no_such(format!("group {group} of `{}`", schema[index].name)))
        }
    }
}

/// Whether all cells of a register may be read in one request.
pub fn readable_at_once(name: &str, size: u64) -> Result<()> {
    if size > MOST_CELLS {
        let message =
            format!("register `{name}` has {size} cells; at most {MOST_CELLS} are read at once");
        return Err(Error::Invalid { message });
    }
    Ok(())
}

/// Whether rates are numbers that a meter can work with.
pub fn meter_rates(rates: Option<MeterRates>) -> Result<()> {
    if let Some(rates) = rates {
        let all = [rates.committed, rates.peak].map(|r| r.units_per_microsecond);
        if all.iter().any(|rate| !rate.is_finite() || *rate < 0.0) {
            let message = "a meter's rate is a number from 0 on".to_owned();
            return Err(Error::Invalid { message });
        }
    }
    Ok(())
}
