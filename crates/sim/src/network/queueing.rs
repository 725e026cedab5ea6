//! What the queues of switches do with packets that find them full.

use super::{Network, NodeKind};
use crate::frame::SHORTEST;

/// The queues of a network.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Queueing {
    /// First in, first out; what does not fit into [`Direction::limits`](super::Direction::limits) is dropped.
    #[default]
    DropTail,
    /// Packets that do not fit lose their data and go on as headers.
    Trim(Trim),
    /// Nothing is dropped: who sends is paused before the buffer is full.
    Pause(Pause),
}

/// Queues that trim, as NDP has them (Handley and others, SIGCOMM 2017): at each port of a switch one of data, and one of headers and
/// control packets, of which at most ten are sent for each packet of data that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trim {
    /// Packets of data of a port, with the one that is being sent: 1 or more.
    pub packets: u32,
    /// Bytes of headers and control packets of a port; what does not fit is dropped.
    pub header_bytes: u64,
}

impl Default for Trim {
    /// 12 packets; 72 kB, 1,200 headers, as much as the document of NDP has for headers.
    fn default() -> Self {
        Self { packets: 12, header_bytes: 72_000 }
    }
}

/// Priority flow control (IEEE 802.1Qbb) in one class, and random marks (RED) for DCQCN. Control packets are in a class of their own, which goes
/// first and is not paused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pause {
    /// Bytes that came through a port of a switch and wait there, above which it pauses who sends to that port.
    pub pause_above: u64,
    /// Bytes from which on it lets the sender go on.
    pub resume_below: u64,
    /// Room for what comes until a pause works; what does not fit is dropped.
    pub headroom: u64,
    /// Bytes in the queue of a port up to which no packet is marked.
    pub mark_from: u64,
    /// Bytes above which each is.
    pub mark_all: u64,
    /// The probability just below that, 0 to 1.
    pub mark_most: f64,
}

impl Default for Pause {
    /// 150 kB, a hundred packets; marks as published for DCQCN at 40 Gb/s (Zhu and others, SIGCOMM 2015).
    fn default() -> Self {
        Self {
            pause_above: 150_000,
            resume_below: 147_000,
            headroom: 20_000,
            mark_from: 5_000,
            mark_all: 200_000,
            mark_most: 0.01,
        }
    }
}

impl Pause {
    /// The probability that a packet is marked which finds so many bytes in its queue.
    pub fn mark(&self, bytes: u64) -> f64 {
        let Self { mark_from, mark_all, mark_most, .. } = *self;
        if bytes <= mark_from {
            0.0
        } else if bytes > mark_all {
            1.0
        } else {
            mark_most * (bytes - mark_from) as f64 / (mark_all - mark_from).max(1) as f64
        }
    }
}

/// Whether a network's queues can be simulated.
///
/// # Errors
/// A sentence: what was expected, what was found.
pub fn check(network: &Network) -> Result<(), String> {
    match network.queueing {
        Queueing::DropTail => return Ok(()),
        Queueing::Trim(Trim { packets, header_bytes }) => {
            if packets == 0 {
                return Err("queues that trim: expected room for 1 packet or more, found 0".into());
            }
            if header_bytes < SHORTEST.into() {
                return Err(format!(
                    "queues that trim: expected room for a header, {SHORTEST} bytes, or more, found {header_bytes}"
                ));
            }
        }
        Queueing::Pause(Pause {
            pause_above,
            resume_below,
            mark_from,
            mark_all,
            mark_most,
            ..
        }) => {
            if resume_below > pause_above {
                return Err(format!(
                    "queues that pause: expected to resume at no more bytes than pause, {pause_above}, found {resume_below}"
                ));
            }
            if mark_from > mark_all {
                return Err(format!(
                    "queues that pause: expected marks to begin at no more bytes than where each packet has one, {mark_all}, found {mark_from}"
                ));
            }
            if !(0.0..=1.0).contains(&mark_most) {
                return Err(format!(
                    "queues that pause: expected a probability of marks of 0 to 1, found {mark_most}"
                ));
            }
        }
    }
    let program = network.nodes.iter().find(|node| node.kind == NodeKind::Program);
    match program {
        None => Ok(()),
        Some(node) => Err(format!(
            "queues that trim or pause are those of plain switches, and '{}' is a program",
            node.name
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight line from 0 at 5 kB to 1 % at 200 kB, then 1.
    #[test]
    fn marks_grow_with_the_queue() {
        let pause = Pause::default();
        assert_eq!((pause.mark(0), pause.mark(5_000)), (0.0, 0.0));
        assert!((pause.mark(102_500) - 0.005).abs() < 1e-12);
        assert!((pause.mark(200_000) - 0.01).abs() < 1e-12);
        assert_eq!(pause.mark(200_001), 1.0);
    }

    #[test]
    fn mistakes_are_told() {
        let told = |queueing| check(&Network { queueing, ..Network::default() }).unwrap_err();
        let trim = Trim::default();
        let pause = Pause::default();
        for (queueing, word) in [
            (Queueing::Trim(Trim { packets: 0, ..trim }), "1 packet"),
            (Queueing::Trim(Trim { header_bytes: 59, ..trim }), "60 bytes"),
            (Queueing::Pause(Pause { resume_below: 150_001, ..pause }), "150001"),
            (Queueing::Pause(Pause { mark_from: 200_001, ..pause }), "200001"),
            (Queueing::Pause(Pause { mark_most: 1.5, ..pause }), "1.5"),
        ] {
            let found = told(queueing);
            assert!(found.contains(word), "{found}");
        }
        assert_eq!(
            check(&Network { queueing: Queueing::Trim(trim), ..Network::default() }),
            Ok(())
        );
    }
}
