//! DCQCN: the rates of RDMA over Ethernet that loses nothing, after Zhu, Eran, Firestone, Guo, Lipshteyn, Liron, Padhye, Raindel, Yahia and Zhang,
//! "Congestion Control for Large-Scale RDMA Deployments", SIGCOMM 2015.
//!
//! Switches mark packets at random when their queues grow, and pause who sends before they drop anything ([`crate::network::queueing::Pause`]). The
//! receiver answers marks with a congestion notification ([`CNP`]), one in 50 us at most. Each makes the sender cut its rate ([`Rate`]); without them it recovers,
//! then tries more. Packets leave at that rate. Losses are for broken links only: the receiver names the packet that it misses, and the sender goes back to it.

mod rate;
mod receiver;
mod sender;

use crate::frame::SHORTEST;
use crate::network::queueing::Queueing;
use crate::network::traffic::{Traffic, Transport};
use crate::network::{Network, NodeKind};
use crate::pending::Time;
pub use rate::Rate;
pub use receiver::{Answer, Receiver};
pub use sender::Sender;

/// The IP protocol of its packets: UDP, of which it is a port (RoCEv2).
pub const PROTOCOL: u8 = ww_packet::protocol::ip::UDP;
/// [`Packet::message`](crate::packet::Packet::message): all packets before this number have come.
pub const ACK: u8 = 2;
/// The same, and this one was missing when a later one came.
pub const NACK: u8 = 3;
/// Marked packets come.
pub const CNP: u8 = 4;

/// What a sender does. The defaults are the published ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Length of a full frame, without FCS: 60 to 9,014.
    pub bytes: u32,
    /// Packets that may be on their way: 1 or more.
    pub window: u32,
    /// The weight g of a notification in alpha: more than 0, up to 1.
    pub gain: f64,
    /// Without a notification alpha falls once in this time; more than 0.
    pub alpha_interval: Time,
    /// The time and the bytes of a step of increase; more than 0.
    pub increase_interval: Time,
    /// See [`increase_interval`](Self::increase_interval).
    pub increase_bytes: u64,
    /// F: steps of fast recovery.
    pub recovery_steps: u32,
    /// Additive and hyper increase, in bits a second.
    pub additive: u64,
    /// See [`additive`](Self::additive).
    pub hyper: u64,
    /// The least rate, in bits a second; more than 0.
    pub least: u64,
    /// The least time between two notifications of a flow.
    pub notify_interval: Time,
    /// Without an answer for so long a sender goes back to the first packet that was not acknowledged; more than 0.
    pub timeout: Time,
}

impl Default for Settings {
    /// g = 1/256, 55 us, 10 MB, F = 5, 40 Mb/s and ten times that, notifications each 50 us. Ours: a window of 35 full frames of Ethernet, 10 Mb/s at least, 4 ms.
    fn default() -> Self {
        Self {
            bytes: 1_514,
            window: 35,
            gain: 1.0 / 256.0,
            alpha_interval: 55_000_000,
            increase_interval: 55_000_000,
            increase_bytes: 10_000_000,
            recovery_steps: 5,
            additive: 40_000_000,
            hyper: 400_000_000,
            least: 10_000_000,
            notify_interval: 50_000_000,
            timeout: 4_000_000_000,
        }
    }
}

/// Whether DCQCN works in a network, if something uses it.
///
/// # Errors
/// A sentence: what of the network it cannot work with.
pub fn check(network: &Network) -> Result<(), String> {
    let settings = |traffic: &Traffic| match traffic.kind.transport()? {
        Transport::Dcqcn(settings) => Some(*settings),
        _ => None,
    };
    for traffic in &network.traffic {
        let Some(used) = settings(traffic) else { continue };
        if !matches!(network.queueing, Queueing::Pause(_)) {
            return Err(format!("'{}' uses DCQCN, which needs queues that pause", traffic.name));
        }
        if let Some(node) = network
            .nodes
            .iter()
            .find(|node| matches!(&node.kind, NodeKind::Host(host) if host.stack.is_some()))
        {
            return Err(format!("DCQCN is for hosts without a stack, and '{}' has one", node.name));
        }
        let Settings { bytes, window, gain, .. } = used;
        let more_than_0 = [
            ("window", u64::from(window)),
            ("alpha_interval", used.alpha_interval),
            ("increase_interval", used.increase_interval),
            ("increase_bytes", used.increase_bytes),
            ("least rate", used.least),
            ("timeout", used.timeout),
        ];
        if let Some((name, _)) = more_than_0.iter().find(|(_, value)| *value == 0) {
            return Err(format!("DCQCN: expected {name} to be more than 0, found 0"));
        }
        if !(SHORTEST..=9_014).contains(&bytes) {
            return Err(format!("DCQCN: expected frames of 60 to 9,014 bytes, found {bytes}"));
        }
        if !(gain > 0.0 && gain <= 1.0) {
            return Err(format!("DCQCN: expected a gain of more than 0 and up to 1, found {gain}"));
        }
    }
    Ok(())
}
