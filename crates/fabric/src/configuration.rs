//! What a simulation is told: profiles, defaults, and what does not go together.

use crate::flows::{Flow, Flows, Mistake};
use crate::outcome::Outcome;
use crate::prototype::CLOCK_PS;
use crate::relay::classes;
use crate::relay::failures::{self, Failures, HostAt};
use crate::relay::live::Live;
use crate::schedule::{BadFabric, Order, Schedule, Switches};
use crate::trace::Trace;
use crate::{plan, published, relay, rotors};
use std::fmt;

/// The longest slot and the longest delay: a second, in picoseconds.
pub const LONGEST_PS: u64 = 1_000_000_000_000;

/// By which rules hosts send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// Those of the authors' public simulator.
    Published,
    /// Those of hosts that relay with any schedule and delay.
    Relay(relay::Rules),
    /// Those of fabrics whose switches turn slowly.
    Rotors(rotors::Rules),
}

impl Rules {
    /// All.
    pub const ALL: [Self; 8] = [
        Self::Published,
        Self::Relay(relay::Rules::Basic),
        Self::Relay(relay::Rules::Literal),
        Self::Relay(relay::Rules::Consistent),
        Self::Relay(relay::Rules::Shoal),
        Self::Rotors(rotors::Rules::RotorNet),
        Self::Rotors(rotors::Rules::Opera),
        Self::Rotors(rotors::Rules::Vermilion),
    ];

    /// What they are called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Published => published::NAME,
            Self::Relay(rules) => rules.name(),
            Self::Rotors(rules) => rules.name(),
        }
    }
}

impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Fabrics that are described in publications.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Profile {
    /// The simulated one: 512 hosts with four channels of 25 Gb/s, slots of 23.25 ns, no delay.
    Paper,
    /// The one that was built: 8 hosts at 4 leaves, 10 Gb/s, slots of 76.8 ns, 1,576 ns from host to host.
    Prototype,
}

/// What a profile sets, or the lack of one.
struct Defaults {
    rules: Option<Rules>,
    hosts: Option<usize>,
    channels: usize,
    leaves: Option<usize>,
    slot_ps: u64,
    delay_ps: u64,
}

impl Defaults {
    const NO_PROFILE: Self =
        Self { rules: None, hosts: None, channels: 1, leaves: None, slot_ps: 23_250, delay_ps: 0 };

    fn new(profile: Option<Profile>) -> Self {
        let rules = Some(Rules::Relay(relay::Rules::Shoal));
        match profile {
            None => Self::NO_PROFILE,
            Some(Profile::Paper) => {
                Self { rules, hosts: Some(512), channels: 4, ..Self::NO_PROFILE }
            }
            Some(Profile::Prototype) => Self {
                rules,
                hosts: Some(8),
                leaves: Some(4),
                slot_ps: 76_800,
                delay_ps: 1_576_000,
                ..Self::NO_PROFILE
            },
        }
    }
}

/// Reads a time in nanoseconds, a decimal number with at most three decimals, as picoseconds: at most [`LONGEST_PS`].
pub fn picoseconds(text: &str) -> Result<u64, String> {
    let bad = || {
        format!(
            "expected nanoseconds with at most three decimals, such as 23.25, and at most {}, found '{}'",
            LONGEST_PS / 1000,
            text.chars().take(40).collect::<String>().escape_debug()
        )
    };
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let is_number =
        |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || decimals.len() > 3 {
        return Err(bad());
    }
    let whole: Option<u64> = whole.parse().ok();
    let picoseconds = whole
        .zip(format!("{decimals:0<3}").parse().ok())
        .and_then(|(whole, decimals)| whole.checked_mul(1000)?.checked_add(decimals));
    picoseconds.filter(|&picoseconds| picoseconds <= LONGEST_PS).ok_or_else(bad)
}

