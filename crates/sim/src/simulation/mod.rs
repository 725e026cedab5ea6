//! A network in virtual time.
//!
//! One event is one thing that happens at one time: a packet reaches the other end of a link, a host sends, a
//! timer expires. A packet hop, from one queue into the next, is one event, as it is known when a packet is taken
//! into a queue that is first in, first out, when it will have left. Queues with a scheduler need a second one.

mod arrivals;
mod flow;
mod forwarding;
mod host;
mod ideal;
mod output;
mod program;
mod source;
mod stack;
mod switch;

use crate::measure::{Cause, Drop, Observer, Sample, Sums, Wishes};
use crate::network::{LinkChange, Network, NodeId, NodeKind};
use crate::packet::{PacketId, Packets, ecn};
use crate::pending::{Pending, Time};
use crate::random::Stream;
use crate::transport::tcp::Segment;
use flow::Flows;
use forwarding::Forwarding;
pub use forwarding::{choose, salt};
use output::{OnWay, Output};
use program::Program;
use source::Source;
use stack::Seat;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fmt;
use switch::Queues;
use ww_engine::dataplane::Dataplane;
use ww_sched::framework::fixed::Pace;
use ww_sched::traffic::Manager;

/// Kinds of components that draw random numbers ([`Stream::new`]).
mod kind {
    pub const SALT: u32 = 0;
    pub const LINK: u32 = 1;
    pub const SOURCE: u32 = 2;
    pub const STACK: u32 = 3;
}

/// The numbers that decide what a direction of a link loses and corrupts: twice the link's number, and one more for
/// the way back.
pub fn link_stream(seed: u64, direction: u32) -> Stream {
    Stream::new(seed, kind::LINK, direction)
}

/// What a network has besides data: programs and schedulers.
#[derive(Default)]
pub struct Parts {
    /// What each node that is a program runs. A program has its traffic manager, if any, inside.
    pub dataplanes: BTreeMap<NodeId, Box<dyn Dataplane>>,
    /// Plain switches whose queues have a scheduler. The traffic manager's rates are those of the links.
    pub managers: BTreeMap<NodeId, Manager>,
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dataplanes: Vec<_> = self.dataplanes.keys().collect();
        f.debug_struct("Parts").field("dataplanes", &dataplanes).finish_non_exhaustive()
    }
}

/// A network that cannot be simulated: a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError(pub String);

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BuildError {}

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
}

/// What a node is, in few bytes.
#[derive(Clone, Copy, Debug)]
enum Place {
    Host(u32),
    Switch { routes: bool, latency: Time, managed: bool },
    Program,
}

/// A network while it runs. See the module.
#[derive(Debug)]
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
    flows: Flows,
    /// Flows that were started; the next one's number less one.
    started: u64,
    sources: Vec<Source>,
    sums: Vec<Sums>,
    /// Frames are made, as a program reads them.
    framed: bool,
    /// With frames: which flow has these hosts and ports, TCP or UDP.
    endpoints: HashMap<host::Key, (u32, u64)>,
    addresses: HashMap<std::net::Ipv4Addr, u32>,
    drops: [u64; Cause::ALL.len()],
    strangers: u64,
    hops: u64,
    events: u64,
}

/// No output: a port without a link.
const NO_OUTPUT: u32 = u32::MAX;
/// Ports of a node are numbered below this.
pub const MAX_PORTS: u32 = 1 << 16;

