//! Gathers what a run in virtual time tells: numbers for results, curves for the report, rows for files.

use super::curve::Curve;
use super::numbers::Numbers;
use super::tpp::{Reports, Witnesses};
use crate::plan::Plan;
use crate::rows::Writers;
use std::collections::BTreeMap;
use ww_sim::measure::histogram::Histogram;
use ww_sim::measure::{Cause, Delivery, Drop, FlowRecord, Observer, Sample, Sums};
use ww_sim::network::queueing::Queueing;
use ww_sim::network::traffic::Kind;
use ww_sim::nodes::dtp::DtpReport;
use ww_sim::nodes::keepers::KeptReport;
use ww_sim::simulation::Simulation;

/// Ends of the classes of sizes in bytes, with their names.
pub const CLASSES: [(u64, &str); 6] = [
    (1_000, "to_1KB"),
    (10_000, "to_10KB"),
    (100_000, "to_100KB"),
    (1_000_000, "to_1MB"),
    (10_000_000, "to_10MB"),
    (u64::MAX, "above_10MB"),
];

/// Directions of which a curve is kept for the report.
const CURVES: usize = 12;

/// Slowdowns are kept in thousandths.
const SLOWDOWN: f64 = 1000.0;

/// What the flows of a piece of traffic have done that started after the warm-up.
#[derive(Clone, Debug, Default)]
struct Flows {
    times: Histogram,
    slowdowns: Histogram,
    by_size: BTreeMap<usize, (Histogram, Histogram)>,
    count: u64,
    bytes: u128,
    finished: u64,
    received: u128,
    retransmitted: u64,
    timeouts: u64,
    /// Sums of goodput and of its squares, for Jain's index.
    goodput: (f64, f64),
}

/// What a direction has done.
#[derive(Clone, Copy, Debug, Default)]
struct Counters {
    sent: u64,
    dropped: u64,
    marked: u64,
}

/// What a run has counted so far, in whichever world.
pub trait State {
    /// What a direction has done.
    fn direction(&mut self, direction: u32) -> Sample;
    /// The most bytes that ever waited in front of a direction.
    fn deepest(&self, direction: u32) -> u64;
    /// What each piece of traffic has done after the warm-up.
    fn sums(&self) -> &[Sums];
    /// Packets that were dropped since the start, by [`Cause::ALL`].
    fn drops(&self) -> [u64; Cause::ALL.len()];
    /// Packets that have passed a link.
    fn hops(&self) -> u64;
    /// Things that have happened in virtual time.
    fn events(&self) -> Option<u64>;
    /// Flows that were started and have not ended.
    fn unfinished(&self) -> u64;

    /// Packets whose data queues have cut off.
    fn trimmed(&self) -> u64 {
        0
    }

    /// How often switches have paused who sends to them.
    fn pauses(&self) -> u64 {
        0
    }
}

impl State for Simulation {
    fn direction(&mut self, direction: u32) -> Sample {
        Self::direction(self, direction)
    }

    fn deepest(&self, direction: u32) -> u64 {
        Self::deepest(self, direction)
    }

    fn sums(&self) -> &[Sums] {
        Self::sums(self)
    }

    fn drops(&self) -> [u64; Cause::ALL.len()] {
        Self::drops(self)
    }

    fn hops(&self) -> u64 {
        Self::hops(self)
    }

    fn events(&self) -> Option<u64> {
        Some(Self::events(self))
    }

    fn unfinished(&self) -> u64 {
        Self::unfinished(self)
    }

    fn trimmed(&self) -> u64 {
        (0..2 * self.network().links.len() as u32).map(|way| Self::trimmed(self, way)).sum()
    }

    fn pauses(&self) -> u64 {
        (0..2 * self.network().links.len() as u32).map(|way| Self::pauses(self, way)).sum()
    }
}

/// Observes a run.
pub struct Collector<'p> {
    plan: &'p Plan,
    flows: Vec<Flows>,
    queues: BTreeMap<u32, Histogram>,
    at_warmup: Vec<Counters>,
    at_end: Vec<Counters>,
    sums_at_end: Vec<Sums>,
    writers: Writers,
    /// For the report: a depth in bytes for each of the first sampled directions.
    pub depths: BTreeMap<u32, Curve>,
    /// For the report: the share of the line's rate that was used.
    pub uses: BTreeMap<u32, Curve>,
    last: BTreeMap<u32, (u64, u64)>,
    /// What results of applications are compared with, where the frames of links are seen.
    pub witnesses: Witnesses,
    numbers: Numbers,
}

