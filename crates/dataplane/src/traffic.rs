//! The seam between ingress and egress: output queues.

use crate::control::{Answer, Error, Request};
use crate::{Picoseconds, PortId};
use std::collections::{HashMap, VecDeque};

/// A packet for a queue. The engine keeps the packet itself; the traffic manager orders names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival<'p> {
    /// The engine's name for the packet, not used twice at a time.
    pub packet: u64,
    /// Output port.
    pub port: PortId,
    /// Queue within the port; v1model's `priority`, 0 to 7.
    pub queue: u32,
    /// The packet as it came in: the headers that the program has changed are written when it leaves.
    pub frame: &'p [u8],
    /// Bytes that it is longer than `frame` on the wire: a TPP that the program does not see.
    pub extra: u32,
}

/// A packet that leaves its queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// What the engine called it.
    pub packet: u64,
    /// Output port.
    pub port: PortId,
    /// When it joined its queue.
    pub enqueued_at: Picoseconds,
    /// When it left its queue.
    pub dequeued_at: Picoseconds,
    /// Packets that were in the queue before it joined.
    pub depth_at_enqueue: u32,
    /// Packets left behind in the queue.
    pub depth_at_dequeue: u32,
    /// It met congestion: it leaves with the ECN codepoint CE, if its transport understands that
    /// ([`ww_packet::ecn::mark`]).
    pub congestion: bool,
}

/// The queue had no room; the packet is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull;

/// Output queues with a scheduler.
pub trait TrafficManager: Send {
    /// Takes in a packet.
    fn enqueue(&mut self, now: Picoseconds, arrival: Arrival<'_>) -> Result<(), QueueFull>;

    /// The next packet that leaves at or before `now`, if there is one.
    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure>;

    /// What became of the packet that was dequeued last: it leaves its port with so many bytes, or
    /// with none, if egress has dropped or recirculated it. Called before the next
    /// [`dequeue`](TrafficManager::dequeue).
    fn sent(&mut self, _departure: &Departure, _bytes: u32) {}

    /// When [`dequeue`](TrafficManager::dequeue) will have something; `None` when all is empty.
    fn next_event(&self) -> Option<Picoseconds>;

    /// Carries out a request that its engine passes on, such as
    /// [`QueueStatistics`](Request::QueueStatistics).
    ///
    /// # Errors
    /// [`Error::Refused`] if it does not handle such requests, as the default queues.
    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        Err(request.refused_by("queues without a scheduler"))
    }
}

/// A packet in the default queues.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    packet: u64,
    port: PortId,
    queue: u32,
    since: Picoseconds,
    depth: u32,
}

/// The default: unlimited queues on infinitely fast ports. Packets leave at once, in the order
/// in which they came.
#[derive(Clone, Debug, Default)]
pub struct Fifo {
    waiting: VecDeque<Waiting>,
    depths: HashMap<(PortId, u32), u32>,
}

impl TrafficManager for Fifo {
    fn enqueue(&mut self, now: Picoseconds, arrival: Arrival<'_>) -> Result<(), QueueFull> {
        let Arrival { packet, port, queue, .. } = arrival;
        let depth = self.depths.entry((port, queue)).or_insert(0);
        self.waiting.push_back(Waiting { packet, port, queue, since: now, depth: *depth });
        *depth += 1;
        Ok(())
    }

    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure> {
        let Waiting { packet, port, queue, since, depth } = self.waiting.pop_front()?;
        let left = self.depths.entry((port, queue)).or_insert(1);
        *left = left.saturating_sub(1);
        Some(Departure {
            packet,
            port,
            enqueued_at: since,
            dequeued_at: now.max(since),
            depth_at_enqueue: depth,
            depth_at_dequeue: *left,
            congestion: false,
        })
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.waiting.front().map(|waiting| waiting.since)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_count_per_queue() {
        let mut fifo = Fifo::default();
        let arrival = |packet, port| Arrival { packet, port, queue: 0, frame: &[0; 64], extra: 0 };
        for (packet, port) in [(1, 7), (2, 7), (3, 8)] {
            fifo.enqueue(5, arrival(packet, port)).expect("room");
        }
        let out: Vec<_> = std::iter::from_fn(|| fifo.dequeue(9)).collect();
        let brief: Vec<_> =
            out.iter().map(|d| (d.packet, d.depth_at_enqueue, d.depth_at_dequeue)).collect();
        assert_eq!(brief, [(1, 0, 1), (2, 1, 0), (3, 0, 0)]);
        assert_eq!((out[0].enqueued_at, out[0].dequeued_at), (5, 9));
        assert_eq!(fifo.next_event(), None);
    }
}
