//! Follows a master.

use super::message::{Body, Message, PortIdentity};
use super::{EVENT_PORT, GENERAL_PORT};
use crate::keeper::{Adjustment, Counts, Incoming, Keeper, Outgoing};
use crate::median::Median;
use crate::servo::{Servo, Stamps};
use crate::time::Time;
use std::net::Ipv4Addr;

/// How a slave behaves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Its clock.
    pub clock: [u8; 8],
    /// Of the master; messages of other domains are not its own.
    pub domain: u8,
    /// Where its requests go: a master, or the multicast address of all.
    pub master: Ipv4Addr,
    /// Seconds from Sync to Sync.
    pub sync_interval: f64,
    /// Seconds from Delay_Req to Delay_Req in the mean.
    pub delay_interval: f64,
    /// Where stamps are taken.
    pub stamps: Stamps,
    /// It measures, and does not touch the clock.
    pub free_running: bool,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Slave {
    settings: Settings,
    servo: Servo,
    master: Option<PortIdentity>,
    /// A Sync whose exact time is to come: its number, when it came, and its correction.
    sync: Option<(u16, Time, Time)>,
    /// The last Sync: when it came, and how long it took as the clocks have it.
    there: Option<(Time, Time)>,
    /// A request that was answered: when it left, how long it took, and the Sync before.
    back: Option<(Time, Time, (Time, Time))>,
    /// The request that is open: its number, and when it left.
    request: Option<(u16, Option<Time>)>,
    sequence: u16,
    next_request: Option<Time>,
    delays: Median,
    delay: Option<Time>,
    offset: Option<Time>,
    told: Option<Adjustment>,
    counts: Counts,
}

impl Slave {
    /// Without a master yet.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            servo: Servo::new(settings.stamps, settings.sync_interval, None),
            master: None,
            sync: None,
            there: None,
            back: None,
            request: None,
            sequence: 0,
            next_request: None,
            delays: Median::default(),
            delay: None,
            offset: None,
            told: None,
            counts: Counts::default(),
        }
    }

    /// By how much the clock was ahead of the master's at the last Sync.
    pub fn offset(&self) -> Option<Time> {
        self.offset
    }

    /// Path delay from the master: the median of the last ten measurements.
    pub fn delay(&self) -> Option<Time> {
        self.delay
    }

    fn identity(&self) -> PortIdentity {
        PortIdentity { clock: self.settings.clock, port: 1 }
    }

    /// A Sync left the master at a time and came at another one, corrected.
    fn synced(&mut self, left: Time, came: Time, correction: Time) {
        let there = came - left - correction;
        if let Some((asked, back, (before, there_before))) = self.back.take() {
            // Clocks drift from Sync to Sync: how long one would have taken as the request left.
            let share = (asked - before).seconds() / (came - before).seconds().max(1e-9);
            let change = ((there - there_before).0 as f64 * share.clamp(0.0, 1.0)) as i128;
            let delay = (there_before + Time(change) + back).half();
            self.delay = Some(self.delays.add(delay.max(Time(0))));
        }
        self.there = Some((came, there));
        let Some(delay) = self.delay else { return };
        let offset = there - delay;
        self.offset = Some(offset);
        self.counts.samples += 1;
        if self.settings.free_running {
            return;
        }
        let Some(told) = self.servo.sample(offset, came) else { return };
        if told.step != Time(0) {
            self.counts.steps += 1;
            // What was measured before is of another time.
            (self.there, self.back, self.request, self.sync) = (None, None, None, None);
        }
        self.told = Some(told);
    }

    /// From this request to the next: up to twice the mean (clause 9.5.11.2), so that slaves do not queue behind each other for ever.
    /// It follows from the clock's identity and the number of the request (SplitMix64).
    fn wait(&self) -> Time {
        let mut word = u64::from_be_bytes(self.settings.clock)
            .wrapping_add(u64::from(self.sequence).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        let share = (word ^ word >> 31) as f64 / u64::MAX as f64;
        Time::of_seconds(2.0 * share * self.settings.delay_interval)
    }

    fn message(&mut self, message: &Message, stamp: Time) -> Option<()> {
        match message.body {
            Body::Sync(time) => {
                if *self.master.get_or_insert(message.source) != message.source {
                    return None;
                }
                match message.two_step {
                    true => self.sync = Some((message.sequence, stamp, message.correction)),
                    false => self.synced(time, stamp, message.correction),
                }
            }
            Body::FollowUp(time) => {
                let (sequence, came, correction) = self.sync?;
                if self.master != Some(message.source) || message.sequence != sequence {
                    return None;
                }
                self.sync = None;
                self.synced(time, came, correction + message.correction);
            }
            Body::DelayResponse(time, port) => {
                let (sequence, left) = self.request?;
                let is_own = port == self.identity() && message.sequence == sequence;
                if self.master != Some(message.source) || !is_own {
                    return None;
                }
                self.request = None;
                let (left, before) = (left?, self.there?);
                // Beside the Sync before and the one that comes next.
                if left >= before.0 {
                    self.back = Some((left, time - left - message.correction, before));
                }
            }
            // Of another slave that is heard, or a clock that would be master.
            Body::DelayRequest | Body::Announce => {}
        }
        Some(())
    }
}

impl Keeper for Slave {
    fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time> {
        let wait = self.wait();
        let next = *self.next_request.get_or_insert(now + wait);
        if next > now {
            return Some(next);
        }
        // Not behind by more than one, where the clock was stepped.
        self.next_request = Some((next + wait).max(now));
        if self.there.is_some() {
            self.sequence = self.sequence.wrapping_add(1);
            self.request = Some((self.sequence, None));
            let message = Message {
                domain: self.settings.domain,
                two_step: false,
                correction: Time(0),
                source: self.identity(),
                sequence: self.sequence,
                log_interval: 0x7f,
                body: Body::DelayRequest,
            };
            let (to, payload) = (self.settings.master, message.emit());
            out.push(Outgoing { to, port: EVENT_PORT, payload, tag: Some(self.sequence.into()) });
            self.counts.sent += 1;
        }
        self.next_request
    }

    fn departed(&mut self, tag: u32, stamp: Time) {
        if let Some((sequence, left)) = &mut self.request
            && u32::from(*sequence) == tag
        {
            *left = Some(stamp);
        }
    }

    fn receive(&mut self, incoming: Incoming<'_>) -> bool {
        if ![EVENT_PORT, GENERAL_PORT].contains(&incoming.port) {
            return false;
        }
        let message = Message::parse(incoming.payload);
        let own = message.filter(|message| message.domain == self.settings.domain);
        let taken = own.and_then(|message| self.message(&message, incoming.stamp));
        self.counts.unexpected += u64::from(taken.is_none());
        true
    }

    fn adjustment(&mut self) -> Option<Adjustment> {
        self.told.take()
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
