//! Value sets: keys that `select` of a parser compares with.

use crate::tables::{KeyField, key_fields, key_views};
use crate::validation::no_such;
use ww_dataplane::control::{Error, KeyMatch, ValueSetInfo};

type Result<T> = std::result::Result<T, Error>;

/// The members of a value set, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct ValueSet {
    members: Vec<Vec<KeyField>>,
}

impl ValueSet {
    /// The members: one key per field of the set's element type.
    pub fn members(&self) -> &[Vec<KeyField>] {
        &self.members
    }

    /// The members in the form of their match kinds.
    pub fn views(&self, info: &ValueSetInfo) -> Vec<Vec<KeyMatch>> {
        self.members.iter().map(|member| key_views(&info.keys, member)).collect()
    }

    /// Adds a member and returns its keys.
    ///
    /// # Errors
    /// Keys that the set does not take, a member that is there already, or no room.
    pub fn add(&mut self, info: &ValueSetInfo, member: &[KeyMatch]) -> Result<&[KeyField]> {
        let keys = key_fields(&info.name, &info.keys, member)?;
        if self.members.contains(&keys) {
            return Err(Error::Duplicate { table: info.name.clone() });
        }
        if self.members.len() as u64 >= info.size {
            let what = format!("value set `{}`", info.name);
            return Err(Error::Full { what, size: info.size });
        }
        Ok(self.members.push_mut(keys))
    }

    /// Removes a member and returns its position; those behind it move up.
    ///
    /// # Errors
    /// Keys that the set does not take, or no such member.
    pub fn remove(&mut self, info: &ValueSetInfo, member: &[KeyMatch]) -> Result<usize> {
        let keys = key_fields(&info.name, &info.keys, member)?;
        let missing = || no_such(format!("such member of value set `{}`", info.name));
        let position = self.members.iter().position(|m| *m == keys).ok_or_else(missing)?;
        self.members.remove(position);
        Ok(position)
    }

    /// Removes all members.
    pub fn clear(&mut self) {
        self.members.clear();
    }
}
