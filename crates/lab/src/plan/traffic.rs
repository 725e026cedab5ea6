//! `[[traffic]]`: what hosts send.

use super::names::Names;
use super::sizes::sizes;
use super::transport::{Transports, frame_bytes};
use super::{Command, Folder, Offered};
use crate::file::names::{Name, is_name};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use ww_config::mistakes::Place;
use ww_config::quantity::{Bytes, Frequency, Rate, Share, Span};
use ww_config::reader::Reader;
use ww_config::tree::{Kind as ValueKind, Value};
use ww_io::capture::CaptureReader;
use ww_io::time::UtcTime;
use ww_sim::network::NodeId;
use ww_sim::network::traffic::{
    Arrivals, Flows, Incast, Kind, Pairs, Pattern, Ping, Replay, Requests, Stream, Traffic,
};
use ww_sim::stack::{self, Setting};
use ww_sim::workload::sizes::Sizes;

/// Frames that a capture may have: they are held in memory.
const MAX_REPLAYED: usize = 1 << 22;

/// What the tables say.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub traffic: Vec<Traffic>,
    pub offered: Vec<Offered>,
    pub commands: Vec<Command>,
    /// Names of all pieces that are no commands, also of those that have mistakes.
    pub traffic_names: Vec<String>,
    /// Names of all commands, likewise.
    pub command_names: Vec<String>,
    /// Some pieces have no name that could be read.
    pub nameless: bool,
}

/// What all pieces of traffic are read with.
pub(super) struct Context<'c> {
    pub names: &'c Names<'c>,
    pub transports: &'c Transports,
    pub folder: &'c Folder<'c>,
    /// When traffic ends that does not say so; `None` if that could not be read.
    pub duration: Option<u64>,
}

#[derive(Clone, Copy, PartialEq)]
enum KindWord {
    Stream,
    Flows,
    Requests,
    Incast,
    Replay,
    Ping,
    Command,
}

const KINDS: [(&str, KindWord); 7] = [
    ("stream", KindWord::Stream),
    ("flows", KindWord::Flows),
    ("requests", KindWord::Requests),
    ("incast", KindWord::Incast),
    ("replay", KindWord::Replay),
    ("ping", KindWord::Ping),
    ("command", KindWord::Command),
];

/// All pieces of traffic.
pub(super) fn traffic(tables: Vec<Reader<'_>>, context: &Context<'_>) -> Read {
    let mut read = Read::default();
    let mut names: HashMap<String, Place> = HashMap::new();
    for reader in tables {
        let mistakes = reader.mistakes();
        let name = reader.need::<Name>("name", "\"web\"").map(|name| name.0);
        if let (Some(name), Some(value)) = (&name, reader.value("name"))
            && names.insert(name.clone(), value.place.clone()).is_some()
        {
            mistakes.add(&value.place, format!("two pieces of traffic are called '{name}'"));
        }
        read.nameless |= name.is_none();
        let kind = reader.needed_choice("kind", &KINDS);
        // One whose kind is not known may be either.
        if kind != Some(KindWord::Command) {
            read.traffic_names.extend(name.clone());
        }
        if matches!(kind, None | Some(KindWord::Command)) {
            read.command_names.extend(name.clone());
        }
        let (start, stop) = times(&reader, context);
        let Some(word) = kind else {
            unknown_kind(&reader, context);
            continue;
        };
        let name = name.unwrap_or_default();
        if word == KindWord::Command {
            read.commands.extend(command(&reader, &name, start, stop, context));
            reader.finish();
            continue;
        }
        let class = reader.within("class", 0..=63u32).unwrap_or(0) as u8;
        let mut offered = Offered { traffic: name.clone(), ..Offered::default() };
        let kind = match word {
            KindWord::Stream => stream(&reader, context, &mut offered).map(Kind::Stream),
            KindWord::Flows => flows(&reader, context, &mut offered).map(Kind::Flows),
            KindWord::Requests => requests(&reader, context, &mut offered).map(Kind::Requests),
            KindWord::Incast => incast(&reader, context).map(Kind::Incast),
            KindWord::Replay => replay(&reader, context).map(Kind::Replay),
            KindWord::Ping => ping(&reader, context).map(Kind::Ping),
            KindWord::Command => None,
        };
        if let Some(kind) = kind {
            let traffic = Traffic { name, start, stop, class, kind };
            check_stacks(&reader, context, &traffic);
            read.traffic.push(traffic);
            read.offered.push(offered);
        }
        reader.finish();
    }
    read
}

