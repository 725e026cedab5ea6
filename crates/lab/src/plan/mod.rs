//! What a lab's file says, resolved: a network, what is sent in it, and what is measured.

mod alone;
pub mod clocks;
pub mod fabric;
mod lines;
mod links;
mod names;
mod nodes;
mod pair;
mod programs;
mod queueing;
mod run;
mod sizes;
mod stacks;
mod topology;
pub mod tpp;
mod traffic;
mod transport;

pub(crate) use lines::UNKNOWN_RATE;
pub use lines::{DEFAULT_OVERHEAD, DEFAULT_QUEUE};
pub use programs::rates;
pub use topology::MAX_ROUTES;

use clocks::Keeping;
use names::Names;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tpp::Tpps;
use ww_config::mistakes::{Mistakes, Place};
use ww_config::reader::Reader;
use ww_config::tree::{Kind, Table, Value};
use ww_runtime::engine::EngineName;
use ww_sim::network::{Network, NodeId};
use ww_tpp::switch::Config;

/// A lab that can be run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// A line.
    pub title: String,
    /// What the lab shows, in words.
    pub description: String,
    /// Where it makes sense.
    pub worlds: Worlds,
    /// How long, and how often.
    pub run: Run,
    /// Hosts on circuit switches, instead of a network.
    pub fabric: Option<fabric::Fabric>,
    /// Two TCP/IP hosts and a line, instead of a network.
    pub pair: Option<ww_tcp::pair::Plan>,
    /// Nodes, links, traffic.
    pub network: Network,
    /// Nodes that are fabrics of circuit switches.
    pub circuits: BTreeMap<NodeId, fabric::Circuits>,
    /// What nodes that are programs run, in the order of nodes.
    pub programs: Vec<Program>,
    /// Switches and applications of tiny packet programs.
    pub tpps: Option<Tpps>,
    /// Hosts whose clocks packets keep.
    pub keeping: Option<Keeping>,
    /// Scheduling policies of plain switches.
    pub schedulers: BTreeMap<NodeId, ww_sched::policy_file::Plan>,
    /// What each piece of traffic offers, in the order of [`Network::traffic`].
    pub offered: Vec<Offered>,
    /// What hosts run in world netns.
    pub commands: Vec<Command>,
    /// What is written down.
    pub measure: Measure,
    /// Names of directions of links: `s0->s1`, with ports where two nodes have several links. A direction's place is
    /// twice the link's number, and one more for the way back.
    pub directions: Arc<Vec<String>>,
}

/// The worlds that a lab can be run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum World {
    /// Virtual time.
    Sim,
    /// Linux namespaces, real time.
    Netns,
}

impl World {
    /// In labs and results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sim => "sim",
            Self::Netns => "netns",
        }
    }
}

/// In which worlds a lab makes sense; an error has the reason, or is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Worlds {
    /// Virtual time.
    pub sim: Result<(), String>,
    /// Linux namespaces.
    pub netns: Result<(), String>,
}

impl Worlds {
    /// Whether a lab makes sense in a world.
    ///
    /// # Errors
    /// Why it does not.
    pub fn possible(&self, world: World) -> Result<(), &str> {
        let possible = match world {
            World::Sim => &self.sim,
            World::Netns => &self.netns,
        };
        match possible {
            Ok(()) => Ok(()),
            Err(reason) if reason.is_empty() => Err("'worlds' does not name it"),
            Err(reason) => Err(reason),
        }
    }
}

/// How long a lab runs, and how often. Times in picoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Traffic is sent until then.
    pub duration: u64,
    /// What starts or is sent before is not counted.
    pub warmup: u64,
    /// Flows have so much time after `duration` to finish.
    pub drain: u64,
    /// Of the first run.
    pub seed: u64,
    /// Runs, each with the next seed.
    pub seeds: u32,
}

