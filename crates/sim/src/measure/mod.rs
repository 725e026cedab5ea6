//! Measurements of a run: records as events happen, and sums in bounded memory.

pub mod histogram;

use crate::pending::Time;
use histogram::Histogram;

/// Receives the records of a run, in the order of time. They are a function of network and seed.
pub trait Observer {
    /// A flow has ended, or the run has.
    fn flow(&mut self, _flow: &FlowRecord) {}
    /// A packet has reached its host. Called if [`Wishes::packets`].
    fn delivered(&mut self, _delivery: &Delivery) {}
    /// A packet was dropped. Called if [`Wishes::drops`].
    fn dropped(&mut self, _drop: &Drop) {}
    /// What a direction of a link has done. Called if [`Wishes::sample_every`].
    fn sample(&mut self, _sample: &Sample) {}
    /// A frame begins to leave through a direction that is captured ([`Wishes::captures`]).
    fn frame(&mut self, _direction: u32, _at: Time, _frame: &[u8]) {}
}

/// Ignores all records.
impl Observer for () {}

/// Which records an observer wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// A record of each packet that reaches its host.
    pub packets: bool,
    /// A record of each dropped packet.
    pub drops: bool,
    /// Interval between samples.
    pub sample_every: Option<Time>,
    /// Samples of these directions: twice the link's number, and one more for the way back.
    pub sampled: Vec<u32>,
    /// Frames of these directions.
    pub captures: Vec<u32>,
    /// End of the warm-up: what is sent or started before is omitted from sums.
    pub warmup: Time,
}

/// A flow at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowRecord {
    /// Its number in the run, in the order of starts, from 0.
    pub serial: u64,
    /// Index of the traffic entry that it belongs to.
    pub traffic: u32,
    /// Number of the sending host, among hosts.
    pub from: u32,
    /// Number of the receiving host.
    pub to: u32,
    /// Bytes to be sent.
    pub bytes: u64,
    /// Bytes that have arrived, each counted once.
    pub received: u64,
    /// When it started.
    pub start: Time,
    /// When the receiver got the last byte; `None` if it did not.
    pub end: Option<Time>,
    /// Ideal completion time: in an empty network, at the rate of the slowest link.
    pub ideal: Time,
    /// TCP: retransmitted segments.
    pub retransmitted: u64,
    /// TCP: how often the retransmission timer expired.
    pub timeouts: u64,
}

/// A packet at its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// When.
    pub at: Time,
    /// When it was sent.
    pub sent: Time,
    /// Its flow's number in the run.
    pub flow: u64,
    /// Index of the traffic entry that it belongs to.
    pub traffic: u32,
    /// Length without FCS.
    pub bytes: u32,
    /// It carries an ECN congestion mark.
    pub marked: bool,
}

/// Why a packet was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// The queue had no room.
    Queue,
    /// The link lost it.
    Loss,
    /// It came with a wrong FCS.
    Corruption,
    /// The link was cut, or is down.
    Down,
    /// The switch has no route.
    Route,
    /// Its time to live was over.
    Ttl,
    /// A host discarded it: corrupt, or addressed to another host.
    Host,
    /// A program dropped it: it sent nothing and holds nothing to send later.
    Program,
}

impl Cause {
    /// All, in the order of [`Sums::drops`].
    pub const ALL: [Self; 8] = [
        Self::Queue,
        Self::Loss,
        Self::Corruption,
        Self::Down,
        Self::Route,
        Self::Ttl,
        Self::Host,
        Self::Program,
    ];

    /// The key in results.
    pub fn word(self) -> &'static str {
        match self {
            Self::Queue => "queue",
            Self::Loss => "loss",
            Self::Corruption => "corruption",
            Self::Down => "down",
            Self::Route => "route",
            Self::Ttl => "ttl",
            Self::Host => "host",
            Self::Program => "program",
        }
    }
}

/// A packet that was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drop {
    /// When.
    pub at: Time,
    /// At which node.
    pub node: u32,
    /// Index of the traffic entry that it belongs to.
    pub traffic: u32,
    /// Length without FCS.
    pub bytes: u32,
    /// Why.
    pub cause: Cause,
}

/// A direction of a link at one time; counters are from the start of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// When.
    pub at: Time,
    /// Twice the link's number, and one more for the way back.
    pub direction: u32,
    /// Queue length in bytes, including the packet that is being sent.
    pub queued: u64,
    /// Bytes that were sent, including per-frame overhead.
    pub sent: u64,
    /// Packets dropped at the queue.
    pub dropped: u64,
    /// Packets that were marked.
    pub marked: u64,
}

/// Sums of a traffic entry after the warm-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sums {
    /// Packets that hosts have sent.
    pub sent: u64,
    /// Packets that have reached their hosts.
    pub delivered: u64,
    /// Bytes for applications that have arrived, each counted once.
    pub goodput: u64,
    /// Packets that were dropped, by [`Cause::ALL`].
    pub drops: [u64; Cause::ALL.len()],
    /// Packets that arrived with an ECN mark.
    pub marked: u64,
    /// From the host's queue to the other host, ps; data packets.
    pub latency: Histogram,
    /// Between hosts with a stack: from a request for an echo to the echo, ps.
    pub round_trips: Histogram,
    /// Between hosts with a stack: received bytes that differ from those sent.
    pub wrong: u64,
    /// Flows with a size that were started.
    pub started: u64,
    /// Of these, those that have ended.
    pub finished: u64,
    /// Flows with a size that were started since the start of the run.
    pub all_started: u64,
    /// Of these, those that have ended.
    pub all_finished: u64,
}
