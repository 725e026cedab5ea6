//! What each host is told of its application.

use super::{Conga, Kind, Rcp, Tpps};
use crate::plan::Plan;
use std::collections::BTreeMap;
use ww_sim::frame::hash;
use ww_sim::network::{Network, NodeId, NodeKind};
use ww_sim::routing::Routes;
use ww_sim::simulation::{choose, salt};
use ww_tpp::apps::conga::agent::{DATA, DemandSpec};
use ww_tpp::apps::rcp::agent::FlowSpec;
use ww_tpp::apps::spec::Spec;
use ww_tpp::apps::station::Station;
use ww_tpp::apps::{collect, conga, rcp};
use ww_tpp::host::agent::Measured;

/// UDP ports that may be tags.
const TAGS: std::ops::Range<u16> = 10_000..14_096;

impl Tpps {
    /// What hosts are told in a run with a seed.
    pub fn hosts(&self, plan: &Plan, seed: u64) -> BTreeMap<NodeId, Spec> {
        let mut specs = BTreeMap::new();
        for application in &self.applications {
            for node in &application.hosts {
                let spec = match &application.kind {
                    Kind::Collect(one) => Spec::Collect(collect::Spec {
                        mtu: one.mtu,
                        seed: seed ^ u64::from(*node) << 32,
                        protection: self.protection.clone(),
                        rules: vec![one.rule.clone()],
                        measured: measured(plan),
                    }),
                    Kind::Rcp(one) => Spec::Rcp(self.rcp(one, *node, plan)),
                    Kind::Conga(one) => Spec::Conga(conga_host(one, *node, plan, seed)),
                };
                specs.insert(*node, spec);
            }
        }
        specs
    }

    fn rcp(&self, one: &Rcp, node: NodeId, plan: &Plan) -> rcp::agent::Spec {
        let network = &plan.network;
        let count = one.pairs.len() as u64 * u64::from(one.each);
        let flows = (0u16..).zip(&one.pairs).filter(|(_, (from, _))| *from == node);
        let flow = |(pair, (_, to)): (u16, &(NodeId, NodeId)), copy: u16| {
            let number = pair * one.each + copy;
            // Flows collect one after the other within a period.
            let offset = one.period / count.max(1) * u64::from(number);
            FlowSpec { number, to: station(network, *to), start: 0, offset }
        };
        rcp::agent::Spec {
            host: station(network, node),
            flows: flows.flat_map(|pair| (0..one.each).map(move |copy| flow(pair, copy))).collect(),
            each: one.each,
            stop: plan.run.duration,
            alpha: one.alpha,
            period: one.period,
            share: one.share,
            frame: one.frame as usize,
            begin: one.begin as f64,
            capacities: core(network).map(|(link, rate)| (link, rate as f64)).collect(),
            collect: one.collect.clone(),
            read_only: one.read_only,
            audit: one.audit,
            protection: self.protection.clone(),
            measured: measured(plan),
        }
    }
}

fn conga_host(one: &Conga, node: NodeId, plan: &Plan, seed: u64) -> conga::agent::Spec {
    let network = &plan.network;
    let own = (0u16..).zip(&one.demands).filter(|(_, demand)| demand.from == node);
    let demand = |(number, demand): (u16, &super::Demand)| DemandSpec {
        number,
        to: station(network, demand.to),
        rate: demand.rate as f64,
        flows: demand.flows,
        frame: one.frame as usize,
        tags: tags(network, seed, (demand.from, demand.to), DATA + number),
        balanced: one.balanced,
    };
    conga::agent::Spec {
        host: station(network, node),
        demands: own.map(demand).collect(),
        stations: one.demands.iter().map(|demand| station(network, demand.from)).collect(),
        stop: plan.run.duration,
        collect: one.collect.clone(),
        core: core(network).map(|(link, _)| link).collect(),
        settings: one.settings,
        seed: seed ^ u64::from(node) << 32,
        measured: measured(plan),
    }
}

fn measured(plan: &Plan) -> Measured {
    Measured { from: plan.run.warmup, until: plan.run.duration }
}

fn station(network: &Network, node: NodeId) -> Station {
    let host = network.host(node);
    Station {
        ip: host.map_or(std::net::Ipv4Addr::UNSPECIFIED, |host| host.ip),
        mac: host.map_or([0; 6], |host| host.mac),
    }
}

/// IDs of links between switches, and their rates.
fn core(network: &Network) -> impl Iterator<Item = (u32, u64)> + '_ {
    let is_switch = |node: NodeId| !matches!(network.nodes[node as usize].kind, NodeKind::Host(_));
    let between =
        network.links.iter().filter(move |link| link.ends.iter().all(|end| is_switch(end.node)));
    between.flat_map(|link| {
        let id = |end: usize| Tpps::link_id(link.ends[end].node, link.ends[end].port);
        [0, 1].map(|end| (id(end), link.directions[end].rate))
    })
}

/// A tag for each path between two hosts, in the order in which they are found: switches choose by a hash of addresses
/// and ports, as the control plane that has set them up knows.
fn tags(network: &Network, seed: u64, (from, to): (NodeId, NodeId), port: u16) -> Vec<u16> {
    let numbers: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let number = |node| numbers.iter().position(|id| *id == node).unwrap_or(0) as u32;
    let ends = (number(from), number(to));
    let ways = Ways::new(network, to);
    let mut paths: BTreeMap<Vec<(NodeId, u32)>, u16> = BTreeMap::new();
    for tag in TAGS {
        let hash = hash(ends.0, ends.1, [port, tag]);
        paths.entry(ways.path(seed, hash, from)).or_insert(tag);
    }
    let mut tags: Vec<u16> = paths.into_values().collect();
    tags.sort_unstable();
    tags
}

/// The ways of a network to a host.
pub(super) struct Ways<'n> {
    network: &'n Network,
    routes: Routes,
    to: NodeId,
    host: u32,
    behind: BTreeMap<(NodeId, u32), NodeId>,
}

impl<'n> Ways<'n> {
    pub fn new(network: &'n Network, to: NodeId) -> Self {
        let routes = Routes::shortest(network, |link| network.links[link as usize].up);
        let host = network.hosts().position(|(id, _)| id == to).unwrap_or(0) as u32;
        let ways = network.links.iter().flat_map(|link| {
            let [first, second] = link.ends;
            [((first.node, first.port), second.node), ((second.node, second.port), first.node)]
        });
        Self { network, routes, to, host, behind: ways.collect() }
    }

    /// The switches on the way from a host, and the ports that they take for flows with this hash.
    pub fn path(&self, seed: u64, hash: u32, from: NodeId) -> Vec<(NodeId, u32)> {
        let (mut node, mut path) = (from, Vec::new());
        while node != self.to && path.len() <= self.network.nodes.len() {
            let ports = self.routes.ports(node, self.host);
            let way = match (self.network.routing.multipath, ports.len()) {
                (true, 2..) => choose(hash, salt(seed, node), ports.len() as u32) as usize,
                _ => 0,
            };
            let Some(port) = ports.get(way).copied() else { break };
            if node != from {
                path.push((node, port));
            }
            let Some(next) = self.behind.get(&(node, port)) else { break };
            node = *next;
        }
        path
    }
}