impl<'p> Collector<'p> {
    /// For a run of the plan.
    pub fn new(plan: &'p Plan, writers: Writers) -> Self {
        let traffic = plan.network.traffic.len();
        let curves = plan.measure.sampled.iter().take(CURVES);
        let curve = |direction: &u32| (*direction, Curve::new(plan.run.duration + plan.run.drain));
        let depths: BTreeMap<u32, Curve> = curves.map(curve).collect();
        Self {
            plan,
            flows: vec![Flows::default(); traffic],
            queues: BTreeMap::new(),
            at_warmup: Vec::new(),
            at_end: Vec::new(),
            sums_at_end: Vec::new(),
            writers,
            uses: depths.clone(),
            depths,
            last: BTreeMap::new(),
            witnesses: Vec::new(),
            numbers: Numbers::default(),
        }
    }

    fn counters(&self, state: &mut dyn State) -> Vec<Counters> {
        let count = 2 * self.plan.network.links.len() as u32;
        let counters = |direction| {
            let Sample { sent, dropped, marked, .. } = state.direction(direction);
            Counters { sent, dropped, marked }
        };
        (0..count).map(counters).collect()
    }

    /// The warm-up is over.
    pub fn warmed_up(&mut self, state: &mut dyn State) {
        self.at_warmup = self.counters(state);
    }

    /// Traffic ends; what is left may arrive.
    pub fn traffic_ends(&mut self, state: &mut dyn State) {
        self.at_end = self.counters(state);
        self.sums_at_end = state.sums().to_vec();
    }

    /// What applications of TPPs have found out.
    ///
    /// # Errors
    /// A host's report lacks something, or cannot be read.
    pub fn tpps(&mut self, reports: &Reports) -> Result<(), String> {
        super::tpp::numbers(self.plan, reports, &self.witnesses, &mut self.numbers)?;
        self.writers.tpps(self.plan, reports);
        Ok(())
    }

    /// What clock synchronisation in the physical layer has come to.
    pub fn dtp(&mut self, report: &DtpReport) {
        super::clocks::dtp(self.plan, report, &mut self.numbers);
    }

    /// How far clocks were from the reference that packets keep.
    pub fn kept(&mut self, reports: &[KeptReport]) {
        super::clocks::kept(self.plan, reports, &mut self.numbers);
    }

    /// The run is over at this time, ps, maybe before its end: its numbers.
    ///
    /// # Errors
    /// Rows could not be written.
    pub fn finish(mut self, state: &mut dyn State, now: u64) -> Result<(Numbers, Curves), String> {
        if self.at_end.is_empty() {
            self.traffic_ends(state);
        }
        if self.at_warmup.is_empty() {
            self.at_warmup = vec![Counters::default(); self.at_end.len()];
        }
        let mut numbers = std::mem::take(&mut self.numbers);
        let end = now.min(self.plan.run.duration);
        let seconds = end.saturating_sub(self.plan.run.warmup) as f64 / 1e12;
        for (place, traffic) in self.plan.network.traffic.iter().enumerate() {
            self.traffic(&mut numbers, place, &traffic.name, state, seconds);
        }
        self.links(&mut numbers, state, seconds);
        numbers.set(&["network", "measured_us"], seconds * 1e6);
        for (cause, count) in Cause::ALL.iter().zip(state.drops()) {
            numbers.set(&["network", "drops", cause.word()], count as f64);
        }
        numbers.set(&["network", "packet_hops"], state.hops() as f64);
        numbers.set_some(&["network", "events"], state.events().map(|events| events as f64));
        numbers.set(&["network", "unfinished_flows"], state.unfinished() as f64);
        match self.plan.network.queueing {
            Queueing::DropTail => {}
            Queueing::Trim(_) => numbers.set(&["network", "trimmed"], state.trimmed() as f64),
            Queueing::Pause(_) => numbers.set(&["network", "pauses"], state.pauses() as f64),
        }
        self.writers.finish()?;
        Ok((numbers, Curves { depths: self.depths, uses: self.uses }))
    }

