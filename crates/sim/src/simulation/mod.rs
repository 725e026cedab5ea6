//! A network in virtual time.
//!
//! One event is one thing that happens at one time: a packet reaches the other end of a link, a host sends, a
//! timer expires. A packet hop, from one queue into the next, is one event, as it is known when a packet is taken
//! into a queue that is first in, first out, when it will have left. Queues with a scheduler need a second one.

mod agents;
mod arrivals;
mod build;
mod dtp;
mod flow;
mod forwarding;
mod host;
mod ideal;
mod keepers;
mod links;
mod output;
mod program;
mod source;
mod stack;
mod switch;

use crate::lookup::Lookup;
use crate::measure::{Cause, Observer, Sample, Sums, Wishes};
use crate::network::{Network, NodeId};
use crate::packet::{PacketId, Packets};
use crate::pending::{Pending, Time};
use crate::random::Stream;
use crate::transport::tcp::Segment;
pub use build::{BuildError, Parts};
use dtp::Dtp;
pub use dtp::{DtpPair, DtpReport, LONGEST as LONGEST_DTP};
use flow::Flows;
use forwarding::Forwarding;
pub use forwarding::{choose, salt};
use keepers::Keepers;
pub use keepers::KeptReport;
use output::Output;
use program::Program;
use source::Source;
use stack::Seat;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use switch::Queues;
use ww_host::agent::{Agent, Report};

/// Kinds of components that draw random numbers ([`Stream::new`]).
mod kind {
    pub const SALT: u32 = 0;
    pub const LINK: u32 = 1;
    pub const SOURCE: u32 = 2;
    pub const STACK: u32 = 3;
    pub const CLOCK: u32 = 4;
    pub const DTP: u32 = 5;
    pub const KEEPER: u32 = 6;
}

/// The numbers that decide what a direction of a link loses and corrupts: twice the link's number, and one more for
/// the way back.
pub fn link_stream(seed: u64, direction: u32) -> Stream {
    Stream::new(seed, kind::LINK, direction)
}

/// What happens at a time.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// The first packet that is on its way reaches the other end of an output.
    Arrive { output: u32, epoch: u16 },
    /// A switch has found out where a packet goes.
    Join { packet: PacketId, node: u32 },
    /// A frame that a program held back until now leaves.
    Release { packet: PacketId, output: u32 },
    /// A packet begins to leave through an output that is captured.
    Capture { packet: PacketId, output: u32, epoch: u16 },
    /// A part of a source of traffic goes on.
    Source { source: u32, part: u32 },
    /// A host's link has room for TCP senders that wait for it.
    Turn { host: u32 },
    /// A host's agent wants to be asked.
    Agent { host: u32 },
    /// A host's stack wants to be looked at.
    Stack { host: u32 },
    /// A flow's end has a timer: 0 the sender's, 1 the receiver's.
    Timer { flow: u32, tag: u32, end: u8 },
    /// A dataplane or a traffic manager has something to do.
    Advance { node: u32 },
    /// One of [`Network::changes`].
    Change { index: u32 },
    /// Switches notice which links are up.
    Reroute,
    /// Outputs are sampled.
    Sample,
    /// Clock synchronisation catches up.
    Dtp,
    /// A host's keeper of its clock wants to be asked.
    Keeper { host: u32 },
    /// A datagram of a keeper has left its host.
    Departed { host: u32, tag: u32 },
    /// A host takes notice of a datagram for its keeper.
    Noticed { packet: PacketId, host: u32 },
    /// Clocks are compared.
    Compare,
}

/// What a node is, in few bytes.
#[derive(Clone, Copy, Debug)]
enum Place {
    Host(u32),
    Switch { routes: bool, latency: Time, managed: bool },
    Program,
}

/// A network while it runs. See the module.
pub struct Simulation {
    network: Network,
    wishes: Wishes,
    seed: u64,
    pending: Pending<Event>,
    packets: Packets<Segment>,
    outputs: Vec<Output>,
    places: Vec<Place>,
    /// Of each node, the output of each port.
    ports: Vec<Vec<u32>>,
    /// Node of each host, and its output.
    hosts: Vec<NodeId>,
    host_outputs: Vec<u32>,
    /// Of each host, TCP senders that wait for its link: place and number of their flows.
    turns: Vec<VecDeque<(u32, u64)>>,
    /// Of each host its stack, if it has one; empty if none has.
    stacks: Vec<Option<Box<Seat>>>,
    forwarding: Forwarding,
    /// By node; none where there is no program.
    programs: Vec<Option<Box<Program>>>,
    queues: BTreeMap<NodeId, Queues>,
    dtp: Option<Box<Dtp>>,
    keepers: Option<Box<Keepers>>,
    /// By host.
    agents: BTreeMap<u32, Box<dyn Agent>>,
    /// When the next event of a host's agent is.
    wakes: BTreeMap<u32, Time>,
    flows: Flows,
    /// Flows that were started; the next one's number less one.
    started: u64,
    sources: Vec<Source>,
    sums: Vec<Sums>,
    /// Frames are made, as a program reads them.
    framed: bool,
    /// With frames: which flow has these hosts and ports, TCP or UDP.
    endpoints: Lookup<host::Key, (u32, u64)>,
    addresses: Lookup<std::net::Ipv4Addr, u32>,
    drops: [u64; Cause::ALL.len()],
    strangers: u64,
    hops: u64,
    events: u64,
}

