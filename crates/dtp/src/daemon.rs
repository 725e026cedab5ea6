//! A clock in software that follows the counter of a network card.
//!
//! A read of the counter over PCIe takes a microsecond, and the instant within it at which the counter was sampled is unknown. The daemon
//! assumes the middle, and smooths. Between reads it extrapolates with the host's own clock.

use crate::counter::Counter;
use std::collections::VecDeque;

/// One read of the counter. Times are the host's, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Read {
    /// Before.
    pub before: f64,
    /// After.
    pub after: f64,
    /// What was read.
    pub counter: Counter,
}

/// What is made of reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothing {
    /// The last one is believed.
    Last,
    /// The mean of the last ten, as published.
    Mean,
    /// The mean of the three fastest of the last 32 reads: a fast read was little delayed in either direction.
    Quickest,
}

/// Reads from which the rate of the counter in the host's time is taken.
const WINDOW: usize = 128;
/// Ticks of a nanosecond.
const NOMINAL: f64 = 1.0 / 6.4;

/// See the module.
#[derive(Debug, Clone)]
pub struct Daemon {
    smoothing: Smoothing,
    reads: VecDeque<Read>,
}

impl Daemon {
    /// Before the first read.
    pub fn new(smoothing: Smoothing) -> Self {
        Self { smoothing, reads: VecDeque::new() }
    }

    /// Adds a read. One with a negative duration, or older than the last one, is ignored.
    pub fn read(&mut self, read: Read) {
        let last = self.reads.back().map_or(f64::MIN, |last| last.before);
        if read.after < read.before || read.before <= last {
            return;
        }
        if self.reads.len() == WINDOW {
            self.reads.pop_front();
        }
        self.reads.push_back(read);
    }

    /// What the counter is at a time of the host's; `None` before the first read.
    pub fn counter(&self, at: f64) -> Option<Counter> {
        let last = self.reads.back()?;
        let rate = self.rate();
        // Relative to the last read: its counter may have 106 bits.
        let now = |read: &Read| {
            let behind = read.counter.ahead_of(last.counter) as f64;
            behind + (at - (read.before + read.after) / 2.0) * rate
        };
        let mean = |reads: &mut dyn Iterator<Item = &Read>| {
            let (sum, count) = reads.fold((0.0, 0.0), |(sum, n), read| (sum + now(read), n + 1.0));
            sum / count
        };
        let ticks = match self.smoothing {
            Smoothing::Last => now(last),
            Smoothing::Mean => mean(&mut self.reads.iter().rev().take(10)),
            Smoothing::Quickest => {
                let mut recent: Vec<&Read> = self.reads.iter().rev().take(32).collect();
                recent.sort_by(|a, b| (a.after - a.before).total_cmp(&(b.after - b.before)));
                mean(&mut recent.into_iter().take(3))
            }
        };
        Some(last.counter.plus(ticks.round() as i128))
    }

    /// Ticks a nanosecond of the host: from the quickest of the older reads to the quickest of the newer ones.
    fn rate(&self) -> f64 {
        let half = self.reads.len() / 2;
        let quickest = |from: usize, to: usize| {
            let range = self.reads.range(from..to);
            range.min_by(|a, b| (a.after - a.before).total_cmp(&(b.after - b.before)))
        };
        let (Some(old), Some(new)) = (quickest(0, half), quickest(half, self.reads.len())) else {
            return NOMINAL;
        };
        let nanoseconds = (new.before + new.after - old.before - old.after) / 2.0;
        match self.reads.len() {
            0..8 => NOMINAL,
            _ => new.counter.ahead_of(old.counter) as f64 / nanoseconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A host whose clock is 37 ppm fast, reads that take 1 us, seen in the middle.
    #[test]
    fn symmetric_reads_are_exact() {
        for smoothing in [Smoothing::Last, Smoothing::Mean, Smoothing::Quickest] {
            let mut daemon = Daemon::new(smoothing);
            assert_eq!(daemon.counter(0.0), None);
            let begin = Counter::new(1 << 80);
            let host = |seconds: f64| seconds * 1e9 * (1.0 + 37e-6);
            let counter = |seconds: f64| begin.plus((seconds * 156.25e6) as i128);
            for number in 0..200 {
                let at = f64::from(number) * 1e-3;
                let (before, after) = (host(at - 0.5e-6), host(at + 0.5e-6));
                daemon.read(Read { before, after, counter: counter(at) });
            }
            let told = daemon.counter(host(0.1995)).expect("it has read");
            let error = told.ahead_of(counter(0.1995));
            assert!(error.abs() <= 1, "{smoothing:?}: {error}");
        }
    }

    #[test]
    fn impossible_reads_are_ignored() {
        let mut daemon = Daemon::new(Smoothing::Mean);
        let read = |before, after, value| Read { before, after, counter: Counter::new(value) };
        daemon.read(read(1000.0, 2000.0, 500));
        daemon.read(read(3000.0, 2500.0, 9_000_000));
        daemon.read(read(500.0, 2500.0, 9_000_000));
        assert_eq!(daemon.counter(1500.0), Some(Counter::new(500)));
    }
}
