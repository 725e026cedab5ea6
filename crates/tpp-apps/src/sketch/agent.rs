//! The hosts of the sketch: those that add what arrives to their bitmaps and push them, and those with an instance of the
//! service.

use super::links::LinkSketches;
use super::push::messages;
use super::service::{Service, instance_of};
use super::{hash, links};
use crate::application::ShimSpec;
use serde::{Deserialize, Serialize};
use ww_host::agent::{Agent, Received, Report, Time};
use ww_host::filter::Fields;
use ww_host::record::Record;
use ww_host::shim::{self, Shim};
use ww_packet::udp_frame::{self, End, datagram};

/// Bytes of a message, so that a datagram of 1500 bytes has room for it.
const MOST: usize = 1400;

/// What is counted of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Element {
    /// IPv4's source address.
    Source,
    /// IPv4's destination address.
    Destination,
    /// Both, the protocol, and the ports of TCP and UDP.
    Flow,
}

impl Element {
    /// What is hashed of a packet.
    pub fn number(self, packet: &Fields) -> u64 {
        let (source, destination) = (u64::from(packet.source), u64::from(packet.destination));
        let [from, to] = packet.ports.unwrap_or_default().map(u64::from);
        match self {
            Self::Source => source,
            Self::Destination => destination,
            Self::Flow => {
                hash(source << 32 | destination)
                    ^ (u64::from(packet.protocol) << 32 | from << 16 | to)
            }
        }
    }
}

/// The settings of a monitoring host.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    /// When it pushes what it has got since the push before, and not again after that.
    pub last: Time,
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
    next: Option<Time>,
    pushed: [u64; 2],
    /// TPPs, their bytes, and all bytes that were sent.
    stamped: [u64; 3],
}

impl Monitor {
    /// `None` if bitmaps cannot have that many bits.
    pub fn new(settings: Settings, shim: Shim) -> Option<Self> {
        let sketches = LinkSketches::new(settings.bits, settings.room)?;
        let next = Some(settings.period.min(settings.last));
        Some(Self { settings, shim, sketches, epoch: 0, next, pushed: [0; 2], stamped: [0; 3] })
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
        let before = frame.len();
        let sent = self.shim.transmit(frame);
        let [tpps, tpp_bytes, bytes] = &mut self.stamped;
        *tpps += u64::from(matches!(sent, shim::Sent::Stamped(_)));
        *tpp_bytes += (frame.len() - before) as u64;
        *bytes += frame.len() as u64;
        sent != shim::Sent::Refused
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let (received, tpp) = self.shim.take(frame);
        let record = tpp.and_then(|tpp| Record::of(now, &tpp, frame));
        // What comes in an epoch that has begun without a push counts for the one that is pushed next.
        if let Some(record) = record.filter(|record| record.app == self.settings.app) {
            let element = hash(self.settings.element.number(&record.fields()));
            links(&record).for_each(|link| self.sketches.add(link, element));
        }
        received
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        if self.next.is_some_and(|next| now >= next) {
            let Settings { period, last, .. } = self.settings;
            self.next = (now < last).then(|| now.saturating_add(period.max(1)).min(last));
            self.push(out);
            if self.epoch_at(now) != self.epoch {
                self.epoch = self.epoch_at(now);
                self.sketches.clear();
            }
        }
        self.next
    }

    fn report(&mut self) -> Report {
        let figures = [
            ("host_links", self.sketches.iter().count() as u64),
            ("host_bytes", self.sketches.memory() as u64),
            ("refused", self.sketches.refused()),
            ("pushes", self.pushed[0]),
            ("push_bytes", self.pushed[1]),
            ("stamped", self.stamped[0]),
            ("stamp_bytes", self.stamped[1]),
            ("sent_bytes", self.stamped[2]),
        ];
        let figures = figures.map(|(name, value)| (name.to_owned(), value as f64)).to_vec();
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
        let figures = [("pushes_taken", self.taken), ("pushes_refused", self.refused)];
        let figures = figures.map(|(name, value)| (name.to_owned(), value as f64)).to_vec();
        let bitmaps = self.service.latest().into_iter().flat_map(LinkSketches::iter);
        let bitmaps: Vec<_> = bitmaps.map(|(link, bitmap)| (link, bitmap.to_vec())).collect();
        Report { figures, details: super::details(&bitmaps), ..Report::default() }
    }
}

/// The settings of a host of a lab.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Of its monitor.
    pub settings: Settings,
    /// Its shim.
    pub shim: ShimSpec,
}

/// A host that monitors, and has an instance of the service if it is among those that are named.
#[derive(Debug)]
pub struct Host {
    own: End,
    monitor: Monitor,
    collector: Option<Collector>,
}

impl Host {
    /// `None` if bitmaps cannot have that many bits.
    pub fn new(spec: Spec) -> Option<Self> {
        let Spec { settings, shim } = spec;
        let (own, bits, room) = (settings.own, settings.bits, settings.room);
        let instances = settings.services.len() as u32;
        let instance = (0..).zip(&settings.services).find(|(_, service)| service.ip == own.ip);
        let collector = match instance {
            Some((number, _)) => {
                let service = Service::new(bits, room, (number, instances))?;
                Some(Collector::new(own.port, service))
            }
            None => None,
        };
        Some(Self { own, monitor: Monitor::new(settings, shim.shim())?, collector })
    }
}

impl Agent for Host {
    fn transmit(&mut self, now: Time, frame: &mut Vec<u8>) -> bool {
        self.monitor.transmit(now, frame)
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let taken = self.collector.as_mut().map(|collector| collector.receive(now, frame));
        match taken {
            Some(Received::Taken) => Received::Taken,
            _ => self.monitor.receive(now, frame),
        }
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        let next = self.monitor.poll(now, out);
        // What is for its own instance stays.
        if let Some(collector) = &mut self.collector {
            let own = self.own.mac;
            out.retain_mut(|frame| {
                !frame.starts_with(&own) || collector.receive(now, frame) != Received::Taken
            });
        }
        next
    }

    fn report(&mut self) -> Report {
        let mut report = self.monitor.report();
        if let Some(collector) = &mut self.collector {
            let Report { figures, details, .. } = collector.report();
            report.figures.extend(figures);
            report.details = details;
        }
        report
    }
}
