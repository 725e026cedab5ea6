//! Throughput and latency beside what arithmetic says.

use super::{ENDLESS, all_to_all, flows, permutation, settings};
use crate::relay::traffic::Random;
use ww_fabric::flows::Flow;
use ww_fabric::rotors::{Rules, Settings, run};

/// Cells that arrive in `epochs` cycles.
fn cells(settings: Settings, flows: &[Flow], epochs: u64) -> u64 {
    let settings = Settings { epochs: Some(epochs), ..settings };
    run(&settings, flows, None).unwrap().last_hop_cells
}

/// A pair meets once a cycle, for the lit slots of one matching.
#[test]
fn one_hop_gives_a_permutation_one_matching_a_cycle() {
    for (hosts, channels) in [(9, 1), (9, 4), (13, 3)] {
        let settings = settings(Rules::RotorNet, hosts, channels, 50, 5);
        let one_hop = Settings { two_hops: false, ..settings };
        let found = cells(one_hop, &permutation(hosts, |i| (i + 4) % hosts), 6);
        assert_eq!(found, 6 * hosts as u64 * 45, "{hosts} hosts, {channels} channels");
    }
}

/// When everybody has cells for everybody, every lit slot is used, with one hop or two: nobody has room for others.
#[test]
fn all_to_all_uses_the_duty_cycle() {
    for (hosts, channels) in [(9, 1), (9, 4), (13, 3)] {
        let settings = settings(Rules::RotorNet, hosts, channels, 50, 5);
        let slices = (hosts as u64 - 1) / channels as u64;
        for two_hops in [false, true] {
            let found = cells(Settings { two_hops, ..settings }, &all_to_all(hosts, ENDLESS), 6);
            assert_eq!(
                found,
                6 * slices * 45 * (hosts * channels) as u64,
                "{hosts} {channels} {two_hops}"
            );
        }
    }
}

/// A permutation over two hops: the direct circuit of a cycle in full, half of all others, as each carries a cell on its
/// first hop for one on its last: N/(2 (N - 1)) of the duty cycle. Offers and answers take two slots of 90.
#[test]
fn two_hops_give_a_permutation_about_half() {
    // With these factors no host sends to itself.
    for (hosts, channels, factor) in [(9, 1, 4), (9, 4, 4), (25, 4, 6)] {
        let settings = settings(Rules::RotorNet, hosts, channels, 100, 10);
        let slots = 100 * (hosts as u64 - 1) / channels as u64;
        let warm = Settings { warmup: 20 * slots, ..settings };
        let found = cells(warm, &permutation(hosts, |i| (i * factor + 1) % hosts), 100);
        let share = found as f64 / (80 * slots * (hosts * channels) as u64) as f64;
        let expected = 0.9 * hosts as f64 / (2 * (hosts - 1)) as f64;
        assert!(
            (0.93..1.03).contains(&(share / expected)),
            "{hosts} {channels}: {share} {expected}"
        );
    }
}

/// Of k (N - 1) matchings, (k - 1) (N - 1) are the permutation and one of the shifts is.
#[test]
fn vermilion_follows_a_permutation() {
    for (hosts, channels) in [(9, 1), (9, 4), (13, 3)] {
        for factor in [2, 3, 20] {
            let base = settings(Rules::Vermilion, hosts, channels, 50, 5);
            let found =
                cells(Settings { factor, ..base }, &permutation(hosts, |i| (i + 4) % hosts), 2);
            let circuits = (factor - 1) * (hosts as u64 - 1) + 1;
            assert_eq!(found, 2 * hosts as u64 * circuits * 45, "{hosts} {channels} {factor}");
            let slots = 2 * factor * (hosts as u64 - 1) / channels as u64 * 50;
            let share = found as f64 / (slots * (hosts * channels) as u64) as f64;
            assert!(share >= 0.9 * (factor - 1) as f64 / factor as f64);
        }
    }
}

