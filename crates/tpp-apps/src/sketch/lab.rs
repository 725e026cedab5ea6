//! `kind = "sketch"`: sketches of links.

use super::agent::{Element, Host, Settings, Spec};
use super::witness::Carried;
use super::{COLLECT, bitmap};
use crate::application::{
    Application, Context, Findings, Kind, Registration, Run, Set, Witness, settings, value,
};
use crate::keys::{hosts, stamped};
use crate::ways::station;
use std::collections::BTreeMap;
use std::sync::Arc;
use ww_config::quantity::Span;
use ww_config::reader::Reader;
use ww_host::shim::Rule;
use ww_sim::network::{Network, NodeId};
use ww_tpp::packet::Tpp;
use ww_tpp::switch::Config;

/// `kind = "sketch"`.
pub const KIND: Kind = Kind {
    name: "sketch",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?)?)),
};

/// Sketches of links.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Hosts that send, receive and push.
    pub hosts: Vec<NodeId>,
    /// Hosts with an instance of the service.
    pub services: Vec<NodeId>,
    /// What is counted.
    pub element: Element,
    /// Bits of a bitmap.
    pub bits: usize,
    /// Between two pushes, ps.
    pub period: u64,
    /// Which packets carry the TPP that collects.
    pub rule: Rule,
    /// Bytes of an IP packet with its TPP, at most.
    pub mtu: usize,
    /// The application's tag.
    pub app: u8,
}

/// The UDP port that pushes come from and go to.
pub const PORT: u16 = 7100;

const ELEMENTS: [(&str, Element); 3] =
    [("destination", Element::Destination), ("source", Element::Source), ("flow", Element::Flow)];

impl Application for Sketch {
    fn hosts(&self) -> Vec<NodeId> {
        self.hosts.iter().chain(&self.services).copied().collect()
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        let network = run.network;
        let end = |node| station(network, node).end(PORT);
        value(&Spec {
            settings: Settings {
                app: self.app,
                element: self.element,
                bits: self.bits,
                room: 2 * network.links.len(),
                period: self.period,
                // All of the run is one.
                epoch: u64::MAX,
                last: run.duration + run.drain / 2,
                own: end(host),
                services: self.services.iter().map(|node| end(*node)).collect(),
            },
            shim: run.shim(host, self.mtu, &self.rule),
        })
    }

    fn results(&self, findings: &Findings<'_>, set: &mut Set<'_>) -> Result<(), String> {
        super::results::estimates(findings, set)
    }

    fn witness(
        &self,
        network: &Network,
        switches: &BTreeMap<NodeId, Config>,
    ) -> Option<Box<dyn Witness>> {
        Some(Box::new(Carried::new(self, network, switches)))
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Sketch> {
    let element = reader.choice("element", &ELEMENTS).unwrap_or(Element::Destination);
    let (from, to) = (*bitmap::SIZES.start() as u64, *bitmap::SIZES.end() as u64);
    let bits = reader.within("bits", from..=to).unwrap_or(1024) as usize;
    if !bits.is_power_of_two()
        && let Some(value) = reader.value("bits")
    {
        reader.mistakes().add(&value.place, "'bits': expected a power of two");
    }
    let period = reader.get_or("period", Span(10_000_000_000_000)).0;
    if period < 1_000_000_000
        && let Some(value) = reader.value("period")
    {
        reader.mistakes().add(&value.place, "'period': expected 1 ms or more");
    }
    if context.drain == Some(0) {
        let advice = Some("say 'drain' in 'run', such as \"100 ms\"".to_owned());
        let message = "the last push needs time after the end of traffic";
        reader.mistakes().advise(reader.place(), message, advice);
    }
    let hosts = hosts(reader, context);
    let services = reader.needed_value("services", "[\"h0\"]");
    let services = services.and_then(|value| context.names.hosts(value));
    let (rule, mtu) = stamped(reader, context, own, COLLECT)?;
    let app = Tpp::new(rule.tpp.as_slice()).ok()?.app_tag();
    Some(Sketch { hosts: hosts?, services: services?, element, bits, period, rule, mtu, app })
}
