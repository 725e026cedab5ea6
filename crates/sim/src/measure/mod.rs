//! What a run tells: records as things happen, and sums that are kept in little memory.

pub mod histogram;

use crate::pending::Time;
use histogram::Histogram;

/// Takes what a run tells. All of it comes in the order of time, and is a function of network and seed.
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

/// Takes nothing.
impl Observer for () {}

/// What an observer wants to be told.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wishes {
    /// Each packet that arrives.
    pub packets: bool,
    /// Each packet that is dropped.
    pub drops: bool,
    /// Samples so far apart.
    pub sample_every: Option<Time>,
    /// Samples of these directions: twice the link's number, and one more for the way back.
    pub sampled: Vec<u32>,
    /// Frames of these directions.
    pub captures: Vec<u32>,
    /// What is sent and started before is left out of sums and marked in records.
    pub warmup: Time,
}

/// A flow at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlowRecord {
    /// Its number in the run, in the order of starts, from 0.
    pub serial: u64,
    /// Which piece of traffic it belongs to.
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
    /// When the receiver had the last byte; `None` if it never had.
    pub end: Option<Time>,
    /// How long it would have taken in an empty network at the rate of the slowest link.
    pub ideal: Time,
    /// TCP: segments that were sent again.
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
    /// Which piece of traffic it belongs to.
    pub traffic: u32,
    /// Length without FCS.
    pub bytes: u32,
    /// It met congestion on its way.
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
    /// The switch knows no way.
    Route,
    /// Its time to live was over.
    Ttl,
    /// A host took it for broken, or not for itself.
    Host,
    /// A program sent nothing on for it, and keeps nothing that it could send later.
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

    /// In results.
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
    /// Which piece of traffic it belongs to.
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
    /// Bytes that wait, the packet that is being sent included.
    pub queued: u64,
    /// Bytes that were sent, with what frames take on the line besides their own.
    pub sent: u64,
    /// Packets that found no room.
    pub dropped: u64,
    /// Packets that were marked.
    pub marked: u64,
}

/// What a piece of traffic has done after the warm-up.
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
    /// Packets that came with a mark.
    pub marked: u64,
    /// From the host's queue to the other host, ps; data packets.
    pub latency: Histogram,
    /// Between hosts with a stack: from a request for an echo to the echo, ps.
    pub round_trips: Histogram,
    /// Between hosts with a stack: bytes that applications got and that were not those that were sent.
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
