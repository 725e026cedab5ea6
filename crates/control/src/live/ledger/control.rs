//! Requests: passed on to the engine, and entered into the books.

use super::Ledger;
use super::books::{Books, MulticastNode};
use super::undo::{Moment, Undo};
use num_bigint::BigUint;
use std::sync::Arc;
use ww_dataplane::control::handler::Handler;
use ww_dataplane::control::{
    self, ActionData, Answer, CounterIndex, CounterValue, CustomCrc, Digest, EntryHandle,
    EntryView, Error, KeyMatch, MeterIndex, MeterRates, MirrorSession, NewEntry, NodeHandle,
    ProfileIndex, ProfileView, RegisterIndex, Request, Schema, TableIndex, Target, ValueSetIndex,
};
use ww_packet::crc::CrcParameters;

type Result<T> = std::result::Result<T, Error>;

pub(super) fn no_such(what: String) -> Error {
    Error::NoSuch { what }
}

impl<C: control::Control> Ledger<C> {
    /// The engine's handle of an entry.
    pub(super) fn entry(&mut self, table: TableIndex, outer: EntryHandle) -> Result<EntryHandle> {
        let book = self.books.tables.get(table.index());
        let inner = book.and_then(|book| book.handles.inner(outer.0)).map(EntryHandle);
        let inner = match inner {
            Some(inner) => self.control.table_entry(table, inner)?.map(|view| view.handle),
            None => None,
        };
        inner.ok_or_else(|| {
            no_such(format!("entry {} of table `{}`", outer.0, self.table_name(table)))
        })
    }

    fn profile_name(&self, profile: ProfileIndex) -> String {
        let schema = self.control.schema();
        schema.profiles.get(profile.index()).map_or("?", |info| info.name.as_str()).to_owned()
    }

    /// The engine's handle of a member.
    pub(super) fn member(&self, profile: ProfileIndex, outer: u32) -> Result<u32> {
        let book = self.books.profiles.get(profile.index());
        book.filter(|book| book.members.contains_key(&outer))
            .and_then(|book| book.member_handles.inner(outer.into()))
            .map(|inner| inner as u32)
            .ok_or_else(|| no_such(format!("member {outer} of `{}`", self.profile_name(profile))))
    }

    /// The engine's handle of a group.
    pub(super) fn group(&self, profile: ProfileIndex, outer: u32) -> Result<u32> {
        let book = self.books.profiles.get(profile.index());
        book.filter(|book| book.groups.contains_key(&outer))
            .and_then(|book| book.group_handles.inner(outer.into()))
            .map(|inner| inner as u32)
            .ok_or_else(|| no_such(format!("group {outer} of `{}`", self.profile_name(profile))))
    }

    fn node(&self, outer: NodeHandle) -> Result<NodeHandle> {
        let book = &self.books.multicast;
        let known = book.nodes.contains_key(&outer.0);
        let inner = known.then(|| book.handles.inner(outer.0.into())).flatten();
        inner
            .map(|inner| NodeHandle(inner as u32))
            .ok_or_else(|| no_such(format!("multicast node {}", outer.0)))
    }

    /// A target with the engine's handles.
    pub(super) fn inner_target(&self, table: TableIndex, target: Target) -> Result<Target> {
        let profile = self.control.schema().tables.get(table.index()).and_then(|t| t.profile);
        Ok(match (target, profile) {
            (Target::Member(member), Some(profile)) => {
                Target::Member(self.member(profile, member)?)
            }
            // The engine explains why there are no groups.
            (Target::Group(group), Some(p)) if self.control.schema()[p].selector.is_some() => {
                Target::Group(self.group(p, group)?)
            }
            (target, _) => target,
        })
    }

    /// A target with the handles that clients know.
    fn outer_target(&self, table: TableIndex, target: Target) -> Target {
        let profile = self.control.schema().tables.get(table.index()).and_then(|t| t.profile);
        let book = profile.and_then(|profile| self.books.profiles.get(profile.index()));
        match (target, book) {
            (Target::Member(n), Some(book)) => {
                Target::Member(book.member_handles.outer(n.into()) as u32)
            }
            (Target::Group(n), Some(book)) => {
                Target::Group(book.group_handles.outer(n.into()) as u32)
            }
            (target, _) => target,
        }
    }

