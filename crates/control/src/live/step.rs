//! Changes whose names are resolved, and how they are carried out.

use super::ledger::{Failed, Ledger};
use super::protocol::Handle;
use num_bigint::BigUint;
use ww_dataplane::control::{
    ActionData, Control, CounterIndex, CounterValue, EntryHandle, Error, KeyMatch, MeterIndex,
    MeterRates, MirrorSession, NewEntry, NodeHandle, ProfileIndex, RegisterIndex, TableIndex,
    Target, ValueSetIndex,
};

/// What an entry leads to.
#[derive(Clone, Debug)]
pub(super) enum Goal {
    Action(ActionData),
    Member(Handle),
    Group(Handle),
}

/// Which entry.
#[derive(Clone, Debug)]
pub(super) enum Entry {
    Handle(Handle),
    Keys { keys: Vec<KeyMatch>, priority: i64 },
}

/// A change to be carried out.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Insert { table: TableIndex, keys: Vec<KeyMatch>, priority: i64, goal: Goal },
    Modify { table: TableIndex, entry: Entry, goal: Goal },
    Delete { table: TableIndex, entry: Entry },
    Clear { table: TableIndex },
    SetDefault { table: TableIndex, goal: Goal },
    ResetDefault { table: TableIndex },
    MemberAdd { profile: ProfileIndex, data: ActionData },
    MemberModify { profile: ProfileIndex, member: Handle, data: ActionData },
    MemberDelete { profile: ProfileIndex, member: Handle },
    GroupCreate { profile: ProfileIndex, members: Vec<Handle> },
    GroupDelete { profile: ProfileIndex, group: Handle },
    Join { profile: ProfileIndex, group: Handle, member: Handle },
    Leave { profile: ProfileIndex, group: Handle, member: Handle },
    RegisterWrite { register: RegisterIndex, index: Option<u64>, value: BigUint },
    RegisterReset { register: RegisterIndex },
    CounterWrite { counter: CounterIndex, index: Option<Handle>, value: CounterValue },
    CounterReset { counter: CounterIndex },
    MeterSet { meter: MeterIndex, index: Option<Handle>, rates: Option<MeterRates> },
    ValueSetAdd { set: ValueSetIndex, member: Vec<KeyMatch> },
    ValueSetRemove { set: ValueSetIndex, member: Vec<KeyMatch> },
    ValueSetClear { set: ValueSetIndex },
    MirrorSet { session: u32, to: MirrorSession },
    MirrorDelete { session: u32 },
    MulticastGroupCreate { group: u16 },
    MulticastGroupDelete { group: u16 },
    NodeCreate { replication_id: u16, ports: Vec<u32>, group: Option<u16> },
    NodeModify { node: Handle, ports: Vec<u32> },
    NodeAdd { group: u16, node: Handle },
    NodeRemove { group: u16, node: Handle },
    NodeDelete { node: Handle },
}

/// What the changes of a transaction have made so far: handles by position.
pub(super) type Made = Vec<Option<u64>>;

type Result<T> = std::result::Result<T, String>;

fn words(error: Error) -> String {
    error.to_string()
}

fn number(handle: Handle, made: &[Option<u64>]) -> Result<u64> {
    match handle {
        Handle::Number(number) => Ok(number),
        Handle::Of(n) => match made.get(n) {
            Some(Some(number)) => Ok(*number),
            Some(None) => {
                Err(format!("change {n} of this transaction makes nothing with a handle"))
            }
            None => Err(format!("there is no change {n} before this one in the same transaction")),
        },
    }
}

fn small(handle: Handle, made: &[Option<u64>]) -> Result<u32> {
    let number = number(handle, made)?;
    u32::try_from(number).map_err(|_| format!("there is nothing with the handle {number}"))
}

impl Goal {
    fn target(&self, made: &[Option<u64>]) -> Result<Target> {
        Ok(match self {
            Goal::Action(data) => Target::Action(data.clone()),
            Goal::Member(handle) => Target::Member(small(*handle, made)?),
            Goal::Group(handle) => Target::Group(small(*handle, made)?),
        })
    }
}

impl Entry {
    /// The handle of the entry.
    pub fn find(
        &self,
        control: &mut dyn Control,
        table: TableIndex,
        made: &[Option<u64>],
    ) -> Result<EntryHandle> {
        match self {
            Entry::Handle(handle) => number(*handle, made).map(EntryHandle),
            Entry::Keys { keys, priority } => {
                let found = control.table_find(table, keys.clone(), *priority).map_err(words)?;
                found.ok_or_else(|| {
                    let schema = control.schema();
                    let name = &schema[table].name;
                    let keys: Vec<_> = keys.iter().map(crate::entries::format_key).collect();
                    let priority = match schema[table].has_priorities() {
                        true => format!(" and priority {priority}"),
                        false => String::new(),
                    };
                    format!(
                        "there is no entry with the keys {}{priority} in table `{name}`",
                        keys.join(" ")
                    )
                })
            }
        }
    }
}

impl Step {
    /// Whether it consists of several requests to an engine, so that it must be a transaction to
    /// be all or nothing.
    pub fn is_composite(&self) -> bool {
        match self {
            Step::GroupCreate { members, .. } => !members.is_empty(),
            Step::NodeCreate { group, .. } => group.is_some(),
            _ => false,
        }
    }