/// What a user has asked for. What is not set is as the profile has it, or without one plain order, one channel, slots of
/// 23.25 ns, no delay, no end but that of all flows, no warm-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    /// By which rules hosts send; required without a profile.
    pub rules: Option<Rules>,
    /// What to start from.
    pub profile: Option<Profile>,
    /// Hosts, 2 to [`MAX_HOSTS`](crate::schedule::MAX_HOSTS); required without a profile.
    pub hosts: Option<usize>,
    /// In which order hosts meet.
    pub order: Option<Order>,
    /// Channels of a host, 1 to hosts - 1.
    pub channels: Option<usize>,
    /// Leaf switches, which divide the hosts.
    pub leaves: Option<usize>,
    /// The length of a slot in picoseconds, 1 to [`LONGEST_PS`]; `published` has its own.
    pub slot_ps: Option<u64>,
    /// From a cell's departure to its arrival in picoseconds, at most [`LONGEST_PS`].
    pub delay_ps: Option<u64>,
    /// End after so many epochs, 1 or more.
    pub epochs: Option<u64>,
    /// Slots at the start that do not count for the throughput.
    pub warmup: Option<u64>,
    /// End when so many flows have finished, 1 or more.
    pub finish: Option<u64>,
    /// Slots of a step of age by which cells of young flows are held back, 0: they are not. One epoch with `shoal`, 0 with
    /// all other rules.
    pub gate: Option<u64>,
    /// Per cent of the hosts that have failed, 0 to 100.
    pub fail: Option<f64>,
    /// Threads, 1 to hosts.
    pub workers: Option<usize>,
    /// What only fabrics have whose switches turn slowly.
    pub rotors: rotors::RotorOptions,
    /// The probability that a cell's header arrives with an error, 0 to less than 1; with `shoal`.
    pub flip: Option<f64>,
    /// What chooses these cells, 1 if not set.
    pub flip_seed: Option<u64>,
    /// Hosts that die; with `shoal`.
    pub kills: Vec<HostAt>,
    /// Dead hosts that come back.
    pub revivals: Vec<HostAt>,
    /// After the last death, a schedule without the dead hosts takes the place of the first.
    pub repair: bool,
    /// After each reconfiguration receivers need so long, in picoseconds, to have the phase of what comes (S26): a part of the guard band. Slots become as
    /// much longer; those of the prototype have a clock of 6.4 ns that is not used, and become longer by whole clocks beyond that.
    pub cdr_lock_ps: Option<u64>,
}

/// All that a simulation is told, complete and consistent.
#[derive(Clone, Debug)]
pub struct Configuration {
    schedule: Schedule,
    leaves: Option<usize>,
    simulator: Simulator,
    failures: Option<Failures>,
    workers: usize,
}

#[derive(Clone, Copy, Debug)]
enum Simulator {
    Published(published::Settings),
    Relay(relay::Settings),
    Rotors(rotors::Settings),
}

