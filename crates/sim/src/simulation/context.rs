//! What a node may do to the simulation that it is in.
//!
//! A *direction* is one way of a link: twice the link's number, and one more for the way back. A *host number* counts
//! hosts in the order of nodes.

use super::kernel::{Event, Kernel, NO_DIRECTION, NO_HOST};
use super::node::Timer;
use crate::clock::Clock;
use crate::lookup::Lookup;
use crate::measure::{Cause, Observer, Sums, Wishes};
use crate::network::{Direction, End, Host, Network, NodeId};
use crate::packet::{PATH_OF_FLOW, Packet, PacketId};
use crate::pending::Time;
use crate::wire::Wire;
use std::fmt;
use std::net::Ipv4Addr;

/// More paths between two hosts than this are not told apart.
const MOST_PATHS: u32 = 1 << 16;

/// The simulation as a node sees it, for as long as one event takes.
pub struct Context<'s> {
    pub(super) kernel: &'s mut Kernel,
    pub(super) observer: &'s mut dyn Observer,
    /// Whose timers are scheduled: a place among the simulation's nodes, and a layer of it (0 is the node itself).
    pub(super) node: u32,
    pub(super) layer: u8,
}

impl fmt::Debug for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context").field("now", &self.now()).finish_non_exhaustive()
    }
}

