//! Networks of regular shapes.
//!
//! Hosts are called `h0`, `h1`, ...; their addresses come from their numbers ([`host`]). Ports are numbered at each
//! node from 0 in the order in which links are made: at a switch those to hosts come first.

use crate::clock::Clock;
use crate::network::{Direction, End, Host, Link, Network, Node, NodeId, NodeKind, Switch};
use std::net::Ipv4Addr;

/// Makes networks link by link.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    network: Network,
    ports: Vec<u32>,
    hosts: u32,
}

/// The addresses of the host of this number, from 0: 10.0.0.1 and 02:00:0a:00:00:01, and so on.
pub fn host(number: u32) -> Host {
    let ip = Ipv4Addr::from(0x0a00_0001u32.wrapping_add(number));
    let [a, b, c, d] = ip.octets();
    Host { ip, mac: [2, 0, a, b, c, d], gateway: None, stack: None }
}

impl Builder {
    /// Adds a host with the next number.
    pub fn host(&mut self) -> NodeId {
        let number = self.hosts;
        self.hosts += 1;
        self.node(format!("h{number}"), NodeKind::Host(host(number)))
    }

    /// Adds a plain switch.
    pub fn switch(&mut self, name: impl Into<String>, switch: Switch) -> NodeId {
        self.node(name.into(), NodeKind::Switch(switch))
    }

    /// Adds a node.
    pub fn node(&mut self, name: String, kind: NodeKind) -> NodeId {
        self.network.nodes.push(Node { name, kind, clock: Clock::exact() });
        self.ports.push(0);
        (self.ports.len() - 1) as NodeId
    }

    /// Connects the next free ports of two nodes with the same line in both directions.
    pub fn link(&mut self, from: NodeId, to: NodeId, line: Direction) {
        let [from, to] = [from, to].map(|node| {
            let port = self.ports[node as usize];
            self.ports[node as usize] += 1;
            End { node, port }
        });
        let link = Link { ends: [from, to], directions: [line; 2], up: true };
        self.network.links.push(link);
    }

    /// So many hosts at a switch.
    pub fn hosts(&mut self, count: u32, at: NodeId, line: Direction) {
        for _ in 0..count {
            let host = self.host();
            self.link(host, at, line);
        }
    }

    /// What has been made.
    pub fn finish(self) -> Network {
        self.network
    }
}

/// Hosts at one switch, `s0`.
pub fn star(hosts: u32, switch: Switch, edge: Direction) -> Network {
    let mut builder = Builder::default();
    let middle = builder.switch("s0", switch);
    builder.hosts(hosts, middle, edge);
    builder.finish()
}

/// Two switches, `s0` and `s1`, with hosts at each; all that goes across shares `core`.
pub fn dumbbell(
    left: u32,
    right: u32,
    switch: Switch,
    edge: Direction,
    core: Direction,
) -> Network {
    let mut builder = Builder::default();
    let [from, to] = ["s0", "s1"].map(|name| builder.switch(name, switch));
    builder.hosts(left, from, edge);
    builder.hosts(right, to, edge);
    builder.link(from, to, core);
    builder.finish()
}

/// Switches `s0` to `sN` in a row, N links between them; `hosts` at each. With one at each, `h0` crosses all links
/// to the last, and the others one.
pub fn parking_lot(
    links: u32,
    hosts: u32,
    switch: Switch,
    edge: Direction,
    core: Direction,
) -> Network {
    let mut builder = Builder::default();
    let row: Vec<_> = (0..=links).map(|n| builder.switch(format!("s{n}"), switch)).collect();
    for at in &row {
        builder.hosts(hosts, *at, edge);
    }
    for pair in row.windows(2) {
        builder.link(pair[0], pair[1], core);
    }
    builder.finish()
}

