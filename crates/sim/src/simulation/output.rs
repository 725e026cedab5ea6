//! One direction of a link at run time: a queue, a line, and the path to the other end.

use super::egress::Egress;
use crate::line::{Counts, Limits, Line};
use crate::network::{Direction, Phy};
use crate::packet::{NO_PACKET, PacketId};
use crate::pending::Time;
use crate::random::Stream;
use crate::wire::Wire;
use ww_dtp::simulation::PHY_TICKS;
use ww_dtp::simulation::oscillator::Oscillator;
use ww_sched::framework::fixed::Pace;

/// Attoseconds of a picosecond.
const PICOSECOND: u64 = 1_000_000;

/// See the module.
#[derive(Debug)]
pub(super) struct Output {
    pub line: Line,
    /// What waits in front of the line, if that is not the line's own queue.
    pub egress: Option<Box<Egress>>,
    pub delay: Time,
    /// Latency of both transceivers.
    pub latency: Time,
    pub jitter: Time,
    /// Arrival time of the last packet: no later one arrives before it, even if the delay gets shorter.
    pub last_arrival: Time,
    pub loss: f64,
    pub corruption: f64,
    pub stream: Stream,
    pub up: bool,
    /// How often the link has gone down: arrivals from earlier epochs are stale.
    pub epoch: u16,
    /// Packets that are queued, being sent or in flight, in the order of arrival: the first and the last of a list
    /// ([`OnWay::next`](crate::packet::OnWay)), [`NO_PACKET`] if there is none. Only the first arrival is an event.
    pub first: PacketId,
    pub last: PacketId,
    /// The node at the other end, and its port.
    pub node: u32,
    pub port: u32,
    pub captured: bool,
}

impl Output {
    /// Of this direction, to a port of a node; `oscillator` is the sender's, and `asked` says that DTP will ask for idle blocks.
    pub fn new(
        direction: &Direction,
        pace: Pace,
        to: (u32, u32),
        up: bool,
        stream: Stream,
        (oscillator, asked): (Oscillator, bool),
        egress: Option<Box<Egress>>,
    ) -> Self {
        let Direction { delay, jitter, overhead, limits, loss, corruption, phy, .. } = *direction;
        // What comes from there leaves at once.
        let limits = if egress.is_some() { Limits { bytes: u64::MAX, mark: None } } else { limits };
        let mut line = Line::new(pace, overhead, limits);
        let mut latency = 0;
        if phy == Phy::TenGigabit {
            line.set_wire(Wire::new(oscillator, asked));
            latency = PHY_TICKS * oscillator.period / PICOSECOND;
        }
        let (node, port) = to;
        Self {
            line,
            egress,
            delay,
            latency,
            jitter,
            last_arrival: 0,
            loss,
            corruption,
            stream,
            up,
            epoch: 0,
            first: NO_PACKET,
            last: NO_PACKET,
            node,
            port,
            captured: false,
        }
    }

    /// The link goes down: queued and in-flight packets are lost. Returns the first of them.
    pub fn cut(&mut self, now: Time) -> PacketId {
        self.up = false;
        self.epoch = self.epoch.wrapping_add(1);
        self.line.cut(now);
        self.last_arrival = now;
        self.last = NO_PACKET;
        std::mem::replace(&mut self.first, NO_PACKET)
    }

    /// Counters, and the queue length in bytes.
    pub fn state(&mut self, now: Time) -> (Counts, u64) {
        let mut queued = self.line.depth(now);
        let mut counts = self.line.counts();
        if let Some(egress) = &self.egress {
            queued += egress.bytes();
            // What the line has sent and what waits, as for a line with its own queue.
            counts.bytes += egress.bytes();
            counts.dropped += egress.dropped;
            counts.marked += egress.marked;
        }
        (counts, queued)
    }
}