/// When it starts and stops, ps.
fn times(reader: &Reader<'_>, context: &Context<'_>) -> (u64, u64) {
    let start = reader.get_or("start", Span(0)).0;
    let end = context.duration.unwrap_or(u64::MAX >> 8);
    let stop = reader.get_or("stop", Span(end.max(start))).0;
    if stop < start
        && let Some(value) = reader.value("stop")
    {
        reader.mistakes().add(&value.place, "'stop' is before 'start'");
    } else if start > 0
        && start >= end
        && let Some(value) = reader.value("start")
    {
        let message = format!(
            "'start' ({}) is not before the end of all traffic, the run's 'duration': nothing would be sent",
            super::written(value)
        );
        reader.mistakes().add(&value.place, message);
    }
    (start, stop)
}

/// What could be wrong in a piece of any kind.
fn unknown_kind(reader: &Reader<'_>, context: &Context<'_>) {
    for key in ["from", "to", "clients", "servers", "hosts", "node"] {
        if let Some(value) = reader.value(key) {
            context.names.hosts(value);
        }
    }
    for key in ["on", "off", "period", "jitter", "think"] {
        reader.get::<Span>(key);
    }
    for key in ["bytes", "request"] {
        reader.get::<Bytes>(key);
    }
    if reader.value("transport").is_some() {
        context.transports.chosen(reader);
    }
}

/// Hosts with a stack and hosts without one do not mix.
fn check_stacks(reader: &Reader<'_>, context: &Context<'_>, traffic: &Traffic) {
    let Err(mistake) = stack::check(context.names.network, traffic) else { return };
    let keys: &[&'static str] = match mistake.setting {
        Setting::Hosts => &["to", "pairs", "servers", "from"],
        Setting::Transport => &["transport"],
        Setting::Bytes => &["bytes", "transport"],
        Setting::Class => &["class"],
    };
    let value = keys.iter().find_map(|key| reader.value(key));
    let place = value.map_or(reader.place(), |value| &value.place);
    reader.mistakes().advise(place, mistake.message, Some(mistake.advice));
}

/// Bits a second of a host's own line.
fn edge_rate(names: &Names<'_>, host: NodeId) -> u64 {
    let links = &names.network.links;
    let found = links.iter().find_map(|link| match link.ends.map(|end| end.node == host) {
        [true, _] => Some(link.directions[0].rate),
        [_, true] => Some(link.directions[1].rate),
        _ => None,
    });
    found.unwrap_or(0)
}

/// A share of lines: more than 0, all of them at most.
fn load(reader: &Reader<'_>) -> Option<f64> {
    let load = reader.get::<Share>("load")?.0;
    if load > 0.0 && load <= 1.0 {
        return Some(load);
    }
    let value = reader.value("load")?;
    let found = value.described();
    let message = format!(
        "'load': expected more than 0 and at most 1, which is all that lines carry, found {found}"
    );
    reader.mistakes().add(&value.place, message);
    None
}

/// Exactly one of these keys must be there.
fn one_of(reader: &Reader<'_>, keys: &[&'static str], example: &str) -> Option<&'static str> {
    let given: Vec<&'static str> =
        keys.iter().copied().filter(|key| reader.value(key).is_some()).collect();
    match given[..] {
        [one] => Some(one),
        [] if keys.iter().any(|key| reader.has_slip_of(key)) => None,
        [] => {
            let message = format!("{} needs one of {}", reader.what(), keys.join(", "));
            reader.mistakes().advise(reader.place(), message, Some(format!("such as {example}")));
            None
        }
        [_, second, ..] => {
            let place = reader.value(second).map_or(reader.place(), |value| &value.place);
            let message = format!("{} has {}: one of them", reader.what(), given.join(" and "));
            reader.mistakes().add(place, message);
            None
        }
    }
}

