//! The counters of a running world, which others may read at any time.

use super::report::{Output, PortReport, Traffic};
use crate::fingerprint::Fingerprint;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use ww_dataplane::{Frame, Picoseconds, PortId};

/// A number that one thread counts and any thread reads.
#[derive(Debug, Default)]
pub struct Cell(AtomicU64);

impl Cell {
    /// Counts `more`. Only the cell's own thread may call this: an addition that
    /// other processors need not agree on costs no more than an ordinary one.
    pub(crate) fn add(&self, more: u64) {
        self.0.store(self.0.load(Relaxed).wrapping_add(more), Relaxed);
    }

    fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }

    /// The count so far.
    pub fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

/// What one worker counts at one port. On cache lines of its own.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct PortCounters {
    pub rx_packets: Cell,
    pub rx_bytes: Cell,
    pub tx_packets: Cell,
    pub tx_bytes: Cell,
    pub rx_segmented: Cell,
    pub rx_drops: Cell,
    pub rx_errors: Cell,
    pub rx_truncated: Cell,
    pub tx_drops: Cell,
    pub tx_errors: Cell,
    pub reopened: Cell,
    /// Whether what leaves is fingerprinted (memory ports).
    fingerprinted: AtomicBool,
    tx_hash: Cell,
    tx_sum: Cell,
}

impl PortCounters {
    /// Counts frames that came in.
    pub fn received(&self, frames: &[Frame<'_>]) {
        self.rx_packets.add(frames.len() as u64);
        self.rx_bytes.add(frames.iter().map(|frame| frame.bytes.len() as u64).sum());
    }

    /// Counts frames that left.
    pub fn sent(&self, packets: u64, bytes: u64) {
        self.tx_packets.add(packets);
        self.tx_bytes.add(bytes);
    }

    /// Makes known what has left so far.
    pub fn show(&self, fingerprint: &Fingerprint) {
        self.fingerprinted.store(true, Relaxed);
        self.tx_hash.set(fingerprint.hash());
        self.tx_sum.set(fingerprint.sum());
    }

    /// Adds these counters to a report; workers come in their order.
    pub fn add_to(&self, report: &mut PortReport) {
        report.rx.add(&Traffic { packets: self.rx_packets.get(), bytes: self.rx_bytes.get() });
        report.tx.add(&Traffic { packets: self.tx_packets.get(), bytes: self.tx_bytes.get() });
        report.rx_segmented += self.rx_segmented.get();
        report.rx_drops += self.rx_drops.get();
        report.rx_errors += self.rx_errors.get();
        report.rx_truncated += self.rx_truncated.get();
        report.tx_drops += self.tx_drops.get();
        report.tx_errors += self.tx_errors.get();
        report.reopened += self.reopened.get();
        if self.fingerprinted.load(Relaxed) {
            let next = Output { hash: self.tx_hash.get(), sum: self.tx_sum.get() };
            report.output = Some(match report.output {
                None => next,
                Some(before) => before.then(next),
            });
        }
    }
}

/// How long after their time frames left: how many, by the number of bits of the picoseconds.
#[derive(Debug)]
pub(crate) struct Lateness([Cell; 65]);

impl Default for Lateness {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Cell::default()))
    }
}

impl Lateness {
    /// Counts a frame that left so late.
    pub fn count(&self, late: Picoseconds) {
        self.0[(Picoseconds::BITS - late.leading_zeros()) as usize].add(1);
    }
}

/// What one worker did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct WorkerReport {
    /// The core it was pinned to, if it was.
    pub core: Option<usize>,
    /// Frames given to its dataplane.
    pub rx: Traffic,
}

/// All counters of a world.
#[derive(Debug)]
pub(crate) struct Counters {
    /// By position of the port: number, specification and one set a worker.
    ports: Vec<(PortId, String, Vec<Arc<PortCounters>>)>,
    /// By worker: frames sent to ports that are not attached.
    pub unattached: Vec<Arc<PortCounters>>,
    /// By worker.
    pub lateness: Vec<Arc<Lateness>>,
}

