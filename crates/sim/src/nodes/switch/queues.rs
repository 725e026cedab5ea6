//! The queues of a switch with a scheduler.

use crate::frame;
use crate::network::NodeId;
use crate::packet::{PacketId, ecn};
use crate::pending::Time;
use crate::simulation::Context;
use ww_dataplane::traffic::Arrival;
use ww_dataplane::traffic::TrafficManager;
use ww_sched::traffic::Manager;

/// See the module.
pub(super) struct Queues {
    manager: Manager,
    /// When the timer for the next departure expires.
    wakes: Option<Time>,
    /// Where headers are made for packets without a frame.
    scratch: Vec<u8>,
}

impl Queues {
    pub fn new(manager: Manager) -> Self {
        Self { manager, wakes: None, scratch: Vec::new() }
    }

    /// Enqueues a packet towards a direction. False if there is no room.
    pub fn enqueue(&mut self, id: PacketId, direction: u32, ctx: &mut Context<'_>) -> bool {
        let packet = ctx.packet(id);
        let port = ctx.near_end(direction).port;
        let queue = u32::from(packet.class) & 7;
        let frame = match ctx.frame(id) {
            [] => {
                let hosts = [packet.source, packet.destination].map(|number| ctx.host(number));
                frame::sketch(packet, hosts, &mut self.scratch);
                &self.scratch[..]
            }
            bytes => bytes,
        };
        let arrival = Arrival { packet: u64::from(id), port, queue, frame, extra: 0 };
        self.manager.enqueue(ctx.now(), arrival).is_ok()
    }

    /// The next packet that may leave by now, and the direction that it takes.
    pub fn dequeue(&mut self, node: NodeId, ctx: &mut Context<'_>) -> Option<(PacketId, u32)> {
        let departure = self.manager.dequeue(ctx.now())?;
        let id = departure.packet as PacketId;
        let packet = *ctx.packet(id);
        self.manager.sent(&departure, packet.bytes);
        if departure.congestion && packet.ecn != ecn::NONE {
            ctx.mark(id);
        }
        Some((id, ctx.direction_at(node, departure.port)?))
    }

    /// The time of the next departure, unless a timer for it is scheduled already.
    pub fn next_timer(&mut self, now: Time) -> Option<Time> {
        let next = self.manager.next_event()?;
        let anew = self.wakes.is_none_or(|wakes| wakes <= now || wakes > next);
        anew.then(|| *self.wakes.insert(next))
    }
}
