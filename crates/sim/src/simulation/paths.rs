//! Shortest paths over the links that are up, and which of several a flow takes.

use crate::network::{LinkId, Network, NodeId};
use crate::random::{Stream, kind};
use crate::routing::Routes;

/// For each node and host, the directions of links on shortest paths.
#[derive(Debug)]
pub(super) struct Paths {
    hosts: u32,
    spans: Vec<(u32, u32)>,
    directions: Vec<u32>,
    /// Of each node, what it mixes hashes with, so that consecutive switches decide independently.
    salts: Vec<u64>,
    multipath: bool,
}

/// Odd, with its bits well spread: 2^64 over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// What a node mixes hashes with in a run with this seed.
pub fn salt(seed: u64, node: NodeId) -> u64 {
    Stream::new(seed, kind::SALT, node).bits()
}

/// Which of `count` paths (1 or more) a flow takes with this hash at a node with this salt: below `count`.
#[inline]
pub fn choose(hash: u32, salt: u64, count: u32) -> u32 {
    let mixed = (u64::from(hash) ^ salt).wrapping_mul(SPREAD);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(SPREAD) >> 32;
    ((mixed * u64::from(count)) >> 32) as u32
}

impl Paths {
    /// Over the links that are up. `port_direction` gives the direction that begins at a node's port.
    pub fn new(
        network: &Network,
        seed: u64,
        is_up: impl Fn(LinkId) -> bool,
        port_direction: impl Fn(NodeId, u32) -> u32,
    ) -> Self {
        let routes = Routes::shortest(network, is_up);
        let hosts = network.hosts().count() as u32;
        let (mut spans, mut directions) = (Vec::new(), Vec::new());
        for node in 0..network.nodes.len() as NodeId {
            for host in 0..hosts {
                let ports = routes.ports(node, host);
                spans.push((directions.len() as u32, ports.len() as u32));
                directions.extend(ports.iter().map(|port| port_direction(node, *port)));
            }
        }
        let salts = (0..network.nodes.len() as NodeId).map(|node| salt(seed, node)).collect();
        Self { hosts, spans, directions, salts, multipath: network.routing.multipath }
    }

    /// The direction towards a host for flows with this hash; `None` without a path, or without such a host.
    #[inline]
    pub fn direction(&self, node: NodeId, host: u32, hash: u32) -> Option<u32> {
        if host >= self.hosts {
            return None;
        }
        let (begin, count) = self.span(node, host);
        let chosen = match count {
            0 => return None,
            1 => 0,
            _ if !self.multipath => 0,
            _ => choose(hash, self.salts[node as usize], count),
        };
        Some(self.directions[(begin + chosen) as usize])
    }

    /// The direction towards a host of a packet that still has to take this path, which is shortened
    /// ([`crate::packet::Packet::path`]).
    #[inline]
    pub fn sprayed(&self, node: NodeId, host: u32, path: &mut u32) -> Option<u32> {
        if host >= self.hosts {
            return None;
        }
        let (begin, count) = self.span(node, host);
        let chosen = path.checked_rem(count)?;
        *path /= count;
        Some(self.directions[(begin + chosen) as usize])
    }

    fn span(&self, node: NodeId, host: u32) -> (u32, u32) {
        self.spans[node as usize * self.hosts as usize + host as usize]
    }

    /// The directions from a node to a host on shortest paths; none for a number that no host has.
    pub fn all(&self, node: NodeId, host: u32) -> &[u32] {
        if host >= self.hosts {
            return &[];
        }
        let (begin, count) = self.span(node, host);
        &self.directions[begin as usize..(begin + count) as usize]
    }

    /// How many of the directions from a node lead to a host on shortest paths.
    pub fn count(&self, node: NodeId, host: u32) -> u32 {
        if host < self.hosts { self.span(node, host).1 } else { 0 }
    }
}
