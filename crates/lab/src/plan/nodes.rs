//! `[[node]]`: nodes of their own, and settings of those that a topology has made.

use super::names::{is_pattern, listed, matches};
use super::stacks::Wanted;
use crate::file::names::{Gateway, Name};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::net::Ipv4Addr;
use ww_config::mistakes::{Mistakes, Place, did_you_mean};
use ww_config::quantity::{Mac, Offset, Quantity, Span};
use ww_config::reader::Reader;
use ww_config::tree::{Kind, Value};
use ww_runtime::engine::EngineName;
use ww_sim::clock::Clock;
use ww_sim::network::{Host, Network, Node, NodeId, NodeKind, Switch};
use ww_sim::topology;

/// What the nodes of a lab have that [`Network`] does not hold.
#[derive(Clone, Debug, Default)]
pub(super) struct Extras {
    /// Programs of nodes, as written.
    pub programs: BTreeMap<NodeId, ProgramSettings>,
    /// Scheduling policies of switches and programs: files, with where they are named.
    pub schedulers: BTreeMap<NodeId, (String, Place)>,
    /// Addresses of programs, which are routers for the hosts beside them.
    pub macs: BTreeMap<NodeId, [u8; 6]>,
    /// What is said of the stacks of hosts.
    pub stacks: BTreeMap<NodeId, Wanted>,
    /// Nodes whose kind could not be read; they count as switches.
    pub vague: HashSet<NodeId>,
    /// Where something is first said of a node.
    pub places: BTreeMap<NodeId, Place>,
    /// Where a host's addresses are said.
    pub addressed: BTreeMap<NodeId, Place>,
    /// Nodes whose name another one has, too: what is said of that name may be of the other one.
    pub doubled: HashSet<NodeId>,
    /// Some nodes have no name that could be read.
    pub nameless: bool,
}

/// What is said of a program.
#[derive(Clone, Debug)]
pub(super) struct ProgramSettings {
    pub program: Option<(String, Place)>,
    /// There is a key that is nearly `program`, or a value that is none.
    pub has_slip: bool,
    pub entries: Entries,
    pub routes: Vec<(String, Place)>,
    pub engine: EngineName,
    /// Where the node is made.
    pub place: Place,
}

