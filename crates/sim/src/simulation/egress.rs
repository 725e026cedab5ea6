//! A queue whose packets leave when the line is free, and not at a time that is known when they come: it trims, or may be paused.

use crate::frame::SHORTEST;
use crate::network::queueing::{Pause, Queueing, Trim};
use crate::packet::{DATA, PacketId, Packets, TRIMMED};
use crate::pending::Time;
use crate::random::Stream;
use std::collections::VecDeque;

/// Headers and control packets that go before a packet of data that waits, if it trims (Handley and others, SIGCOMM 2017, 3.1).
const URGENT_IN_ROW: u32 = 10;

/// What it does when it is full.
#[derive(Clone, Copy, Debug)]
enum Discipline {
    Trim(Trim),
    /// Whoever sends is paused; a host marks nothing.
    Pause(Option<Pause>),
}

/// A queue of packets, by their length.
#[derive(Debug, Default)]
struct Queue {
    packets: VecDeque<(PacketId, u32)>,
    bytes: u64,
}

impl Queue {
    fn push(&mut self, id: PacketId, bytes: u32) {
        self.packets.push_back((id, bytes));
        self.bytes += u64::from(bytes);
    }

    fn pop(&mut self) -> Option<PacketId> {
        let (id, bytes) = self.packets.pop_front()?;
        self.bytes -= u64::from(bytes);
        Some(id)
    }

    fn pop_last(&mut self) -> Option<PacketId> {
        let (id, bytes) = self.packets.pop_back()?;
        self.bytes -= u64::from(bytes);
        Some(id)
    }
}

/// See the module.
#[derive(Debug)]
pub(super) struct Egress {
    discipline: Discipline,
    /// Headers and control packets.
    urgent: Queue,
    data: Queue,
    /// Urgent packets since the last one of data.
    in_row: u32,
    /// When the packet that is being sent has left, and whether it is one of data.
    free_at: Time,
    sends_data: bool,
    /// It will be asked for the next packet then.
    is_awaited: bool,
    is_paused: bool,
    pub dropped: u64,
    pub marked: u64,
    pub trimmed: u64,
    pub deepest: u64,
}

impl Egress {
    /// Of a direction that begins at a switch or at a host. `None`: its packets leave when they came.
    pub fn new(queueing: &Queueing, is_switch: bool) -> Option<Box<Self>> {
        let discipline = match (*queueing, is_switch) {
            (Queueing::DropTail, _) | (Queueing::Trim(_), false) => return None,
            (Queueing::Trim(trim), true) => Discipline::Trim(trim),
            (Queueing::Pause(pause), _) => Discipline::Pause(is_switch.then_some(pause)),
        };
        Some(Box::new(Self {
            discipline,
            urgent: Queue::default(),
            data: Queue::default(),
            in_row: 0,
            free_at: 0,
            sends_data: false,
            is_awaited: false,
            is_paused: false,
            dropped: 0,
            marked: 0,
            trimmed: 0,
            deepest: 0,
        }))
    }

    /// Bytes that wait, without the packet that is being sent.
    pub fn bytes(&self) -> u64 {
        self.urgent.bytes + self.data.bytes
    }

    /// When the line is free.
    pub fn free_at(&self) -> Time {
        self.free_at
    }

    /// A packet comes. Returns the one that has to be dropped, if one has to, this or another.
    pub fn join(
        &mut self,
        id: PacketId,
        now: Time,
        packets: &mut Packets,
        stream: &mut Stream,
    ) -> Option<PacketId> {
        let packet = *packets.packet(id);
        let dropped = match self.discipline {
            Discipline::Trim(Trim { packets: most, header_bytes }) if packet.message == DATA => {
                let sending = usize::from(self.sends_data && now < self.free_at);
                if self.data.packets.len() + sending < most as usize {
                    self.data.push(id, packet.bytes);
                    None
                } else {
                    // The last that waits or the new one: always the same would let flows fall into step.
                    let mut cut = id;
                    if !self.data.packets.is_empty()
                        && stream.below(2) == 0
                        && let Some(last) = self.data.pop_last()
                    {
                        self.data.push(id, packet.bytes);
                        cut = last;
                    }
                    let header = packets.packet_mut(cut);
                    header.bytes = SHORTEST;
                    header.message = TRIMMED;
                    self.trimmed += 1;
                    self.join_urgent(cut, SHORTEST, header_bytes)
                }
            }
            Discipline::Trim(Trim { header_bytes, .. }) => {
                self.join_urgent(id, packet.bytes, header_bytes)
            }
            Discipline::Pause(_) if packet.message != DATA => {
                self.join_urgent(id, packet.bytes, u64::MAX)
            }
            Discipline::Pause(pause) => {
                let probability = pause.map_or(0.0, |pause| pause.mark(self.data.bytes));
                if packet.ecn != crate::packet::ecn::NONE && stream.happens(probability) {
                    packets.mark(id);
                    self.marked += 1;
                }
                self.data.push(id, packet.bytes);
                None
            }
        };
        self.dropped += u64::from(dropped.is_some());
        self.deepest = self.deepest.max(self.bytes());
        dropped
    }

    fn join_urgent(&mut self, id: PacketId, bytes: u32, most: u64) -> Option<PacketId> {
        if self.urgent.bytes + u64::from(bytes) > most {
            return Some(id);
        }
        self.urgent.push(id, bytes);
        None
    }

