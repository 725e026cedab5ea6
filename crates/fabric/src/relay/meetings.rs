//! When hosts meet: the schedule, asked by pairs of hosts.

use crate::schedule::{Matching, Schedule};
use std::ops::Range;

/// The slots of an epoch in which each host sends to each other.
///
/// All matchings are shifts, so that two numbers for each shift suffice: one for hosts 0 to N/2 - 1, and one for the
/// others, which differs for shift N/2 of the reordered schedule only.
#[derive(Debug)]
pub struct Meetings {
    schedule: Schedule,
    /// `phases[shift]`: of the lower and the upper half of the hosts.
    phases: Vec<[u16; 2]>,
}

impl Meetings {
    /// Those of a schedule.
    pub fn new(schedule: Schedule) -> Self {
        let hosts = schedule.hosts();
        let mut phases = vec![[0; 2]; hosts];
        for channel in 0..schedule.channels() {
            for phase in 0..schedule.slots() {
                let matching = schedule.matching(channel, phase);
                let Some(shift) = matching.shift(hosts) else { continue };
                let [lower, upper] = &mut phases[shift];
                if matching != Matching::UpperHalf {
                    *lower = phase as u16;
                }
                if matching != Matching::LowerHalf {
                    *upper = phase as u16;
                }
            }
        }
        Self { schedule, phases }
    }

    /// Hosts, N.
    pub fn hosts(&self) -> usize {
        self.schedule.hosts()
    }

    /// Channels of a host.
    pub fn channels(&self) -> usize {
        self.schedule.channels()
    }

    /// Slots of an epoch, P.
    pub fn epoch_slots(&self) -> u64 {
        self.schedule.slots() as u64
    }

    /// Who sends on `channel` in `slot` since the start, and by how much the numbers of their peers differ from theirs.
    pub fn senders(&self, channel: usize, slot: u64) -> Option<(usize, Range<usize>)> {
        let (hosts, phase) = (self.hosts(), (slot % self.epoch_slots()) as usize);
        match self.schedule.matching(channel, phase) {
            Matching::Idle => None,
            Matching::Shift(shift) => Some((shift, 0..hosts)),
            Matching::LowerHalf => Some((hosts / 2, 0..hosts / 2)),
            Matching::UpperHalf => Some((hosts / 2, hosts / 2..hosts)),
        }
    }

    /// The host that is `shift` hosts behind another, modulo N.
    pub fn behind(&self, host: usize, shift: usize) -> usize {
        let sum = host + shift;
        if sum < self.hosts() { sum } else { sum - self.hosts() }
    }

    /// 0 for the lower half of the hosts, 1 for the upper one: all of a half send to those with the same shift in the same
    /// slot.
    pub fn half(&self, host: usize) -> usize {
        usize::from(2 * host >= self.hosts())
    }

    /// By how much the numbers of two hosts differ, modulo N.
    pub fn shift(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.hosts() - from }
    }

    /// The slot of an epoch in which a host sends to that `shift` hosts behind it.
    pub fn phase(&self, host: usize, shift: usize) -> u64 {
        u64::from(self.phases[shift][self.half(host)])
    }

    /// The first slot from `from` on that is `phase` in its epoch.
    pub fn next(&self, phase: u64, from: u64) -> u64 {
        let epoch = self.epoch_slots();
        from + (phase + epoch - from % epoch) % epoch
    }
}
