//! Delays of packets, link by link.

use super::{Hop, breakdown, hops};
use crate::application::{Findings, Set};
use crate::numbering::direction;
use std::collections::BTreeMap;

/// What packets say of one direction of a link.
#[derive(Default)]
struct Spread {
    packets: u64,
    sum: u64,
    largest: u64,
    queueing: u64,
    queueing_largest: u64,
}

/// Adds for each direction of a link to another switch the mean and the largest time from one queue to the next, and how
/// much of it the bytes took that were in front of a packet; of links to hosts the latter alone, as hosts have no such clock.
/// Rates are those that links have at the start.
pub(super) fn delays(findings: &Findings<'_>, set: &mut Set<'_>) {
    let network = findings.network;
    let lines = network.links.iter().flat_map(|link| link.directions);
    let rates: Vec<u64> = lines.map(|line| line.rate).collect();
    let mut spreads: BTreeMap<(u32, bool), Spread> = BTreeMap::new();
    for record in findings.records() {
        let found = hops(&record.words, record.hops);
        let direction = |switch, port| direction(network, switch, port);
        let rate = |hop: &Hop| rates.get(direction(hop.switch, hop.output)? as usize).copied();
        for (hop, delay) in found.iter().zip(breakdown(&found, rate)) {
            let (Some(direction), Some(queueing)) =
                (direction(hop.switch, hop.output), delay.queueing)
            else {
                continue;
            };
            let spread = spreads.entry((direction, delay.to_next.is_some())).or_default();
            let to_next = delay.to_next.unwrap_or(0).into();
            spread.packets += 1;
            spread.sum += to_next;
            spread.largest = spread.largest.max(to_next);
            spread.queueing += queueing;
            spread.queueing_largest = spread.queueing_largest.max(queueing);
        }
    }
    for ((direction, has_next), spread) in spreads {
        let Some(name) = findings.directions.get(direction as usize) else { continue };
        let Spread { packets, sum, largest, queueing, queueing_largest } = spread;
        let mean = |sum: u64| sum as f64 / packets as f64 / 1e3;
        set(&[name, "packets"], packets as f64);
        set(&[name, "queueing_us"], mean(queueing));
        set(&[name, "queueing_largest_us"], queueing_largest as f64 / 1e3);
        if has_next {
            set(&[name, "mean_us"], mean(sum));
            set(&[name, "largest_us"], largest as f64 / 1e3);
            // Not a number if all packets took no time at all.
            set(&[name, "explained"], queueing as f64 / sum as f64);
        }
    }
}
