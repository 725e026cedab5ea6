//! The network as hosts with R2C2 know it: who is next to whom, what links carry, and which of them a flow uses.

use crate::network::NodeId;
use crate::simulation::Context;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The links that a flow uses: direction, and the fraction of its packets that go there.
pub(super) type Shares = Arc<[(usize, f64)]>;

/// See the module.
pub(super) struct Map {
    /// Of each direction, the bits of frames a second that rates may fill.
    pub capacities: Vec<f64>,
    /// Which host is at a switch.
    hosts: BTreeMap<NodeId, u32>,
    /// Of each host, the hosts that one link between switches leads to.
    neighbours: Vec<Vec<u32>>,
    shares: BTreeMap<(u32, u32), Option<Shares>>,
}

/// The switch of a host.
fn switch(host: u32, ctx: &Context<'_>) -> NodeId {
    ctx.far_end(ctx.host_direction(host)).node
}

impl Map {
    /// `headroom` is the share of each link that stays free of frames of `bytes`.
    pub fn new(headroom: f64, bytes: u32, ctx: &Context<'_>) -> Self {
        let count = ctx.hosts().len() as u32;
        let hosts: BTreeMap<NodeId, u32> =
            (0..count).map(|host| (switch(host, ctx), host)).collect();
        let mut neighbours = vec![Vec::new(); count as usize];
        let mut capacities = Vec::new();
        for link in &ctx.network().links {
            let [near, far] = link.ends.map(|end| hosts.get(&end.node).copied());
            if let (Some(near), Some(far)) = (near, far) {
                neighbours[near as usize].push(far);
                neighbours[far as usize].push(near);
            }
            for line in &link.directions {
                let share = f64::from(bytes) / f64::from(bytes + line.overhead);
                capacities.push(line.rate as f64 * (1.0 - headroom) * share);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self { capacities, hosts, neighbours, shares: BTreeMap::new() }
    }

    /// To which hosts a host passes on what `origin` broadcasts: those whose first step towards the origin leads here. That is
    /// a tree of shortest paths, and flows with another hash may have another tree.
    pub fn children(&self, host: u32, origin: u32, hash: u32, ctx: &Context<'_>) -> Vec<u32> {
        let here = switch(host, ctx);
        let leads_here = |next: &u32| {
            *next != origin
                && ctx
                    .path(switch(*next, ctx), origin, hash)
                    .is_some_and(|way| ctx.far_end(way).node == here)
        };
        self.neighbours[host as usize].iter().copied().filter(leads_here).collect()
    }

    /// The links of a flow whose packets take one of the shortest ways at random at each node; `None` without a path.
    pub fn shares(&mut self, from: u32, to: u32, ctx: &Context<'_>) -> Option<Shares> {
        self.shares.entry((from, to)).or_insert_with(|| spread(from, to, ctx)).clone()
    }

    /// Bits of frames a second of a flow that has the network for itself, without headroom of this share.
    pub fn alone(&mut self, from: u32, to: u32, headroom: f64, ctx: &Context<'_>) -> Option<f64> {
        let shares = self.shares(from, to, ctx)?;
        let limits = shares.iter().map(|(link, share)| self.capacities[*link] / share);
        Some(limits.fold(f64::INFINITY, f64::min) / (1.0 - headroom))
    }

    /// How many hosts there are.
    pub fn count(&self) -> u32 {
        self.hosts.len() as u32
    }
}

fn spread(from: u32, to: u32, ctx: &Context<'_>) -> Option<Shares> {
    let (first, end) = (ctx.host_direction(from), ctx.host_node(to));
    let mut uses = vec![(first as usize, 1.0)];
    // Nodes on shortest paths, by their distance from the source, with the fraction of packets that come there.
    let mut reached = BTreeMap::from([(ctx.far_end(first).node, 1.0)]);
    while !reached.is_empty() {
        let mut next = BTreeMap::new();
        for (node, share) in reached {
            if node == end {
                continue;
            }
            let ways = ctx.ways(node, to);
            if ways.is_empty() {
                return None;
            }
            let each = share / ways.len() as f64;
            for way in ways {
                uses.push((*way as usize, each));
                *next.entry(ctx.far_end(*way).node).or_insert(0.0) += each;
            }
        }
        reached = next;
    }
    Some(uses.into())
}
