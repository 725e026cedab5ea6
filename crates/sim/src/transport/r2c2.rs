//! R2C2: congestion control for racks whose hosts are connected directly and forward for one another, after Costa, Ballani,
//! Razavi and Kash, "R2C2: A Network Stack for Rack-scale Computers", SIGCOMM 2015.
//!
//! The start and the end of each flow are broadcast to all hosts. So each source knows the flows of all, computes everyone's
//! max-min fair rates ([`crate::max_min`]), and sends its own flows at theirs. Packets are sprayed over shortest paths: each
//! node chooses one of its shortest ways at random. Nobody reacts to queues, marks or losses, and a lost packet is not sent
//! again.

use crate::frame::SHORTEST;
use crate::network::traffic::{Kind, Transport};
use crate::network::{Network, NodeKind};
use crate::pending::Time;
use std::collections::BTreeSet;

/// What a network's hosts agree on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The share of each link that rates leave free, for broadcasts and for flows that not all know yet: 0 or more, below 1.
    pub headroom: f64,
    /// Rates are computed anew at multiples of this time if flows have come or gone, and when the host itself starts a flow. Above
    /// 0.
    pub interval: Time,
    /// Length of each frame, without FCS: 60 to 9,014.
    pub bytes: u32,
}

impl Default for Settings {
    /// 5 %, 10 us, full frames of Ethernet.
    fn default() -> Self {
        Self { headroom: 0.05, interval: 10_000_000, bytes: 1_514 }
    }
}

/// The settings of a network that uses R2C2; `None` if it does not.
///
/// # Errors
/// A sentence: what of the network R2C2 cannot work with.
pub fn check(network: &Network) -> Result<Option<Settings>, String> {
    let mut used: Option<(Settings, &str)> = None;
    for traffic in &network.traffic {
        let Some(Transport::R2c2(settings)) = traffic.kind.transport() else { continue };
        let name = traffic.name.as_str();
        if !matches!(traffic.kind, Kind::Flows(_)) {
            return Err(format!("'{name}' uses R2C2, which sends no lost packet again: take TCP"));
        }
        if let Some((_, other)) = used.filter(|(used, _)| used != settings) {
            return Err(format!(
                "'{other}' and '{name}' use R2C2 with different settings, and each host computes the rates of all: give them one transport"
            ));
        }
        used = Some((*settings, name));
    }
    let Some((settings, _)) = used else { return Ok(None) };
    let Settings { headroom, interval, bytes } = settings;
    if !(0.0..1.0).contains(&headroom) {
        return Err(format!(
            "R2C2: expected a headroom of 0 or more and below 1, found {headroom}"
        ));
    }
    if interval == 0 {
        return Err("R2C2: expected an interval above 0, found 0".to_owned());
    }
    if !(SHORTEST..=9_014).contains(&bytes) {
        return Err(format!("R2C2: expected frames of 60 to 9,014 bytes, found {bytes}"));
    }
    direct(network)?;
    Ok(Some(settings))
}

/// Whether the network is one of direct links: each host at a switch of its own, which stands for what forwards in that host.
fn direct(network: &Network) -> Result<(), String> {
    let name = |node: u32| &network.nodes[node as usize].name;
    let is_host = |node: u32| matches!(network.nodes[node as usize].kind, NodeKind::Host(_));
    let mut taken = BTreeSet::new();
    for link in &network.links {
        let [from, to] = link.ends.map(|end| end.node);
        if is_host(from) || is_host(to) {
            let switch = if is_host(from) { to } else { from };
            if !taken.insert(switch) {
                return Err(format!(
                    "R2C2 needs one host at each switch, and '{}' has more: take hosts = 1",
                    name(switch)
                ));
            }
        }
        if link.directions.iter().any(|line| line.rate == 0) {
            return Err(format!(
                "R2C2: the link of '{}' and '{}' has no rate",
                name(from),
                name(to)
            ));
        }
    }
    for (id, node) in (0u32..).zip(&network.nodes) {
        match &node.kind {
            NodeKind::Host(host) if host.stack.is_some() => {
                return Err(format!(
                    "R2C2 is for hosts without a stack, and '{}' has one",
                    node.name
                ));
            }
            NodeKind::Host(_) => {}
            NodeKind::Switch(_) if taken.contains(&id) => {}
            NodeKind::Switch(_) => {
                return Err(format!(
                    "R2C2 needs one host at each switch, and '{}' has none: take a torus",
                    node.name
                ));
            }
            NodeKind::Program => {
                return Err(format!(
                    "R2C2 is for plain switches, and '{}' is a program",
                    node.name
                ));
            }
        }
    }
    Ok(())
}
