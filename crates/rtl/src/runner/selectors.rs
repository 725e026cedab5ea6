//! Groups of action selectors: which rows of hardware hold them, and how they change.
//!
//! A group gets a new set of rows for its members before its own row points there, so that packets
//! see all of the old group or all of the new one.

use super::Error;
use super::engine::Rtl;
use super::hardware::Hardware;
use super::layout;
use crate::manifest::{GROUP_MEMORY, MEMBER_MEMORY, Manifest, ObjectKind, SelectorObject};
use num_bigint::BigUint;
use std::collections::{BTreeMap, BTreeSet};
use ww_dataplane::control::{ActionData, ProfileIndex, TableIndex};

type Result<T> = std::result::Result<T, Error>;

/// A group in hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    /// Row of the group.
    number: u32,
    /// Row of its first member.
    base: u32,
    /// Number of members.
    count: u32,
}

/// The groups of a table's selector, by handle.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    object: SelectorObject,
    places: BTreeMap<u32, Place>,
}

impl Groups {
    fn new(object: SelectorObject) -> Self {
        Self { object, places: BTreeMap::new() }
    }

    /// The number in hardware of a group.
    pub fn number(&self, group: u32) -> Option<u32> {
        self.places.get(&group).map(|place| place.number)
    }

    /// Finds a number for a new group, which is empty. `None` if there is none left.
    fn create(&mut self, group: u32) -> Option<u32> {
        let taken: BTreeSet<u32> = self.places.values().map(|place| place.number).collect();
        let number = (0..self.object.groups).find(|number| !taken.contains(number))?;
        self.places.insert(group, Place { number, base: 0, count: 0 });
        Some(number)
    }

    /// The first of `count` rows that follow each other and that no group has.
    fn gap(&self, count: u32) -> Option<u32> {
        let mut used: Vec<(u32, u32)> =
            self.places.values().map(|place| (place.base, place.count)).collect();
        used.retain(|(_, count)| *count > 0);
        used.sort_unstable();
        let mut free = 0;
        for (base, length) in used {
            if base - free >= count {
                return Some(free);
            }
            free = base + length;
        }
        (self.object.members - free >= count).then_some(free)
    }
}

/// What hardware holds of all action selectors.
#[derive(Debug, Default)]
pub(super) struct Selectors {
    /// By table; `None` for those without a selector, and those that no packet meets.
    tables: Vec<Option<Groups>>,
    /// By profile: the members of each group.
    members: Vec<BTreeMap<u32, BTreeSet<u32>>>,
}

impl Selectors {
    /// Of a design, with the windows of its tables: no groups.
    pub fn new(manifest: &Manifest, windows: &[Option<u32>], profiles: usize) -> Self {
        let selector = |window: &Option<u32>| match &manifest
            .objects
            .get(window.as_ref().copied()? as usize)?
            .kind
        {
            ObjectKind::Table(table) => table.selector.map(Groups::new),
            _ => None,
        };
        let tables = windows.iter().map(selector).collect();
        Self { tables, members: vec![BTreeMap::new(); profiles] }
    }

    /// The number in a table's hardware of a group.
    pub fn number(&self, table: TableIndex, group: u32) -> Option<u32> {
        self.tables.get(table.index())?.as_ref()?.number(group)
    }

    /// The members of a group.
    pub fn group(&mut self, profile: ProfileIndex, group: u32) -> Option<&mut BTreeSet<u32>> {
        self.members.get_mut(profile.index())?.get_mut(&group)
    }
}

impl Rtl {
    /// The tables in hardware that use a selector.
    fn selecting(&self, profile: ProfileIndex) -> Vec<(TableIndex, u32)> {
        let tables = self.shadow.schema()[profile].tables.iter();
        let in_hardware = |table: &TableIndex| {
            self.selectors.tables.get(table.index())?.as_ref()?;
            Some((*table, self.map.tables[table.index()]?))
        };
        tables.filter_map(in_hardware).collect()
    }