    fn outer_view(&self, table: TableIndex, mut view: EntryView) -> EntryView {
        if let Some(book) = self.books.tables.get(table.index()) {
            view.handle = EntryHandle(book.handles.outer(view.handle.0));
        }
        view.entry.target = self.outer_target(table, view.entry.target);
        view
    }

    /// The engine's index of a counter or meter whose index is `outer`, which for direct ones is
    /// the handle of an entry.
    fn cell(&mut self, table: Option<TableIndex>, outer: u64) -> Result<u64> {
        match table {
            Some(table) => self.entry(table, EntryHandle(outer)).map(|inner| inner.0),
            None => Ok(outer),
        }
    }

    pub(super) fn counter_table(&self, counter: CounterIndex) -> Option<TableIndex> {
        let schema = self.control.schema();
        let info = schema.counters.get(counter.index())?;
        info.table.filter(|_| info.is_direct)
    }

    pub(super) fn meter_table(&self, meter: MeterIndex) -> Option<TableIndex> {
        let schema = self.control.schema();
        let info = schema.meters.get(meter.index())?;
        info.table.filter(|_| info.is_direct)
    }

    /// Whether entries or the default action lead to a member.
    fn is_member_in_use(&mut self, profile: ProfileIndex, inner: u32) -> Result<bool> {
        let wanted = Target::Member(inner);
        let schema = self.control.schema();
        for &table in &schema[profile].tables {
            let entries = self.control.table_entries(table)?;
            if entries.iter().any(|view| view.entry.target == wanted)
                || self.control.table_default(table)? == wanted
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Before the books change: they are what an undone transaction goes back to.
    fn multicast_changes(&mut self) {
        self.changes += 1;
        if let Some(journal) = &mut self.journal
            && journal.multicast.is_none()
        {
            journal.multicast = Some(self.books.multicast.clone());
        }
    }
}

impl<C: control::Control> control::Control for Ledger<C> {
    fn schema(&self) -> Arc<Schema> {
        self.control.schema()
    }

    fn handle(&mut self, request: Request) -> Result<Answer> {
        request.carry_out(self)
    }
}

impl<C: control::Control> Handler for Ledger<C> {
    fn component(&self) -> &'static str {
        "the control plane"
    }

    /// The engine answers what is not in the books.
    fn otherwise(&mut self, request: Request) -> Result<Answer> {
        self.control.handle(request)
    }

    fn table_insert(&mut self, table: TableIndex, mut entry: NewEntry) -> Result<EntryHandle> {
        entry.target = self.inner_target(table, entry.target)?;
        let inner = self.control.table_insert(table, entry)?;
        let book = &mut self.books.tables[table.index()];
        let outer = book.handles.created(inner.0);
        book.entries_changed = true;
        self.did(|| Undo::EntryAdded { table, outer });
        Ok(EntryHandle(outer))
    }

    fn table_modify(&mut self, table: TableIndex, entry: EntryHandle, to: Target) -> Result<()> {
        let inner = self.entry(table, entry)?;
        let to = self.inner_target(table, to)?;
        let before = match self.journal.is_some() {
            true => self.control.table_entry(table, inner)?,
            false => None,
        };
        self.control.table_modify(table, inner, to)?;
        self.books.tables[table.index()].entries_changed = true;
        let target = before.map(|view| self.outer_target(table, view.entry.target));
        self.did(|| Undo::EntryModified { table, outer: entry.0, target });
        Ok(())
    }

    fn table_delete(&mut self, table: TableIndex, entry: EntryHandle) -> Result<()> {
        let inner = self.entry(table, entry)?;
        let before = match self.journal.is_some() {
            true => Some(Moment::of(self, table, entry)?),
            false => None,
        };
        self.control.table_delete(table, inner)?;
        self.books.tables[table.index()].entries_changed = true;
        self.did(|| Undo::EntryDeleted { table, before: before.map(Box::new) });
        Ok(())
    }

    fn table_clear(&mut self, table: TableIndex) -> Result<()> {
        if self.journal.is_some() {
            for view in self.table_entries(table)?.into_iter().filter(|view| !view.is_const) {
                self.table_delete(table, view.handle)?;
            }
            return Ok(());
        }
        self.control.table_clear(table)?;
        self.books.tables[table.index()].entries_changed = true;
        self.changes += 1;
        Ok(())
    }

    fn table_entries(&mut self, table: TableIndex) -> Result<Vec<EntryView>> {
        let entries = self.control.table_entries(table)?;
        let mut entries: Vec<EntryView> =
            entries.into_iter().map(|view| self.outer_view(table, view)).collect();
        if self.books.tables.get(table.index()).is_some_and(|book| book.handles.is_shuffled()) {
            entries.sort_by_key(|view| view.handle);
        }
        Ok(entries)
    }

    fn table_entry(&mut self, table: TableIndex, entry: EntryHandle) -> Result<Option<EntryView>> {
        let book = self.books.tables.get(table.index());
        let Some(inner) = book.and_then(|book| book.handles.inner(entry.0)) else {
            return Ok(None);
        };
        let found = self.control.table_entry(table, EntryHandle(inner))?;
        Ok(found.map(|view| self.outer_view(table, view)))
    }

    fn table_find(
        &mut self,
        table: TableIndex,
        keys: Vec<KeyMatch>,
        priority: i64,
    ) -> Result<Option<EntryHandle>> {
        let found = self.control.table_find(table, keys, priority)?;
        let outer = |inner: EntryHandle| self.books.tables[table.index()].handles.outer(inner.0);
        Ok(found.map(|inner| EntryHandle(outer(inner))))
    }

    fn table_set_default(&mut self, table: TableIndex, target: Target) -> Result<()> {
        let target = self.inner_target(table, target)?;
        let before = self.table_default(table)?;
        self.control.table_set_default(table, target)?;
        let changed =
            std::mem::replace(&mut self.books.tables[table.index()].default_changed, true);
        self.did(|| Undo::Default { table, target: changed.then_some(before) });
        Ok(())
    }

    fn table_reset_default(&mut self, table: TableIndex) -> Result<()> {
        let before = self.table_default(table)?;
        self.control.table_reset_default(table)?;
        let changed =
            std::mem::replace(&mut self.books.tables[table.index()].default_changed, false);
        self.did(|| Undo::Default { table, target: changed.then_some(before) });
        Ok(())
    }

    fn table_default(&mut self, table: TableIndex) -> Result<Target> {
        let target = self.control.table_default(table)?;
        Ok(self.outer_target(table, target))
    }

    fn member_add(&mut self, profile: ProfileIndex, data: ActionData) -> Result<u32> {
        let inner = self.control.member_add(profile, data.clone())?;
        let book = &mut self.books.profiles[profile.index()];
        let outer = book.member_handles.created(inner.into()) as u32;
        book.members.insert(outer, data);
        self.did(|| Undo::MemberAdded { profile, outer });
        Ok(outer)
    }

    fn member_modify(&mut self, profile: ProfileIndex, member: u32, to: ActionData) -> Result<()> {
        let inner = self.member(profile, member)?;
        self.control.member_modify(profile, inner, to.clone())?;
        let before = self.books.profiles[profile.index()].members.insert(member, to);
        self.did(|| Undo::MemberModified { profile, outer: member, before });
        Ok(())
    }

    fn member_delete(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        let inner = self.member(profile, member)?;
        if self.journal.is_some() {
            let name = self.profile_name(profile);
            let what = || format!("member {member} of `{name}`");
            let book = &self.books.profiles[profile.index()];
            if book.groups.values().any(|members| members.contains(&member)) {
                return Err(Error::InUse { what: what(), by: "a group" });
            }
            if self.is_member_in_use(profile, inner)? {
                return Err(Error::InUse { what: what(), by: "an entry" });
            }
            let book = &mut self.books.profiles[profile.index()];
            if let Some(data) = book.members.remove(&member) {
                book.doomed.insert(member, data);
            }
        } else {
            self.control.member_delete(profile, inner)?;
            self.books.profiles[profile.index()].members.remove(&member);
        }
        self.did(|| Undo::MemberDeleted { profile, outer: member });
        Ok(())
    }

    fn group_create(&mut self, profile: ProfileIndex) -> Result<u32> {
        let inner = self.control.group_create(profile)?;
        let book = &mut self.books.profiles[profile.index()];
        let outer = book.group_handles.created(inner.into()) as u32;
        book.groups.insert(outer, Default::default());
        self.did(|| Undo::GroupCreated { profile, outer });
        Ok(outer)
    }

    fn group_delete(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        let inner = self.group(profile, group)?;
        self.control.group_delete(profile, inner)?;
        let members = self.books.profiles[profile.index()].groups.remove(&group);
        let members = members.unwrap_or_default();
        self.did(|| Undo::GroupDeleted { profile, outer: group, members });
        Ok(())
    }

    fn group_add_member(&mut self, profile: ProfileIndex, group: u32, member: u32) -> Result<()> {
        let (inner, inner_member) = (self.group(profile, group)?, self.member(profile, member)?);
        self.control.group_add_member(profile, inner, inner_member)?;
        if let Some(members) = self.books.profiles[profile.index()].groups.get_mut(&group) {
            members.insert(member);
        }
        self.did(|| Undo::Joined { profile, group, member });
        Ok(())
    }

    fn group_remove_member(
        &mut self,
        profile: ProfileIndex,
        group: u32,
        member: u32,
    ) -> Result<()> {
        let (inner, inner_member) = (self.group(profile, group)?, self.member(profile, member)?);
        self.control.group_remove_member(profile, inner, inner_member)?;
        if let Some(members) = self.books.profiles[profile.index()].groups.get_mut(&group) {
            members.remove(&member);
        }
        self.did(|| Undo::Left { profile, group, member });
        Ok(())
    }

    fn profile(&mut self, profile: ProfileIndex) -> Result<ProfileView> {
        match self.books.profiles.get(profile.index()) {
            Some(book) => {
                Ok(ProfileView { members: book.members.clone(), groups: book.groups.clone() })
            }
            // The engine says what is wrong.
            None => self.control.profile(profile),
        }
    }

    fn register_write(
        &mut self,
        register: RegisterIndex,
        index: Option<u64>,
        value: BigUint,
    ) -> Result<()> {
        let before = self.cells_before(register, index)?;
        self.control.register_write(register, index, value)?;
        self.did(|| Undo::Register { register, cells: before });
        Ok(())
    }

    fn register_reset(&mut self, register: RegisterIndex) -> Result<()> {
        let before = self.cells_before(register, None)?;
        self.control.register_reset(register)?;
        self.did(|| Undo::Register { register, cells: before });
        Ok(())
    }

    fn counter_read(&mut self, counter: CounterIndex, index: u64) -> Result<CounterValue> {
        let cell = self.cell(self.counter_table(counter), index)?;
        self.control.counter_read(counter, cell)
    }

    fn counter_write(
        &mut self,
        counter: CounterIndex,
        index: Option<u64>,
        value: CounterValue,
    ) -> Result<()> {
        let table = self.counter_table(counter);
        let cell = index.map(|index| self.cell(table, index)).transpose()?;
        let before = self.counters_before(counter, index)?;
        self.control.counter_write(counter, cell, value)?;
        self.did(|| Undo::Counter { counter, cells: before, others: index.is_none() });
        Ok(())
    }

    fn counter_reset(&mut self, counter: CounterIndex) -> Result<()> {
        let before = self.counters_before(counter, None)?;
        self.control.counter_reset(counter)?;
        self.did(|| Undo::Counter { counter, cells: before, others: true });
        Ok(())
    }

    fn meter_set_rates(
        &mut self,
        meter: MeterIndex,
        index: Option<u64>,
        rates: Option<MeterRates>,
    ) -> Result<()> {
        let table = self.meter_table(meter);
        let cell = index.map(|index| self.cell(table, index)).transpose()?;
        let before = self.meters_before(meter, index)?;
        self.control.meter_set_rates(meter, cell, rates)?;
        self.did(|| Undo::Meter { meter, cells: before, others: index.is_none() });
        Ok(())
    }

    fn meter_rates(&mut self, meter: MeterIndex, index: u64) -> Result<Option<MeterRates>> {
        let cell = self.cell(self.meter_table(meter), index)?;
        self.control.meter_rates(meter, cell)
    }

    fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.control.value_set_add(set, member.clone())?;
        let book = &mut self.books.value_sets[set.index()];
        let before = book.len();
        book.push(member);
        self.did(|| Undo::ValueAdded { set, before });
        Ok(())
    }

