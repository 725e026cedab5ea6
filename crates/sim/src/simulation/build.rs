//! Making a simulation of a network and what it has besides data.

use super::dtp::{self, Dtp};
use super::flow::Flows;
use super::forwarding::Forwarding;
use super::keepers::Keepers;
use super::output::Output;
use super::program::Program;
use super::switch::Queues;
use super::{Event, MAX_PORTS, NO_OUTPUT, Place, Simulation, link_stream, stack};
use crate::lookup::Lookup;
use crate::measure::{Cause, Sums, Wishes};
use crate::network::{Network, NodeId, NodeKind};
use crate::packet::Packets;
use crate::pending::Pending;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use ww_clocks::keeper::Keeper;
use ww_engine::dataplane::Dataplane;
use ww_host::agent::Agent;
use ww_sched::framework::fixed::Pace;
use ww_sched::traffic::Manager;

/// What a network has besides data: programs and schedulers.
#[derive(Default)]
pub struct Parts {
    /// What each node that is a program runs. A program has its traffic manager, if any, inside.
    pub dataplanes: BTreeMap<NodeId, Box<dyn Dataplane>>,
    /// Plain switches whose queues have a scheduler. The traffic manager's rates are those of the links.
    pub managers: BTreeMap<NodeId, Manager>,
    /// What sits between the stack and the link of a host.
    pub agents: BTreeMap<NodeId, Box<dyn Agent>>,
    /// What keeps the clock of a host, or tells others its time: [`crate::network::clocks::Clocks::kept`].
    pub keepers: BTreeMap<NodeId, Box<dyn Keeper>>,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dataplanes: Vec<_> = self.dataplanes.keys().collect();
        f.debug_struct("Parts").field("dataplanes", &dataplanes).finish_non_exhaustive()
    }
}

/// A network that cannot be simulated: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(pub String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

