//! RCP*: the Rate Control Protocol at hosts (spec 003, section 2.16).
//!
//! Each link has a register with the rate that flows through it may have, in kb/s. A flow's packets collect queue,
//! offered load and register of each link on the way ([`COLLECT`]); the flow's controller computes the rate that the
//! link should have next ([`next_rate`], the paper's equation 1), and stores it if nobody has changed it meanwhile
//! ([`update`]). A flow's own rate combines those of its links ([`Fairness::combine`], equation 2).

pub mod agent;
pub mod aimd;
pub mod audit;
pub mod lab;

use std::collections::BTreeMap;
use ww_tpp::header::{Mode, WordSize};
use ww_tpp::instruction::{Instruction, Opcode};
use ww_tpp::map;
use ww_tpp::packet::Repr;

/// What a flow's packets collect at each hop, for the assembler: link, bytes in the queue, offered load, and the rate.
pub const COLLECT: &str = "PUSH [Link:ID]\nPUSH [Link:QueueSize]\nPUSH [Link:RX-Utilization]\n\
                           PUSH [Link:AppSpecific_0]\n";

/// Words that [`COLLECT`] takes a hop.
pub const WORDS: usize = 4;

/// What flows on a link share it by. All flows of a link use the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fairness {
    /// The least rate of the flow's links.
    MaxMin,
    /// Alpha fairness: 1 is proportional fairness.
    Alpha(f64),
}

impl Fairness {
    /// The rate of a flow whose links have these rates, all above 0; infinite without links.
    ///
    /// Rates are compared with the least of them, as their powers would underflow (spec 003, 2.16).
    pub fn combine(self, rates: &[f64]) -> f64 {
        let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
        match self {
            Self::Alpha(alpha) if least.is_finite() => {
                let sum: f64 = rates.iter().map(|rate| (rate / least).powf(-alpha)).sum();
                least * sum.powf(-1.0 / alpha)
            }
            _ => least,
        }
    }
}

/// Parameters, of which the paper gives none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The gain for the load, `a`.
    pub load_gain: f64,
    /// The gain for the queue, `b`.
    pub queue_gain: f64,
    /// The mean round-trip time of flows, `d`, in seconds.
    pub round_trip: f64,
    /// From one update of a link to the next, `T`, in seconds.
    pub period: f64,
    /// The least rate of a link, bits a second.
    pub least: f64,
    /// The weight of a new sample of a queue in its average, 0 to 1.
    pub weight: f64,
    /// What flows share links by.
    pub fairness: Fairness,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            load_gain: 0.5,
            queue_gain: 0.25,
            round_trip: 0.02,
            period: 0.02,
            least: 100_000.0,
            weight: 0.5,
            fairness: Fairness::MaxMin,
        }
    }
}

/// Equation 1: the rate that a link with this rate, capacity and offered load (bits a second) and queue (bits) should
/// have next, between the least one and the capacity.
pub fn next_rate(rate: f64, capacity: f64, offered: f64, queue: f64, settings: &Settings) -> f64 {
    let Settings { load_gain, queue_gain, round_trip, period, least, .. } = *settings;
    let excess = load_gain * (offered - capacity) + queue_gain * queue / round_trip;
    let next = rate * (1.0 - period / round_trip * excess / capacity);
    next.clamp(least.min(capacity), capacity)
}

/// What a TPP has read at a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// `Link:ID`
    pub link: u32,
    /// Bytes in the queue.
    pub queue: u32,
    /// Offered load, 0x8000 for the capacity.
    pub offered: u32,
    /// The link's register, kb/s; 0 if nobody has written it.
    pub rate: u32,
}

impl Sample {
    /// Of the words of a hop, [`WORDS`] or more.
    fn of(hop: &[u32]) -> Self {
        Self { link: hop[0], queue: hop[1], offered: hop[2], rate: hop[3] }
    }
}

/// The samples of a TPP, of as many hops as have executed it.
pub fn samples(tpp: &Repr) -> Vec<Sample> {
    let words: Vec<u32> = tpp.words().collect();
    let hops = words.chunks_exact(WORDS).take(tpp.hop.into());
    hops.map(Sample::of).collect()
}

