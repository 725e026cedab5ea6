//! Hosts that send and receive under CONGA*: many flows to a host, whose packets take the paths that tags choose.

use super::{Balancer, Settings, samples};
use crate::pace::Pace;
use crate::station::{LINE_OVERHEAD, Station};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use ww_host::agent::{Agent, Measured, Received, Report, Time};
use ww_host::filter::Fields;
use ww_tpp::frame::{insert, strip};
use ww_tpp::packet::{Repr, Tpp};

/// The UDP port that data come from; a demand's number is added to it.
pub const DATA: u16 = 7_000;
/// The UDP port of reports.
const REPORTS: u16 = 9_000;
/// Demands of a lab, so that ports do not meet.
pub const MAX_DEMANDS: u16 = 1_000;
/// Bytes of a report, at most: an MTU less headers.
const MAX_REPORT: usize = 1_400;
/// Between two TPPs of a path, and between two reports, ps.
const PERIOD: Time = 1_000_000_000;

/// Flows from one host to another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DemandSpec {
    /// Its number in the lab, below [`MAX_DEMANDS`].
    pub number: u16,
    /// To whom.
    pub to: Station,
    /// Bits a second of all flows, on the line.
    pub rate: f64,
    /// Flows, each with the same share.
    pub flows: u32,
    /// Bytes of a frame without FCS.
    pub frame: usize,
    /// UDP destination ports. Flows take them in turn; if it is balanced, as paths are.
    pub tags: Vec<u16>,
    /// Whether flowlets look for the best path; otherwise each flow keeps its tag.
    pub balanced: bool,
}

/// What a host does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spec {
    /// Who it is.
    pub host: Station,
    /// What it sends.
    pub demands: Vec<DemandSpec>,
    /// Who else takes part, to whom reports may go.
    pub stations: Vec<Station>,
    /// When senders end.
    pub stop: Time,
    /// The TPP that collects.
    pub collect: Vec<u8>,
    /// Links that count: those between switches.
    pub core: Vec<u32>,
    /// Of the balancer.
    pub settings: Settings,
    /// Of the times of packets.
    pub seed: u64,
    /// What counts.
    pub measured: Measured,
}

struct Demand {
    spec: DemandSpec,
    flows: Vec<Pace>,
    balancer: Balancer,
    /// When a packet of each tag may carry a TPP again.
    probes: BTreeMap<u16, Time>,
}

impl Demand {
    fn new(spec: DemandSpec, settings: Settings) -> Self {
        let gap = Self::gap(&spec);
        let first = |n: u32| Pace::new(gap / u64::from(spec.flows.max(1)) * u64::from(n));
        Self {
            flows: (0..spec.flows).map(first).collect(),
            balancer: Balancer::new(settings, spec.tags.clone()),
            probes: BTreeMap::new(),
            spec,
        }
    }

    /// The mean time between two packets of a flow.
    fn gap(spec: &DemandSpec) -> Time {
        let bits = (spec.frame as u64 + LINE_OVERHEAD) as f64 * 8.0;
        (bits * f64::from(spec.flows) / spec.rate.max(1.0) * 1e12) as Time
    }
}

/// See the module.
pub struct Host {
    demands: Vec<Demand>,
    draws: fastrand::Rng,
    /// By sender, number of the demand and tag: the last TPP.
    collected: BTreeMap<(u32, u16, u16), Vec<u8>>,
    next_report: Time,
    /// Bytes on the line by demand that came here.
    received: BTreeMap<u16, u64>,
    control: u64,
    spec: Spec,
}

impl Host {
    /// At the start.
    pub fn new(spec: Spec) -> Self {
        let demands = spec.demands.iter().cloned().map(|d| Demand::new(d, spec.settings)).collect();
        Self {
            demands,
            draws: fastrand::Rng::with_seed(spec.seed),
            collected: BTreeMap::new(),
            next_report: 0,
            received: BTreeMap::new(),
            control: 0,
            spec,
        }
    }

    /// A report: number of the demand, tag and TPP, one behind the other.
    fn reported(&mut self, now: Time, mut report: &[u8]) {
        while let Some((head, rest)) = report.split_first_chunk::<4>()
            && let Ok(tpp) = Tpp::new(rest)
        {
            let [number, tag] = [[head[0], head[1]], [head[2], head[3]]].map(u16::from_be_bytes);
            let core = &self.spec.core;
            let links = samples(&Repr::parse(&tpp)).into_iter();
            let links = links.filter(|(link, _)| core.contains(link));
            let demand = self.demands.iter_mut().find(|demand| demand.spec.number == number);
            if let Some(demand) = demand.filter(|demand| demand.spec.tags.contains(&tag)) {
                demand.balancer.report(now, tag, links);
            }
            report = &rest[tpp.length()..];
        }
    }

