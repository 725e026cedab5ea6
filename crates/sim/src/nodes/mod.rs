//! What hosts and switches do: each kind of node in a file or folder of its own.

pub mod agents;
pub mod dtp;
pub mod hosts;
pub mod keepers;
pub mod program;
pub mod switch;

use crate::network::{Network, NodeId};
use crate::simulation::BuildError;
use std::collections::BTreeMap;

/// Parts of hosts with the host numbers and nodes that they belong to. `what` completes "node 5 ... but is no host".
///
/// # Errors
/// A node is no host.
fn by_host<P>(
    network: &Network,
    parts: BTreeMap<NodeId, P>,
    what: &str,
) -> Result<impl Iterator<Item = (u32, NodeId, P)>, BuildError> {
    let numbers: BTreeMap<NodeId, u32> = network.hosts().map(|(node, _)| node).zip(0..).collect();
    if let Some(node) = parts.keys().find(|node| !numbers.contains_key(node)) {
        return Err(BuildError(format!("node {node} {what} but is no host")));
    }
    let placed = move |(node, part)| numbers.get(&node).map(|number| (*number, node, part));
    Ok(parts.into_iter().filter_map(placed))
}
