//! What hosts send.

use super::NodeId;
use crate::pending::Time;
use crate::stack;
use crate::transport::tcp;
use crate::workload::sizes::Sizes;
use std::sync::Arc;

/// A piece of traffic: its results are counted together.
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
    /// Flows with a size that come without regard to how the others fare.
    Flows(Flows),
    /// Hosts ask one host after the other and wait for the answer.
    Requests(Requests),
    /// Many send to one at the same time, again and again.
    Incast(Incast),
    /// Frames from a capture.
    Replay(Replay),
    /// A host asks another one for echoes.
    Ping(Ping),
}

impl Kind {
    /// Whether its packets are more than the simulation knows of them.
    pub fn needs_frames(&self) -> bool {
        matches!(self, Self::Replay(_))
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

/// Who sends to whom.
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
    /// Exponentially distributed gaps, so many flows a second in the mean.
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
    /// Who sends to whom.
    pub pairs: Pairs,
    /// When they start.
    pub arrivals: Arrivals,
    /// Bytes of each.
    pub sizes: Arc<Sizes>,
    /// What carries them.
    pub transport: Transport,
}

/// What carries a flow.
#[derive(Clone, Debug)]
pub enum Transport {
    /// TCP.
    Tcp(tcp::Settings),
    /// UDP at a rate, in frames of so many bytes; what is lost is not sent again.
    Udp {
        /// Bits a second.
        rate: u64,
        /// Length of each frame, without FCS.
        bytes: u32,
    },
    /// TCP of hosts with a stack.
    Stack(stack::Settings),
}

/// Hosts ask one host after the other and wait for the answer.
#[derive(Clone, Debug)]
pub struct Requests {
    /// Who asks.
    pub clients: Vec<NodeId>,
    /// Who answers: each request is for a random one.
    pub servers: Vec<NodeId>,
    /// Bytes of a request.
    pub request: u64,
    /// Bytes of an answer.
    pub response: Arc<Sizes>,
    /// Requests that a client has open.
    pub outstanding: u32,
    /// How long a client thinks between answer and request, in the mean (exponentially distributed).
    pub think: Time,
    /// What carries both: TCP, of hosts with or without a stack.
    pub transport: Transport,
}

/// Many send to one at the same time.
#[derive(Clone, Debug)]
pub struct Incast {
    /// Who sends.
    pub from: Vec<NodeId>,
    /// To whom.
    pub to: NodeId,
    /// Bytes of each sender in each round.
    pub bytes: u64,
    /// From one round to the next.
    pub period: Time,
    /// Senders start at a random time within this.
    pub jitter: Time,
    /// What carries them: TCP, of hosts with or without a stack.
    pub transport: Transport,
}

/// Frames from a capture.
#[derive(Clone, Debug)]
pub struct Replay {
    /// Who sends them.
    pub from: NodeId,
    /// When, after the traffic's start, and what (without FCS). In order.
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
    /// From one request to the next, more than 0.
    pub period: Time,
}
