//! What a control plane asks of an engine, by names: a request still means the same when the
//! program around it shrinks.

use num_bigint::BigUint;
use std::fmt;
use ww_control::Switch;
use ww_dataplane::control::{
    ActionData, CounterValue, CustomCrc, EntryHandle, Error, KeyMatch, MeterRates, MirrorSession,
    NewEntry, NodeHandle, Target,
};
use ww_packet::crc::CrcParameters;

/// An action by its full name, with arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct ActionCall {
    /// Full name.
    pub name: String,
    /// One per parameter.
    pub arguments: Vec<BigUint>,
}

/// What an entry leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// An action.
    Action(ActionCall),
    /// A member of the table's profile.
    Member(u32),
    /// A group of the table's selector.
    Group(u32),
}

/// A request. Names are full names.
#[derive(Clone, Debug, PartialEq)]
pub enum Request {
    /// Adds an entry: table, keys, priority, goal.
    Insert(String, Vec<KeyMatch>, i64, Goal),
    /// Changes an entry by its handle.
    Modify(String, u64, Goal),
    /// Removes an entry by its handle.
    Delete(String, u64),
    /// Removes all entries.
    Clear(String),
    /// Looks for an entry: table, keys, priority.
    Find(String, Vec<KeyMatch>, i64),
    /// Sets the default action.
    SetDefault(String, Goal),
    /// Back to the program's default action.
    ResetDefault(String),
    /// Adds a member to a profile.
    MemberAdd(String, ActionCall),
    /// Changes a member.
    MemberModify(String, u32, ActionCall),
    /// Removes a member.
    MemberDelete(String, u32),
    /// Makes a group.
    GroupCreate(String),
    /// Removes a group.
    GroupDelete(String, u32),
    /// Puts a member into a group: profile, group, member.
    GroupAdd(String, u32, u32),
    /// Takes a member out of a group: profile, group, member.
    GroupRemove(String, u32, u32),
    /// Writes one cell or all.
    RegisterWrite(String, Option<u64>, BigUint),
    /// Sets all cells to zero.
    RegisterReset(String),
    /// Sets one counter or all.
    CounterWrite(String, Option<u64>, CounterValue),
    /// Sets all counters to zero.
    CounterReset(String),
    /// Sets the rates of one meter or all.
    Rates(String, Option<u64>, Option<MeterRates>),
    /// Adds a member to a value set.
    SetAdd(String, Vec<KeyMatch>),
    /// Removes a member of a value set.
    SetRemove(String, Vec<KeyMatch>),
    /// Makes a mirroring session.
    Mirror(u32, MirrorSession),
    /// Removes a mirroring session.
    MirrorDelete(u32),
    /// Makes a multicast group.
    McGroup(u16),
    /// Removes a multicast group.
    McGroupDestroy(u16),
    /// Makes a node: replication id, ports.
    McNode(u16, Vec<u32>),
    /// Changes the ports of a node.
    McNodeUpdate(u32, Vec<u32>),
    /// Puts a node into a group: group, node.
    McAssociate(u16, u32),
    /// Takes a node out of a group: group, node.
    McDissociate(u16, u32),
    /// Removes a node.
    McNodeDestroy(u32),
    /// Sets the parameters of a configurable CRC.
    Crc(CustomCrc, CrcParameters),
    /// Back to the state after loading.
    Reset,
}

type Done = Result<String, Error>;

impl Request {
    /// Makes the request; the answer as text, errors included.
    pub fn perform(&self, switch: &mut dyn Switch) -> String {
        match self.ask(switch) {
            Ok(answer) => answer,
            Err(error) => format!("error: {error}"),
        }
    }

