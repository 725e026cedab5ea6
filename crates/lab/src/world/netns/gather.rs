//! The reports of the element, switches and hosts as the numbers of one run.

use super::agent;
use super::budget::Demand;
use super::calibration::Calibration;
use super::element;
use super::schedule::Schedule;
use super::spec::{Asked, ElementReport, HostReport, LinkCounts, Received, Sent};
use crate::plan::Plan;
use crate::results::collect::{Collector, Curves, State};
use crate::results::numbers::Numbers;
use crate::results::tpp::Reports;
use crate::rows::Writers;
use std::collections::{BTreeMap, HashMap};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use ww_sim::forwarder::Dropped;
use ww_sim::measure::{Cause, FlowRecord, Observer, Sample, Sums};
use ww_sim::network::NodeId;
use ww_sim::network::traffic::{Kind, Transport};
use ww_sim::routing::Routes;

/// All reports of a run.
#[derive(Debug, Default)]
pub struct Told {
    /// By the element.
    pub element: ElementReport,
    /// Where its samples are.
    pub samples: Option<PathBuf>,
    /// By each host, with where the packets are that it has received.
    pub hosts: Vec<(NodeId, HostReport, PathBuf)>,
    /// By plain switches.
    pub switches: Dropped,
    /// By applications of TPPs.
    pub tpps: Reports,
    /// How long applications were held up for more than they can make up for, ps.
    pub held_up: Vec<(NodeId, u64)>,
    /// Of each command, the name and the status with which it has ended by itself.
    pub commands: Vec<(String, Option<i32>)>,
    /// What the element can do.
    pub machine: Calibration,
    /// What was asked of it.
    pub demand: Demand,
    /// When the run was stopped, ps after its start.
    pub stopped: Option<u64>,
}

/// Counters as [`Collector`] wants them, at one time.
struct At<'t> {
    counts: &'t LinkCounts,
    sums: &'t [Sums],
    drops: [u64; Cause::ALL.len()],
    unfinished: u64,
}

impl State for At<'_> {
    fn direction(&mut self, direction: u32) -> Sample {
        self.counts.direction(direction)
    }

    fn deepest(&self, direction: u32) -> u64 {
        self.counts.deepest(direction)
    }

    fn sums(&self) -> &[Sums] {
        self.sums
    }

    fn drops(&self) -> [u64; Cause::ALL.len()] {
        self.drops
    }

    fn hops(&self) -> u64 {
        self.counts.hops
    }

    fn events(&self) -> Option<u64> {
        None
    }

    fn unfinished(&self) -> u64 {
        self.unfinished
    }
}

