//! `[[tpp.app]]`: applications of TPPs at hosts.

mod collect;
mod conga;
mod convergence;
mod drops;
mod histories;
mod keys;
mod paths;
mod rcp;
mod silent;
mod sketch;
mod update;
mod vendors;

use super::Context;
use super::vendors::Vendor;
use crate::file::quantity::Name;
use crate::file::reader::Reader;
use crate::plan::Plan;
pub use collect::Collect;
pub use conga::{Conga, Demand};
pub use convergence::Convergence;
pub use drops::Drops;
pub use histories::Histories;
pub use rcp::Rcp;
pub use silent::Silent;
pub use sketch::{PORT as SKETCH_PORT, Sketch};
use std::collections::{BTreeMap, BTreeSet};
pub use update::Update;
pub use vendors::Vendors;
use ww_host::agent::Measured;
use ww_host::registry::Registry;
use ww_sim::network::{Network, NodeId};
use ww_tpp::protection::Protection;
use ww_tpp::switch::Config;
use ww_tpp_apps::spec::Spec;

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
    /// Counts of packets by path, to find links that lose some.
    Silent(Silent),
    /// Packets that say how long each part of their way took.
    Paths(Collect),
    /// Packets that bring their history with them.
    Histories(Histories),
    /// Packets that carry their path, to see routes change.
    Convergence(Convergence),
    /// Switches tell a host of packets that they drop.
    Drops(Drops),
    /// Sketches of links, made at hosts.
    Sketch(Sketch),
    /// Routes for the switches of a path.
    Update(Update),
    /// A statistic of switches of several vendors.
    Vendors(Vendors),
}

/// The run that hosts are told of.
pub(super) struct Setting<'p> {
    pub plan: &'p Plan,
    pub seed: u64,
    pub protection: &'p Protection,
    /// Those that execute TPPs.
    pub switches: &'p BTreeMap<NodeId, Config>,
}

impl Setting<'_> {
    fn network(&self) -> &Network {
        &self.plan.network
    }

    /// What counts.
    fn measured(&self) -> Measured {
        Measured { from: self.plan.run.warmup, until: self.plan.run.duration }
    }
}

impl Kind {
    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> Spec {
        match self {
            Self::Collect(one) | Self::Paths(one) => Spec::Collect(one.spec(node, setting)),
            Self::Histories(one) => Spec::Collect(one.collect.spec(node, setting)),
            Self::Rcp(one) => Spec::Rcp(one.spec(node, setting)),
            Self::Conga(one) => Spec::Conga(one.spec(node, setting)),
            Self::Convergence(one) => Spec::Convergence(one.spec(node, setting)),
            Self::Drops(one) => Spec::Drops(one.spec(setting)),
            Self::Silent(one) => Spec::Silent(one.spec(node, setting)),
            Self::Sketch(one) => Spec::Sketch(one.spec(node, setting)),
            Self::Update(one) => Spec::Update(one.spec(node, setting)),
            Self::Vendors(one) => Spec::Vendors(one.spec(node, setting)),
        }
    }

    /// The longest frame that it sends by itself, without FCS and with the longest TPP.
    pub(super) fn longest_frame(&self) -> Option<u64> {
        match self {
            Self::Collect(_)
            | Self::Paths(_)
            | Self::Histories(_)
            | Self::Silent(_)
            | Self::Convergence(_)
            | Self::Sketch(_)
            | Self::Update(_)
            | Self::Vendors(_)
            | Self::Drops(_) => None,
            Self::Rcp(rcp) => Some(rcp.frame),
            Self::Conga(conga) => Some(conga.frame + conga.collect.len() as u64),
        }
    }
}

#[derive(Clone, Copy)]
enum Word {
    Collect,
    Rcp,
    Conga,
    Silent,
    Convergence,
    Paths,
    Histories,
    Drops,
    Sketch,
    Update,
    Vendors,
}

const KINDS: [(&str, Word); 11] = [
    ("collect", Word::Collect),
    ("rcp", Word::Rcp),
    ("conga", Word::Conga),
    ("silent", Word::Silent),
    ("convergence", Word::Convergence),
    ("paths", Word::Paths),
    ("histories", Word::Histories),
    ("drops", Word::Drops),
    ("sketch", Word::Sketch),
    ("update", Word::Update),
    ("vendors", Word::Vendors),
];

/// Reads `[[tpp.app]]`. What is right is there, what is wrong has been told.
pub(super) fn read(
    tables: Vec<Reader<'_>>,
    registry: &mut Registry,
    context: &Context<'_>,
    of_vendors: &[Vendor],
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
            Some(Word::Collect) => collect::read(&reader, context, registry, id).map(Kind::Collect),
            Some(Word::Rcp) => rcp::read(&reader, context, registry, id).map(Kind::Rcp),
            Some(Word::Conga) => conga::read(&reader, context, registry, id).map(Kind::Conga),
            Some(Word::Convergence) => {
                convergence::read(&reader, context, registry, id).map(Kind::Convergence)
            }
            Some(Word::Paths) => paths::read(&reader, context, registry, id).map(Kind::Paths),
            Some(Word::Histories) => {
                histories::read(&reader, context, registry, id).map(Kind::Histories)
            }
            Some(Word::Drops) => drops::read(&reader, context).map(Kind::Drops),
            Some(Word::Silent) => silent::read(&reader, context, registry, id).map(Kind::Silent),
            Some(Word::Sketch) => sketch::read(&reader, context, registry, id).map(Kind::Sketch),
            Some(Word::Update) => update::read(&reader, context, registry, id).map(Kind::Update),
            Some(Word::Vendors) => {
                vendors::read(&reader, context, registry, (id, of_vendors)).map(Kind::Vendors)
            }
        };
        let chosen = match &kind {
            Some(Kind::Rcp(rcp)) => {
                Some(rcp.pairs.iter().flat_map(|(from, to)| [*from, *to]).collect())
            }
            Some(Kind::Conga(conga)) => {
                Some(conga.demands.iter().flat_map(|one| [one.from, one.to]).collect())
            }
            Some(Kind::Drops(drops)) => Some(vec![drops.collector]),
            Some(Kind::Update(Update { ends, .. }) | Kind::Vendors(Vendors { ends, .. })) => {
                Some(vec![ends.0, ends.1])
            }
            Some(Kind::Sketch(sketch)) => {
                Some(sketch.hosts.iter().chain(&sketch.services).copied().collect())
            }
            Some(
                Kind::Collect(_)
                | Kind::Paths(_)
                | Kind::Histories(_)
                | Kind::Silent(_)
                | Kind::Convergence(_),
            ) => keys::hosts(&reader, context),
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
        // What they need is told to all switches.
        let word = match kind {
            Some(Kind::Drops(_)) => Some("drops"),
            Some(Kind::Update(_)) => Some("update"),
            _ => None,
        };
        let is_same = |one: &Application| match one.kind {
            Kind::Drops(_) => word == Some("drops"),
            Kind::Update(_) => word == Some("update"),
            _ => false,
        };
        if let Some(word) = word.filter(|_| applications.iter().any(is_same)) {
            let message = format!("only one application of a lab can be \"{word}\"");
            reader.mistakes().add(&place, message);
        }
        if let (Some(name), Some(kind)) = (name, kind) {
            applications.push(Application { name, hosts: hosts.into_iter().collect(), kind });
        }
        reader.finish();
    }
    applications
}
