//! What hosts send.

use super::NodeId;
use crate::pending::Time;
use crate::stack;
use crate::transport::{dcqcn, ndp, r2c2, tcp};
use crate::workload::sizes::Sizes;
use std::sync::Arc;

/// A traffic entry: its results are counted together.
#[derive(Clone, Debug)]
pub struct Traffic {
    /// Its name in results.
    pub name: String,
    /// When it begins.
    pub start: Time,
    /// When it ends: nothing new is sent or started after that.
    pub stop: Time,
    /// The class of its packets, 0 to 63: the DSCP field.
    pub class: u8,
    /// What it is.
    pub kind: Kind,
}

/// Kinds of traffic.
#[derive(Clone, Debug)]
pub enum Kind {
    /// UDP packets from one host to another.
    Stream(Stream),
    /// Flows with a size in an open loop: arrivals do not depend on completions.
    Flows(Flows),
    /// Requests and responses in a closed loop: a client waits for each response.
    Requests(Requests),
    /// Incast: many hosts send to one at the same time, in rounds.
    Incast(Incast),
    /// Frames from a capture.
    Replay(Replay),
    /// A host asks another one for echoes.
    Ping(Ping),
}

impl Kind {
    /// Whether packets need bytes, as the models do not know what they are.
    pub fn needs_frames(&self) -> bool {
        matches!(self, Self::Replay(_))
    }

    /// The transport of its flows, if these have one that is chosen.
    pub fn transport(&self) -> Option<&Transport> {
        match self {
            Self::Flows(flows) => Some(&flows.transport),
            Self::Requests(requests) => Some(&requests.transport),
            Self::Incast(incast) => Some(&incast.transport),
            Self::Stream(_) | Self::Replay(_) | Self::Ping(_) => None,
        }
    }
}

/// UDP packets from one host to another.
#[derive(Clone, Copy, Debug)]
pub struct Stream {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// Length of each frame, without FCS: 60 to 9,014.
    pub bytes: u32,
    /// When they are sent.
    pub pattern: Pattern,
}

/// When packets are sent. Gaps are from first bit to first bit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pattern {
    /// With equal gaps, exact to 2^-16 ps.
    Constant {
        /// Bits a second, counting frames without FCS.
        rate: u64,
    },
    /// With exponentially distributed gaps.
    Poisson {
        /// Their mean, bits a second.
        rate: u64,
    },
    /// With exponentially distributed gaps and lengths, as what comes to an M/M/1 queue. [`Stream::bytes`] is the mean
    /// of the lengths; those below 60 bytes become 60, those above 9,014 become 9,014.
    Exponential {
        /// Their mean, bits a second.
        rate: u64,
    },
    /// In bursts and silences of exponentially distributed lengths; within a burst at constant rate.
    OnOff {
        /// Within a burst, bits a second.
        rate: u64,
        /// Mean length of a burst.
        on: Time,
        /// Mean length of a silence.
        off: Time,
    },
}

/// Sources and destinations of flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pairs {
    /// Each flow takes one of these at random.
    Listed(Vec<(NodeId, NodeId)>),
    /// Each flow is from a random host of these to a random other one.
    AllToAll(Vec<NodeId>),
    /// Each host sends to one other, and each receives from one other: a random permutation without fixed
    /// points, drawn once.
    Permutation(Vec<NodeId>),
    /// From a random host of the first to a random one of the second, but not to itself.
    Between(Vec<NodeId>, Vec<NodeId>),
}

/// When flows start.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrivals {
    /// A Poisson process of `rate` flows a second.
    Poisson {
        /// Flows a second of the whole piece of traffic.
        rate: f64,
    },
    /// One for each pair, at the start. Pairs must be listed or a permutation.
    Once,
    /// At these times after the start, in order.
    At(Vec<Time>),
}

/// Flows with a size.
#[derive(Clone, Debug)]
pub struct Flows {
    /// Sources and destinations.
    pub pairs: Pairs,
    /// When they start.
    pub arrivals: Arrivals,
    /// Bytes of each.
    pub sizes: Arc<Sizes>,
    /// Their transport.
    pub transport: Transport,
}

/// The transport of a flow.
#[derive(Clone, Debug)]
pub enum Transport {
    /// TCP.
    Tcp(tcp::Settings),
    /// UDP at a rate, in frames of `bytes`; lost packets are not retransmitted.
    Udp {
        /// Bits a second.
        rate: u64,
        /// Length of each frame, without FCS.
        bytes: u32,
    },
    /// Packets at the rates that sources compute from the flows of all; lost packets are not retransmitted.
    R2c2(r2c2::Settings),
    /// Packets at rates that marks cut, with queues that pause.
    Dcqcn(dcqcn::Settings),
    /// Packets that receivers ask for, with queues that trim.
    Ndp(ndp::Settings),
    /// TCP of hosts with a stack.
    Stack(stack::Settings),
}

/// Requests and responses in a closed loop: a client waits for each response.
#[derive(Clone, Debug)]
pub struct Requests {
    /// Who asks.
    pub clients: Vec<NodeId>,
    /// The servers: each request goes to a random one.
    pub servers: Vec<NodeId>,
    /// Bytes of a request.
    pub request: u64,
    /// Bytes of an answer.
    pub response: Arc<Sizes>,
    /// Outstanding requests per client.
    pub outstanding: u32,
    /// Mean think time between a response and the next request (exponentially distributed).
    pub think: Time,
    /// The transport of both, one that sends lost packets again.
    pub transport: Transport,
}

/// Incast: many hosts send to one at the same time, in rounds.
#[derive(Clone, Debug)]
pub struct Incast {
    /// Who sends.
    pub from: Vec<NodeId>,
    /// To whom.
    pub to: NodeId,
    /// Bytes per sender and round.
    pub bytes: u64,
    /// Interval between rounds.
    pub period: Time,
    /// Senders start at a random time within this.
    pub jitter: Time,
    /// Their transport, one that sends lost packets again.
    pub transport: Transport,
}

/// Frames from a capture.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Who sends them.
    pub from: NodeId,
    /// Times after the traffic's start, in order, with frames without FCS.
    pub frames: Arc<Vec<(Time, Vec<u8>)>>,
}

/// A host asks another one for ICMP echoes (RFC 792). Both have a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping {
    /// Who asks.
    pub from: NodeId,
    /// Who answers.
    pub to: NodeId,
    /// Bytes behind the ICMP header: 12 to 8,972, as far as the MTU allows.
    pub bytes: u32,
    /// Interval between requests, more than 0.
    pub period: Time,
}
