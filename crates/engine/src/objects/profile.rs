//! Action profiles and selectors: members that entries share, and groups of them.

use crate::validation::no_such;
use std::collections::{BTreeMap, BTreeSet};
use ww_dataplane::control::{Error, ProfileIndex, ProfileInfo, Schema};

type Result<T> = std::result::Result<T, Error>;

/// An action profile or selector with members of type `T`.
#[derive(Clone, Debug)]
pub struct Profile<T> {
    name: String,
    size: u64,
    has_groups: bool,
    next_member: u32,
    next_group: u32,
    members: BTreeMap<u32, T>,
    groups: BTreeMap<u32, BTreeSet<u32>>,
}

/// The profiles of a program, empty, by [`ProfileIndex`].
pub fn profiles<T>(schema: &Schema) -> Vec<Profile<T>> {
    schema.profiles.iter().map(Profile::new).collect()
}

/// One of a program's profiles.
///
/// # Errors
/// There is no such.
pub fn profile<T>(profiles: &mut [Profile<T>], index: ProfileIndex) -> Result<&mut Profile<T>> {
    let found = profiles.get_mut(index.index());
    found.ok_or_else(|| no_such(format!("action profile number {}", index.0)))
}

impl<T> Profile<T> {
    /// An empty profile for at most as many members as its size says; 0 stands for no limit.
    pub fn new(info: &ProfileInfo) -> Self {
        Self {
            name: info.name.clone(),
            size: info.size,
            has_groups: info.selector.is_some(),
            next_member: 0,
            next_group: 0,
            members: BTreeMap::new(),
            groups: BTreeMap::new(),
        }
    }

    fn no_member(&self, member: u32) -> Error {
        no_such(format!("member {member} of `{}`", self.name))
    }

    fn no_group(&self, group: u32) -> Error {
        no_such(format!("group {group} of `{}`", self.name))
    }

    /// Adds a member.
    ///
    /// # Errors
    /// All places for members are taken.
    pub fn add(&mut self, payload: T) -> Result<u32> {
        if self.size != 0 && self.members.len() as u64 >= self.size {
            let what = format!("action profile `{}`", self.name);
            return Err(Error::Full { what, size: self.size });
        }
        let handle = self.next_member;
        self.next_member += 1;
        self.members.insert(handle, payload);
        Ok(handle)
    }

    /// A member.
    pub fn member(&self, member: u32) -> Option<&T> {
        self.members.get(&member)
    }

    /// All members with their handles.
    pub fn members(&self) -> impl Iterator<Item = (u32, &T)> {
        self.members.iter().map(|(&handle, member)| (handle, member))
    }

    /// Changes a member.
    ///
    /// # Errors
    /// There is no such.
    pub fn modify(&mut self, member: u32, payload: T) -> Result<()> {
        match self.members.get_mut(&member) {
            Some(found) => *found = payload,
            None => return Err(self.no_member(member)),
        }
        Ok(())
    }

    /// Removes a member. `is_referred_to` says whether an entry or default action leads to it.
    ///
    /// # Errors
    /// There is no such, or an entry or a group has it.
    pub fn remove(&mut self, member: u32, is_referred_to: bool) -> Result<T> {
        let in_group = self.groups.values().any(|group| group.contains(&member));
        let user = is_referred_to.then_some("an entry").or(in_group.then_some("a group"));
        if let Some(by) = user {
            return Err(Error::InUse { what: format!("member {member} of `{}`", self.name), by });
        }
        self.members.remove(&member).ok_or_else(|| self.no_member(member))
    }

    /// Makes an empty group.
    ///
    /// # Errors
    /// This is no selector.
    pub fn create_group(&mut self) -> Result<u32> {
        if !self.has_groups {
            let message = format!("`{}` is no selector: it has no groups", self.name);
            return Err(Error::Invalid { message });
        }
        let handle = self.next_group;
        self.next_group += 1;
        self.groups.insert(handle, BTreeSet::new());
        Ok(handle)
    }

