//! R2C2 on a torus against what can be worked out by hand.
//!
//! A torus looks the same from each of its hosts and in each direction, so where a pattern does, too, each link between switches
//! carries the same number of flows. All flows then have the same rate, and end after the time in which a link carries its part
//! of all bytes.

use crate::common::{Kept, MICROSECOND, MILLISECOND, line, run, traffic};
use std::sync::Arc;
use ww_sim::line::Limits;
use ww_sim::measure::{FlowRecord, Wishes};
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{Direction, Network, NodeId, Switch};
use ww_sim::nodes::hosts::R2c2Report;
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::torus;
use ww_sim::transport::r2c2::Settings;
use ww_sim::workload::sizes::Sizes;

const RATE: u64 = 10_000_000_000;
/// 1,458 bytes of an application, 1,500 without FCS, 1,524 on the line.
const SETTINGS: Settings = Settings { headroom: 0.05, interval: 10_000_000, bytes: 1_500 };
const DATA: u64 = 1_458;
const ON_LINE: u64 = 1_524;

/// Hosts with more than their six links can carry, in a torus of links of 100 ns with room for 4 MB.
fn network(sizes: &[u32]) -> Network {
    let core =
        Direction { delay: 100_000, limits: Limits { bytes: 4_000_000, mark: None }, ..line(RATE) };
    torus(sizes, 1, Switch::default(), Direction { rate: 10 * RATE, ..core }, core)
}

/// Flows of so many packets between hosts of these numbers, all at these times after the start.
fn flows(network: &mut Network, name: &str, pairs: &[(u32, u32)], packets: u64, at: Time) {
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let pairs =
        pairs.iter().map(|(from, to)| (hosts[*from as usize], hosts[*to as usize])).collect();
    let (pairs, arrivals) = (Pairs::Listed(pairs), Arrivals::Once);
    let sizes = Arc::new(Sizes::Fixed(DATA * packets));
    let transport = Transport::R2c2(SETTINGS);
    let kind = Kind::Flows(Flows { pairs, arrivals, sizes, transport });
    let mut traffic = traffic(name, kind, 100 * MILLISECOND);
    traffic.start = at;
    network.traffic.push(traffic);
}

fn simulate(network: Network, seed: u64) -> (Vec<FlowRecord>, R2c2Report) {
    let (mut simulation, kept): (Simulation, Kept) =
        run(network, Parts::default(), seed, Wishes::default(), 100 * MILLISECOND);
    let reports: Vec<R2c2Report> = simulation.inspect().take();
    (kept.flows, reports[0])
}

fn durations(flows: &[FlowRecord]) -> Vec<Time> {
    let duration = |flow: &FlowRecord| flow.end.expect("it is complete") - flow.start;
    flows.iter().map(duration).collect()
}

/// The time in which a link carries so many packets, at this share of its rate.
fn carries(packets: u64, share: f64) -> f64 {
    (packets * ON_LINE * 8) as f64 * 1e12 / RATE as f64 / share
}

/// Host number of a place in a torus of 4 by 4 by 4.
fn at(x: u32, y: u32, z: u32) -> u32 {
    (x % 4) * 16 + (y % 4) * 4 + z % 4
}

fn shifted(by: u32, seed: u64) -> (Vec<FlowRecord>, R2c2Report) {
    let mut network = network(&[4, 4, 4]);
    let places = (0..64).map(|n| (n / 16, n / 4 % 4, n % 4));
    let pairs: Vec<_> = match by {
        1 => places.map(|(x, y, z)| (at(x, y, z), at(x + 1, y, z))).collect(),
        _ => places.map(|(x, y, z)| (at(x, y, z), at(x + by, y + by, z + by))).collect(),
    };
    flows(&mut network, "shifted", &pairs, 400, 0);
    simulate(network, seed)
}

/// To the neighbour, each flow has a link for itself, of which it takes all but the headroom from the first packet to the last:
/// 399 gaps, and the way of the last packet. Each start and each end is broadcast with one packet for each other host.
#[test]
fn r2c2_neighbours_have_links_for_themselves() {
    for seed in 1..=3 {
        let (flows, report) = shifted(1, seed);
        let times = durations(&flows);
        assert_eq!(times.len(), 64);
        // Two links to hosts, at 100 Gb/s, and one between switches; delays of 100 ns.
        let way = carries(1, 1.0) * 1.2 + 3e5;
        let expected = carries(399, 0.95) + way;
        // 128 broadcasts of 84 bytes may be in front of the last packet: less, as they leave with the first and last packets.
        let slack = 128.0 * 84.0 * 0.8e3;
        for time in times {
            let late = time as f64 - expected;
            assert!((-1e3..slack).contains(&late), "seed {seed}: {time} {expected}");
        }
        assert_eq!(report.broadcasts, 2 * 64 * 63);
    }
}

