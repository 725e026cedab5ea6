//! What a switch knows of its ports and their queues.

use super::meter::{Meter, Picoseconds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Queues of a port that have statistics of their own; those beyond count as the last one.
pub const QUEUES: usize = 8;

/// Ports that have a state; packets of others are not counted.
pub const MAX_PORTS: u32 = 4096;

/// Registers of applications at each link.
pub const REGISTERS: usize = 16;

/// A utilisation of 1 ([`crate::map`]: `Link:TX-Utilization`).
pub const CAPACITY: u64 = 0x8000;

/// What the configuration says of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PortConfig {
    /// `Link:ID`.
    pub link_id: u32,
    /// Bits a second.
    pub rate: u64,
    /// Whether it leads out of the domain: TPPs that come in here are dropped.
    pub outside: bool,
}

/// Packets and bytes that wait, and what went by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queue {
    /// Bytes that wait.
    pub queued_bytes: u64,
    /// Packets that wait.
    pub queued_packets: u64,
    /// What has left it.
    pub sent: Meter,
    /// What was to join it.
    pub offered: Meter,
    /// What found no room in it.
    pub dropped: Meter,
}

impl Queue {
    fn offer(&mut self, now: Picoseconds, window: Picoseconds, bytes: u32) {
        self.offered.count(now, window, bytes);
        self.queued_bytes += u64::from(bytes);
        self.queued_packets += 1;
    }

    fn leave(&mut self, bytes: u32) {
        self.queued_bytes = self.queued_bytes.saturating_sub(u64::from(bytes));
        self.queued_packets = self.queued_packets.saturating_sub(1);
    }
}

/// A port.
#[derive(Clone, Debug)]
pub struct Port {
    /// What the configuration says.
    pub config: PortConfig,
    /// Bytes of the line in a window.
    capacity: u64,
    /// All its queues together.
    pub all: Queue,
    /// Its queues.
    pub queues: [Queue; QUEUES],
    /// What came in here.
    pub received: Meter,
    /// Registers of applications.
    pub registers: [u32; REGISTERS],
}

/// All ports.
#[derive(Clone, Debug)]
pub struct Ports {
    ports: Vec<Option<Box<Port>>>,
    configured: BTreeMap<u32, PortConfig>,
    default: PortConfig,
    /// How long the windows of meters are.
    pub window: Picoseconds,
    /// Bytes that a frame takes on the line besides its own.
    pub overhead: u32,
}

fn place(queue: u32) -> usize {
    (queue as usize).min(QUEUES - 1)
}

impl Ports {
    /// Idle ports. Those that are not `configured` are as `default`, with a link of their own.
    pub fn new(
        configured: BTreeMap<u32, PortConfig>,
        default: PortConfig,
        window: Picoseconds,
        overhead: u32,
    ) -> Self {
        Self { ports: Vec::new(), configured, default, window, overhead }
    }

    /// The port; `None` if its number is [`MAX_PORTS`] or more.
    #[inline]
    pub fn get(&mut self, number: u32) -> Option<&mut Port> {
        if self.ports.get(number as usize).is_none_or(Option::is_none) {
            self.make(number);
        }
        self.ports.get_mut(number as usize)?.as_deref_mut()
    }

    #[cold]
    fn make(&mut self, number: u32) {
        if number >= MAX_PORTS {
            return;
        }
        let own = PortConfig { link_id: self.default.link_id.wrapping_add(number), ..self.default };
        let config = self.configured.get(&number).copied().unwrap_or(own);
        let in_window = u128::from(config.rate) * u128::from(self.window) / 8_000_000_000_000;
        let port = Port {
            config,
            capacity: in_window.min(u64::MAX.into()) as u64,
            all: Queue::default(),
            queues: [Queue::default(); QUEUES],
            received: Meter::default(),
            registers: [0; REGISTERS],
        };
        let place = number as usize;
        if self.ports.len() <= place {
            self.ports.resize_with(place + 1, || None);
        }
        self.ports[place] = Some(Box::new(port));
    }

    /// A packet has arrived.
    #[inline]
    pub fn received(&mut self, port: u32, now: Picoseconds, bytes: u32) {
        let window = self.window;
        if let Some(port) = self.get(port) {
            port.received.count(now, window, bytes);
        }
    }