    fn traffic(
        &self,
        numbers: &mut Numbers,
        place: usize,
        name: &str,
        state: &dyn State,
        seconds: f64,
    ) {
        let mut set = |path: &[&str], value: f64| {
            let path: Vec<&str> = ["traffic", name].iter().chain(path).copied().collect();
            numbers.set(&path, value);
        };
        let (sums, flows) = (&state.sums()[place], &self.flows[place]);
        let goodput = self.sums_at_end.get(place).unwrap_or(sums).goodput;
        set(&["goodput_bps"], goodput as f64 * 8.0 / seconds);
        set(&["packets", "sent"], sums.sent as f64);
        set(&["packets", "delivered"], sums.delivered as f64);
        set(&["packets", "marked"], sums.marked as f64);
        set(&["packets", "marked_share"], sums.marked as f64 / sums.delivered as f64);
        let mut dropped = 0;
        for (cause, count) in Cause::ALL.iter().zip(sums.drops) {
            set(&["packets", "drops", cause.word()], count as f64);
            dropped += count;
        }
        set(&["packets", "dropped"], dropped as f64);
        set(&["packets", "dropped_share"], dropped as f64 / sums.sent as f64);
        times(&sums.latency, &["latency_us"], &mut set);
        let kind = &self.plan.network.traffic[place].kind;
        if matches!(kind, Kind::Ping(_)) {
            set(&["packets", "answered"], sums.round_trips.count() as f64);
            times(&sums.round_trips, &["rtt_us"], &mut set);
        }
        if self.plan.network.hosts().any(|(_, host)| host.stack.is_some()) {
            set(&["wrong_bytes"], sums.wrong as f64);
        }
        let offered = &self.plan.offered[place];
        let stated = [
            ("load", offered.load),
            ("capacity_bps", offered.capacity),
            ("mean_bytes", offered.mean_bytes),
            ("flows_per_second", offered.flow_rate),
            ("rate_bps", offered.rate),
        ];
        for (key, value) in stated {
            if let Some(value) = value {
                set(&["offered", key], value);
            }
        }
        if flows.count == 0 {
            return;
        }
        let sent = flows.bytes as f64 * 8.0 / seconds;
        set(&["realised", "mean_bytes"], flows.bytes as f64 / flows.count as f64);
        set(&["realised", "flows_per_second"], flows.count as f64 / seconds);
        set(&["realised", "rate_bps"], sent);
        if let Some(capacity) = offered.capacity {
            set(&["realised", "load"], sent / capacity);
        }
        set(&["flows", "started"], flows.count as f64);
        set(&["flows", "finished"], flows.finished as f64);
        set(&["flows", "unfinished"], (flows.count - flows.finished) as f64);
        set(&["flows", "retransmitted"], flows.retransmitted as f64);
        set(&["flows", "timeouts"], flows.timeouts as f64);
        let (sum, squares) = flows.goodput;
        if squares > 0.0 {
            set(&["flows", "jain_index"], sum * sum / (flows.count as f64 * squares));
        }
        times(&flows.times, &["fct_us"], &mut set);
        slowdowns(&flows.slowdowns, &["slowdown"], &mut set);
        for (class, (class_times, class_slowdowns)) in &flows.by_size {
            let word = CLASSES[*class].1;
            times(class_times, &["by_size", word, "fct_us"], &mut set);
            slowdowns(class_slowdowns, &["by_size", word, "slowdown"], &mut set);
            set(&["by_size", word, "finished"], class_times.count() as f64);
        }
    }

    fn links(&self, numbers: &mut Numbers, state: &dyn State, seconds: f64) {
        let network = &self.plan.network;
        for (direction, (before, after)) in (0u32..).zip(self.at_warmup.iter().zip(&self.at_end)) {
            if after.sent == 0 && after.dropped == 0 {
                continue;
            }
            let (link, reverse) = (direction / 2, direction % 2 == 1);
            let rate = network.links[link as usize].directions[usize::from(reverse)].rate;
            let name = &self.plan.directions[direction as usize];
            let mut set = |key: &str, value: f64| numbers.set(&["links", name, key], value);
            let sent = (after.sent - before.sent) as f64;
            set("bytes", sent);
            set("utilisation", sent * 8.0 / rate as f64 / seconds);
            set("dropped", (after.dropped - before.dropped) as f64);
            set("marked", (after.marked - before.marked) as f64);
            set("deepest_bytes", state.deepest(direction) as f64);
        }
        for (direction, histogram) in &self.queues {
            let name = &self.plan.directions[*direction as usize];
            let mut set =
                |key: &str, value: Option<f64>| numbers.set_some(&["queues", name, key], value);
            set("mean_bytes", histogram.mean());
            for (key, share) in SHARES {
                set(&format!("{key}_bytes"), histogram.quantile(share).map(|bytes| bytes as f64));
            }
            set("largest_bytes", histogram.range().map(|(_, largest)| largest as f64));
            set("samples", Some(histogram.count() as f64));
        }
    }
}

