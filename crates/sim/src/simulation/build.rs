//! Making a simulation of a network and what it has besides data: the one place that knows all kinds of nodes.

use super::kernel::Kernel;
use super::{Context, Layer, Node, Simulation};
use crate::measure::Wishes;
use crate::network::queueing::Queueing;
use crate::network::{Network, NodeId, NodeKind};
use crate::nodes::agents::Agents;
use crate::nodes::dtp::{self, Dtp};
use crate::nodes::hosts::Hosts;
use crate::nodes::keepers::Keepers;
use crate::nodes::program::Program;
use crate::nodes::switch::Switch;
use std::collections::BTreeMap;
use std::fmt;
use ww_clocks::keeper::Keeper;
use ww_dataplane::Dataplane;
use ww_host::agent::Agent;
use ww_sched::traffic::Manager;

/// What a network has besides data: programs, schedulers, and nodes of kinds that the simulation does not know.
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
    /// Nodes of any other kind, in place of what the network's data make of them. A host stays one for routing, and
    /// is neither source nor destination of [`Network::traffic`].
    pub nodes: BTreeMap<NodeId, Box<dyn Node>>,
    /// Layers of any other kind at hosts, from the link up, above agents and keepers.
    pub layers: Vec<Box<dyn Layer>>,
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

/// A network at time 0.
///
/// # Errors
/// A sentence about what is wrong with it.
pub(super) fn build(
    mut network: Network,
    mut parts: Parts,
    seed: u64,
    wishes: Wishes,
) -> Result<Simulation, BuildError> {
    let oscillators = dtp::oscillators(&mut network, seed);
    let idle = network.clocks.dtp.is_some();
    let mut kernel = Kernel::new(network, seed, wishes, (&oscillators, idle))?;
    kernel.framed = !parts.dataplanes.is_empty()
        || !parts.agents.is_empty()
        || !parts.nodes.is_empty()
        || !parts.layers.is_empty()
        || !kernel.wishes.captures.is_empty()
        || kernel.network.hosts().any(|(_, host)| host.stack.is_some())
        || kernel.network.traffic.iter().any(|traffic| traffic.kind.needs_frames());
    let network = &kernel.network;
    let mut layers: Vec<Box<dyn Layer>> = Vec::new();
    if !parts.agents.is_empty() {
        layers.push(Box::new(Agents::new(network, parts.agents)?));
    }
    if kernel.network.queueing != Queueing::DropTail && !parts.managers.is_empty() {
        let message = "queues that trim or pause are those of plain switches without a scheduler";
        return Err(BuildError(message.to_owned()));
    }
    let mut transparent = false;
    if !parts.keepers.is_empty() {
        let keepers = Keepers::new(network, parts.keepers, seed)?;
        transparent = keepers.transparent();
        layers.push(Box::new(keepers));
    }
    layers.extend(parts.layers);
    let served = |node: NodeId| !parts.nodes.contains_key(&node);
    let mut hosts = Hosts::new(network, served, seed, layers)?;
    let mut nodes: Vec<Box<dyn Node>> = Vec::new();
    if let Some(dtp) = Dtp::new(network, &oscillators, seed)? {
        nodes.push(Box::new(dtp));
    }
    // `None` for hosts, which one object stands for.
    let mut owners: Vec<Option<u32>> = Vec::new();
    for (id, node) in (0u32..).zip(&network.nodes) {
        let own: Option<Box<dyn Node>> = match &node.kind {
            _ if parts.nodes.contains_key(&id) => parts.nodes.remove(&id),
            NodeKind::Host(_) => None,
            NodeKind::Switch(switch) => {
                let manager = parts.managers.remove(&id);
                Some(Box::new(Switch::new(*switch, manager, transparent)))
            }
            NodeKind::Program => match parts.dataplanes.remove(&id) {
                Some(dataplane) => Some(Box::new(Program::new(id, dataplane))),
                None => return Err(BuildError(format!("there is no program for {}", node.name))),
            },
        };
        owners.push(own.is_some().then_some(nodes.len() as u32));
        nodes.extend(own);
    }
    let all_hosts = nodes.len() as u32;
    kernel.begin()?;
    // Events of one time happen in the order in which they are scheduled: layers of hosts first, traffic last.
    let ctx = Context { kernel: &mut kernel, observer: &mut (), node: all_hosts, layer: 0 };
    hosts.begin_layers(ctx)?;
    nodes.push(Box::new(hosts));
    for (node, own) in (0u32..).zip(&mut nodes) {
        own.begin(&mut Context { kernel: &mut kernel, observer: &mut (), node, layer: 0 })?;
    }
    let owners = owners.into_iter().map(|owner| owner.unwrap_or(all_hosts)).collect();
    Ok(Simulation { kernel, nodes, owners })
}
