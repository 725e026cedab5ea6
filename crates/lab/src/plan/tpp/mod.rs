//! `[tpp]`: switches that execute tiny packet programs, and applications of them at hosts.

mod applications;
mod vendors;

use super::names::{Names, matches};
use super::programs::rates;
use super::{Folder, Plan};
pub use applications::Application;
use std::collections::{BTreeMap, BTreeSet};
use ww_config::quantity::Span;
use ww_config::reader::Reader;
use ww_host::registry::Registry;
use ww_sched::policy_file;
use ww_sim::network::{Network, NodeId, NodeKind};
use ww_tpp::protection::Protection;
use ww_tpp::switch::Config;
use ww_tpp::switch::ports::PortConfig;
use ww_tpp_apps::application::{self, Assignment, Run};
use ww_tpp_apps::numbering::{link_id, switch_id};

/// TPPs in a lab.
#[derive(Clone, Debug)]
pub struct Tpps {
    /// Switches that execute them.
    pub switches: BTreeMap<NodeId, Config>,
    /// Queues of plain switches of these for which no scheduler is named, as the text of a policy file.
    pub queues: BTreeMap<NodeId, String>,
    /// In the order of the file.
    pub applications: Vec<Application>,
    /// What applications may do.
    pub protection: Protection,
}

impl Tpps {
    /// The longest frame that an application sends by itself, without FCS and with the longest TPP.
    pub fn longest_frame(&self) -> Option<u32> {
        let own = self.applications.iter().filter_map(|one| one.application.longest_frame());
        own.max().map(|bytes| bytes as u32)
    }

    /// The agents of hosts in a run with a seed.
    pub fn hosts(&self, plan: &Plan, seed: u64) -> BTreeMap<NodeId, Assignment> {
        let run = Run {
            network: &plan.network,
            seed,
            warmup: plan.run.warmup,
            duration: plan.run.duration,
            drain: plan.run.drain,
            protection: &self.protection,
            switches: &self.switches,
        };
        let assignment = |one: &Application, node| Assignment {
            kind: one.kind.name.to_owned(),
            settings: one.application.settings(node, &run),
        };
        let all = self.applications.iter();
        all.flat_map(|one| one.hosts.iter().map(|node| (*node, assignment(one, *node)))).collect()
    }
}

/// What the rest of the lab is.
pub(super) struct Context<'c> {
    pub names: &'c Names<'c>,
    pub network: &'c Network,
    pub folder: &'c Folder<'c>,
    pub schedulers: &'c BTreeMap<NodeId, policy_file::Plan>,
    /// Between the end of traffic and that of the run, ps; `None` if that could not be read.
    pub drain: Option<u64>,
}