impl Options {
    /// The configuration, or why there is none: each message names the option to change.
    pub fn configuration(&self) -> Result<Configuration, BadFabric> {
        let bad = |message: String| Err(BadFabric(message));
        let defaults = Defaults::new(self.profile);
        let Some(rules) = self.rules.or(defaults.rules) else {
            return bad(format!(
                "expected rules: add --rules {} or a --profile",
                Rules::ALL.map(Rules::name).join("|")
            ));
        };
        let Some(hosts) = self.hosts.or(defaults.hosts) else {
            return bad("expected a number of hosts: add --hosts or a --profile".into());
        };
        let order = self.order.unwrap_or(Order::Plain);
        let channels = self.channels.unwrap_or(defaults.channels);
        let slot_ps = self.slot_ps.unwrap_or(defaults.slot_ps).saturating_add(self.lock_ps(rules)?);
        let delay_ps = self.delay_ps.unwrap_or(defaults.delay_ps);
        for (option, time, least) in [("slot-ns", slot_ps, 1), ("delay-ns", delay_ps, 0)] {
            if !(least..=LONGEST_PS).contains(&time) {
                return bad(format!(
                    "expected {least} to {LONGEST_PS} ps, found {time}; change --{option}"
                ));
            }
        }
        if self.epochs == Some(0) {
            return bad("expected 1 epoch or more, found 0; change --epochs".into());
        }
        if self.finish == Some(0) {
            return bad("expected 1 finished flow or more, found 0; change --finish".into());
        }
        let schedule = Schedule::new(hosts, order, channels).map_err(|BadFabric(cause)| {
            BadFabric(format!("{cause}; change --hosts or --channels"))
        })?;
        // Those of a profile are meant for its hosts.
        let leaves = self.leaves.or(defaults.leaves.filter(|_| self.hosts.is_none()));
        if let Some(leaves) = leaves {
            Switches::new(&schedule, 0, leaves)
                .map_err(|BadFabric(cause)| BadFabric(format!("{cause}; change --leaves")))?;
        }
        let (epochs, finish) = (self.epochs, self.finish);
        let (warmup, fail) = (self.warmup.unwrap_or(0), self.fail.unwrap_or(0.0));
        let workers = self.workers.unwrap_or(1);
        if !matches!(rules, Rules::Rotors(_)) {
            self.rotors.check(None, rules.name())?;
        }
        let simulator = match rules {
            Rules::Rotors(rules) => {
                self.check_rotors(rules)?;
                let settings =
                    rotors::Settings::new(rules, hosts, channels, slot_ps, &self.rotors)?;
                let delay = relay::check_delay(&schedule, delay_ps.div_ceil(slot_ps).max(1))?;
                let settings = rotors::Settings { delay, epochs, finish, warmup, ..settings };
                Simulator::Rotors(settings)
            }
            Rules::Published => {
                self.check_published(order, channels, delay_ps)?;
                let gate = self.gate.unwrap_or(0);
                let settings = published::Settings { hosts, gate, epochs, finish, fail, warmup };
                Simulator::Published(settings)
            }
            Rules::Relay(rules) => {
                let epoch_slots = schedule.slots() as u64;
                let gate = if rules == relay::Rules::Shoal { epoch_slots } else { 0 };
                Simulator::Relay(relay::Settings {
                    rules,
                    slot_ns: slot_ps as f64 / 1000.0,
                    delay: delay_ps.div_ceil(slot_ps).max(1),
                    gate: self.gate.unwrap_or(gate),
                    epochs,
                    finish,
                    fail,
                    warmup,
                })
            }
        };
        plan::shares(hosts, workers)?;
        plan::failed_hosts(hosts, fail)?;
        if let Simulator::Relay(settings) = &simulator {
            settings.check(&schedule)?;
        }
        let failures = self.failures();
        match (&simulator, &failures) {
            (_, None) => {}
            (Simulator::Relay(settings), Some(failures)) => failures.check(&schedule, settings)?,
            (Simulator::Published(_) | Simulator::Rotors(_), Some(_)) => {
                return bad(format!(
                    "expected --rules shoal with --flip and --kill, as no other rules know failures in a run, found \
                     {rules}; change --rules"
                ));
            }
        }
        Ok(Configuration { schedule, leaves, simulator, failures, workers })
    }

    /// By how much slots become longer as receivers have to lock.
    fn lock_ps(&self, rules: Rules) -> Result<u64, BadFabric> {
        let lock = self.cdr_lock_ps.unwrap_or(0);
        match (rules, self.profile) {
            (_, _) if lock == 0 => Ok(0),
            (Rules::Relay(_), Some(Profile::Prototype)) => {
                Ok(lock.saturating_sub(CLOCK_PS).next_multiple_of(CLOCK_PS))
            }
            (Rules::Relay(_), _) => Ok(lock),
            (Rules::Published | Rules::Rotors(_), _) => Err(BadFabric(format!(
                "expected no --cdr-lock with the rules {rules}, which have guard bands of their own; leave it out, or change \
                 --reconfiguration-ns or --rules"
            ))),
        }
    }

    /// What fails, if anything was said about that.
    fn failures(&self) -> Option<Failures> {
        let is_asked = self.flip.is_some()
            || !self.kills.is_empty()
            || !self.revivals.is_empty()
            || self.repair;
        is_asked.then(|| Failures {
            flip: self.flip.unwrap_or(0.0),
            seed: self.flip_seed.unwrap_or(1),
            kills: self.kills.clone(),
            revivals: self.revivals.clone(),
            repair: self.repair,
            ..Failures::default()
        })
    }