    /// Carries it out and returns the handle of what it made.
    pub fn apply<C: Control>(
        &self,
        ledger: &mut Ledger<C>,
        made: &[Option<u64>],
    ) -> Result<Option<u64>> {
        let mut handle = None;
        match self {
            Step::Insert { table, keys, priority, goal } => {
                let target = goal.target(made)?;
                let entry = NewEntry { keys: keys.clone(), priority: *priority, target };
                handle = Some(ledger.table_insert(*table, entry).map_err(words)?.0);
            }
            Step::Modify { table, entry, goal } => {
                let entry = entry.find(ledger, *table, made)?;
                ledger.table_modify(*table, entry, goal.target(made)?).map_err(words)?;
            }
            Step::Delete { table, entry } => {
                let entry = entry.find(ledger, *table, made)?;
                ledger.table_delete(*table, entry).map_err(words)?;
            }
            Step::Clear { table } => ledger.table_clear(*table).map_err(words)?,
            Step::SetDefault { table, goal } => {
                ledger.table_set_default(*table, goal.target(made)?).map_err(words)?;
            }
            Step::ResetDefault { table } => ledger.table_reset_default(*table).map_err(words)?,
            Step::MemberAdd { profile, data } => {
                let member = ledger.member_add(*profile, data.clone()).map_err(words)?;
                handle = Some(member.into());
            }
            Step::MemberModify { profile, member, data } => {
                let member = small(*member, made)?;
                ledger.member_modify(*profile, member, data.clone()).map_err(words)?;
            }
            Step::MemberDelete { profile, member } => {
                ledger.member_delete(*profile, small(*member, made)?).map_err(words)?;
            }
            Step::GroupCreate { profile, members } => {
                let group = ledger.group_create(*profile).map_err(words)?;
                for member in members {
                    let member = small(*member, made)?;
                    ledger.group_add_member(*profile, group, member).map_err(words)?;
                }
                handle = Some(group.into());
            }
            Step::GroupDelete { profile, group } => {
                ledger.group_delete(*profile, small(*group, made)?).map_err(words)?;
            }
            Step::Join { profile, group, member } => {
                let (group, member) = (small(*group, made)?, small(*member, made)?);
                ledger.group_add_member(*profile, group, member).map_err(words)?;
            }
            Step::Leave { profile, group, member } => {
                let (group, member) = (small(*group, made)?, small(*member, made)?);
                ledger.group_remove_member(*profile, group, member).map_err(words)?;
            }
            Step::RegisterWrite { register, index, value } => {
                ledger.register_write(*register, *index, value.clone()).map_err(words)?;
            }
            Step::RegisterReset { register } => ledger.register_reset(*register).map_err(words)?,
            Step::CounterWrite { counter, index, value } => {
                let index = index.map(|index| number(index, made)).transpose()?;
                ledger.counter_write(*counter, index, *value).map_err(words)?;
            }
            Step::CounterReset { counter } => ledger.counter_reset(*counter).map_err(words)?,
            Step::MeterSet { meter, index, rates } => {
                let index = index.map(|index| number(index, made)).transpose()?;
                ledger.meter_set_rates(*meter, index, *rates).map_err(words)?;
            }
            Step::ValueSetAdd { set, member } => {
                ledger.value_set_add(*set, member.clone()).map_err(words)?;
            }
            Step::ValueSetRemove { set, member } => {
                ledger.value_set_remove(*set, member.clone()).map_err(words)?;
            }
            Step::ValueSetClear { set } => ledger.value_set_clear(*set).map_err(words)?,
            Step::MirrorSet { session, to } => ledger.mirror_set(*session, *to).map_err(words)?,
            Step::MirrorDelete { session } => ledger.mirror_delete(*session).map_err(words)?,
            Step::MulticastGroupCreate { group } => {
                ledger.multicast_group_create(*group).map_err(words)?;
            }
            Step::MulticastGroupDelete { group } => {
                ledger.multicast_group_destroy(*group).map_err(words)?;
            }
            Step::NodeCreate { replication_id, ports, group } => {
                let node =
                    ledger.multicast_node_create(*replication_id, ports.clone()).map_err(words)?;
                if let Some(group) = group {
                    ledger.multicast_node_associate(*group, node).map_err(words)?;
                }
                handle = Some(node.0.into());
            }
            Step::NodeModify { node, ports } => {
                let node = NodeHandle(small(*node, made)?);
                ledger.multicast_node_update(node, ports.clone()).map_err(words)?;
            }
            Step::NodeAdd { group, node } => {
                let node = NodeHandle(small(*node, made)?);
                ledger.multicast_node_associate(*group, node).map_err(words)?;
            }
            Step::NodeRemove { group, node } => {
                let node = NodeHandle(small(*node, made)?);
                ledger.multicast_node_dissociate(*group, node).map_err(words)?;
            }
            Step::NodeDelete { node } => {
                ledger.multicast_node_destroy(NodeHandle(small(*node, made)?)).map_err(words)?;
            }
        }
        Ok(handle)
    }
}

/// Carries out changes, all or none. The error has the position of the change that failed.
pub(super) fn apply_all<C: Control>(
    ledger: &mut Ledger<C>,
    steps: &[Step],
) -> std::result::Result<Made, Failed<(usize, String)>> {
    ledger.transaction(|ledger| {
        let mut made = Made::with_capacity(steps.len());
        for (n, step) in steps.iter().enumerate() {
            let handle = step.apply(ledger, &made);
            made.push(handle.map_err(|message| (n, message))?);
        }
        Ok(made)
    })
}
