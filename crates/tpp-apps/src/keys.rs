//! Keys that several kinds of applications have, and the grants of their TPPs.

use crate::application::{Context, Registration};
use crate::ways::{Ways, hosts_apart};
use ww_config::mistakes::Place;
use ww_config::quantity::{Bytes, Probability};
use ww_config::reader::Reader;
use ww_config::tree;
use ww_host::filter::Filter;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::WordSize;
use ww_tpp::packet::Repr;

/// Bytes that a frame may have which an application sends: there is room for a TPP below a jumbo frame's.
const FRAMES: std::ops::RangeInclusive<u64> = 100..=8_700;

/// Hosts of which all pairs are looked at.
const EXACT: usize = 32;

/// Which packets carry the TPP; `None` if that could not be read.
pub(crate) fn filter(reader: &Reader<'_>) -> Option<Filter> {
    let Some(value) = reader.value("filter") else { return Some(Filter::default()) };
    let filter = reader.read::<String>("filter", value)?.parse::<Filter>();
    filter.map_err(|error| reader.mistakes().add(&value.place, format!("'filter': {error}"))).ok()
}

/// One packet in this many carries it.
pub(crate) fn every(reader: &Reader<'_>) -> u32 {
    reader.within("every", 1..=1_000_000_000u32).unwrap_or(1)
}

/// Bytes of an IP packet with its TPP, at most.
pub(crate) fn mtu(reader: &Reader<'_>) -> usize {
    reader.within("mtu", 100..=9_000u32).unwrap_or(1_500) as usize
}

/// Packets that carry a program of ours: which ones, and how long they may be.
pub(crate) fn stamped(
    reader: &Reader<'_>,
    context: &Context<'_>,
    own: &mut Registration<'_>,
    program: &str,
) -> Option<(Rule, usize)> {
    let hops = reader.within("hops", 1..=255u32).map(|hops| hops as u16);
    let (filter, every, mtu) = (filter(reader), every(reader), mtu(reader));
    let hops = hops.unwrap_or_else(|| longest(context));
    // Switches, and with them IDs of links, are beyond 16 bits.
    let wide = context.network.nodes.len() > MOST_NARROW;
    let word = wide.then_some(WordSize::Four);
    let options = Options { hops: Some(hops), word, ..Options::default() };
    let Ok(tpp) = assemble(program, &options) else {
        let message = format!("a path of {hops} switches is too long for one TPP");
        let advice = Some("say 'hops' for the longest path that packets take".to_owned());
        reader.mistakes().advise(reader.place(), message, advice);
        return None;
    };
    let tpp = authorised(reader, reader.place(), own, reads(&tpp), tpp.emit())?;
    Some((Rule { filter: filter?, tpp, every, priority: 0 }, mtu))
}

/// Nodes whose links have IDs of 16 bits.
const MOST_NARROW: usize = 254;

/// Switches between those two hosts that have most between them.
pub(crate) fn longest(context: &Context<'_>) -> u16 {
    let hosts: Vec<NodeId> = context.network.hosts().map(|(id, _)| id).collect();
    let first = hosts.first().copied().unwrap_or(0);
    // Twice the way of the first one is at least that of any two.
    let apart =
        hosts.iter().map(|host| hosts_apart(context.network, first, *host)).max().unwrap_or(1);
    let exact = hosts.len() <= EXACT;
    let pairs = hosts.iter().flat_map(|from| hosts.iter().map(move |to| (*from, *to)));
    match exact {
        true => pairs.map(|(from, to)| hosts_apart(context.network, from, to)).max().unwrap_or(1),
        false => apart.saturating_mul(2),
    }
}

/// A TPP with its application's tag, if the application may send it.
pub(crate) fn authorised(
    reader: &Reader<'_>,
    place: &Place,
    own: &mut Registration<'_>,
    grants: impl IntoIterator<Item = (bool, u16, u16)>,
    tpp: Vec<u8>,
) -> Option<Vec<u8>> {
    let id = own.id?;
    let registry = &mut *own.registry;
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
pub(crate) fn pair(
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

/// `from` and `to`: two hosts, and the switches between them.
pub(crate) fn path(
    reader: &Reader<'_>,
    context: &Context<'_>,
) -> Option<((NodeId, NodeId), Vec<NodeId>)> {
    let host = |key, example| reader.needed_value(key, example).and_then(|v| context.names.host(v));
    let (from, to) = (host("from", "\"h0\""), host("to", "\"h1\""));
    let (from, to) = (from?, to?);
    if from == to {
        reader
            .mistakes()
            .add(reader.place(), "'from' and 'to': expected two hosts, found one twice");
        return None;
    }
    let way = Ways::new(context.network, to).path(0, 0, from);
    Some(((from, to), way.into_iter().map(|(node, _)| node).collect()))
}

/// A share of something, above 0 and at most 1.
pub(crate) fn share(reader: &Reader<'_>, key: &'static str, default: f64) -> f64 {
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
pub(crate) fn frame(reader: &Reader<'_>, default: u64) -> u64 {
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
pub(crate) fn reads(tpp: &Repr) -> Vec<(bool, u16, u16)> {
    tpp.instructions.iter().map(|one| (false, one.address(), one.address())).collect()
}

/// Where an application runs that may run at all hosts.
pub(crate) fn hosts(reader: &Reader<'_>, context: &Context<'_>) -> Option<Vec<NodeId>> {
    match reader.value("hosts") {
        Some(value) => context.names.hosts(value),
        None => Some(context.network.hosts().map(|(id, _)| id).collect()),
    }
}
