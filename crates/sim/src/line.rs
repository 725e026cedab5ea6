//! An output: a FIFO queue in front of a line of some rate.
//!
//! When a packet is enqueued, its departure time is known, so a hop costs one event: its arrival at the other end.
//! Earlier packets are kept only to know how many bytes are queued.

use crate::pending::Time;
use crate::wire::Wire;
use std::collections::VecDeque;
use ww_sched::framework::fixed::Pace;

/// Capacity and ECN marking threshold of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Capacity in bytes, including the packet that is being sent. A packet that does not fit is dropped.
    pub bytes: u64,
    /// Packets that find this many bytes queued, or more, are marked (ECN).
    pub mark: Option<u64>,
}

/// The fate of an offered packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It leaves.
    Leaves {
        /// When its first bit leaves (of the preamble, where there is one).
        begins: Time,
        /// When its last bit leaves.
        at: Time,
        /// It found a queue above the marking threshold.
        marked: bool,
    },
    /// It did not fit into the queue.
    Dropped,
}

/// Counters since the start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Packets that were sent or are queued.
    pub packets: u64,
    /// Their bytes, including the per-frame overhead on the line.
    pub bytes: u64,
    /// Packets that were dropped.
    pub dropped: u64,
    /// Packets that were marked.
    pub marked: u64,
    /// Largest queue length, bytes.
    pub deepest: u64,
}

/// Packets that an output keeps before it looks which of them have left.
const TOGETHER: usize = 16;

/// An output. See the module.
#[derive(Clone, Debug)]
pub struct Line {
    pace: Pace,
    overhead: u32,
    limits: Limits,
    /// Its characters, if it has a physical layer.
    wire: Option<Box<Wire>>,
    /// When the last packet will have left, and its fraction of a picosecond, in 2^-16.
    free_at: Time,
    fraction: u64,
    /// Packets that have not left: when they will, and their bytes. Some of the first may have left: see
    /// [`offer`](Self::offer).
    waiting: VecDeque<(Time, u32)>,
    waiting_bytes: u64,
    counts: Counts,
}

impl Line {
    /// A line of this pace with `overhead` bytes per frame.
    pub fn new(pace: Pace, overhead: u32, limits: Limits) -> Self {
        let (waiting, counts) = (VecDeque::new(), Counts::default());
        Self {
            pace,
            overhead,
            limits,
            wire: None,
            free_at: 0,
            fraction: 0,
            waiting,
            waiting_bytes: 0,
            counts,
        }
    }

    /// From now on frames are placed on this wire's characters, and the pace is ignored.
    pub fn set_wire(&mut self, wire: Wire) {
        self.wire = Some(Box::new(wire));
    }

    /// Its characters, if it has a physical layer.
    pub fn wire_mut(&mut self) -> Option<&mut Wire> {
        self.wire.as_deref_mut()
    }

    /// Queue length in bytes at this time, including the packet that is being sent.
    #[inline]
    pub fn depth(&mut self, now: Time) -> u64 {
        while let Some((leaves, bytes)) = self.waiting.front().copied()
            && leaves <= now
        {
            self.waiting.pop_front();
            self.waiting_bytes -= u64::from(bytes);
        }
        if self.waiting.is_empty() {
            // It begins at its front again, so that it touches little memory however long it once was.
            self.waiting.clear();
        }
        self.waiting_bytes
    }

    /// When the queue will be shorter than `bytes` if nothing more is enqueued. It is not now.
    pub fn when_below(&mut self, now: Time, bytes: u64) -> Time {
        let mut left = self.depth(now);
        for (leaves, length) in &self.waiting {
            left -= u64::from(*length);
            if left < bytes {
                return *leaves;
            }
        }
        now
    }

    /// Offers a packet. Times of calls must not decrease.
    #[inline]
    pub fn offer(&mut self, now: Time, bytes: u32) -> Fate {
        // Packets that have left are removed several at a time, which is faster, unless it makes a difference.
        let most = self.waiting_bytes + u64::from(bytes);
        let Limits { bytes: capacity, mark } = self.limits;
        let least = capacity.min(self.counts.deepest).min(mark.unwrap_or(u64::MAX));
        let depth = match most >= least || self.waiting.len() >= TOGETHER {
            true => self.depth(now),
            false => self.waiting_bytes,
        };
        if depth + u64::from(bytes) > capacity {
            self.counts.dropped += 1;
            return Fate::Dropped;
        }
        let marked = mark.is_some_and(|mark| depth >= mark);
        let on_line = u64::from(bytes) + u64::from(self.overhead);
        let begins;
        if let Some(wire) = &mut self.wire {
            (begins, self.free_at) = wire.send(now, bytes);
        } else {
            if self.free_at < now {
                (self.free_at, self.fraction) = (now, 0);
            }
            begins = self.free_at;
            let takes = u128::from(on_line) * u128::from(self.pace.multiplier())
                + u128::from(self.fraction);
            self.free_at = self.free_at.saturating_add((takes >> 16) as u64);
            self.fraction = (takes & 0xffff) as u64;
        }
        self.waiting.push_back((self.free_at, bytes));
        self.waiting_bytes += u64::from(bytes);
        self.counts.packets += 1;
        self.counts.bytes += on_line;
        self.counts.marked += u64::from(marked);
        self.counts.deepest = self.counts.deepest.max(self.waiting_bytes);
        Fate::Leaves { begins, at: self.free_at, marked }
    }