impl fmt::Debug for Simulation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Simulation").field("network", &self.network).finish_non_exhaustive()
    }
}

/// No output: a port without a link.
const NO_OUTPUT: u32 = u32::MAX;
/// Ports of a node are numbered below this.
pub const MAX_PORTS: u32 = 1 << 16;

impl Simulation {
    /// Lets time pass up to and with `until`.
    pub fn run<O: Observer>(&mut self, until: Time, observer: &mut O) {
        while let Some(event) = self.pending.take(until) {
            self.events += 1;
            match event {
                Event::Arrive { output, epoch } => self.arrive(output, epoch, observer),
                Event::Join { packet, node } => self.join(packet, node, observer),
                Event::Release { packet, output } => self.offer(packet, output, observer),
                Event::Capture { packet, output, epoch } => {
                    if self.outputs[output as usize].epoch == epoch {
                        observer.frame(output, self.pending.now(), self.packets.frame(packet));
                    }
                }
                Event::Source { source, part } => self.go_on(source, part, observer),
                Event::Turn { host } => self.turn(host, observer),
                Event::Agent { host } => self.poll_agent(host, observer),
                Event::Stack { host } => self.stack_wakes(host, observer),
                Event::Timer { flow, tag, end } => self.timer(flow, tag, end, observer),
                Event::Advance { node } => self.advance(node, observer),
                Event::Change { index } => self.change(index, observer),
                Event::Reroute => self.reroute(),
                Event::Sample => self.sample(observer),
                Event::Dtp => self.dtp_goes_on(),
                Event::Keeper { host } => self.poll_keeper(host, observer),
                Event::Departed { host, tag } => self.departed(host, tag, observer),
                Event::Noticed { packet, host } => self.noticed(packet, host, observer),
                Event::Compare => self.compare(),
            }
        }
    }

    /// Tells of the flows that have not ended.
    pub fn finish<O: Observer>(&mut self, observer: &mut O) {
        for flow in self.flows.drain() {
            if !flow.complete {
                host::record(&flow, None, observer);
            }
        }
    }

    /// Now.
    pub fn now(&self) -> Time {
        self.pending.now()
    }

    /// When the next thing happens.
    pub fn next_time(&mut self) -> Option<Time> {
        self.pending.next_time()
    }

    /// Flows with a size that have been started and have not ended.
    pub fn unfinished(&self) -> u64 {
        self.sums.iter().map(|sums| sums.all_started - sums.all_finished).sum()
    }

    /// Packets that have left a queue and reached the other end of its link.
    pub fn hops(&self) -> u64 {
        self.hops
    }

    /// Things that have happened.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// What each piece of traffic has done after the warm-up.
    pub fn sums(&self) -> &[Sums] {
        &self.sums
    }

    /// Packets that were dropped since the start, by [`Cause::ALL`].
    pub fn drops(&self) -> [u64; Cause::ALL.len()] {
        self.drops
    }

    /// Frames that have reached their hosts and belong to no piece of traffic that is known: programs made them, or
    /// kept them in a queue while they were part of no flow.
    pub fn strangers(&self) -> u64 {
        self.strangers
    }

    /// What the agents of hosts have found out, by node. Asked once, at the end.
    pub fn agent_reports(&mut self) -> Vec<(NodeId, Report)> {
        let hosts = &self.hosts;
        let agents = self.agents.iter_mut();
        agents.map(|(host, agent)| (hosts[*host as usize], agent.report())).collect()
    }

    /// The network as it was at the start.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// A direction of a link now: twice the link's number, and one more for the way back.
    pub fn direction(&mut self, direction: u32) -> Sample {
        let at = self.pending.now();
        let (counts, queued) = self.outputs[direction as usize].state(at);
        let sent = counts.bytes.saturating_sub(queued);
        Sample { at, direction, queued, sent, dropped: counts.dropped, marked: counts.marked }
    }

    /// The most bytes that ever waited in front of a direction.
    pub fn deepest(&self, direction: u32) -> u64 {
        self.outputs[direction as usize].line.counts().deepest
    }

    /// Tells what the sampled directions have done.
    fn sample<O: Observer>(&mut self, observer: &mut O) {
        for place in 0..self.wishes.sampled.len() {
            let sample = self.direction(self.wishes.sampled[place]);
            observer.sample(&sample);
        }
        if let Some(every) = self.wishes.sample_every {
            self.pending.schedule(self.pending.now().saturating_add(every), Event::Sample);
        }
    }
}
