//! How fairly the rules `shoal` share a fabric among endless random flows: `fairness HOSTS FLOWS SEEDS EPOCHS`, one channel,
//! reordered order, a delay of 25 slots. For each seed it prints which share of the pairs of hosts that send get at least
//! a fraction of their max-min fair rate. The first half of the epochs does not count.
//!
//! A host sends and receives half as many cells as it has slots, for each cell takes a detour. Flows of the same pair
//! share one queue and count once.

use std::collections::BTreeMap;
use ww_fabric::configuration::{Options, Rules};
use ww_fabric::workload::{self, Pattern};
use ww_fabric::{relay, schedule};
use ww_sim::max_min;

/// Fractions of the fair rate.
const FRACTIONS: [f64; 5] = [0.5, 0.8, 0.9, 0.95, 0.99];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|text| text.parse()).collect::<Result<_, _>>()?;
    let [hosts, flows, seeds, epochs] =
        arguments[..].try_into().map_err(|_| "expected HOSTS FLOWS SEEDS EPOCHS")?;
    let options = Options {
        rules: Some(Rules::Relay(relay::Rules::Shoal)),
        hosts: Some(hosts),
        order: Some(schedule::Order::Reordered),
        channels: Some(1),
        slot_ps: Some(1_000),
        delay_ps: Some(25_000),
        epochs: Some(epochs as u64),
        ..Options::default()
    };
    let configuration = options.configuration()?;
    // An epoch has a slot more if the number of hosts is even: a host is idle in one.
    let epoch = (hosts - 1 + usize::from(hosts % 2 == 0)) as u64;
    let (begin, end) = (epoch * (epochs as u64 / 2), epoch * epochs as u64);
    let capacity = hosts as f64 / 2.0 / epoch as f64;
    println!("share of pairs that get at least {FRACTIONS:?} of the fair rate, and their number");
    for seed in 1..=seeds as u64 {
        let pattern = Pattern::Random { flows, cells: 1 << 40 };
        let flows = workload::generate(&pattern, hosts, seed)?;
        let mut cells: BTreeMap<(usize, usize), u64> =
            flows.iter().map(|flow| ((flow.src as usize, flow.dst as usize), 0)).collect();
        let shared: Vec<_> =
            cells.keys().map(|(src, dst)| max_min::Flow::over([*src, hosts + *dst])).collect();
        let fair = max_min::rates(&vec![capacity; 2 * hosts], &shared)?;
        configuration.run(
            &flows,
            Some(&mut |cell| {
                if cell.to == cell.dst && (begin..end).contains(&cell.slot) {
                    *cells.entry((cell.src, cell.dst)).or_default() += 1;
                }
            }),
        )?;
        let parts = cells.values().zip(&fair);
        let parts: Vec<f64> =
            parts.map(|(cells, fair)| *cells as f64 / (end - begin) as f64 / fair).collect();
        let share = |least: f64| {
            parts.iter().filter(|part| **part >= least).count() as f64 / parts.len() as f64
        };
        let shares = FRACTIONS.map(|least| format!("{:.3}", share(least)));
        println!("seed {seed}: {} of {} pairs", shares.join(" "), parts.len());
    }
    Ok(())
}
