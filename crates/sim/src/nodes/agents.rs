//! Agents of hosts: end-host software for tiny packet programs, which sees every outgoing and incoming frame.

use crate::frame;
use crate::measure::Cause;
use crate::network::{Network, NodeId};
use crate::nodes::by_host;
use crate::packet::PacketId;
use crate::pending::Time;
use crate::simulation::{BuildError, Context, Layer, Reports, Timer};
use std::collections::BTreeMap;
use ww_host::agent::{Agent, Received, Report};

/// What the agent of a host has found out.
#[derive(Debug)]
pub struct AgentReport {
    /// Whose.
    pub node: NodeId,
    /// What.
    pub report: Report,
}

/// A host's agent, and when it is polled next.
struct Seat {
    agent: Box<dyn Agent>,
    wakes: Time,
}

/// See the module.
pub(crate) struct Agents {
    /// By host number.
    seats: BTreeMap<u32, Seat>,
}

impl Agents {
    /// Of these hosts.
    ///
    /// # Errors
    /// A node is no host.
    pub fn new(
        network: &Network,
        agents: BTreeMap<NodeId, Box<dyn Agent>>,
    ) -> Result<Self, BuildError> {
        let seats = by_host(network, agents, "has an agent")?;
        let seats = seats.map(|(host, _, agent)| (host, Seat { agent, wakes: Time::MAX }));
        Ok(Self { seats: seats.collect() })
    }

    /// Polls an agent: sends its frames, schedules the next poll.
    fn poll(&mut self, host: u32, ctx: &mut Context<'_>) {
        let (now, local) = (ctx.now(), ctx.host_time(host));
        let Some(seat) = self.seats.get_mut(&host) else { return };
        let mut out = Vec::new();
        let next = seat.agent.poll(local, &mut out);
        for frame in out {
            let id = ctx.insert_frame(frame, None);
            ctx.offer(id, ctx.host_direction(host));
        }
        let Some(next) = next.map(|next| next.max(local + 1)) else { return };
        let at = ctx.clock(ctx.host_node(host)).when(next).max(now);
        // A timer that was scheduled earlier stays: the agent is sometimes polled without need.
        if seat.wakes <= now || at < seat.wakes {
            seat.wakes = at;
            ctx.schedule(at, Timer { about: host, ..Timer::default() });
        }
    }
}

impl Layer for Agents {
    fn begin(&mut self, ctx: &mut Context<'_>) -> Result<(), BuildError> {
        for host in self.seats.keys() {
            ctx.schedule(0, Timer { about: *host, ..Timer::default() });
        }
        Ok(())
    }

    fn transmit(&mut self, id: PacketId, host: u32, ctx: &mut Context<'_>) -> bool {
        let Some(seat) = self.seats.get_mut(&host) else { return true };
        let now = ctx.host_time(host);
        let frame = ctx.frame_mut(id);
        let passes = seat.agent.transmit(now, frame);
        let bytes = frame.len() as u32;
        match passes {
            true => ctx.packet_mut(id).bytes = bytes,
            false => ctx.drop(id, ctx.host_node(host), Cause::Host),
        }
        passes
    }

    fn receive(&mut self, id: PacketId, host: u32, ctx: &mut Context<'_>) -> bool {
        let Some(seat) = self.seats.get_mut(&host) else { return true };
        let now = ctx.host_time(host);
        let received = seat.agent.receive(now, ctx.frame_mut(id));
        match received {
            Received::Deliver => ctx.packet_mut(id).bytes = ctx.frame(id).len() as u32,
            Received::Taken => ctx.remove(id),
            Received::SendBack => {
                let packet = frame::read(ctx.frame(id), ctx.addresses(), None, ctx.now());
                *ctx.packet_mut(id) = packet;
                ctx.offer(id, ctx.host_direction(host));
            }
        }
        self.poll(host, ctx);
        received == Received::Deliver
    }

    fn timer(&mut self, timer: Timer, ctx: &mut Context<'_>) {
        self.poll(timer.about, ctx);
    }

    fn inspect(&mut self, ctx: &mut Context<'_>, reports: &mut Reports) {
        for (host, seat) in &mut self.seats {
            let (node, report) = (ctx.host_node(*host), seat.agent.report());
            reports.add(AgentReport { node, report });
        }
    }
}
