//! The description of a simulation as plain data: nodes, links, faults and their times.
//!
//! Nodes, links and traffic entries are identified by their indices in these lists.

pub mod clocks;
pub mod queueing;
pub mod traffic;

use crate::clock::Clock;
use crate::line::Limits;
use crate::pending::Time;
use crate::stack::Attachment;
use clocks::Clocks;
use queueing::Queueing;
use std::net::Ipv4Addr;
use traffic::Traffic;

/// A node: its place in [`Network::nodes`].
pub type NodeId = u32;
/// A link: its place in [`Network::links`].
pub type LinkId = u32;

/// A network, what happens to it, and what is sent in it.
#[derive(Clone, Debug, Default)]
pub struct Network {
    /// Hosts and switches.
    pub nodes: Vec<Node>,
    /// What connects them.
    pub links: Vec<Link>,
    /// Changes of links, in any order.
    pub changes: Vec<Change>,
    /// How plain switches route.
    pub routing: Routing,
    /// What the queues of switches do when they are full.
    pub queueing: Queueing,
    /// What hosts send.
    pub traffic: Vec<Traffic>,
    /// Clock errors and clock synchronisation.
    pub clocks: Clocks,
}

/// A host or a switch.
#[derive(Clone, Debug)]
pub struct Node {
    /// Unique in the network.
    pub name: String,
    /// What it is.
    pub kind: NodeKind,
    /// Its own time.
    pub clock: Clock,
}

/// What a node is.
#[derive(Clone, Debug, PartialEq)]
pub enum NodeKind {
    /// Sends and receives. It has one link.
    Host(Host),
    /// Forwards by the shortest paths of [`crate::routing`].
    Switch(Switch),
    /// Forwards what and where its program says: [`crate::simulation::Parts::dataplanes`].
    Program,
}

/// Addresses and attachment of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// IPv4 address.
    pub ip: Ipv4Addr,
    /// MAC address.
    pub mac: [u8; 6],
    /// MAC address of its router. Without one, frames are addressed to the destination host directly.
    pub gateway: Option<[u8; 6]>,
    /// Its byte-accurate TCP/IP stack ([`crate::stack`]); without one, the host is a model.
    pub stack: Option<Attachment>,
}

/// A switch without a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switch {
    /// It decrements the time to live of packets, and drops those for which it is over.
    pub routes: bool,
    /// Forwarding latency: from the last bit received to the packet joining its output queue.
    pub latency: Time,
}

/// A link in both directions.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What it connects.
    pub ends: [End; 2],
    /// From the first end to the second, and back.
    pub directions: [Direction; 2],
    /// Whether it is up at the start.
    pub up: bool,
}

/// One end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// Which node.
    pub node: NodeId,
    /// Which of its ports.
    pub port: u32,
}

/// One direction of a link, with the queue in front of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// Bits a second.
    pub rate: u64,
    /// Propagation delay.
    pub delay: Time,
    /// Largest extra delay of a packet, uniformly distributed. Packets are not reordered.
    pub jitter: Time,
    /// Per-frame overhead on the line in bytes: 24 on Ethernet (preamble, FCS, gap).
    pub overhead: u32,
    /// Limits of the queue.
    pub limits: Limits,
    /// Probability that a packet is lost, 0 to 1.
    pub loss: f64,
    /// Probability that a packet arrives with a wrong FCS and is dropped there, 0 to 1.
    pub corruption: f64,
    /// The physical layer.
    pub phy: Phy,
}

/// The physical layer between the MAC and the cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phy {
    /// None: a frame takes the time of its bytes at the line's rate.
    #[default]
    Bytes,
    /// 10GBASE-R: characters in blocks, clocked by the sender's oscillator ([`crate::wire`]), with the latency of both
    /// transceivers.
    TenGigabit,
}

impl Phy {
    /// Bits a second of 10GBASE-R.
    pub const TEN_GIGABIT: u64 = 10_000_000_000;
}

/// A scheduled change of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// When.
    pub at: Time,
    /// Which link.
    pub link: LinkId,
    /// What.
    pub what: LinkChange,
}

/// What can happen to a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkChange {
    /// It goes down; packets on it and in its queues are lost.
    Down,
    /// It comes up again.
    Up,
    /// Both directions lose packets with this probability.
    Loss(f64),
    /// Both directions have this rate.
    Rate(u64),
    /// Both directions have this delay. Packets do not overtake each other.
    Delay(Time),
}

/// How plain switches route: along shortest paths, counted in links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routing {
    /// ECMP: flows are spread over all shortest paths by a hash of their addresses and ports; otherwise all take the
    /// first path.
    pub multipath: bool,
    /// Each packet of a model host takes a path of its own instead: its host goes through all paths to the destination in a
    /// random order, and begins again in another one.
    pub spray: bool,
    /// How long switches take to notice that a link has gone down or come up.
    pub reroute: Time,
}

impl Default for Routing {
    fn default() -> Self {
        Self { multipath: true, spray: false, reroute: 0 }
    }
}

impl Network {
    /// The hosts, in the order of the nodes.
    pub fn hosts(&self) -> impl Iterator<Item = (NodeId, &Host)> {
        (0..).zip(&self.nodes).filter_map(|(id, node)| match &node.kind {
            NodeKind::Host(host) => Some((id, host)),
            _ => None,
        })
    }

    /// A node's addresses, if it is a host.
    pub fn host(&self, node: NodeId) -> Option<&Host> {
        match &self.nodes.get(node as usize)?.kind {
            NodeKind::Host(host) => Some(host),
            _ => None,
        }
    }

    /// The name of a direction: sender, arrow, receiver.
    pub fn direction_name(&self, link: LinkId, reverse: bool) -> String {
        let [from, to] =
            self.links[link as usize].ends.map(|end| &self.nodes[end.node as usize].name);
        match reverse {
            false => format!("{from}->{to}"),
            true => format!("{to}->{from}"),
        }
    }
}
