//! A run as its user describes it: rules, a profile, and what overrides the profile.

use crate::flows::Flow;
use crate::outcome::Outcome;
use crate::schedule::{BadFabric, Order, Schedule};
use crate::trace::Trace;
use crate::{published, relay};

/// By which rules hosts send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those of the public simulator of Shoal's authors.
    Published,
    /// Those of a simulator of relaying hosts.
    Relay(relay::Rules),
}

impl Rules {
    /// All.
    pub const ALL: [Self; 5] = [
        Self::Published,
        Self::Relay(relay::Rules::Basic),
        Self::Relay(relay::Rules::Literal),
        Self::Relay(relay::Rules::Consistent),
        Self::Relay(relay::Rules::Shoal),
    ];

    /// Their name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => published::NAME,
            Self::Relay(rules) => rules.name(),
        }
    }

    /// The rules of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rules| rules.name() == name)
    }
}

/// A fabric that was described.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The simulations of the document: 512 hosts, 4 channels, slots of 23.25 ns, no delay (spec 004, 2.15).
    Paper,
    /// Its prototype: 8 hosts, plain order, one channel, slots of 76.8 ns, 1,576 ns from host to host.
    Prototype,
}

/// What is said of a run. What is not said is the profile's.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Given {
    /// The rules; `shoal` with a profile.
    pub rules: Option<Rules>,
    /// The profile.
    pub profile: Option<Profile>,
    /// Hosts.
    pub hosts: Option<usize>,
    /// In which order hosts meet.
    pub order: Option<Order>,
    /// Channels of a host.
    pub channels: Option<usize>,
    /// Nanoseconds of a slot.
    pub slot_ns: Option<f64>,
    /// Nanoseconds from the begin of a cell's slot until it may leave the next host.
    pub delay_ns: Option<f64>,
    /// End after so many epochs.
    pub epochs: Option<u64>,
    /// Slots that do not count for the throughput.
    pub warmup: u64,
    /// End when so many flows have finished.
    pub finish: Option<u64>,
    /// Slots of a step of age by which young flows are held back.
    pub gate: Option<u64>,
    /// Per cent of the hosts that have failed.
    pub fail: f64,
}

/// A run that can be run.
#[derive(Clone, Debug)]
pub struct Configuration {
    schedule: Schedule,
    run: Run,
}

#[derive(Clone, Debug)]
enum Run {
    Published(published::Settings),
    Relay(relay::Settings),
}

/// Picoseconds of an option in nanoseconds.
fn picoseconds(option: &str, nanoseconds: f64, least: u64) -> Result<u64, BadFabric> {
    // A second: far above every fabric, far below what overflows.
    const MOST: f64 = 1e9;
    let picoseconds = (nanoseconds * 1000.0).round();
    if !(picoseconds >= least as f64 && nanoseconds <= MOST) {
        let least = least as f64 / 1000.0;
        return Err(BadFabric(format!(
            "{option}: expected {least} to {MOST:.0} ns, found {nanoseconds}"
        )));
    }
    Ok(picoseconds as u64)
}

impl Given {
    /// Fills in what is not said.
    ///
    /// # Errors
    /// Something is missing, or there is no such fabric.
    pub fn configuration(&self) -> Result<Configuration, BadFabric> {
        let bad = |text: &str| BadFabric(text.to_owned());
        let (rules, hosts, channels, slot_ns, delay_ns) = match self.profile {
            Some(Profile::Paper) => (Some(relay::Rules::Shoal), Some(512), 4, 23.25, 0.0),
            Some(Profile::Prototype) => (Some(relay::Rules::Shoal), Some(8), 1, 76.8, 1576.0),
            None => (None, None, 1, 23.25, 0.0),
        };
        let rules = self.rules.or(rules.map(Rules::Relay));
        let rules =
            rules.ok_or_else(|| bad("expected rules (--rules) or a profile (--profile)"))?;
        let hosts = self.hosts.or(hosts);
        let hosts =
            hosts.ok_or_else(|| bad("expected hosts (--hosts) or a profile (--profile)"))?;
        let order = self.order.unwrap_or(Order::Plain);
        let channels = self.channels.unwrap_or(channels);
        let delay_ns = self.delay_ns.unwrap_or(delay_ns);
        let schedule = Schedule::new(hosts, order, channels)?;
        let Self { epochs, warmup, finish, fail, .. } = *self;
        let rules = match rules {
            Rules::Published => {
                if order != Order::Plain
                    || channels != 1
                    || delay_ns != 0.0
                    || self.slot_ns.is_some()
                {
                    return Err(bad(
                        "the rules 'published' have plain order, one channel, no delay and slots of 5.632 ns; leave \
                         --order, --channels, --delay-ns, --slot-ns and --profile out, or take other rules",
                    ));
                }
                let gate = self.gate.unwrap_or(0);
                let settings = published::Settings { hosts, gate, epochs, finish, fail, warmup };
                return Ok(Configuration { schedule, run: Run::Published(settings) });
            }
            Rules::Relay(rules) => rules,
        };
        let slot_ns = self.slot_ns.unwrap_or(slot_ns);
        let slot = picoseconds("--slot-ns", slot_ns, 1)?;
        let delay = picoseconds("--delay-ns", delay_ns, 0)?.div_ceil(slot).max(1);
        // S23's gate belongs to the rules that have its ready queues.
        let epoch = if rules == relay::Rules::Basic { 0 } else { schedule.slots() as u64 };
        let gate = self.gate.unwrap_or(epoch);
        let settings =
            relay::Settings { rules, slot_ns, delay, gate, epochs, finish, fail, warmup };
        Ok(Configuration { schedule, run: Run::Relay(settings) })
    }
}

impl Configuration {
    /// Hosts.
    pub fn hosts(&self) -> usize {
        self.schedule.hosts()
    }

    /// Nanoseconds of a slot, as in the lines of finished flows.
    pub fn slot_ns(&self) -> f32 {
        match &self.run {
            Run::Published(_) => published::SLOT_NS,
            Run::Relay(settings) => settings.slot_ns as f32,
        }
    }

    /// What the user should know: hosts whose cells travel for more than half an epoch wait for answers.
    pub fn warning(&self) -> Option<String> {
        let Run::Relay(relay::Settings { rules: relay::Rules::Shoal, delay, .. }) = self.run else {
            return None;
        };
        let half = (self.schedule.slots() / 2) as u64;
        (delay > half).then(|| {
            format!(
                "a cell takes {delay} slots, more than half an epoch ({half} slots): queues keep their bound, but \
                 hosts wait for answers and send less"
            )
        })
    }

    /// Runs flows, which were read for as many hosts. The outcome is the same with any number of workers.
    ///
    /// # Errors
    /// A number of the settings that makes no sense.
    pub fn run(
        &self,
        flows: &[Flow],
        workers: usize,
        trace: Option<Trace<'_>>,
    ) -> Result<Outcome, BadFabric> {
        match &self.run {
            Run::Published(settings) => published::run(settings, flows, workers, trace),
            Run::Relay(settings) => relay::run(&self.schedule, settings, flows, workers, trace),
        }
    }
}
