//! Links, runs, and what is kept of them.

use ww_sim::line::Limits;
use ww_sim::measure::{Observer, Wishes};
use ww_sim::network::{Direction, Network, Phy};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};

pub const MICROSECOND: Time = 1_000_000;
pub const MILLISECOND: Time = 1_000_000_000;

/// A link of this rate and 1 us, with room for 200 full packets in its queue.
pub fn line(rate: u64) -> Direction {
    let limits = Limits { bytes: 300_000, mark: None };
    let (loss, corruption) = (0.0, 0.0);
    let phy = Phy::Bytes;
    Direction { rate, delay: MICROSECOND, jitter: 0, overhead: 24, limits, loss, corruption, phy }
}

/// The frames of links that were captured.
#[derive(Debug, Default)]
pub struct Kept {
    pub frames: Vec<(u32, Time, Vec<u8>)>,
}

impl Observer for Kept {
    fn frame(&mut self, direction: u32, at: Time, frame: &[u8]) {
        self.frames.push((direction, at, frame.to_vec()));
    }
}

/// Runs a network from the start to `until`.
pub fn run(
    network: Network,
    parts: Parts,
    seed: u64,
    wishes: Wishes,
    until: Time,
) -> (Simulation, Kept) {
    let mut simulation = Simulation::new(network, parts, seed, wishes).expect("a good network");
    let mut kept = Kept::default();
    simulation.run(until, &mut kept);
    simulation.finish(&mut kept);
    (simulation, kept)
}
