//! What the orchestrator and the processes of a run say to each other: one JSON value a line.

use super::calibration::Calibration;
use super::wires::{Counts, LinkSettings, Wishes};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::net::Ipv4Addr;
use std::path::PathBuf;
use ww_host::agent::Report;
use ww_sim::forwarder::{Dropped, Settings};
use ww_sim::line::Limits;
use ww_sim::measure::{Cause, Sample};
use ww_sim::network::{Change, Direction, Link, LinkChange, Phy};
use ww_tpp::switch::Config;
use ww_tpp_apps::application::Assignment;

/// To every process, behind the line that says what it is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Order {
    /// The run starts at this time of CLOCK_MONOTONIC, ns.
    Start(u64),
    /// It has ended.
    End,
}

/// From every process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// The element has measured what it can.
    Calibrated(Calibration),
    /// It waits for the start.
    Ready,
    /// What the element has counted.
    Element(Box<ElementReport>),
    /// What a switch has dropped.
    Switch(Dropped),
    /// What a host has sent and received.
    Host(Box<HostReport>),
    /// What a host's application of TPPs has found out.
    Shim(Box<ShimReport>),
    /// It cannot go on: a sentence.
    Failed(String),
}

/// One direction of a link.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct DirectionSpec {
    rate: u64,
    delay: u64,
    jitter: u64,
    overhead: u32,
    limit: u64,
    mark: Option<u64>,
    loss: f64,
    corruption: f64,
}

/// Something that happens to a link.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub enum What {
    /// It is cut.
    Down,
    /// It works again.
    Up,
    /// Both directions lose packets with this probability.
    Loss(f64),
    /// Both directions have this rate, bits a second.
    Rate(u64),
    /// Both directions have this delay, ps.
    Delay(u64),
}

/// What the element is to do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ElementSpec {
    /// Links, and whether they are up at the start.
    pub links: Vec<([DirectionSpec; 2], bool)>,
    /// Times, links and what changes.
    pub changes: Vec<(u64, u32, What)>,
    /// Of the run.
    pub seed: u64,
    /// Directions that are captured.
    pub captures: Vec<u32>,
    /// Their names.
    pub capture_names: Vec<String>,
    /// Where they are captured to.
    pub capture_file: Option<PathBuf>,
    /// Directions of which samples are taken.
    pub sampled: Vec<u32>,
    /// So far apart, ps; 0 for none.
    pub every: u64,
    /// Where samples go.
    pub samples_file: Option<PathBuf>,
    /// When counters are noted, ps.
    pub marks: Vec<u64>,
    /// When the warm-up is over, ps.
    pub warmup: u64,
    /// When the run is over, ps.
    pub end: u64,
    /// Pieces of traffic.
    pub traffic: usize,
}

impl ElementSpec {
    /// With these links and changes.
    pub fn of(links: &[Link], changes: &[Change]) -> Self {
        let direction = |line: Direction| DirectionSpec {
            rate: line.rate,
            delay: line.delay,
            jitter: line.jitter,
            overhead: line.overhead,
            limit: line.limits.bytes,
            mark: line.limits.mark,
            loss: line.loss,
            corruption: line.corruption,
        };
        let what = |what| match what {
            LinkChange::Down => What::Down,
            LinkChange::Up => What::Up,
            LinkChange::Loss(loss) => What::Loss(loss),
            LinkChange::Rate(rate) => What::Rate(rate),
            LinkChange::Delay(delay) => What::Delay(delay),
        };
        let mut changes: Vec<_> =
            changes.iter().map(|change| (change.at, change.link, what(change.what))).collect();
        changes.sort_by_key(|(at, ..)| *at);
        let links = links.iter().map(|link| (link.directions.map(direction), link.up)).collect();
        Self { links, changes, ..Self::default() }
    }

    /// The links.
    pub fn links(&self) -> Vec<LinkSettings> {
        let direction = |spec: DirectionSpec| Direction {
            rate: spec.rate,
            delay: spec.delay,
            jitter: spec.jitter,
            overhead: spec.overhead,
            limits: Limits { bytes: spec.limit, mark: spec.mark },
            loss: spec.loss,
            corruption: spec.corruption,
            phy: Phy::Bytes,
        };
        self.links.iter().map(|(both, up)| (both.map(direction), *up)).collect()
    }

