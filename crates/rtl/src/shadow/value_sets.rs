//! Members of value sets.

use super::{Result, Shadow, no_such};
use ww_dataplane::control::{Error, KeyMatch, ValueSetIndex};
use ww_engine::tables::{KeyField, key_fields};

/// A member in the form for comparison, and as it came.
pub(super) type Member = (Vec<KeyField>, Vec<KeyMatch>);

impl Shadow {
    pub fn value_set_add(&mut self, set: ValueSetIndex, member: Vec<KeyMatch>) -> Result<()> {
        let info = &self.schema[set];
        let keys = key_fields(&info.name, &info.keys, &member)?;
        let members = &mut self.value_sets[set.index()];
        if members.iter().any(|(found, _)| *found == keys) {
            return Err(Error::Duplicate { table: info.name.clone() });
        }
        if members.len() as u64 >= info.size {
            let what = format!("value set `{}`", info.name);
            return Err(Error::Full { what, size: info.size });
        }
        members.push((keys, member));
        Ok(())
    }

    pub fn value_set_remove(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()> {
        let info = &self.schema[set];
        let keys = key_fields(&info.name, &info.keys, member)?;
        let members = &mut self.value_sets[set.index()];
        let position = members.iter().position(|(found, _)| *found == keys);
        let missing = || no_such(format!("such member of value set `{}`", info.name));
        members.remove(position.ok_or_else(missing)?);
        Ok(())
    }

    pub fn value_set_clear(&mut self, set: ValueSetIndex) {
        self.value_sets[set.index()].clear();
    }

    /// The members of a value set, in the order in which they came.
    pub fn value_set(&self, set: ValueSetIndex) -> impl Iterator<Item = &[KeyMatch]> {
        self.value_sets[set.index()].iter().map(|(_, member)| member.as_slice())
    }
}
