//! Transparent clocks (IEEE 1588 end to end): a switch adds to PTP's event messages how long they were in it, by its
//! own clock.

use crate::network::NodeId;
use crate::nodes::keepers::{PREAMBLE, first_bit, reading, serialization};
use crate::packet::PacketId;
use crate::pending::Time;
use crate::simulation::{Context, Ingress};
use std::collections::BTreeMap;
use ww_clocks::ptp::{self, message};
use ww_clocks::time;
use ww_packet::protocol::ip;
use ww_packet::udp_frame;

/// Event messages that are in the switch: when each came, by its clock.
#[derive(Default)]
pub(super) struct Transparent {
    since: BTreeMap<PacketId, time::Time>,
}

impl Transparent {
    /// A packet has come.
    pub fn arrives(&mut self, id: PacketId, ingress: Ingress, ctx: &Context<'_>) {
        let packet = ctx.packet(id);
        let is_event = packet.protocol == ip::UDP && packet.ports[1] == ptp::EVENT_PORT;
        if is_event && !ctx.frame(id).is_empty() {
            let began = first_bit(id, ingress.direction, ctx);
            self.since.insert(id, reading(ingress.node, began, ctx));
        }
    }

    /// The first bit of a packet leaves through a direction at this time.
    pub fn departs(
        &mut self,
        id: PacketId,
        node: NodeId,
        direction: u32,
        begins: Time,
        ctx: &mut Context<'_>,
    ) {
        let Some(since) = self.since.remove(&id) else { return };
        let at = begins + serialization(direction, PREAMBLE, ctx);
        let residence = reading(node, at, ctx) - since;
        let frame = ctx.frame_mut(id);
        if let Some(message) = frame.get_mut(udp_frame::HEADERS..) {
            message::add_correction(message, residence);
            // Whoever changes a datagram may omit its checksum (RFC 768).
            frame[udp_frame::HEADERS - 2..udp_frame::HEADERS].fill(0);
        }
    }

    /// A packet was dropped.
    pub fn forget(&mut self, id: PacketId) {
        self.since.remove(&id);
    }
}