/// Numbers, curves and rows of a run.
///
/// # Errors
/// Rows cannot be written, or what was noted cannot be read.
pub fn gather(
    plan: &Plan,
    schedule: &Schedule,
    told: &Told,
    writers: Writers,
) -> Result<(Numbers, Curves), String> {
    let mut collector = Collector::new(plan, writers);
    if let Some(path) = &told.samples {
        element::samples(path, |sample| collector.sample(sample))?;
    }
    let warmup = plan.run.warmup;
    let end = told.stopped.unwrap_or(plan.run.duration + plan.run.drain);
    let mut sums = vec![Sums::default(); plan.network.traffic.len()];
    for (_, report, packets) in &told.hosts {
        for (traffic, tally) in &report.tallies {
            let Some(sums) = sums.get_mut(*traffic as usize) else { continue };
            sums.sent += tally.sent;
            sums.goodput += tally.all_goodput;
        }
        agent::packets(packets, |delivery| {
            let Some(sums) = sums.get_mut(delivery.traffic as usize) else { return };
            if delivery.sent >= warmup {
                sums.delivered += 1;
                sums.latency.record(delivery.at.saturating_sub(delivery.sent));
            }
            if plan.measure.packets {
                collector.delivered(delivery);
            }
        })?;
    }
    for (sums, drops) in sums.iter_mut().zip(&told.element.end.traffic_drops) {
        sums.drops = *drops;
    }
    let records = flows(plan, schedule, told, end);
    let mut unfinished = 0;
    for record in &records {
        collector.flow(record);
        unfinished += u64::from(record.end.is_none());
    }
    let mut drops = told.element.end.drops;
    drops[Cause::Route as usize] += told.switches.route;
    drops[Cause::Ttl as usize] += told.switches.ttl;
    drops[Cause::Queue as usize] += told.switches.queue;
    drops[Cause::Program as usize] += told.switches.outside;
    let nothing = LinkCounts::default();
    let at_warmup = told.element.marks.first().unwrap_or(&nothing);
    let at_duration = told.element.marks.get(1).unwrap_or(&told.element.end);
    collector.warmed_up(&mut At { counts: at_warmup, sums: &sums, drops, unfinished });
    let mut at_end = sums.clone();
    for (place, sums) in at_end.iter_mut().enumerate() {
        let tallies = told.hosts.iter().flat_map(|(_, report, _)| &report.tallies);
        let own = tallies.filter(|(traffic, _)| *traffic as usize == place);
        sums.goodput = own.map(|(_, tally)| tally.goodput).sum();
    }
    collector.traffic_ends(&mut At { counts: at_duration, sums: &at_end, drops, unfinished });
    collector.tpps(&told.tpps)?;
    let mut last = At { counts: &told.element.end, sums: &sums, drops, unfinished };
    let (mut numbers, curves) = collector.finish(&mut last, end)?;
    unknown(plan, &mut numbers);
    machine(told, &mut numbers);
    Ok((numbers, curves))
}

fn is_tcp(plan: &Plan, traffic: u32) -> bool {
    match &plan.network.traffic[traffic as usize].kind {
        Kind::Flows(flows) => matches!(flows.transport, Transport::Tcp(_)),
        Kind::Requests(_) | Kind::Incast(_) => true,
        Kind::Stream(_) | Kind::Replay(_) | Kind::Ping(_) => false,
    }
}

/// What nobody has counted in this world has no number.
fn unknown(plan: &Plan, numbers: &mut Numbers) {
    for (place, traffic) in (0..).zip(&plan.network.traffic) {
        let mut keys = vec!["marked", "marked_share"];
        if is_tcp(plan, place) {
            keys.extend(["sent", "delivered", "dropped_share"]);
        }
        for key in keys {
            let path = ["traffic", &traffic.name, "packets", key].map(str::to_owned);
            numbers.list.remove(path.as_slice());
        }
    }
}

/// How true the run is.
fn machine(told: &Told, numbers: &mut Numbers) {
    let us = |time: u64| time as f64 / 1e6;
    let mut set = |key: &str, value: f64| numbers.set(&["machine", key], value);
    set("calibrated_lateness_p50_us", us(told.machine.median));
    set("calibrated_lateness_p99_us", us(told.machine.p99));
    set("calibrated_frames_per_second", told.machine.rate as f64);
    set("realtime", f64::from(u8::from(told.machine.realtime)));
    set("asked_frames_per_second", told.demand.frames + told.demand.commands);
    set("frames_lost_by_element", told.element.lost as f64);
    for (key, share) in [("50", 0.5), ("90", 0.9), ("99", 0.99), ("99_9", 0.999)] {
        if let Some(late) = lateness(&told.element, share) {
            set(&format!("lateness_p{key}_us_at_most"), us(late));
        }
    }
    for (name, status) in &told.commands {
        if let Some(status) = status {
            numbers.set(&["commands", name, "exit_status"], f64::from(*status));
        }
    }
}

/// How late this share of frames were handed on at most during the run, ps; `None` if none were.
pub fn lateness(element: &ElementReport, share: f64) -> Option<u64> {
    let all: u64 = element.lateness.iter().map(|(_, count)| count).sum();
    let rank = (all as f64 * share).ceil() as u64;
    let mut seen = 0;
    element.lateness.iter().find_map(|(limit, count)| {
        seen += count;
        (seen >= rank && all > 0).then_some(*limit)
    })
}