    /// Packets of demands that are due.
    fn send(&mut self, now: Time, out: &mut Vec<Vec<u8>>) {
        let Self { demands, draws, spec, control, .. } = self;
        for demand in demands {
            let gap = Demand::gap(&demand.spec);
            let DemandSpec { number, to, frame: length, tags, .. } = &demand.spec;
            // With one path there is nothing to choose.
            let balanced = demand.spec.balanced && tags.len() > 1;
            for (flow, pace) in (0u64..).zip(&mut demand.flows) {
                while pace.next() <= now {
                    // Packets of a strict rhythm would drop those of another sender, always.
                    pace.delay(now, gap / 2 + draws.u64(..gap.max(1)));
                    let tag = match (balanced, tags.len()) {
                        (true, _) => demand.balancer.tag(now, flow),
                        (false, 0) => REPORTS + 1,
                        (false, count) => tags[flow as usize % count],
                    };
                    let ports = [DATA + number, tag];
                    let mut frame = spec.host.datagram(to, ports, &[], *length);
                    let probe = demand.probes.entry(tag).or_default();
                    if balanced && now >= *probe && insert(&mut frame, &spec.collect).is_ok() {
                        *probe = now + PERIOD;
                        if spec.measured.has(now) {
                            *control += spec.collect.len() as u64;
                        }
                    }
                    out.push(frame);
                }
            }
        }
    }

    /// What packets have collected goes back to who sent them.
    fn report_back(&mut self, now: Time, out: &mut Vec<Vec<u8>>) {
        let mut reports: BTreeMap<u32, Vec<Vec<u8>>> = BTreeMap::new();
        for ((sender, number, tag), tpp) in std::mem::take(&mut self.collected) {
            let parts = reports.entry(sender).or_default();
            if parts.last().is_none_or(|part| part.len() + 4 + tpp.len() > MAX_REPORT) {
                parts.push(Vec::new());
            }
            if let Some(part) = parts.last_mut() {
                part.extend(number.to_be_bytes());
                part.extend(tag.to_be_bytes());
                part.extend(tpp);
            }
        }
        for (sender, parts) in reports {
            let to = self.spec.stations.iter().find(|station| u32::from(station.ip) == sender);
            let Some(to) = to else { continue };
            for part in parts {
                let frame = self.spec.host.datagram(to, [REPORTS; 2], &part, 0);
                if self.spec.measured.has(now) {
                    self.control += frame.len() as u64 + LINE_OVERHEAD;
                }
                out.push(frame);
            }
        }
    }
}

impl Agent for Host {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let tpp = strip(frame);
        let Some(Fields { source, ports: Some([from, tag]), .. }) = Fields::of(frame) else {
            return Received::Deliver;
        };
        if [from, tag] == [REPORTS; 2] {
            let datagram = frame.get(ww_packet::udp_frame::HEADERS..).unwrap_or_default().to_vec();
            self.reported(now, &datagram);
            return Received::Taken;
        }
        let Some(number) = from.checked_sub(DATA).filter(|number| *number < MAX_DEMANDS) else {
            return Received::Deliver;
        };
        if let Some(tpp) = tpp {
            self.collected.insert((source, number, tag), tpp);
        }
        if self.spec.measured.has(now) {
            *self.received.entry(number).or_default() += frame.len() as u64 + LINE_OVERHEAD;
        }
        Received::Taken
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        if now >= self.spec.stop {
            return None;
        }
        self.send(now, out);
        if now >= self.next_report {
            self.next_report = now + PERIOD;
            self.report_back(now, out);
        }
        let flows = self.demands.iter().flat_map(|demand| &demand.flows).map(Pace::next);
        flows.chain([self.next_report]).min()
    }

    fn report(&mut self) -> Report {
        let rate = |bytes: u64| self.spec.measured.rate(bytes);
        let mut figures: Vec<(String, f64)> = self
            .received
            .iter()
            .map(|(number, bytes)| (format!("demand{number}_bps"), rate(*bytes)))
            .collect();
        figures.push(("data_bps".into(), self.received.values().map(|bytes| rate(*bytes)).sum()));
        figures.push(("control_bps".into(), rate(self.control)));
        Report { figures, ..Report::default() }
    }
}