impl Simulation {
    /// A network at time 0.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub fn new(
        mut network: Network,
        parts: Parts,
        seed: u64,
        wishes: Wishes,
    ) -> Result<Self, BuildError> {
        let wrong = |text: String| Err(BuildError(text));
        let count = network.nodes.len();
        let oscillators = dtp::oscillators(&mut network, seed);
        let asked = network.clocks.dtp.is_some();
        let mut ports: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut outputs = Vec::new();
        for (id, link) in (0u32..).zip(&network.links) {
            for reverse in [false, true] {
                let (from, to) =
                    (link.ends[usize::from(reverse)], link.ends[usize::from(!reverse)]);
                let direction = &link.directions[usize::from(reverse)];
                let number = outputs.len() as u32;
                let Some(node) = ports.get_mut(from.node as usize) else {
                    return wrong(format!(
                        "link {id} is at node {}, of which there are {count}",
                        from.node
                    ));
                };
                if from.port >= MAX_PORTS {
                    return wrong(format!(
                        "link {id}: port {} is not below {MAX_PORTS}",
                        from.port
                    ));
                }
                let place = from.port as usize;
                if node.len() <= place {
                    node.resize(place + 1, NO_OUTPUT);
                }
                if node[place] != NO_OUTPUT {
                    let name = &network.nodes[from.node as usize].name;
                    return wrong(format!("port {place} of {name} has two links"));
                }
                node[place] = number;
                let Some(pace) = Pace::of_rate(direction.rate) else {
                    return wrong(format!("link {id}: {} b/s is not a rate", direction.rate));
                };
                let stream = link_stream(seed, number);
                let wire = (oscillators[from.node as usize], asked);
                let mut output =
                    Output::new(direction, pace, (to.node, to.port), link.up, stream, wire);
                output.captured = wishes.captures.contains(&number);
                outputs.push(output);
            }
        }
        let (mut hosts, mut host_outputs) = (Vec::new(), Vec::new());
        let mut addresses = Lookup::default();
        let mut places = Vec::new();
        for (id, node) in (0u32..).zip(&network.nodes) {
            places.push(match &node.kind {
                NodeKind::Host(host) => {
                    let links: Vec<_> =
                        ports[id as usize].iter().filter(|output| **output != NO_OUTPUT).collect();
                    let [output] = links[..] else {
                        return wrong(format!(
                            "host {} has {} links, not one",
                            node.name,
                            links.len()
                        ));
                    };
                    host_outputs.push(*output);
                    if addresses.insert(host.ip, hosts.len() as u32).is_some() {
                        return wrong(format!("two hosts have the address {}", host.ip));
                    }
                    hosts.push(id);
                    Place::Host(hosts.len() as u32 - 1)
                }
                NodeKind::Switch(switch) => Place::Switch {
                    routes: switch.routes,
                    latency: switch.latency,
                    managed: parts.managers.contains_key(&id),
                },
                NodeKind::Program if parts.dataplanes.contains_key(&id) => Place::Program,
                NodeKind::Program => {
                    return wrong(format!("there is no program for {}", node.name));
                }
            });
        }
        let stacks = stack::seats(&network, &hosts, seed)?;
        let framed = !parts.dataplanes.is_empty()
            || !stacks.is_empty()
            || !wishes.captures.is_empty()
            || !parts.agents.is_empty()
            || network.traffic.iter().any(|traffic| traffic.kind.needs_frames());
        let port_output = |node: NodeId, port: u32| ports[node as usize][port as usize];
        let is_up = |link: u32| network.links[link as usize].up;
        let forwarding = Forwarding::new(&network, seed, is_up, port_output);
        let sums = network.traffic.iter().map(|_| Sums::default()).collect();
        let mut programs: Vec<Option<Box<Program>>> = network.nodes.iter().map(|_| None).collect();
        for (id, plane) in parts.dataplanes {
            if let Some(program) = programs.get_mut(id as usize) {
                *program = Some(Box::new(Program::new(plane)));
            }
        }
        let managers = parts.managers.into_iter();
        let queues = managers.map(|(id, manager)| (id, Queues::new(manager))).collect();
        let dtp = Dtp::new(&network, &oscillators, seed)?.map(Box::new);
        let mut agents = BTreeMap::new();
        for (node, agent) in parts.agents {
            let Ok(host) = hosts.binary_search(&node) else {
                return wrong(format!("node {node} has an agent but is no host"));
            };
            agents.insert(host as u32, agent);
        }
        let keepers = Keepers::new(&network, &hosts, parts.keepers, seed)?.map(Box::new);
        let mut simulation = Self {
            wishes,
            seed,
            pending: Pending::default(),
            packets: Packets::default(),
            outputs,
            places,
            ports,
            turns: vec![VecDeque::new(); hosts.len()],
            hosts,
            host_outputs,
            stacks,
            forwarding,
            programs,
            queues,
            dtp,
            keepers,
            agents,
            wakes: BTreeMap::new(),
            flows: Flows::default(),
            started: 0,
            sources: Vec::new(),
            sums,
            framed,
            endpoints: Lookup::default(),
            addresses,
            drops: [0; Cause::ALL.len()],
            strangers: 0,
            hops: 0,
            events: 0,
            network,
        };
        simulation.begin()?;
        Ok(simulation)
    }

    /// Schedules what is known from the start.
    fn begin(&mut self) -> Result<(), BuildError> {
        let changes = self.network.changes.iter().map(|change| (change.at, change.link));
        for (index, (at, link)) in (0u32..).zip(changes.collect::<Vec<_>>()) {
            if link as usize >= self.network.links.len() {
                return Err(BuildError(format!(
                    "change {index} is of link {link}, which there is not"
                )));
            }
            self.pending.schedule(at, Event::Change { index });
        }
        if self.wishes.sample_every.is_some_and(|every| every > 0) {
            self.pending.schedule(0, Event::Sample);
        }
        self.begin_keepers();
        if self.dtp.is_some() {
            self.pending.schedule(0, Event::Dtp);
        }
        for host in self.agents.keys() {
            self.pending.schedule(0, Event::Agent { host: *host });
        }
        for node in 0..self.programs.len() {
            self.schedule_program(node as NodeId);
        }
        self.begin_sources()
    }
}