/// A node's program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Which node.
    pub node: NodeId,
    /// Its name.
    pub name: String,
    /// The P4 program.
    pub file: PathBuf,
    /// Where the lab names it.
    pub place: Place,
    /// Entries of its tables: commands, one a line.
    pub entries: String,
    /// Where they come from, in their order.
    pub sections: Vec<Section>,
    /// Where they come from, for messages.
    pub entries_name: String,
    /// What executes it.
    pub engine: EngineName,
    /// What orders its queues; without it they are first in, first out.
    pub scheduler: Option<ww_sched::policy_file::Plan>,
    /// Rates of its ports, bits a second.
    pub rates: BTreeMap<u32, u64>,
    /// If it executes TPPs.
    pub tcpu: Option<Config>,
}

/// Entries of a program that come from one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The byte of [`Program::entries`] with which they begin.
    pub start: usize,
    /// Where they come from.
    pub origin: Origin,
}

/// Where entries of a program come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// All of this file.
    File(PathBuf),
    /// A command in the lab's file.
    Line(Place),
    /// The command for each route, with the host that this one is for; without a name if it stands for all.
    Route(Place, String),
}

/// What a piece of traffic offers, as computed from the lab.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Offered {
    /// Its name.
    pub traffic: String,
    /// As the lab says it: part of `capacity`.
    pub load: Option<f64>,
    /// Bits a second of the senders' lines, or of the receivers' if they carry less.
    pub capacity: Option<f64>,
    /// Mean of the sizes, bytes: of the distribution as it is drawn from.
    pub mean_bytes: Option<f64>,
    /// Flows a second.
    pub flow_rate: Option<f64>,
    /// Bits a second, without headers of flows; with those of streams.
    pub rate: Option<f64>,
}

/// A command that runs on a host, in world netns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The traffic's name.
    pub name: String,
    /// Where it runs.
    pub node: NodeId,
    /// The program and its arguments.
    pub run: Vec<String>,
    /// When it is started, ps.
    pub start: u64,
    /// When it is ended, ps.
    pub stop: u64,
}

/// What is written down besides results.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// Each flow.
    pub flows: bool,
    /// Each packet that arrives.
    pub packets: bool,
    /// Queues are looked at so often, ps.
    pub every: Option<u64>,
    /// Those of these directions: twice the link's number, and one more for the way back.
    pub sampled: Vec<u32>,
    /// Frames of these directions are written down.
    pub captures: Vec<u32>,
}

/// Where the files are that a lab names.
#[derive(Clone, Copy, Debug)]
pub struct Folder<'p>(pub Option<&'p Path>);

/// Bytes of a file that a lab names, at most; captures excepted.
const MAX_FILE: u64 = 64 << 20;

impl Folder<'_> {
    /// The path of a file that is there.
    ///
    /// # Errors
    /// A sentence.
    pub fn path(&self, file: &str) -> Result<PathBuf, String> {
        let Some(folder) = self.0 else {
            return Err(format!("there is no folder in which '{file}' could be"));
        };
        let path = folder.join(file);
        match path.is_file() {
            true => Ok(path),
            false => Err(format!("there is no file '{}'", path.display())),
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// A sentence.
    pub fn text(&self, file: &str) -> Result<String, String> {
        let path = self.path(file)?;
        let wrong = |error: std::io::Error| format!("cannot read '{}': {error}", path.display());
        let length = std::fs::metadata(&path).map_err(wrong)?.len();
        if length > MAX_FILE {
            return Err(format!("'{}' has more than {MAX_FILE} bytes", path.display()));
        }
        std::fs::read_to_string(&path).map_err(wrong)
    }
}

/// What a lab's file says, as far as it could be read.
#[derive(Clone, Debug)]
pub struct Draft {
    /// To be run if nothing is wrong. Otherwise it has what is right.
    pub plan: Plan,
    /// What it has by name.
    pub named: Named,
    /// Where the lab says in which worlds it makes sense.
    pub worlds_place: Option<Place>,
}

/// What a lab has by name, also where there are other mistakes in it; `None` where not all names could be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Named {
    /// Pieces of traffic that are no commands.
    pub traffic: Option<Vec<String>>,
    /// Commands.
    pub commands: Option<Vec<String>>,
    /// Applications of tiny packet programs.
    pub applications: Option<Vec<String>>,
    /// Directions of links.
    pub directions: Option<Vec<String>>,
}

