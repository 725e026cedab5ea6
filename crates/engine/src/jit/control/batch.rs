//! Changes that belong together, in a form that can be carried out on both copies.

use super::Member;
use super::generation::{Generation, Told};
use super::records::Record;
use super::value_sets::Member as SetMember;
use crate::objects::{Profile, Replication};
use crate::tables::native::{Change, EntryStore, TableIndex as Index};
use std::collections::BTreeSet;
use ww_dataplane::control::{CustomCrc, Request};
use ww_packet::hash::Hash;

/// Lists that grew beyond this give their memory back.
const KEPT: usize = 1 << 10;

/// Changes in the order in which they were made.
#[derive(Default)]
pub(super) struct Batch {
    /// By [`ww_dataplane::control::TableIndex`].
    tables: Vec<TableChanges>,
    /// Tables with changes.
    dirty: Vec<usize>,
    others: Vec<Other>,
    /// Groups (of profiles) with other members than before.
    groups: BTreeSet<(usize, u32)>,
}

#[derive(Default)]
struct TableChanges {
    is_dirty: bool,
    /// The table is another one: its index has to be made from the store.
    is_new: bool,
    index: Vec<Change>,
    /// Number and record.
    records: Vec<(u32, Record)>,
}

/// A change to anything but a table.
pub(super) enum Other {
    /// All members and groups of a profile go.
    ProfileReset {
        profile: usize,
    },
    Member {
        profile: usize,
        member: u32,
        records: Option<Member>,
    },
    Group {
        profile: usize,
        group: u32,
        members: Option<Box<[u32]>>,
    },
    SetAdd {
        set: usize,
        member: SetMember,
    },
    /// The member at a position goes, those behind it move up.
    SetRemove {
        set: usize,
        position: usize,
    },
    SetClear {
        set: usize,
    },
    /// A request that the control plane's own replication engine has carried out: it gives the
    /// same result on each copy.
    Replication(Request),
    ReplicationReset,
    Crc(CustomCrc, Hash),
    Told {
        table: usize,
        told: Told,
    },
}

impl Batch {
    pub fn new(tables: usize) -> Self {
        let tables = (0..tables).map(|_| TableChanges::default()).collect();
        Self { tables, ..Self::default() }
    }

    pub fn is_empty(&self) -> bool {
        self.dirty.is_empty() && self.others.is_empty() && self.groups.is_empty()
    }

    pub fn clear(&mut self) {
        for table in self.dirty.drain(..) {
            let changes = &mut self.tables[table];
            (changes.is_dirty, changes.is_new) = (false, false);
            changes.index.clear();
            changes.records.clear();
            changes.index.shrink_to(KEPT);
            changes.records.shrink_to(KEPT);
        }
        self.others.clear();
        self.others.shrink_to(KEPT);
        self.groups.clear();
    }

    fn table(&mut self, table: usize) -> &mut TableChanges {
        let changes = &mut self.tables[table];
        if !changes.is_dirty {
            changes.is_dirty = true;
            self.dirty.push(table);
        }
        changes
    }

    /// The store of a table changed.
    pub fn index(&mut self, table: usize, change: Change) {
        self.table(table).index.push(change);
    }

    /// A number stands for another record.
    pub fn record(&mut self, table: usize, number: u32, record: Record) {
        self.table(table).records.push((number, record));
    }

    /// A table has another store, with these records.
    pub fn new_table(&mut self, table: usize, records: impl Iterator<Item = (u32, Record)>) {
        let changes = self.table(table);
        changes.is_new = true;
        changes.index.clear();
        changes.records.clear();
        changes.records.extend(records);
    }

    /// Forgets changes to a store that is not there any more.
    pub fn forget_index(&mut self, table: usize) {
        self.tables[table].index.clear();
    }

    pub fn other(&mut self, other: Other) {
        self.others.push(other);
    }

    /// All members and groups of a profile go.
    pub fn reset_profile(&mut self, profile: usize) {
        self.groups.retain(|(p, _)| *p != profile);
        self.others.push(Other::ProfileReset { profile });
    }

    /// A group has other members, or is new or gone.
    pub fn group(&mut self, profile: usize, group: u32) {
        self.groups.insert((profile, group));
    }

    /// Looks at the groups that changed.
    pub fn close(&mut self, profiles: &[Profile<Member>]) {
        for (profile, group) in std::mem::take(&mut self.groups) {
            let members = profiles[profile].group(group);
            let members = members.map(|members| members.iter().copied().collect());
            self.others.push(Other::Group { profile, group, members });
        }
    }

    /// Carries the changes out on a copy.
    pub fn apply(&self, to: &mut Generation, stores: &[EntryStore]) {
        for &n in &self.dirty {
            let (changes, store, table) = (&self.tables[n], &stores[n], &mut to.tables[n]);
            if let Some(index) = &mut table.index {
                if changes.is_new {
                    *index = Index::new(store);
                }
                index.apply_all(store, &changes.index);
            }
            for &(number, record) in &changes.records {
                let number = number as usize;
                if table.records.len() <= number {
                    table.records.resize(number + 1, table.initial);
                }
                table.records[number] = record;
            }
            to.refresh_view(n);
        }
        self.others.iter().for_each(|other| other.apply(to));
    }
}

impl Other {
    fn apply(&self, to: &mut Generation) {
        match self {
            Other::ProfileReset { profile } => {
                to.profiles[*profile].members.clear();
                to.profiles[*profile].groups.clear();
            }
            Other::Member { profile, member, records } => {
                let members = &mut to.profiles[*profile].members;
                match records {
                    Some(records) => members.insert(*member, records.clone()),
                    None => members.remove(member),
                };
            }
            Other::Group { profile, group, members } => {
                let groups = &mut to.profiles[*profile].groups;
                match members {
                    Some(members) => groups.insert(*group, members.clone()),
                    None => groups.remove(group),
                };
            }
            Other::SetAdd { set, member } => to.value_sets[*set].push(member.clone()),
            Other::SetRemove { set, position } => {
                to.value_sets[*set].remove(*position);
            }
            Other::SetClear { set } => to.value_sets[*set].clear(),
            Other::Replication(request) => {
                let done = request.clone().carry_out(&mut to.replication);
                debug_assert!(done.is_ok(), "the copies are alike");
            }
            Other::ReplicationReset => to.replication = Replication::default(),
            Other::Told { table, told } => to.told[*table] = *told,
            Other::Crc(CustomCrc::Crc16, hash) => to.crc16_custom = hash.clone(),
            Other::Crc(CustomCrc::Crc32, hash) => to.crc32_custom = hash.clone(),
        }
    }
}