    /// Fabrics whose switches turn slowly have one order, no gate, no failed hosts, and one thread.
    fn check_rotors(&self, rules: rotors::Rules) -> Result<(), BadFabric> {
        let unknown = [
            ("order reordered", self.order == Some(Order::Reordered)),
            ("leaves", self.leaves.is_some()),
            ("gate", self.gate.is_some_and(|gate| gate > 0)),
            ("fail", self.fail.is_some_and(|fail| fail != 0.0)),
            ("workers above 1", self.workers.is_some_and(|workers| workers > 1)),
        ];
        match unknown.into_iter().find(|&(_, is_given)| is_given) {
            Some((option, _)) => Err(BadFabric(format!(
                "expected no --{option} with the rules {rules}, which do not know it; leave it out or choose other --rules"
            ))),
            None => Ok(()),
        }
    }

    /// The rules `published` know one fabric only.
    fn check_published(
        &self,
        order: Order,
        channels: usize,
        delay_ps: u64,
    ) -> Result<(), BadFabric> {
        let fixed = [
            ("order", order == Order::Plain, "plain", order.to_string()),
            ("channels", channels == 1, "1", channels.to_string()),
            ("delay-ns", delay_ps == 0, "0", format!("{}", delay_ps as f64 / 1000.0)),
        ];
        for (option, holds, expected, found) in fixed {
            if !holds {
                return Err(BadFabric(format!(
                    "expected --{option} {expected} with the rules published, which know no other, found {found}; add \
                     --{option} {expected} or choose other --rules"
                )));
            }
        }
        if self.slot_ps.is_some() {
            return Err(BadFabric(
                "expected no --slot-ns with the rules published, which have slots of 5.632 ns; leave it out or choose \
                 other --rules"
                    .into(),
            ));
        }
        Ok(())
    }
}

impl Configuration {
    /// The same with `seed` for what chooses the cells whose headers have errors, if any have.
    pub fn with_flip_seed(mut self, seed: u64) -> Self {
        if let Some(failures) = &mut self.failures {
            failures.seed = seed;
        }
        self
    }

    /// The rules.
    pub fn rules(&self) -> Rules {
        match self.simulator {
            Simulator::Published(_) => Rules::Published,
            Simulator::Relay(settings) => Rules::Relay(settings.rules),
            Simulator::Rotors(settings) => Rules::Rotors(settings.rules),
        }
    }

    /// Who sends to whom.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// What a fabric is told whose switches turn slowly.
    pub fn rotors(&self) -> Option<&rotors::Settings> {
        match &self.simulator {
            Simulator::Rotors(settings) => Some(settings),
            Simulator::Published(_) | Simulator::Relay(_) => None,
        }
    }

    /// Leaf switches, if that was said.
    pub fn leaves(&self) -> Option<usize> {
        self.leaves
    }

    /// The length of a slot in nanoseconds, as flow lines count it.
    pub fn slot_ns(&self) -> f32 {
        match self.simulator {
            Simulator::Published(_) => published::SLOT_NS,
            Simulator::Relay(settings) => settings.slot_ns as f32,
            Simulator::Rotors(settings) => settings.slot_ns as f32,
        }
    }

    /// The same in picoseconds, with at least one.
    pub fn slot_ps(&self) -> u64 {
        let nanoseconds = self.relay().map_or(f64::from(self.slot_ns()), |relay| relay.slot_ns);
        ((nanoseconds * 1000.0).round() as u64).max(1)
    }

    /// A fabric with these rules whose hosts get their cells while it runs, one slot at a time. It has no end of its own.
    ///
    /// # Errors
    /// The rules are not those of hosts that relay at any delay, or something fails in the run.
    pub fn live(&self) -> Result<Live, BadFabric> {
        let unknown = |what: &str| {
            Err(BadFabric(format!(
                "expected --rules {} without failures, for cells that come while the fabric runs, found {what}",
                relay::Rules::ALL.map(relay::Rules::name).join("|")
            )))
        };
        match (&self.simulator, &self.failures) {
            (Simulator::Relay(settings), None) => Live::new(&self.schedule, settings),
            (Simulator::Relay(_), Some(_)) => unknown("failures"),
            (Simulator::Published(_) | Simulator::Rotors(_), _) => unknown(self.rules().name()),
        }
    }

