//! The rules `shoal` in a fabric with failures (S27): headers with bit errors, hosts that die and come back.
//!
//! A model of its own, so that the simulator of a fabric without failures has nothing to do for them; without failures both
//! send the same cells. docs/fabric.md, "Failures", says what hosts do.

pub(crate) mod account;
mod came;
mod host;
mod run;

use super::{Rules, Settings};
use crate::schedule::{BadFabric, Schedule};
pub use run::run;
use serde_json::{Value, json};
use std::fmt;
use std::str::FromStr;

/// A host and a slot: `HOST@SLOT`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostAt {
    /// The host, from 0.
    pub host: usize,
    /// The slot, from 0.
    pub slot: u64,
}

impl FromStr for HostAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let is_number =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        let read = || {
            let (host, slot) = text.split_once('@')?;
            let all = is_number(host) && is_number(slot);
            all.then_some(Self { host: host.parse().ok()?, slot: slot.parse().ok()? })
        };
        read().ok_or_else(|| {
            let text: String = text.chars().take(40).collect();
            format!("expected HOST@SLOT, such as 3@1000, found '{}'", text.escape_debug())
        })
    }
}

impl fmt::Display for HostAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.host, self.slot)
    }
}

/// What hosts do against losses. A part can be left out, to see that whoever checks deliveries finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recovery {
    /// A cell that was dropped is sent again.
    pub retransmits: bool,
    /// Cells that a dead host may not have passed on are sent over others.
    pub reroutes: bool,
    /// A cell that has arrived already is not delivered again.
    pub discards_duplicates: bool,
}

/// What fails.
#[derive(Clone, Debug, PartialEq)]
pub struct Failures {
    /// The probability that the header of a cell, empty ones too, arrives with an error: 0 to less than 1.
    pub flip: f64,
    /// What chooses these cells.
    pub seed: u64,
    /// Hosts that die at the start of a slot.
    pub kills: Vec<HostAt>,
    /// Dead hosts that come back at the start of a slot, without what they had stored.
    pub revivals: Vec<HostAt>,
    /// After the last death, a schedule without the dead hosts takes the place of the first.
    pub repair: bool,
    /// All of it, if not said otherwise.
    pub recovery: Recovery,
}

impl Default for Failures {
    fn default() -> Self {
        Self {
            flip: 0.0,
            seed: 1,
            kills: Vec::new(),
            revivals: Vec::new(),
            repair: false,
            recovery: Recovery { retransmits: true, reroutes: true, discards_duplicates: true },
        }
    }
}

impl Failures {
    /// Slots after a death in which a host does not come back, as until then cells from before may be on their way; and after its return in which it does not
    /// die, as until then not all have heard it.
    pub fn least_absence(schedule: &Schedule, delay: u64) -> u64 {
        2 * (schedule.slots() as u64 + delay)
    }

    /// Whether these failures can be simulated.
    ///
    /// # Errors
    /// They cannot; the message names the option to change.
    pub fn check(&self, schedule: &Schedule, settings: &Settings) -> Result<(), BadFabric> {
        let bad = |message| Err(BadFabric(message));
        if !(0.0..1.0).contains(&self.flip) {
            return bad(format!(
                "expected a probability of 0 to less than 1, found {}; change --flip",
                self.flip
            ));
        }
        if settings.rules != Rules::Shoal {
            return bad(format!(
                "expected --rules shoal with --flip and --kill, as no other rules know failures in a run, found {}; change \
                 --rules",
                settings.rules
            ));
        }
        if settings.fail != 0.0 {
            return bad(format!(
                "expected no --fail with --flip and --kill, found {}; add --kill HOST@0 for each host instead",
                settings.fail
            ));
        }
        let hosts = schedule.hosts();
        for (option, all) in [("kill", &self.kills), ("revive", &self.revivals)] {
            if let Some(event) = all.iter().find(|event| event.host >= hosts) {
                return bad(format!(
                    "expected a host of 0 to {}, found {event}; change --{option}",
                    hosts - 1
                ));
            }
        }
        let absence = Self::least_absence(schedule, settings.delay);
        let mut death = vec![None; hosts];
        let mut birth = vec![None; hosts];
        for Event { slot, host, dies } in self.events() {
            let at = HostAt { host, slot };
            match (dies, death[host]) {
                (true, None) => {
                    death[host] = Some(slot);
                    if let Some(since) = birth[host]
                        && slot - since < absence
                    {
                        return bad(format!(
                            "expected {absence} slots or more between return and death of a host, so that all hear of it, found {} for \
                             {at}; change --kill",
                            slot - since
                        ));
                    }
                }
                (true, Some(_)) => {
                    return bad(format!(
                        "expected a host that is alive, found {at} after its death; change --kill"
                    ));
                }
                (false, None) => {
                    return bad(format!(
                        "expected a host that is dead, found {at} without a --kill before it; change --revive"
                    ));
                }
                (false, Some(since)) => {
                    if slot - since < absence {
                        return bad(format!(
                            "expected {absence} slots or more between death and return of a host, as its old cells are \
                             on their way until then, found {} for {at}; change --revive",
                            slot - since
                        ));
                    }
                    death[host] = None;
                    birth[host] = Some(slot);
                }
            }
        }
        self.repaired(schedule, settings.delay).map(|_| ())
    }

