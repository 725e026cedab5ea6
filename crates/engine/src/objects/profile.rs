//! Action profiles and selectors: members that entries share, and groups of them.

use std::collections::{BTreeMap, BTreeSet};

/// Why a request was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProfileError {
    /// No such member.
    NoMember,
    /// No such group.
    NoGroup,
    /// All places for members are taken.
    Full,
    /// The member is in the group already.
    AlreadyInGroup,
    /// The member is not in the group.
    NotInGroup,
    /// A group still has the member.
    InGroup,
}

/// An action profile or selector with members of type `T`.
#[derive(Clone, Debug)]
pub struct Profile<T> {
    size: u64,
    next_member: u32,
    next_group: u32,
    members: BTreeMap<u32, T>,
    groups: BTreeMap<u32, BTreeSet<u32>>,
}

impl<T> Profile<T> {
    /// An empty profile for at most `size` members; 0 stands for no limit.
    pub fn new(size: u64) -> Self {
        let size = if size == 0 { u64::MAX } else { size };
        Self {
            size,
            next_member: 0,
            next_group: 0,
            members: BTreeMap::new(),
            groups: BTreeMap::new(),
        }
    }

    /// Adds a member.
    pub fn add(&mut self, payload: T) -> Result<u32, ProfileError> {
        if self.members.len() as u64 >= self.size {
            return Err(ProfileError::Full);
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
    pub fn modify(&mut self, member: u32, payload: T) -> Result<(), ProfileError> {
        *self.members.get_mut(&member).ok_or(ProfileError::NoMember)? = payload;
        Ok(())
    }

    /// Removes a member that is in no group.
    pub fn remove(&mut self, member: u32) -> Result<(), ProfileError> {
        if self.groups.values().any(|g| g.contains(&member)) {
            return Err(ProfileError::InGroup);
        }
        self.members.remove(&member).map(|_| ()).ok_or(ProfileError::NoMember)
    }

    /// Makes an empty group.
    pub fn create_group(&mut self) -> u32 {
        let handle = self.next_group;
        self.next_group += 1;
        self.groups.insert(handle, BTreeSet::new());
        handle
    }

    /// Removes a group.
    pub fn remove_group(&mut self, group: u32) -> Result<(), ProfileError> {
        self.groups.remove(&group).map(|_| ()).ok_or(ProfileError::NoGroup)
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
    pub fn join(&mut self, group: u32, member: u32) -> Result<(), ProfileError> {
        if !self.members.contains_key(&member) {
            return Err(ProfileError::NoMember);
        }
        let members = self.groups.get_mut(&group).ok_or(ProfileError::NoGroup)?;
        if members.insert(member) { Ok(()) } else { Err(ProfileError::AlreadyInGroup) }
    }

    /// Takes a member out of a group.
    pub fn leave(&mut self, group: u32, member: u32) -> Result<(), ProfileError> {
        let members = self.groups.get_mut(&group).ok_or(ProfileError::NoGroup)?;
        if members.remove(&member) { Ok(()) } else { Err(ProfileError::NotInGroup) }
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
        let mut profile = Profile::new(3);
        let handles: Vec<_> = ["a", "b", "c"].map(|m| profile.add(m).expect("room")).to_vec();
        assert_eq!(handles, [0, 1, 2]);
        assert_eq!(profile.add("d"), Err(ProfileError::Full));
        let group = profile.create_group();
        assert_eq!(profile.select(group, 5), None);
        profile.join(group, 2).expect("member and group exist");
        profile.join(group, 0).expect("member and group exist");
        assert_eq!(profile.join(group, 0), Err(ProfileError::AlreadyInGroup));
        assert_eq!(profile.join(group, 9), Err(ProfileError::NoMember));
        assert_eq!(profile.join(9, 0), Err(ProfileError::NoGroup));
        assert_eq!((profile.select(group, 4), profile.select(group, 7)), (Some(0), Some(2)));
        assert_eq!(profile.remove(0), Err(ProfileError::InGroup));
        profile.leave(group, 0).expect("it is there");
        profile.remove(0).expect("in no group now");
        assert_eq!(profile.select(group, 4), Some(2));
    }
}
