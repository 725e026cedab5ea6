//! `[[tpp.app]]`: applications of TPPs at hosts.

use super::{Context, Value, values};
use crate::file::mistakes::Place;
use crate::file::quantity::{Bytes, Name, Probability, Rate, Span};
use crate::file::reader::Reader;
use crate::file::tree;
use std::collections::BTreeSet;
use ww_sim::network::NodeId;
use ww_tpp::apps::conga::{self, Measure};
use ww_tpp::apps::rcp;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::header::WordSize;
use ww_tpp::host::filter::Filter;
use ww_tpp::host::registry::{Registry, Space};
use ww_tpp::host::shim::Rule;
use ww_tpp::map;
use ww_tpp::packet::{Repr, Tpp};

/// An application.
#[derive(Clone, Debug, PartialEq)]
pub struct Application {
    /// Its name.
    pub name: String,
    /// Where it runs.
    pub hosts: Vec<NodeId>,
    /// What it does.
    pub kind: Kind,
}

/// What an application does.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Packets carry a program, receivers keep what it has read.
    Collect(Collect),
    /// Flows under RCP*.
    Rcp(Rcp),
    /// Flows under CONGA*.
    Conga(Conga),
}

/// Packets that carry a program.
#[derive(Clone, Debug, PartialEq)]
pub struct Collect {
    /// Which packets carry which TPP.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
    /// What it collects at each hop.
    pub values: Vec<Value>,
}

/// Flows under RCP*.
#[derive(Clone, Debug, PartialEq)]
pub struct Rcp {
    /// Pairs of hosts.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Flows of each pair.
    pub each: u16,
    /// What flows share links by: 0 for max-min.
    pub alpha: f64,
    /// Between two collections of a flow, ps.
    pub period: u64,
    /// Control packets are at most this share of a flow's rate.
    pub share: f64,
    /// Bytes of a frame of data.
    pub frame: u64,
    /// Bits a second at the start.
    pub begin: u64,
    /// Whether nothing is written.
    pub read_only: bool,
    /// Whether updates say what came of them.
    pub audit: bool,
    /// The TPP that collects.
    pub collect: Vec<u8>,
}

/// Flows under CONGA*.
#[derive(Clone, Debug, PartialEq)]
pub struct Conga {
    /// Who sends how much to whom.
    pub demands: Vec<Demand>,
    /// Whether flowlets look for the best path.
    pub balanced: bool,
    /// Bytes of a frame.
    pub frame: u64,
    /// Of the balancer.
    pub settings: conga::Settings,
    /// The TPP that collects.
    pub collect: Vec<u8>,
}

/// What one host sends to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// Bits a second on the line.
    pub rate: u64,
    /// Flows, each with the same share.
    pub flows: u32,
}

/// Hosts of which all pairs are looked at.
const EXACT: usize = 32;

/// Bytes that a frame may have which an application sends: there is room for a TPP below a jumbo frame's.
const FRAMES: std::ops::RangeInclusive<u64> = 100..=8_700;

#[derive(Clone, Copy)]
enum Word {
    Collect,
    Rcp,
    Conga,
}

const KINDS: [(&str, Word); 3] =
    [("collect", Word::Collect), ("rcp", Word::Rcp), ("conga", Word::Conga)];

const MEASURES: [(&str, Measure); 2] = [("largest", Measure::Largest), ("sum", Measure::Sum)];

const WORDS: [(&str, WordSize); 2] = [("16", WordSize::Two), ("32", WordSize::Four)];

/// Reads `[[tpp.app]]`. What is right is there, what is wrong has been told.
pub(super) fn read(
    tables: Vec<Reader<'_>>,
    registry: &mut Registry,
    context: &Context<'_>,
) -> Vec<Application> {
    let mut applications = Vec::new();
    let mut busy: BTreeSet<NodeId> = BTreeSet::new();
    for reader in tables {
        let name = reader.need::<Name>("name", "\"bursts\"").map(|name| name.0);
        let place = reader.value("name").map_or(reader.place(), |value| &value.place).clone();
        let id = name.as_deref().and_then(|name| {
            let id = registry.register(name);
            id.map_err(|error| reader.mistakes().add(&place, error.to_string())).ok()
        });
        let kind = match reader.needed_choice("kind", &KINDS) {
            None => None,
            Some(Word::Collect) => collect(&reader, context, registry, id).map(Kind::Collect),
            Some(Word::Rcp) => rcp(&reader, context, registry, id).map(Kind::Rcp),
            Some(Word::Conga) => conga(&reader, context, registry, id).map(Kind::Conga),
        };
        let chosen = match &kind {
            Some(Kind::Rcp(rcp)) => {
                Some(rcp.pairs.iter().flat_map(|(from, to)| [*from, *to]).collect())
            }
            Some(Kind::Conga(conga)) => {
                Some(conga.demands.iter().flat_map(|one| [one.from, one.to]).collect())
            }
            Some(Kind::Collect(_)) => match reader.value("hosts") {
                Some(value) => context.names.hosts(value),
                None => Some(context.network.hosts().map(|(id, _)| id).collect()),
            },
            None => None,
        };
        let hosts: BTreeSet<NodeId> = chosen.unwrap_or_default().into_iter().collect();
        if let Some(both) = hosts.iter().find(|host| busy.contains(host)) {
            let host = &context.network.nodes[*both as usize].name;
            let message = format!("'{host}' has an application already; a host has one");
            let advice = Some("say 'hosts' so that none is in two of them".to_owned());
            reader.mistakes().advise(&place, message, advice);
        }
        busy.extend(&hosts);
        if let (Some(name), Some(kind)) = (name, kind) {
            applications.push(Application { name, hosts: hosts.into_iter().collect(), kind });
        }
        reader.finish();
    }
    applications
}

