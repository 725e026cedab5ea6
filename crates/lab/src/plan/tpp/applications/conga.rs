//! Flows under CONGA*.

use super::keys::{authorised, frame, reads, share};
use super::{Context, Setting};
use crate::file::quantity::{Rate, Span};
use crate::file::reader::Reader;
use crate::plan::tpp::ways::{core, hosts_apart, station, tags};
use ww_host::registry::Registry;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::packet::Tpp;
use ww_tpp_apps::conga::agent::{DATA, DemandSpec};
use ww_tpp_apps::conga::{self, Measure};

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
    pub settings: conga::Settings,
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

impl Conga {
    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> conga::agent::Spec {
        let (network, seed) = (setting.network(), setting.seed);
        let own = (0u16..).zip(&self.demands).filter(|(_, demand)| demand.from == node);
        let demand = |(number, demand): (u16, &Demand)| DemandSpec {
            number,
            to: station(network, demand.to),
            rate: demand.rate as f64,
            flows: demand.flows,
            frame: self.frame as usize,
            tags: tags(network, seed, (demand.from, demand.to), DATA + number),
            balanced: self.balanced,
        };
        conga::agent::Spec {
            host: station(network, node),
            demands: own.map(demand).collect(),
            stations: self.demands.iter().map(|demand| station(network, demand.from)).collect(),
            stop: setting.plan.run.duration,
            collect: self.collect.clone(),
            core: core(network).map(|(link, _)| link).collect(),
            settings: self.settings,
            seed: seed ^ u64::from(node) << 32,
            measured: setting.measured(),
        }
    }
}

pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Conga> {
    let usual = conga::Settings::default();
    let span = |key, default| reader.get_or(key, Span(default)).0;
    let settings = conga::Settings {
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
    if demands.is_empty() || demands.len() >= usize::from(conga::agent::MAX_DEMANDS) {
        reader.missing("demand", "{ from = \"h0\", to = \"h1\", rate = \"50 Mb/s\" }");
        return None;
    }
    let apart = |one: &Demand| hosts_apart(context.network, one.from, one.to);
    let hops = demands.iter().map(apart).max();
    let options = Options { hops, ..Options::default() };
    let tpp = assemble(conga::COLLECT, &options).ok()?;
    debug_assert!(Tpp::new(tpp.emit()).is_ok());
    let collect = authorised(reader, reader.place(), registry, (id?, reads(&tpp)), tpp.emit())?;
    Some(Conga { demands, balanced, frame, settings, collect })
}