    /// The schedule after a repair, the hosts that it is for, and when: in slot `pause` hosts stop to send cells that are not
    /// empty, in slot `switch`, the start of an epoch, the schedule begins.
    ///
    /// # Errors
    /// There is no such schedule; the message names the option to change.
    pub(crate) fn repaired(
        &self,
        schedule: &Schedule,
        delay: u64,
    ) -> Result<Option<Repair>, BadFabric> {
        if !self.repair {
            return Ok(None);
        }
        let bad = |cause: String| Err(BadFabric(cause));
        let Some(last) = self.kills.iter().map(|at| at.slot).max() else {
            return bad(
                "expected a --kill with --repair, as there is nothing else to repair; add one"
                    .into(),
            );
        };
        if !self.revivals.is_empty() {
            return bad(
                "expected no --revive with --repair, as the repaired schedule has no place for a host that comes back; leave \
                 one of them out"
                    .into(),
            );
        }
        let is_alive = |host: &usize| self.kills.iter().all(|at| at.host != *host);
        let hosts: Vec<usize> = (0..schedule.hosts()).filter(is_alive).collect();
        let repaired = Schedule::new(hosts.len(), schedule.order(), schedule.channels())
            .map_err(|BadFabric(cause)| BadFabric(format!("{cause}; change --kill or --repair")))?;
        let epoch_slots = schedule.slots() as u64;
        // All know of the death; then all that is on its way is answered.
        let pause = last.saturating_add(epoch_slots + delay);
        let switch =
            pause.saturating_add(Self::least_absence(schedule, delay)).div_ceil(epoch_slots);
        Ok(Some(Repair {
            schedule: repaired,
            hosts,
            pause,
            switch: switch.saturating_mul(epoch_slots),
        }))
    }

    /// Deaths and returns, by slot; a return in the slot of a death comes after it.
    pub(crate) fn events(&self) -> Vec<Event> {
        let event = |dies| move |&HostAt { host, slot }: &HostAt| Event { slot, host, dies };
        let deaths = self.kills.iter().map(event(true));
        let mut events: Vec<_> = deaths.chain(self.revivals.iter().map(event(false))).collect();
        events.sort_by_key(|event| event.slot);
        events
    }

    /// Whether the header of the cell that `from` sends to `to` in `slot` arrives with an error.
    pub(crate) fn damages(&self, slot: u64, from: usize, to: usize) -> bool {
        if self.flip == 0.0 {
            return false;
        }
        ((self.draw(slot, from, to) >> 11) as f64) < self.flip * (1_u64 << 53) as f64
    }

    /// The bits of that header that are inverted, 1 to 3 of 64, as the header's check sequence finds all of these; 0 if it arrives
    /// as it was sent.
    pub(crate) fn damage(&self, slot: u64, from: usize, to: usize) -> u64 {
        if !self.damages(slot, from, to) {
            return 0;
        }
        let draw = mix(self.draw(slot, from, to));
        let bits = draw % 3 + 1;
        (1..=bits).fold(0, |header, bit| header | 1 << (draw >> (8 * bit) & 63))
    }

    /// A number for a cell, any of 64 bits.
    fn draw(&self, slot: u64, from: usize, to: usize) -> u64 {
        mix(mix(mix(self.seed) ^ slot) ^ ((from as u64) << 32 | to as u64))
    }
}

/// SplitMix64's finalizer, over what names a cell: no state, so no order of hosts matters.
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// See [`Failures::repaired`].
#[derive(Debug)]
pub(crate) struct Repair {
    pub(crate) schedule: Schedule,
    pub(crate) hosts: Vec<usize>,
    pub(crate) pause: u64,
    pub(crate) switch: u64,
}

/// A host dies or comes back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) slot: u64,
    pub(crate) host: usize,
    pub(crate) dies: bool,
}

/// A cell that a destination hands to its user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delivery {
    /// The slot.
    pub slot: u64,
    /// The cell's source.
    pub src: usize,
    /// Its destination.
    pub dst: usize,
    /// Its number among those of source and destination.
    pub seq: u64,
}

/// What failures have cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCounts {
    /// Cells with a bad header that hosts have dropped, empty ones too.
    pub dropped: u64,
    /// Cells that were sent again over the same link.
    pub retransmitted: u64,
    /// Cells that were sent again over another host, as the one between has died.
    pub rerouted: u64,
    /// Cells that had arrived before and were discarded at their destination.
    pub duplicates: u64,
    /// Flows that ended unfinished, as their source or destination has died, or was dead when they started.
    pub dead_flows: u64,
}

impl FailureCounts {
    /// The counts as a JSON object.
    pub fn json(&self) -> Value {
        let Self { dropped, retransmitted, rerouted, duplicates, dead_flows } = *self;
        json!({
            "dropped": dropped,
            "retransmitted": retransmitted,
            "rerouted": rerouted,
            "duplicates": duplicates,
            "dead_flows": dead_flows,
        })
    }
}

/// A line for people.
impl fmt::Display for FailureCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { dropped, retransmitted, rerouted, duplicates, dead_flows } = self;
        writeln!(
            f,
            "failures: cells dropped {dropped}, retransmitted {retransmitted}, rerouted {rerouted}, duplicates {duplicates}; \
             flows from or to dead hosts {dead_flows}"
        )
    }
}
