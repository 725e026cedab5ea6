//! What optimisers spare, for designs without them: statements and branches that wait for each
//! other, fields that go along unread.

use super::super::dataflow::{UnitId, UnitKind, ValueId};
use super::super::options::Optimiser;
use super::Lowering;
use super::environment::{Environment, Slot};
use ww_p4::pipeline::Scope;

impl Lowering<'_> {
    /// What a statement gives: without merging of actions, a clock behind the statement before it
    /// in its block. What depends on a register array stays in the array's one clock.
    pub(super) fn in_turn(&mut self, value: ValueId) -> ValueId {
        let merges = self.optimises(Optimiser::ActionMerging);
        if merges || self.graph.as_const(value).is_some() || self.reads_state(value) {
            return value;
        }
        let value = match self.statement {
            Some(before) => self.graph.after(value, before),
            None => value,
        };
        self.statement = Some(value);
        value
    }

    /// The key of a table: without conversion of branches, a clock behind the condition under
    /// which it is looked up. A condition that depends on a register array is not waited for: the
    /// table's result may go into the array.
    pub(super) fn when_known(&mut self, key: ValueId, condition: ValueId) -> ValueId {
        if self.optimises(Optimiser::IfConversion) || self.reads_state(condition) {
            return key;
        }
        self.graph.after(key, condition)
    }

    /// Whether a value is made from what a register array holds.
    fn reads_state(&self, value: ValueId) -> bool {
        let reads =
            |unit: UnitId| matches!(self.graph.units[unit.index()].kind, UnitKind::Read(..));
        self.comes_from(value, reads)
    }

    /// Without removal of dead fields: headers and metadata that have a value at the end of a
    /// section go along to there. The architecture's own fields are left out, of which
    /// `packet_length` would make packets wait for their end.
    pub fn keep_alive(&mut self, env: &Environment) {
        if self.optimises(Optimiser::DeadFields) {
            return;
        }
        for slot in env.slots() {
            let Slot::Field(field) = slot else { continue };
            let declared = &self.pipeline[field];
            let stays = matches!(declared.scope, Scope::Headers | Scope::Metadata);
            if let Some(value) = env.get(slot)
                && stays
                && declared.width > 0
                && self.graph.as_const(value).is_none()
            {
                self.alive.push(value);
            }
        }
    }
}
