//! What a node of a network is to the simulation: packets come in, timers expire, and at the end it reports.
//!
//! An implementation keeps all that it knows of a protocol to itself; time, links and packets are in the [`Context`].
//! One object may stand for several nodes, where these share state: all hosts are one, as their flows have two ends.

use super::build::BuildError;
use super::context::Context;
use super::reports::Reports;
use crate::network::{Change, NodeId};
use crate::packet::PacketId;

/// Where a packet came in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ingress {
    /// The node that has it now.
    pub node: NodeId,
    /// The port that it came through.
    pub port: u32,
    /// The direction of a link that it came over: twice the link's number, and one more for the way back.
    pub direction: u32,
}

/// What a node told itself when it scheduled a timer. The numbers mean what the node lets them mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timer {
    /// Which kind of timer, of the node's.
    pub kind: u8,
    /// What it is about.
    pub about: u32,
    /// More about it.
    pub tag: u32,
}

/// A node, or several that share state. See the module.
pub trait Node {
    /// The simulation is complete and time is 0: first timers are scheduled here.
    ///
    /// # Errors
    /// The node cannot take part in this network.
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        let _ = ctx;
        Ok(())
    }

    /// The last bit of a packet has come. The packet is the node's: it offers it to a link, keeps it, drops it or
    /// removes it.
    fn receive(&mut self, packet: PacketId, ingress: Ingress, ctx: &mut Context<'_>);

    /// A timer expires that the node scheduled.
    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>);

    /// A link of the network is about to change. Every node is told of every change.
    fn link_changes(&mut self, change: Change, ctx: &mut Context<'_>) {
        let _ = (change, ctx);
    }

    /// The run ends here: what has not ended is told to the observer.
    fn finish(&mut self, ctx: &mut Context<'_>) {
        let _ = ctx;
    }

    /// Adds what the node has found out, as values of its own types. Asked once, at the end.
    fn inspect(&mut self, ctx: &mut Context<'_>, reports: &mut Reports) {
        let _ = (ctx, reports);
    }
}

/// What sits between the links of hosts and their transport: it sees each packet on its way in and out, and may send
/// some of its own. One object stands for all hosts that have it.
///
/// Timers of a layer are its own: kinds need not differ from those of other layers.
pub trait Layer {
    /// The simulation is complete and time is 0.
    ///
    /// # Errors
    /// The layer cannot take part in this network.
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        let _ = ctx;
        Ok(())
    }

    /// A packet is about to join the queue of a host's link. False if the layer has taken or dropped it.
    fn transmit(&mut self, packet: PacketId, host: u32, ctx: &mut Context<'_>) -> bool {
        let _ = (packet, host, ctx);
        true
    }

    /// A packet has come to a host (a number among hosts). False if the layer has taken or dropped it.
    fn receive(&mut self, packet: PacketId, host: u32, ctx: &mut Context<'_>) -> bool;

    /// A timer expires that the layer scheduled.
    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>);

    /// Adds what the layer has found out. Asked once, at the end.
    fn inspect(&mut self, ctx: &mut Context<'_>, reports: &mut Reports) {
        let _ = (ctx, reports);
    }
}
