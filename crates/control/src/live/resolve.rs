//! From changes as they are asked for to changes that can be carried out: names, widths, forms.

use super::protocol::{Arguments, Change, Handle, Keys, Rate};
use super::step::{Entry, Goal, Step};
use super::values;
use ww_dataplane::control::{
    ActionData, ActionInfo, CounterValue, Error, MeterRate, MeterRates, MirrorSession, Schema,
    TableIndex, TableInfo,
};

type Result<T> = std::result::Result<T, String>;

fn words(error: Error) -> String {
    error.to_string()
}

fn of_table(info: &TableInfo) -> String {
    format!("table `{}`", info.name)
}

fn action_data(
    actions: &[ActionInfo],
    name: &str,
    arguments: Option<&Arguments>,
) -> Result<ActionData> {
    let names = actions.iter().map(|a| a.name.as_str());
    let action = ww_dataplane::control::find_by_suffix("action", name, names).map_err(words)?;
    Ok(ActionData { action, arguments: values::arguments(&actions[action], arguments)? })
}

/// What was given of a target.
struct Given {
    action: Option<String>,
    arguments: Option<Arguments>,
    member: Option<Handle>,
    group: Option<Handle>,
}

impl Given {
    fn goal(self, info: &TableInfo) -> Result<Goal> {
        match (self.action, self.member, self.group) {
            (Some(action), None, None) => {
                action_data(&info.actions, &action, self.arguments.as_ref()).map(Goal::Action)
            }
            (None, Some(member), None) if self.arguments.is_none() => Ok(Goal::Member(member)),
            (None, None, Some(group)) if self.arguments.is_none() => Ok(Goal::Group(group)),
            _ => Err(format!(
                "{}: expected `action` (with `arguments`), `member` or `group`, and one of them",
                of_table(info)
            )),
        }
    }
}

fn priority(info: &TableInfo, priority: Option<i64>) -> Result<i64> {
    match (info.has_priorities(), priority) {
        (true, Some(priority)) => Ok(priority),
        (true, None) => Err(format!(
            "{} has ternary, range or optional keys: expected `priority` (the higher number wins)",
            of_table(info)
        )),
        (false, Some(_)) => {
            Err(format!("{} has no keys that can overlap: priorities mean nothing", of_table(info)))
        }
        (false, None) => Ok(0),
    }
}

/// The entry with a handle, or with keys (and a priority).
pub(super) fn entry(
    info: &TableInfo,
    handle: Option<Handle>,
    keys: Option<&Keys>,
    given: Option<i64>,
) -> Result<Entry> {
    match (handle, keys) {
        (Some(handle), None) if given.is_none() => Ok(Entry::Handle(handle)),
        (None, Some(keys)) => Ok(Entry::Keys {
            keys: values::keys(&of_table(info), &info.keys, keys)?,
            priority: priority(info, given)?,
        }),
        _ => Err(format!(
            "{}: expected either `handle` or `keys` (with `priority` where there are priorities)",
            of_table(info)
        )),
    }
}

fn table<'s>(schema: &'s Schema, name: &str) -> Result<(TableIndex, &'s TableInfo)> {
    let index = schema.table(name).map_err(words)?;
    Ok((index, &schema[index]))
}

fn rate(rate: Rate) -> MeterRate {
    MeterRate { units_per_microsecond: rate.rate, burst: rate.burst }
}