impl Simulation {
    /// A network at time 0.
    ///
    /// # Errors
    /// A sentence about what is wrong with it.
    pub fn new(
        network: Network,
        parts: Parts,
        seed: u64,
        wishes: Wishes,
    ) -> Result<Self, BuildError> {
        let wrong = |text: String| Err(BuildError(text));
        let count = network.nodes.len();
        let mut ports: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut outputs = Vec::new();
        for (id, link) in (0u32..).zip(&network.links) {
            for reverse in [false, true] {
                let (from, to) =
                    (link.ends[usize::from(reverse)], link.ends[usize::from(!reverse)]);
                let direction = &link.directions[usize::from(reverse)];
                let number = outputs.len() as u32;
                let Some(node) = ports.get_mut(from.node as usize) else {
                    return wrong(format!(
                        "link {id} is at node {}, of which there are {count}",
                        from.node
                    ));
                };
                if from.port >= MAX_PORTS {
                    return wrong(format!(
                        "link {id}: port {} is not below {MAX_PORTS}",
                        from.port
                    ));
                }
                let place = from.port as usize;
                if node.len() <= place {
                    node.resize(place + 1, NO_OUTPUT);
                }
                if node[place] != NO_OUTPUT {
                    let name = &network.nodes[from.node as usize].name;
                    return wrong(format!("port {place} of {name} has two links"));
                }
                node[place] = number;
                let Some(pace) = Pace::of_rate(direction.rate) else {
                    return wrong(format!("link {id}: {} b/s is not a rate", direction.rate));
                };
                let stream = link_stream(seed, number);
                let mut output = Output::new(direction, pace, (to.node, to.port), link.up, stream);
                output.captured = wishes.captures.contains(&number);
                outputs.push(output);
            }
        }
        let (mut hosts, mut host_outputs) = (Vec::new(), Vec::new());
        let mut addresses = HashMap::new();
        let mut places = Vec::new();
        for (id, node) in (0u32..).zip(&network.nodes) {
            places.push(match &node.kind {
                NodeKind::Host(host) => {
                    let links: Vec<_> =
                        ports[id as usize].iter().filter(|output| **output != NO_OUTPUT).collect();
                    let [output] = links[..] else {
                        return wrong(format!(
                            "host {} has {} links, not one",
                            node.name,
                            links.len()
                        ));
                    };
                    host_outputs.push(*output);
                    if addresses.insert(host.ip, hosts.len() as u32).is_some() {
                        return wrong(format!("two hosts have the address {}", host.ip));
                    }
                    hosts.push(id);
                    Place::Host(hosts.len() as u32 - 1)
                }
                NodeKind::Switch(switch) => Place::Switch {
                    routes: switch.routes,
                    latency: switch.latency,
                    managed: parts.managers.contains_key(&id),
                },
                NodeKind::Program if parts.dataplanes.contains_key(&id) => Place::Program,
                NodeKind::Program => {
                    return wrong(format!("there is no program for {}", node.name));
                }
            });
        }
        let stacks = stack::seats(&network, &hosts, seed)?;
        let framed = !parts.dataplanes.is_empty()
            || !stacks.is_empty()
            || !wishes.captures.is_empty()
            || network.traffic.iter().any(|traffic| traffic.kind.needs_frames());
        let port_output = |node: NodeId, port: u32| ports[node as usize][port as usize];
        let is_up = |link: u32| network.links[link as usize].up;
        let forwarding = Forwarding::new(&network, seed, is_up, port_output);
        let sums = network.traffic.iter().map(|_| Sums::default()).collect();
        let mut programs: Vec<Option<Box<Program>>> = network.nodes.iter().map(|_| None).collect();
        for (id, plane) in parts.dataplanes {
            if let Some(program) = programs.get_mut(id as usize) {
                *program = Some(Box::new(Program::new(plane)));
            }
        }
        let mut simulation = Self {
            wishes,
            seed,
            pending: Pending::default(),
            packets: Packets::default(),
            outputs,
            places,
            ports,
            turns: vec![VecDeque::new(); hosts.len()],
            hosts,
            host_outputs,
            stacks,
            forwarding,
            programs,
            queues: parts
                .managers
                .into_iter()
                .map(|(id, manager)| (id, Queues::new(manager)))
                .collect(),
            flows: Flows::default(),
            started: 0,
            sources: Vec::new(),
            sums,
            framed,
            endpoints: HashMap::new(),
            addresses,
            drops: [0; Cause::ALL.len()],
            strangers: 0,
            hops: 0,
            events: 0,
            network,
        };
        simulation.begin()?;
        Ok(simulation)
    }

    /// Schedules what is known from the start.
    fn begin(&mut self) -> Result<(), BuildError> {
        let changes = self.network.changes.iter().map(|change| (change.at, change.link));
        for (index, (at, link)) in (0u32..).zip(changes.collect::<Vec<_>>()) {
            if link as usize >= self.network.links.len() {
                return Err(BuildError(format!(
                    "change {index} is of link {link}, which there is not"
                )));
            }
            self.pending.schedule(at, Event::Change { index });
        }
        if self.wishes.sample_every.is_some_and(|every| every > 0) {
            self.pending.schedule(0, Event::Sample);
        }
        for node in 0..self.programs.len() {
            self.schedule_program(node as NodeId);
        }
        self.begin_sources()
    }

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
                Event::Stack { host } => self.stack_wakes(host, observer),
                Event::Timer { flow, tag, end } => self.timer(flow, tag, end, observer),
                Event::Advance { node } => self.advance(node, observer),
                Event::Change { index } => self.change(index, observer),
                Event::Reroute => self.reroute(),
                Event::Sample => self.sample(observer),
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

