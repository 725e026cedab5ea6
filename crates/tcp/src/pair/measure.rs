//! What is measured of a pair, at the ends of its first host.

use super::{Picoseconds, clocks};
use ww_packet::tcp::flags::{ACK, SYN};

/// Where the fields of a frame stand that has no IPv4 options.
const TYPE: usize = 12;
const TOTAL: usize = 16;
const PROTOCOL: usize = 23;
const TCP: usize = 34;

/// A TCP segment, as far as it matters here.
struct Seen {
    /// Source and destination port, in this order.
    ports: [u16; 2],
    flags: u8,
    payload: usize,
    sequence: u32,
    acknowledgement: u32,
}

fn look(frame: &[u8]) -> Option<Seen> {
    if frame.len() < TCP + 20 || frame[TYPE..TYPE + 2] != [8, 0] || frame[PROTOCOL] != 6 {
        return None;
    }
    let total = usize::from(u16::from_be_bytes([frame[TOTAL], frame[TOTAL + 1]]));
    let header = 20 + usize::from(frame[TCP + 12] >> 4) * 4;
    let word =
        |at: usize| u32::from_be_bytes([frame[at], frame[at + 1], frame[at + 2], frame[at + 3]]);
    let port = |at: usize| u16::from_be_bytes([frame[at], frame[at + 1]]);
    Some(Seen {
        ports: [port(TCP), port(TCP + 2)],
        flags: frame[TCP + 13],
        payload: total.saturating_sub(header),
        sequence: word(TCP + 4),
        acknowledgement: word(TCP + 8),
    })
}

/// What has been seen of a run.
#[derive(Debug)]
pub struct Measure {
    sender: usize,
    /// Picoseconds in which data frames are counted; `None`: all.
    pub window: Option<(Picoseconds, Picoseconds)>,
    first: Option<Picoseconds>,
    last: Picoseconds,
    /// Bytes of the data frames, and of the last one, which does not count.
    bytes: u64,
    last_bytes: u64,
    /// The first SYN, and its ports.
    syn: Option<(Picoseconds, [u16; 2])>,
    syn_ack: Option<Picoseconds>,
    /// The first segment with data, the number behind it, and its ports.
    segment: Option<(Picoseconds, u32, [u16; 2])>,
    segment_ack: Option<Picoseconds>,
    /// When the last byte was delivered.
    pub delivered_by: Picoseconds,
}

impl Measure {
    /// Of a run in which end `sender` sends.
    pub fn new(sender: usize) -> Self {
        Self {
            sender,
            window: None,
            first: None,
            last: 0,
            bytes: 0,
            last_bytes: 0,
            syn: None,
            syn_ack: None,
            segment: None,
            segment_ack: None,
            delivered_by: 0,
        }
    }

    /// A frame begins to leave `end`.
    pub fn departs(&mut self, end: usize, frame: &[u8], now: Picoseconds) {
        let Some(seen) = look(frame) else { return };
        if end == 0 && seen.flags & (SYN | ACK) == SYN {
            self.syn.get_or_insert((now, seen.ports));
        }
        if end != self.sender || seen.payload == 0 {
            return;
        }
        if self.segment.is_none() {
            let behind = seen.sequence.wrapping_add(seen.payload as u32);
            self.segment = Some((now, behind, seen.ports));
        }
        if self.window.is_none_or(|(from, to)| (from..to).contains(&now)) {
            self.first.get_or_insert(now);
            self.bytes += self.last_bytes;
            (self.last, self.last_bytes) = (now, frame.len() as u64);
        }
    }

    /// A frame's first byte has come to `end` at `began`.
    pub fn arrives(&mut self, end: usize, frame: &[u8], began: Picoseconds) {
        if self.syn_ack.is_some() && self.segment_ack.is_some() {
            return;
        }
        let Some(seen) = look(frame) else { return };
        let answers = |[ours, theirs]: [u16; 2]| seen.ports == [theirs, ours];
        if end == 0
            && seen.flags & (SYN | ACK) == SYN | ACK
            && self.syn.is_some_and(|(_, ports)| answers(ports))
        {
            self.syn_ack.get_or_insert(began);
        }
        if let Some((_, behind, ports)) = self.segment
            && end == self.sender
            && answers(ports)
            && (seen.acknowledgement.wrapping_sub(behind) as i32) >= 0
        {
            self.segment_ack.get_or_insert(began);
        }
    }

    /// Bits of data frames a second, from the start of the first to that of the last; `None`: fewer than two.
    pub(super) fn frame_gbps(&self) -> Option<f64> {
        let first = self.first.filter(|first| self.last > *first)?;
        Some(self.bytes as f64 * 8_000.0 / (self.last - first) as f64)
    }

    /// Clocks from the SYN to its answer.
    pub(super) fn setup_cycles(&self) -> Option<u64> {
        Some(clocks(self.syn_ack? - self.syn?.0))
    }

    /// Clocks from the first data segment to its acknowledgement.
    pub(super) fn segment_cycles(&self) -> Option<u64> {
        Some(clocks(self.segment_ack? - self.segment?.0))
    }

    /// Delivered bits a second, from the first SYN to the last byte.
    pub(super) fn goodput_gbps(&self, delivered: u64) -> f64 {
        let began = self.syn.map_or(0, |(began, _)| began);
        let time = self.delivered_by.saturating_sub(began);
        if time == 0 { 0.0 } else { delivered as f64 * 8_000.0 / time as f64 }
    }
}
