//! Numbers by which TPPs know the nodes and links of a lab.

use ww_sim::network::{Network, NodeId};

/// `Switch:SwitchID` of a node: counted from 1, since 0 is no switch.
pub fn switch_id(node: NodeId) -> u32 {
    node + 1
}

/// `Link:ID` of the link at a port: the switch's ID above 8 bits of the port. See [`direction`].
pub fn link_id(node: NodeId, port: u32) -> u32 {
    (switch_id(node) << 8) + port
}

/// The direction of a link that leaves a switch at a port: twice the number of the link, plus 1 from its second end.
pub fn direction(network: &Network, switch_id: u32, port: u32) -> Option<u32> {
    let node = switch_id.checked_sub(1)?;
    let ends = (0u32..).zip(network.links.iter().flat_map(|link| link.ends));
    ends.into_iter().find(|(_, end)| (end.node, end.port) == (node, port)).map(|(at, _)| at)
}
