//! NDP against what can be worked out by hand.

use crate::common::{Kept, MICROSECOND, MILLISECOND, line, run, traffic};
use std::sync::Arc;
use ww_sim::measure::Wishes;
use ww_sim::network::queueing::{Queueing, Trim};
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{Network, NodeId, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::{Clos, clos, star};
use ww_sim::transport::ndp::Settings;
use ww_sim::transport::tcp;
use ww_sim::workload::sizes::Sizes;

const RATE: u64 = 10_000_000_000;
/// 1,458 bytes of an application, 1,500 without FCS, 1,524 on the line.
const SETTINGS: Settings = Settings { initial_window: 35, bytes: 1_500, timeout: MILLISECOND };
const DATA: u64 = 1_458;
/// The time of a full packet on a line of 10 Gb/s, and of a header: 60 bytes and 24.
const PACKET: Time = 1_524 * 800;
const HEADER: Time = 84 * 800;

/// Flows of so many packets, all at once.
fn flows(mut network: Network, pairs: &[(usize, usize)], packets: u64) -> Network {
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let flows = Flows {
        pairs: Pairs::Listed(pairs.iter().map(|(from, to)| (hosts[*from], hosts[*to])).collect()),
        arrivals: Arrivals::Once,
        sizes: Arc::new(Sizes::Fixed(DATA * packets)),
        transport: Transport::Ndp(SETTINGS),
    };
    network.traffic.push(traffic("flows", Kind::Flows(flows), 100 * MILLISECOND));
    network.queueing = Queueing::Trim(Trim::default());
    network
}

fn simulate(network: Network, seed: u64) -> (Simulation, Kept) {
    run(network, Parts::default(), seed, Wishes::default(), 200 * MILLISECOND)
}

fn durations(kept: &Kept) -> Vec<Time> {
    kept.flows.iter().map(|flow| flow.end.expect("it is complete") - flow.start).collect()
}

/// Packets whose data was cut off, in all queues.
fn trimmed(simulation: &Simulation) -> u64 {
    let directions = 2 * simulation.network().links.len() as u32;
    (0..directions).map(|direction| simulation.trimmed(direction)).sum()
}

/// Both lines take the time of a packet and 1 us. The window is longer than the way there and back, so the line never rests: the last of 200
/// packets leaves after 200 times and takes another one and 2 us.
#[test]
fn a_flow_alone_fills_its_line() {
    let network = flows(star(2, Switch::default(), line(RATE)), &[(0, 1)], 200);
    let (simulation, kept) = simulate(network, 1);
    let expected = 201 * PACKET + 2 * MICROSECOND;
    let found = durations(&kept)[0];
    // A line's pace is exact to 2^-17 ps a byte.
    assert!(found.abs_diff(expected) < 10_000, "{found} {expected}");
    assert_eq!((kept.flows[0].received, kept.flows[0].retransmitted), (200 * DATA, 0));
    assert_eq!((trimmed(&simulation), simulation.drops().iter().sum::<u64>()), (0, 0));
}

/// 20 hosts send 100 packets each to one, whose line carries all of them and a header for each whose data was cut off, and never rests: 12 packets wait in front of
/// it, longer than the way there and back of a pull.
///
/// How many are cut off: while headers wait, each packet of data has ten before it, so H headers wait and leave for D = H/10 (T + 10 h), T and h being the times of
/// a packet and a header. Until then the 700 packets of the windows come, and a pulled one in each T, from the first time R of the way there and back on (6 us, 4 T, 2 h). One in T + 10 h
/// leaves, and 12 stay. So H = 700 + (D - R)/T - D/(T + 10 h) - 12, which is (688 - R/T) / (1 - h/T).
#[test]
fn an_incast_takes_the_time_of_its_packets_and_headers() {
    for seed in 1..=4 {
        let pairs: Vec<_> = (1..=20).map(|from| (from, 0)).collect();
        let network = flows(star(21, Switch::default(), line(RATE)), &pairs, 100);
        let (simulation, kept) = simulate(network, seed);
        let trimmed = trimmed(&simulation);
        let (packet, header) = (PACKET as f64, HEADER as f64);
        let way = 6e6 + 4.0 * packet + 2.0 * header;
        let expected = (688.0 - way / packet) / (1.0 - header / packet);
        assert!((trimmed as f64 / expected - 1.0).abs() < 0.02, "{trimmed} {expected}");
        let durations = durations(&kept);
        let last = *durations.iter().max().expect("flows");
        let least = 2_000 * PACKET + trimmed * HEADER + PACKET + 2 * MICROSECOND;
        assert!((least..=least + 12 * PACKET).contains(&last), "{last} {least}");
        // Each header is one packet that is sent again. Nothing is lost, so there is no timeout.
        let again: u64 = kept.flows.iter().map(|flow| flow.retransmitted).sum();
        assert_eq!(again, trimmed);
        assert!(kept.flows.iter().all(|flow| flow.timeouts == 0 && flow.received == 100 * DATA));
        assert_eq!(simulation.drops().iter().sum::<u64>(), 0);
        // The host asks all in turn, so flows that had the same share of the first windows end together.
        let mean = durations.iter().sum::<Time>() as f64 / 20.0;
        assert!(mean / last as f64 > 0.93, "{}", mean / last as f64);
    }
}

/// Each of 32 hosts sends to one of another leaf, in a network that carries all at their full rate if paths are even. Packets take all of them in turn, so
/// nothing is cut off. A host's line carries its own packets, and an ACK and a pull for each that it receives: 1,524 and 2 x 84 bytes, 0.901 of it for data. The last packet
/// takes four more packets and 4 us, and may wait for some others on the way.
#[test]
fn a_permutation_over_a_clos_fills_its_lines() {
    for seed in 1..=3 {
        let shape = Clos { ports: 8, leaves: 8, hosts: 4 };
        let network = clos(shape, Switch::default(), line(RATE), line(RATE)).expect("even");
        let pairs: Vec<_> = (0..32).map(|n| (n, (n + 4) % 32)).collect();
        let (simulation, kept) = simulate(flows(network, &pairs, 1_000), seed);
        assert_eq!(trimmed(&simulation), 0);
        let last = *durations(&kept).iter().max().expect("flows");
        let least = 1_000 * (PACKET + 2 * HEADER);
        assert!((least..least + 12 * PACKET).contains(&last), "{last} {least}");
    }
}

/// Links that lose one in a hundred packets, data and control: all arrives, once, and timeouts have found what had no header.
#[test]
fn lost_packets_and_pulls_are_made_up_for() {
    for seed in 1..=3 {
        let mut edge = line(RATE);
        edge.loss = 0.01;
        let pairs: Vec<_> = (1..=8).map(|from| (from, 0)).collect();
        let network = flows(star(9, Switch::default(), edge), &pairs, 300);
        let (_, kept) = simulate(network, seed);
        assert_eq!(durations(&kept).len(), 8);
        assert!(kept.flows.iter().all(|flow| flow.received == 300 * DATA));
        assert!(kept.flows.iter().map(|flow| flow.timeouts).sum::<u64>() > 0);
    }
}

/// With room for three headers most are lost, and with them what they told of.
#[test]
fn headers_that_find_no_room_are_made_up_for() {
    let pairs: Vec<_> = (1..=20).map(|from| (from, 0)).collect();
    let mut network = flows(star(21, Switch::default(), line(RATE)), &pairs, 100);
    network.queueing = Queueing::Trim(Trim { packets: 12, header_bytes: 180 });
    let (simulation, kept) = simulate(network, 1);
    assert!(simulation.drops().iter().sum::<u64>() > 300);
    durations(&kept);
    assert!(kept.flows.iter().all(|flow| flow.received == 100 * DATA && flow.timeouts > 0));
}

#[test]
fn ndp_and_queues_that_trim_need_each_other() {
    let told = |network: Network| {
        let built = Simulation::new(network, Parts::default(), 1, Wishes::default());
        built.expect_err("a mistake").to_string()
    };
    let network = || flows(star(2, Switch::default(), line(RATE)), &[(0, 1)], 1);
    let found = told(Network { queueing: Queueing::DropTail, ..network() });
    assert_eq!(found, "'flows' uses NDP, which needs queues that trim");
    let with = |transport| {
        let mut network = network();
        if let Kind::Flows(flows) = &mut network.traffic[0].kind {
            flows.transport = transport;
        }
        network
    };
    let tcp = || Transport::Tcp(tcp::Settings::default());
    assert!(
        told(with(tcp())).starts_with("queues that trim are for NDP, and 'flows' uses another")
    );
    let mut both = network();
    let mut other = with(tcp()).traffic.remove(0);
    other.name = "other".into();
    both.traffic.push(other);
    assert!(told(both).starts_with("'flows' uses NDP and 'other' does not"));
    for (settings, words) in [
        (Settings { initial_window: 0, ..SETTINGS }, "initial window of 1 packet or more, found 0"),
        (Settings { bytes: 59, ..SETTINGS }, "frames of 60 to 9,014 bytes, found 59"),
        (Settings { timeout: 0, ..SETTINGS }, "a timeout of more than 0"),
    ] {
        let found = told(with(Transport::Ndp(settings)));
        assert!(found.contains(words), "{found}");
    }
}
