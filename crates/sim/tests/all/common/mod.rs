//! What tests of whole networks share.

use ww_sim::line::Limits;
use ww_sim::measure::{Delivery, FlowRecord, Observer, Sample, Wishes};
use ww_sim::network::traffic::{Kind, Traffic};
use ww_sim::network::{Direction, Network, Phy};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};

pub const MICROSECOND: Time = 1_000_000;
pub const MILLISECOND: Time = 1_000_000_000;

/// A link of this rate and 1 us, with room for 200 full packets in front of it.
pub fn line(rate: u64) -> Direction {
    let limits = Limits { bytes: 300_000, mark: None };
    Direction {
        rate,
        delay: MICROSECOND,
        jitter: 0,
        overhead: 24,
        limits,
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::Bytes,
    }
}

pub fn traffic(name: &str, kind: Kind, stop: Time) -> Traffic {
    Traffic { name: name.to_owned(), start: 0, stop, class: 0, kind }
}

/// Keeps all that a run tells.
#[derive(Debug, Default, PartialEq)]
pub struct Kept {
    pub flows: Vec<FlowRecord>,
    pub deliveries: Vec<Delivery>,
    pub samples: Vec<Sample>,
    pub frames: Vec<(u32, Time, Vec<u8>)>,
}

impl Observer for Kept {
    fn flow(&mut self, flow: &FlowRecord) {
        self.flows.push(*flow);
    }

    fn delivered(&mut self, delivery: &Delivery) {
        self.deliveries.push(*delivery);
    }

    fn sample(&mut self, sample: &Sample) {
        self.samples.push(*sample);
    }

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
