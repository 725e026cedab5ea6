//! NDP: receivers ask for each packet, and queues that are full cut off the data of packets, after Handley, Raiciu, Agache, Voinescu, Moore,
//! Antichi and Wojcik, "Re-architecting Datacenter Networks and Stacks for Low Latency and High Performance", SIGCOMM 2017.
//!
//! A sender begins with a window of packets at the rate of its line. Each packet takes a path of its own. A queue of a switch that is full
//! cuts off a packet's data ([`crate::network::queueing::Trim`]) and sends on the header, before all data, so that the receiver knows at once what
//! is missing. The receiver acknowledges each packet ([`ACK`]), says of each header that its data is missing ([`NACK`]), and asks for more with
//! pulls ([`PULL`]), for all flows to its host in turn, at the rate at which its line takes full packets. A sender sends a packet for each
//! pull, missing ones first.
//!
//! What is lost without a header, or whose ACK, NACK or pull is lost, is found by a timeout.

mod pulls;
mod receiver;
mod sender;

use crate::frame::SHORTEST;
use crate::network::queueing::Queueing;
use crate::network::traffic::Traffic;
use crate::network::{Network, NodeKind};
use crate::pending::Time;
pub use pulls::Pulls;
pub use receiver::Receiver;
pub use sender::Sender;

/// The IP protocol of its packets: one for experiments (RFC 3692).
pub const PROTOCOL: u8 = 254;
/// [`Packet::message`](crate::packet::Packet::message): a packet has come.
pub const ACK: u8 = 2;
/// A packet has come without its data.
pub const NACK: u8 = 3;
/// So many pulls have been sent for the flow, this one included.
pub const PULL: u8 = 4;

/// What hosts agree on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Packets that a sender sends without being asked: 1 or more.
    pub initial_window: u32,
    /// Length of a full frame, without FCS: 60 to 9,014.
    pub bytes: u32,
    /// A packet without ACK or NACK is sent again after so long; more than 0.
    pub timeout: Time,
}

impl Default for Settings {
    /// 35 packets, full frames of Ethernet, 1 ms.
    fn default() -> Self {
        Self { initial_window: 35, bytes: 1_514, timeout: 1_000_000_000 }
    }
}

/// Whether NDP works in a network, if something uses it.
///
/// # Errors
/// A sentence: what of the network it cannot work with.
pub fn check(network: &Network) -> Result<(), String> {
    let mut users =
        network.traffic.iter().filter_map(|traffic| Some((traffic, settings(traffic)?)));
    let trims = matches!(network.queueing, Queueing::Trim(_));
    let Some((first, _)) = users.clone().next() else {
        return match network.traffic.first().filter(|_| trims) {
            Some(traffic) => Err(format!(
                "queues that trim are for NDP, and '{}' uses another transport: lost data would not be sent again",
                traffic.name
            )),
            None => Ok(()),
        };
    };
    if !trims {
        return Err(format!("'{}' uses NDP, which needs queues that trim", first.name));
    }
    if let Some(other) = network.traffic.iter().find(|traffic| settings(traffic).is_none()) {
        return Err(format!(
            "'{}' uses NDP and '{}' does not: queues that trim are for NDP alone",
            first.name, other.name
        ));
    }
    let wrong =
        |expected: &str, found: String| Err(format!("NDP: expected {expected}, found {found}"));
    if let Some((_, found)) = users.clone().find(|(_, settings)| settings.initial_window == 0) {
        return wrong("an initial window of 1 packet or more", found.initial_window.to_string());
    }
    if let Some((_, found)) =
        users.clone().find(|(_, found)| !(SHORTEST..=9_014).contains(&found.bytes))
    {
        return wrong("frames of 60 to 9,014 bytes", found.bytes.to_string());
    }
    if users.any(|(_, settings)| settings.timeout == 0) {
        return wrong("a timeout of more than 0", "0".into());
    }
    let stack = network
        .nodes
        .iter()
        .find(|node| matches!(&node.kind, NodeKind::Host(host) if host.stack.is_some()));
    match stack {
        Some(node) => Err(format!("NDP is for hosts without a stack, and '{}' has one", node.name)),
        None => Ok(()),
    }
}

fn settings(traffic: &Traffic) -> Option<Settings> {
    match traffic.kind.transport()? {
        crate::network::traffic::Transport::Ndp(settings) => Some(*settings),
        _ => None,
    }
}
