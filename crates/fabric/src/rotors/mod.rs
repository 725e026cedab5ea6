//! Fabrics of switches that turn slowly, beside Shoal's that change with every cell: RotorNet, Opera and Vermilion.
//!
//! Each of a host's channels ends at a switch of its own, which holds a list of matchings and shows one after the other:
//! [`matchings`], [`timing`]. A matching stays for thousands of slots, then the switch turns, which takes it as long as
//! hundreds; in between a circuit carries a cell a slot. Flows, slots, delay, traces and outcomes are those of the
//! other simulators, so a run with the same FLOWS, slots and channels has the same bandwidth.
//!
//! In each slot
//!
//! 1. if it is the first of a slice, the switches that have turned show their next matching, and hosts do what their
//!    rules have for this moment;
//! 2. flows that start join the ring of their pair, in which flows take turns;
//! 3. switch after switch that is up, each host sends a cell to its peer if the rules have one for it;
//! 4. what was sent in slot t - k + 1 arrives, k being the delay, and may leave again in the next slot;
//! 5. the queues of cells of others are sampled: one for each host and destination.
//!
//! A cell that is sent while its circuit is up arrives, however long it takes: switches and the hosts behind them turn with
//! the light. Offers of RotorNet and their answers take as long as cells, but no room on a circuit.

mod decomposition;
mod direct;
mod expander;
mod fair;
pub mod matchings;
mod opera;
mod report;
mod rotornet;
mod rounding;
mod runs;
mod slots;
mod sources;
pub mod timing;
mod vermilion;
mod waiting;

use crate::flows::Flow;
use crate::outcome::Outcome;
use crate::schedule::BadFabric;
use crate::trace::Trace;
use matchings::Switches;
pub use report::report;
use std::fmt;
use timing::Timing;

/// Which fabric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// All switches turn at once; cells take one or two hops.
    RotorNet,
    /// Switches turn one after the other; short flows take several hops, bulk flows one.
    Opera,
    /// Matchings follow the demand; cells take one hop.
    Vermilion,
}

impl Rules {
    /// All.
    pub const ALL: [Self; 3] = [Self::RotorNet, Self::Opera, Self::Vermilion];

