//! What applications of tiny packet programs have found out, as numbers.

mod convergence;
mod drops;
mod histories;
mod paths;
mod silent;
mod sketch;

use super::numbers::Numbers;
use crate::plan::Plan;
use crate::plan::tpp::{Collect, Kind, Tpps};
pub use sketch::Carried;
use std::collections::BTreeMap;
use ww_host::agent::Report;
use ww_host::record::Record;
use ww_sim::network::NodeId;
use ww_tpp::map;
use ww_tpp_apps::rcp::audit::audit;

/// What hosts have told, in the order of nodes.
pub type Reports = Vec<(NodeId, Report)>;

/// Adds numbers under `tpp.NAME`.
pub fn numbers(plan: &Plan, reports: &Reports, carried: &[Carried], numbers: &mut Numbers) {
    for application in plan.tpps.iter().flat_map(|tpps| &tpps.applications) {
        let own = || reports.iter().filter(|(node, _)| application.hosts.contains(node));
        let mut sums: BTreeMap<&str, f64> = BTreeMap::new();
        for (name, value) in own().flat_map(|(_, report)| &report.figures) {
            *sums.entry(name).or_default() += value;
        }
        let mut set = |path: &[&str], value: f64| {
            let path: Vec<&str> =
                ["tpp", &application.name].into_iter().chain(path.iter().copied()).collect();
            numbers.set(&path, value);
        };
        for (name, value) in sums {
            set(&[name], value);
        }
        let records: Vec<&Record> = own().flat_map(|(_, report)| &report.records).collect();
        match &application.kind {
            Kind::Collect(collect) => readings(plan, collect, &records, &mut set),
            Kind::Rcp(rcp) if rcp.audit => {
                let all: Vec<Record> = records.into_iter().cloned().collect();
                let audit = audit(&all);
                set(&["updates"], audit.updates as f64);
                set(&["updates_failed"], audit.failed as f64);
                set(&["too_close"], audit.too_close as f64);
                set(&["same_again"], audit.same_again as f64);
            }
            Kind::Sketch(sketch) => {
                let carried = carried.iter().find(|carried| carried.app == sketch.app);
                let own: Vec<&Report> = own().map(|(_, report)| report).collect();
                sketch::numbers(plan, sketch, &own, carried, &mut set);
            }
            Kind::Rcp(_) | Kind::Conga(_) | Kind::Update(_) | Kind::Vendors(_) => {}
            Kind::Convergence(_) => convergence::findings(plan, &records, &mut set),
            Kind::Paths(_) => paths::findings(plan, &records, &mut set),
            Kind::Histories(one) => histories::findings(plan, one, &records, &mut set),
            Kind::Drops(_) => drops::findings(plan, &records, &mut set),
            Kind::Silent(silent) => {
                silent::findings(plan, silent, own().map(|(_, report)| report), &mut set);
            }
        }
    }
}

/// Readings of one value at one output.
#[derive(Default)]
struct Spread {
    count: u64,
    sum: u64,
    zeros: u64,
    largest: u32,
}

/// What packets have read where they left switches: of a program that reads which switch and port that is, or the ID of
/// the link.
fn readings(
    plan: &Plan,
    collect: &Collect,
    records: &[&Record],
    set: &mut impl FnMut(&[&str], f64),
) {
    let values = &collect.values;
    let hops: u64 = records.iter().map(|record| u64::from(record.hops)).sum();
    set(&["mean_hops"], hops as f64 / records.len() as f64);
    let Some(place) = Place::of(collect) else { return };
    let mut spreads: BTreeMap<(u32, usize), Spread> = BTreeMap::new();
    for record in records {
        for hop in collect.hops(record) {
            let Some(direction) = place.direction(plan, hop) else { continue };
            for (number, value) in hop.iter().enumerate().filter(|(n, _)| !place.uses(*n)) {
                let spread = spreads.entry((direction, number)).or_default();
                spread.count += 1;
                spread.sum += u64::from(*value);
                spread.zeros += u64::from(*value == 0);
                spread.largest = spread.largest.max(*value);
            }
        }
    }
    for ((direction, number), spread) in spreads {
        let name = &plan.directions[direction as usize];
        let value = &values[number].name;
        let Spread { count, sum, zeros, largest } = spread;
        set(&[name, value, "readings"], count as f64);
        set(&[name, value, "mean"], sum as f64 / count as f64);
        set(&[name, value, "largest"], f64::from(largest));
        set(&[name, value, "zero_share"], zeros as f64 / count as f64);
    }
}

/// Which values of a hop say where it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The switch and the port where the packet leaves.
    Output(usize, usize),
    /// The ID of the link.
    Link(usize),
}

impl Place {
    /// Of a program, if it says.
    pub fn of(collect: &Collect) -> Option<Self> {
        let at = |name: &str| {
            let address = map::lookup(name).ok();
            collect.values.iter().position(|value| value.address == address)
        };
        match (at("Switch:SwitchID"), at("PacketMetadata:OutputPort"), at("Link:ID")) {
            (Some(switch), Some(port), _) => Some(Self::Output(switch, port)),
            (_, _, Some(link)) => Some(Self::Link(link)),
            _ => None,
        }
    }

    fn uses(self, number: usize) -> bool {
        match self {
            Self::Output(switch, port) => number == switch || number == port,
            Self::Link(link) => number == link,
        }
    }

    /// The direction of a link that a hop's values name.
    pub fn direction(self, plan: &Plan, hop: &[u32]) -> Option<u32> {
        let (switch, port) = match self {
            Self::Output(switch, port) => (*hop.get(switch)?, *hop.get(port)?),
            Self::Link(link) => (*hop.get(link)? >> 8, *hop.get(link)? & 0xff),
        };
        Tpps::direction(&plan.network, switch, port)
    }
}
