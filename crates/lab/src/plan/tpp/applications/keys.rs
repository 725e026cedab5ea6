//! Keys that several kinds of applications have, and what they may do.

use super::Context;
use crate::file::mistakes::Place;
use crate::file::quantity::{Bytes, Probability};
use crate::file::reader::Reader;
use crate::file::tree;
use ww_sim::network::NodeId;
use ww_tpp::host::registry::Registry;
use ww_tpp::packet::Repr;

/// Bytes that a frame may have which an application sends: there is room for a TPP below a jumbo frame's.
const FRAMES: std::ops::RangeInclusive<u64> = 100..=8_700;

/// A TPP with its application's tag, if the application may send it.
pub(super) fn authorised(
    reader: &Reader<'_>,
    place: &Place,
    registry: &mut Registry,
    (id, grants): (u64, impl IntoIterator<Item = (bool, u16, u16)>),
    tpp: Vec<u8>,
) -> Option<Vec<u8>> {
    let granted = grants
        .into_iter()
        .try_for_each(|(write, first, last)| registry.grant(id, write, first, last));
    let tpp = granted.and_then(|()| registry.authorise(id, &tpp));
    tpp.map_err(|error| {
        let advice = Some("say under 'write' which addresses it writes".to_owned());
        reader.mistakes().advise(place, error.to_string(), advice);
    })
    .ok()
}

/// Two hosts.
pub(super) fn pair(
    reader: &Reader<'_>,
    item: &tree::Value,
    context: &Context<'_>,
) -> Option<(NodeId, NodeId)> {
    let [from, to] = item.listed() else {
        let message =
            format!("expected two hosts such as [\"h0\", \"h1\"], found {}", item.described());
        reader.mistakes().add(&item.place, message);
        return None;
    };
    let (from, to) = (context.names.host(from), context.names.host(to));
    if from == to && from.is_some() {
        reader.mistakes().add(&item.place, "expected two hosts, found one twice");
        return None;
    }
    Some((from?, to?))
}

/// A share of something, above 0 and at most 1.
pub(super) fn share(reader: &Reader<'_>, key: &'static str, default: f64) -> f64 {
    let share = reader.get_or(key, Probability(default)).0;
    if !(share > 0.0 && share <= 1.0)
        && let Some(value) = reader.value(key)
    {
        let message = format!("'{key}': expected more than 0, 1 at most; found {share}");
        reader.mistakes().add(&value.place, message);
    }
    share
}

/// Bytes of frames that an application sends.
pub(super) fn frame(reader: &Reader<'_>, default: u64) -> u64 {
    let bytes = reader.get_or("bytes", Bytes(default)).0;
    if !FRAMES.contains(&bytes)
        && let Some(value) = reader.value("bytes")
    {
        let (from, to) = (FRAMES.start(), FRAMES.end());
        reader.mistakes().add(&value.place, format!("'bytes': expected {from} B to {to} B"));
    }
    bytes
}

/// Grants to read what a program reads.
pub(super) fn reads(tpp: &Repr) -> Vec<(bool, u16, u16)> {
    tpp.instructions.iter().map(|one| (false, one.address(), one.address())).collect()
}