    /// Slots from a cell's departure to the first in which it may leave the next host, k; with `published` 1.
    pub fn delay_slots(&self) -> u64 {
        match self.simulator {
            Simulator::Published(_) => 1,
            Simulator::Relay(settings) => settings.delay,
            Simulator::Rotors(settings) => settings.delay,
        }
    }

    /// What fails in the run, if anything was asked for.
    pub fn failures(&self) -> Option<&Failures> {
        self.failures.as_ref()
    }

    /// The settings of hosts that relay; none with `published` and with switches that turn slowly.
    pub fn relay(&self) -> Option<&relay::Settings> {
        match &self.simulator {
            Simulator::Published(_) | Simulator::Rotors(_) => None,
            Simulator::Relay(settings) => Some(settings),
        }
    }

    /// Slots of a step of age by which cells of young flows are held back; 0: they are not.
    pub fn gate(&self) -> u64 {
        match self.simulator {
            Simulator::Published(settings) => settings.gate,
            Simulator::Relay(settings) => settings.gate,
            Simulator::Rotors(_) => 0,
        }
    }

    /// Slots at the start that do not count for the throughput.
    pub fn warmup(&self) -> u64 {
        match self.simulator {
            Simulator::Published(settings) => settings.warmup,
            Simulator::Relay(settings) => settings.warmup,
            Simulator::Rotors(settings) => settings.warmup,
        }
    }

    /// What the user should know before the run: with `shoal`, that answers come too late for full throughput. The bound
    /// on queues holds nevertheless.
    pub fn warning(&self) -> Option<String> {
        let epoch_slots = self.schedule.slots() as u64;
        let is_late = self.rules() == Rules::Relay(relay::Rules::Shoal)
            && 2 * self.delay_slots() > epoch_slots;
        is_late.then(|| {
            format!(
                "a delay of {} slots is more than half an epoch of {epoch_slots} slots: answers come too late to send \
                 in every epoch, so throughput is below capacity, while the bound on queues holds; a shorter --delay-ns, longer \
                 --slot-ns, more --hosts or fewer --channels help",
                self.delay_slots()
            )
        })
    }

    /// Takes flows that these rules can serve: those with classes only if the rules know them.
    ///
    /// # Errors
    /// There are classes, and the rules, or failures in a run, know none.
    pub fn accept(&self, flows: Flows) -> Result<Flows, Mistake> {
        let reader = match (self.rules(), &self.failures) {
            (Rules::Relay(relay::Rules::Shoal), None) => return Ok(flows),
            (Rules::Relay(relay::Rules::Shoal), Some(_)) => "failures in a run".into(),
            (rules, _) => format!("the rules {rules}"),
        };
        Ok(Flows { flows: flows.without_classes(&reader)?, classes: None })
    }

    /// Simulates flows that were accepted: see [`Configuration::accept`] and [`Configuration::run`].
    ///
    /// # Panics
    ///
    /// As [`Configuration::run`].
    pub fn run_accepted(
        &self,
        Flows { flows, classes }: &Flows,
        trace: Option<Trace<'_>>,
    ) -> Result<Outcome, BadFabric> {
        match (&self.simulator, classes) {
            (Simulator::Relay(settings), Some(classes)) => {
                classes::run(&self.schedule, settings, flows, classes, trace)
            }
            _ => self.run(flows, trace),
        }
    }

    /// Simulates flows, which [`crate::flows::read`] has read for as many hosts. `trace` gets each cell that is sent. An
    /// error says that there are no threads for all workers.
    ///
    /// # Panics
    ///
    /// If a flow has a host that there is not, or there are 2^32 flows or more.
    pub fn run(&self, flows: &[Flow], trace: Option<Trace<'_>>) -> Result<Outcome, BadFabric> {
        match (&self.simulator, &self.failures) {
            (Simulator::Published(settings), _) => {
                published::run(settings, flows, self.workers, trace)
            }
            (Simulator::Relay(settings), Some(failures)) => {
                failures::run(&self.schedule, settings, failures, flows, &mut |_| {}, trace)
            }
            (Simulator::Relay(settings), None) => {
                relay::run(&self.schedule, settings, flows, self.workers, trace)
            }
            (Simulator::Rotors(settings), _) => rotors::run(settings, flows, trace),
        }
    }
}