fn host(reader: &Reader<'_>, key: &'static str, context: &Context<'_>) -> Option<NodeId> {
    reader.needed_value(key, "\"h0\"").and_then(|value| context.names.host(value))
}

fn differ(reader: &Reader<'_>, from: Option<NodeId>, to: Option<NodeId>) {
    if let (Some(from), Some(to), Some(value)) = (from, to, reader.value("to"))
        && from == to
    {
        reader.mistakes().add(&value.place, "'from' and 'to' are the same host");
    }
}

fn stream(reader: &Reader<'_>, context: &Context<'_>, offered: &mut Offered) -> Option<Stream> {
    let (from, to) = (host(reader, "from", context), host(reader, "to", context));
    differ(reader, from, to);
    let bytes = frame_bytes(reader, "bytes");
    let which = one_of(reader, &["rate", "load"], "rate = \"1 Gb/s\"");
    let rate = which.and_then(|which| match which {
        "rate" => reader.get::<Rate>("rate").map(|rate| rate.0),
        _ => load(reader).and_then(|load| {
            let line = edge_rate(context.names, from?);
            let rate = (line as f64 * load) as u64;
            (rate >= 466 || line == 0).then_some(rate).or_else(|| {
                let place = &reader.value("load")?.place;
                reader.mistakes().add(place, format!("'load': {rate} b/s is less than 466 b/s"));
                None
            })
        }),
    });
    let words = [("constant", 0), ("poisson", 1), ("on-off", 2)];
    let pattern =
        reader.choice("pattern", &words).or(reader.value("pattern").is_none().then_some(0));
    let (on, off) = match pattern {
        Some(2) => {
            let times = ["on", "off"].map(|key| reader.need::<Span>(key, "\"100 us\""));
            for (key, time) in ["on", "off"].into_iter().zip(times) {
                if time == Some(Span(0))
                    && let Some(value) = reader.value(key)
                {
                    reader.mistakes().add(&value.place, format!("'{key}': expected more than 0"));
                }
            }
            (times[0].map_or(0, |on| on.0), times[1].map_or(u64::MAX >> 8, |off| off.0))
        }
        _ => (0, 0),
    };
    let varied =
        reader.choice("lengths", &[("fixed", false), ("exponential", true)]).unwrap_or(false);
    if varied
        && matches!(pattern, Some(0 | 2))
        && let Some(value) = reader.value("lengths")
    {
        reader
            .mistakes()
            .add(&value.place, "'lengths': exponential ones belong to pattern = \"poisson\"");
    }
    let rate = rate?;
    offered.rate = Some(rate as f64);
    offered.mean_bytes = bytes.map(f64::from);
    let pattern = match pattern? {
        0 => Pattern::Constant { rate },
        1 if varied => Pattern::Exponential { rate },
        1 => Pattern::Poisson { rate },
        _ => {
            offered.rate = Some(rate as f64 * on as f64 / (on as f64 + off as f64));
            Pattern::OnOff { rate, on, off }
        }
    };
    Some(Stream { from: from?, to: to?, bytes: bytes?, pattern })
}