/// Leaves `leaf0`, ..., with hosts, each connected with each spine `spine0`, ...
pub fn leaf_spine(
    (leaves, spines, hosts): (u32, u32, u32),
    switch: Switch,
    edge: Direction,
    core: Direction,
) -> Network {
    let mut builder = Builder::default();
    let low: Vec<_> = (0..leaves).map(|n| builder.switch(format!("leaf{n}"), switch)).collect();
    let high: Vec<_> = (0..spines).map(|n| builder.switch(format!("spine{n}"), switch)).collect();
    for leaf in &low {
        builder.hosts(hosts, *leaf, edge);
    }
    for leaf in &low {
        for spine in &high {
            builder.link(*leaf, *spine, core);
        }
    }
    builder.finish()
}

/// Switches of a folded Clos network of two tiers, all with the same number of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clos {
    /// Ports of a switch.
    pub ports: u32,
    /// Switches with hosts.
    pub leaves: u32,
    /// Hosts at each leaf; its other ports lead up. Half of the ports make the network non-blocking, more
    /// oversubscribe it.
    pub hosts: u32,
}

impl Clos {
    /// How many spines there are, and links from each leaf to each of them: as few spines as have the ports. `None` if
    /// no port leads up, or if the uplinks of a leaf do not divide evenly among the spines.
    pub fn spines(&self) -> Option<(u32, u32)> {
        let up = self.ports.checked_sub(self.hosts).filter(|up| *up > 0)?;
        let spines = u64::from(self.leaves) * u64::from(up);
        let spines = u32::try_from(spines.div_ceil(self.ports.into())).ok()?.max(1);
        (up % spines == 0).then(|| (spines, up / spines))
    }
}

/// Leaves `leaf0`, ..., with hosts, and spines `spine0`, ... as many as [`Clos::spines`] says, with parallel links where
/// it says so; `None` where it has no answer.
pub fn clos(clos: Clos, switch: Switch, edge: Direction, core: Direction) -> Option<Network> {
    let (spines, trunk) = clos.spines()?;
    let mut builder = Builder::default();
    let mut named = |name: &str, count: u32| -> Vec<NodeId> {
        (0..count).map(|n| builder.switch(format!("{name}{n}"), switch)).collect()
    };
    let (low, high) = (named("leaf", clos.leaves), named("spine", spines));
    for leaf in &low {
        builder.hosts(clos.hosts, *leaf, edge);
    }
    for leaf in &low {
        for spine in &high {
            for _ in 0..trunk {
                builder.link(*leaf, *spine, core);
            }
        }
    }
    Some(builder.finish())
}

/// A fat tree of switches with `k` ports (even): `k` pods of `k`/2 edge switches (`edge0`, ...) with `k`/2 hosts each
/// and `k`/2 aggregation switches (`agg0`, ...), and (`k`/2)^2 core switches (`core0`, ...). Core switch number c
/// is connected with the aggregation switch number c / (`k`/2) of each pod (Al-Fares and others, SIGCOMM 2008).
pub fn fat_tree(k: u32, switch: Switch, edge: Direction, core: Direction) -> Network {
    let half = k / 2;
    let mut builder = Builder::default();
    let named = |builder: &mut Builder, name: &str, count: u32| -> Vec<NodeId> {
        (0..count).map(|n| builder.switch(format!("{name}{n}"), switch)).collect()
    };
    let edges = named(&mut builder, "edge", k * half);
    let middles = named(&mut builder, "agg", k * half);
    let cores = named(&mut builder, "core", half * half);
    for at in &edges {
        builder.hosts(half, *at, edge);
    }
    for pod in 0..k {
        for (low, high) in (0..half).flat_map(|low| (0..half).map(move |high| (low, high))) {
            let (low, high) = (pod * half + low, pod * half + high);
            builder.link(edges[low as usize], middles[high as usize], core);
        }
    }
    for pod in 0..k {
        for number in 0..half * half {
            let middle = pod * half + number / half;
            builder.link(middles[middle as usize], cores[number as usize], core);
        }
    }
    builder.finish()
}

/// Switches `s0`, ... in a ring, `hosts` at each.
pub fn ring(
    switches: u32,
    hosts: u32,
    switch: Switch,
    edge: Direction,
    core: Direction,
) -> Network {
    torus(&[switches], hosts, switch, edge, core)
}

