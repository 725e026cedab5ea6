//! Flows under RCP*.

use super::keys::{authorised, frame, pair, reads, share};
use super::{Context, Setting};
use crate::file::quantity::{Rate, Span};
use crate::file::reader::Reader;
use crate::plan::tpp::ways::{core, hosts_apart, station};
use ww_host::registry::{Registry, Space};
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp_apps::rcp;
use ww_tpp_apps::rcp::agent::FlowSpec;

/// Flows under RCP*.
#[derive(Clone, Debug, PartialEq)]
pub struct Rcp {
    /// Pairs of hosts.
    pub pairs: Vec<(NodeId, NodeId)>,
    /// Flows of each pair.
    pub each: u16,
    /// What flows share links by: 0 for max-min.
    pub alpha: f64,
    /// Between two collections of a flow, ps.
    pub period: u64,
    /// Control packets are at most this share of a flow's rate.
    pub share: f64,
    /// Bytes of a frame of data.
    pub frame: u64,
    /// Bits a second at the start.
    pub begin: u64,
    /// Whether nothing is written.
    pub read_only: bool,
    /// Whether updates say what came of them.
    pub audit: bool,
    /// The TPP that collects.
    pub collect: Vec<u8>,
}

impl Rcp {
    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> rcp::agent::Spec {
        let network = setting.network();
        let count = self.pairs.len() as u64 * u64::from(self.each);
        let flows = (0u16..).zip(&self.pairs).filter(|(_, (from, _))| *from == node);
        let flow = |(pair, (_, to)): (u16, &(NodeId, NodeId)), copy: u16| {
            let number = pair * self.each + copy;
            // Flows collect one after the other within a period.
            let offset = self.period / count.max(1) * u64::from(number);
            FlowSpec { number, to: station(network, *to), start: 0, offset }
        };
        rcp::agent::Spec {
            host: station(network, node),
            flows: flows
                .flat_map(|pair| (0..self.each).map(move |copy| flow(pair, copy)))
                .collect(),
            each: self.each,
            stop: setting.plan.run.duration,
            alpha: self.alpha,
            period: self.period,
            share: self.share,
            frame: self.frame as usize,
            begin: self.begin as f64,
            capacities: core(network).map(|(link, rate)| (link, rate as f64)).collect(),
            collect: self.collect.clone(),
            read_only: self.read_only,
            audit: self.audit,
            protection: setting.protection.clone(),
            measured: setting.measured(),
        }
    }
}

pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Rcp> {
    let each = reader.within("each", 1..=1_000u32).unwrap_or(1) as u16;
    let alpha = reader.get_or("alpha", 0.0);
    if !(0.0..=100.0).contains(&alpha)
        && let Some(value) = reader.value("alpha")
    {
        reader.mistakes().add(&value.place, format!("'alpha': expected 0 to 100, found {alpha}"));
    }
    let period = reader.get_or("period", Span(20_000_000_000)).0;
    if period < 100_000_000
        && let Some(value) = reader.value("period")
    {
        reader.mistakes().add(&value.place, "'period': expected 100 us or more");
    }
    let share = share(reader, "share", 0.05);
    let frame = frame(reader, 1_000);
    let begin = reader.get_or("begin", Rate(1_000_000)).0;
    let read_only = reader.get_or("read_only", false);
    let audit = reader.get_or("audit", false);
    let value = reader.needed_value("pairs", "[[\"h0\", \"h1\"]]")?;
    let pairs: Option<Vec<_>> =
        value.listed().iter().map(|item| pair(reader, item, context)).collect();
    let pairs = pairs?;
    if pairs.is_empty() || pairs.len() * usize::from(each) >= usize::from(rcp::agent::MAX_FLOWS) {
        let message = format!("'pairs': expected 1 to {} flows", rcp::agent::MAX_FLOWS - 1);
        reader.mistakes().add(&value.place, message);
        return None;
    }
    let text = format!("{}{}", rcp::COLLECT, if audit { rcp::audit::CLOCK } else { "" });
    let hops = pairs.iter().map(|(from, to)| hosts_apart(context.network, *from, *to)).max();
    let options = Options { hops, ..Options::default() };
    let tpp = assemble(&text, &options).map_err(|_| ());
    let Ok(tpp) = tpp else {
        let message = format!("a path of {} switches is too long for one TPP", hops.unwrap_or(0));
        reader.mistakes().add(&value.place, message);
        return None;
    };
    let id = id?;
    let register = registry.allocate(id, Space::Link, 1);
    if register != Ok((0xd000, 0xd000)) {
        reader.mistakes().add(reader.place(), "only one application of a lab can be \"rcp\"");
        return None;
    }
    let collect = authorised(reader, reader.place(), registry, (id, reads(&tpp)), tpp.emit())?;
    Some(Rcp { pairs, each, alpha, period, share, frame, begin, read_only, audit, collect })
}
