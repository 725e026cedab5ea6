//! A host that reads the counter of its network card.

use super::crossing::{Crossings, Random};
use super::oscillator::{Attoseconds, NANOSECOND, Oscillator};
use super::{Cable, Simulation};
use crate::daemon::{Daemon, Read, Smoothing};
use crate::port::Config;

/// How a host sees time, and how long its reads take. Means are of exponential distributions.
#[derive(Debug, Clone)]
pub struct Host {
    /// Parts per million by which its clock is fast.
    pub ppm: f64,
    /// Shortest one-way latency of a read over PCIe, ns.
    pub latency: u64,
    /// Nanoseconds more, in the mean.
    pub jitter: f64,
    /// One transfer in this many has to wait.
    pub late_one_in: u64,
    /// Nanoseconds that it waits, in the mean.
    pub late: f64,
    /// What is drawn.
    pub random: Random,
}

impl Host {
    /// Reads over PCIe: 350 ns each way plus 25 ns on average; one transfer in a hundred waits for 1 us on average. The paper gives no figures;
    /// these are ours.
    pub fn new(seed: u64) -> Self {
        let random = Random::new(seed);
        Self { ppm: 40.0, latency: 350, jitter: 25.0, late_one_in: 100, late: 1000.0, random }
    }

    /// What its clock shows at a true time, ns.
    pub fn clock(&self, time: Attoseconds) -> f64 {
        time as f64 / NANOSECOND as f64 * (1.0 + self.ppm * 1e-6)
    }

    /// Reads a device's counter, while time passes.
    pub fn read<C: Crossings>(&mut self, simulation: &mut Simulation<C>, device: usize) -> Read {
        let begin = simulation.now();
        let seen = begin + self.one_way();
        simulation.run_until(seen, &mut ());
        let counter = simulation.counter(device);
        let end = seen + self.one_way();
        simulation.run_until(end, &mut ());
        Read { before: self.clock(begin), after: self.clock(end), counter }
    }

    fn one_way(&mut self) -> Attoseconds {
        let mut exponential = |mean: f64| {
            let uniform = (self.random.bits() >> 11) as f64 / (1u64 << 53) as f64;
            (-mean * (1.0 - uniform).ln() * NANOSECOND as f64) as u64
        };
        let (usual, late) = (exponential(self.jitter), exponential(self.late));
        let waits = self.random.below(self.late_one_in.max(1)) == 0;
        self.latency * NANOSECOND + usual + if waits { late } else { 0 }
    }
}

/// Nanoseconds from read to read: 100 us.
const INTERVAL: Attoseconds = 100_000 * NANOSECOND;
/// Reads after which errors count.
const SETTLED: u64 = 200;

/// Ticks by which a daemon is off, either way, in the middle between two reads: of one of two neighbours that are 200 ppm apart and kept
/// together. The first reads are not counted.
pub fn daemon_errors(smoothing: Smoothing, reads: u64, seed: u64) -> Vec<u64> {
    let oscillators = vec![Oscillator::new(100.0, 0), Oscillator::new(-100.0, 3 * NANOSECOND)];
    let cable = Cable::new([(0, 0), (1, 0)], 10);
    let crossings = Random::new(seed);
    let mut simulation = Simulation::new(Config::new(200), oscillators, &[cable], crossings);
    simulation.all_up();
    simulation.run(20_000);
    let (mut host, mut daemon) = (Host::new(seed + 1), Daemon::new(smoothing));
    let mut errors = Vec::new();
    for number in 0..reads {
        let begin = simulation.now();
        daemon.read(host.read(&mut simulation, 1));
        simulation.run_until(begin + INTERVAL / 2, &mut ());
        let told = daemon.counter(host.clock(simulation.now()));
        let error = told.map(|told| told.ahead_of(simulation.counter(1)).unsigned_abs() as u64);
        errors.extend(error.filter(|_| number > SETTLED));
        simulation.run_until(begin + INTERVAL, &mut ());
    }
    errors
}