    fn ask(&self, switch: &mut dyn Switch) -> Done {
        let done = |()| String::from("done");
        match self {
            Request::Insert(table, keys, priority, goal) => {
                let index = switch.schema().table(table)?;
                let target = target(switch, table, goal)?;
                let entry = NewEntry { keys: keys.clone(), priority: *priority, target };
                switch.table_insert(index, entry).map(|h| format!("entry {}", h.0))
            }
            Request::Modify(table, handle, goal) => {
                let index = switch.schema().table(table)?;
                let target = target(switch, table, goal)?;
                switch.table_modify(index, EntryHandle(*handle), target).map(done)
            }
            Request::Delete(table, handle) => {
                let index = switch.schema().table(table)?;
                switch.table_delete(index, EntryHandle(*handle)).map(done)
            }
            Request::Clear(table) => {
                let index = switch.schema().table(table)?;
                switch.table_clear(index).map(done)
            }
            Request::Find(table, keys, priority) => {
                let index = switch.schema().table(table)?;
                switch.table_find(index, keys.clone(), *priority).map(|found| format!("{found:?}"))
            }
            Request::SetDefault(table, goal) => {
                let index = switch.schema().table(table)?;
                let target = target(switch, table, goal)?;
                switch.table_set_default(index, target).map(done)
            }
            Request::ResetDefault(table) => {
                let index = switch.schema().table(table)?;
                switch.table_reset_default(index).map(done)
            }
            _ => self.ask_profile(switch),
        }
    }

    fn ask_profile(&self, switch: &mut dyn Switch) -> Done {
        let done = |()| String::from("done");
        let data = |switch: &dyn Switch, profile: &str, call: &ActionCall| {
            let schema = switch.schema();
            let info = &schema[switch.schema().profile(profile)?];
            let action = info.action(&call.name)?;
            Ok(ActionData { action, arguments: call.arguments.clone() })
        };
        match self {
            Request::MemberAdd(profile, call) => {
                let index = switch.schema().profile(profile)?;
                let data = data(switch, profile, call)?;
                switch.member_add(index, data).map(|m| format!("member {m}"))
            }
            Request::MemberModify(profile, member, call) => {
                let index = switch.schema().profile(profile)?;
                let data = data(switch, profile, call)?;
                switch.member_modify(index, *member, data).map(done)
            }
            Request::MemberDelete(profile, member) => {
                let index = switch.schema().profile(profile)?;
                switch.member_delete(index, *member).map(done)
            }
            Request::GroupCreate(profile) => {
                let index = switch.schema().profile(profile)?;
                switch.group_create(index).map(|g| format!("group {g}"))
            }
            Request::GroupDelete(profile, group) => {
                let index = switch.schema().profile(profile)?;
                switch.group_delete(index, *group).map(done)
            }
            Request::GroupAdd(profile, group, member) => {
                let index = switch.schema().profile(profile)?;
                switch.group_add_member(index, *group, *member).map(done)
            }
            Request::GroupRemove(profile, group, member) => {
                let index = switch.schema().profile(profile)?;
                switch.group_remove_member(index, *group, *member).map(done)
            }
            _ => self.ask_object(switch),
        }
    }

    fn ask_object(&self, switch: &mut dyn Switch) -> Done {
        let done = |()| String::from("done");
        match self {
            Request::RegisterWrite(register, index, value) => {
                let register = switch.schema().register(register)?;
                switch.register_write(register, *index, value.clone()).map(done)
            }
            Request::RegisterReset(register) => {
                let register = switch.schema().register(register)?;
                switch.register_reset(register).map(done)
            }
            Request::CounterWrite(counter, index, value) => {
                let counter = switch.schema().counter(counter)?;
                switch.counter_write(counter, *index, *value).map(done)
            }
            Request::CounterReset(counter) => {
                let counter = switch.schema().counter(counter)?;
                switch.counter_reset(counter).map(done)
            }
            Request::Rates(meter, index, rates) => {
                let meter = switch.schema().meter(meter)?;
                switch.meter_set_rates(meter, *index, *rates).map(done)
            }
            Request::SetAdd(set, member) => {
                let set = switch.schema().value_set(set)?;
                switch.value_set_add(set, member.clone()).map(done)
            }
            Request::SetRemove(set, member) => {
                let set = switch.schema().value_set(set)?;
                switch.value_set_remove(set, member.clone()).map(done)
            }
            _ => self.ask_replication(switch),
        }
    }