/// Resolves a change.
pub(super) fn change(schema: &Schema, change: Change) -> Result<Step> {
    Ok(match change {
        Change::TableAdd {
            table: name,
            keys,
            priority: given,
            action,
            arguments,
            member,
            group,
        } => {
            let (table, info) = table(schema, &name)?;
            Step::Insert {
                table,
                keys: values::keys(&of_table(info), &info.keys, &keys)?,
                priority: priority(info, given)?,
                goal: Given { action, arguments, member, group }.goal(info)?,
            }
        }
        Change::TableModify {
            table: name,
            handle,
            keys,
            priority,
            action,
            arguments,
            member,
            group,
        } => {
            let (table, info) = table(schema, &name)?;
            Step::Modify {
                table,
                entry: entry(info, handle, keys.as_ref(), priority)?,
                goal: Given { action, arguments, member, group }.goal(info)?,
            }
        }
        Change::TableDelete { table: name, handle, keys, priority } => {
            let (table, info) = table(schema, &name)?;
            Step::Delete { table, entry: entry(info, handle, keys.as_ref(), priority)? }
        }
        Change::TableClear { table: name } => Step::Clear { table: table(schema, &name)?.0 },
        Change::TableSetDefault { table: name, action, arguments, member, group } => {
            let (table, info) = table(schema, &name)?;
            Step::SetDefault { table, goal: Given { action, arguments, member, group }.goal(info)? }
        }
        Change::TableResetDefault { table: name } => {
            Step::ResetDefault { table: table(schema, &name)?.0 }
        }
        Change::MemberAdd { profile, action, arguments } => {
            let profile = schema.profile(&profile).map_err(words)?;
            let data = action_data(&schema[profile].actions, &action, arguments.as_ref())?;
            Step::MemberAdd { profile, data }
        }
        Change::MemberModify { profile, member, action, arguments } => {
            let profile = schema.profile(&profile).map_err(words)?;
            let data = action_data(&schema[profile].actions, &action, arguments.as_ref())?;
            Step::MemberModify { profile, member, data }
        }
        Change::MemberDelete { profile, member } => {
            Step::MemberDelete { profile: schema.profile(&profile).map_err(words)?, member }
        }
        Change::GroupCreate { profile, members } => {
            Step::GroupCreate { profile: schema.profile(&profile).map_err(words)?, members }
        }
        Change::GroupDelete { profile, group } => {
            Step::GroupDelete { profile: schema.profile(&profile).map_err(words)?, group }
        }
        Change::GroupAddMember { profile, group, member } => {
            Step::Join { profile: schema.profile(&profile).map_err(words)?, group, member }
        }
        Change::GroupRemoveMember { profile, group, member } => {
            Step::Leave { profile: schema.profile(&profile).map_err(words)?, group, member }
        }
        Change::RegisterWrite { register, index, value } => {
            let register = schema.register(&register).map_err(words)?;
            let info = &schema[register];
            let what = format!("register `{}`", info.name);
            Step::RegisterWrite {
                register,
                index,
                value: values::value(&value, info.width, &what)?,
            }
        }
        Change::RegisterReset { register } => {
            Step::RegisterReset { register: schema.register(&register).map_err(words)? }
        }
        Change::CounterWrite { counter, index, packets, bytes } => Step::CounterWrite {
            counter: schema.counter(&counter).map_err(words)?,
            index,
            value: CounterValue { packets, bytes },
        },
        Change::CounterReset { counter } => {
            Step::CounterReset { counter: schema.counter(&counter).map_err(words)? }
        }
        Change::MeterSet { meter, index, committed, peak } => {
            let rates = MeterRates { committed: rate(committed), peak: rate(peak) };
            Step::MeterSet {
                meter: schema.meter(&meter).map_err(words)?,
                index,
                rates: Some(rates),
            }
        }
        Change::MeterReset { meter, index } => {
            Step::MeterSet { meter: schema.meter(&meter).map_err(words)?, index, rates: None }
        }
        Change::ValueSetAdd { value_set, member } => {
            let set = schema.value_set(&value_set).map_err(words)?;
            let of = format!("value set `{}`", schema[set].name);
            Step::ValueSetAdd { set, member: values::keys(&of, &schema[set].keys, &member)? }
        }
        Change::ValueSetRemove { value_set, member } => {
            let set = schema.value_set(&value_set).map_err(words)?;
            let of = format!("value set `{}`", schema[set].name);
            Step::ValueSetRemove { set, member: values::keys(&of, &schema[set].keys, &member)? }
        }
        Change::ValueSetClear { value_set } => {
            Step::ValueSetClear { set: schema.value_set(&value_set).map_err(words)? }
        }
        Change::MirrorSet { session, port, group, truncate } => {
            if port.is_none() && group.is_none() {
                return Err("mirror_set: expected `port`, `group` or both".to_owned());
            }
            Step::MirrorSet { session, to: MirrorSession { port, group, truncate } }
        }
        Change::MirrorDelete { session } => Step::MirrorDelete { session },
        Change::MulticastGroupCreate { group } => Step::MulticastGroupCreate { group },
        Change::MulticastGroupDelete { group } => Step::MulticastGroupDelete { group },
        Change::MulticastNodeCreate { replication_id, ports, group } => {
            Step::NodeCreate { replication_id, ports, group }
        }
        Change::MulticastNodeModify { node, ports } => Step::NodeModify { node, ports },
        Change::MulticastNodeAdd { group, node } => Step::NodeAdd { group, node },
        Change::MulticastNodeRemove { group, node } => Step::NodeRemove { group, node },
        Change::MulticastNodeDelete { node } => Step::NodeDelete { node },
    })
}
