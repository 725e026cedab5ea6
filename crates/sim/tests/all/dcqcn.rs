//! DCQCN and priority flow control against what can be worked out by hand.

use crate::common::{Kept, MICROSECOND, MILLISECOND, line, run, traffic};
use std::sync::Arc;
use ww_sim::measure::Wishes;
use ww_sim::network::queueing::{Pause, Queueing};
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{Network, NodeId, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::{dumbbell, star};
use ww_sim::transport::dcqcn::Settings;
use ww_sim::workload::sizes::Sizes;

const RATE: u64 = 10_000_000_000;
/// 1,458 bytes of an application, 1,500 without FCS, 1,524 on the line.
const DATA: u64 = 1_458;
const PACKET: Time = 1_524 * 800;
const QUIET: Pause = Pause {
    pause_above: u64::MAX,
    resume_below: u64::MAX,
    headroom: 0,
    mark_from: u64::MAX,
    mark_all: u64::MAX,
    mark_most: 0.0,
};

fn settings() -> Settings {
    Settings { bytes: 1_500, ..Settings::default() }
}

/// Flows of so many packets, all at once.
fn flows(
    mut network: Network,
    (settings, pause): (Settings, Pause),
    pairs: &[(usize, usize)],
    packets: u64,
) -> Network {
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    for (from, to) in pairs {
        let flows = Flows {
            pairs: Pairs::Listed(vec![(hosts[*from], hosts[*to])]),
            arrivals: Arrivals::Once,
            sizes: Arc::new(Sizes::Fixed(DATA * packets)),
            transport: Transport::Dcqcn(settings),
        };
        let name = format!("{from}-{to}");
        network.traffic.push(traffic(&name, Kind::Flows(flows), 1_000 * MILLISECOND));
    }
    network.queueing = Queueing::Pause(pause);
    network
}

fn simulate(network: Network, wishes: Wishes, until: Time) -> (Simulation, Kept) {
    run(network, Parts::default(), 1, wishes, until)
}

fn durations(kept: &Kept) -> Vec<Time> {
    kept.flows.iter().map(|flow| flow.end.expect("it is complete") - flow.start).collect()
}

fn pauses(simulation: &Simulation) -> u64 {
    (0..2 * simulation.network().links.len() as u32).map(|way| simulation.pauses(way)).sum()
}

/// The rate counts 1,500 bytes of a packet, so the host's line, which needs 1,524, rules: as in each network of lines, the last of 200 packets takes one time more and
/// the delays.
#[test]
fn a_flow_alone_fills_its_line() {
    let network =
        flows(star(2, Switch::default(), line(RATE)), (settings(), QUIET), &[(0, 1)], 200);
    let (simulation, kept) = simulate(network, Wishes::default(), 10 * MILLISECOND);
    let expected = 201 * PACKET + 2 * MICROSECOND;
    let found = durations(&kept)[0];
    assert!(found.abs_diff(expected) < 10_000, "{found} {expected}");
    assert_eq!((kept.flows[0].received, kept.flows[0].retransmitted), (200 * DATA, 0));
    assert_eq!((simulation.drops().iter().sum::<u64>(), pauses(&simulation)), (0, 0));
}

/// A window of two packets: two of them in each round trip of two packets, an ACK (84 bytes) twice, and 4 us.
#[test]
fn the_window_bounds_what_is_on_its_way() {
    let settings = Settings { window: 2, ..settings() };
    let network = flows(star(2, Switch::default(), line(RATE)), (settings, QUIET), &[(0, 1)], 200);
    let (_, kept) = simulate(network, Wishes::default(), 10 * MILLISECOND);
    let trip = 2 * PACKET + 2 * 84 * 800 + 4 * MICROSECOND;
    let expected = 99 * trip + 3 * PACKET + 2 * MICROSECOND;
    let found = durations(&kept)[0];
    assert!(found.abs_diff(expected) < 10_000, "{found} {expected}");
}

/// Eight hosts to one, each with more than its share. Whatever comes through a port above 30 kB waits with its sender, so no packet is lost, if there is room for what
/// comes until a pause works: a packet that is being sent on the way back (PACKET), the message (88 bytes with preamble and gap) and 1 us there; what is on its way, 1 us;
/// a packet that is being sent then, and the one that went beyond the threshold.
#[test]
fn nothing_is_lost_if_there_is_headroom() {
    let way = (PACKET + 88 * 800 + 2 * MICROSECOND) / 800 + 2 * 1_524;
    let pairs: Vec<_> = (1..=8).map(|from| (from, 0)).collect();
    let with = |headroom| {
        let pause = Pause { pause_above: 30_000, resume_below: 27_000, headroom, ..QUIET };
        let network =
            flows(star(9, Switch::default(), line(RATE)), (settings(), pause), &pairs, 500);
        simulate(network, Wishes::default(), 100 * MILLISECOND)
    };
    let (simulation, kept) = with(way);
    assert_eq!(simulation.drops().iter().sum::<u64>(), 0);
    assert!(pauses(&simulation) > 100);
    // The receiver's line never rests: the last packet comes after the time of all and the first one's way.
    let last = *durations(&kept).iter().max().expect("flows");
    let expected = 4_001 * PACKET + 2 * MICROSECOND;
    assert!(last.abs_diff(expected) < 10_000, "{last} {expected}");
    assert!(kept.flows.iter().all(|flow| flow.retransmitted == 0));
    // The window of 35 packets is more than 30 kB and this room.
    let (simulation, kept) = with(1_000);
    assert!(simulation.drops().iter().sum::<u64>() > 0);
    // What is lost is sent again, with all behind it.
    assert!(durations(&kept).len() == 8 && kept.flows.iter().any(|flow| flow.retransmitted > 0));
    assert!(kept.flows.iter().all(|flow| flow.received == 500 * DATA));
}

/// Pauses spread: a line between two switches that carries flows to a busy host is paused, and holds a flow to an idle one behind it.
#[test]
fn a_pause_holds_flows_to_other_hosts() {
    let pause = Pause { pause_above: 30_000, resume_below: 27_000, headroom: 20_000, ..QUIET };
    let alone = |pairs: &[(usize, usize)]| {
        let network = dumbbell(4, 4, Switch::default(), line(RATE), line(4 * RATE));
        let network = flows(network, (settings(), pause), pairs, 500);
        let (simulation, kept) = simulate(network, Wishes::default(), 100 * MILLISECOND);
        assert_eq!(simulation.drops().iter().sum::<u64>(), 0);
        let flow = kept.flows.iter().find(|flow| flow.traffic == 0).expect("the first");
        flow.end.expect("complete") - flow.start
    };
    let free = alone(&[(0, 5)]);
    let held = alone(&[(0, 5), (1, 4), (2, 4), (3, 4)]);
    assert!(held > 2 * free, "{held} {free}");
}

/// N endless flows of hosts to one share its line, and its queue stands where the document of DCQCN says (its fluid model): marks p with
/// p^3 = R_AI N^2 / (tau C^2) (1/B + N / (T C))^2, in packets and seconds, and a queue of Kmin + p/Pmax (Kmax - Kmin), as long as p is below Pmax. That is of N like flows that
/// see the queue at once; ours see it a round trip later, and swing around it.
#[test]
fn flows_share_a_line_and_its_queue_stands_still() {
    let pause = Pause { mark_from: 5_000, mark_all: 200_000, mark_most: 0.1, ..QUIET };
    for count in [2_usize, 3, 4] {
        let pairs: Vec<_> = (1..=count).map(|from| (from, 0)).collect();
        let network = star(count as u32 + 1, Switch::default(), line(RATE));
        let network = flows(network, (settings(), pause), &pairs, 1 << 30);
        let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
        let to_host = (0_u32..).zip(&network.links).find_map(|(id, link)| {
            let place = link.ends.iter().position(|end| end.node == hosts[0])?;
            Some(2 * id + 1 - place as u32)
        });
        let wishes = Wishes {
            warmup: 100 * MILLISECOND,
            sampled: to_host.into_iter().collect(),
            sample_every: Some(100 * MICROSECOND),
            ..Wishes::default()
        };
        let (simulation, kept) = simulate(network, wishes, 300 * MILLISECOND);
        assert_eq!(simulation.drops().iter().sum::<u64>(), 0);
        let goodput: Vec<f64> = simulation.sums().iter().map(|sums| sums.goodput as f64).collect();
        let sum: f64 = goodput.iter().sum();
        let line = RATE as f64 / 8.0 * 0.2 * DATA as f64 / 1_524.0;
        assert!(sum / line > 0.97 && sum / line <= 1.001, "{count}: {}", sum / line);
        let squares: f64 = goodput.iter().map(|goodput| goodput * goodput).sum();
        let jain = sum * sum / (count as f64 * squares);
        assert!(jain > 0.97, "{count}: {jain}");
        let late = kept.samples.iter().filter(|sample| sample.at >= 100 * MILLISECOND);
        let (samples, queued) = late.fold((0, 0), |(n, sum), sample| (n + 1, sum + sample.queued));
        let queue = queued as f64 / f64::from(samples);
        let (n, packet) = (count as f64, 1_500.0);
        let capacity = RATE as f64 / 8.0 / 1_524.0;
        let additive = 40e6 / 8.0 / packet;
        let steps = packet / 10e6 + n / (55e-6 * capacity);
        let marks = (additive * n * n / (50e-6 * capacity * capacity) * steps * steps).cbrt();
        let expected = 5_000.0 + marks / 0.1 * 195_000.0;
        assert!((0.8..1.4).contains(&(queue / expected)), "{count}: {queue} {expected}");
    }
}

/// Flows of one host wait for its line and take turns, while their rates are cut and rise: all end, and nothing is lost.
#[test]
fn flows_of_one_host_take_turns() {
    let pause =
        Pause { pause_above: 30_000, resume_below: 27_000, headroom: 20_000, ..Pause::default() };
    let pairs: Vec<_> = (0..32).map(|n| (1 + n % 8, 0)).collect();
    let network = flows(star(9, Switch::default(), line(RATE)), (settings(), pause), &pairs, 700);
    let (simulation, kept) = simulate(network, Wishes::default(), 1_000 * MILLISECOND);
    assert_eq!(durations(&kept).len(), 32);
    assert_eq!(simulation.drops().iter().sum::<u64>(), 0);
    // One line carries all.
    assert!(*durations(&kept).iter().max().expect("flows") > 32 * 700 * PACKET);
}

#[test]
fn mistakes_are_told() {
    let told = |settings: Settings, queueing: Queueing| {
        let network = star(2, Switch::default(), line(RATE));
        let mut network = flows(network, (settings, QUIET), &[(0, 1)], 1);
        network.queueing = queueing;
        let built = Simulation::new(network, Parts::default(), 1, Wishes::default());
        built.expect_err("a mistake").to_string()
    };
    let pause = Queueing::Pause(QUIET);
    let found = told(settings(), Queueing::DropTail);
    assert_eq!(found, "'0-1' uses DCQCN, which needs queues that pause");
    for (settings, words) in [
        (Settings { window: 0, ..settings() }, "window to be more than 0"),
        (Settings { timeout: 0, ..settings() }, "timeout to be more than 0"),
        (Settings { bytes: 10, ..settings() }, "frames of 60 to 9,014 bytes, found 10"),
        (Settings { gain: 0.0, ..settings() }, "a gain of more than 0 and up to 1, found 0"),
    ] {
        let found = told(settings, pause);
        assert!(found.contains(words), "{found}");
    }
}