    /// How long so many bytes take, without overhead.
    pub fn time_of(&self, bytes: u64) -> Time {
        ((u128::from(bytes) * u128::from(self.pace.multiplier())) >> 16) as Time
    }

    /// Sets the pace of packets that are offered from now on.
    pub fn set_pace(&mut self, pace: Pace) {
        self.pace = pace;
    }

    /// The link goes down: the queue and the packet that is being sent are lost. Returns their number.
    pub fn cut(&mut self, now: Time) -> usize {
        self.depth(now);
        let lost = self.waiting.len();
        self.waiting.clear();
        self.waiting_bytes = 0;
        (self.free_at, self.fraction) = (now, 0);
        if let Some(wire) = &mut self.wire {
            wire.cut(now);
        }
        lost
    }

    /// Counters since the start.
    pub fn counts(&self) -> Counts {
        self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(rate: u64, bytes: u64, mark: Option<u64>) -> Line {
        Line::new(Pace::of_rate(rate).expect("in range"), 24, Limits { bytes, mark })
    }

    /// 10 Gb/s are 800 ps a byte: 1,500 bytes and 24 of overhead take 1,219.2 ns.
    #[test]
    fn packets_leave_one_after_the_other() {
        let mut line = line(10_000_000_000, 4500, Some(3000));
        let packet = 1524 * 800;
        let leaves = |at, marked| Fate::Leaves { begins: at - packet, at, marked };
        assert_eq!(line.offer(1000, 1500), leaves(1000 + packet, false));
        assert_eq!(line.offer(1000, 1500), leaves(1000 + 2 * packet, false));
        assert_eq!(line.offer(1000, 1500), leaves(1000 + 3 * packet, true));
        assert_eq!(line.offer(1000 + packet - 1, 64), Fate::Dropped);
        assert_eq!(line.depth(1000 + packet), 3000);
        assert_eq!(line.when_below(1000 + packet, 3000), 1000 + 2 * packet);
        assert_eq!(line.when_below(1000 + packet, 1500), 1000 + 3 * packet);
        assert_eq!(line.offer(1000 + packet, 1500), leaves(1000 + 4 * packet, true));
        assert_eq!(line.depth(1000 + 4 * packet), 0);
        let alone = Fate::Leaves { begins: 9_000_000, at: 9_000_000 + 88 * 800, marked: false };
        assert_eq!(line.offer(9_000_000, 64), alone);
        let counts = line.counts();
        assert_eq!(
            (counts.packets, counts.dropped, counts.marked, counts.deepest),
            (5, 1, 2, 4500)
        );
        assert_eq!(counts.bytes, 4 * 1524 + 88);
    }

    /// 3 Gb/s are 2,666.67 ps a byte: thirds of a picosecond are not lost in a busy period.
    #[test]
    fn fractions_of_a_picosecond_accumulate() {
        let mut line = line(3_000_000_000, u64::MAX, None);
        let mut last = 0;
        for _ in 0..3000 {
            let Fate::Leaves { at, .. } = line.offer(0, 101) else { panic!("dropped") };
            last = at;
        }
        // The pace is exact to half of 2^-16 ps a byte.
        let exact = 3000.0 * 125.0 * 8000.0 / 3.0;
        assert!((last as f64 - exact).abs() <= 3000.0 * 125.0 / 131_072.0 + 1.0, "{last} {exact}");
    }

    #[test]
    fn link_down_drops_the_queue() {
        let mut line = line(1_000_000_000, 10_000, None);
        for _ in 0..3 {
            line.offer(0, 1500);
        }
        assert_eq!(line.cut(1524 * 8000), 2);
        assert_eq!(
            line.offer(1524 * 8000, 100),
            Fate::Leaves { begins: 1524 * 8000, at: (1524 + 124) * 8000, marked: false }
        );
    }
}
