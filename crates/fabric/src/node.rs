//! The fabric in the place of a switch of a packet network: what hosts send crosses it as cells, whatever transport sent
//! it (S24, S34).
//!
//! Port n of the node is host n of the fabric. Slot t begins at t slot lengths. A packet whose last bit has come is cut
//! into cells, n / 56 + 1 for n bytes (the last byte of the last cell says how much of it is used), and these may leave from
//! the next slot on; until its last cell has left, they take room in the memory of their source. At the other end the cells of
//! a pair are put in order, and a packet joins the queue of the port at the end of the slot in which the last cell of it and of
//! all before it has arrived.

use crate::configuration::Configuration;
use crate::outcome::Outcome;
use crate::relay::live::{Live, Moved};
use crate::schedule::BadFabric;
use crate::workload::PAYLOAD;
use std::collections::VecDeque;
use std::fmt;
use ww_sim::measure::Cause;
use ww_sim::network::NodeId;
use ww_sim::packet::PacketId;
use ww_sim::pending::Time;
use ww_sim::simulation::{BuildError, Context, Ingress, Node, Reports, Timer};

/// A slot begins: the node's only timer.
const SLOT: Timer = Timer { kind: 0, about: 0, tag: 0 };

/// The memory of a host for what it has to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// Cells that it has room for: a packet that would take more is dropped.
    pub cells: u64,
    /// A packet is marked (ECN) if more cells than so many wait as it comes.
    pub mark: Option<u64>,
}

/// What a fabric in a network has counted.
#[derive(Clone, Debug, PartialEq)]
pub struct FabricReport {
    /// The node that it is.
    pub node: NodeId,
    /// Of its cells, without flows.
    pub outcome: Outcome,
    /// The most cells that waited at one source until they left it.
    pub source_cells_max: u64,
}

/// Cells of a packet need so many slots of their own.
pub const fn cells_of(bytes: u32) -> u64 {
    bytes as u64 / PAYLOAD + 1
}

/// From one host to another.
#[derive(Clone, Debug, Default)]
struct Pair {
    /// Cells that the source was given.
    given: u64,
    /// Packets that have not arrived: the cells that the source was given up to the packet's end.
    packets: VecDeque<(u64, PacketId)>,
}

/// See the module.
pub struct FabricNode {
    node: NodeId,
    live: Live,
    hosts: usize,
    /// The length of a slot in ps.
    slot: Time,
    source: Source,
    /// Cells that wait at each source.
    waiting: Vec<u64>,
    waiting_max: u64,
    /// `[source][destination]`
    pairs: Vec<Pair>,
    /// Of each host, the direction to it.
    outputs: Vec<u32>,
    moved: Moved,
    /// A timer is set.
    runs: bool,
}

impl fmt::Debug for FabricNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FabricNode").field("live", &self.live).finish_non_exhaustive()
    }
}

impl FabricNode {
    /// The fabric of a configuration as node `node`, which has a link to each host and no others: host n at port n.
    ///
    /// # Errors
    /// The rules are not those of hosts that relay at any delay, or something fails in the run.
    pub fn new(
        configuration: &Configuration,
        node: NodeId,
        source: Source,
    ) -> Result<Self, BadFabric> {
        let live = configuration.live()?;
        let hosts = configuration.schedule().hosts();
        Ok(Self {
            node,
            live,
            hosts,
            slot: configuration.slot_ps(),
            source,
            waiting: vec![0; hosts],
            waiting_max: 0,
            pairs: vec![Pair::default(); hosts * hosts],
            outputs: Vec::new(),
            moved: Moved::default(),
            runs: false,
        })
    }

    /// Slots pass from the next one on that has not begun by now.
    fn run(&mut self, ctx: &mut Context<'_>) {
        if !self.runs {
            self.live.skip_to(ctx.now() / self.slot + 1);
            self.schedule_slot(ctx);
        }
    }

    fn schedule_slot(&mut self, ctx: &mut Context<'_>) {
        self.runs = true;
        ctx.schedule(self.live.slot().saturating_mul(self.slot), SLOT);
    }
}

impl Node for FabricNode {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        for port in 0..self.hosts as u32 {
            let name = &ctx.network().nodes[self.node as usize].name;
            let Some(direction) = ctx.direction_at(self.node, port) else {
                let hosts = self.hosts;
                return Err(BuildError(format!(
                    "{name} is a fabric of {hosts} hosts, and there is none at port {port}"
                )));
            };
            self.outputs.push(direction);
        }
        Ok(())
    }

    fn receive(&mut self, packet: PacketId, ingress: Ingress, ctx: &mut Context<'_>) {
        let src = ingress.port as usize;
        let dst = ctx
            .way(packet, self.node)
            .and_then(|direction| self.outputs.iter().position(|output| *output == direction));
        let (true, Some(dst)) = (src < self.hosts, dst.filter(|dst| *dst != src)) else {
            return ctx.drop(packet, self.node, Cause::Route);
        };
        let cells = cells_of(ctx.packet(packet).bytes);
        if self.waiting[src] + cells > self.source.cells {
            return ctx.drop(packet, self.node, Cause::Queue);
        }
        if self.source.mark.is_some_and(|mark| self.waiting[src] > mark) {
            ctx.mark(packet);
        }
        self.waiting[src] += cells;
        self.waiting_max = self.waiting_max.max(self.waiting[src]);
        self.run(ctx);
        self.live.give(src, dst, cells);
        let pair = &mut self.pairs[src * self.hosts + dst];
        pair.given += cells;
        pair.packets.push_back((pair.given, packet));
    }

    fn timer(&mut self, _: Timer, ctx: &mut Context<'_>) {
        self.live.pass(&mut self.moved);
        let end = self.live.slot().saturating_mul(self.slot);
        for src in &self.moved.left {
            self.waiting[*src] -= 1;
        }
        for &(src, dst) in &self.moved.arrived {
            let in_order = self.live.in_order(src, dst);
            let packets = &mut self.pairs[src * self.hosts + dst].packets;
            while let Some((_, packet)) = packets.pop_front_if(|(end, _)| *end <= in_order) {
                ctx.offer_at(end, packet, self.outputs[dst]);
            }
        }
        self.runs = !self.live.is_quiet();
        if self.runs {
            self.schedule_slot(ctx);
        }
    }

    fn inspect(&mut self, _: &mut Context<'_>, reports: &mut Reports) {
        reports.add(FabricReport {
            node: self.node,
            outcome: self.live.outcome(),
            source_cells_max: self.waiting_max,
        });
    }
}