/// A program of the lab's author.
fn collect(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Collect> {
    // Whether something is wrong is found out of all keys.
    reader.value("hosts");
    let hops = reader.within("hops", 0..=255u32);
    let word = reader.choice("word", &WORDS);
    let every = reader.within("every", 1..=1_000_000_000u32).unwrap_or(1);
    let mtu = reader.within("mtu", 100..=9_000u32).unwrap_or(1_500) as usize;
    let filter = match reader.value("filter") {
        None => Some(Filter::default()),
        Some(value) => reader.read::<String>("filter", value).and_then(|text| {
            let filter = text.parse::<Filter>();
            filter
                .map_err(|error| reader.mistakes().add(&value.place, format!("'filter': {error}")))
                .ok()
        }),
    };
    let writable = reader.value("write").map_or(&[][..], tree::Value::listed).iter();
    let mut writes = Vec::new();
    for item in writable {
        let Some(name) = reader.read::<String>("write", item) else { continue };
        match map::lookup(&name) {
            Ok(address) => writes.push(address),
            Err(_) => {
                let message = format!("'write': there is no address '{name}'");
                let advice = Some("ww tpp map --names has all".to_owned());
                reader.mistakes().advise(&item.place, message, advice);
            }
        }
    }
    let value = reader.needed_value("program", "\"queues.tpp\", or the program itself")?;
    let text = reader.read::<String>("program", value)?;
    let (name, program) = match text.contains(['\n', '[']) {
        true => (String::from("'program'"), text),
        false => match context.folder.text(&text) {
            Ok(program) => (text, program),
            Err(error) => {
                reader.mistakes().add(&value.place, format!("'program': {error}"));
                return None;
            }
        },
    };
    let says = program.contains(".hops").then_some(None);
    let hops =
        hops.map(|hops| Some(hops as u16)).or(says).unwrap_or_else(|| Some(longest(context)));
    let options = Options { hops, word, ..Options::default() };
    let tpp = match assemble(&program, &options) {
        Ok(tpp) => tpp,
        Err(all) => {
            for mistake in all {
                let place = format!("{name}:{}:{}", mistake.span.line, mistake.span.column);
                let message = format!("{place}: {}", mistake.message);
                reader.mistakes().advise(&value.place, message, mistake.help);
            }
            return None;
        }
    };
    let values = values::of(&tpp);
    let grants = [(false, 0, u16::MAX)].into_iter().chain(writes.iter().map(|at| (true, *at, *at)));
    let tpp = authorised(reader, &value.place, registry, (id?, grants), tpp.emit())?;
    let rule = Rule { filter: filter?, tpp, every, priority: 0 };
    Some(Collect { rule, mtu, values })
}

/// A TPP with its application's tag, if the application may send it.
fn authorised(
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
fn pair(
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
fn share(reader: &Reader<'_>, key: &'static str, default: f64) -> f64 {
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
fn frame(reader: &Reader<'_>, default: u64) -> u64 {
    let bytes = reader.get_or("bytes", Bytes(default)).0;
    if !FRAMES.contains(&bytes)
        && let Some(value) = reader.value("bytes")
    {
        let (from, to) = (FRAMES.start(), FRAMES.end());
        reader.mistakes().add(&value.place, format!("'bytes': expected {from} B to {to} B"));
    }
    bytes
}

fn rcp(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Rcp> {
    let each = reader.within("each", 1..=1_000u32).unwrap_or(1) as u16;
    let alpha = reader.get_or("alpha", 0.0);
    if !(0.0..=100.0).contains(&alpha)
        && let Some(value) = reader.value("alpha")
    {
        reader.mistakes().add(&value.place, format!("'alpha': expected 0 to 100, found {alpha}"));
    }
    let period = reader.get_or("period", Span(20_000_000_000)).0;
    if period < 100_000_000
        && let Some(value) = reader.value("period")
    {
        reader.mistakes().add(&value.place, "'period': expected 100 us or more");
    }
    let share = share(reader, "share", 0.05);
    let frame = frame(reader, 1_000);
    let begin = reader.get_or("begin", Rate(1_000_000)).0;
    let read_only = reader.get_or("read_only", false);
    let audit = reader.get_or("audit", false);
    let value = reader.needed_value("pairs", "[[\"h0\", \"h1\"]]")?;
    let pairs: Option<Vec<_>> =
        value.listed().iter().map(|item| pair(reader, item, context)).collect();
    let pairs = pairs?;
    if pairs.is_empty() || pairs.len() * usize::from(each) >= usize::from(rcp::agent::MAX_FLOWS) {
        let message = format!("'pairs': expected 1 to {} flows", rcp::agent::MAX_FLOWS - 1);
        reader.mistakes().add(&value.place, message);
        return None;
    }
    let text = format!("{}{}", rcp::COLLECT, if audit { rcp::audit::CLOCK } else { "" });
    let hops = pairs.iter().map(|(from, to)| hosts_apart(context, *from, *to)).max();
    let options = Options { hops, ..Options::default() };
    let tpp = assemble(&text, &options).map_err(|_| ());
    let Ok(tpp) = tpp else {
        let message = format!("a path of {} switches is too long for one TPP", hops.unwrap_or(0));
        reader.mistakes().add(&value.place, message);
        return None;
    };
    let id = id?;
    let register = registry.allocate(id, Space::Link, 1);
    if register != Ok((0xd000, 0xd000)) {
        reader.mistakes().add(reader.place(), "only one application of a lab can be \"rcp\"");
        return None;
    }
    let collect = authorised(reader, reader.place(), registry, (id, reads(&tpp)), tpp.emit())?;
    Some(Rcp { pairs, each, alpha, period, share, frame, begin, read_only, audit, collect })
}

/// Grants to read what a program reads.
fn reads(tpp: &Repr) -> Vec<(bool, u16, u16)> {
    tpp.instructions.iter().map(|one| (false, one.address(), one.address())).collect()
}

/// Switches between those two hosts that have most between them.
fn longest(context: &Context<'_>) -> u16 {
    let hosts: Vec<NodeId> = context.network.hosts().map(|(id, _)| id).collect();
    let first = hosts.first().copied().unwrap_or(0);
    // Twice the way of the first one is at least that of any two.
    let apart = hosts.iter().map(|host| hosts_apart(context, first, *host)).max().unwrap_or(1);
    let exact = hosts.len() <= EXACT;
    let pairs = hosts.iter().flat_map(|from| hosts.iter().map(move |to| (*from, *to)));
    match exact {
        true => pairs.map(|(from, to)| hosts_apart(context, from, to)).max().unwrap_or(1),
        false => apart.saturating_mul(2),
    }
}

/// Switches between two hosts, at least 1.
fn hosts_apart(context: &Context<'_>, from: NodeId, to: NodeId) -> u16 {
    super::hosts::Ways::new(context.network, to).path(0, 0, from).len().clamp(1, 255) as u16
}

fn conga(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Conga> {
    let usual = conga::Settings::default();
    let span = |key, default| reader.get_or(key, Span(default)).0;
    let settings = conga::Settings {
        gap: span("gap", usual.gap),
        settle: span("settle", usual.settle),
        stale: span("stale", usual.stale),
        weight: share(reader, "weight", usual.weight),
        margin: share(reader, "margin", usual.margin),
        measure: reader.choice("measure", &MEASURES).unwrap_or(usual.measure),
    };
    let balanced = reader.get_or("balanced", true);
    let frame = frame(reader, 1_476);
    let mut demands = Vec::new();
    for table in reader.tables("demand") {
        let host =
            |key| table.needed_value(key, "\"h0\"").and_then(|value| context.names.host(value));
        let (from, to) = (host("from"), host("to"));
        let rate = table.need::<Rate>("rate", "\"50 Mb/s\"").map(|rate| rate.0);
        let flows = table.within("flows", 1..=10_000u32).unwrap_or(1);
        table.finish();
        if let (Some(from), Some(to), Some(rate)) = (from, to, rate) {
            demands.push(Demand { from, to, rate, flows });
        }
    }
    if demands.is_empty() || demands.len() >= usize::from(conga::agent::MAX_DEMANDS) {
        reader.missing("demand", "{ from = \"h0\", to = \"h1\", rate = \"50 Mb/s\" }");
        return None;
    }
    let apart = |one: &Demand| hosts_apart(context, one.from, one.to);
    let hops = demands.iter().map(apart).max();
    let options = Options { hops, ..Options::default() };
    let tpp = assemble(conga::COLLECT, &options).ok()?;
    debug_assert!(Tpp::new(tpp.emit()).is_ok());
    let collect = authorised(reader, reader.place(), registry, (id?, reads(&tpp)), tpp.emit())?;
    Some(Conga { demands, balanced, frame, settings, collect })
}