/// To the opposite, 64 flows of 6 links fill 384 links: as much as to the neighbour. Before all flows are known, each source
/// takes the network for its own and sends six times as much, so flows end a little earlier than at their fair rate.
#[test]
fn r2c2_opposites_share_all_links() {
    for seed in 1..=3 {
        let (flows, report) = shifted(2, seed);
        let times = durations(&flows);
        assert_eq!((times.len(), report.broadcasts), (64, 2 * 64 * 63));
        within("opposite", seed, 400, &times);
    }
}

/// The last flow ends after a link that carries so many packets would be through at its rate without headroom, and before it is
/// through at that with it, an interval, the packets' way, and the broadcasts of starts and ends. Packets choose their links at
/// random: the variance of how many a link has is at most their mean, and no link has more than four standard deviations more.
fn within(what: &str, seed: u64, packets: u64, times: &[Time]) {
    let last = *times.iter().max().expect("flows") as f64;
    let broadcasts = 2.0 * times.len() as f64 * 84.0 * 0.8e3;
    let chance = carries(1, 1.0) * 4.0 * (packets as f64).sqrt();
    let most = carries(packets, 0.95) + 10e6 + 10e6 + broadcasts + chance;
    let least = carries(packets, 1.0);
    assert!((least..most).contains(&last), "{what}, seed {seed}: {least} {last} {most}");
}

/// 26 flows into one host share its six links: 13/3 on each, and no other link has as many.
#[test]
fn r2c2_incast_fills_the_links_of_the_receiver() {
    for seed in 1..=3 {
        let mut network = network(&[3, 3, 3]);
        let pairs: Vec<_> = (1..27).map(|from| (from, 0)).collect();
        flows(&mut network, "incast", &pairs, 300, 0);
        let (flows, _) = simulate(network, seed);
        assert_eq!(flows.len(), 26);
        within("incast", seed, 26 * 300 / 6, &durations(&flows));
    }
}

/// In 3 by 3 by 3, a flow has two of three coordinates to change on average over all 27 places, that of its source included: 54
/// links for the 26 flows of each host, nine on each of its six links. All flows end at about that time.
#[test]
fn r2c2_all_to_all_reaches_the_bound_of_the_links() {
    for seed in 1..=2 {
        let mut network = network(&[3, 3, 3]);
        let pairs: Vec<_> = (0..27)
            .flat_map(|from| (0..27).map(move |to| (from, to)))
            .filter(|(from, to)| from != to)
            .collect();
        flows(&mut network, "all", &pairs, 40, 0);
        let (flows, report) = simulate(network, seed);
        let times = durations(&flows);
        assert_eq!((times.len(), report.broadcasts), (702, 2 * 702 * 26));
        within("all to all", seed, 9 * 40, &times);
    }
}

/// Two flows on the same path. The first has it for itself for 500 us; then both have half of the link, so what is left of the
/// first takes twice as long; and the second has all of it from then on, so the link is never idle until both have ended.
#[test]
fn r2c2_a_second_flow_takes_half() {
    for seed in 1..=3 {
        let mut network = network(&[4, 4, 4]);
        let path = [(at(0, 0, 0), at(1, 0, 0))];
        flows(&mut network, "first", &path, 1_000, 0);
        flows(&mut network, "second", &path, 1_000, 500 * MICROSECOND);
        let (flows, report) = simulate(network, seed);
        let ends: Vec<f64> = flows.iter().map(|flow| flow.end.expect("complete") as f64).collect();
        let alone = 500e6;
        let first = alone + 2.0 * (carries(1_000, 0.95) - alone);
        let both = carries(2_000, 0.95);
        // The same source knows at once; a rate holds from the next packet on, and on ends until the next interval.
        for (end, expected) in [(ends[0], first), (ends[1], both)] {
            assert!((end - expected).abs() < 15e6, "seed {seed}: {end} {expected}");
        }
        // One flow, both, and the second alone.
        assert_eq!(report.computations, 3);
    }
}

/// What has no direct links has no R2C2.
#[test]
fn r2c2_refuses_hosts_that_share_a_switch() {
    let edge = line(RATE);
    let mut network = torus(&[2, 2], 2, Switch::default(), edge, edge);
    flows(&mut network, "f", &[(0, 1)], 1, 0);
    let error = Simulation::new(network, Parts::default(), 1, Wishes::default()).map(|_| ());
    let text = error.expect_err("two hosts").to_string();
    assert!(text.contains("'s0.0' has more"), "{text}");
}
