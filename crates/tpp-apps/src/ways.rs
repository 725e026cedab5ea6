//! The ways of a network to a host, and what hosts know of them.

use crate::numbering::link_id;
use crate::station::Station;
use std::collections::BTreeMap;
use ww_sim::frame::hash;
use ww_sim::network::{Network, NodeId, NodeKind};
use ww_sim::routing::Routes;
use ww_sim::simulation::{choose, salt};

/// UDP ports that may be tags.
const TAGS: std::ops::Range<u16> = 10_000..14_096;

pub(crate) fn station(network: &Network, node: NodeId) -> Station {
    let host = network.host(node);
    Station {
        ip: host.map_or(std::net::Ipv4Addr::UNSPECIFIED, |host| host.ip),
        mac: host.map_or([0; 6], |host| host.mac),
    }
}

/// IDs of links between switches, and their rates.
pub(crate) fn core(network: &Network) -> impl Iterator<Item = (u32, u64)> + '_ {
    let is_switch = |node: NodeId| !matches!(network.nodes[node as usize].kind, NodeKind::Host(_));
    let between =
        network.links.iter().filter(move |link| link.ends.iter().all(|end| is_switch(end.node)));
    between.flat_map(|link| {
        let id = |end: usize| link_id(link.ends[end].node, link.ends[end].port);
        [0, 1].map(|end| (id(end), link.directions[end].rate))
    })
}

/// A tag for each path between two hosts, in the order in which they are found: switches choose by a hash of addresses
/// and ports, as the control plane that has set them up knows.
pub(crate) fn tags(
    network: &Network,
    seed: u64,
    (from, to): (NodeId, NodeId),
    port: u16,
) -> Vec<u16> {
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
pub(crate) struct Ways<'n> {
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

/// The switches between two hosts, and the ports that they take for a flow with these UDP ports.
pub(crate) fn way(
    network: &Network,
    seed: u64,
    (from, to): (NodeId, NodeId),
    ports: [u16; 2],
) -> Vec<(NodeId, u32)> {
    let number = |node| network.hosts().position(|(id, _)| id == node).unwrap_or(0) as u32;
    Ways::new(network, to).path(seed, hash(number(from), number(to), ports), from)
}

/// Switches between two hosts, at least 1.
pub(crate) fn hosts_apart(network: &Network, from: NodeId, to: NodeId) -> u16 {
    Ways::new(network, to).path(0, 0, from).len().clamp(1, 255) as u16
}