    fn value_set_remove(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        self.control.value_set_remove(set, member.clone())?;
        let book = &mut self.books.value_sets[set.index()];
        let before = book.clone();
        if let Some(at) = book.iter().position(|known| *known == member) {
            book.remove(at);
        }
        self.did(|| Undo::ValueSet { set, members: before });
        Ok(())
    }

    fn value_set_clear(&mut self, set: ValueSetIndex) -> Result<()> {
        self.control.value_set_clear(set)?;
        let members = std::mem::take(&mut self.books.value_sets[set.index()]);
        self.did(|| Undo::ValueSet { set, members });
        Ok(())
    }

    fn mirror_set(&mut self, session: u32, to: MirrorSession) -> Result<()> {
        self.control.mirror_set(session, to)?;
        let before = self.books.mirrors.insert(session, to);
        self.did(|| Undo::Mirror { session, before });
        Ok(())
    }

    fn mirror_delete(&mut self, session: u32) -> Result<()> {
        self.control.mirror_delete(session)?;
        let before = self.books.mirrors.remove(&session);
        self.did(|| Undo::Mirror { session, before });
        Ok(())
    }

    fn multicast_group_create(&mut self, group: u16) -> Result<()> {
        self.control.multicast_group_create(group)?;
        self.multicast_changes();
        self.books.multicast.groups.insert(group, Vec::new());
        Ok(())
    }

