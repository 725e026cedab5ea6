//! Packets as the simulation moves them: what switches and queues look at, in one cache line.

use crate::frame;
use crate::pending::{Number, Time};

/// A packet's place in [`Packets`].
pub type PacketId = u32;

/// The host number of packets whose source or destination is unknown.
pub const NOBODY: u32 = u32::MAX;

/// The ECN field (RFC 3168, section 5).
pub mod ecn {
    /// Not capable.
    pub const NONE: u8 = 0;
    /// Capable, ECT(0).
    pub const CAPABLE: u8 = 2;
    /// Congestion experienced.
    pub const CONGESTION: u8 = 3;
}

/// The path of packets that take the path of their flow.
pub const PATH_OF_FLOW: u32 = u32::MAX;

/// [`Packet::message`]: data of an application.
pub const DATA: u8 = 0;
/// [`Packet::message`]: a queue has cut off the data. Transports number their own messages from 2 on.
pub const TRIMMED: u8 = 1;

/// The time to live that hosts begin with.
pub const TTL: u8 = 64;

/// A packet. Its bytes, in networks where a node reads them, are [`Packets::frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Packet {
    /// When the host gave it to its queue.
    pub sent: Time,
    /// Host number of its source; [`NOBODY`] if that is unknown.
    pub source: u32,
    /// Host number of its destination.
    pub destination: u32,
    /// Length of the frame, without FCS.
    pub bytes: u32,
    /// Hash of its addresses and ports, for multipath.
    pub hash: u32,
    /// Which flow it belongs to: a place among the flows of the hosts.
    pub flow: u32,
    /// The flow's number in the run. If the flow at that place has another number, the packet is late.
    pub serial: u64,
    /// Which packet of its flow it is, for UDP.
    pub number: u32,
    /// Which path it has still to take, if it is sprayed; otherwise [`PATH_OF_FLOW`]. A switch with n shortest paths
    /// takes the remainder of a division by n, and leaves the quotient to the next one.
    pub path: u32,
    /// Which piece of traffic it belongs to.
    pub traffic: u16,
    /// UDP or TCP ports: of the packet's source and destination.
    pub ports: [u16; 2],
    /// UDP or TCP (the IPv4 field).
    pub protocol: u8,
    /// DSCP.
    pub class: u8,
    /// How many routers it may still pass, and one more.
    pub ttl: u8,
    /// See [`ecn`].
    pub ecn: u8,
    /// It goes from the flow's receiver to its sender.
    pub backwards: bool,
    /// What it is for its transport, if that is not TCP: see [`DATA`]. All but data go first in queues that trim or pause.
    pub message: u8,
}

impl Default for Packet {
    /// Unknown source and destination, no flow.
    fn default() -> Self {
        Self {
            sent: 0,
            source: NOBODY,
            destination: NOBODY,
            bytes: 0,
            hash: 0,
            flow: u32::MAX,
            serial: 0,
            number: 0,
            path: PATH_OF_FLOW,
            traffic: u16::MAX,
            ports: [0; 2],
            protocol: 0,
            class: 0,
            ttl: TTL,
            ecn: ecn::NONE,
            backwards: false,
            message: DATA,
        }
    }
}

/// A packet between the queue of a link and its other end.
#[derive(Clone, Copy, Debug)]
pub struct OnWay {
    /// When its last bit comes.
    pub arrives: Time,
    /// The number of its arrival among events of that time.
    pub number: Number,
    /// The packet behind it on the same way; [`NO_PACKET`] if it is the last one.
    pub next: PacketId,
}

/// No packet.
pub const NO_PACKET: PacketId = PacketId::MAX;

/// Packets in flight or in queues.
#[derive(Debug, Default)]
pub struct Packets {
    packets: Vec<Packet>,
    on_way: Vec<OnWay>,
    /// Up to the last packet that was ever given bytes.
    frames: Vec<Vec<u8>>,
    free: Vec<PacketId>,
}

impl Packets {
    /// Inserts a packet with an empty frame.
    #[inline]
    pub fn insert(&mut self, packet: Packet) -> PacketId {
        if let Some(id) = self.free.pop() {
            self.packets[id as usize] = packet;
            return id;
        }
        self.packets.push(packet);
        self.on_way.push(OnWay { arrives: 0, number: Number::default(), next: NO_PACKET });
        (self.packets.len() - 1) as PacketId
    }

    /// Removes a packet; its id may be used again.
    #[inline]
    pub fn remove(&mut self, id: PacketId) {
        if let Some(frame) = self.frames.get_mut(id as usize) {
            frame.clear();
        }
        self.free.push(id);
    }

    /// Number of packets.
    pub fn len(&self) -> usize {
        self.packets.len() - self.free.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A packet.
    #[inline]
    pub fn packet(&self, id: PacketId) -> &Packet {
        &self.packets[id as usize]
    }

    /// A packet, to be changed.
    #[inline]
    pub fn packet_mut(&mut self, id: PacketId) -> &mut Packet {
        &mut self.packets[id as usize]
    }

    /// Where it is on a link.
    #[inline]
    pub fn on_way(&self, id: PacketId) -> &OnWay {
        &self.on_way[id as usize]
    }

    /// Where it is on a link, to be changed.
    #[inline]
    pub fn on_way_mut(&mut self, id: PacketId) -> &mut OnWay {
        &mut self.on_way[id as usize]
    }

    /// Its bytes: empty in networks where no node reads them.
    pub fn frame(&self, id: PacketId) -> &[u8] {
        self.frames.get(id as usize).map_or(&[], Vec::as_slice)
    }

    /// Its bytes, to be changed.
    pub fn frame_mut(&mut self, id: PacketId) -> &mut Vec<u8> {
        let place = id as usize;
        if self.frames.len() <= place {
            self.frames.resize_with(place + 1, Vec::new);
        }
        &mut self.frames[place]
    }

    /// Marks it: congestion experienced, in the packet and in its frame.
    pub fn mark(&mut self, id: PacketId) {
        self.packets[id as usize].ecn = ecn::CONGESTION;
        if let Some(frame) = self.frames.get_mut(id as usize) {
            frame::mark(frame);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_is_one_cache_line() {
        assert_eq!(size_of::<Packet>(), 64);
    }

    #[test]
    fn packet_ids_are_reused() {
        let packet = Packet::default();
        let mut packets = Packets::default();
        let [first, second] = [7, 8].map(|sent| packets.insert(Packet { sent, ..packet }));
        packets.frame_mut(first).extend([1, 2, 3]);
        packets.remove(first);
        assert_eq!((packets.len(), packets.packet(second).sent), (1, 8));
        let third = packets.insert(Packet { sent: 9, ..packet });
        assert_eq!((third, packets.packet(third).sent, packets.frame(third)), (first, 9, &[][..]));
        packets.remove(second);
        packets.remove(third);
        assert!(packets.is_empty());
    }
}