impl Context<'_> {
    /// The same for a layer of the node, from 1: timers that it schedules are the layer's.
    pub(crate) fn of_layer(&mut self, layer: u8) -> Context<'_> {
        let Context { kernel, observer, node, .. } = self;
        Context { kernel, observer: &mut **observer, node: *node, layer }
    }

    /// Which layer of the node the event is for; 0 is the node itself.
    pub(crate) fn layer(&self) -> u8 {
        self.layer
    }

    /// True time.
    #[inline]
    pub fn now(&self) -> Time {
        self.kernel.pending.now()
    }

    /// The run's seed.
    pub fn seed(&self) -> u64 {
        self.kernel.seed
    }

    /// Lets [`timer`](super::node::Node::timer) be called then; now, if that is in the past. A timer cannot be taken
    /// back: who no longer wants it ignores it.
    #[inline]
    pub fn schedule(&mut self, at: Time, timer: Timer) {
        let Timer { kind, about, tag } = timer;
        let (node, layer) = (self.node, self.layer);
        self.kernel.pending.schedule(at, Event::Timer { node, layer, kind, about, tag });
    }

    /// The network. Its links are as they were at the start, clocks of nodes are as they are now.
    #[inline]
    pub fn network(&self) -> &Network {
        &self.kernel.network
    }

    /// What is to be told and counted.
    #[inline]
    pub fn wishes(&self) -> &Wishes {
        &self.kernel.wishes
    }

    /// Who is told.
    #[inline]
    pub fn observer(&mut self) -> &mut dyn Observer {
        self.observer
    }

    /// What a piece of traffic has done.
    #[inline]
    pub fn sums(&mut self, traffic: u32) -> Option<&mut Sums> {
        self.kernel.sums.get_mut(traffic as usize)
    }

    /// A node's own clock.
    #[inline]
    pub fn clock(&self, node: NodeId) -> &Clock {
        &self.kernel.network.nodes[node as usize].clock
    }

    /// A node's own clock, to be set.
    pub fn clock_mut(&mut self, node: NodeId) -> &mut Clock {
        &mut self.kernel.network.nodes[node as usize].clock
    }

    /// A packet.
    #[inline]
    pub fn packet(&self, id: PacketId) -> &Packet {
        self.kernel.packets.packet(id)
    }

    /// A packet, to be changed.
    #[inline]
    pub fn packet_mut(&mut self, id: PacketId) -> &mut Packet {
        self.kernel.packets.packet_mut(id)
    }

    /// The bytes of a packet: none if [`is_framed`](Self::is_framed) is false.
    #[inline]
    pub fn frame(&self, id: PacketId) -> &[u8] {
        self.kernel.packets.frame(id)
    }

    /// The bytes of a packet, to be changed.
    #[inline]
    pub fn frame_mut(&mut self, id: PacketId) -> &mut Vec<u8> {
        self.kernel.packets.frame_mut(id)
    }

    /// Whether packets have bytes; otherwise nobody on their way reads them.
    #[inline]
    pub fn is_framed(&self) -> bool {
        self.kernel.framed
    }

    /// Makes a packet, without bytes.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> PacketId {
        self.kernel.packets.insert(packet)
    }

    /// Makes a packet of a frame: addresses say whose it is. `known` is the packet that it may still be.
    pub fn insert_frame(&mut self, frame: Vec<u8>, known: Option<&Packet>) -> PacketId {
        let packet = crate::frame::read(&frame, &self.kernel.addresses, known, self.now());
        let id = self.insert(packet);
        *self.frame_mut(id) = frame;
        id
    }

    /// A packet is no more: it has reached whom it was for.
    #[inline]
    pub fn remove(&mut self, id: PacketId) {
        self.kernel.packets.remove(id);
    }

    /// A packet is no more: a node drops it.
    #[cold]
    pub fn drop(&mut self, id: PacketId, node: NodeId, cause: Cause) {
        self.kernel.drop(id, node, cause, self.observer);
    }

    /// Counts packets that were dropped and that the simulation does not know.
    pub fn count_drops(&mut self, cause: Cause, count: u64) {
        self.kernel.drops[cause as usize] += count;
    }

    /// A packet meets congestion: its ECN field says so.
    pub fn mark(&mut self, id: PacketId) {
        self.kernel.packets.mark(id);
    }

    /// Puts a packet into the queue of a direction: when its first bit leaves, that of the preamble where there is
    /// one; now, if that cannot be known, as queues trim or pause. `None` if it was dropped, as the queue is full or the link is down.
    #[inline]
    pub fn offer(&mut self, id: PacketId, direction: u32) -> Option<Time> {
        self.kernel.offer(id, direction, self.observer)
    }

    /// The same at a later time.
    pub fn offer_at(&mut self, at: Time, id: PacketId, direction: u32) {
        self.kernel.pending.schedule(at, Event::Offer { packet: id, direction });
    }

    /// The direction that begins at a port of a node, if a link is there.
    #[inline]
    pub fn direction_at(&self, node: NodeId, port: u32) -> Option<u32> {
        let direction = *self.kernel.ports[node as usize].get(port as usize)?;
        (direction != NO_DIRECTION).then_some(direction)
    }

    /// The node and port that a direction begins at.
    #[inline]
    pub fn near_end(&self, direction: u32) -> End {
        self.kernel.network.links[direction as usize / 2].ends[direction as usize % 2]
    }

    /// The node and port that a direction ends at.
    #[inline]
    pub fn far_end(&self, direction: u32) -> End {
        self.kernel.network.links[direction as usize / 2].ends[1 - direction as usize % 2]
    }

    /// A direction as it was at the start.
    pub fn line(&self, direction: u32) -> &Direction {
        &self.kernel.network.links[direction as usize / 2].directions[direction as usize % 2]
    }

    /// Bytes that wait in front of a direction, the packet that is being sent included.
    #[inline]
    pub fn depth(&mut self, direction: u32) -> u64 {
        let now = self.now();
        let output = &mut self.kernel.outputs[direction as usize];
        output.line.depth(now) + output.egress.as_ref().map_or(0, |egress| egress.bytes())
    }

    /// When fewer bytes than so many will wait in front of a direction, if nothing more comes.
    pub fn when_below(&mut self, direction: u32, bytes: u64) -> Time {
        let now = self.now();
        let waiting = self.depth(direction);
        let output = &mut self.kernel.outputs[direction as usize];
        match &output.egress {
            None => output.line.when_below(now, bytes),
            // At the earliest: it may be paused.
            Some(_) => {
                let takes = output.line.time_of(waiting.saturating_sub(bytes) + 1);
                now.saturating_add(takes.max(1))
            }
        }
    }

    /// Whether a direction is up now.
    pub fn is_up(&self, direction: u32) -> bool {
        self.kernel.outputs[direction as usize].up
    }

    /// The characters of a direction, if it has a physical layer.
    pub fn wire_mut(&mut self, direction: u32) -> Option<&mut Wire> {
        self.kernel.outputs[direction as usize].line.wire_mut()
    }

    /// The direction from a node towards a host on the shortest paths that switches know, for flows with this hash;
    /// `None` without a path, or without such a host.
    #[inline]
    pub fn path(&self, node: NodeId, host: u32, hash: u32) -> Option<u32> {
        self.kernel.paths.direction(node, host, hash)
    }

    /// The direction that a packet takes from a node: its flow's, or that of its own path, of which this takes a step.
    #[inline]
    pub fn way(&mut self, id: PacketId, node: NodeId) -> Option<u32> {
        let Kernel { packets, paths, .. } = &mut *self.kernel;
        let packet = packets.packet_mut(id);
        match packet.path {
            PATH_OF_FLOW => paths.direction(node, packet.destination, packet.hash),
            _ => paths.sprayed(node, packet.destination, &mut packet.path),
        }
    }

    /// The directions from a node towards a host on all shortest paths that switches know.
    pub fn ways(&self, node: NodeId, host: u32) -> &[u32] {
        self.kernel.paths.all(node, host)
    }

    /// How many shortest paths there are from one host to another, if all switches at the same distance are alike.
    pub fn count_paths(&self, from: u32, to: u32) -> u32 {
        let (mut node, end) = (self.far_end(self.host_direction(from)).node, self.host_node(to));
        let mut paths = 1u32;
        // Longer paths than there are nodes would be circles.
        for _ in 0..self.network().nodes.len() {
            if node == end {
                break;
            }
            let Some(direction) = self.path(node, to, 0) else { return 1 };
            // Beyond this nobody asks which path it is.
            paths = paths.saturating_mul(self.kernel.paths.count(node, to)).min(MOST_PATHS);
            node = self.far_end(direction).node;
        }
        paths
    }

    /// The nodes of hosts, by host number.
    #[inline]
    pub fn hosts(&self) -> &[NodeId] {
        &self.kernel.hosts
    }

    /// The node of a host.
    #[inline]
    pub fn host_node(&self, host: u32) -> NodeId {
        self.kernel.hosts[host as usize]
    }

    /// The number of a host among hosts.
    #[inline]
    pub fn host_number(&self, node: NodeId) -> Option<u32> {
        let number = *self.kernel.host_numbers.get(node as usize)?;
        (number != NO_HOST).then_some(number)
    }

    /// What the network says of a host; `None` for a number that no host has.
    #[inline]
    pub fn host(&self, host: u32) -> Option<&Host> {
        self.kernel.network.host(*self.kernel.hosts.get(host as usize)?)
    }

    /// The direction that begins at a host.
    #[inline]
    pub fn host_direction(&self, host: u32) -> u32 {
        self.kernel.host_directions[host as usize]
    }

    /// What a host's own clock shows.
    pub fn host_time(&self, host: u32) -> Time {
        self.clock(self.host_node(host)).read(self.now())
    }

    /// Host numbers by IPv4 address.
    pub fn addresses(&self) -> &Lookup<Ipv4Addr, u32> {
        &self.kernel.addresses
    }
}
