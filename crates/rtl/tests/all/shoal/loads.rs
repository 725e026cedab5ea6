//! The prototype as hardware beside the model: the same cell in every slot, and the same figures.
//!
//! spec: 004-pieo-shoal S28, S29

use super::profile;
use ww_fabric::flows::Flow;
use ww_fabric::prototype::HOSTS;
use ww_fabric::workload::{Arrivals, Pattern, generate};

/// Patterns of a load: two that overlap, the second some slots behind the first.
fn patterns(seed: u64) -> [Pattern; 2] {
    let few = seed as usize % 7 + 1;
    let pareto = |load| Pattern::Pareto {
        flows: 30,
        shape: 1.2,
        mean_bytes: 1_000.0,
        largest_bytes: 20_000.0,
        arrivals: Arrivals::Load { load, channels: 1 },
    };
    match seed % 5 {
        0 => [Pattern::Permutation { pairs: few + 1, cells: 40 }, pareto(0.5)],
        1 => [
            Pattern::Incast { senders: few, cells: 30 },
            Pattern::Incast { senders: 8 - few, cells: 7 },
        ],
        2 => [Pattern::Random { flows: 60, cells: 12 }, Pattern::Random { flows: 5, cells: 90 }],
        3 => [pareto(0.9), Pattern::Incast { senders: 7, cells: 25 }],
        // Long pauses: hosts forget and begin again.
        _ => [pareto(0.02), pareto(0.1)],
    }
}

pub fn load(seed: u64) -> Vec<Flow> {
    let mut flows: Vec<Flow> = Vec::new();
    for (pattern, offset) in patterns(seed).iter().zip([0, 17 * (seed % 13)]) {
        let more = generate(pattern, HOSTS, seed ^ offset).expect("a pattern");
        flows.extend(more.into_iter().map(|flow| Flow { start: flow.start + offset, ..flow }));
    }
    flows.sort_by_key(|flow| flow.start);
    for (id, flow) in (0..).zip(&mut flows) {
        flow.id = id;
    }
    flows
}

/// Compares what both do with the loads of some seeds, and says how many cells they sent.
fn compare(seeds: std::ops::Range<u64>) -> usize {
    let configuration = profile(Some(1_000));
    let mut cells = 0;
    for seed in seeds {
        let flows = load(seed);
        let (model, sent) = super::compare(&configuration, &flows, &format!("seed {seed}"));
        assert!(
            model.finished.len() > 1,
            "seed {seed}: a load in which nothing ends shows nothing"
        );
        cells += sent;
    }
    cells
}

#[test]
fn hardware_sends_what_the_model_sends_with_fifty_loads() {
    assert!(compare(0..50) > 25_000);
}

#[test]
#[ignore = "longer"]
fn hardware_sends_what_the_model_sends_with_a_thousand_loads() {
    assert!(compare(50..1_050) > 500_000);
}
