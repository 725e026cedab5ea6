//! A folded Clos network with a path for each flow or for each packet, against what can be worked out by hand.

use crate::common::{MILLISECOND, line, run, traffic};
use std::sync::Arc;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{NodeId, Switch};
use ww_sim::simulation::Parts;
use ww_sim::topology::{Clos, clos};
use ww_sim::workload::sizes::Sizes;

const RATE: u64 = 50_000_000_000;
/// Each leaf has one link to each of four spines.
const SHAPE: Clos = Clos { ports: 8, leaves: 8, hosts: 4 };

/// 512 hosts at switches of 64 ports are 24 switches in two tiers.
#[test]
fn sizes_of_a_folded_clos() {
    assert_eq!(Clos { ports: 64, leaves: 16, hosts: 32 }.spines(), Some((8, 4)));
    assert_eq!(SHAPE.spines(), Some((4, 1)));
    assert_eq!(Clos { ports: 64, leaves: 16, hosts: 48 }.spines(), Some((4, 4)), "3 to 1");
    assert_eq!(Clos { ports: 8, leaves: 6, hosts: 4 }.spines(), None, "4 uplinks, 3 spines");
    assert_eq!(Clos { ports: 8, leaves: 6, hosts: 8 }.spines(), None, "no uplink");
    let shape = Clos { ports: 8, leaves: 4, hosts: 4 };
    let network = clos(shape, Switch::default(), line(RATE), line(RATE)).expect("even");
    assert_eq!((network.nodes.len(), network.links.len()), (16 + 4 + 2, 16 + 16));
}

/// The share that arrives when each host sends 1,000 packets to one of the next leaf, at 95 % of the rate: each leaf's
/// four flows need four uplinks.
fn shifted(spray: bool, seed: u64) -> f64 {
    let mut network = clos(SHAPE, Switch::default(), line(RATE), line(RATE)).expect("even");
    network.routing.spray = spray;
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let pairs = (0..32).map(|host| (hosts[host], hosts[(host + 4) % 32])).collect();
    let transport = Transport::Udp { rate: RATE * 95 / 100, bytes: 1500 };
    let (pairs, arrivals) = (Pairs::Listed(pairs), Arrivals::Once);
    let sizes = Arc::new(Sizes::Fixed(1_458_000));
    network.traffic.push(traffic(
        "shifted",
        Kind::Flows(Flows { pairs, arrivals, sizes, transport }),
        MILLISECOND,
    ));
    let (simulation, _) = run(network, Parts::default(), seed, Wishes::default(), 2 * MILLISECOND);
    let sums = &simulation.sums()[0];
    assert_eq!(sums.sent, 32 * 1000);
    sums.delivered as f64 / sums.sent as f64
}

/// Sprayed, no packet is lost. With a path for each flow, a leaf's four flows fall like balls into four bins; a spine has
/// one link to each leaf, so flows do not collide again on their way down. An uplink passes 1,000 packets of a single
/// flow; of several, what it carries while they last (1,500 of 1,524 bytes at 95 %), and what its queue keeps.
#[test]
fn sprayed_packets_use_all_paths_and_flows_collide() {
    let mut shares = Vec::new();
    for seed in 1..=6 {
        assert_eq!(shifted(true, seed), 1.0, "seed {seed}");
        shares.push(shifted(false, seed));
    }
    let (single, hit) = (4.0 * 0.75f64.powi(3) / 4.0, 1.0 - 0.75f64.powi(4));
    let several = 1500.0 / 1524.0 / 0.95 + 0.2;
    let expected = single + (hit - single) * several;
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    // Of one leaf, the standard deviation of the share of uplinks that are hit is 0.168; these are 48 leaves.
    let error = 4.0 * 0.168 / 48f64.sqrt();
    assert!((mean - expected).abs() < error, "{mean} {expected} {error}");
}