    /// Makes an empty group.
    pub(super) fn create_group(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        for (table, _) in self.selecting(profile) {
            let Some(groups) = &mut self.selectors.tables[table.index()] else { continue };
            if groups.create(group).is_none() {
                let most = groups.object.groups;
                self.forget_group(profile, group);
                return Err(Error::Control(format!("the selector has {most} groups already")));
            }
        }
        self.selectors.members[profile.index()].insert(group, BTreeSet::new());
        Ok(())
    }

    /// Removes a group that no entry refers to.
    pub(super) fn delete_group(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        for (table, window) in self.selecting(profile) {
            let number = self.selectors.number(table, group);
            if let Some(number) = number {
                self.hardware().write(window, GROUP_MEMORY, number, &BigUint::ZERO)?;
            }
        }
        self.forget_group(profile, group);
        Ok(())
    }

    fn forget_group(&mut self, profile: ProfileIndex, group: u32) {
        for table in &self.shadow.schema()[profile].tables {
            if let Some(groups) = &mut self.selectors.tables[table.index()] {
                groups.places.remove(&group);
            }
        }
        self.selectors.members[profile.index()].remove(&group);
    }

    /// Brings the members of a group to hardware.
    pub(super) fn store_group(&mut self, profile: ProfileIndex, group: u32) -> Result<()> {
        for (table, window) in self.selecting(profile) {
            let rows = self.member_rows(profile, table, window, group)?;
            let count = rows.len() as u32;
            let Some(groups) = &mut self.selectors.tables[table.index()] else { continue };
            let Some(place) = groups.places.get(&group).copied() else { continue };
            let object = groups.object;
            if count > object.group_members {
                let most = object.group_members;
                return Err(Error::Control(format!("a group has at most {most} members")));
            }
            let base = if count == 0 { Some(0) } else { groups.gap(count) };
            let Some(base) = base else {
                self.pack(profile, table, window, (group, count))?;
                continue;
            };
            groups.places.insert(group, Place { number: place.number, base, count });
            let hardware = self.plane.get_mut().settled();
            write_members(hardware, window, base, &rows)?;
            hardware.write(window, GROUP_MEMORY, place.number, &object.group_row(base, count))?;
        }
        Ok(())
    }

    /// Puts the members of all groups one behind the other, when there is no gap for `changed`, a
    /// group and its new number of members. Until that is done, groups are empty.
    fn pack(
        &mut self,
        profile: ProfileIndex,
        table: TableIndex,
        window: u32,
        changed: (u32, u32),
    ) -> Result<()> {
        let Some(groups) = &mut self.selectors.tables[table.index()] else { return Ok(()) };
        let object = groups.object;
        let mut places = groups.places.clone();
        if let Some(place) = places.get_mut(&changed.0) {
            place.count = changed.1;
        }
        let mut base = 0;
        for place in places.values_mut() {
            place.base = base;
            base += place.count;
        }
        if base > object.members {
            let most = object.members;
            return Err(Error::Control(format!("the groups have more than {most} members")));
        }
        groups.places = places.clone();
        for place in places.values() {
            self.hardware().write(window, GROUP_MEMORY, place.number, &BigUint::ZERO)?;
        }
        for (group, place) in places {
            let rows = self.member_rows(profile, table, window, group)?;
            let hardware = self.plane.get_mut().settled();
            write_members(hardware, window, place.base, &rows)?;
            let row = object.group_row(place.base, place.count);
            hardware.write(window, GROUP_MEMORY, place.number, &row)?;
        }
        Ok(())
    }