/// Switches in a torus of these sizes (a size of 2 gives one link, 1 none), called `s` and their coordinates: `s0.1`;
/// `hosts` at each. The last coordinate runs fastest.
pub fn torus(
    sizes: &[u32],
    hosts: u32,
    switch: Switch,
    edge: Direction,
    core: Direction,
) -> Network {
    let mut builder = Builder::default();
    let count: u32 = sizes.iter().product();
    let place = |number: u32| -> Vec<u32> {
        let mut rest = number;
        let mut place: Vec<u32> = sizes
            .iter()
            .rev()
            .map(|size| {
                let at = rest % size;
                rest /= size;
                at
            })
            .collect();
        place.reverse();
        place
    };
    let number = |place: &[u32]| place.iter().zip(sizes).fold(0, |sum, (at, size)| sum * size + at);
    for at in 0..count {
        let words: Vec<_> = place(at).iter().map(u32::to_string).collect();
        builder.switch(format!("s{}", words.join(".")), switch);
    }
    for at in 0..count {
        builder.hosts(hosts, at, edge);
    }
    for at in 0..count {
        for (dimension, size) in sizes.iter().enumerate() {
            let mut next = place(at);
            // The last one closes the ring, unless that is the link that there is already.
            if *size < 2 || (*size == 2 && next[dimension] == 1) {
                continue;
            }
            next[dimension] = (next[dimension] + 1) % size;
            builder.link(at, number(&next), core);
        }
    }
    builder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::Limits;

    const LINE: Direction = Direction {
        rate: 10_000_000_000,
        delay: 1_000_000,
        jitter: 0,
        overhead: 24,
        limits: Limits { bytes: 150_000, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: crate::network::Phy::Bytes,
    };

    fn shape(network: &Network) -> (usize, usize, usize) {
        let hosts = network.hosts().count();
        (hosts, network.nodes.len() - hosts, network.links.len())
    }

    /// Numbers of hosts, switches and links from the definitions of the shapes.
    #[test]
    fn sizes() {
        let plain = Switch::default();
        assert_eq!(shape(&star(5, plain, LINE)), (5, 1, 5));
        assert_eq!(shape(&dumbbell(3, 2, plain, LINE, LINE)), (5, 2, 6));
        assert_eq!(shape(&parking_lot(3, 1, plain, LINE, LINE)), (4, 4, 7));
        assert_eq!(shape(&leaf_spine((4, 2, 4), plain, LINE, LINE)), (16, 6, 24));
        assert_eq!(shape(&fat_tree(4, plain, LINE, LINE)), (16, 20, 48));
        assert_eq!(shape(&fat_tree(8, plain, LINE, LINE)), (128, 80, 384));
        assert_eq!(shape(&ring(5, 2, plain, LINE, LINE)), (10, 5, 15));
        assert_eq!(shape(&torus(&[3, 4], 1, plain, LINE, LINE)), (12, 12, 12 + 24));
        assert_eq!(shape(&torus(&[2, 2, 2], 1, plain, LINE, LINE)), (8, 8, 8 + 12));
    }

    /// Each port is used once, and hosts have one link.
    #[test]
    fn ports_and_addresses() {
        let network = fat_tree(6, Switch::default(), LINE, LINE);
        let mut ends: Vec<End> = network.links.iter().flat_map(|link| link.ends).collect();
        let count = ends.len();
        ends.sort();
        ends.dedup();
        assert_eq!(ends.len(), count);
        for (id, node) in (0..).zip(&network.nodes) {
            let ports = ends.iter().filter(|end| end.node == id).count();
            match &node.kind {
                NodeKind::Host(_) => assert_eq!(ports, 1),
                _ => assert_eq!(ports, 6, "{}", node.name),
            }
        }
        let (_, last) = network.hosts().last().expect("hosts");
        assert_eq!((last.ip, last.mac), (Ipv4Addr::new(10, 0, 0, 54), [2, 0, 10, 0, 0, 54]));
    }
}