/// Where the entries of tables come from.
#[derive(Clone, Debug, Default)]
pub(super) enum Entries {
    #[default]
    None,
    /// A file with commands.
    File(String, Place),
    /// Commands.
    Lines(Vec<(String, Place)>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum NodeWord {
    Host,
    Switch,
    Program,
}

const KINDS: [(&str, NodeWord); 3] =
    [("host", NodeWord::Host), ("switch", NodeWord::Switch), ("program", NodeWord::Program)];

const ENGINES: [(&str, EngineName); 3] =
    [("jit", EngineName::Jit), ("interp", EngineName::Interp), ("rtl", EngineName::Rtl)];

/// The largest number of steps of a clock.
const MAX_STEPS: usize = 1000;

/// What one table says.
struct Settings {
    kind: Option<NodeWord>,
    /// Also if it is a word that is none, or the key is nearly that.
    has_kind: bool,
    /// As in [`ProgramSettings`].
    has_program_slip: bool,
    ip: Option<Ipv4Addr>,
    mac: Option<[u8; 6]>,
    gateway: Option<[u8; 6]>,
    stack: Wanted,
    clock: Option<Clock>,
    routes: Option<bool>,
    latency: Option<u64>,
    engine: Option<EngineName>,
    scheduler: Option<(String, Place)>,
    program: Option<(String, Place)>,
    entries: Option<Entries>,
    templates: Option<Vec<(String, Place)>>,
    place: Place,
}

/// Whose nodes those of the tables are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// There is no topology.
    Lab,
    /// The tables speak of the topology's, too.
    Topology,
    /// There is a topology of which it is not known what nodes it has.
    Unknown,
}

/// Adds the nodes of the tables and sets what they say. Returns what the network does not hold.
pub(super) fn nodes(network: &mut Network, tables: Vec<Reader<'_>>, owner: Owner) -> Extras {
    let generated = owner == Owner::Topology;
    let mut extras = Extras { nameless: owner == Owner::Unknown, ..Extras::default() };
    let mut known: HashMap<String, NodeId> =
        (0..).zip(&network.nodes).map(|(id, node)| (node.name.clone(), id)).collect();
    let mut written: HashSet<String> = HashSet::new();
    for reader in tables {
        let name_value = reader.needed_value("name", "\"h0\"");
        let settings = settings(&reader);
        let mistakes = reader.mistakes();
        let place = reader.place().clone();
        reader.finish();
        let Some(value) = name_value else {
            extras.nameless = true;
            continue;
        };
        let text = value.text().unwrap_or_default();
        if generated && is_pattern(text) {
            let fits = (0..).zip(&network.nodes).filter(|(_, node)| matches(text, &node.name));
            let ids: Vec<NodeId> = fits.map(|(id, _)| id).collect();
            if ids.is_empty() {
                let names: Vec<&str> =
                    network.nodes.iter().map(|node| node.name.as_str()).collect();
                let message = format!("there is no node that fits '{text}'");
                mistakes.advise(&value.place, message, listed(&names));
            }
            for id in ids {
                apply(network, &mut extras, id, &settings, mistakes);
            }
            continue;
        }
        let name = match owner {
            // What it says of the topology's nodes is read, whichever these are.
            Owner::Unknown if is_pattern(text) => text.to_owned(),
            _ => match read_name(value, mistakes) {
                Some(Name(name)) => name,
                None => {
                    extras.nameless = true;
                    continue;
                }
            },
        };
        if let Some(id) = known.get(&name).copied() {
            if !written.insert(name.clone()) && owner == Owner::Lab {
                mistakes.add(&value.place, format!("two nodes are called '{name}'"));
                extras.doubled.insert(id);
                continue;
            }
            apply(network, &mut extras, id, &settings, mistakes);
            continue;
        }
        if settings.kind.is_none() && generated && !settings.has_kind {
            let names: Vec<&str> = network.nodes.iter().map(|node| node.name.as_str()).collect();
            let advice = did_you_mean(&name, names)
                .or_else(|| Some("a node that the topology does not have needs a 'kind'".into()));
            mistakes.advise(&value.place, format!("there is no node '{name}'"), advice);
            continue;
        }
        if settings.kind.is_none() && !settings.has_kind && owner != Owner::Unknown {
            let advice = Some("such as kind = \"host\" | \"switch\" | \"program\"".to_owned());
            mistakes.advise(&place, "[[node]] needs 'kind'", advice);
        }
        // Only a program has one.
        let guess = settings.program.as_ref().map(|_| NodeWord::Program);
        if settings.kind.or(guess).is_none() {
            extras.vague.insert(network.nodes.len() as NodeId);
        }
        let kind = settings.kind.or(guess).unwrap_or(NodeWord::Switch);
        let node_kind = match kind {
            NodeWord::Host => NodeKind::Host(Host {
                ip: Ipv4Addr::UNSPECIFIED,
                mac: [0; 6],
                gateway: None,
                stack: None,
            }),
            NodeWord::Switch => NodeKind::Switch(Switch::default()),
            NodeWord::Program => NodeKind::Program,
        };
        network.nodes.push(Node { name: name.clone(), kind: node_kind, clock: Clock::exact() });
        let id = (network.nodes.len() - 1) as NodeId;
        known.insert(name.clone(), id);
        written.insert(name);
        extras.places.insert(id, place);
        if !extras.vague.contains(&id) {
            apply(network, &mut extras, id, &settings, mistakes);
        }
    }
    extras
}

fn read_name(value: &Value, mistakes: &Mistakes) -> Option<Name> {
    match Name::read(value) {
        Ok(name) => Some(name),
        Err(message) => {
            mistakes.add(&value.place, format!("'name': {message}"));
            None
        }
    }
}

fn settings(reader: &Reader<'_>) -> Settings {
    let named = |key| {
        let value: &Value = reader.value(key)?;
        reader.read::<String>(key, value).map(|text| (text, value.place.clone()))
    };
    // `routes` is of a switch, where it is true or false, and of a program, where it is a text or a list of texts.
    let routes_value = reader.value("routes");
    let is_truth = routes_value.is_some_and(|value| matches!(value.kind, Kind::Truth(_)));
    let templates = routes_value.filter(|_| !is_truth).map(|value| {
        let read = |item: &Value| {
            reader.read::<String>("routes", item).map(|text| (text, item.place.clone()))
        };
        value.listed().iter().filter_map(read).collect()
    });
    let entries = reader.value("entries").map(|value| match &value.kind {
        Kind::List(list) => {
            let read = |item: &Value| Some((reader.read("entries", item)?, item.place.clone()));
            Entries::Lines(list.iter().filter_map(read).collect())
        }
        _ => match reader.read::<String>("entries", value) {
            Some(file) => Entries::File(file, value.place.clone()),
            None => Entries::None,
        },
    });
    let gateway = reader.get::<Gateway>("gateway");
    let router = match gateway {
        Some(Gateway::Address(ip)) => {
            reader.value("gateway").map(|value| (ip, value.place.clone()))
        }
        _ => None,
    };
    Settings {
        kind: reader.choice("kind", &KINDS),
        has_kind: reader.value("kind").is_some() || reader.has_slip_of("kind"),
        ip: reader.get("ip"),
        mac: reader.get::<Mac>("mac").map(|mac| mac.0),
        gateway: match gateway {
            Some(Gateway::Mac(mac)) => Some(mac),
            _ => None,
        },
        stack: Wanted::read(reader, router),
        clock: clock(reader),
        routes: routes_value.filter(|_| is_truth).and_then(|value| reader.read("routes", value)),
        latency: reader.get::<Span>("latency").map(|span| span.0),
        engine: reader.choice("engine", &ENGINES),
        scheduler: named("scheduler"),
        program: named("program"),
        has_program_slip: reader.value("program").is_some() || reader.has_slip_of("program"),
        entries,
        templates,
        place: reader.place().clone(),
    }
}

/// `clock = { ppm = 12.5, offset = "3 us", steps = [{ at = "1 ms", by = "-2 us" }] }`
fn clock(reader: &Reader<'_>) -> Option<Clock> {
    let inner = reader.inner("clock")?;
    let ppm: f64 = inner.get_or("ppm", 0.0);
    if ppm.abs() > 10_000.0
        && let Some(value) = inner.value("ppm")
    {
        inner.mistakes().add(&value.place, format!("'ppm': expected -10000 to 10000, found {ppm}"));
    }
    let ppm = ppm.clamp(-10_000.0, 10_000.0);
    let offset = inner.get_or("offset", Offset(0)).0;
    let mut clock = match (ppm == 0.0, offset) {
        (true, 0) => Clock::exact(),
        _ => Clock::new(offset, (ppm * 1000.0).round() as i64),
    };
    let mut last = 0;
    for (number, item) in inner.value("steps").map_or(&[][..], Value::listed).iter().enumerate() {
        if number >= MAX_STEPS {
            inner.mistakes().add(&item.place, format!("more than {MAX_STEPS} steps"));
            break;
        }
        let Some(step) = inner.as_table(item, "a step of 'clock'".into()) else { continue };
        let at = step.need::<Span>("at", "\"1 ms\"").map(|span| span.0);
        let by = step.need::<Offset>("by", "\"-2 us\"").map(|offset| offset.0);
        if let (Some(at), Some(by)) = (at, by) {
            match at >= last {
                true => clock.step(at, by),
                false => {
                    inner.mistakes().add(&item.place, "steps come in the order of their times")
                }
            }
            last = last.max(at);
        }
        step.finish();
    }
    inner.finish();
    Some(clock)
}

fn apply(
    network: &mut Network,
    extras: &mut Extras,
    id: NodeId,
    settings: &Settings,
    mistakes: &Mistakes,
) {
    extras.places.entry(id).or_insert_with(|| settings.place.clone());
    if settings.ip.is_some() || settings.mac.is_some() {
        extras.addressed.insert(id, settings.place.clone());
    }
    let node = &mut network.nodes[id as usize];
    if let (Some(NodeWord::Program), NodeKind::Switch(_)) = (settings.kind, &node.kind) {
        node.kind = NodeKind::Program;
    }
    let word = match node.kind {
        NodeKind::Host(_) => NodeWord::Host,
        NodeKind::Switch(_) => NodeWord::Switch,
        NodeKind::Program => NodeWord::Program,
    };
    if let Some(kind) = settings.kind
        && kind != word
    {
        let message = format!("'{}' is a {}: its kind cannot change", node.name, word_of(word));
        mistakes.add(&settings.place, message);
        return;
    }
    let foreign = [
        ("ip", settings.ip.is_some(), word == NodeWord::Host),
        ("mac", settings.mac.is_some(), word != NodeWord::Switch),
        ("gateway", settings.gateway.is_some(), word == NodeWord::Host),
        ("gateway", settings.stack.router.is_some(), word == NodeWord::Host),
        ("stack", settings.stack.stack.is_some(), word == NodeWord::Host),
        ("prefix", settings.stack.prefix.is_some(), word == NodeWord::Host),
        ("mtu", settings.stack.mtu.is_some(), word == NodeWord::Host),
        ("routes", settings.routes.is_some(), word == NodeWord::Switch),
        ("latency", settings.latency.is_some(), word == NodeWord::Switch),
        ("engine", settings.engine.is_some(), word == NodeWord::Program),
        ("program", settings.program.is_some(), word == NodeWord::Program),
        ("entries", settings.entries.is_some(), word == NodeWord::Program),
        ("routes", settings.templates.is_some(), word == NodeWord::Program),
        ("scheduler", settings.scheduler.is_some(), word != NodeWord::Host),
    ];
    for (key, given, belongs) in foreign {
        if given && !belongs {
            let what = word_of(word);
            let form = match (key, word) {
                ("routes", NodeWord::Switch) => {
                    " is true or false; commands for each route are for a program"
                }
                ("routes", NodeWord::Program) => {
                    " is a command for each route; true or false is for a switch"
                }
                _ => " has no meaning there",
            };
            let message = format!("'{}' is a {what}: '{key}'{form}", node.name);
            mistakes.add(&settings.place, message);
        }
    }
    if let Some(clock) = &settings.clock {
        node.clock = clock.clone();
    }
    match &mut node.kind {
        NodeKind::Host(host) => {
            host.ip = settings.ip.unwrap_or(host.ip);
            host.mac = settings.mac.unwrap_or(host.mac);
            host.gateway = settings.gateway.or(host.gateway);
            extras.stacks.entry(id).or_default().take(&settings.stack);
        }
        NodeKind::Switch(switch) => {
            switch.routes = settings.routes.unwrap_or(switch.routes);
            switch.latency = settings.latency.unwrap_or(switch.latency);
        }
        NodeKind::Program => {
            let program = extras.programs.entry(id).or_insert_with(|| ProgramSettings {
                program: None,
                has_slip: false,
                entries: Entries::None,
                routes: Vec::new(),
                engine: EngineName::Jit,
                place: settings.place.clone(),
            });
            program.program = settings.program.clone().or(program.program.take());
            program.has_slip |= settings.has_program_slip;
            if let Some(entries) = &settings.entries {
                program.entries = entries.clone();
            }
            if let Some(routes) = &settings.templates {
                program.routes.clone_from(routes);
            }
            program.engine = settings.engine.unwrap_or(program.engine);
            if let Some(mac) = settings.mac {
                extras.macs.insert(id, mac);
            }
            program.place = settings.place.clone();
        }
    }
    if let Some(scheduler) = &settings.scheduler
        && word != NodeWord::Host
    {
        extras.schedulers.insert(id, scheduler.clone());
    }
}

fn word_of(word: NodeWord) -> &'static str {
    match word {
        NodeWord::Host => "host",
        NodeWord::Switch => "switch",
        NodeWord::Program => "program",
    }
}

