//! `kind = "update"`: routes for the switches of a path.

use super::agent::{Changes, Host, PORT, Spec};
use super::{Change, program};
use crate::application::{Application, Context, Kind, Registration, Run, settings, value};
use crate::keys::{authorised, path};
use crate::ways::{station, way};
use std::net::Ipv4Addr;
use std::sync::Arc;
use ww_config::quantity::Span;
use ww_config::reader::Reader;
use ww_sim::network::{Network, NodeId};
use ww_tpp::header::TPP_NUMBER;
use ww_tpp::packet::Tpp;
use ww_tpp::switch::Config;
use ww_tpp::switch::routes::ROUTES;

/// `kind = "update"`.
pub const KIND: Kind = Kind {
    name: "update",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?))),
};

/// Which route, for whom, and when.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Update {
    /// The ends of the path.
    pub ends: (NodeId, NodeId),
    /// When it begins, ps.
    pub at: u64,
    /// Address and mask of the route.
    pub prefix: (u32, u32),
    /// The stage whose registers are routes, from 1, and the route.
    pub place: (u16, u16),
    /// One switch after the other.
    pub each: bool,
    /// When a TPP is sent again, ps.
    pub timeout: u64,
    /// The application's tag.
    pub app: u8,
}

/// Times that a TPP is sent, at most.
const TRIES: u32 = 10;

impl Application for Update {
    fn hosts(&self) -> Vec<NodeId> {
        vec![self.ends.0, self.ends.1]
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        let network = run.network;
        let (from, to) = self.ends;
        let (address, mask) = self.prefix;
        let changes = || {
            let way = way(network, run.seed, (from, to), [PORT, TPP_NUMBER]);
            let way = way.iter().filter(|(node, _)| run.switches.contains_key(node));
            let hops = way.map(|(_, port)| Change { old: 0, address, mask, port: *port as u16 });
            Changes {
                to: station(network, to),
                hops: hops.collect(),
                place: self.place,
                each: self.each,
                timeout: self.timeout,
                tries: TRIES,
                // Not the network's own address, if there is another one.
                address: Ipv4Addr::from(address | (!mask & 1)),
                app: self.app,
            }
        };
        value(&Spec {
            host: station(network, host),
            at: self.at,
            changes: (host == from).then(changes),
            protection: run.protection.clone(),
        })
    }

    fn needs_plain_switches(&self) -> Option<&'static str> {
        Some("has no routes that TPPs write")
    }

    fn configure(&self, _network: &Network, _switch: NodeId, config: &mut Config) {
        config.routes = Some(self.place.0);
    }
}

/// Address and mask of "10.9.0.0/16".
fn prefix(text: &str) -> Option<(u32, u32)> {
    let (address, length) = text.split_once('/')?;
    let (address, length) = (address.parse::<Ipv4Addr>().ok()?, length.parse::<u32>().ok()?);
    let mask = u32::MAX.checked_shl(32 - length.min(32)).unwrap_or(0);
    (length <= 32 && u32::from(address) & !mask == 0).then_some((address.into(), mask))
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Update> {
    let at = reader.get_or("at", Span(0)).0;
    let each = reader.get_or("each", false);
    let timeout = reader.get_or("timeout", Span(100_000_000_000)).0;
    if timeout < 1_000_000
        && let Some(value) = reader.value("timeout")
    {
        reader.mistakes().add(&value.place, "'timeout': expected 1 us or more");
    }
    let stage = reader.within("stage", 1..=47u32).unwrap_or(1) as u16;
    let route = reader.within("route", 0..=u32::from(ROUTES) - 1).unwrap_or(0) as u16;
    let prefix = reader.need::<String>("prefix", "\"10.9.0.0/16\"").and_then(|text| {
        let found = prefix(&text);
        if found.is_none()
            && let Some(value) = reader.value("prefix")
        {
            let message = format!(
                "'prefix': expected an IPv4 prefix without bits behind it, such as \"10.9.0.0/16\", found '{text}'"
            );
            reader.mistakes().add(&value.place, message);
        }
        found
    });
    let (ends, switches) = path(reader, context)?;
    let (address, mask) = prefix?;
    let change = Change { old: 0, address, mask, port: 0 };
    let Some(tpp) = program(stage, route, &vec![change; switches.len()], 0) else {
        let message = format!("a path of {} switches is too long for one TPP", switches.len());
        reader.mistakes().add(reader.place(), message);
        return None;
    };
    let registers = tpp.instructions.iter().map(|one| one.address());
    let grants: Vec<_> = registers.flat_map(|at| [(false, at, at), (true, at, at)]).collect();
    let tpp = authorised(reader, reader.place(), own, grants, tpp.emit())?;
    let app = Tpp::new(tpp.as_slice()).ok()?.app_tag();
    Some(Update { ends, at, prefix: (address, mask), place: (stage, route), each, timeout, app })
}