    /// The changes, in the order of time.
    pub fn changes(&self) -> Vec<Change> {
        let change = |(at, link, what): &(u64, u32, What)| {
            let what = match *what {
                What::Down => LinkChange::Down,
                What::Up => LinkChange::Up,
                What::Loss(loss) => LinkChange::Loss(loss),
                What::Rate(rate) => LinkChange::Rate(rate),
                What::Delay(delay) => LinkChange::Delay(delay),
            };
            Change { at: *at, link: *link, what }
        };
        self.changes.iter().map(change).collect()
    }

    /// What the wires report.
    pub fn wishes(&self) -> Wishes {
        let every = if self.samples_file.is_some() { self.every } else { 0 };
        Wishes {
            captures: if self.capture_file.is_some() { self.captures.clone() } else { Vec::new() },
            sampled: self.sampled.clone(),
            every,
            marks: self.marks.clone(),
            warmup: self.warmup,
            traffic: self.traffic,
            end: self.end,
        }
    }
}

/// Counters of all links at one time: of each direction bytes sent, frames dropped, frames marked, most bytes that waited.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCounts {
    directions: Vec<[u64; 4]>,
    /// Frames that were dropped, by [`Cause::ALL`].
    pub drops: [u64; Cause::ALL.len()],
    /// The same for each piece of traffic.
    pub traffic_drops: Vec<[u64; Cause::ALL.len()]>,
    /// Frames that have passed a link.
    pub hops: u64,
}

impl LinkCounts {
    /// What a direction has done.
    pub fn direction(&self, direction: u32) -> Sample {
        let [sent, dropped, marked, _] = self.at(direction);
        Sample { at: 0, direction, queued: 0, sent, dropped, marked }
    }

    /// The most bytes that waited in front of a direction.
    pub fn deepest(&self, direction: u32) -> u64 {
        self.at(direction)[3]
    }

    fn at(&self, direction: u32) -> [u64; 4] {
        self.directions.get(direction as usize).copied().unwrap_or_default()
    }
}

impl From<Counts> for LinkCounts {
    fn from(counts: Counts) -> Self {
        let both = counts.directions.iter().zip(&counts.deepest);
        let directions =
            both.map(|(now, deepest)| [now.sent, now.dropped, now.marked, *deepest]).collect();
        let Counts { drops, traffic_drops, hops, .. } = counts;
        Self { directions, drops, traffic_drops, hops }
    }
}

/// What the element has counted.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ElementReport {
    /// At the times that were asked for.
    pub marks: Vec<LinkCounts>,
    /// At the end.
    pub end: LinkCounts,
    /// Frames by their lateness when handed on: upper bound in ps, and count.
    pub lateness: Vec<(u64, u64)>,
    /// Frames that the kernel did not hand over or did not take.
    pub lost: u64,
}

/// What a plain switch is to do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SwitchSpec {
    /// Its port numbers.
    pub ports: Vec<u32>,
    /// Its ways.
    pub settings: Settings,
    /// If it executes TPPs.
    pub tpp: Option<TppSwitchSpec>,
}

/// What a switch that executes TPPs is to TPPs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TppSwitchSpec {
    /// Who it is.
    pub config: Config,
    /// Its queues, as the text of a policy file.
    pub queues: String,
    /// Rates of its ports, bits a second.
    pub rates: BTreeMap<u32, u64>,
}

/// The report of the process between a host's stack and its wire.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ShimReport {
    /// What the application has found out.
    pub report: Report,
    /// How long it was held up for more than it can make up for, ps.
    pub lost: u64,
}

/// What the process between a host's stack and its wire is to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ShimSpec {
    /// The host's application.
    pub application: Assignment,
}

/// TCP of a piece of traffic, as far as the kernel has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpSpec {
    /// The kernel's name of the law of the window.
    pub congestion: String,
    /// Bytes of data in a full segment.
    pub segment: u16,
    /// Segments are spread over the round trip.
    pub pacing: bool,
    /// Bytes that may be outstanding; `None` for as many as the kernel allows.
    pub window: Option<u32>,
}

/// A stream of UDP packets that a host sends.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct StreamSpec {
    /// Its piece of traffic.
    pub traffic: u32,
    /// To whom.
    pub to: Option<Ipv4Addr>,
    /// The DSCP field.
    pub class: u8,
    /// When packets are sent: the first after the start, each other one after the one before, ps.
    pub gaps: Vec<u64>,
    /// Lengths of frames without FCS: of each, or of all.
    pub bytes: Vec<u32>,
}

