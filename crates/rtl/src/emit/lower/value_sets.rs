//! Value sets of parsers.

use super::super::dataflow::{UnitKind, ValueId};
use super::super::refusal::Reason;
use super::Lowering;
use ww_p4::pipeline::ValueSetId;
use ww_p4::source::Span;

/// Members that a set in flip-flops can have.
const MAX_MEMBERS: u64 = 256;

impl Lowering<'_> {
    /// Whether a value set has a member that these values, one for each of its keys, match.
    pub fn is_member(&mut self, id: ValueSetId, values: &[ValueId], span: Span) -> ValueId {
        let set = &self.pipeline[id];
        let bits: u32 = values.iter().map(|value| self.graph.width(*value)).sum();
        if set.size > MAX_MEMBERS || bits != set.widths.iter().sum::<u32>() || bits == 0 {
            self.refuse(Reason::ValueSet, &set.name, Some(span));
            return self.graph.bit(false);
        }
        if set.size == 0 {
            return self.graph.bit(false);
        }
        let key = self.graph.join(values.to_vec());
        if let Some((.., known)) = self.members.iter().find(|(s, k, _)| (*s, *k) == (id, key)) {
            return *known;
        }
        let port = self.members.iter().filter(|(set, ..)| *set == id).count();
        let kind = UnitKind::Member(id.0, port as u32);
        let hit = self.graph.unit(kind, vec![key], vec![1])[0];
        let name = format!("{}_has", set.name);
        self.graph.name(hit, &name);
        self.members.push((id, key, hit));
        hit
    }
}