/// Reads `[tpp]`.
pub(super) fn tpp(reader: Option<Reader<'_>>, context: &Context<'_>) -> Option<Tpps> {
    let reader = reader?;
    let network = context.network;
    let mut registry = Registry::new();
    let switches = switches(&reader, network);
    let window = reader.get::<Span>("window").map_or(1_000_000_000, |span| span.0);
    if (window < 1_000_000 || !window.is_multiple_of(1_000_000))
        && let Some(value) = reader.value("window")
    {
        reader.mistakes().add(&value.place, "'window': expected whole microseconds, 1 us or more");
    }
    let (writes, protect) = (reader.get_or("writes", true), reader.get_or("protect", true));
    let outside = reader.value("outside").and_then(|value| context.names.hosts(value));
    let vendors = vendors::read(reader.tables("vendor"), network);
    let files = |name: &str| context.folder.text(name);
    let rest = application::Context {
        names: context.names,
        network,
        files: &files,
        vendors: &vendors,
        drain: context.drain,
    };
    let applications = applications::read(reader.tables("app"), &mut registry, &rest);
    let is_outside = |node: NodeId, port: u32| {
        let behind = network.links.iter().find_map(|link| {
            let [first, second] = link.ends;
            if (first.node, first.port) == (node, port) {
                Some(second.node)
            } else {
                ((second.node, second.port) == (node, port)).then_some(first.node)
            }
        });
        behind.is_some_and(|behind| outside.as_ref().is_some_and(|all| all.contains(&behind)))
    };
    let protection = registry.protection();
    for lacks in applications.iter().filter_map(|one| one.application.needs_plain_switches()) {
        plain_only(&reader, network, &switches, lacks);
    }
    let mut configs = BTreeMap::new();
    let mut queues = BTreeMap::new();
    for node in switches {
        let mut config = Config::new(switch_id(node));
        config.window = window.max(1);
        config.writes_enabled = writes;
        if let Some(vendor) = vendors.iter().find(|vendor| vendor.switches.contains(&node)) {
            config.identity.vendor_id = vendor.id;
            config.platform.insert(vendor.address, vendor.shows);
        }
        for one in &applications {
            one.application.configure(network, node, &mut config);
        }
        config.protection = protect.then(|| protection.clone());
        for (port, rate) in rates(network, node) {
            let link_id = link_id(node, port);
            let outside = is_outside(node, port);
            config.ports.insert(port, PortConfig { link_id, rate, outside });
        }
        configs.insert(node, config);
        let is_plain = matches!(network.nodes[node as usize].kind, NodeKind::Switch(_));
        if is_plain && !context.schedulers.contains_key(&node) {
            queues.insert(node, self::queues(network, node));
        }
    }
    reader.finish();
    Some(Tpps { switches: configs, queues, applications, protection })
}

/// Says which switches are programs, if an application needs what these have not.
fn plain_only(reader: &Reader<'_>, network: &Network, switches: &BTreeSet<NodeId>, lacks: &str) {
    let is_program =
        |node: &&NodeId| matches!(network.nodes[**node as usize].kind, NodeKind::Program);
    for node in switches.iter().filter(is_program) {
        let name = &network.nodes[*node as usize].name;
        let message = format!("'{name}' is a program: it executes TPPs, but {lacks}");
        let advice = Some("leave it out of 'switches' of [tpp], or make it a plain switch".into());
        reader.mistakes().advise(reader.place(), message, advice);
    }
}

/// `switches = ["s*"]`; all, if nothing is said.
fn switches(reader: &Reader<'_>, network: &Network) -> BTreeSet<NodeId> {
    let all = || {
        let nodes = (0u32..).zip(&network.nodes);
        nodes.filter(|(_, node)| !matches!(node.kind, NodeKind::Host(_)))
    };
    let Some(value) = reader.value("switches") else { return all().map(|(id, _)| id).collect() };
    let mut chosen = BTreeSet::new();
    for item in value.listed() {
        let Some(text) = reader.read::<String>("switches", item) else { continue };
        let fits: Vec<NodeId> =
            all().filter(|(_, node)| matches(&text, &node.name)).map(|(id, _)| id).collect();
        if fits.is_empty() {
            let names: Vec<&str> = all().map(|(_, node)| node.name.as_str()).collect();
            let message = format!("'switches': there is no switch '{text}'");
            let advice = ww_config::mistakes::did_you_mean(&text, names.iter().copied());
            reader.mistakes().advise(
                &item.place,
                message,
                advice.or_else(|| super::names::listed(&names)),
            );
        }
        chosen.extend(fits);
    }
    chosen
}

/// Queues first in, first out, as links have them.
fn queues(network: &Network, node: NodeId) -> String {
    let mut text = String::from(
        "rate = \"10 Gb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n",
    );
    let ends = network.links.iter().flat_map(|link| link.ends.iter().zip(link.directions));
    for (end, line) in ends.filter(|(end, _)| end.node == node) {
        let mark = line.limits.mark.map(|bytes| format!("mark_above = {bytes}\n"));
        let queue = format!("bytes = {}\n{}", line.limits.bytes, mark.unwrap_or_default());
        text.push_str(&format!("[traffic.port_queue.{}]\n{queue}", end.port));
    }
    text
}