    fn multicast_group_destroy(&mut self, group: u16) -> Result<()> {
        self.control.multicast_group_destroy(group)?;
        self.multicast_changes();
        let book = &mut self.books.multicast;
        for node in book.groups.remove(&group).unwrap_or_default() {
            if let Some(node) = book.nodes.get_mut(&node) {
                node.group = None;
            }
        }
        Ok(())
    }

    fn multicast_node_create(
        &mut self,
        replication_id: u16,
        ports: Vec<u32>,
    ) -> Result<NodeHandle> {
        let inner = self.control.multicast_node_create(replication_id, ports.clone())?;
        self.multicast_changes();
        let book = &mut self.books.multicast;
        let outer = book.handles.created(inner.0.into()) as u32;
        let node = MulticastNode { replication_id, ports, group: None };
        book.nodes.insert(outer, node);
        Ok(NodeHandle(outer))
    }

    fn multicast_node_update(&mut self, node: NodeHandle, ports: Vec<u32>) -> Result<()> {
        let inner = self.node(node)?;
        self.control.multicast_node_update(inner, ports.clone())?;
        self.multicast_changes();
        if let Some(book) = self.books.multicast.nodes.get_mut(&node.0) {
            book.ports = ports;
        }
        Ok(())
    }

    fn multicast_node_associate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        let inner = self.node(node)?;
        self.control.multicast_node_associate(group, inner)?;
        self.multicast_changes();
        let book = &mut self.books.multicast;
        book.groups.entry(group).or_default().push(node.0);
        if let Some(node) = book.nodes.get_mut(&node.0) {
            node.group = Some(group);
        }
        Ok(())
    }

    fn multicast_node_dissociate(&mut self, group: u16, node: NodeHandle) -> Result<()> {
        let inner = self.node(node)?;
        self.control.multicast_node_dissociate(group, inner)?;
        self.multicast_changes();
        let book = &mut self.books.multicast;
        if let Some(nodes) = book.groups.get_mut(&group) {
            nodes.retain(|member| *member != node.0);
        }
        if let Some(node) = book.nodes.get_mut(&node.0) {
            node.group = None;
        }
        Ok(())
    }

    fn multicast_node_destroy(&mut self, node: NodeHandle) -> Result<()> {
        let inner = self.node(node)?;
        self.control.multicast_node_destroy(inner)?;
        self.multicast_changes();
        let book = &mut self.books.multicast;
        book.nodes.remove(&node.0);
        book.groups.values_mut().for_each(|nodes| nodes.retain(|member| *member != node.0));
        Ok(())
    }

    fn set_custom_crc(&mut self, which: CustomCrc, parameters: CrcParameters) -> Result<()> {
        if self.journal.is_some() {
            let message = "the parameters of a CRC cannot be set in a transaction".to_owned();
            return Err(Error::Invalid { message });
        }
        self.control.set_custom_crc(which, parameters)?;
        let place = usize::from(which == CustomCrc::Crc32);
        self.books.crc[place] = Some(parameters);
        self.changes += 1;
        Ok(())
    }

    fn take_digests(&mut self) -> Result<Vec<Digest>> {
        let mut digests = std::mem::take(&mut self.digests);
        digests.extend(self.control.take_digests()?);
        Ok(digests)
    }

    fn reset_state(&mut self) -> Result<()> {
        if self.journal.is_some() {
            let message = "a reset of all state cannot be part of a transaction".to_owned();
            return Err(Error::Invalid { message });
        }
        self.control.reset_state()?;
        self.books = Books::new(&mut self.control)?;
        self.changes += 1;
        Ok(())
    }
}
