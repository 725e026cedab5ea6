//! All hosts: traffic sources, UDP and TCP as models, and stacks byte for byte. One object stands for all of them, as
//! the two ends of a flow share its state.

mod arrivals;
mod dcqcn;
mod exchange;
mod flow;
mod ideal;
mod ndp;
mod r2c2;
mod sending;
mod sources;
mod spray;
mod stack;

use crate::lookup::Lookup;
use crate::network::queueing::Queueing;
use crate::network::{Network, NodeId};
use crate::packet::PacketId;
use crate::simulation::{BuildError, Context, Ingress, Layer, Node, Reports, Timer};
use crate::transport;
use crate::transport::ndp::Pulls;
use crate::transport::tcp::Segment;
use flow::Flows;
use r2c2::R2c2;
pub use r2c2::R2c2Report;
use sources::Source;
use spray::Spray;
use stack::Seat;
use std::collections::VecDeque;

/// Timers: a part (the tag) of a source of traffic goes on.
const SOURCE: u8 = 0;
/// A host's link has room for TCP senders that wait for it.
const TURN: u8 = 1;
/// A host's stack wants to be polled.
const STACK: u8 = 2;
/// The sender of a flow has a timer; the tag is the low half of the flow's number.
const SENDER: u8 = 3;
/// The receiver of a flow has one.
const RECEIVER: u8 = 4;
/// A host computes the rates of its flows.
const RATES: u8 = 5;
/// A host may send a pull.
const PULLS: u8 = 6;

/// What hosts have seen besides their flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostsReport {
    /// Frames that have reached their hosts and belong to no piece of traffic that is known: programs made them, or
    /// kept them in a queue while they were part of no flow.
    pub strangers: u64,
}

/// See the module.
pub(crate) struct Hosts {
    /// By host number: whether it is one of these hosts, and not a node of another kind.
    served: Vec<bool>,
    /// From the link up, numbered from 1.
    layers: Vec<(u8, Box<dyn Layer>)>,
    /// Of each host its stack, if it has one; empty if none has.
    stacks: Vec<Option<Box<Seat>>>,
    /// Of each host, TCP senders that wait for its link: place and number of their flows.
    turns: Vec<VecDeque<(u32, u64)>>,
    flows: Flows,
    /// Flows that were started; the next one's number less one.
    started: u64,
    sources: Vec<Source>,
    /// With frames: which flow has these hosts and ports, TCP or UDP.
    endpoints: Lookup<sending::Key, (u32, u64)>,
    /// By packet: its TCP segment, where packets have no bytes.
    segments: Vec<Segment>,
    strangers: u64,
    spray: Spray,
    r2c2: Option<Box<R2c2>>,
    /// Of each host the pulls of NDP; empty until there is one.
    pulls: Vec<Pulls>,
}

impl Hosts {
    /// The hosts of a network for which `served` is true.
    ///
    /// # Errors
    /// A sentence about a stack that is not possible.
    pub fn new(
        network: &Network,
        served: impl Fn(NodeId) -> bool,
        seed: u64,
        layers: Vec<Box<dyn Layer>>,
    ) -> Result<Self, BuildError> {
        let served: Vec<bool> = network.hosts().map(|(node, _)| served(node)).collect();
        Ok(Self {
            layers: (1..).zip(layers).collect(),
            stacks: stack::seats(network, seed)?,
            turns: vec![VecDeque::new(); served.len()],
            served,
            flows: Flows::default(),
            started: 0,
            sources: Vec::new(),
            endpoints: Lookup::default(),
            segments: Vec::new(),
            strangers: 0,
            spray: Spray::default(),
            r2c2: None,
            pulls: Vec::new(),
        })
    }

    /// Layers schedule their first timers, from the one next to the hosts down.
    ///
    /// # Errors
    /// A layer's.
    pub fn begin_layers(&mut self, mut ctx: Context<'_>) -> Result<(), BuildError> {
        let mut layers = self.layers.iter_mut().rev();
        layers.try_for_each(|(number, layer)| layer.begin(&mut ctx.of_layer(*number)))
    }

    /// A host gives a packet to its link.
    #[inline]
    fn give(&mut self, id: PacketId, host: u32, ctx: &mut Context<'_>) {
        if !self.layers.is_empty() && !self.passes_layers(id, host, ctx) {
            return;
        }
        ctx.offer(id, ctx.host_direction(host));
    }

    /// False if a layer has taken or dropped the packet.
    fn passes_layers(&mut self, id: PacketId, host: u32, ctx: &mut Context<'_>) -> bool {
        let mut layers = self.layers.iter_mut().rev();
        layers.all(|(number, layer)| layer.transmit(id, host, &mut ctx.of_layer(*number)))
    }
}

impl Node for Hosts {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        transport::check(ctx.network()).map_err(BuildError)?;
        if ctx.is_framed() && ctx.network().queueing != Queueing::DropTail {
            let message = "queues that trim or pause are models: their packets have no bytes for captures, programs and agents";
            return Err(BuildError(message.to_owned()));
        }
        self.r2c2 = R2c2::new(ctx)?;
        self.begin_sources(ctx)
    }

    fn receive(&mut self, id: PacketId, ingress: Ingress, ctx: &mut Context<'_>) {
        let Some(host) = ctx.host_number(ingress.node) else { return ctx.remove(id) };
        for (number, layer) in &mut self.layers {
            if !layer.receive(id, host, &mut ctx.of_layer(*number)) {
                return;
            }
        }
        match self.has_stack(host) {
            true => self.deliver_to_stack(id, host, ingress.node, ctx),
            false => self.deliver(id, host, ingress.node, ctx),
        }
    }

    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        if let Some(layer) = usize::from(ctx.layer()).checked_sub(1) {
            return self.layers[layer].1.timer(timer, ctx);
        }
        let Timer { kind, about, tag } = timer;
        match kind {
            SOURCE => self.go_on(about, tag, ctx),
            TURN => self.turn(about, ctx),
            STACK => self.stack_wakes(about, ctx),
            RATES => self.take_rates(about, ctx),
            PULLS => self.send_pull(about, ctx),
            SENDER => self.sender_timer(about, tag, ctx),
            _ => self.receiver_timer(about, tag, ctx),
        }
    }

    /// Tells of the flows that have not ended.
    fn finish(&mut self, ctx: &mut Context<'_>) {
        for flow in self.flows.drain() {
            if !flow.complete {
                sending::record(&flow, None, ctx);
            }
        }
    }

    fn inspect(&mut self, ctx: &mut Context<'_>, reports: &mut Reports) {
        for (number, layer) in &mut self.layers {
            layer.inspect(&mut ctx.of_layer(*number), reports);
        }
        if let Some(r2c2) = &self.r2c2 {
            reports.add(r2c2.report());
        }
        reports.add(HostsReport { strangers: self.strangers });
    }
}