/// Reads a lab's tree. All mistakes are noted; those that only follow from others are not.
pub fn read(lab: &Table, source: usize, folder: &Folder<'_>, mistakes: &Mistakes) -> Draft {
    let start = Place::new(source, 0..0);
    let reader = Reader::new(lab, "the lab", &start, mistakes);
    let title = reader.get_or("title", String::new());
    let description = reader.get_or("description", String::new());
    let worlds = run::worlds(&reader);
    let worlds_place = reader.value("worlds").map(|value| value.place.clone());
    let (has_fabric, has_pair) = (reader.has("fabric"), reader.has("pair"));
    let run = match has_fabric || has_pair {
        true => Some(run::seeds_alone(reader.inner("run"))),
        false => run::run(reader.inner("run"), &reader),
    };
    let seed = run.map_or(1, |run| run.seed);
    let fabric = reader.inner("fabric").and_then(|inner| fabric::fabric(&inner, seed));
    let pair = reader.inner("pair").and_then(|inner| {
        let pair = pair::pair(&inner);
        inner.finish();
        pair
    });
    if has_pair {
        alone::check(&reader, &worlds, "pair", &["fabric"]);
    } else if has_fabric {
        alone::check(&reader, &worlds, "fabric", &[]);
    }
    // These are taken apart before a tree is read.
    for key in ["quick", "sweep", "variant"] {
        reader.value(key);
    }
    let topology = reader.value("topology");
    let generated = topology
        .map(|value| reader.as_table(value, "[topology]".into()).and_then(topology::network));
    let owner = match &generated {
        Some(Some(_)) => nodes::Owner::Topology,
        Some(None) => nodes::Owner::Unknown,
        None if reader.may_lack("topology") => nodes::Owner::Unknown,
        None => nodes::Owner::Lab,
    };
    let generated = generated.flatten();
    let mut circuits = BTreeMap::new();
    let mut network = Network::default();
    if let Some(generated) = generated {
        circuits.extend(generated.circuits.map(|circuits| (topology::MIDDLE, circuits)));
        network = generated.network;
    }
    let mut extras = nodes::nodes(&mut network, reader.tables("node"), owner);
    extras.nameless |= reader.may_lack("node");
    if !has_fabric
        && !has_pair
        && owner == nodes::Owner::Lab
        && network.nodes.is_empty()
        && !extras.nameless
    {
        let advice = Some("add [topology], or [[node]] and [[link]]".to_owned());
        mistakes.advise(&start, "the lab has no nodes", advice);
    }
    nodes::addresses(&mut network);
    let link_tables = reader.tables("link");
    let links_good = links::links(&mut network, &link_tables, extras.nameless)
        && !extras.nameless
        && !reader.may_lack("link");
    for table in link_tables {
        table.finish();
    }
    nodes::gateways(&mut network, &extras);
    stacks::stacks(&mut network, &extras, mistakes);
    let place_of = |id: NodeId| {
        let own = extras.places.get(&id).cloned();
        own.or_else(|| topology.map(|value| value.place.clone())).unwrap_or(start.clone())
    };
    links::check_addresses(&network, &extras.addressed, mistakes, place_of);
    if links_good {
        links::check(&network, &extras.doubled, mistakes, place_of);
    }
    network.routing = links::routing(reader.inner("routing"));
    network.queueing = queueing::queueing(reader.inner("queueing"));
    let known = names::Known {
        nodes_missing: extras.nameless,
        links_missing: !links_good,
        vague: std::mem::take(&mut extras.vague),
    };
    let is_whole = links_good && known.vague.is_empty();
    let names = Names::new(&network, mistakes, known);
    let change_tables = reader.tables("change");
    let changes = links::changes(&change_tables, &names);
    for table in change_tables {
        table.finish();
    }
    let transports = transport::Transports::read(reader.inner("transport"));
    let duration = run.map(|run| run.duration);
    let (names, transports) = (&names, &transports);
    let context = traffic::Context { names, transports, folder, duration };
    let read = traffic::traffic(reader.tables("traffic"), &context);
    let measure = run::measure(reader.inner("measure"), names);
    let schedulers = programs::schedulers(&mut extras, folder, mistakes);
    let tpp_reader = reader.inner("tpp");
    let drain = run.map(|run| run.drain);
    let context = tpp::Context { names, network: &network, folder, schedulers: &schedulers, drain };
    let told = mistakes.count();
    let tpps = tpp::tpp(tpp_reader, &context);
    let tpps_known = mistakes.count() == told && !reader.may_lack("tpp");
    let mut programs =
        programs::programs(&network, extras, is_whole, &schedulers, folder, mistakes);
    for program in &mut programs {
        program.tcpu = tpps.as_ref().and_then(|tpps| tpps.switches.get(&program.node)).cloned();
    }
    for node in circuits.keys() {
        let executes = tpps.as_ref().is_some_and(|tpps| tpps.switches.contains_key(node));
        let is_program = programs.iter().any(|program| program.node == *node);
        if executes || is_program || schedulers.contains_key(node) {
            let name = &network.nodes[*node as usize].name;
            let message = format!(
                "'{name}' is a fabric of circuit switches: it has no program, no scheduler and no tiny packet programs"
            );
            mistakes.add(topology.map_or(&start, |value| &value.place), message);
        }
    }
    let end = run.map(|run| run.duration + run.drain);
    let (clocks, keeping) = clocks::clocks(reader.inner("clocks"), names, &changes, end);
    let traffic_known = !read.nameless && !reader.may_lack("traffic");
    reader.finish();
    (network.changes, network.clocks) = (changes, clocks);
    network.traffic = read.traffic;
    if let Err(message) = ww_sim::transport::check(&network) {
        mistakes.add(topology.map_or(&start, |value| &value.place), message);
    }
    let is_program = |id: &NodeId| programs.iter().any(|program| program.node == *id);
    let schedulers = schedulers.into_iter().filter(|(id, _)| !is_program(id)).collect();
    let (offered, commands) = (read.offered, read.commands);
    let directions = Arc::new(names::directions(&network));
    let named = Named {
        traffic: traffic_known.then_some(read.traffic_names),
        commands: traffic_known.then_some(read.command_names),
        applications: tpps_known.then(|| {
            let all = tpps.iter().flat_map(|tpps| &tpps.applications);
            all.map(|application| application.name.clone()).collect()
        }),
        directions: links_good.then(|| {
            let links = 0..network.links.len() as u32;
            let both = links.flat_map(|link| [(link, false), (link, true)]);
            both.map(|(link, reverse)| network.direction_name(link, reverse)).collect()
        }),
    };
    let plan = Plan {
        title,
        description,
        worlds,
        run: run.unwrap_or(Run { duration: 0, warmup: 0, drain: 0, seed: 1, seeds: 1 }),
        fabric,
        pair,
        network,
        circuits,
        programs,
        tpps,
        keeping,
        schedulers,
        offered,
        commands,
        measure,
        directions,
    };
    Draft { plan, named, worlds_place }
}

/// What a value is, in the words of a lab's file.
pub(crate) fn written(value: &Value) -> String {
    match &value.kind {
        Kind::Text(text) => text.clone(),
        Kind::List(list) => {
            let items: Vec<String> = list.iter().map(written).collect();
            format!("[{}]", items.join(", "))
        }
        _ => value.described(),
    }
}