    /// What they are called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::RotorNet => "rotornet",
            Self::Opera => "opera",
            Self::Vermilion => "vermilion",
        }
    }

    /// Picoseconds from one turn to the next, and of these the time that a turn takes, if nobody says otherwise.
    const fn times_ps(self) -> (u64, u64) {
        match self {
            Self::RotorNet | Self::Vermilion => (200_000_000, 20_000_000),
            Self::Opera => (100_000_000, 10_000_000),
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a user may say about such a fabric.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RotorOptions {
    /// Picoseconds from the begin of one slice to the next: 200 us, 100 us with Opera.
    pub matching_ps: Option<u64>,
    /// Picoseconds that a switch takes to turn, at the end of a slice: 20 us, 10 us with Opera.
    pub reconfiguration_ps: Option<u64>,
    /// RotorNet: the most hops of a cell, 1 or 2; 2 if not said.
    pub hops: Option<u64>,
    /// Opera: flows of at least so many bytes are bulk; 15 MB if not said.
    pub bulk_bytes: Option<u64>,
    /// Vermilion: the factor k, 2 to 64; 3 if not said.
    pub factor: Option<u64>,
}

/// Opera's smallest bulk flow, in bytes.
const BULK_BYTES: u64 = 15_000_000;

impl RotorOptions {
    /// The name of each option, whether it is given, and the rules that know it.
    fn given(&self) -> [(&'static str, bool, &'static [Rules]); 5] {
        [
            ("matching-ns", self.matching_ps.is_some(), &Rules::ALL),
            ("reconfiguration-ns", self.reconfiguration_ps.is_some(), &Rules::ALL),
            ("hops", self.hops.is_some(), &[Rules::RotorNet]),
            ("bulk-bytes", self.bulk_bytes.is_some(), &[Rules::Opera]),
            ("factor", self.factor.is_some(), &[Rules::Vermilion]),
        ]
    }

    /// An option that other rules have, if one is given: none of the fabrics here with `None`.
    pub fn check(&self, rules: Option<Rules>, name: &str) -> Result<(), BadFabric> {
        for (option, is_given, known) in self.given() {
            if is_given && rules.is_none_or(|rules| !known.contains(&rules)) {
                let known: Vec<&str> = known.iter().map(|rules| rules.name()).collect();
                return Err(BadFabric(format!(
                    "expected no --{option} with the rules {name}, which do not know it; leave it out or choose --rules {}",
                    known.join("|")
                )));
            }
        }
        Ok(())
    }
}

/// What a run is told.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// The fabric.
    pub rules: Rules,
    /// Hosts, 2 or more.
    pub hosts: usize,
    /// Channels of a host, and switches: 1 to hosts - 1; with Opera 3 to 64.
    pub channels: usize,
    /// The length of a slot in nanoseconds; it changes nothing but times in the outcome.
    pub slot_ns: f64,
    /// Slots from a cell's departure to the first in which it may leave the next host, 1 or more.
    pub delay: u64,
    /// Slots of a slice.
    pub matching: u64,
    /// Slots at the end of a slice in which switches that turn carry nothing; less than `matching`.
    pub reconfiguration: u64,
    /// RotorNet: whether hosts relay.
    pub two_hops: bool,
    /// Opera: flows of at least so many cells are bulk.
    pub bulk_cells: u64,
    /// Vermilion: the factor k.
    pub factor: u64,
    /// The run ends after so many cycles of the switches, 1 or more.
    pub epochs: Option<u64>,
    /// The run ends with the slot in which so many flows have finished.
    pub finish: Option<u64>,
    /// The slots before this one do not count for the throughput.
    pub warmup: u64,
}

impl Settings {
    /// With the defaults of `rules` for what `options` do not say, in slots of `slot_ps`; no delay beyond a slot, until all
    /// flows have finished.
    pub fn new(
        rules: Rules,
        hosts: usize,
        channels: usize,
        slot_ps: u64,
        options: &RotorOptions,
    ) -> Result<Self, BadFabric> {
        options.check(Some(rules), rules.name())?;
        let (matching_ps, reconfiguration_ps) = rules.times_ps();
        let slots = |ps: u64| ps.div_ceil(slot_ps);
        let settings = Self {
            rules,
            hosts,
            channels,
            slot_ns: slot_ps as f64 / 1000.0,
            delay: 1,
            matching: slots(options.matching_ps.unwrap_or(matching_ps)),
            reconfiguration: slots(options.reconfiguration_ps.unwrap_or(reconfiguration_ps)),
            two_hops: options.hops != Some(1),
            bulk_cells: crate::workload::cells(options.bulk_bytes.unwrap_or(BULK_BYTES)),
            factor: options.factor.unwrap_or(3),
            epochs: None,
            finish: None,
            warmup: 0,
        };
        let bad = |expected: String, found: u64, option: &str| {
            Err(BadFabric(format!("expected {expected}, found {found}; change --{option}")))
        };
        if let Some(hops) = options.hops
            && !(1..=2).contains(&hops)
        {
            return bad("1 or 2 hops".into(), hops, "hops");
        }
        if !(2..=vermilion::MAX_FACTOR).contains(&settings.factor) {
            let expected = format!("a factor of 2 to {}", vermilion::MAX_FACTOR);
            return bad(expected, settings.factor, "factor");
        }
        if settings.reconfiguration >= settings.matching {
            return bad(
                format!("a turn shorter than the {} slots from one to the next", settings.matching),
                settings.reconfiguration,
                "reconfiguration-ns or --matching-ns",
            );
        }
        match rules {
            Rules::Opera if !(3..=opera::MAX_CHANNELS).contains(&channels) => bad(
                format!(
                    "3 to {} channels with the rules opera, as those connect all hosts that do not turn",
                    opera::MAX_CHANNELS
                ),
                channels as u64,
                "channels",
            ),
            Rules::Vermilion if hosts > vermilion::MAX_HOSTS => bad(
                format!(
                    "at most {} hosts with the rules vermilion, which compute a schedule for the demand",
                    vermilion::MAX_HOSTS
                ),
                hosts as u64,
                "hosts",
            ),
            _ => Ok(settings),
        }
    }

    /// The switches' clock, once it is known how many matchings each has.
    fn timing(&self, places: usize) -> Timing {
        Timing {
            matching: self.matching,
            reconfiguration: self.reconfiguration,
            switches: self.channels,
            places,
            staggered: self.rules == Rules::Opera,
        }
    }

    /// The switches and their clock; those of Vermilion are for the demand of `flows`.
    pub fn network(&self, flows: &[Flow]) -> Result<(Switches, Timing), BadFabric> {
        let switches = match self.rules {
            Rules::RotorNet => Switches::shifts(self.hosts, self.channels),
            Rules::Opera => {
                let timing = self.timing(self.hosts.div_ceil(self.channels));
                expander::network(self.hosts, &timing, self.delay)?
            }
            Rules::Vermilion => vermilion::network(self.hosts, self.channels, self.factor, flows),
        };
        let timing = self.timing(switches.places());
        Ok((switches, timing))
    }
}

/// Runs `flows`, which [`crate::flows::read`] has read for as many hosts. `trace` gets each cell that is sent. An error says
/// that there is no such network.
///
/// # Panics
///
/// If a flow has a host that there is not, or there are 2^32 flows or more.
pub fn run(
    settings: &Settings,
    flows: &[Flow],
    trace: Option<Trace<'_>>,
) -> Result<Outcome, BadFabric> {
    let (switches, timing) = settings.network(flows)?;
    let (hosts, channels) = (settings.hosts, settings.channels);
    Ok(match settings.rules {
        Rules::RotorNet if settings.two_hops => {
            let policy = rotornet::RotorNet::new(hosts, channels, timing.lit(), settings.delay);
            slots::run(&switches, &timing, settings, flows, policy, trace)
        }
        Rules::Opera => {
            let policy = opera::Opera::new(hosts, channels, settings.bulk_cells);
            slots::run(&switches, &timing, settings, flows, policy, trace)
        }
        Rules::RotorNet | Rules::Vermilion => {
            slots::run(&switches, &timing, settings, flows, direct::Direct, trace)
        }
    })
}
