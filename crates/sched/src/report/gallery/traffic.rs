//! The traffic of the gallery: three flows that want more than the link has.

use super::super::link::Arrival;
use crate::framework::{Meta, Packet};

/// Names of the flows, by their numbers.
pub const FLOWS: [&str; 3] = ["a", "b", "c"];
/// A microsecond in picoseconds.
pub const MICROSECOND: u64 = 1_000_000;
/// Duration, ps.
pub const WINDOW: u64 = 48 * MICROSECOND;
/// Bits a second.
pub const LINK: u64 = 10_000_000_000;

/// What each packet of a flow says of itself, besides its time.
struct Kind {
    bytes: u32,
    /// Packets of a job.
    job: u64,
    /// Picoseconds from its arrival.
    slack: u64,
    /// From the job's first packet on.
    deadline: u64,
    /// Between releases by a regulator.
    release: u64,
}

/// a: 1,500 bytes every 1.5 us, 8 Gb/s. b: 750 bytes every 1.2 us, 5 Gb/s. c: bursts of twelve packets at 12 us and six
/// at 32 us, 1,500 bytes every 0.6 us. In the order of their times; the handle is the number of the flow.
pub fn arrivals() -> Vec<Arrival> {
    let every = |first: u64, count: u64, gap: u64| (0..count).map(move |k| first + k * gap);
    let us = MICROSECOND;
    let a = every(0, 32, us * 3 / 2);
    let b = every(0, 40, us * 6 / 5);
    let c = every(12 * us, 12, us * 3 / 5).chain(every(32 * us, 6, us * 3 / 5));
    let kinds = [
        Kind { bytes: 1500, job: 20, slack: 30 * us, deadline: 40 * us, release: 3 * us },
        Kind { bytes: 750, job: 10, slack: 12 * us, deadline: 16 * us, release: 2 * us },
        Kind { bytes: 1500, job: 12, slack: 6 * us, deadline: 20 * us, release: us * 12 / 5 },
    ];
    let mut arrivals = packets(0, &kinds[0], a);
    arrivals.extend(packets(1, &kinds[1], b));
    arrivals.extend(packets(2, &kinds[2], c));
    arrivals.sort_by_key(|arrival| (arrival.time, arrival.flow));
    arrivals
}

fn packets(flow: usize, kind: &Kind, times: impl Iterator<Item = u64>) -> Vec<Arrival> {
    let times: Vec<u64> = times.collect();
    let mut release = 0;
    let packet = |(number, &time): (usize, &u64)| {
        let in_job = number as u64 % kind.job;
        let first = times[number - in_job as usize];
        let packets = kind.job.min((times.len() - (number - in_job as usize)) as u64);
        release = time.max(release + kind.release);
        let meta = Meta {
            size: packets * u64::from(kind.bytes),
            remaining: (packets - in_job) * u64::from(kind.bytes),
            slack: kind.slack,
            deadline: first + kind.deadline,
            release,
        };
        let packet = Packet { handle: flow as u64, bytes: kind.bytes, meta, ..Packet::default() };
        Arrival { time, flow, packet }
    };
    times.iter().enumerate().map(packet).collect()
}