impl Counters {
    pub fn new(ports: impl Iterator<Item = (PortId, String)>, workers: usize) -> Self {
        let set = || (0..workers).map(|_| Arc::default()).collect::<Vec<_>>();
        let lateness = (0..workers).map(|_| Arc::default()).collect();
        let ports = ports.map(|(n, spec)| (n, spec, set())).collect();
        Self { ports, unattached: set(), lateness }
    }

    /// The counters of the port at `position` that `worker` writes.
    pub fn of(&self, position: usize, worker: usize) -> Arc<PortCounters> {
        Arc::clone(&self.ports[position].2[worker])
    }

    /// The ports' sums, by number.
    pub fn ports(&self) -> Vec<PortReport> {
        let mut reports: Vec<_> = self
            .ports
            .iter()
            .map(|(port, spec, workers)| {
                let mut report =
                    PortReport { port: *port, spec: spec.clone(), ..PortReport::default() };
                workers.iter().for_each(|counters| counters.add_to(&mut report));
                report
            })
            .collect();
        reports.sort_by_key(|report| report.port);
        reports
    }

    /// Frames sent to ports that are not attached.
    pub fn unattached(&self) -> Traffic {
        let mut sum = Traffic::default();
        for cell in &self.unattached {
            sum.add(&Traffic { packets: cell.tx_packets.get(), bytes: cell.tx_bytes.get() });
        }
        sum
    }

    /// Frames by how long after their time they left: at most so many picoseconds, and how many.
    pub fn lateness(&self) -> Vec<(Picoseconds, u64)> {
        let sum = |bits: u32| self.lateness.iter().map(|cells| cells.0[bits as usize].get()).sum();
        let limit = |bits: u32| Picoseconds::MAX.checked_shr(64 - bits).unwrap_or(0);
        (0..=64).map(|bits| (limit(bits), sum(bits))).collect()
    }

    /// Frames that `worker` gave to its dataplane.
    pub fn received_by(&self, worker: usize) -> Traffic {
        let mut sum = Traffic::default();
        for (_, _, workers) in &self.ports {
            let cell = &workers[worker];
            sum.add(&Traffic { packets: cell.rx_packets.get(), bytes: cell.rx_bytes.get() });
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn workers_add_up() {
        let counters = Counters::new([(7, "a".to_owned()), (3, "b".to_owned())].into_iter(), 2);
        let mut bytes = [0; 60];
        counters.of(0, 0).received(&[Frame { port: 7, bytes: &mut bytes }]);
        counters.of(0, 1).received(&[Frame { port: 7, bytes: &mut bytes[..50] }]);
        counters.of(1, 1).sent(2, 99);
        counters.unattached[1].sent(1, 60);
        let ports = counters.ports();
        assert_eq!((ports[0].port, ports[1].port), (3, 7));
        assert_eq!(ports[0].tx, Traffic { packets: 2, bytes: 99 });
        assert_eq!(ports[1].rx, Traffic { packets: 2, bytes: 110 });
        assert_eq!(ports[1].output, None);
        assert_eq!(counters.received_by(1), Traffic { packets: 1, bytes: 50 });
        assert_eq!(counters.unattached(), Traffic { packets: 1, bytes: 60 });
    }

    #[test]
    fn lateness_by_powers_of_two() {
        let counters = Counters::new([].into_iter(), 2);
        for (worker, late) in [(0, 0), (1, 1), (0, 1023), (1, 1023), (0, 1024), (0, u64::MAX)] {
            counters.lateness[worker].count(late);
        }
        let told = counters.lateness().into_iter().filter(|(_, count)| *count > 0);
        assert_eq!(told.collect::<Vec<_>>(), [(0, 1), (1, 1), (1023, 2), (2047, 1), (u64::MAX, 1)]);
    }
}
