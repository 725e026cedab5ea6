//! The hosts of the sketch: those that add what arrives to their bitmaps and push them, and those with an instance of the
//! service.

use super::links::LinkSketches;
use super::push::messages;
use super::service::{Service, instance_of};
use super::{hash, links};
use crate::host::agent::{Agent, Received, Report, Time};
use crate::host::record::Record;
use crate::host::shim::{self, Shim};
use crate::packet::{Repr, Tpp};
use ww_packet::udp_frame::{self, End, datagram};

/// Bytes of a message, so that a datagram of 1500 bytes has room for it.
const MOST: usize = 1400;

/// What is counted of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Element {
    /// IPv4's source address.
    Source,
    /// IPv4's destination address.
    Destination,
}

/// What a monitoring host is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Its packets' TPPs have this tag; others are not for it.
    pub app: u8,
    /// What is counted.
    pub element: Element,
    /// Bits of a bitmap.
    pub bits: usize,
    /// Links that it has room for.
    pub room: usize,
    /// From one push to the next; the paper's is 10 s.
    pub period: Time,
    /// How long an epoch is: bitmaps begin anew then.
    pub epoch: Time,
    /// Where it sends from.
    pub own: End,
    /// The instances of the service.
    pub services: Vec<End>,
}

/// A host whose shim takes TPPs out of what arrives, and which pushes bitmaps.
#[derive(Debug)]
pub struct Monitor {
    settings: Settings,
    shim: Shim,
    sketches: LinkSketches,
    epoch: u32,
    next: Time,
    pushed: [u64; 2],
}

impl Monitor {
    /// `None` if bitmaps cannot have so many bits.
    pub fn new(settings: Settings, shim: Shim) -> Option<Self> {
        let sketches = LinkSketches::new(settings.bits, settings.room)?;
        let next = settings.period;
        Some(Self { settings, shim, sketches, epoch: 0, next, pushed: [0; 2] })
    }

    /// The number of the epoch at a time.
    fn epoch_at(&self, now: Time) -> u32 {
        (now / self.settings.epoch.max(1)) as u32
    }

    fn push(&mut self, out: &mut Vec<Vec<u8>>) {
        let instances = self.settings.services.len() as u32;
        let changed = self.sketches.take_changed();
        for (number, service) in (0u32..).zip(&self.settings.services) {
            let its = changed.iter().filter(|(link, _)| instance_of(*link, instances) == number);
            for message in messages(self.epoch, its.copied(), MOST) {
                let frame = datagram(self.settings.own, *service, &message);
                self.pushed[0] += 1;
                self.pushed[1] += frame.len() as u64;
                out.push(frame);
            }
        }
    }
}

impl Agent for Monitor {
    fn transmit(&mut self, _: Time, frame: &mut Vec<u8>) -> bool {
        self.shim.transmit(frame) != shim::Sent::Refused
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        match self.shim.receive(frame) {
            shim::Received::Stripped(tpp) => {
                let record = Tpp::new(tpp).ok().and_then(|tpp| {
                    let record = Record::of(now, &Repr::parse(&tpp), frame)?;
                    (record.app == self.settings.app).then_some(record)
                });
                // What comes in an epoch that has begun without a push counts for the one that is pushed next.
                if let Some(record) = record {
                    let address = match self.settings.element {
                        Element::Source => record.source,
                        Element::Destination => record.destination,
                    };
                    links(&record).for_each(|link| self.sketches.add(link, hash(address.into())));
                }
                Received::Deliver
            }
            shim::Received::Plain => Received::Deliver,
            shim::Received::Echo => Received::SendBack,
            shim::Received::Returned { .. } => Received::Taken,
        }
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        if now >= self.next {
            self.next = now.saturating_add(self.settings.period.max(1));
            self.push(out);
            if self.epoch_at(now) != self.epoch {
                self.epoch = self.epoch_at(now);
                self.sketches.clear();
            }
        }
        Some(self.next)
    }

    fn report(&mut self) -> Report {
        let figures = [
            ("sketch links", self.sketches.iter().count() as f64),
            ("sketch bytes", self.sketches.memory() as f64),
            ("sketch messages", self.pushed[0] as f64),
            ("sketch message bytes", self.pushed[1] as f64),
        ];
        let figures = figures.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Report { figures, ..Report::default() }
    }
}

/// A host with an instance of the service.
#[derive(Debug)]
pub struct Collector {
    port: u16,
    service: Service,
    taken: u64,
    refused: u64,
}

impl Collector {
    /// That listens at a UDP port.
    pub fn new(port: u16, service: Service) -> Self {
        Self { port, service, taken: 0, refused: 0 }
    }

    /// Its instance.
    pub fn service(&self) -> &Service {
        &self.service
    }
}

impl Agent for Collector {
    fn receive(&mut self, _: Time, frame: &mut Vec<u8>) -> Received {
        let Some(message) = udp_frame::data(frame, self.port) else { return Received::Deliver };
        match self.service.take(message) {
            Ok(()) => self.taken += 1,
            Err(_) => self.refused += 1,
        }
        Received::Taken
    }

    fn report(&mut self) -> Report {
        let figures = [("sketches taken", self.taken), ("sketches refused", self.refused)];
        let figures = figures.map(|(name, value)| (name.to_owned(), value as f64)).to_vec();
        Report { figures, ..Report::default() }
    }
}