/// For the report.
#[derive(Clone, Debug, Default)]
pub struct Curves {
    /// Depths in bytes, by direction.
    pub depths: BTreeMap<u32, Curve>,
    /// Parts of the line's rate, by direction.
    pub uses: BTreeMap<u32, Curve>,
}

/// Quantiles of results.
const SHARES: [(&str, f64); 5] =
    [("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99_9", 0.999), ("p5", 0.05)];

/// Picoseconds as microseconds.
fn times(histogram: &Histogram, path: &[&str], set: &mut impl FnMut(&[&str], f64)) {
    spread(histogram, path, 1e6, set);
}

fn slowdowns(histogram: &Histogram, path: &[&str], set: &mut impl FnMut(&[&str], f64)) {
    spread(histogram, path, SLOWDOWN, set);
}

fn spread(histogram: &Histogram, path: &[&str], unit: f64, set: &mut impl FnMut(&[&str], f64)) {
    let mut put = |key: &str, value: Option<f64>| {
        if let Some(value) = value {
            let path: Vec<&str> = path.iter().chain(&[key]).copied().collect();
            set(&path, value / unit);
        }
    };
    put("mean", histogram.mean());
    put("least", histogram.range().map(|(least, _)| least as f64));
    put("largest", histogram.range().map(|(_, largest)| largest as f64));
    for (key, share) in SHARES {
        put(key, histogram.quantile(share).map(|value| value as f64));
    }
}

impl Observer for Collector<'_> {
    fn flow(&mut self, record: &FlowRecord) {
        // The endless flow of a stream.
        if record.bytes == 0 {
            return;
        }
        self.writers.flow(record);
        if record.start < self.plan.run.warmup {
            return;
        }
        let flows = &mut self.flows[record.traffic as usize];
        flows.count += 1;
        flows.bytes += u128::from(record.bytes);
        flows.received += u128::from(record.received);
        flows.retransmitted += record.retransmitted;
        flows.timeouts += record.timeouts;
        let until = record.end.unwrap_or(self.plan.run.duration + self.plan.run.drain);
        let lasted = until.saturating_sub(record.start).max(1);
        let goodput = record.received as f64 / lasted as f64;
        flows.goodput.0 += goodput;
        flows.goodput.1 += goodput * goodput;
        if record.end.is_none() {
            return;
        }
        flows.finished += 1;
        let slowdown = (lasted as f64 / record.ideal.max(1) as f64 * SLOWDOWN) as u64;
        flows.times.record(lasted);
        flows.slowdowns.record(slowdown);
        let class = CLASSES.partition_point(|(end, _)| *end < record.bytes);
        let (times, slowdowns) = flows.by_size.entry(class).or_default();
        times.record(lasted);
        slowdowns.record(slowdown);
    }

    fn delivered(&mut self, delivery: &Delivery) {
        self.writers.packet(delivery);
    }

    fn dropped(&mut self, _drop: &Drop) {}

    fn sample(&mut self, sample: &Sample) {
        self.writers.sample(sample);
        let run = &self.plan.run;
        if (run.warmup..run.duration).contains(&sample.at) {
            self.queues.entry(sample.direction).or_default().record(sample.queued);
        }
        let Some(curve) = self.depths.get_mut(&sample.direction) else { return };
        curve.add(sample.at, sample.queued as f64);
        let (at, sent) =
            self.last.insert(sample.direction, (sample.at, sample.sent)).unwrap_or((0, 0));
        if sample.at > at
            && let Some(curve) = self.uses.get_mut(&sample.direction)
        {
            let (link, back) = (sample.direction / 2, sample.direction % 2);
            let rate = self.plan.network.links[link as usize].directions[back as usize].rate;
            let bits = sample.sent.saturating_sub(sent) as f64 * 8.0;
            curve.add(at, bits / rate as f64 / ((sample.at - at) as f64 / 1e12));
        }
    }

    fn frame(&mut self, direction: u32, at: u64, frame: &[u8]) {
        self.witnesses.iter_mut().for_each(|(_, witness)| witness.frame(direction, frame));
        self.writers.frame(direction, at, frame);
    }
}