    /// Puts a packet into the queue of an output.
    #[inline]
    fn offer<O: Observer>(&mut self, id: PacketId, output: u32, observer: &mut O) {
        let now = self.pending.now();
        let out = &mut self.outputs[output as usize];
        let packet = self.packets.packet_mut(id);
        if !out.up {
            return self.drop(id, self.from(output), Cause::Down, observer);
        }
        let begins = out.line.begins(now);
        let crate::line::Fate::Leaves { at, marked } = out.line.offer(now, packet.bytes) else {
            return self.drop(id, self.from(output), Cause::Queue, observer);
        };
        let mut arrives = at.saturating_add(out.delay);
        if out.jitter > 0 {
            arrives = arrives.saturating_add(out.stream.below(out.jitter.saturating_add(1)));
        }
        arrives = arrives.max(out.last_arrival);
        out.last_arrival = arrives;
        let (epoch, captured) = (out.epoch, out.captured);
        let number = self.pending.reserve();
        let is_first = out.on_way.is_empty();
        out.on_way.push_back(OnWay { arrives, number, packet: id });
        if is_first {
            self.pending.schedule_as(arrives, number, Event::Arrive { output, epoch });
        }
        if marked && packet.ecn != ecn::NONE {
            self.mark(id);
        }
        if captured {
            self.pending.schedule(begins, Event::Capture { packet: id, output, epoch });
        }
    }

    /// A packet meets congestion.
    fn mark(&mut self, id: PacketId) {
        self.packets.packet_mut(id).ecn = ecn::CONGESTION;
        ww_packet::ecn::mark(self.packets.frame_mut(id));
    }

    /// The node that an output belongs to.
    fn from(&self, output: u32) -> NodeId {
        self.network.links[output as usize / 2].ends[output as usize % 2].node
    }

    /// A packet reaches the other end of an output.
    #[inline]
    fn arrive<O: Observer>(&mut self, output: u32, epoch: u16, observer: &mut O) {
        let out = &mut self.outputs[output as usize];
        let (node, port) = (out.node, out.port);
        if out.epoch != epoch {
            return;
        }
        let Some(OnWay { packet: id, .. }) = out.on_way.pop_front() else { return };
        if let Some(next) = out.on_way.front() {
            self.pending.schedule_as(next.arrives, next.number, Event::Arrive { output, epoch });
        }
        self.hops += 1;
        if out.loss > 0.0 && out.stream.happens(out.loss) {
            return self.drop(id, node, Cause::Loss, observer);
        }
        if out.corruption > 0.0 && out.stream.happens(out.corruption) {
            return self.drop(id, node, Cause::Corruption, observer);
        }
        match self.places[node as usize] {
            Place::Switch { routes, latency, managed } => {
                if routes && !self.age(id) {
                    return self.drop(id, node, Cause::Ttl, observer);
                }
                if latency == 0 && !managed {
                    return self.forward(id, node, observer);
                }
                let ready = self.pending.now().saturating_add(latency);
                self.pending.schedule(ready, Event::Join { packet: id, node });
            }
            Place::Host(host) => self.deliver(id, host, node, observer),
            Place::Program => self.process(id, node, port, observer),
        }
    }

    /// Drops a packet.
    #[cold]
    fn drop<O: Observer>(&mut self, id: PacketId, node: NodeId, cause: Cause, observer: &mut O) {
        let packet = *self.packets.packet(id);
        self.packets.remove(id);
        self.drops[cause as usize] += 1;
        let Some(sums) = self.sums.get_mut(usize::from(packet.traffic)) else { return };
        if packet.sent >= self.wishes.warmup {
            sums.drops[cause as usize] += 1;
        }
        if self.wishes.drops {
            let (at, traffic) = (self.pending.now(), u32::from(packet.traffic));
            observer.dropped(&Drop { at, node, traffic, bytes: packet.bytes, cause });
        }
    }

    /// One of the network's changes.
    fn change<O: Observer>(&mut self, index: u32, observer: &mut O) {
        let now = self.pending.now();
        let change = self.network.changes[index as usize];
        for place in [change.link as usize * 2, change.link as usize * 2 + 1] {
            let output = &mut self.outputs[place];
            match change.what {
                LinkChange::Down => {
                    let (lost, node) = (output.cut(now), output.node);
                    for OnWay { packet, .. } in lost {
                        self.drop(packet, node, Cause::Down, observer);
                    }
                }
                LinkChange::Up => output.up = true,
                LinkChange::Loss(loss) => output.loss = loss,
                LinkChange::Delay(delay) => output.delay = delay,
                LinkChange::Rate(rate) => {
                    if let Some(pace) = Pace::of_rate(rate) {
                        output.line.set_pace(pace);
                    }
                }
            }
        }
        if matches!(change.what, LinkChange::Down | LinkChange::Up) {
            let notice = now.saturating_add(self.network.routing.reroute);
            self.pending.schedule(notice, Event::Reroute);
        }
    }

    /// Plain switches find their ways again.
    fn reroute(&mut self) {
        let (ports, outputs) = (&self.ports, &self.outputs);
        let port_output = |node: NodeId, port: u32| ports[node as usize][port as usize];
        let is_up = |link: u32| outputs[link as usize * 2].up;
        self.forwarding = Forwarding::new(&self.network, self.seed, is_up, port_output);
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
