//! Shortest paths from everywhere to each host.

use crate::network::{LinkId, Network, NodeId, NodeKind};
use std::collections::VecDeque;

/// Which ports lead from each node to each host on a shortest path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Routes {
    hosts: usize,
    /// For each node and host: where its ports begin, and how many there are.
    spans: Vec<(u32, u32)>,
    ports: Vec<u32>,
}

impl Routes {
    /// By number of links; hosts do not forward. `is_up` says which links there are. The ports of a node to a host
    /// are in the order of the links.
    pub fn shortest(network: &Network, is_up: impl Fn(LinkId) -> bool) -> Self {
        let count = network.nodes.len();
        let mut neighbours: Vec<Vec<(u32, NodeId)>> = vec![Vec::new(); count];
        for (id, link) in (0..).zip(&network.links) {
            if is_up(id) {
                let [from, to] = link.ends;
                neighbours[from.node as usize].push((from.port, to.node));
                neighbours[to.node as usize].push((to.port, from.node));
            }
        }
        let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
        let mut spans = vec![(0, 0); count * hosts.len()];
        let mut ports = Vec::new();
        let mut distances = vec![u32::MAX; count];
        let mut queue = VecDeque::new();
        for (number, host) in hosts.iter().enumerate() {
            distances.fill(u32::MAX);
            distances[*host as usize] = 0;
            queue.push_back(*host);
            while let Some(at) = queue.pop_front() {
                let is_host = matches!(network.nodes[at as usize].kind, NodeKind::Host(_));
                if is_host && at != *host {
                    continue;
                }
                let further = distances[at as usize] + 1;
                for (_, next) in &neighbours[at as usize] {
                    if distances[*next as usize] == u32::MAX {
                        distances[*next as usize] = further;
                        queue.push_back(*next);
                    }
                }
            }
            for node in 0..count {
                let begin = ports.len() as u32;
                let here = distances[node];
                if here != u32::MAX && here > 0 {
                    let nearer = |next: NodeId| {
                        let forwards = next == *host
                            || !matches!(network.nodes[next as usize].kind, NodeKind::Host(_));
                        forwards && distances[next as usize] == here - 1
                    };
                    let nearest = neighbours[node].iter().filter(|(_, next)| nearer(*next));
                    ports.extend(nearest.map(|(port, _)| *port));
                }
                spans[node * hosts.len() + number] = (begin, ports.len() as u32 - begin);
            }
        }
        Self { hosts: hosts.len(), spans, ports }
    }

    /// The ports of a node on shortest paths to the host of this number (among the hosts).
    #[inline]
    pub fn ports(&self, node: NodeId, host: u32) -> &[u32] {
        let (begin, count) = self.spans[node as usize * self.hosts + host as usize];
        &self.ports[begin as usize..(begin + count) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Limits;
    use crate::network::{Direction, Phy, Switch};
    use crate::topology;

    const LINE: Direction = Direction {
        rate: 1_000_000_000,
        delay: 0,
        jitter: 0,
        overhead: 24,
        limits: Limits { bytes: 1 << 20, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::Bytes,
    };

    /// In a fat tree of k = 4: one path within a switch, 2 upwards within a pod, 2 times 2 between pods.
    #[test]
    fn fat_tree_has_equal_cost_paths() {
        let network = topology::fat_tree(4, Switch::default(), LINE, LINE);
        let routes = Routes::shortest(&network, |_| true);
        let node = |name: &str| {
            network.nodes.iter().position(|node| node.name == name).expect("there") as NodeId
        };
        assert_eq!(routes.ports(node("edge0"), 0), [0]);
        assert_eq!(routes.ports(node("edge0"), 1), [1]);
        assert_eq!(routes.ports(node("edge0"), 2), [2, 3]);
        assert_eq!(routes.ports(node("edge0"), 15), [2, 3]);
        assert_eq!(routes.ports(node("agg0"), 2), [1], "down to the second switch of the pod");
        assert_eq!(routes.ports(node("agg0"), 15), [2, 3]);
        assert_eq!(routes.ports(node("core0"), 15), [3]);
        assert_eq!(routes.ports(node("h0"), 15), [0]);
        assert!(routes.ports(node("h0"), 0).is_empty());
    }

    /// A ring of four that is cut: the long way around, and none when it is cut twice.
    #[test]
    fn routes_avoid_links_that_are_down() {
        let network = topology::ring(4, 1, Switch::default(), LINE, LINE);
        // Links 0 to 3 are the hosts'; then s0-s1, s1-s2, s2-s3, s3-s0.
        let ports = |down: &[LinkId], host| {
            let routes = Routes::shortest(&network, |link| !down.contains(&link));
            routes.ports(0, host).to_vec()
        };
        let switch = network.nodes.iter().position(|node| node.name == "s0");
        assert_eq!(switch, Some(0));
        assert_eq!((ports(&[], 1), ports(&[], 2)), (vec![1], vec![1, 2]));
        assert_eq!((ports(&[4], 1), ports(&[4], 2)), (vec![2], vec![2]));
        assert_eq!(ports(&[4, 5], 1), [0u32; 0]);
    }

    /// Hosts do not forward: two switches that only a host connects do not reach each other.
    #[test]
    fn hosts_do_not_forward() {
        let mut builder = topology::Builder::default();
        let [left, right] = ["a", "b"].map(|name| builder.switch(name, Switch::default()));
        let host = builder.host();
        builder.link(host, left, LINE);
        builder.link(host, right, LINE);
        builder.hosts(1, right, LINE);
        let routes = Routes::shortest(&builder.finish(), |_| true);
        assert!(routes.ports(left, 1).is_empty());
        assert_eq!(routes.ports(right, 1), [1]);
    }
}
