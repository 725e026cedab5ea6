//! Readings of a program, value by value and link by link.

use super::lab::Collect;
use crate::application::{Findings, Set};
use crate::numbering;
use std::collections::BTreeMap;
use ww_sim::network::Network;
use ww_tpp::map;

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
pub(super) fn readings(collect: &Collect, findings: &Findings<'_>, set: &mut Set<'_>) {
    let records = findings.records();
    let values = &collect.values;
    let hops: u64 = records.iter().map(|record| u64::from(record.hops)).sum();
    set(&["mean_hops"], hops as f64 / records.len() as f64);
    let Some(place) = Place::of(collect) else { return };
    let mut spreads: BTreeMap<(u32, usize), Spread> = BTreeMap::new();
    for record in &records {
        for hop in collect.hops(record) {
            let Some(direction) = place.direction(findings.network, hop) else { continue };
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
        let name = &findings.directions[direction as usize];
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
enum Place {
    /// The switch and the port where the packet leaves.
    Output(usize, usize),
    /// The ID of the link.
    Link(usize),
}

impl Place {
    /// Of a program, if it says.
    fn of(collect: &Collect) -> Option<Self> {
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
    fn direction(self, network: &Network, hop: &[u32]) -> Option<u32> {
        let (switch, port) = match self {
            Self::Output(switch, port) => (*hop.get(switch)?, *hop.get(port)?),
            Self::Link(link) => (*hop.get(link)? >> 8, *hop.get(link)? & 0xff),
        };
        numbering::direction(network, switch, port)
    }
}