    /// Removes a group. `is_referred_to` says whether an entry or default action leads to it.
    ///
    /// # Errors
    /// There is no such, or an entry has it.
    pub fn remove_group(&mut self, group: u32, is_referred_to: bool) -> Result<()> {
        if is_referred_to {
            let what = format!("group {group} of `{}`", self.name);
            return Err(Error::InUse { what, by: "an entry" });
        }
        self.groups.remove(&group).map(|_| ()).ok_or_else(|| self.no_group(group))
    }

    /// Whether there is such a group.
    pub fn has_group(&self, group: u32) -> bool {
        self.groups.contains_key(&group)
    }

    /// The members of a group, ascending; `None` if there is no such group.
    pub fn group(&self, group: u32) -> Option<&BTreeSet<u32>> {
        self.groups.get(&group)
    }

    /// All groups with the handles of their members.
    pub fn groups(&self) -> &BTreeMap<u32, BTreeSet<u32>> {
        &self.groups
    }

    /// Puts a member into a group.
    ///
    /// # Errors
    /// Member or group is missing, or the member is in the group already.
    pub fn join(&mut self, group: u32, member: u32) -> Result<()> {
        if !self.members.contains_key(&member) {
            return Err(self.no_member(member));
        }
        let name = &self.name;
        match self.groups.get_mut(&group).map(|members| members.insert(member)) {
            Some(true) => Ok(()),
            Some(false) => Err(Error::Invalid {
                message: format!("member {member} of `{name}` is in the group already"),
            }),
            None => Err(self.no_group(group)),
        }
    }

    /// Takes a member out of a group.
    ///
    /// # Errors
    /// There is no such group, or the member is not in it.
    pub fn leave(&mut self, group: u32, member: u32) -> Result<()> {
        match self.groups.get_mut(&group).map(|members| members.remove(&member)) {
            Some(true) => Ok(()),
            Some(false) => Err(no_such(format!("member {member} in the group of `{}`", self.name))),
            None => Err(self.no_group(group)),
        }
    }

    /// The member of a group that a hash value chooses: the members stand in the order of their
    /// handles, and the value counts modulo their number. `None` in an empty or missing group.
    pub fn select(&self, group: u32, hash: u64) -> Option<u32> {
        let members = self.groups.get(&group)?;
        let count = members.len() as u64;
        let position = hash.checked_rem(count)?;
        members.iter().nth(position as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn members_and_groups() {
        let mut profile = Profile::new(&ProfileInfo {
            name: "p".to_owned(),
            instance: None,
            size: 3,
            selector: Some(("crc16".to_owned(), 14)),
            tables: Vec::new(),
            actions: Vec::new(),
        });
        let handles: Vec<_> = ["a", "b", "c"].map(|m| profile.add(m).expect("room")).to_vec();
        assert_eq!(handles, [0, 1, 2]);
        let full = Error::Full { what: "action profile `p`".to_owned(), size: 3 };
        assert_eq!(profile.add("d"), Err(full));
        let group = profile.create_group().expect("it is a selector");
        assert_eq!(profile.select(group, 5), None);
        profile.join(group, 2).expect("member and group exist");
        profile.join(group, 0).expect("member and group exist");
        let twice =
            Error::Invalid { message: "member 0 of `p` is in the group already".to_owned() };
        assert_eq!(profile.join(group, 0), Err(twice));
        assert_eq!(profile.join(group, 9), Err(no_such("member 9 of `p`".to_owned())));
        assert_eq!(profile.join(9, 0), Err(no_such("group 9 of `p`".to_owned())));
        assert_eq!((profile.select(group, 4), profile.select(group, 7)), (Some(0), Some(2)));
        let in_use = |by| Error::InUse { what: "member 0 of `p`".to_owned(), by };
        assert_eq!(profile.remove(0, false), Err(in_use("a group")));
        profile.leave(group, 0).expect("it is there");
        assert_eq!(profile.remove(0, true), Err(in_use("an entry")));
        profile.remove(0, false).expect("in no group now");
        assert_eq!(profile.select(group, 4), Some(2));
    }
}
