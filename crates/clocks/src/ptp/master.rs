//! Tells its time.

use super::message::{Body, Message, PortIdentity};
use super::{EVENT_PORT, GENERAL_PORT};
use crate::keeper::{Counts, Incoming, Keeper, Outgoing};
use crate::time::Time;
use std::net::Ipv4Addr;

/// See the module.
#[derive(Debug, Clone)]
pub struct Master {
    identity: PortIdentity,
    domain: u8,
    /// Who gets Syncs.
    slaves: Vec<Ipv4Addr>,
    interval: Time,
    next: Option<Time>,
    sequence: u16,
    waiting: Vec<Outgoing>,
    counts: Counts,
}

impl Master {
    /// A master that sends a Sync to each of these slaves, at most 65,536, once per interval in seconds.
    pub fn new(clock: [u8; 8], domain: u8, slaves: Vec<Ipv4Addr>, interval: f64) -> Self {
        Self {
            identity: PortIdentity { clock, port: 1 },
            domain,
            slaves,
            interval: Time::of_seconds(interval),
            next: None,
            sequence: 0,
            waiting: Vec::new(),
            counts: Counts::default(),
        }
    }

    fn message(&self, sequence: u16, body: Body) -> Message {
        Message {
            domain: self.domain,
            two_step: matches!(body, Body::Sync(_)),
            correction: Time(0),
            source: self.identity,
            sequence,
            log_interval: self.interval.seconds().log2().round() as i8,
            body,
        }
    }
}

impl Keeper for Master {
    fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time> {
        if self.next.is_none_or(|next| next <= now) {
            self.sequence = self.sequence.wrapping_add(1);
            for (number, to) in self.slaves.iter().enumerate() {
                let payload = self.message(self.sequence, Body::Sync(now)).emit();
                let tag = (number as u32) << 16 | u32::from(self.sequence);
                out.push(Outgoing { to: *to, port: EVENT_PORT, payload, tag: Some(tag) });
            }
            self.next = Some(self.next.unwrap_or(now) + self.interval);
        }
        out.append(&mut self.waiting);
        self.counts.sent += out.len() as u64;
        self.next
    }

    fn departed(&mut self, tag: u32, stamp: Time) {
        let Some(to) = self.slaves.get((tag >> 16) as usize).copied() else { return };
        let payload = self.message(tag as u16, Body::FollowUp(stamp)).emit();
        self.waiting.push(Outgoing { to, port: GENERAL_PORT, payload, tag: None });
    }

    fn receive(&mut self, incoming: Incoming<'_>) -> bool {
        if ![EVENT_PORT, GENERAL_PORT].contains(&incoming.port) {
            return false;
        }
        let message = Message::parse(incoming.payload).filter(|found| found.domain == self.domain);
        let Some(Message { body: Body::DelayRequest, source, sequence, correction, .. }) = message
        else {
            self.counts.unexpected += 1;
            return true;
        };
        let body = Body::DelayResponse(incoming.stamp, source);
        let answer = Message { correction, ..self.message(sequence, body) };
        let (to, payload) = (incoming.from, answer.emit());
        self.waiting.push(Outgoing { to, port: GENERAL_PORT, payload, tag: None });
        true
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