/// Who sends to whom: `pairs`, or `from` and `to`, or everybody to everybody.
fn pairs(reader: &Reader<'_>, context: &Context<'_>) -> Option<Pairs> {
    let names = context.names;
    let all = || names.network.hosts().map(|(id, _)| id).collect::<Vec<_>>();
    let hosts = reader.value("hosts").map(|value| names.hosts(value).ok_or(()));
    let (from, to) = (reader.value("from"), reader.value("to"));
    let two = |list: Vec<NodeId>, value: Option<&Value>| match list.len() {
        0 | 1 => {
            let place = value.map_or(reader.place(), |value| &value.place);
            reader.mistakes().add(place, format!("{} needs two hosts or more", reader.what()));
            None
        }
        _ => Some(list),
    };
    let Some(value) = reader.value("pairs") else {
        return match (from, to) {
            (None, None) => {
                let list = hosts.unwrap_or_else(|| Ok(all())).ok()?;
                Some(Pairs::AllToAll(two(list, reader.value("hosts"))?))
            }
            (Some(from), Some(to)) => {
                let (senders, receivers) = (names.hosts(from), names.hosts(to));
                let (senders, receivers) = (senders?, receivers?);
                if senders.len() == 1 && senders == receivers {
                    reader.mistakes().add(&to.place, "'from' and 'to' are the same host");
                    return None;
                }
                Some(Pairs::Between(senders, receivers))
            }
            (given, _) => {
                reader.missing(if given.is_some() { "to" } else { "from" }, "[\"h*\"]");
                None
            }
        };
    };
    if let Some(extra) = from.or(to) {
        let message = "'pairs' already says who sends to whom: leave out 'from' and 'to'";
        reader.mistakes().add(&extra.place, message);
    }
    if let ValueKind::List(list) = &value.kind {
        if let Some(hosts) = reader.value("hosts") {
            let message = "'pairs' already names hosts: leave out 'hosts'";
            reader.mistakes().add(&hosts.place, message);
        }
        let pair = |item: &Value| match item.listed() {
            [from, to] => {
                let (from, to) = (names.host(from), names.host(to));
                if from.is_some() && from == to {
                    reader.mistakes().add(&item.place, "a pair of one host");
                }
                from.zip(to)
            }
            _ => {
                reader.mistakes().add(&item.place, "expected a pair such as [\"h0\", \"h1\"]");
                None
            }
        };
        let pairs: Vec<_> = list.iter().map(pair).collect();
        if pairs.is_empty() {
            reader.mistakes().add(&value.place, "'pairs': expected one pair or more, found none");
            return None;
        }
        return pairs.into_iter().collect::<Option<_>>().map(Pairs::Listed);
    }
    let word = reader.choice("pairs", &[("all-to-all", false), ("permutation", true)])?;
    let list = two(hosts.unwrap_or_else(|| Ok(all())).ok()?, reader.value("hosts"))?;
    Some(if word { Pairs::Permutation(list) } else { Pairs::AllToAll(list) })
}

/// Bits a second that the lines of the senders carry, or those of the receivers if that is less.
fn capacity(pairs: &Pairs, names: &Names<'_>) -> u64 {
    let sum = |hosts: &mut dyn Iterator<Item = NodeId>| -> u64 {
        let hosts: HashSet<NodeId> = hosts.collect();
        hosts.iter().map(|host| edge_rate(names, *host)).sum()
    };
    match pairs {
        Pairs::AllToAll(hosts) | Pairs::Permutation(hosts) => sum(&mut hosts.iter().copied()),
        Pairs::Between(from, to) => {
            sum(&mut from.iter().copied()).min(sum(&mut to.iter().copied()))
        }
        Pairs::Listed(pairs) => {
            sum(&mut pairs.iter().map(|pair| pair.0)).min(sum(&mut pairs.iter().map(|pair| pair.1)))
        }
    }
}

