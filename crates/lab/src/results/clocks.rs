//! How far clocks were apart.

use super::numbers::Numbers;
use crate::plan::Plan;
use std::collections::{BTreeMap, VecDeque};
use ww_sim::measure::histogram::Histogram;
use ww_sim::network::{Network, NodeId, Phy};
use ww_sim::nodes::dtp::DtpReport;
use ww_sim::nodes::keepers::KeptReport;

/// Ticks a hop that counters of neighbours are apart at most, as published.
const PUBLISHED_BOUND: u64 = 4;

/// Adds what clock synchronisation in the physical layer has come to: of all pairs with the same number of links between them, and of
/// each pair.
pub(crate) fn dtp(plan: &Plan, report: &DtpReport, numbers: &mut Numbers) {
    let mut set = |path: &[&str], value: f64| {
        let path: Vec<&str> = ["clocks", "dtp"].iter().chain(path).copied().collect();
        numbers.set(&path, value);
    };
    let counts = report.counts;
    for (key, value) in [
        ("rate_ppm", report.rate_ppm),
        ("fastest_ppm", report.fastest_ppm),
        ("messages", counts.sent as f64),
        ("beacons", counts.beacons as f64),
        ("jumps", counts.jumps as f64),
        ("largest_jump", counts.largest_jump as f64),
        ("out_of_range", counts.out_of_range as f64),
        ("unexpected", counts.unexpected as f64),
        ("faulty_ports", report.faulty as f64),
    ] {
        set(&[key], value);
    }
    let mut by_hops: BTreeMap<u64, BTreeMap<u64, u64>> = BTreeMap::new();
    for pair in &report.pairs {
        let largest = pair.offsets.largest() as f64;
        let names = pair.nodes.map(|node| plan.network.nodes[node as usize].name.as_str());
        set(&["pairs", &names.join("~"), "largest_ticks"], largest);
        let Some(hops) = hops(&plan.network, pair.nodes) else { continue };
        let reads = by_hops.entry(hops).or_default();
        for (offset, count) in pair.offsets.counts() {
            *reads.entry(offset.unsigned_abs() as u64).or_default() += count;
        }
    }
    for (hops, reads) in by_hops {
        let all: u64 = reads.values().sum();
        let above = |bound| reads.range(bound + 1..).map(|(_, count)| count).sum::<u64>();
        let sum: f64 = reads.iter().map(|(offset, count)| *offset as f64 * *count as f64).sum();
        let hops_word = hops.to_string();
        let mut put = |key: &str, value: f64| set(&["hops", &hops_word, key], value);
        put("reads", all as f64);
        put("mean_ticks", sum / all as f64);
        put("above_published_share", above(PUBLISHED_BOUND * hops) as f64 / all as f64);
        if let Some((largest, _)) = reads.last_key_value() {
            put("largest_ticks", *largest as f64);
        }
    }
}

/// Adds how far clocks that packets keep were from the reference: of all together, and the largest of each.
pub(crate) fn kept(plan: &Plan, reports: &[KeptReport], numbers: &mut Numbers) {
    let Some(keeping) = &plan.keeping else { return };
    let mut all = Histogram::default();
    let mut set = |path: &[&str], value: Option<f64>| {
        let path: Vec<&str> =
            ["clocks", keeping.protocol.word()].iter().chain(path).copied().collect();
        numbers.set_some(&path, value);
    };
    let nanoseconds = |picoseconds: Option<u64>| picoseconds.map(|value| value as f64 / 1e3);
    let mut settled = Some(0);
    let (mut steps, mut unexpected) = (0, 0);
    for report in reports {
        all.merge(&report.offsets);
        let name = plan.network.nodes[report.node as usize].name.as_str();
        let largest = report.offsets.range().map(|(_, largest)| largest);
        set(&["hosts", name, "largest_ns"], nanoseconds(largest));
        set(&["hosts", name, "p50_ns"], nanoseconds(report.offsets.quantile(0.5)));
        settled = settled.zip(report.settled).map(|(before, own)| before.max(own));
        steps += report.counts.steps;
        unexpected += report.counts.unexpected;
    }
    set(&["mean_ns"], all.mean().map(|value| value / 1e3));
    for (key, share) in [("p50_ns", 0.5), ("p95_ns", 0.95), ("p99_ns", 0.99)] {
        set(&[key], nanoseconds(all.quantile(share)));
    }
    set(&["largest_ns"], nanoseconds(all.range().map(|(_, largest)| largest)));
    set(&["settled_ms"], settled.map(|time| time as f64 / 1e9));
    set(&["steps"], Some(steps as f64));
    set(&["unexpected"], Some(unexpected as f64));
}

/// Links of 10GBASE-R on the shortest way between two nodes.
fn hops(network: &Network, [from, to]: [NodeId; 2]) -> Option<u64> {
    let mut distance = vec![None; network.nodes.len()];
    distance[from as usize] = Some(0);
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        let next = distance[node as usize].map(|hops: u64| hops + 1);
        for link in &network.links {
            let [a, b] = link.ends.map(|end| end.node);
            if link.directions.iter().any(|direction| direction.phy != Phy::TenGigabit) {
                continue;
            }
            for (here, there) in [(a, b), (b, a)] {
                if here == node && distance[there as usize].is_none() {
                    distance[there as usize] = next;
                    queue.push_back(there);
                }
            }
        }
    }
    distance[to as usize]
}
