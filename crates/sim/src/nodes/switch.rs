//! Switches without a program: they forward by the shortest paths, with one queue a port or with a scheduler.

mod queues;
mod transparent;

use crate::frame;
use crate::measure::Cause;
use crate::network::{self, NodeId};
use crate::packet::PacketId;
use crate::pending::Time;
use crate::simulation::{Context, Ingress, Node, Timer};
use queues::Queues;
use transparent::Transparent;
use ww_sched::traffic::Manager;

/// A packet's output has been found.
const JOIN: u8 = 0;
/// The scheduler lets something leave.
const DEPART: u8 = 1;

/// See the module.
pub(crate) struct Switch {
    routes: bool,
    latency: Time,
    queues: Option<Box<Queues>>,
    transparent: Option<Box<Transparent>>,
}

impl Switch {
    /// With the queues of `manager`, if there is one; a `transparent` one corrects event messages of PTP.
    pub fn new(switch: network::Switch, manager: Option<Manager>, transparent: bool) -> Self {
        Self {
            routes: switch.routes,
            latency: switch.latency,
            queues: manager.map(|manager| Box::new(Queues::new(manager))),
            transparent: transparent.then(Box::default),
        }
    }

    /// A router takes one from the time to live. False if none is left.
    #[inline]
    fn age(id: PacketId, ctx: &mut Context<'_>) -> bool {
        let packet = ctx.packet_mut(id);
        if packet.ttl <= 1 {
            return false;
        }
        packet.ttl -= 1;
        if ctx.is_framed() {
            frame::age(ctx.frame_mut(id));
        }
        true
    }

    /// A packet joins the queue of the direction that it takes.
    #[inline]
    fn forward(&mut self, id: PacketId, node: NodeId, ctx: &mut Context<'_>) {
        match ctx.way(id, node) {
            Some(direction) => self.offer(id, node, direction, ctx),
            None => self.drop(id, node, Cause::Route, ctx),
        }
    }

    #[inline]
    fn offer(&mut self, id: PacketId, node: NodeId, direction: u32, ctx: &mut Context<'_>) {
        let begins = ctx.offer(id, direction);
        if let Some(transparent) = &mut self.transparent {
            match begins {
                Some(begins) => transparent.departs(id, node, direction, begins, ctx),
                None => transparent.forget(id),
            }
        }
    }

    #[cold]
    fn drop(&mut self, id: PacketId, node: NodeId, cause: Cause, ctx: &mut Context<'_>) {
        if let Some(transparent) = &mut self.transparent {
            transparent.forget(id);
        }
        ctx.drop(id, node, cause);
    }

    /// A packet joins the queues of the scheduler.
    fn join(&mut self, id: PacketId, node: NodeId, ctx: &mut Context<'_>) {
        let Some(queues) = &mut self.queues else { return self.forward(id, node, ctx) };
        let Some(direction) = ctx.way(id, node) else {
            return self.drop(id, node, Cause::Route, ctx);
        };
        if !queues.enqueue(id, direction, ctx) {
            self.drop(id, node, Cause::Queue, ctx);
        }
        self.depart(node, ctx);
    }

    /// Sends what may leave by now.
    fn depart(&mut self, node: NodeId, ctx: &mut Context<'_>) {
        while let Some(queues) = &mut self.queues {
            let Some((id, direction)) = queues.dequeue(node, ctx) else {
                if let Some(next) = queues.next_timer(ctx.now()) {
                    ctx.schedule(next, Timer { kind: DEPART, about: 0, tag: node });
                }
                return;
            };
            self.offer(id, node, direction, ctx);
        }
    }
}

impl Node for Switch {
    #[inline]
    fn receive(&mut self, id: PacketId, ingress: Ingress, ctx: &mut Context<'_>) {
        let node = ingress.node;
        if let Some(transparent) = &mut self.transparent {
            transparent.arrives(id, ingress, ctx);
        }
        if self.routes && !Self::age(id, ctx) {
            return self.drop(id, node, Cause::Ttl, ctx);
        }
        if self.latency == 0 && self.queues.is_none() {
            return self.forward(id, node, ctx);
        }
        let ready = ctx.now().saturating_add(self.latency);
        ctx.schedule(ready, Timer { kind: JOIN, about: id, tag: node });
    }

    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        let Timer { kind, about, tag: node } = timer;
        match kind {
            JOIN => self.join(about, node, ctx),
            _ => self.depart(node, ctx),
        }
    }
}
