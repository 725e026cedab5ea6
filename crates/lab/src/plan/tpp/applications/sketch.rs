//! Sketches of links.

use super::keys::{hosts, stamped};
use super::{Context, Setting};
use crate::file::quantity::Span;
use crate::file::reader::Reader;
use crate::plan::tpp::ways::station;
use ww_host::registry::Registry;
use ww_host::shim::Rule;
use ww_sim::network::NodeId;
use ww_tpp::packet::Tpp;
use ww_tpp_apps::sketch::agent::{Element, Settings, Spec};
use ww_tpp_apps::sketch::{COLLECT, bitmap};

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

impl Sketch {
    /// What a host is told.
    pub(super) fn spec(&self, node: NodeId, setting: &Setting<'_>) -> Spec {
        let (network, run) = (setting.network(), &setting.plan.run);
        let end = |node| station(network, node).end(PORT);
        Spec {
            settings: Settings {
                app: self.app,
                element: self.element,
                bits: self.bits,
                room: 2 * network.links.len(),
                period: self.period,
                // All of the run is one.
                epoch: u64::MAX,
                last: run.duration + run.drain / 2,
                own: end(node),
                services: self.services.iter().map(|node| end(*node)).collect(),
            },
            rules: vec![self.rule.clone()],
            mtu: self.mtu,
            seed: setting.seed ^ u64::from(node) << 32,
            protection: setting.protection.clone(),
        }
    }
}

pub(super) fn read(
    reader: &Reader<'_>,
    context: &Context<'_>,
    registry: &mut Registry,
    id: Option<u64>,
) -> Option<Sketch> {
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
    let (rule, mtu) = stamped(reader, context, registry, id, COLLECT)?;
    let app = Tpp::new(rule.tpp.as_slice()).ok()?.app_tag();
    Some(Sketch { hosts: hosts?, services: services?, element, bits, period, rule, mtu, app })
}
