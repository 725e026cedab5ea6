//! Endless random permutations under each of the relaying rules, in reordered order with one channel: how much of the
//! capacity of N/2 cells a host and epoch they reach, and how often and by how much a queue is over 1 + incast.
//! `permutations HOSTS DELAY_SLOTS SEEDS EPOCHS`; a line of the table that docs/fabric-bound.md has for each of the rules.

use ww_fabric::configuration::{Options, Rules};
use ww_fabric::flows::Flow;
use ww_fabric::relay;
use ww_fabric::schedule::Order;

/// A permutation without fixed points: Fisher and Yates' shuffle, until there is none.
fn permutation(hosts: u32, mut seed: u64) -> Vec<u32> {
    let mut below = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    let mut to: Vec<u32> = (0..hosts).collect();
    while to.iter().zip(0..).any(|(&to, from)| to == from) {
        for last in (1..to.len()).rev() {
            to.swap(last, below(last + 1));
        }
    }
    to
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<u64> =
        std::env::args().skip(1).map(|number| number.parse()).collect::<Result<_, _>>()?;
    let &[hosts, delay, seeds, epochs] = &numbers[..] else {
        return Err("expected HOSTS DELAY_SLOTS SEEDS EPOCHS".into());
    };
    for rules in relay::Rules::ALL {
        let (mut least, mut sum, mut over, mut longest) = (f64::INFINITY, 0.0, 0, 0);
        for seed in 1..=seeds {
            let options = Options {
                rules: Some(Rules::Relay(rules)),
                hosts: Some(hosts as usize),
                order: Some(Order::Reordered),
                slot_ps: Some(1000),
                delay_ps: Some(1000 * delay),
                epochs: Some(epochs),
                ..Options::default()
            };
            let epoch_slots = options.configuration()?.schedule().slots() as u64;
            // Links alternate between local and remote cells: an even number of epochs counts.
            let warmup = (epochs / 4 + (epochs - epochs / 4) % 2) * epoch_slots;
            let configuration = Options { warmup: Some(warmup), ..options }.configuration()?;
            let flow = |(src, dst): (u32, u32)| Flow {
                id: src.into(),
                src,
                dst,
                cells: ww_fabric::flows::MAX_CELLS,
                start: 0,
            };
            let flows: Vec<Flow> = (0..).zip(permutation(hosts as u32, seed)).map(flow).collect();
            let outcome = configuration.run(&flows, None)?;
            let capacity =
                (outcome.slots - warmup) as f64 * (hosts * hosts) as f64 / 2.0 / epoch_slots as f64;
            let share = outcome.last_hop_cells as f64 / capacity;
            least = least.min(share);
            sum += share;
            over += outcome.bound_violations;
            longest = longest
                .max(outcome.queue_samples.iter().rposition(|&count| count > 0).unwrap_or(0));
        }
        let mean = sum / seeds as f64;
        println!("| {hosts} | {delay} | {rules} | {least:.3} | {mean:.3} | {longest} | {over} |");
    }
    Ok(())
}