/// A change of a link's register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The link.
    pub link: u32,
    /// What it was read as.
    pub old: u32,
    /// What it is to be.
    pub new: u32,
}

/// The TPP that makes changes hop by hop, each if the register still is what it was read as: one CSTORE in hop mode.
/// `None` for more hops than a TPP has memory for.
pub fn update(changes: &[Change], app_tag: u8) -> Option<Repr> {
    let address = map::lookup("Link:AppSpecific_0").ok()?;
    let memory: Vec<u8> =
        changes.iter().flat_map(|c| [c.old, c.new]).flat_map(u32::to_be_bytes).collect();
    let tpp = Repr {
        mode: Mode::Hop,
        word: WordSize::Four,
        hop_length: 8,
        app_tag,
        instructions: vec![Instruction::new(Opcode::Cstore, address, 0, 1)],
        memory,
        ..Repr::default()
    };
    tpp.check().is_ok().then_some(tpp)
}

/// The controller of a flow.
#[derive(Clone, Debug)]
pub struct Controller {
    settings: Settings,
    /// Capacities of links in bits a second, which the control plane knows.
    capacities: BTreeMap<u32, f64>,
    /// Averages of queues, bits.
    queues: BTreeMap<u32, f64>,
    rate: f64,
}

impl Controller {
    /// Of a flow that begins with a rate in bits a second.
    pub fn new(settings: Settings, capacities: BTreeMap<u32, f64>, rate: f64) -> Self {
        Self { settings, capacities, queues: BTreeMap::new(), rate }
    }

    /// Flows collect and links are updated so often from now on, in seconds: `T` and `d` of equation 1.
    pub fn set_period(&mut self, seconds: f64) {
        (self.settings.period, self.settings.round_trip) = (seconds, seconds);
    }

    /// How many flows share a link, 1 or more: as many as would offer what is offered at the link's rate.
    pub fn flows(&self, sample: &Sample) -> f64 {
        let capacity = self.capacities.get(&sample.link).copied().unwrap_or(0.0);
        let offered = f64::from(sample.offered) / f64::from(0x8000) * capacity;
        (offered / (f64::from(sample.rate) * 1000.0).max(1.0)).max(1.0)
    }

    /// The rate that the flow may have, bits a second.
    pub fn rate(&self) -> f64 {
        self.rate
    }

    /// Takes in what a TPP has collected. Gives the changes of the links on the way, in its order; links whose capacity
    /// is not known stay as they are, and do not bound the rate.
    pub fn collected(&mut self, samples: &[Sample]) -> Vec<Change> {
        let settings = self.settings;
        let (mut changes, mut rates) = (Vec::new(), Vec::new());
        for sample in samples {
            let Sample { link, queue, offered, rate } = *sample;
            let unchanged = Change { link, old: rate, new: rate };
            let Some(capacity) = self.capacities.get(&link).copied() else {
                changes.push(unchanged);
                continue;
            };
            let bits = f64::from(queue) * 8.0;
            let average = self.queues.entry(link).or_insert(bits);
            *average += settings.weight * (bits - *average);
            // A register that nobody has written: the flow brings its own rate.
            let before = if rate == 0 { self.rate } else { f64::from(rate) * 1000.0 };
            let load = f64::from(offered) / f64::from(0x8000) * capacity;
            let next = next_rate(before, capacity, load, *average, &settings);
            rates.push(next);
            // Never 0, which would mean that nobody has written it.
            changes.push(Change { new: ((next / 1000.0).round() as u32).max(1), ..unchanged });
        }
        if !rates.is_empty() {
            self.rate = settings.fairness.combine(&rates);
        }
        changes
    }

    /// The same without links' registers: nothing is to be changed.
    pub fn read_only(&mut self, samples: &[Sample]) {
        let settings = aimd::Settings { least: self.settings.least, ..aimd::Settings::default() };
        self.rate = aimd::next_rate(self.rate, samples, &self.capacities, &settings);
    }

    /// Nothing has returned for a long time: half the rate.
    pub fn lost(&mut self) {
        self.rate = (self.rate / 2.0).max(self.settings.least);
    }
}