/// Gives addresses to hosts that have none: the next numbers that nobody has.
pub(super) fn addresses(network: &mut Network) {
    let hosts = || {
        network.nodes.iter().filter_map(|node| match &node.kind {
            NodeKind::Host(host) => Some(host),
            _ => None,
        })
    };
    let ips: HashSet<Ipv4Addr> = hosts().map(|host| host.ip).collect();
    let macs: HashSet<[u8; 6]> = hosts().map(|host| host.mac).collect();
    let mut number = 0;
    for node in &mut network.nodes {
        let NodeKind::Host(host) = &mut node.kind else { continue };
        if host.ip.is_unspecified() {
            while ips.contains(&topology::host(number).ip) {
                number += 1;
            }
            let free = topology::host(number);
            number += 1;
            host.ip = free.ip;
            if host.mac == [0; 6] && !macs.contains(&free.mac) {
                host.mac = free.mac;
            }
        }
        if host.mac == [0; 6] {
            let [a, b, c, d] = host.ip.octets();
            host.mac = [2, 0, a, b, c, d];
        }
    }
}

/// Hosts beside a program that has an address use it as their gateway, if they name none.
pub(super) fn gateways(network: &mut Network, extras: &Extras) {
    let ends: Vec<_> = network.links.iter().map(|link| link.ends.map(|end| end.node)).collect();
    for [first, second] in ends {
        for (host, other) in [(first, second), (second, first)] {
            if let (NodeKind::Host(host), Some(mac)) =
                (&mut network.nodes[host as usize].kind, extras.macs.get(&other))
            {
                host.gateway = host.gateway.or(Some(*mac));
            }
        }
    }
}