    /// The members of a group in the layout of a table, in the order of their handles.
    fn member_rows(
        &mut self,
        profile: ProfileIndex,
        table: TableIndex,
        window: u32,
        group: u32,
    ) -> Result<Vec<BigUint>> {
        let members = self.selectors.members[profile.index()].get(&group);
        let members = members.into_iter().flatten().map(|member| self.member(table, *member));
        let members = members.collect::<Result<Vec<ActionData>>>()?;
        let info = &self.shadow.schema()[table];
        let Some(object) = self.plane.get_mut().settled().table(window) else {
            return Ok(Vec::new());
        };
        let row =
            |data: &ActionData| Ok(BigUint::from_bytes_le(&layout::data(object, info, data)?));
        members.iter().map(row).collect()
    }

    /// Gives a member other data in all its groups: each in its place, one row.
    pub(super) fn restore_member(&mut self, profile: ProfileIndex, member: u32) -> Result<()> {
        let groups = self.selectors.members[profile.index()].iter();
        let with: Vec<(u32, u32)> = groups
            .filter(|(_, members)| members.contains(&member))
            .map(|(group, members)| (*group, members.range(..member).count() as u32))
            .collect();
        for (table, window) in self.selecting(profile) {
            for (group, position) in &with {
                let rows = self.member_rows(profile, table, window, *group)?;
                let Some(groups) = &self.selectors.tables[table.index()] else { continue };
                let place = groups.places.get(group);
                if let (Some(place), Some(row)) = (place, rows.get(*position as usize)) {
                    let index = place.base + position;
                    self.hardware().write(window, MEMBER_MEMORY, index, row)?;
                }
            }
        }
        Ok(())
    }

    /// Empties all groups in hardware and forgets them.
    pub(super) fn clear_groups(&mut self) -> Result<()> {
        for table in 0..self.selectors.tables.len() {
            let Some(groups) = &mut self.selectors.tables[table] else { continue };
            let places = std::mem::take(&mut groups.places);
            let Some(window) = self.map.tables[table] else { continue };
            for place in places.values() {
                self.hardware().write(window, GROUP_MEMORY, place.number, &BigUint::ZERO)?;
            }
        }
        self.selectors.members.iter_mut().for_each(BTreeMap::clear);
        Ok(())
    }
}

fn write_members(hardware: &mut Hardware, window: u32, base: u32, rows: &[BigUint]) -> Result<()> {
    for (index, row) in (base..).zip(rows) {
        hardware.write(window, MEMBER_MEMORY, index, row)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(members: u32) -> Groups {
        let object = SelectorObject {
            groups: 4,
            members,
            group_members: members,
            hash_bits: 8,
            member_bits: 8,
        };
        Groups::new(object)
    }

    #[test]
    fn gaps_between_groups() {
        let mut found = groups(10);
        assert_eq!(found.gap(10), Some(0));
        for (group, base, count) in [(7, 2, 3), (9, 6, 2), (11, 0, 0)] {
            let number = found.create(group).expect("room");
            found.places.insert(group, Place { number, base, count });
        }
        assert_eq!([1, 2, 3].map(|n| found.gap(n)), [Some(0), Some(0), None]);
        found.places.remove(&9);
        assert_eq!([5, 6].map(|n| found.gap(n)), [Some(5), None]);
    }

    #[test]
    fn numbers_of_groups_are_used_again() {
        let mut found = groups(10);
        assert_eq!([30, 31, 32, 33].map(|group| found.create(group)), [0, 1, 2, 3].map(Some));
        assert_eq!(found.create(34), None);
        found.places.remove(&31);
        assert_eq!((found.create(35), found.number(35)), (Some(1), Some(1)));
    }

    #[test]
    fn reciprocals_divide() {
        // Every hash, every number of members: against the processor's division.
        let object = SelectorObject { group_members: 300, ..groups(300).object };
        let shift = object.hash_bits + object.count_bits();
        for count in 1..=300u32 {
            let row = object.group_row(5, count);
            let reciprocal = u64::try_from(row >> (object.base_bits() + object.count_bits()));
            let reciprocal = reciprocal.expect("19 bits");
            for hash in 0..256u64 {
                assert_eq!((hash * reciprocal) >> shift, hash / u64::from(count));
            }
        }
    }
}
