//! What the rules `shoal` can aim at among endless random flows: `fair_links HOSTS FLOWS SEEDS`, one channel.
//!
//! Each pair is N - 1 subflows, one an intermediate host, and the rules share links between hosts among these. Here they share
//! them by max-min. For each seed it prints which share of the pairs then have at least a fraction of their fair rate, that of
//! max-min over hosts with half of their line, and the mean fraction.

use std::collections::BTreeSet;
use ww_fabric::workload::{self, Pattern};
use ww_sim::max_min;

/// Fractions of the fair rate.
const FRACTIONS: [f64; 3] = [0.5, 0.8, 0.9];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [hosts, flows, seeds] =
        arguments[..].try_into().map_err(|_| "expected HOSTS FLOWS SEEDS")?;
    println!("share of pairs with at least {FRACTIONS:?} of the fair rate, and the mean fraction");
    for seed in 1..=seeds as u64 {
        let made = workload::generate(&Pattern::Random { flows, cells: 1 }, hosts, seed)?;
        let pairs: BTreeSet<(usize, usize)> =
            made.iter().map(|flow| (flow.src as usize, flow.dst as usize)).collect();
        // In units of what a host sends in an epoch: a cell to each other host.
        let over_hosts: Vec<_> =
            pairs.iter().map(|(src, dst)| max_min::Flow::over([*src, hosts + *dst])).collect();
        let fair = max_min::rates(&vec![hosts as f64 / 2.0; 2 * hosts], &over_hosts)?;
        let link = |from: usize, to: usize| from * hosts + to;
        let subflows: Vec<_> = pairs
            .iter()
            .flat_map(|&(src, dst)| {
                (0..hosts).filter(move |by| *by != src).map(move |by| (src, by, dst))
            })
            .map(|(src, by, dst)| match by == dst {
                true => max_min::Flow::over([link(src, dst)]),
                false => max_min::Flow::over([link(src, by), link(by, dst)]),
            })
            .collect();
        let rates = max_min::rates(&vec![1.0; hosts * hosts], &subflows)?;
        let parts: Vec<f64> = rates
            .chunks(hosts - 1)
            .zip(&fair)
            .map(|(subflows, fair)| subflows.iter().sum::<f64>() / fair)
            .collect();
        let share = |least: f64| {
            parts.iter().filter(|part| **part >= least).count() as f64 / parts.len() as f64
        };
        let shares = FRACTIONS.map(|least| format!("{:.3}", share(least)));
        let mean = parts.iter().sum::<f64>() / parts.len() as f64;
        println!("seed {seed}: {} of {} pairs, mean {mean:.2}", shares.join(" "), parts.len());
    }
    Ok(())
}
