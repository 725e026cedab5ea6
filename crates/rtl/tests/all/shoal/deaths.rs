//! Hosts that die and come back: hardware notices it, sends cells over others and tells what has come when the model does.
//!
//! spec: 004-pieo-shoal S27; docs/fabric-rules.md, "With hosts that die"

use super::compare;
use super::loads::load;
use ww_fabric::configuration::{Configuration, Options, Profile};
use ww_fabric::prototype::{DELAY_SLOTS, EPOCH_SLOTS, HOSTS};
use ww_fabric::relay::failures::{FailureCounts, HostAt};

/// Some numbers of a seed, below a limit each.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// Deaths of one to five hosts, some of them in one slot, after which a schedule without them takes the place of the first.
fn deaths_and_repair(draws: &mut Draws) -> Vec<HostAt> {
    let first = draws.below(200);
    let slot = |draws: &mut Draws| first + [0, 0, draws.below(100)][draws.below(3) as usize];
    (0..1 + draws.below(5) as usize)
        .map(|host| HostAt { host: (3 * host + 2) % HOSTS, slot: slot(draws) })
        .collect()
}

/// Lives of hosts that end, at most all but two; most come back as soon as they may or later, some twice.
fn deaths(draws: &mut Draws) -> (Vec<HostAt>, Vec<HostAt>) {
    let absence = 2 * (EPOCH_SLOTS + DELAY_SLOTS);
    let later = |draws: &mut Draws| [0, 1, 6, 100][draws.below(4) as usize];
    let (mut kills, mut revivals) = (Vec::new(), Vec::new());
    for host in 0..1 + draws.below(HOSTS as u64 - 2) as usize {
        // Numbers of hosts in no order.
        let host = (3 * host + 5) % HOSTS;
        // Some die together.
        let mut slot = if draws.below(3) == 0 { 100 } else { draws.below(400) };
        for _ in 0..1 + draws.below(2) {
            kills.push(HostAt { host, slot });
            if draws.below(5) == 0 {
                break;
            }
            slot += absence + later(draws);
            revivals.push(HostAt { host, slot });
            slot += absence + later(draws);
        }
    }
    (kills, revivals)
}

/// A configuration of a seed: deaths, and errors in headers or none.
fn configuration(seed: u64, repair: bool) -> Configuration {
    let draws = &mut Draws(seed);
    let (kills, revivals) =
        if repair { (deaths_and_repair(draws), Vec::new()) } else { deaths(draws) };
    let options = Options {
        profile: Some(Profile::Prototype),
        epochs: Some(1_000),
        flip: [None, Some(0.01), None, Some(0.1)][(seed % 4) as usize],
        flip_seed: Some(seed),
        kills,
        revivals,
        repair,
        ..Options::default()
    };
    options.configuration().expect("a configuration")
}

/// Compares both with the loads of some seeds, and says what the failures have cost.
fn with_seeds(seeds: std::ops::Range<u64>, repair: bool) -> FailureCounts {
    let mut sum = FailureCounts::default();
    for seed in seeds {
        // Another load for each kind of errors.
        let flows = load(seed + seed / 4);
        let (model, _) = compare(&configuration(seed, repair), &flows, &format!("seed {seed}"));
        let counts = model.failures.expect("counts of failures");
        sum.dropped += counts.dropped;
        sum.retransmitted += counts.retransmitted;
        sum.rerouted += counts.rerouted;
        sum.duplicates += counts.duplicates;
        sum.dead_flows += counts.dead_flows;
    }
    sum
}

#[test]
fn hardware_sends_over_others_what_the_model_does() {
    let sum = with_seeds(0..40, false);
    let FailureCounts { dropped, retransmitted, rerouted, duplicates, dead_flows } = sum;
    // Every part of the recovery was needed.
    assert!(
        [dropped, retransmitted, rerouted, duplicates, dead_flows].iter().all(|&count| count > 100),
        "{sum:?}"
    );
}

#[test]
#[ignore = "longer"]
fn hardware_sends_over_others_what_the_model_does_with_a_thousand_loads() {
    with_seeds(40..1_040, false);
}

#[test]
fn hardware_repairs_its_schedule_as_the_model_does() {
    let sum = with_seeds(0..30, true);
    assert!(sum.rerouted > 100 && sum.dead_flows > 100, "{sum:?}");
}

#[test]
#[ignore = "longer"]
fn hardware_repairs_its_schedule_as_the_model_does_with_a_thousand_loads() {
    with_seeds(30..1_030, true);
}
