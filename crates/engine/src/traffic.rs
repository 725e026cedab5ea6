//! The seam between ingress and egress: output queues.

use crate::dataplane::{Picoseconds, PortId};
use std::collections::{HashMap, VecDeque};

/// A packet for a queue. The engine keeps the packet itself; the traffic manager orders names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The engine's name for the packet, not used twice at a time.
    pub packet: u64,
    /// Output port.
    pub port: PortId,
    /// Queue within the port; v1model's `priority`, 0 to 7.
    pub queue: u32,
    /// Bytes the packet has now.
    pub bytes: u32,
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
}

/// The queue had no room; the packet is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueFull;

/// Output queues with a scheduler.
pub trait TrafficManager: Send {
    /// Takes in a packet.
    fn enqueue(&mut self, now: Picoseconds, arrival: Arrival) -> Result<(), QueueFull>;

    /// The next packet that leaves at or before `now`, if there is one.
    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure>;

    /// When [`dequeue`](TrafficManager::dequeue) will have something; `None` when all is empty.
    fn next_event(&self) -> Option<Picoseconds>;
}

/// The default: unlimited queues on infinitely fast ports. Packets leave at once, in the order
/// in which they came.
#[derive(Clone, Debug, Default)]
pub struct Fifo {
    waiting: VecDeque<(Arrival, Picoseconds, u32)>,
    depths: HashMap<(PortId, u32), u32>,
}

impl TrafficManager for Fifo {
    fn enqueue(&mut self, now: Picoseconds, arrival: Arrival) -> Result<(), QueueFull> {
        let depth = self.depths.entry((arrival.port, arrival.queue)).or_insert(0);
        self.waiting.push_back((arrival, now, *depth));
        *depth += 1;
        Ok(())
    }

    fn dequeue(&mut self, now: Picoseconds) -> Option<Departure> {
        let (arrival, enqueued_at, depth_at_enqueue) = self.waiting.pop_front()?;
        let depth = self.depths.entry((arrival.port, arrival.queue)).or_insert(1);
        *depth = depth.saturating_sub(1);
        Some(Departure {
            packet: arrival.packet,
            port: arrival.port,
            enqueued_at,
            dequeued_at: now.max(enqueued_at),
            depth_at_enqueue,
            depth_at_dequeue: *depth,
        })
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.waiting.front().map(|(_, enqueued_at, _)| *enqueued_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_count_per_queue() {
        let mut fifo = Fifo::default();
        let arrival = |packet, port| Arrival { packet, port, queue: 0, bytes: 64 };
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
