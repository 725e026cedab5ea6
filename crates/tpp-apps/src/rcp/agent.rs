//! Hosts that send and receive flows under RCP*.

use super::{Controller, Fairness, Settings, audit, samples, update};
use crate::pace::Pace;
use crate::station::{LINE_OVERHEAD, Station};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::filter::Fields;
use ww_host::record::Record;
use ww_host::shim::{self, Sent, Shim};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::Protection;

/// UDP ports of a flow: this and its number. Of data, of collections, of updates.
const PORTS: [u16; 3] = [20_000, 30_000, 40_000];
/// Flows of a lab, so that ports do not meet.
pub const MAX_FLOWS: u16 = 10_000;
/// Updates of a link in a period, in the mean.
const UPDATES: f64 = 1.0;
/// Collections without an answer after which a flow halves its rate.
const PATIENCE: u64 = 10;

/// A flow that a host sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FlowSpec {
    /// Its number in the lab, below [`MAX_FLOWS`].
    pub number: u16,
    /// To whom.
    pub to: Station,
    /// When it starts.
    pub start: Time,
    /// When its first collection is sent, behind that.
    pub offset: Time,
}

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Who it is.
    pub host: Station,
    /// Flows that it sends.
    pub flows: Vec<FlowSpec>,
    /// The number of flows of each pair of hosts; their numbers are consecutive.
    pub each: u16,
    /// When senders end.
    pub stop: Time,
    /// What flows share links by: 0 for max-min.
    pub alpha: f64,
    /// The mean round-trip time and the time between two collections of a flow, ps.
    pub period: Time,
    /// Collections and updates are at most this share of a flow's rate: slower flows collect less often.
    pub share: f64,
    /// Bytes of a frame of data without FCS.
    pub frame: usize,
    /// Bits a second that a flow begins with.
    pub begin: f64,
    /// Capacities of links, bits a second, by their IDs.
    pub capacities: BTreeMap<u32, f64>,
    /// The TPP that collects, which the registry has let pass.
    pub collect: Vec<u8>,
    /// Nothing is written: flows add and multiply by themselves ([`aimd`](super::aimd)).
    pub read_only: bool,
    /// Updates say what came of them, and are kept ([`audit`]). `collect` reads clocks then.
    pub audit: bool,
    /// What applications of this host may do.
    pub protection: Protection,
    /// What counts.
    pub measured: Measured,
}

/// A flow's sender.
struct Sender {
    spec: FlowSpec,
    controller: Controller,
    data: Pace,
    next_collect: Time,
    /// Collections since the last answer.
    unanswered: u64,
    updates: Vec<Repr>,
}

/// See the module.
pub struct Host {
    spec: Spec,
    collect: Repr,
    shim: Shim,
    senders: BTreeMap<u16, Sender>,
    /// Bytes on the line by flow that came here.
    received: BTreeMap<u16, u64>,
    control: u64,
    records: Vec<Record>,
    draws: fastrand::Rng,
}

impl Host {
    /// At the start. `None` if what collects is no TPP.
    pub fn new(spec: Spec) -> Option<Self> {
        let collect = Repr::parse(&Tpp::new(&spec.collect[..]).ok()?);
        let fairness = match spec.alpha {
            0.0 => Fairness::MaxMin,
            alpha => Fairness::Alpha(alpha),
        };
        let seconds = spec.period as f64 / 1e12;
        let settings =
            Settings { fairness, round_trip: seconds, period: seconds, ..Settings::default() };
        let sender = |flow: &FlowSpec| Sender {
            spec: flow.clone(),
            controller: Controller::new(settings, spec.capacities.clone(), spec.begin),
            data: Pace::new(flow.start),
            next_collect: flow.start + flow.offset,
            unanswered: 0,
            updates: Vec::new(),
        };
        let senders = spec.flows.iter().map(|flow| (flow.number, sender(flow))).collect();
        let shim = Shim::new(1500, spec.protection.clone(), 1);
        let (received, records) = (BTreeMap::new(), Vec::new());
        let draws = fastrand::Rng::with_seed(u32::from(spec.host.ip).into());
        Some(Self { collect, shim, senders, received, control: 0, records, draws, spec })
    }

    /// The frame of a standalone TPP, if it may be sent.
    fn tpp(&mut self, now: Time, to: &Station, port: u16, tpp: &Repr) -> Option<Vec<u8>> {
        let mut frame = self.spec.host.standalone(to, port, tpp)?;
        if self.shim.transmit(&mut frame) != Sent::Plain {
            return None;
        }
        if self.spec.measured.has(now) {
            self.control += frame.len() as u64 + LINE_OVERHEAD;
        }
        Some(frame)
    }

