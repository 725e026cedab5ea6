//! A network in virtual time.
//!
//! One event is one thing that happens at one time: a packet reaches the other end of a link, a timer expires, a link
//! changes. A packet hop, from one queue into the next, is one event, as it is known when a packet is taken into a
//! queue that is first in, first out, when it will have left. Queues with a scheduler need a second one.
//!
//! The simulation owns time, the events to come, the links and the packets on them. What hosts and switches do is in
//! implementations of [`Node`] and [`Layer`]: [`crate::nodes`], or wherever else they are written.

mod build;
mod context;
mod egress;
mod kernel;
mod links;
mod node;
mod output;
mod paths;
mod pauses;
mod reports;

use crate::measure::{Cause, Observer, Sample, Sums, Wishes};
use crate::network::Network;
use crate::pending::Time;
use crate::random::{self, Stream};
pub use build::{BuildError, Parts};
pub use context::Context;
use kernel::{Event, Kernel};
pub use node::{Ingress, Layer, Node, Timer};
pub use paths::{choose, salt};
pub use reports::Reports;
use std::fmt;

/// The numbers that decide what a direction of a link loses and corrupts: twice the link's number, and one more for
/// the way back.
pub fn link_stream(seed: u64, direction: u32) -> Stream {
    Stream::new(seed, random::kind::LINK, direction)
}

/// A network while it runs. See the module.
pub struct Simulation {
    kernel: Kernel,
    nodes: Vec<Box<dyn Node>>,
    /// Of each node of the network, the place in `nodes` of what stands for it.
    owners: Vec<u32>,
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("network", &self.kernel.network).finish_non_exhaustive()
    }
}

/// Ports of a node are numbered below this.
pub const MAX_PORTS: u32 = 1 << 16;

impl Simulation {
    /// A network at time 0. `wishes` say what the observers of [`run`](Self::run) want to be told.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub fn new(
        network: Network,
        parts: Parts,
        seed: u64,
        wishes: Wishes,
    ) -> Result<Self, BuildError> {
        build::build(network, parts, seed, wishes)
    }

    /// Lets time pass up to and with `until`.
    pub fn run<O: Observer>(&mut self, until: Time, observer: &mut O) {
        let observer: &mut dyn Observer = observer;
        let Self { kernel, nodes, owners } = self;
        while let Some(event) = kernel.pending.take(until) {
            kernel.events += 1;
            match event {
                Event::Arrive { direction, epoch } => {
                    let Some((packet, ingress)) = kernel.arrive(direction, epoch, observer) else {
                        continue;
                    };
                    let node = owners[ingress.node as usize];
                    let mut ctx = Context { kernel, observer, node, layer: 0 };
                    nodes[node as usize].receive(packet, ingress, &mut ctx);
                }
                Event::Timer { node, layer, kind, about, tag } => {
                    let mut ctx = Context { kernel, observer, node, layer };
                    nodes[node as usize].timer(Timer { kind, about, tag }, &mut ctx);
                }
                Event::Offer { packet, direction } => {
                    kernel.offer(packet, direction, observer);
                }
                Event::Depart { direction, epoch } => kernel.depart(direction, epoch),
                Event::Pause { direction, epoch, is_paused } => {
                    kernel.pause(direction, epoch, is_paused);
                }
                Event::Capture { packet, direction, epoch } => {
                    if kernel.outputs[direction as usize].epoch == epoch {
                        let now = kernel.pending.now();
                        observer.frame(direction, now, kernel.packets.frame(packet));
                    }
                }
                Event::Change { index } => {
                    let change = kernel.network.changes[index as usize];
                    each(kernel, nodes, observer, |node, ctx| node.link_changes(change, ctx));
                    kernel.change(change, observer);
                }
                Event::Reroute => kernel.reroute(),
                Event::Sample => kernel.sample(observer),
            }
        }
    }

    /// The run ends here: nodes tell of what has not ended.
    pub fn finish<O: Observer>(&mut self, observer: &mut O) {
        each(&mut self.kernel, &mut self.nodes, observer, |node, ctx| node.finish(ctx));
    }

    /// What nodes have found out by now. Asked once, at the end.
    pub fn inspect(&mut self) -> Reports {
        let mut reports = Reports::default();
        let add = |node: &mut dyn Node, ctx: &mut Context<'_>| node.inspect(ctx, &mut reports);
        each(&mut self.kernel, &mut self.nodes, &mut (), add);
        reports
    }

    /// Now.
    pub fn now(&self) -> Time {
        self.kernel.pending.now()
    }

    /// When the next thing happens.
    pub fn next_time(&mut self) -> Option<Time> {
        self.kernel.pending.next_time()
    }

    /// Flows with a size that have been started and have not ended.
    pub fn unfinished(&self) -> u64 {
        self.sums().iter().map(|sums| sums.all_started - sums.all_finished).sum()
    }

    /// Packets that have left a queue and reached the other end of its link.
    pub fn hops(&self) -> u64 {
        self.kernel.hops
    }

    /// Things that have happened.
    pub fn events(&self) -> u64 {
        self.kernel.events
    }

    /// What each piece of traffic has done after the warm-up.
    pub fn sums(&self) -> &[Sums] {
        &self.kernel.sums
    }

    /// Packets that were dropped since the start, by [`Cause::ALL`].
    pub fn drops(&self) -> [u64; Cause::ALL.len()] {
        self.kernel.drops
    }

    /// The network as it was at the start.
    pub fn network(&self) -> &Network {
        &self.kernel.network
    }

    /// A direction of a link now: twice the link's number, and one more for the way back.
    pub fn direction(&mut self, direction: u32) -> Sample {
        self.kernel.direction(direction)
    }

    /// The most bytes that ever waited in front of a direction.
    pub fn deepest(&self, direction: u32) -> u64 {
        let output = &self.kernel.outputs[direction as usize];
        let waited = output.egress.as_ref().map_or(0, |egress| egress.deepest);
        output.line.counts().deepest.max(waited)
    }

    /// Packets whose data the queue of a direction has cut off ([`crate::network::queueing`]).
    pub fn trimmed(&self, direction: u32) -> u64 {
        self.kernel.outputs[direction as usize].egress.as_ref().map_or(0, |egress| egress.trimmed)
    }

    /// How often the sender of a direction was paused.
    pub fn pauses(&self, direction: u32) -> u64 {
        self.kernel.pauses.as_ref().map_or(0, |pauses| pauses.count(direction))
    }
}

/// Calls each node in turn.
fn each(
    kernel: &mut Kernel,
    nodes: &mut [Box<dyn Node>],
    observer: &mut dyn Observer,
    mut call: impl FnMut(&mut dyn Node, &mut Context<'_>),
) {
    for (number, node) in (0u32..).zip(nodes) {
        let mut ctx = Context { kernel, observer: &mut *observer, node: number, layer: 0 };
        call(&mut **node, &mut ctx);
    }
}
