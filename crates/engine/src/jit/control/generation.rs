//! What packets see of the control plane's work, at one moment.

use super::records::Record;
use super::value_sets::Member;
use crate::jit::abi::{RecordHead, TableView, flag};
use crate::objects::Replication;
use crate::tables::native::TableIndex as Index;
use std::collections::HashMap;
use std::ffi::c_void;
use ww_dataplane::control::ProfileIndex;
use ww_p4::pipeline::{TableId, ValueSetId};
use ww_packet::hash::Hash;

/// All that packets of one batch see: tables, defaults, profiles, value sets, groups and
/// sessions. There are two of these; see [`super::Reader::pin`].
///
/// Positions are those of the pipeline ([`TableId`], [`ValueSetId`]), for that is what packets
/// go by.
#[derive(Debug)]
pub struct Generation {
    /// How many times what packets see has changed, from 1.
    pub number: u64,
    /// By [`TableId`].
    pub views: Vec<TableView>,
    /// Multicast groups and mirroring sessions.
    pub replication: Replication,
    /// `crc16_custom`
    pub crc16_custom: Hash,
    /// `crc32_custom`
    pub crc32_custom: Hash,
    /// By [`ww_dataplane::control::TableIndex`].
    pub(super) tables: Vec<Table>,
    /// By [`TableId`].
    pub(super) by_id: Vec<usize>,
    /// Positions in `views` of `tables`; `None` for tables that no packet ever meets.
    pub(super) view_of: Vec<Option<usize>>,
    /// By [`ProfileIndex`].
    pub(super) profiles: Vec<Profile>,
    /// With a TCPU: changes and entries of tables, by [`ww_dataplane::control::TableIndex`].
    pub told: Vec<Told>,
    /// By [`ww_dataplane::control::ValueSetIndex`].
    pub(super) value_sets: Vec<Vec<Member>>,
    /// By [`ValueSetId`].
    pub(super) set_by_id: Vec<usize>,
}

/// What a TCPU is told of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Its changes so far.
    pub version: u32,
    /// Its entries.
    pub entries: u32,
}

/// A table. Those without keys have no index.
#[derive(Debug)]
pub(super) struct Table {
    pub index: Option<Index>,
    /// By number.
    pub records: Vec<Record>,
    /// The default action of the program.
    pub initial: Record,
    /// Its profile and its position among the profile's tables.
    pub profile: Option<(ProfileIndex, usize)>,
}

/// A profile or selector.
#[derive(Debug, Default)]
pub(super) struct Profile {
    /// Records by member, one per table.
    pub members: HashMap<u32, Box<[Record]>>,
    /// Members by group, ascending.
    pub groups: HashMap<u32, Box<[u32]>>,
    /// Bits of the hash that a selector uses.
    pub width: u32,
}

// SAFETY: the pointers in `views` lead into `tables` of the same value, which are `Sync`, and to
// functions that only read what they lead to.
unsafe impl Sync for Generation {}
// SAFETY: as above.
unsafe impl Send for Generation {}

/// Indices of more bytes than these do not stay in the caches next to a core, with all else that
/// is there.
const FAR_BYTES: usize = 2 << 20;

/// Where a packet goes on after a lookup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolved {
    /// Has the action to run and its arguments. The entry's counter and meter are in the record
    /// that the lookup found. Its [`RecordHead::action`] is [`super::NO_ACTION`] if the table
    /// does not list the member's action.
    pub record: *const RecordHead,
    /// Whether an entry decided; if not, its counter and meter stay as they are.
    pub hit: bool,
}

impl Generation {
    /// What a record that a lookup found leads to: for one with [`flag::MEMBER`] or
    /// [`flag::GROUP`] the record of the member (chosen by `selector_hash`, the value of the
    /// selector's hash function); if there is none, the default action, and if that is a member
    /// or group that is not there, the default action of the program.
    ///
    /// # Safety
    /// `record` is one of the table's in this generation.
    pub unsafe fn resolve(
        &self,
        table: TableId,
        record: *const RecordHead,
        selector_hash: u64,
    ) -> Resolved {
        let table = &self.tables[self.by_id[table.index()]];
        // SAFETY: the caller's promise; records live as long as a generation that has them.
        let head = unsafe { &*record };
        let hit = head.flags & flag::HIT != 0;
        if let Some(record) = self.target(table, head, selector_hash) {
            return Resolved { record, hit };
        }
        let default = table.records.first().filter(|_| hit).map(Record::head);
        let record = default.and_then(|head| self.target(table, head, selector_hash));
        Resolved { record: record.unwrap_or(table.initial.as_ptr()), hit: false }
    }

    /// The record with the action that a record leads to.
    fn target(&self, table: &Table, head: &RecordHead, hash: u64) -> Option<*const RecordHead> {
        let profile = || table.profile.map(|(index, n)| (&self.profiles[index.index()], n));
        let choice = head.choice;
        let (profile, position, member) = match head.flags & (flag::MEMBER | flag::GROUP) {
            0 => return Some(head),
            flag::MEMBER => {
                let (profile, position) = profile()?;
                (profile, position, choice)
            }
            _ => {
                let (profile, position) = profile()?;
                (profile, position, profile.select(choice, hash)?)
            }
        };
        profile.members.get(&member)?.get(position).map(Record::as_ptr)
    }

    /// Whether a value is a member of a value set. Its keys follow one another, each in
    /// [`super::argument_words`] words, the lowest first.
    pub fn in_value_set(&self, set: ValueSetId, words: &[u64]) -> bool {
        self.value_sets[self.set_by_id[set.index()]].iter().any(|member| member.fits(words))
    }

    /// Brings one of [`Generation::views`] up to date after its table changed.
    pub(super) fn refresh_view(&mut self, table: usize) {
        if let Some(view) = self.view_of[table] {
            self.views[view] = self.tables[table].view();
        }
    }
}

impl Profile {
    /// As in [`crate::objects::Profile::select`].
    fn select(&self, group: u32, hash: u64) -> Option<u32> {
        let members = self.groups.get(&group)?;
        let hash = if self.width < 64 { hash & ((1 << self.width) - 1) } else { hash };
        let position = hash.checked_rem(members.len() as u64)?;
        members.get(position as usize).copied()
    }
}

impl Table {
    pub fn view(&self) -> TableView {
        // `Record` is a pointer without more.
        let records = self.records.as_ptr().cast();
        match &self.index {
            Some(index) => TableView {
                lookup: index.lookup_fn(),
                prefetch: index.prefetch_fn(),
                index: index.data(),
                records,
                array: index.array().unwrap_or(std::ptr::null()),
                far: u64::from(index.memory_bytes() > FAR_BYTES),
            },
            None => TableView {
                lookup: always_missing,
                prefetch: nothing_to_load,
                index: std::ptr::null(),
                records,
                array: std::ptr::null(),
                far: 0,
            },
        }
    }
}

/// Lookup in a table without keys.
///
/// # Safety
/// Reads nothing.
unsafe extern "C" fn always_missing(_index: *const c_void, _key: *const u64) -> u32 {
    0
}

/// Prefetch for a table without keys.
///
/// # Safety
/// Reads nothing.
unsafe extern "C" fn nothing_to_load(_index: *const c_void, _key: *const u64) {}
