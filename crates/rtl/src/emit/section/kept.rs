//! The fields that packets keep on their way back to the parser, and clones to egress.

use super::super::dataflow::ValueId;
use super::super::lower::{Environment, Lowering, Request, Slot};
use super::front::Front;
use super::outcome::Outcome;
use std::collections::BTreeSet;
use ww_p4::pipeline::{FieldId, Pipeline};

/// Whether packets can come back to the parser.
pub(super) fn comes_back(
    l: &mut Lowering<'_>,
    front: &Front,
    egress: &Lowering<'_>,
    outcome: &Outcome,
) -> bool {
    let resubmit = l.get(&front.env, Slot::Request(Request::Resubmit));
    let again = outcome.copies.as_ref().map(|copies| copies.recirculates);
    l.graph.as_bit(resubmit) != Some(false)
        || again.is_some_and(|again| egress.graph.as_bit(again) != Some(false))
}

pub(super) fn kept_name(field: &str) -> String {
    format!("kept.{field}")
}

/// Fields that some list of fields to keep has, of those lists that lead back to the parser.
pub(super) fn kept_fields(front: &Lowering<'_>, egress: &Lowering<'_>) -> Vec<FieldId> {
    let lists = front.keeps.iter().chain(&egress.keeps);
    let fields: BTreeSet<FieldId> = lists.flatten().copied().collect();
    fields.into_iter().filter(|field| front.pipeline[*field].width > 0).collect()
}

/// The value of a field if the list of fields to keep has it, otherwise zero.
pub(super) fn kept_value(
    l: &mut Lowering<'_>,
    field: FieldId,
    list: ValueId,
    value: ValueId,
) -> ValueId {
    let mut has = l.graph.bit(false);
    for (n, fields) in l.keeps.clone().iter().enumerate() {
        if fields.contains(&field) {
            let this = l.graph.is(list, n);
            has = l.graph.or(has, this);
        }
    }
    let zero = l.graph.zero(l.graph.width(value));
    l.graph.mux(has, value, zero)
}

/// Sets the metadata that a list of fields keeps.
pub(super) fn keep_metadata(
    l: &mut Lowering<'_>,
    pipeline: &Pipeline,
    from: &Environment,
    list: ValueId,
    env: &mut Environment,
) {
    let fields: BTreeSet<FieldId> = l.keeps.iter().flatten().copied().collect();
    for field in fields {
        if pipeline[field].width > 0 {
            let value = l.field(from, field);
            let value = kept_value(l, field, list, value);
            l.set(env, field, value);
        }
    }
}
