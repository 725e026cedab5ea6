//! Members of value sets.

use super::{Result, Shadow};
use ww_dataplane::control::{KeyMatch, ValueSetIndex};
use ww_engine::tables::KeyField;

impl Shadow {
    pub fn value_set_add(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()> {
        self.value_sets[set.index()].add(&self.schema[set], member).map(|_| ())
    }

    pub fn value_set_remove(&mut self, set: ValueSetIndex, member: &[KeyMatch]) -> Result<()> {
        self.value_sets[set.index()].remove(&self.schema[set], member).map(|_| ())
    }

    pub fn value_set_clear(&mut self, set: ValueSetIndex) {
        self.value_sets[set.index()].clear();
    }

    pub fn value_set_members(&self, set: ValueSetIndex) -> Vec<Vec<KeyMatch>> {
        self.value_sets[set.index()].views(&self.schema[set])
    }

    /// The members of a value set, in the order in which they came.
    pub fn value_set(&self, set: ValueSetIndex) -> &[Vec<KeyField>] {
        self.value_sets[set.index()].members()
    }
}