fn flows(reader: &Reader<'_>, context: &Context<'_>, offered: &mut Offered) -> Option<Flows> {
    let pairs = pairs(reader, context);
    let sizes = sizes(reader, "sizes", context.folder);
    let transport = context.transports.chosen(reader);
    let keys = ["load", "rate", "once", "at"];
    let which = one_of(reader, &keys, "load = 0.6, rate = \"1000 /s\", once = true");
    let mean = sizes.as_ref().map(|sizes| sizes.mean());
    let arrivals = match which? {
        "load" => {
            let load = load(reader)?;
            let capacity = capacity(pairs.as_ref()?, context.names) as f64;
            let rate = load * capacity / (8.0 * mean?);
            offered.load = Some(load);
            offered.capacity = Some(capacity);
            offered.flow_rate = Some(rate);
            offered.rate = Some(load * capacity);
            Arrivals::Poisson { rate }
        }
        "rate" => {
            let Frequency(rate) = reader.get("rate")?;
            offered.flow_rate = Some(rate);
            offered.rate = mean.map(|mean| mean * 8.0 * rate);
            Arrivals::Poisson { rate }
        }
        "once" => {
            let value = reader.value("once")?;
            if !reader.get::<bool>("once")? {
                reader.mistakes().add(&value.place, "'once': expected true, or the key left out");
            }
            if !matches!(pairs, None | Some(Pairs::Listed(_) | Pairs::Permutation(_))) {
                let message = "'once' needs pairs that are listed, or pairs = \"permutation\"";
                reader.mistakes().add(&value.place, message);
            }
            Arrivals::Once
        }
        _ => {
            let value = reader.value("at")?;
            let times: Vec<_> =
                value.listed().iter().map(|item| reader.read::<Span>("at", item)).collect();
            let times: Vec<u64> =
                times.into_iter().map(|time| time.map(|span| span.0)).collect::<Option<_>>()?;
            if !times.is_sorted() {
                reader.mistakes().add(&value.place, "'at': expected times in order");
            }
            Arrivals::At(times)
        }
    };
    offered.mean_bytes = mean;
    Some(Flows { pairs: pairs?, arrivals, sizes: sizes?, transport: transport? })
}

fn hosts(reader: &Reader<'_>, key: &'static str, context: &Context<'_>) -> Option<Vec<NodeId>> {
    reader.needed_value(key, "[\"h*\"]").and_then(|value| context.names.hosts(value))
}

fn requests(reader: &Reader<'_>, context: &Context<'_>, offered: &mut Offered) -> Option<Requests> {
    let clients = hosts(reader, "clients", context);
    let servers = hosts(reader, "servers", context);
    let request = reader.need::<Bytes>("request", "\"100 B\"");
    if request == Some(Bytes(0))
        && let Some(value) = reader.value("request")
    {
        reader.mistakes().add(&value.place, "'request': expected 1 B or more");
    }
    let response = sizes(reader, "response", context.folder);
    let outstanding = reader.within("outstanding", 1..=10_000u32).unwrap_or(1);
    let think = reader.get_or("think", Span(0)).0;
    let transport = context.transports.chosen_reliable(reader);
    offered.mean_bytes = response.as_ref().map(|sizes: &Arc<Sizes>| sizes.mean());
    if let (Some(clients), Some(servers), Some(value)) =
        (&clients, &servers, reader.value("servers"))
        && let [server] = servers[..]
        && clients.contains(&server)
    {
        let message = "a client whose only server is itself: leave it out of 'clients'";
        reader.mistakes().add(&value.place, message);
    }
    Some(Requests {
        clients: clients?,
        servers: servers?,
        request: request?.0,
        response: response?,
        outstanding,
        think,
        transport: transport?,
    })
}

fn incast(reader: &Reader<'_>, context: &Context<'_>) -> Option<Incast> {
    let (from, to) = (hosts(reader, "from", context), host(reader, "to", context));
    let bytes = reader.need::<Bytes>("bytes", "\"64 KB\"");
    let period = reader.need::<Span>("period", "\"10 ms\"");
    let jitter = reader.get_or("jitter", Span(0)).0;
    for (key, is_zero) in [("bytes", bytes == Some(Bytes(0))), ("period", period == Some(Span(0)))]
    {
        if is_zero && let Some(value) = reader.value(key) {
            reader.mistakes().add(&value.place, format!("'{key}': expected more than 0"));
        }
    }
    let transport = context.transports.chosen_reliable(reader);
    let (mut from, to) = (from?, to?);
    // `from = ["h*"]` with `to = "h0"` means all others.
    from.retain(|host| *host != to);
    if from.is_empty() {
        reader.mistakes().add(reader.place(), "incast has no sender besides the receiver");
        return None;
    }
    Some(Incast { from, to, bytes: bytes?.0, period: period?.0, jitter, transport: transport? })
}

