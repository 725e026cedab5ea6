//! What became of flows when routes changed.

use super::agent::flows;
use super::{change, suspected_links};
use crate::application::{Findings, Set};
use crate::numbering::switch_id;
use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use ww_host::filter::Fields;
use ww_sim::network::{LinkChange, Network};

/// Adds what the packets of flows say, and where the fault may be.
pub(super) fn changes(findings: &Findings<'_>, set: &mut Set<'_>) {
    let network = findings.network;
    let flows = flows(findings.records().into_iter());
    let (mut broken, mut working) = (Vec::new(), Vec::new());
    let (mut changed, mut lost, mut largest, mut loops, mut mixed) = (0u64, 0, 0, 0, 0);
    let mut settled = None;
    for (flow, arrivals) in &flows {
        let Some(change) = change(arrivals) else {
            working.extend(arrivals.first().map(|arrival| arrival.path.clone()));
            continue;
        };
        changed += 1;
        lost += change.missing;
        largest = largest.max(change.missing);
        loops += change.loops.len() as u64;
        mixed += change.mixed.len() as u64;
        settled = settled.max(Some(change.settled));
        let name = name(network, flow);
        let mut of_flow = |key: &str, value: f64| set(&["flows", &name, key], value);
        of_flow("lost", change.missing as f64);
        of_flow("mixed", change.mixed.len() as f64);
        of_flow("loops", change.loops.len() as f64);
        match change.outage {
            Some(outage) => {
                of_flow("outage_us", (outage.until.saturating_sub(outage.from)) as f64 / 1e6);
                broken.push(change.old);
            }
            // It was moved, as others were, and there was nothing wrong with its old path.
            None => working.push(change.old),
        }
    }
    set(&["seen"], flows.len() as f64);
    set(&["changed"], changed as f64);
    set(&["lost"], lost as f64);
    set(&["lost_largest"], largest as f64);
    set(&["loops"], loops as f64);
    set(&["mixed"], mixed as f64);
    let mut changes = network.changes.iter();
    let first = changes.find(|one| matches!(one.what, LinkChange::Down | LinkChange::Up));
    if let (Some(first), Some(settled)) = (first, settled) {
        set(&["convergence_us"], settled.saturating_sub(first.at) as f64 / 1e6);
    }
    let suspects: BTreeSet<String> = suspected_links(&broken, &working)
        .into_iter()
        .flat_map(|(from, to)| between(findings, from, to))
        .collect();
    set(&["suspects"], suspects.len() as f64);
    suspects.iter().for_each(|link| set(&["suspect", link], 1.0));
}

/// The links of the lab between two switches.
fn between(findings: &Findings<'_>, from: u32, to: u32) -> impl Iterator<Item = String> {
    (0usize..).zip(&findings.network.links).filter_map(move |(number, link)| {
        let ends = link.ends.map(|end| switch_id(end.node));
        let fits = ends == [from, to] || ends == [to, from];
        fits.then(|| findings.link(number)).flatten()
    })
}

/// A flow by names of hosts: `h0:10000->h1:5001`, with ports 0 if it has none.
fn name(network: &Network, flow: &Fields) -> String {
    let host = |address: u32| {
        let address = Ipv4Addr::from(address);
        let known = network.hosts().find(|(_, host)| host.ip == address);
        known.map_or(address.to_string(), |(node, _)| network.nodes[node as usize].name.clone())
    };
    let [from, to] = flow.ports.unwrap_or_default();
    format!("{}:{from}->{}:{to}", host(flow.source), host(flow.destination))
}
