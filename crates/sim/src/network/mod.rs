//! What a simulation is made of, as plain data: nodes, links, what goes wrong with them and when.
//!
//! Nodes, links and pieces of traffic are named by their places in these lists.

pub mod clocks;
pub mod traffic;

use crate::clock::Clock;
use crate::line::Limits;
use crate::pending::Time;
use crate::stack::Attachment;
use clocks::Clocks;
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
    /// How plain switches find their ways.
    pub routing: Routing,
    /// What hosts send.
    pub traffic: Vec<Traffic>,
    /// How far off clocks are, and what keeps them together.
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

/// Where a host is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Host {
    /// Its address.
    pub ip: Ipv4Addr,
    /// Its address on the link.
    pub mac: [u8; 6],
    /// Where its frames go first: a router's address. Without it they are for the destination host's own.
    pub gateway: Option<[u8; 6]>,
    /// It has a stack, byte for byte ([`crate::stack`]). Without one it knows what its packets are.
    pub stack: Option<Attachment>,
}

/// A switch without a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Switch {
    /// It takes one from the time to live of packets, and drops those that have none left.
    pub routes: bool,
    /// From the last bit in to the packet being in its queue.
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
    /// How long a bit is on its way.
    pub delay: Time,
    /// Each packet is up to so much longer on its way, all times being as probable; none overtakes another.
    pub jitter: Time,
    /// Bytes that a frame takes besides its own: 24 on Ethernet (preamble, FCS, gap).
    pub overhead: u32,
    /// The queue's.
    pub limits: Limits,
    /// How probable it is that a packet is lost, 0 to 1.
    pub loss: f64,
    /// How probable it is that a packet arrives with a wrong FCS, and is dropped there, 0 to 1.
    pub corruption: f64,
    /// What is between the MAC and the cable.
    pub phy: Phy,
}

/// What is between the MAC and the cable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phy {
    /// Frames are bytes, of which each takes its time.
    #[default]
    Bytes,
    /// Characters in blocks at the pace of the sender's oscillator ([`crate::wire`]), with the latency of both transceivers.
    TenGigabit,
}

impl Phy {
    /// Bits a second of 10GBASE-R.
    pub const TEN_GIGABIT: u64 = 10_000_000_000;
}

/// Something that happens to a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// When.
    pub at: Time,
    /// To which.
    pub link: LinkId,
    /// What.
    pub what: LinkChange,
}

/// What can happen to a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinkChange {
    /// It is cut; what is on it and in front of it is lost.
    Down,
    /// It works again.
    Up,
    /// Both directions lose packets with this probability.
    Loss(f64),
    /// Both directions have this rate.
    Rate(u64),
    /// Both directions have this delay. Packets do not overtake each other.
    Delay(Time),
}

/// How plain switches find their ways: the shortest paths, by number of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Routing {
    /// Flows are spread over all shortest paths by a hash of their addresses and ports; otherwise all take the
    /// first one.
    pub multipath: bool,
    /// How long switches take to notice that a link has gone, or has come back.
    pub reroute: Time,
}

impl Default for Routing {
    fn default() -> Self {
        Self { multipath: true, reroute: 0 }
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

    /// A direction's name: the node it comes from, an arrow, the node it goes to.
    pub fn direction_name(&self, link: LinkId, reverse: bool) -> String {
        let [from, to] =
            self.links[link as usize].ends.map(|end| &self.nodes[end.node as usize].name);
        match reverse {
            false => format!("{from}->{to}"),
            true => format!("{to}->{from}"),
        }
    }
}