/// Any demand: a pair with m of a largest sum S has at least D m/S circuits a cycle (rounded down among the D that follow
/// the demand, and a shift), so all is sent within S/(D lit) cycles, rounded up.
#[test]
fn vermilion_serves_any_demand_at_its_rate() {
    let mut random = Random::new(5);
    for (hosts, channels) in [(5, 1), (9, 4), (12, 3)] {
        for _ in 0..20 {
            let mut demand = vec![0; hosts * hosts];
            for _ in 0..1 + random.below(3 * hosts as u64) {
                demand[random.below((hosts * hosts) as u64) as usize] += 1 + random.below(20_000);
            }
            demand[1] += 1;
            let all = (0..hosts * hosts).map(|n| (n / hosts, n % hosts, demand[n], 0));
            let flows = flows(all.filter(|&(_, _, cells, _)| cells > 0));
            let sum = |host: u32, of: fn(&Flow) -> u32| {
                flows.iter().filter(|flow| of(flow) == host).map(|flow| flow.cells).sum::<u64>()
            };
            let sums = (0..hosts as u32).map(|n| sum(n, |f| f.src).max(sum(n, |f| f.dst)));
            let largest = sums.max().unwrap();
            let settings = settings(Rules::Vermilion, hosts, channels, 50, 5);
            let degree = 2 * (hosts as u64 - 1);
            let cycle = (3 * (hosts as u64 - 1)).div_ceil(channels as u64) * 50;
            let outcome = run(&settings, &flows, None).unwrap();
            assert_eq!(outcome.finished.len(), flows.len());
            let bound = largest.div_ceil(degree * 45) * cycle;
            assert!(outcome.slots <= bound, "{hosts} {channels}: {} {bound}", outcome.slots);
        }
    }
}

/// Each host meets each other one, and itself, once in N matchings; a switch is dark once in as many slices as there are
/// switches.
#[test]
fn bulk_flows_use_all_of_opera() {
    for (hosts, channels) in [(12, 3), (16, 4), (15, 5)] {
        let all = Settings { bulk_cells: 1, ..settings(Rules::Opera, hosts, channels, 50, 5) };
        let lit = channels as u64 * 50 - 5;
        let found = cells(all, &all_to_all(hosts, ENDLESS), 3);
        // The first turn of switch s is after s + 1 slices, not all of them: a cycle begins in the middle of a place.
        assert_eq!(found, 3 * (hosts * (hosts - 1)) as u64 * lit, "{hosts} {channels}");
        let found = cells(all, &permutation(hosts, |i| (i + 5) % hosts), 3);
        assert_eq!(found, 3 * hosts as u64 * lit, "{hosts} {channels}");
    }
}

/// A short flow of one cell takes as many delays as there are hops on its shortest way: by Floyd and Warshall's algorithm
/// over the matchings of the slice.
#[test]
fn a_short_flow_takes_the_shortest_way() {
    let (hosts, channels, delay) = (16, 4, 3);
    let settings = Settings { delay, ..settings(Rules::Opera, hosts, channels, 200, 20) };
    let (switches, _) = settings.network(&[]).unwrap();
    let mut random = Random::new(3);
    for slice in 0..40usize {
        let mut hops = vec![vec![u64::MAX / 4; hosts]; hosts];
        for switch in (0..channels).filter(|switch| slice % channels != *switch) {
            // How often it has turned at the ends of slices 0 to slice - 1.
            let turns = (0..slice).filter(|before| before % channels == switch).count();
            for (host, hops) in hops.iter_mut().enumerate() {
                if let Some(peer) = switches.peer(switch, turns % (hosts / channels), host) {
                    hops[peer] = 1;
                }
            }
        }
        for by in 0..hosts {
            for from in 0..hosts {
                for to in 0..hosts {
                    hops[from][to] = hops[from][to].min(hops[from][by] + hops[by][to]);
                }
            }
        }
        for _ in 0..10 {
            let (src, dst) = (random.below(16) as usize, random.below(16) as usize);
            if src == dst {
                continue;
            }
            let start = 200 * slice as u64 + random.below(150);
            let outcome = run(&settings, &flows([(src, dst, 1, start)].into_iter()), None).unwrap();
            let expected = delay * hops[src][dst];
            assert_eq!(outcome.finished[0].completion(), expected, "slice {slice}: {src} to {dst}");
            assert_eq!(outcome.slots, start + expected);
        }
    }
}