    /// A packet joins a queue.
    pub fn joined(&mut self, port: u32, queue: u32, now: Picoseconds, bytes: u32) {
        let window = self.window;
        if let Some(port) = self.get(port) {
            port.all.offer(now, window, bytes);
            port.queues[place(queue)].offer(now, window, bytes);
        }
    }

    /// A packet found no room in a queue.
    pub fn refused(&mut self, port: u32, queue: u32, now: Picoseconds, bytes: u32) {
        let window = self.window;
        if let Some(port) = self.get(port) {
            for queue in [&mut port.all, &mut port.queues[place(queue)]] {
                queue.offered.count(now, window, bytes);
                queue.dropped.count(now, window, bytes);
            }
        }
    }

    /// A packet leaves its queue; `bytes` as when it joined.
    pub fn left(&mut self, port: u32, queue: u32, bytes: u32) {
        if let Some(port) = self.get(port) {
            port.all.leave(bytes);
            port.queues[place(queue)].leave(bytes);
        }
    }

    /// A packet passes a queue in which nothing waits: it joins and leaves at once.
    #[inline]
    pub fn passed(&mut self, port: u32, queue: u32, now: Picoseconds, bytes: u32) {
        let window = self.window;
        if let Some(port) = self.get(port) {
            port.all.offered.count(now, window, bytes);
            port.queues[place(queue)].offered.count(now, window, bytes);
        }
    }

    /// A packet of `bytes` bytes is sent.
    #[inline]
    pub fn sent(&mut self, port: u32, queue: u32, now: Picoseconds, bytes: u32) {
        let window = self.window;
        if let Some(port) = self.get(port) {
            port.all.sent.count(now, window, bytes);
            port.queues[place(queue)].sent.count(now, window, bytes);
        }
    }
}

impl Port {
    /// The share of the link's capacity that a window's packets took, [`CAPACITY`] for all of it. A frame took
    /// `overhead` bytes more than it has.
    pub fn utilisation(&self, (packets, bytes): (u64, u64), overhead: u32) -> u32 {
        let on_line = bytes + packets * u64::from(overhead);
        if on_line >= 2 * self.capacity {
            return if self.capacity == 0 { 0 } else { 0xffff };
        }
        // Below 2^62: no link has 2^46 bytes in a window.
        (on_line * CAPACITY / self.capacity) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    fn ports() -> Ports {
        let default = PortConfig { link_id: 0x100, rate: 100_000_000, outside: false };
        Ports::new(BTreeMap::new(), default, MS, 24)
    }

    /// 100 Mb/s are 12,500 bytes a millisecond: 8 packets of 1,500 and 24 bytes take 12,192 of them.
    #[test]
    fn utilisation_counts_what_is_on_the_line() {
        let mut ports = ports();
        for n in 0..8 {
            ports.joined(3, 1, n * MS / 8, 1500);
            ports.sent(3, 1, n * MS / 8, 1500);
        }
        let port = ports.get(3).expect("a port");
        assert_eq!(port.config.link_id, 0x103);
        let last = port.all.sent.last(MS, MS);
        assert_eq!(last, (8, 12_000));
        assert_eq!(port.utilisation(last, 24), 12_192 * 0x8000 / 12_500);
        assert_eq!(port.utilisation((1000, 1_500_000), 24), 0xffff, "saturates");
    }

    #[test]
    fn what_waits() {
        let mut ports = ports();
        ports.joined(0, 2, 1, 1000);
        ports.joined(0, 9, 2, 500);
        ports.refused(0, 2, 3, 700);
        ports.passed(0, 2, 3, 60);
        ports.left(0, 2, 1000);
        let port = ports.get(0).expect("a port");
        assert_eq!((port.all.queued_bytes, port.all.queued_packets), (500, 1));
        assert_eq!((port.queues[7].queued_bytes, port.queues[2].queued_bytes), (500, 0));
        assert_eq!((port.queues[2].dropped.bytes, port.queues[2].offered.bytes), (700, 1760));
        assert!(ports.get(MAX_PORTS).is_none());
    }
}