/// What became of flows, in the order in which they began.
fn flows(plan: &Plan, schedule: &Schedule, told: &Told, end: u64) -> Vec<FlowRecord> {
    let reports = || told.hosts.iter().map(|(_, report, _)| report);
    let received: HashMap<u64, Received> =
        reports().flat_map(|report| &report.received).map(|one| (one.serial, *one)).collect();
    let sent: HashMap<u64, Sent> =
        reports().flat_map(|report| &report.sent).map(|one| (one.serial, *one)).collect();
    let mut records = Vec::new();
    for planned in &schedule.flows {
        let received = received.get(&planned.serial).copied().unwrap_or_default();
        let sent = sent.get(&planned.serial).copied().unwrap_or_default();
        let whole = received.bytes >= planned.bytes;
        let record = FlowRecord {
            received: received.bytes.min(planned.bytes),
            end: received.end.filter(|at| whole && *at <= end),
            retransmitted: sent.retransmitted,
            timeouts: sent.timeouts,
            ..*planned
        };
        records.push(record);
    }
    let hosts: Vec<(NodeId, Ipv4Addr)> =
        plan.network.hosts().map(|(id, host)| (id, host.ip)).collect();
    let numbers: BTreeMap<Ipv4Addr, u32> = hosts.iter().map(|(_, ip)| *ip).zip(0..).collect();
    let routes = Routes::shortest(&plan.network, |link| plan.network.links[link as usize].up);
    let mut serial = schedule.flows.iter().map(|flow| flow.serial + 1).max().unwrap_or(0);
    for (node, report, _) in &told.hosts {
        let Some(client) = hosts.iter().position(|(id, _)| id == node) else { continue };
        for asked in &report.asked {
            let Asked { traffic, server, bytes, start, end } = *asked;
            let Some(server) = numbers.get(&server).copied() else { continue };
            let record = FlowRecord {
                serial,
                traffic,
                from: server,
                to: client as u32,
                bytes,
                received: if end.is_some() { bytes } else { 0 },
                start,
                end,
                ideal: ideal(plan, &routes, traffic, (server, client as u32), bytes),
                retransmitted: 0,
                timeouts: 0,
            };
            serial += 1;
            records.push(record);
        }
    }
    records.sort_by_key(|record| (record.start, record.serial));
    records
}

/// How long an answer takes on an empty network, from its first bit to its last, over the first of the shortest paths.
fn ideal(plan: &Plan, routes: &Routes, traffic: u32, (from, to): (u32, u32), bytes: u64) -> u64 {
    let network = &plan.network;
    let Kind::Requests(requests) = &network.traffic[traffic as usize].kind else { return 0 };
    let Transport::Tcp(settings) = &requests.transport else { return 0 };
    let (data, headers) = (u64::from(settings.segment), 14 + 20 + 32);
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let Some(mut node) = hosts.get(from as usize).copied() else { return 0 };
    let (mut total, mut slowest) = (0u128, 0u128);
    for _ in 0..network.nodes.len() {
        if hosts.get(to as usize) == Some(&node) {
            break;
        }
        let Some(port) = routes.ports(node, to).first().copied() else { return 0 };
        let ways = network.links.iter().flat_map(|link| {
            [
                (link.ends[0], link.ends[1], link.directions[0]),
                (link.ends[1], link.ends[0], link.directions[1]),
            ]
        });
        let mut own = ways.filter(|(begin, ..)| (begin.node, begin.port) == (node, port));
        let Some((_, end, line)) = own.next() else { return 0 };
        let time =
            |bytes: u64| u128::from(bytes) * 8_000_000_000_000 / u128::from(line.rate.max(1));
        let more = headers + u64::from(line.overhead);
        total += u128::from(line.delay) + time(bytes.min(data) + more);
        let packets = bytes.div_ceil(data.max(1)).max(1);
        slowest = slowest.max(time(bytes.saturating_sub(data) + (packets - 1) * more));
        node = end.node;
    }
    u64::try_from(total + slowest).unwrap_or(u64::MAX)
}