/// Echoes, 56 bytes each second, as ping does by itself.
fn ping(reader: &Reader<'_>, context: &Context<'_>) -> Option<Ping> {
    let (from, to) = (host(reader, "from", context), host(reader, "to", context));
    differ(reader, from, to);
    let Bytes(bytes) = reader.get_or("bytes", Bytes(56));
    let period = reader.get_or("period", Span(1_000_000_000_000)).0;
    if !(12..=8_972).contains(&bytes)
        && let Some(value) = reader.value("bytes")
    {
        let message =
            format!("'bytes': expected 12 to 8972 (behind the ICMP header), found {bytes}");
        reader.mistakes().add(&value.place, message);
        return None;
    }
    if period == 0
        && let Some(value) = reader.value("period")
    {
        reader.mistakes().add(&value.place, "'period': expected more than 0");
    }
    Some(Ping { from: from?, to: to?, bytes: bytes as u32, period })
}

fn replay(reader: &Reader<'_>, context: &Context<'_>) -> Option<Replay> {
    let from = host(reader, "from", context);
    let value = reader.needed_value("file", "\"trace.pcap\"")?;
    let file = reader.read::<String>("file", value)?;
    let frames = context.folder.path(&file).and_then(|path| frames(&path));
    let frames = frames.map_err(|error| reader.mistakes().add(&value.place, error)).ok()?;
    Some(Replay { from: from?, frames: Arc::new(frames) })
}

/// Frames of a capture with their times after the earliest one, in order.
fn frames(path: &Path) -> Result<Vec<(u64, Vec<u8>)>, String> {
    let mut reader = CaptureReader::open(path).map_err(|error| error.to_string())?;
    let (mut frames, mut frame) = (Vec::new(), Vec::new());
    while let Some(info) = reader.next_frame(&mut frame).map_err(|error| error.to_string())? {
        if frames.len() >= MAX_REPLAYED {
            return Err(format!("{}: more than {MAX_REPLAYED} frames", path.display()));
        }
        frames.push((info.timestamp, frame.clone()));
    }
    frames.sort_by_key(|(time, _)| *time);
    let first = frames.first().map(|(time, _)| *time);
    let after = |(time, frame): (UtcTime, Vec<u8>)| Some((time.since(first?)?, frame));
    let frames: Option<Vec<_>> = frames.into_iter().map(after).collect();
    frames.ok_or_else(|| format!("{}: spans more than 213 days", path.display()))
}

/// A program that runs on a host of world netns.
fn command(
    reader: &Reader<'_>,
    name: &str,
    start: u64,
    stop: u64,
    context: &Context<'_>,
) -> Option<Command> {
    let node = reader.needed_value("node", "\"h0\"").and_then(|value| context.names.host(value));
    let run = reader.needed_value("run", "[\"ping\", \"-c\", \"3\", \"{h1.ip}\"]")?;
    let words: Vec<_> =
        run.listed().iter().map(|item| reader.read::<String>("run", item)).collect();
    let words = words.into_iter().collect::<Option<Vec<String>>>()?;
    if words.is_empty() {
        reader.mistakes().add(&run.place, "'run': expected a command and its arguments");
        return None;
    }
    for (item, word) in run.listed().iter().zip(&words) {
        addresses(item, word, context.names);
    }
    Some(Command { name: name.to_owned(), node: node?, run: words, start, stop })
}

/// What commands may ask of a host, between braces: `{h1.ip}`.
const ADDRESSES: [&str; 2] = ["ip", "mac"];

/// Says which addresses in a word of a command are of no host. Other braces are the command's own.
fn addresses(item: &Value, word: &str, names: &Names<'_>) {
    for part in word.split('{').skip(1) {
        let inner = part.split_once('}').map(|(inner, _)| inner);
        let Some((name, field)) = inner.and_then(|inner| inner.rsplit_once('.')) else { continue };
        if ADDRESSES.contains(&field) && is_name(name) {
            let name = Value { place: item.place.clone(), kind: ValueKind::Text(name.to_owned()) };
            names.host(&name);
        } else if names.is_node(name) {
            let message = format!("unknown field '{{{name}.{field}}}'");
            let advice = Some(format!("there are {{{name}.ip}} and {{{name}.mac}}"));
            names.mistakes.advise(&item.place, message, advice);
        }
    }
}
