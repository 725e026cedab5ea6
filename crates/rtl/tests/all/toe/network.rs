//! What is between a session and its peer: segments that are late, lost, overtaken, doubled and marked.

use super::twin::pattern;
use std::collections::BTreeMap;
use ww_rtl::toe::equal::Quality;
use ww_rtl::toe::equal::hostile::{View, segment};
use ww_tcp::options::Options;
use ww_tcp::random::Random;
use ww_tcp::sequence::Sequence;
use ww_tcp::session::{Departure, Reset, Segment};
use ww_tcp::settings::Nanoseconds;

/// A segment with its bytes.
#[derive(Clone, Debug)]
pub struct Packet {
    pub sequence: Sequence,
    pub acknowledgement: Sequence,
    pub flags: u8,
    pub window: u16,
    pub options: Options,
    pub payload: Vec<u8>,
    pub marked: bool,
}

impl Packet {
    pub fn of(departure: &Departure, payload: Vec<u8>) -> Self {
        Self {
            sequence: departure.sequence,
            acknowledgement: departure.acknowledgement,
            flags: departure.flags,
            window: departure.window,
            options: departure.options,
            payload,
            marked: false,
        }
    }

    pub fn reset(reset: &Reset) -> Self {
        use ww_packet::tcp::flags::{ACK, RST};
        Self {
            sequence: reset.sequence,
            acknowledgement: reset.acknowledgement.unwrap_or_default(),
            flags: RST | if reset.acknowledgement.is_some() { ACK } else { 0 },
            window: 0,
            options: Options::default(),
            payload: Vec::new(),
            marked: false,
        }
    }

    pub fn segment(&self) -> Segment<'_> {
        Segment {
            sequence: self.sequence,
            acknowledgement: self.acknowledgement,
            flags: self.flags,
            window: self.window,
            options: self.options,
            payload: &self.payload,
            marked: self.marked,
        }
    }
}

/// One direction.
pub struct Way {
    quality: Quality,
    /// Nothing gets through any more.
    pub is_cut: bool,
    packets: BTreeMap<(Nanoseconds, u64), Packet>,
    count: u64,
}

impl Way {
    pub fn new(quality: Quality) -> Self {
        Self { quality, is_cut: false, packets: BTreeMap::new(), count: 0 }
    }

    pub fn send(&mut self, mut packet: Packet, now: Nanoseconds, random: &mut Random) {
        let Quality { delay, loss, reorder, duplicate, mark } = self.quality;
        if random.once_in(loss) || self.is_cut {
            return;
        }
        packet.marked = random.once_in(mark);
        let late = if random.once_in(reorder) { random.below(3 * delay) } else { 0 };
        if random.once_in(duplicate) {
            self.put(packet.clone(), now + delay + random.below(2 * delay));
        }
        self.put(packet, now + delay + late);
    }

    fn put(&mut self, packet: Packet, at: Nanoseconds) {
        self.count += 1;
        self.packets.insert((at, self.count), packet);
    }

    pub fn next(&self) -> Option<Nanoseconds> {
        self.packets.keys().next().map(|&(at, _)| at)
    }

    pub fn take(&mut self, now: Nanoseconds) -> Option<Packet> {
        self.next().filter(|&at| at <= now)?;
        self.packets.pop_first().map(|(_, packet)| packet)
    }
}

/// A segment that no honest peer sends.
pub fn hostile(random: &mut Random, view: View) -> Packet {
    let (header, length) = segment(random, view);
    let sequence = header.sequence;
    Packet {
        sequence,
        acknowledgement: header.acknowledgement,
        flags: header.flags,
        window: header.window,
        options: header.options,
        payload: (0..length as u32)
            .map(|offset| pattern(sequence.0.wrapping_add(offset)))
            .collect(),
        marked: header.ecn == 3,
    }
}