    /// Packets of one flow that are due.
    fn send(&mut self, number: u16, now: Time, out: &mut Vec<Vec<u8>>) {
        let Some(mut sender) = self.senders.remove(&number) else { return };
        let to = sender.spec.to;
        for tpp in std::mem::take(&mut sender.updates) {
            out.extend(self.tpp(now, &to, PORTS[2] + number, &tpp));
        }
        if now >= sender.next_collect && now < self.spec.stop {
            let collect = self.collect.clone();
            if let Some(frame) = self.tpp(now, &to, PORTS[1] + number, &collect) {
                // There and back, and at most as much again for updates.
                let bits = 4.0 * (frame.len() as u64 + LINE_OVERHEAD) as f64 * 8.0;
                let least = bits / (self.spec.share * sender.controller.rate()).max(1.0) * 1e12;
                let period = self.spec.period.max(least as Time);
                sender.controller.set_period(period as f64 / 1e12);
                sender.next_collect = now + period;
                out.push(frame);
            }
            sender.unanswered += 1;
            if sender.unanswered.is_multiple_of(PATIENCE) {
                sender.controller.lost();
            }
        }
        while now >= sender.data.next() && now < self.spec.stop {
            let ports = [PORTS[0] + number; 2];
            out.push(self.spec.host.datagram(&to, ports, &[], self.spec.frame));
            let bits = (self.spec.frame as u64 + LINE_OVERHEAD) * 8;
            sender.data.sent(now, bits, sender.controller.rate());
        }
        self.senders.insert(number, sender);
    }

    /// A standalone TPP has come back.
    fn returned(&mut self, now: Time, tpp: &[u8], port: u16, frame: &[u8]) {
        let Ok(tpp) = Tpp::new(tpp) else { return };
        let tpp = Repr::parse(&tpp);
        let Some(number) = port.checked_sub(PORTS[1]).filter(|number| *number < MAX_FLOWS) else {
            if self.spec.audit && self.spec.measured.has(now) {
                self.records.extend(Record::of(now, &tpp, frame));
            }
            return;
        };
        let Some(sender) = self.senders.get_mut(&number) else { return };
        sender.unanswered = 0;
        let (samples, clocks) = match self.spec.audit {
            true => audit::samples(&tpp),
            false => (samples(&tpp), Vec::new()),
        };
        if self.spec.read_only {
            return sender.controller.read_only(&samples);
        }
        let mut changes = sender.controller.collected(&samples);
        // Of all flows that share a link one updates it in a period: with each of them the gain would be many times what
        // it is meant to be, and the control packets, too.
        for (change, sample) in changes.iter_mut().zip(&samples).filter(|(_, one)| one.rate != 0) {
            if self.draws.f64() * sender.controller.flows(sample) > UPDATES {
                change.new = change.old;
            }
        }
        let tag = self.collect.app_tag;
        if changes.iter().any(|change| change.new != change.old) {
            let next = match self.spec.audit {
                true => audit::update(&changes, &clocks, tag),
                false => update(&changes, tag),
            };
            sender.updates.extend(next);
        }
    }
}

impl Agent for Host {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let length = frame.len() as u64 + LINE_OVERHEAD;
        match self.shim.receive(frame) {
            shim::Received::Echo => {
                if self.spec.measured.has(now) {
                    self.control += length;
                }
                return Received::SendBack;
            }
            shim::Received::Returned { tpp, port } => {
                self.returned(now, &tpp, port, frame);
                return Received::Taken;
            }
            shim::Received::Plain | shim::Received::Stripped(_) => {}
        }
        let port = Fields::of(frame).and_then(|fields| fields.ports).map(|ports| ports[1]);
        let number = port.and_then(|port| port.checked_sub(PORTS[0]));
        match number.filter(|number| *number < MAX_FLOWS) {
            Some(number) => {
                let bytes = self.received.entry(number).or_default();
                *bytes += if self.spec.measured.has(now) { length } else { 0 };
                Received::Taken
            }
            None => Received::Deliver,
        }
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        if now >= self.spec.stop {
            return None;
        }
        for number in self.spec.flows.iter().map(|flow| flow.number).collect::<Vec<_>>() {
            self.send(number, now, out);
        }
        let due = |sender: &Sender| sender.data.next().min(sender.next_collect);
        self.senders.values().map(due).min()
    }

    fn report(&mut self) -> Report {
        let rate = |bytes: u64| self.spec.measured.rate(bytes);
        let pair = |number: u16| number / self.spec.each.max(1);
        let figure =
            |(number, bytes): (&u16, &u64)| (format!("pair{}_bps", pair(*number)), rate(*bytes));
        let mut figures: Vec<(String, f64)> = self.received.iter().map(figure).collect();
        figures.push(("data_bps".into(), self.received.values().map(|bytes| rate(*bytes)).sum()));
        figures.push(("control_bps".into(), rate(self.control)));
        Report { figures, records: std::mem::take(&mut self.records), ..Report::default() }
    }
}
