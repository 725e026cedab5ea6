//! `kind = "vendors"`: a statistic of switches of several vendors.

use super::Devices;
use super::agent::{Asks, Host, PORT, Spec};
use crate::application::{Application, Context, Kind, Registration, Run, settings, value};
use crate::keys::{authorised, path};
use crate::ways::{station, way};
use std::collections::BTreeMap;
use std::sync::Arc;
use ww_config::quantity::Span;
use ww_config::reader::Reader;
use ww_config::tree;
use ww_sim::network::NodeId;
use ww_tpp::header::TPP_NUMBER;
use ww_tpp::map;
use ww_tpp::packet::Tpp;

/// `kind = "vendors"`.
pub const KIND: Kind = Kind {
    name: "vendors",
    read: |reader, context, own| Some(Arc::new(read(reader, context, own)?)),
    agent: |own| Some(Box::new(Host::new(settings(own)?))),
};

/// Who asks what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vendors {
    /// The ends of the path.
    pub ends: (NodeId, NodeId),
    /// From one TPP to the next, ps.
    pub period: u64,
    /// Where each vendor has the statistic.
    pub addresses: BTreeMap<u32, u16>,
    /// The vendors that the application expects at the start; those that there are if it is empty.
    pub expected: Vec<u32>,
    /// The application's tag.
    pub app: u8,
}

impl Application for Vendors {
    fn hosts(&self) -> Vec<NodeId> {
        vec![self.ends.0, self.ends.1]
    }

    fn settings(&self, host: NodeId, run: &Run<'_>) -> serde_json::Value {
        let network = run.network;
        let (from, to) = self.ends;
        let asks = || {
            let way = way(network, run.seed, (from, to), [PORT, TPP_NUMBER]);
            let there = way.iter().filter_map(|(node, _)| run.switches.get(node));
            let path = match self.expected.is_empty() {
                true => there.map(|config| config.identity.vendor_id).collect(),
                false => self.expected.clone(),
            };
            let devices = Devices { addresses: self.addresses.clone(), path };
            let stop = run.duration;
            Asks { to: station(network, to), devices, period: self.period, stop, app: self.app }
        };
        value(&Spec {
            host: station(network, host),
            asks: (host == from).then(asks),
            protection: run.protection.clone(),
            measured: run.measured(),
        })
    }
}

fn read(reader: &Reader<'_>, context: &Context<'_>, own: &mut Registration<'_>) -> Option<Vendors> {
    let vendors = context.vendors;
    let period = reader.get_or("period", Span(10_000_000_000)).0;
    if period < 1_000_000
        && let Some(value) = reader.value("period")
    {
        reader.mistakes().add(&value.place, "'period': expected 1 us or more");
    }
    let place = reader.value("expected").map_or(reader.place(), |value| &value.place);
    let listed = reader.value("expected").map_or(&[][..], tree::Value::listed).iter();
    let expected: Option<Vec<u32>> = listed
        .map(|item| {
            let id = reader.read::<u32>("expected", item)?;
            if !vendors.iter().any(|vendor| vendor.id == id) {
                let message = format!("'expected': there is no [[tpp.vendor]] with the id {id}");
                reader.mistakes().add(&item.place, message);
            }
            Some(id)
        })
        .collect();
    let (ends, switches) = path(reader, context)?;
    for node in &switches {
        if !vendors.iter().any(|vendor| vendor.switches.contains(node)) {
            let name = &context.network.nodes[*node as usize].name;
            let message = format!("'{name}' is on the way and of no vendor");
            let advice = Some("say in a [[tpp.vendor]] which one".to_owned());
            reader.mistakes().advise(reader.place(), message, advice);
        }
    }
    let expected = expected?;
    if !expected.is_empty() && expected.len() != switches.len() {
        let (count, found) = (switches.len(), expected.len());
        let message = format!("'expected': {count} switches are on the way, found {found}");
        reader.mistakes().add(place, message);
    }
    let addresses: BTreeMap<u32, u16> =
        vendors.iter().map(|vendor| (vendor.id, vendor.address)).collect();
    let known = vendors.first()?.id;
    let devices = Devices { addresses: addresses.clone(), path: vec![known; switches.len()] };
    let Some(tpp) = devices.program(0) else {
        let message = format!("a path of {} switches is too long for one TPP", switches.len());
        reader.mistakes().add(reader.place(), message);
        return None;
    };
    let vendor = map::lookup("Switch:VendorID").ok()?;
    let read = |address: u16| (false, address, address);
    let grants: Vec<_> = addresses.values().map(|at| read(*at)).chain([read(vendor)]).collect();
    let tpp = authorised(reader, reader.place(), own, grants, tpp.emit())?;
    let app = Tpp::new(tpp.as_slice()).ok()?.app_tag();
    Some(Vendors { ends, period, addresses, expected, app })
}
