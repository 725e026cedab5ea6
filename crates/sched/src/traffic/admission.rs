//! Whether a packet may join its queue: limits, the shared buffer, early detection.

use super::MAX_PACKETS;
use super::red::{Average, Red};
use ww_dataplane::queues::Refused;
use ww_packet::ecn::Codepoint;

/// Limits of each queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Packets that wait at most.
    pub packets: Option<u64>,
    /// Bytes that wait at most.
    pub bytes: Option<u64>,
    /// When a queue says that it is congested.
    pub detection: Option<Detection>,
}

/// How a queue detects congestion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// The queue, with the packet that arrives, is longer than this many bytes (DCTCP, RFC 8257): packets
    /// whose transport understands ECN are marked, others pass.
    Step(u64),
    /// Random early detection: packets whose transport understands ECN are marked, others dropped; from
    /// twice the maximum on, all are dropped. Without `ecn` packets are dropped, not marked.
    Red {
        /// The thresholds.
        red: Red,
        /// Mark where the transport understands it.
        ecn: bool,
    },
}

/// Memory that all queues share, with dynamic thresholds: a queue may be as long as `alpha` times what is
/// free (Choudhury and Hahne, "Dynamic Queue Length Thresholds for Shared-Memory Packet Switches", 1998).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its size.
    pub bytes: u64,
    /// `alpha` in 1/256; `None` for no threshold.
    pub alpha: Option<u64>,
}

/// A queue as it is when a packet arrives.
#[derive(Clone, Copy, Debug)]
pub struct Occupancy {
    /// Packets in the queue.
    pub packets: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes in all queues that share the buffer.
    pub shared: u64,
    /// Packets in all of them.
    pub all: u64,
    /// How many typical packets the port could have sent while the queue was empty.
    pub missed: u64,
}

/// Whether a packet of `bytes` may join, and then whether it is marked. `draw` is a random number.
pub fn admit(
    limits: &Limits,
    buffer: &Buffer,
    occupancy: Occupancy,
    (bytes, ecn): (u64, Option<Codepoint>),
    average: &mut Average,
    draw: u32,
) -> Result<bool, Refused> {
    let Occupancy { packets, bytes: queued, shared, all, missed } = occupancy;
    let understands = matches!(ecn, Some(Codepoint::Ect0 | Codepoint::Ect1 | Codepoint::Ce));
    // The average is of all that arrive, whatever becomes of them.
    let early = match limits.detection {
        None => None,
        Some(Detection::Step(threshold)) => {
            (queued + bytes > threshold && understands).then_some(true)
        }
        Some(Detection::Red { red, ecn }) => {
            let meets = average.arrive(&red, queued, missed, draw);
            let marks = ecn && understands && average.bytes() < 2 * red.maximum;
            meets.then_some(marks)
        }
    };
    if limits.packets.is_some_and(|most| packets >= most)
        || limits.bytes.is_some_and(|most| queued + bytes > most)
    {
        return Err(Refused::QueueLimit);
    }
    let free = buffer.bytes.saturating_sub(shared);
    let at_threshold = buffer
        .alpha
        .is_some_and(|alpha| u128::from(queued) << 8 >= u128::from(alpha) * u128::from(free));
    if bytes > free || at_threshold || all >= MAX_PACKETS {
        return Err(Refused::Buffer);
    }
    match early {
        Some(false) => Err(Refused::Early),
        early => Ok(early.is_some()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AMPLE: Buffer = Buffer { bytes: 1 << 30, alpha: None };

    fn ask(
        limits: Limits,
        buffer: Buffer,
        queue: [u64; 3],
        ecn: Codepoint,
    ) -> Result<bool, Refused> {
        let [packets, bytes, shared] = queue;
        let occupancy = Occupancy { packets, bytes, shared, all: packets, missed: 0 };
        admit(&limits, &buffer, occupancy, (100, Some(ecn)), &mut Average::default(), 0)
    }

    #[test]
    fn limits_and_the_step() {
        let limits =
            Limits { packets: Some(3), bytes: Some(1000), detection: Some(Detection::Step(600)) };
        let not = Codepoint::NotEct;
        assert_eq!(ask(limits, AMPLE, [2, 900, 0], not), Ok(false));
        assert_eq!(ask(limits, AMPLE, [2, 901, 0], not), Err(Refused::QueueLimit));
        assert_eq!(ask(limits, AMPLE, [3, 0, 0], not), Err(Refused::QueueLimit));
        assert_eq!(ask(limits, AMPLE, [2, 500, 0], Codepoint::Ect0), Ok(false));
        assert_eq!(ask(limits, AMPLE, [2, 501, 0], Codepoint::Ect0), Ok(true));
        assert_eq!(ask(limits, AMPLE, [2, 501, 0], not), Ok(false));
    }

    #[test]
    fn a_buffer_with_thresholds() {
        let ask = |alpha, queued, shared| {
            let buffer = Buffer { bytes: 10_000, alpha };
            super::tests::ask(Limits::default(), buffer, [1, queued, shared], Codepoint::NotEct)
        };
        assert_eq!(ask(None, 9900, 9900), Ok(false));
        assert_eq!(ask(None, 0, 9901), Err(Refused::Buffer));
        // With alpha 1 a single queue gets half of the buffer, two queues a third each.
        assert_eq!(ask(Some(256), 4999, 4999), Ok(false));
        assert_eq!(ask(Some(256), 5000, 5000), Err(Refused::Buffer));
        assert_eq!(ask(Some(256), 3333, 6666), Ok(false));
        assert_eq!(ask(Some(256), 3334, 6667), Err(Refused::Buffer));
        // With alpha 1/2 a third.
        assert_eq!(ask(Some(128), 3333, 3333), Ok(false));
        assert_eq!(ask(Some(128), 3334, 3334), Err(Refused::Buffer));
    }

    #[test]
    fn early_detection_marks_or_drops() {
        let red = Red { minimum: 1000, maximum: 2000, probability: 1 << 32, weight: 0 };
        let limits =
            |ecn| Limits { detection: Some(Detection::Red { red, ecn }), ..Limits::default() };
        let at = |bytes, ecn, point| ask(limits(ecn), AMPLE, [1, bytes, 0], point);
        assert_eq!(at(900, true, Codepoint::Ect0), Ok(false));
        assert_eq!(at(2500, true, Codepoint::Ect0), Ok(true));
        assert_eq!(at(2500, true, Codepoint::NotEct), Err(Refused::Early));
        assert_eq!(at(2500, false, Codepoint::Ect0), Err(Refused::Early));
        assert_eq!(at(4000, true, Codepoint::Ect0), Err(Refused::Early));
    }
}