    fn ask_replication(&self, switch: &mut dyn Switch) -> Done {
        match self {
            Request::Mirror(session, to) => switch.mirror_set(*session, *to)?,
            Request::MirrorDelete(session) => switch.mirror_delete(*session)?,
            Request::McGroup(group) => switch.multicast_group_create(*group)?,
            Request::McGroupDestroy(group) => switch.multicast_group_destroy(*group)?,
            Request::McNode(id, ports) => {
                return switch
                    .multicast_node_create(*id, ports.clone())
                    .map(|n| format!("node {}", n.0));
            }
            Request::McNodeUpdate(node, ports) => {
                switch.multicast_node_update(NodeHandle(*node), ports.clone())?;
            }
            Request::McAssociate(group, node) => {
                switch.multicast_node_associate(*group, NodeHandle(*node))?;
            }
            Request::McDissociate(group, node) => {
                switch.multicast_node_dissociate(*group, NodeHandle(*node))?;
            }
            Request::McNodeDestroy(node) => switch.multicast_node_destroy(NodeHandle(*node))?,
            Request::Crc(which, parameters) => switch.set_custom_crc(*which, *parameters)?,
            _ => switch.reset_state()?,
        }
        Ok("done".into())
    }
}

fn target(switch: &dyn Switch, table: &str, goal: &Goal) -> Result<Target, Error> {
    Ok(match goal {
        Goal::Action(call) => {
            let schema = switch.schema();
            let action = schema[schema.table(table)?].action(&call.name)?;
            Target::Action(ActionData { action, arguments: call.arguments.clone() })
        }
        Goal::Member(member) => Target::Member(*member),
        Goal::Group(group) => Target::Group(*group),
    })
}

impl fmt::Display for ActionCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arguments: Vec<_> = self.arguments.iter().map(|a| format!("{a:#x}")).collect();
        write!(f, "{}({})", self.name, arguments.join(", "))
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Action(call) => call.fmt(f),
            Goal::Member(member) => write!(f, "member {member}"),
            Goal::Group(group) => write!(f, "group {group}"),
        }
    }
}

/// A key of an entry in the notation of STF.
pub fn key_text(key: &KeyMatch) -> String {
    match key {
        KeyMatch::Exact(value) | KeyMatch::Optional(Some(value)) => format!("{value:#x}"),
        KeyMatch::Lpm { value, prefix_len } => format!("{value:#x}/{prefix_len}"),
        KeyMatch::Ternary { value, mask } => format!("{value:#x}&&&{mask:#x}"),
        KeyMatch::Range { low, high } => format!("{low:#x}..{high:#x}"),
        KeyMatch::Optional(None) => "_".into(),
    }
}

/// The notation of STF where it has one; the rest is said in words, as a comment.
impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys = |keys: &[KeyMatch]| {
            let keys: Vec<_> =
                keys.iter().enumerate().map(|(n, k)| format!("k{n}:{}", key_text(k))).collect();
            keys.join(" ")
        };
        let ports = |ports: &[u32]| ports.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        match self {
            Request::Insert(table, list, priority, goal @ Goal::Action(_)) => {
                write!(f, "add {table} {priority} {} {goal}", keys(list))
            }
            Request::SetDefault(table, goal @ Goal::Action(_)) => {
                write!(f, "setdefault {table} {goal}")
            }
            Request::RegisterWrite(register, Some(index), value) => {
                write!(f, "register_write {register} {index} {value:#x}")
            }
            Request::RegisterReset(register) => write!(f, "register_reset {register}"),
            Request::CounterWrite(counter, Some(index), value) => {
                write!(f, "counter_write {counter} {index} {} {}", value.packets, value.bytes)
            }
            Request::CounterReset(counter) => write!(f, "counter_reset {counter}"),
            Request::Mirror(
                session,
                MirrorSession { port: Some(port), group: None, truncate: None },
            ) => {
                write!(f, "mirroring_add {session} {port}")
            }
            Request::MirrorDelete(session) => write!(f, "mirroring_delete {session}"),
            Request::McGroup(group) => write!(f, "mc_mgrp_create {group}"),
            Request::McNode(id, list) => write!(f, "mc_node_create {id} {}", ports(list)),
            Request::McAssociate(group, node) => write!(f, "mc_node_associate {group} {node}"),
            other => write!(f, "# {other:?}"),
        }
    }
}
