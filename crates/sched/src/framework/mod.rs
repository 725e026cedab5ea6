//! The programming framework: flow queues, policies, hierarchies.
//!
//! Packets wait in a queue for each flow. Flows, and classes of flows, are the children of nodes; each
//! node has a [`Policy`], and its children that have packets are elements of an ordered list. The
//! framework calls the policy when a child enters the list (Pre-Enqueue), when a packet of it has left
//! (Post-Dequeue), and on alarms (dissertation, sections 2.2 to 2.4).

pub mod fixed;
pub mod scheduler;
mod tree;

use fixed::Pace;
use std::fmt::Debug;

/// A packet: what a scheduler needs to know of it. Times are picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Packet {
    /// The caller's name for it.
    pub handle: u64,
    /// Length, as the caller counts it (with or without FCS, preamble, gap).
    pub bytes: u32,
    /// When it came; set by the scheduler.
    pub arrival: u64,
    /// What policies may go by.
    pub meta: Meta,
}

/// What the sender or a classifier says about a packet. Policies look at what they need.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meta {
    /// Bytes of the whole job (SJF).
    pub size: u64,
    /// Bytes of the job that are still to be sent (SRTF).
    pub remaining: u64,
    /// How long it may wait (LSTF).
    pub slack: u64,
    /// When it must have left (EDF).
    pub deadline: u64,
    /// When a regulator releases it (RCSP).
    pub release: u64,
}

/// The packet for which a child is in the list.
#[derive(Clone, Copy, Debug)]
pub struct Head {
    /// The packet. Of a class (a child with children) only `bytes` and `arrival` are meaningful: the
    /// packet is chosen when the class is, so the length is that of the class's last packet, and
    /// Post-Dequeue gets the difference.
    pub packet: Packet,
    /// The child had no packet before: this one entered an empty queue.
    pub fresh: bool,
}

/// A packet that has left.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// Its length.
    pub bytes: u32,
    /// The length that Pre-Enqueue was given.
    pub stamped: u32,
}

/// Where a child goes in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Smaller leaves first.
    pub rank: u64,
    /// In the list's clock; 0 is always.
    pub eligible: u64,
}

impl Stamp {
    /// Eligible at all times.
    pub fn always(rank: u64) -> Self {
        Self { rank, eligible: 0 }
    }
}

/// What the control plane sets for a child.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Share beside its siblings, 1 or more.
    pub weight: u64,
    /// Smaller is better.
    pub priority: u64,
    /// Rate limit, or guaranteed rate; the link's if none is set.
    pub pace: Pace,
    /// Bytes that may pass at once.
    pub burst: u64,
    /// Bytes a round.
    pub quantum: u64,
}

/// How children of a node are ordered, and when they may send. Children are numbers from 0. All times
/// are picoseconds but for tags and virtual times: [`fixed`].
pub trait Policy: Send + Debug {
    /// Sets the parameters of a child.
    fn configure(&mut self, child: usize, parameters: &Parameters);

    /// Pre-Enqueue: rank and eligible time of a child with this packet at its head.
    fn pre_enqueue(&mut self, child: usize, head: &Head, now: u64) -> Stamp;

    /// Post-Dequeue: a packet of the child has left.
    fn post_dequeue(&mut self, _child: usize, _sent: &Sent, _now: u64) {}

    /// The child leaves the list without sending (pause, alarm): what Pre-Enqueue charged for a packet of
    /// this length is taken back.
    fn withdraw(&mut self, _child: usize, _bytes: u32) {}

    /// What eligible times are compared with: the wall clock, unless the policy keeps a virtual one.
    /// `least` is the least eligible time in the list. Called when the list has changed, and before
    /// every choice.
    fn clock(&mut self, now: u64, _least: Option<u64>) -> u64 {
        now
    }

    /// Whether [`clock`](Policy::clock) is a virtual one: then the passing of time alone makes no child eligible.
    fn is_virtual(&self) -> bool {
        false
    }

    /// The child was chosen: may the packet go? If not, the child enters the list anew. A policy that
    /// says no must say yes after a finite number of times.
    fn may_send(&mut self, _child: usize, _head: &Head) -> bool {
        true
    }

    /// Whether a child that has just sent is chosen again without a look at the list.
    fn stays(&mut self, _child: usize, _head: &Head) -> bool {
        false
    }

    /// The child has no packet any more, or was paused.
    fn emptied(&mut self, _child: usize) {}

    /// Whether the policy ever has an alarm.
    fn has_alarms(&self) -> bool {
        false
    }

    /// When the next alarm is.
    fn next_alarm(&self) -> Option<u64> {
        None
    }

    /// Alarm: a child of the list to which something happens at `now`. The framework takes it out,
    /// calls the handler, and puts it back through Pre-Enqueue.
    fn alarm(&mut self, _now: u64) -> Option<usize> {
        None
    }

    /// Alarm handler.
    fn handle(&mut self, _child: usize, _now: u64) {}
}

/// When Pre-Enqueue runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Trigger {
    /// When a packet becomes the head of its flow.
    #[default]
    Output,
    /// When a packet arrives; its stamp waits with it.
    Input,
}

/// A node with its children, to build a scheduler of.
#[derive(Debug)]
pub struct NodeSpec {
    /// How the children are ordered.
    pub policy: Box<dyn Policy>,
    /// When Pre-Enqueue runs, for children that are flows.
    pub trigger: Trigger,
    /// Children in order of their numbers, with their parameters.
    pub children: Vec<(Parameters, ChildSpec)>,
}

/// A child of a node.
#[derive(Debug)]
pub enum ChildSpec {
    /// A flow; flows are numbered from 0 as they appear, depth first.
    Flow,
    /// A class.
    Node(NodeSpec),
}
