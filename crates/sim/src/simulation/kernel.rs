//! What all nodes stand on: time, events to come, links with their queues, and the packets on them. It knows no
//! protocol.

use super::build::BuildError;
use super::egress::Egress;
use super::output::Output;
use super::paths::Paths;
use super::pauses::Pauses;
use super::{MAX_PORTS, link_stream};
use crate::lookup::Lookup;
use crate::measure::{Cause, Sums, Wishes};
use crate::network::{Network, NodeId, NodeKind};
use crate::packet::{PacketId, Packets};
use crate::pending::Pending;
use std::net::Ipv4Addr;
use ww_dtp::simulation::oscillator::Oscillator;
use ww_sched::framework::fixed::Pace;

/// What happens at a time.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// The first packet that is on its way reaches the other end of a direction.
    Arrive { direction: u32, epoch: u16 },
    /// A packet that a node held back until now joins the queue of a direction.
    Offer { packet: PacketId, direction: u32 },
    /// The line of a direction is free for what waits in its [`Egress`](super::egress::Egress).
    Depart { direction: u32, epoch: u16 },
    /// The other end of a direction lets it send data, or not.
    Pause { direction: u32, epoch: u16, is_paused: bool },
    /// A packet begins to leave through a direction that is captured.
    Capture { packet: PacketId, direction: u32, epoch: u16 },
    /// A timer of a node, or of one of its layers (1 and up), expires.
    Timer { node: u32, layer: u8, kind: u8, about: u32, tag: u32 },
    /// One of [`Network::changes`].
    Change { index: u32 },
    /// Paths are computed anew over the links that are up.
    Reroute,
    /// Directions are sampled.
    Sample,
}

/// See the module.
pub(super) struct Kernel {
    pub network: Network,
    pub wishes: Wishes,
    pub seed: u64,
    pub pending: Pending<Event>,
    pub packets: Packets,
    pub outputs: Vec<Output>,
    /// Of each node, the direction that begins at each port.
    pub ports: Vec<Vec<u32>>,
    /// Node of each host, and the direction that begins there.
    pub hosts: Vec<NodeId>,
    pub host_directions: Vec<u32>,
    /// Of each node its number among hosts; [`NO_HOST`] if it is none.
    pub host_numbers: Vec<u32>,
    pub addresses: Lookup<Ipv4Addr, u32>,
    pub paths: Paths,
    /// Whom switches have paused, if they do.
    pub pauses: Option<Box<Pauses>>,
    pub sums: Vec<Sums>,
    /// Packets have bytes, as somebody reads them.
    pub framed: bool,
    pub drops: [u64; Cause::ALL.len()],
    pub hops: u64,
    pub events: u64,
}

/// No direction: a port without a link.
pub(super) const NO_DIRECTION: u32 = u32::MAX;

/// No host number: a node that is no host.
pub(super) const NO_HOST: u32 = u32::MAX;

/// Both directions of each link, and which begins at each port of each node.
type Lines = (Vec<Output>, Vec<Vec<u32>>);

impl Kernel {
    /// The links of a network at time 0. `oscillators` are those of the nodes; DTP will or will not ask for `idle` blocks.
    ///
    /// # Errors
    /// A sentence about what is wrong with the network.
    pub fn new(
        network: Network,
        seed: u64,
        wishes: Wishes,
        (oscillators, idle): (&[Oscillator], bool),
    ) -> Result<Self, BuildError> {
        let (outputs, ports) = lines(&network, seed, &wishes, (oscillators, idle))?;
        let (mut hosts, mut host_directions) = (Vec::new(), Vec::new());
        let mut host_numbers = vec![NO_HOST; network.nodes.len()];
        let mut addresses = Lookup::default();
        for (id, node) in (0u32..).zip(&network.nodes) {
            let NodeKind::Host(host) = &node.kind else { continue };
            let links: Vec<_> =
                ports[id as usize].iter().filter(|port| **port != NO_DIRECTION).collect();
            let [direction] = links[..] else {
                let (name, links) = (&node.name, links.len());
                return Err(BuildError(format!("host {name} has {links} links, not one")));
            };
            host_directions.push(*direction);
            host_numbers[id as usize] = hosts.len() as u32;
            if addresses.insert(host.ip, hosts.len() as u32).is_some() {
                return Err(BuildError(format!("two hosts have the address {}", host.ip)));
            }
            hosts.push(id);
        }
        let port_direction = |node: NodeId, port: u32| ports[node as usize][port as usize];
        let is_up = |link: u32| network.links[link as usize].up;
        let paths = Paths::new(&network, seed, is_up, port_direction);
        let pauses = Pauses::new(&network.queueing, outputs.len());
        let sums = network.traffic.iter().map(|_| Sums::default()).collect();
        Ok(Self {
            network,
            wishes,
            seed,
            pending: Pending::default(),
            packets: Packets::default(),
            outputs,
            ports,
            hosts,
            host_directions,
            host_numbers,
            addresses,
            paths,
            pauses,
            sums,
            framed: false,
            drops: [0; Cause::ALL.len()],
            hops: 0,
            events: 0,
        })
    }

    /// Schedules what is known from the start.
    ///
    /// # Errors
    /// A change is of an unknown link.
    pub fn begin(&mut self) -> Result<(), BuildError> {
        for (index, change) in (0u32..).zip(&self.network.changes) {
            let link = change.link;
            if link as usize >= self.network.links.len() {
                return Err(BuildError(format!("change {index} is of unknown link {link}")));
            }
            self.pending.schedule(change.at, Event::Change { index });
        }
        if self.wishes.sample_every.is_some_and(|every| every > 0) {
            self.pending.schedule(0, Event::Sample);
        }
        Ok(())
    }
}

fn lines(
    network: &Network,
    seed: u64,
    wishes: &Wishes,
    (oscillators, idle): (&[Oscillator], bool),
) -> Result<Lines, BuildError> {
    let wrong = |text: String| Err(BuildError(text));
    let count = network.nodes.len();
    let mut ports: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut outputs = Vec::new();
    for (id, link) in (0u32..).zip(&network.links) {
        for reverse in [false, true] {
            let (from, to) = (link.ends[usize::from(reverse)], link.ends[usize::from(!reverse)]);
            let direction = &link.directions[usize::from(reverse)];
            let number = outputs.len() as u32;
            let Some(node) = ports.get_mut(from.node as usize) else {
                let node = from.node;
                return wrong(format!("link {id} is at node {node}, of which there are {count}"));
            };
            if from.port >= MAX_PORTS {
                return wrong(format!("link {id}: port {} is not below {MAX_PORTS}", from.port));
            }
            let place = from.port as usize;
            if node.len() <= place {
                node.resize(place + 1, NO_DIRECTION);
            }
            if node[place] != NO_DIRECTION {
                let name = &network.nodes[from.node as usize].name;
                return wrong(format!("port {place} of {name} has two links"));
            }
            node[place] = number;
            let Some(pace) = Pace::of_rate(direction.rate) else {
                return wrong(format!("link {id}: {} b/s is not a rate", direction.rate));
            };
            let stream = link_stream(seed, number);
            let wire = (oscillators[from.node as usize], idle);
            let is_switch = matches!(network.nodes[from.node as usize].kind, NodeKind::Switch(_));
            let egress = Egress::new(&network.queueing, is_switch);
            let mut output =
                Output::new(direction, pace, (to.node, to.port), link.up, stream, wire, egress);
            output.captured = wishes.captures.contains(&number);
            outputs.push(output);
        }
    }
    Ok((outputs, ports))
}
