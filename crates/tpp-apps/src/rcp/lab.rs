//! `kind = "rcp"`: flows under RCP*.

use super::COLLECT;
use super::agent::{FlowSpec, Host, MAX_FLOWS, Spec};
use super::audit::{self, audit};
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, settings, value,
};
use crate::keys::{authorised, frame, pair, reads, share};
use crate::ways::{core, hosts_apart, station};
use std::sync::Arc;
use ww_config::quantity::{Rate, Span};
use ww_config::reader::Reader;
use ww_host::record::Record;
use ww_host::registry::Space;
use ww_sim::network::NodeId;
use ww_tpp::assemble::{Options, assemble};

/// `kind = "rcp"`.
pub const KIND: Kind = Kind {
    name: "rcp",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?)?)),
};

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

impl Application for Rcp {
    fn hosts(&self) -> Vec<NodeId> {
        self.pairs.iter().flat_map(|(from, to)| [*from, *to]).collect()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        let network = run.network;
        let count = self.pairs.len() as u64 * u64::from(self.each);
        let flows = (0u16..).zip(&self.pairs).filter(|(_, (from, _))| *from == host);
        let flow = |(pair, (_, to)): (u16, &(NodeId, NodeId)), copy: u16| {
            let number = pair * self.each + copy;
            // Flows collect one after the other within a period.
            let offset = self.period / count.max(1) * u64::from(number);
            FlowSpec { number, to: station(network, *to), start: 0, offset }
        };
        value(&Spec {
            host: station(network, host),
            flows: flows
                .flat_map(|pair| (0..self.each).map(move |copy| flow(pair, copy)))
                .collect(),
            each: self.each,
            stop: run.duration,
            alpha: self.alpha,
            period: self.period,
            share: self.share,
            frame: self.frame as usize,
            begin: self.begin as f64,
            capacities: core(network).map(|(link, rate)| (link, rate as f64)).collect(),
            collect: self.collect.clone(),
            read_only: self.read_only,
            audit: self.audit,
            protection: run.protection.clone(),
            measured: run.measured(),
        })
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        if !self.audit {
            return Ok(());
        }
        let records: Vec<Record> = findings.records().into_iter().cloned().collect();
        let audit = audit(&records);
        set(&["updates"], audit.updates as f64);
        set(&["updates_failed"], audit.failed as f64);
        set(&["too_close"], audit.too_close as f64);
        set(&["same_again"], audit.same_again as f64);
        Ok(())
    }

    fn longest_frame(&self) -> Option<u64> {
        Some(self.frame)
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Rcp> {
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
    let audited = reader.get_or("audit", false);
    let value = reader.needed_value("pairs", "[[\"h0\", \"h1\"]]")?;
    let pairs: Option<Vec<_>> =
        value.listed().iter().map(|item| pair(reader, item, context)).collect();
    let pairs = pairs?;
    if pairs.is_empty() || pairs.len() * usize::from(each) >= usize::from(MAX_FLOWS) {
        let message = format!("'pairs': expected 1 to {} flows", MAX_FLOWS - 1);
        reader.mistakes().add(&value.place, message);
        return None;
    }
    let text = format!("{}{}", COLLECT, if audited { audit::CLOCK } else { "" });
    let hops = pairs.iter().map(|(from, to)| hosts_apart(context.network, *from, *to)).max();
    let options = Options { hops, ..Options::default() };
    let tpp = assemble(&text, &options).map_err(|_| ());
    let Ok(tpp) = tpp else {
        let message = format!("a path of {} switches is too long for one TPP", hops.unwrap_or(0));
        reader.mistakes().add(&value.place, message);
        return None;
    };
    let register = own.registry.allocate(own.id?, Space::Link, 1);
    if register != Ok((0xd000, 0xd000)) {
        reader.mistakes().add(reader.place(), "only one application of a lab can be \"rcp\"");
        return None;
    }
    let collect = authorised(reader, reader.place(), own, reads(&tpp), tpp.emit())?;
    Some(Rcp {
        pairs,
        each,
        alpha,
        period,
        share,
        frame,
        begin,
        read_only,
        audit: audited,
        collect,
    })
}