    /// The packet that leaves now, if the line is free and one may.
    pub fn take(&mut self, now: Time) -> Option<PacketId> {
        if now < self.free_at {
            return None;
        }
        let may_send_data = !self.is_paused && !self.data.packets.is_empty();
        let has_turn = match self.discipline {
            Discipline::Trim(_) => self.in_row >= URGENT_IN_ROW,
            Discipline::Pause(_) => false,
        };
        if may_send_data && (has_turn || self.urgent.packets.is_empty()) {
            (self.in_row, self.sends_data) = (0, true);
            return self.data.pop();
        }
        self.in_row = self.in_row.saturating_add(1);
        self.sends_data = false;
        self.urgent.pop()
    }

    /// The packet that was taken has left then.
    pub fn sends_until(&mut self, at: Time) {
        self.free_at = at;
    }

    /// When it has to be asked for the next packet, if it has one that may leave and nobody will ask.
    pub fn next(&mut self) -> Option<Time> {
        let has_some =
            !self.urgent.packets.is_empty() || (!self.is_paused && !self.data.packets.is_empty());
        (has_some && !std::mem::replace(&mut self.is_awaited, true)).then_some(self.free_at)
    }

    /// It is asked.
    pub fn is_asked(&mut self) {
        self.is_awaited = false;
    }

    /// The other end lets it send data, or not.
    pub fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    /// The link goes down: takes all that waits.
    pub fn clear(&mut self, now: Time) -> Vec<PacketId> {
        let mut all = Vec::new();
        while let Some(id) = self.urgent.pop().or_else(|| self.data.pop()) {
            all.push(id);
        }
        (self.free_at, self.is_paused, self.is_awaited) = (now, false, false);
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::{Packet, ecn};

    fn queue(queueing: &Queueing) -> (Box<Egress>, Packets, Stream) {
        let egress = Egress::new(queueing, true).expect("a queue of its own");
        (egress, Packets::default(), Stream::new(1, 0, 0))
    }

    /// The line is busy with a packet of data; then two wait and each more is trimmed, it or the last one.
    #[test]
    fn a_full_queue_cuts_off_data() {
        let trim = Trim { packets: 3, header_bytes: 5 * 60 };
        let (mut egress, mut packets, mut stream) = queue(&Queueing::Trim(trim));
        let data =
            |packets: &mut Packets| packets.insert(Packet { bytes: 1_500, ..Packet::default() });
        let first = data(&mut packets);
        assert_eq!(egress.join(first, 0, &mut packets, &mut stream), None);
        assert_eq!(egress.take(0), Some(first));
        egress.sends_until(100);
        for _ in 0..7 {
            let id = data(&mut packets);
            assert_eq!(egress.join(id, 10, &mut packets, &mut stream), None);
        }
        assert_eq!((egress.trimmed, egress.bytes()), (5, 2 * 1_500 + 5 * 60));
        // There is no room for a sixth header, of this packet or of the last.
        let id = data(&mut packets);
        assert!(egress.join(id, 20, &mut packets, &mut stream).is_some());
        assert_eq!((egress.trimmed, egress.dropped, egress.bytes()), (6, 1, 2 * 1_500 + 5 * 60));
        assert_eq!((egress.next(), egress.next(), egress.take(99)), (Some(100), None, None));
        // When it has left there is room for three.
        let id = data(&mut packets);
        assert_eq!(egress.join(id, 100, &mut packets, &mut stream), None);
        assert_eq!((egress.trimmed, egress.bytes()), (6, 3 * 1_500 + 5 * 60));
        let order: Vec<u8> =
            std::iter::from_fn(|| egress.take(100)).map(|id| packets.packet(id).message).collect();
        assert_eq!(order, [TRIMMED, TRIMMED, TRIMMED, TRIMMED, TRIMMED, DATA, DATA, DATA]);
    }

    /// Ten to one, as long as both wait.
    #[test]
    fn data_has_its_turn_behind_ten_headers() {
        let (mut egress, mut packets, mut stream) = queue(&Queueing::Trim(Trim::default()));
        for n in 0..40 {
            let (message, bytes) = if n < 2 { (DATA, 1_500) } else { (2, 60) };
            let id = packets.insert(Packet { bytes, message, ..Packet::default() });
            assert_eq!(egress.join(id, 0, &mut packets, &mut stream), None);
        }
        let order: Vec<u8> =
            std::iter::from_fn(|| egress.take(0)).map(|id| packets.packet(id).message).collect();
        let places: Vec<_> = (0..40).filter(|place| order[*place] == DATA).collect();
        assert_eq!(places, [10, 21]);
    }

    #[test]
    fn a_pause_holds_data_and_no_control() {
        let (mut egress, mut packets, mut stream) = queue(&Queueing::Pause(Pause::default()));
        let mut join = |egress: &mut Egress, message| {
            let id = packets.insert(Packet { bytes: 100, message, ..Packet::default() });
            assert_eq!(egress.join(id, 0, &mut packets, &mut stream), None);
            id
        };
        let data = join(&mut egress, DATA);
        egress.pause(true);
        let control = join(&mut egress, 2);
        assert_eq!((egress.take(0), egress.take(0), egress.next()), (Some(control), None, None));
        egress.pause(false);
        assert_eq!((egress.next(), egress.take(0)), (Some(0), Some(data)));
    }

    /// Between 5 and 200 kB up to 1 % are marked, above all; and only packets that can be.
    #[test]
    fn a_long_queue_marks() {
        let (mut egress, mut packets, mut stream) = queue(&Queueing::Pause(Pause::default()));
        let mut marked = |ecn, count| {
            let before = egress.marked;
            for _ in 0..count {
                let id = packets.insert(Packet { bytes: 1_000, ecn, ..Packet::default() });
                egress.join(id, 0, &mut packets, &mut stream);
            }
            egress.marked - before
        };
        assert_eq!(marked(ecn::CAPABLE, 6), 0);
        assert_eq!(marked(ecn::NONE, 195), 0);
        assert_eq!(marked(ecn::CAPABLE, 50), 50);
    }
}
