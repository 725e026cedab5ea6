//! `kind = "conga"`: flows under CONGA*.

use super::agent::{DATA, DemandSpec, Host, MAX_DEMANDS, Spec};
use super::{COLLECT, Measure, Settings};
use crate::application::{Application, Context, Kind, Registration, Run, settings, value};
use crate::keys::{authorised, frame, reads, share};
use crate::ways::{core, hosts_apart, station, tags};
use std::sync::Arc;
use ww_config::quantity::{Rate, Span};
use ww_config::reader::Reader;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::packet::Tpp;

/// `kind = "conga"`.
pub const KIND: Kind = Kind {
    name: "conga",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?))),
};

/// Flows under CONGA*.
#[derive(Clone, Debug, PartialEq)]
pub struct Conga {
    /// Who sends how much to whom.
    pub demands: Vec<Demand>,
    /// Whether flowlets look for the best path.
    pub balanced: bool,
    /// Bytes of a frame.
    pub frame: u64,
    /// Of the balancer.
    pub settings: Settings,
    /// The TPP that collects.
    pub collect: Vec<u8>,
}

/// What one host sends to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// The sender.
    pub from: NodeId,
    /// The receiver.
    pub to: NodeId,
    /// Bits a second on the line.
    pub rate: u64,
    /// Flows, each with the same share.
    pub flows: u32,
}

const MEASURES: [(&str, Measure); 2] = [("largest", Measure::Largest), ("sum", Measure::Sum)];

impl Application for Conga {
    fn hosts(&self) -> Vec<NodeId> {
        self.demands.iter().flat_map(|one| [one.from, one.to]).collect()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        let network = run.network;
        let own = (0u16..).zip(&self.demands).filter(|(_, demand)| demand.from == host);
        let demand = |(number, demand): (u16, &Demand)| DemandSpec {
            number,
            to: station(network, demand.to),
            rate: demand.rate as f64,
            flows: demand.flows,
            frame: self.frame as usize,
            tags: tags(network, run.seed, (demand.from, demand.to), DATA + number),
            balanced: self.balanced,
        };
        value(&Spec {
            host: station(network, host),
            demands: own.map(demand).collect(),
            stations: self.demands.iter().map(|demand| station(network, demand.from)).collect(),
            stop: run.duration,
            collect: self.collect.clone(),
            core: core(network).map(|(link, _)| link).collect(),
            settings: self.settings,
            seed: run.host_seed(host),
            measured: run.measured(),
        })
    }

    fn longest_frame(&self) -> Option<u64> {
        Some(self.frame + self.collect.len() as u64)
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Conga> {
    let usual = Settings::default();
    let span = |key, default| reader.get_or(key, Span(default)).0;
    let settings = Settings {
        gap: span("gap", usual.gap),
        settle: span("settle", usual.settle),
        stale: span("stale", usual.stale),
        weight: share(reader, "weight", usual.weight),
        margin: share(reader, "margin", usual.margin),
        measure: reader.choice("measure", &MEASURES).unwrap_or(usual.measure),
    };
    let balanced = reader.get_or("balanced", true);
    let frame = frame(reader, 1_476);
    let mut demands = Vec::new();
    for table in reader.tables("demand") {
        let host =
            |key| table.needed_value(key, "\"h0\"").and_then(|value| context.names.host(value));
        let (from, to) = (host("from"), host("to"));
        let rate = table.need::<Rate>("rate", "\"50 Mb/s\"").map(|rate| rate.0);
        let flows = table.within("flows", 1..=10_000u32).unwrap_or(1);
        table.finish();
        if let (Some(from), Some(to), Some(rate)) = (from, to, rate) {
            demands.push(Demand { from, to, rate, flows });
        }
    }
    if demands.is_empty() || demands.len() >= usize::from(MAX_DEMANDS) {
        reader.missing("demand", "{ from = \"h0\", to = \"h1\", rate = \"50 Mb/s\" }");
        return None;
    }
    let apart = |one: &Demand| hosts_apart(context.network, one.from, one.to);
    let hops = demands.iter().map(apart).max();
    let options = Options { hops, ..Options::default() };
    let tpp = assemble(COLLECT, &options).ok()?;
    debug_assert!(Tpp::new(tpp.emit()).is_ok());
    let collect = authorised(reader, reader.place(), own, reads(&tpp), tpp.emit())?;
    Some(Conga { demands, balanced, frame, settings, collect })
}
