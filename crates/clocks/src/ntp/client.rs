//! Follows a server.

use super::PORT;
use super::message::{Message, Mode, Stamp};
use crate::keeper::{Adjustment, Counts, Incoming, Keeper, Outgoing};
use crate::servo::{Servo, Stamps};
use crate::time::Time;
use std::collections::VecDeque;
use std::net::Ipv4Addr;

/// Samples of the clock filter (RFC 5905 section 10).
const FILTER: usize = 8;
/// An offset that is larger is stepped (section 11.3, STEPT).
const STEP: Time = Time(128_000_000 << 16);

#[derive(Debug, Clone, Copy)]
struct Sample {
    delay: Time,
    offset: Time,
    at: Time,
}

/// See the module.
#[derive(Debug, Clone)]
pub struct Client {
    server: Ipv4Addr,
    interval: Time,
    servo: Servo,
    next: Option<Time>,
    /// What the request that is open said, and when it left.
    request: Option<(Stamp, Time)>,
    filter: VecDeque<Sample>,
    last_used: Option<Time>,
    told: Option<Adjustment>,
    counts: Counts,
}

impl Client {
    /// A client that sends a request every `interval` seconds.
    pub fn new(server: Ipv4Addr, interval: f64, stamps: Stamps) -> Self {
        Self {
            server,
            interval: Time::of_seconds(interval),
            servo: Servo::new(stamps, interval, Some(STEP)),
            next: None,
            request: None,
            filter: VecDeque::new(),
            last_used: None,
            told: None,
            counts: Counts::default(),
        }
    }

    /// Of the last eight the one with the least delay, if it is later than what was used before.
    fn sample(&mut self, sample: Sample) {
        if self.filter.len() == FILTER {
            self.filter.pop_front();
        }
        self.filter.push_back(sample);
        let Some(best) = self.filter.iter().min_by_key(|sample| sample.delay).copied() else {
            return;
        };
        if self.last_used.is_some_and(|last| best.at <= last) {
            return;
        }
        self.last_used = Some(best.at);
        self.counts.samples += 1;
        let Some(told) = self.servo.sample(best.offset, best.at) else { return };
        if told.step != Time(0) {
            self.counts.steps += 1;
            (self.request, self.last_used) = (None, None);
            self.filter.clear();
        }
        self.told = Some(told);
    }
}

impl Keeper for Client {
    fn poll(&mut self, now: Time, out: &mut Vec<Outgoing>) -> Option<Time> {
        let next = *self.next.get_or_insert(now);
        if next > now {
            return Some(next);
        }
        self.next = Some((next + self.interval).max(now));
        let none = Stamp::default();
        let transmit = Stamp::of(now);
        self.request = Some((transmit, now));
        let message =
            Message { mode: Mode::Client, stratum: 0, origin: none, receive: none, transmit };
        let payload = message.emit().to_vec();
        out.push(Outgoing { to: self.server, port: PORT, payload, tag: Some(transmit.0 as u32) });
        self.counts.sent += 1;
        self.next
    }

    fn departed(&mut self, tag: u32, stamp: Time) {
        if let Some((transmit, left)) = &mut self.request
            && transmit.0 as u32 == tag
        {
            *left = stamp;
        }
    }

    fn receive(&mut self, incoming: Incoming<'_>) -> bool {
        if incoming.port != PORT {
            return false;
        }
        let message = Message::parse(incoming.payload).filter(|one| one.mode == Mode::Server);
        let (Some(message), Some((transmit, left))) = (message, self.request) else {
            self.counts.unexpected += 1;
            return true;
        };
        // An answer to something else, or the second one (section 8).
        if message.origin != transmit {
            self.counts.unexpected += 1;
            return true;
        }
        self.request = None;
        let came = incoming.stamp;
        let (received, sent) = (message.receive.time(left), message.transmit.time(left));
        let delay = (came - left) - (sent - received);
        // By how much this clock is ahead: the negative of the RFC's theta.
        let offset = -((received - left) + (sent - came)).half();
        self.sample(Sample { delay: delay.max(Time(0)), offset, at: came });
        true
    }

    fn adjustment(&mut self) -> Option<Adjustment> {
        self.told.take()
    }

    fn counts(&self) -> Counts {
        self.counts
    }
}