/// What carries a flow.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Carrier {
    /// TCP.
    Tcp(TcpSpec),
    /// UDP in frames of this size in bytes, at this rate in bits a second.
    Udp {
        /// Length without FCS.
        frame: u32,
        /// Bits a second, counting frames without FCS.
        rate: u64,
    },
}

/// A flow that a host sends.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FlowSpec {
    /// Its number in the run.
    pub serial: u64,
    /// Its piece of traffic.
    pub traffic: u32,
    /// To whom.
    pub to: Ipv4Addr,
    /// The DSCP field.
    pub class: u8,
    /// Bytes.
    pub bytes: u64,
    /// When it starts, ps.
    pub start: u64,
    /// What carries it.
    pub carrier: Carrier,
}

/// Requests that a host has open at the same time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClientSpec {
    /// The piece of traffic.
    pub traffic: u32,
    /// Which of the clients it is.
    pub client: u32,
    /// Whom it asks.
    pub servers: Vec<Ipv4Addr>,
    /// The DSCP field.
    pub class: u8,
    /// Bytes of a request.
    pub request: u64,
    /// Bytes of answers: those of the first requests, then again from the beginning.
    pub responses: Vec<u64>,
    /// How many are open.
    pub outstanding: u32,
    /// Mean time of thinking, ps.
    pub think: u64,
    /// From when on, ps.
    pub start: u64,
    /// Until when, ps.
    pub stop: u64,
    /// Of the run.
    pub seed: u64,
    /// What carries both.
    pub tcp: TcpSpec,
}

/// Where a host listens.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ListenSpec {
    /// The piece of traffic.
    pub traffic: u32,
    /// With TCP; otherwise with UDP.
    pub tcp: Option<TcpSpec>,
    /// The DSCP field of answers.
    pub class: u8,
}

/// What a host is to do.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct HostSpec {
    /// Where it listens.
    pub listen: Vec<ListenSpec>,
    /// Streams that it sends.
    pub streams: Vec<StreamSpec>,
    /// Flows that it sends, in the order of their starts.
    pub flows: Vec<FlowSpec>,
    /// Requests that it makes.
    pub clients: Vec<ClientSpec>,
    /// When the warm-up is over, ps.
    pub warmup: u64,
    /// When traffic ends, ps.
    pub duration: u64,
    /// Where UDP packets that arrive are noted.
    pub packets_file: Option<PathBuf>,
}

/// What a host has received of a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Its number.
    pub serial: u64,
    /// Bytes.
    pub bytes: u64,
    /// When the last one was there, ps.
    pub end: Option<u64>,
}

/// What a host has done to send a flow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Its number.
    pub serial: u64,
    /// Segments that were sent again.
    pub retransmitted: u64,
    /// How often the retransmission timer expired.
    pub timeouts: u64,
}

/// A request, and what came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// The piece of traffic.
    pub traffic: u32,
    /// Who was asked.
    pub server: Ipv4Addr,
    /// Bytes of the answer.
    pub bytes: u64,
    /// When it was asked, ps.
    pub start: u64,
    /// When the answer was there, ps.
    pub end: Option<u64>,
}

/// What a host has counted for a piece of traffic after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// UDP packets that were sent.
    pub sent: u64,
    /// Bytes for the application that arrived until traffic ended.
    pub goodput: u64,
    /// The same to the end of the run.
    pub all_goodput: u64,
}

/// What a host has sent and received.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct HostReport {
    /// By piece of traffic.
    pub tallies: Vec<(u32, Tally)>,
    /// Flows that came in.
    pub received: Vec<Received>,
    /// Flows that went out.
    pub sent: Vec<Sent>,
    /// Requests that were made.
    pub asked: Vec<Asked>,
    /// What went wrong, in words; the first few.
    pub problems: Vec<String>,
}

/// Writes a line.
///
/// # Errors
/// It cannot be written.
pub fn write<T: Serialize>(out: &mut impl Write, value: &T) -> Result<(), String> {
    let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
    writeln!(out, "{text}").and_then(|()| out.flush()).map_err(|error| error.to_string())
}

/// Reads a line; `None` at the end.
///
/// # Errors
/// It cannot be read, or is not what is expected.
pub fn read<T: DeserializeOwned>(input: &mut impl BufRead) -> Result<Option<T>, String> {
    let mut line = String::new();
    match input.read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => serde_json::from_str(&line).map(Some).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
