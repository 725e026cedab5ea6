//! Whole networks, against what can be worked out by hand.

use crate::common;

use common::{MICROSECOND, MILLISECOND, line, run, traffic};
use std::sync::Arc;
use ww_sim::measure::{Cause, Wishes};
use ww_sim::network::traffic::{
    Arrivals, Flows, Incast, Kind, Pairs, Pattern, Requests, Stream, Transport,
};
use ww_sim::network::{Change, LinkChange, Network, NodeId, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::{dumbbell, ring, star};
use ww_sim::transport::tcp;
use ww_sim::workload::sizes::Sizes;

const GIGABIT: u64 = 1_000_000_000;

fn hosts(network: &Network) -> Vec<NodeId> {
    network.hosts().map(|(id, _)| id).collect()
}

fn constant(network: &Network, from: usize, to: usize, bytes: u32, rate: u64) -> Kind {
    let hosts = hosts(network);
    Kind::Stream(Stream {
        from: hosts[from],
        to: hosts[to],
        bytes,
        pattern: Pattern::Constant { rate },
    })
}

fn flows(pairs: Pairs, arrivals: Arrivals, bytes: u64, transport: Transport) -> Kind {
    Kind::Flows(Flows { pairs, arrivals, sizes: Arc::new(Sizes::Fixed(bytes)), transport })
}

/// 1,500 bytes and 24 of overhead at 10 Gb/s are 1,219.2 ns, twice, and 1 us of delay, twice. A packet every
/// 12 us at 1 Gb/s: 84 start before 1 ms, and all but the last one have arrived by then.
#[test]
fn latency_in_an_empty_network() {
    let mut network = star(2, Switch { routes: true, latency: 0 }, line(10 * GIGABIT));
    let kind = constant(&network, 0, 1, 1500, GIGABIT);
    network.traffic.push(traffic("a", kind, MILLISECOND));
    let wishes = Wishes { packets: true, ..Wishes::default() };
    let (simulation, kept) = run(network, Parts::default(), 1, wishes, MILLISECOND);
    let latency = 2 * (1524 * 800 + MICROSECOND);
    assert!(kept.deliveries.iter().all(|packet| packet.at - packet.sent == latency));
    let sent: Vec<Time> = kept.deliveries.iter().map(|packet| packet.sent).collect();
    assert_eq!(
        sent,
        (0..84)
            .map(|number| number * 12 * MICROSECOND)
            .filter(|at| at + latency <= MILLISECOND)
            .collect::<Vec<_>>()
    );
    let sums = &simulation.sums()[0];
    assert_eq!((sums.sent, sums.delivered, sums.goodput), (84, 83, 83 * 1458));
    assert_eq!(sums.latency.range(), Some((latency, latency)));
    assert_eq!(simulation.hops(), 83 * 2 + 1);
}

/// Two hosts send 8 Gb/s each to a third one whose link carries 10: of 16 offered 10 pass, the queue stays full, and each packet waits
/// for it.
#[test]
fn full_output_queue_drops() {
    let mut network = star(3, Switch::default(), line(10 * GIGABIT));
    for from in 0..2 {
        let kind = constant(&network, from, 2, 1500, 8 * GIGABIT);
        network.traffic.push(traffic(&format!("from {from}"), kind, 20 * MILLISECOND));
    }
    let (mut simulation, _) =
        run(network, Parts::default(), 1, Wishes::default(), 20 * MILLISECOND);
    let delivered: u64 = simulation.sums().iter().map(|sums| sums.delivered).sum();
    // 20 ms less the way of the first packet, by 1,219.2 ns.
    let way = 2 * MICROSECOND + 1524 * 800;
    assert_eq!(delivered, (20 * MILLISECOND - way) / (1524 * 800));
    assert_eq!(simulation.drops()[Cause::Queue as usize], simulation.direction(5).dropped);
    assert_eq!(simulation.deepest(5), 200 * 1500);
    let slowest =
        simulation.sums().iter().filter_map(|sums| sums.latency.range()).map(|range| range.1).max();
    // 200 packets wait, it is the last of them, and it has been on a link before.
    let most = 2 * MICROSECOND + 201 * 1524 * 800;
    assert!(
        slowest.is_some_and(|slowest| slowest <= most && slowest > most - 1524 * 800),
        "{slowest:?} {most}"
    );
}

/// A queue with Poisson arrivals and one length of packets: the mean wait is rho / (2 (1 - rho)) packets (Pollaczek and
/// Khinchine).
#[test]
fn waiting_of_an_m_d_1_queue() {
    for rho in [0.5, 0.8] {
        let mut network = star(2, Switch::default(), line(10 * GIGABIT));
        // Nothing is lost.
        for link in &mut network.links {
            link.directions[0].limits.bytes = 1 << 30;
        }
        let hosts = hosts(&network);
        let rate = (rho * 1e10 * 1500.0 / 1524.0) as u64;
        let pattern = Pattern::Poisson { rate };
        let stream = Stream { from: hosts[0], to: hosts[1], bytes: 1500, pattern };
        network.traffic.push(traffic("poisson", Kind::Stream(stream), 1000 * MILLISECOND));
        let (simulation, _) =
            run(network, Parts::default(), 3, Wishes::default(), 1000 * MILLISECOND);
        let packet = 1524.0 * 800.0;
        let mean = simulation.sums()[0].latency.mean().expect("packets");
        let wait = (mean - 2.0 * (packet + MICROSECOND as f64)) / packet;
        let expected = rho / (2.0 * (1.0 - rho));
        assert!((wait / expected - 1.0).abs() < 0.02, "rho {rho}: {wait} instead of {expected}");
    }
}

/// One TCP flow fills a link, but for the headers: 1,448 of 1,538 bytes, with 14 + 24 around 1,500.
#[test]
fn tcp_fills_a_link() {
    let mut network = dumbbell(1, 1, Switch::default(), line(10 * GIGABIT), line(GIGABIT));
    let hosts = hosts(&network);
    let pairs = Pairs::Listed(vec![(hosts[0], hosts[1])]);
    let transport = Transport::Tcp(tcp::Settings::default());
    let kind = flows(pairs, Arrivals::Once, 20_000_000, transport);
    network.traffic.push(traffic("one", kind, MILLISECOND));
    let (simulation, kept) =
        run(network, Parts::default(), 1, Wishes::default(), 1000 * MILLISECOND);
    let [flow] = kept.flows[..] else { panic!("{:?}", kept.flows) };
    let full = 20e6 * 8.0 / 1e9 * 1538.0 / 1448.0 * 1e12;
    let took = (flow.end.expect("it ends") - flow.start) as f64;
    assert!(took > full && took < 1.1 * full, "{took} instead of {full}");
    assert_eq!((flow.bytes, flow.received, simulation.unfinished()), (20_000_000, 20_000_000, 0));
    // The first packet crosses two links of 10 Gb/s, all cross one of 1 Gb/s: its own time, and three delays.
    let ideal = 3 * MICROSECOND + 2 * 1538 * 800 + full as Time;
    assert!(flow.ideal.abs_diff(ideal) < 1538 * 8000, "{} {ideal}", flow.ideal);
}

/// One flow has a link of 100 Mb/s and about 4.5 ms for itself, with a queue of one product of rate and time, or four: it keeps it busy, whatever
/// law it obeys, also when slow start has lost half a window and its retransmissions are lost again.
#[test]
fn one_flow_keeps_a_link_busy() {
    let dctcp = tcp::Settings {
        control: tcp::Control::Dctcp { gain: 1.0 / 16.0 },
        ecn: true,
        ..tcp::Settings::default()
    };
    let cubic = tcp::Settings {
        control: tcp::Control::Cubic { fast_convergence: true },
        ..tcp::Settings::default()
    };
    let plain = tcp::Settings { sack: false, ..tcp::Settings::default() };
    for (name, settings) in [
        ("newreno", tcp::Settings::default()),
        ("no sack", plain),
        ("cubic", cubic),
        ("dctcp", dctcp),
    ] {
        for queue in [60_000, 150_000, 300_000] {
            let mut core = line(GIGABIT / 10);
            (core.delay, core.limits.bytes) = (2 * MILLISECOND, queue);
            core.limits.mark = (name == "dctcp").then_some(30_000);
            let mut network = dumbbell(1, 1, Switch::default(), line(GIGABIT), core);
            let hosts = hosts(&network);
            let pairs = Pairs::Listed(vec![(hosts[0], hosts[1])]);
            let kind = flows(pairs, Arrivals::Once, 1 << 40, Transport::Tcp(settings));
            network.traffic.push(traffic("one", kind, MILLISECOND));
            let wishes = Wishes { warmup: 8_000 * MILLISECOND, ..Wishes::default() };
            let (simulation, _) = run(network, Parts::default(), 1, wishes, 18_000 * MILLISECOND);
            let share = simulation.sums()[0].goodput as f64 * 8.0 / 10.0 / 1e8 * 1538.0 / 1448.0;
            // Without SACK a recovery repairs one loss a round trip.
            let least = if settings.sack { 0.95 } else { 0.85 };
            assert!(share > least, "{name}, {queue}: {share}");
        }
    }
}

/// Flows of one host take turns at its link, which drops nothing of them however little room there is in front of it.
#[test]
fn flows_of_a_host_take_turns() {
    let mut network = star(4, Switch::default(), line(GIGABIT));
    network.links[0].directions[0].limits.bytes = 20_000;
    let hosts = hosts(&network);
    let pairs =
        Pairs::Listed(vec![(hosts[0], hosts[1]), (hosts[0], hosts[2]), (hosts[0], hosts[3])]);
    let transport = Transport::Tcp(tcp::Settings::default());
    network.traffic.push(traffic(
        "three",
        flows(pairs, Arrivals::Once, 3_000_000, transport),
        MILLISECOND,
    ));
    let (simulation, kept) =
        run(network, Parts::default(), 1, Wishes::default(), 1000 * MILLISECOND);
    assert_eq!(simulation.drops(), [0; Cause::ALL.len()]);
    // Each arrival is an event, each turn, and some timers.
    assert!(simulation.events() < 2 * simulation.hops(), "{}", simulation.events());
    // All that the three have, one after the other on the link; each has its third until the end.
    let full = 9e6 * 8.0 / 1e9 * 1538.0 / 1448.0 * 1e12;
    for flow in &kept.flows {
        let took = flow.end.expect("it ends") as f64;
        assert!(took > 0.98 * full && took < 1.03 * full, "{took} {full}");
    }
}

/// With frames (a direction is captured) flows do what they do without.
#[test]
fn results_do_not_depend_on_frames() {
    let build = |captures: Vec<u32>| {
        let mut network =
            dumbbell(2, 2, Switch { routes: true, latency: 0 }, line(10 * GIGABIT), line(GIGABIT));
        network.links[4].directions[0].loss = 0.001;
        let hosts = hosts(&network);
        let pairs = Pairs::Between(hosts[..2].to_vec(), hosts[2..].to_vec());
        let transport = Transport::Tcp(tcp::Settings::default());
        let kind = flows(pairs, Arrivals::Poisson { rate: 2000.0 }, 30_000, transport);
        network.traffic.push(traffic("tcp", kind, 50 * MILLISECOND));
        let kind = constant(&network, 0, 3, 200, GIGABIT / 10);
        network.traffic.push(traffic("udp", kind, 50 * MILLISECOND));
        let pairs = Pairs::Permutation(hosts.clone());
        let transport = Transport::Udp { rate: GIGABIT / 100, bytes: 1000 };
        network.traffic.push(traffic(
            "datagrams",
            flows(pairs, Arrivals::Once, 5_000, transport),
            MILLISECOND,
        ));
        let wishes = Wishes { captures, ..Wishes::default() };
        let (simulation, kept) = run(network, Parts::default(), 9, wishes, 400 * MILLISECOND);
        (simulation.sums().to_vec(), simulation.drops(), simulation.unfinished(), kept)
    };
    let (light, framed) = (build(Vec::new()), build(vec![8]));
    assert_eq!(light.3.frames.len(), 0);
    assert!(framed.3.frames.len() > 1000 && framed.3.flows.len() > 50);
    assert!(framed.1[Cause::Loss as usize] > 0);
    assert_eq!((framed.1[Cause::Host as usize], framed.2), (0, 0));
    // Time stamps of segments are whole nanoseconds in frames, which timers feel.
    for (one, other) in light.3.flows.iter().zip(&framed.3.flows) {
        let (one, other) = (one.end.expect("it ends"), other.end.expect("it ends"));
        assert!(one.abs_diff(other) < 10_000, "{one} {other}");
    }
    for (one, other) in light.0.iter().zip(&framed.0) {
        assert_eq!(
            (one.sent, one.delivered, one.goodput),
            (other.sent, other.delivered, other.goodput)
        );
    }
}

/// A seed gives one run, and another seed another one.
#[test]
fn runs_with_equal_seeds_are_identical() {
    let build = |seed| {
        let mut network = star(4, Switch::default(), line(10 * GIGABIT));
        network.links[1].directions[1].loss = 0.01;
        let hosts = hosts(&network);
        let transport = Transport::Tcp(tcp::Settings {
            control: tcp::Control::Cubic { fast_convergence: true },
            ..tcp::Settings::default()
        });
        let arrivals = Arrivals::Poisson { rate: 20_000.0 };
        let kind = flows(Pairs::AllToAll(hosts), arrivals, 20_000, transport);
        network.traffic.push(traffic("all", kind, 20 * MILLISECOND));
        run(
            network,
            Parts::default(),
            seed,
            Wishes { packets: true, ..Wishes::default() },
            30 * MILLISECOND,
        )
        .1
    };
    let first = build(1);
    assert!(first.flows.len() > 300);
    assert_eq!(first, build(1));
    assert_ne!(first.flows, build(2).flows);
}

/// A ring of four whose link on the way is cut at 5 ms: what is under way is lost, all that is sent in the 2 ms until the
/// switches notice too, and then the other way is two links longer.
#[test]
fn link_down_drops_packets_and_reroutes() {
    let mut network =
        ring(4, 1, Switch { routes: true, latency: 0 }, line(10 * GIGABIT), line(10 * GIGABIT));
    network.routing.reroute = 2 * MILLISECOND;
    // s0 - s1 is the first link behind those of the hosts.
    let change = |at, what| Change { at: at * MILLISECOND, link: 4, what };
    network.changes = vec![change(5, LinkChange::Down), change(10, LinkChange::Up)];
    let kind = constant(&network, 0, 1, 1250, GIGABIT);
    network.traffic.push(traffic("over", kind, 20 * MILLISECOND));
    let (simulation, kept) = run(
        network,
        Parts::default(),
        1,
        Wishes { packets: true, ..Wishes::default() },
        21 * MILLISECOND,
    );
    let hop = 1274 * 800 + MICROSECOND;
    for packet in &kept.deliveries {
        let (sent, took) = (packet.sent, packet.at - packet.sent);
        let late = |begin, end| sent + hop >= begin * MILLISECOND && sent + hop < end * MILLISECOND;
        assert!(!late(5, 7), "sent at {sent}");
        assert_eq!(took, if late(7, 12) { 5 * hop } else { 3 * hop }, "sent at {sent}");
    }
    // A packet every 10 us: 200 of 2 ms, and the one that was on the link.
    assert_eq!(simulation.drops()[Cause::Down as usize], 200 + u64::from(hop > 10 * MICROSECOND));
    assert_eq!(simulation.sums()[0].delivered, 1800);
}

/// Three clients with one request each, no thinking: one answer after the other, each a round trip and two transfers.
#[test]
fn requests_and_answers() {
    let mut network = star(4, Switch::default(), line(10 * GIGABIT));
    let hosts = hosts(&network);
    let settings = tcp::Settings { handshake: false, ..tcp::Settings::default() };
    let requests = Requests {
        clients: vec![hosts[0]],
        servers: vec![hosts[3]],
        request: 100,
        response: Arc::new(Sizes::Fixed(1000)),
        outstanding: 1,
        think: 0,
        transport: Transport::Tcp(settings),
    };
    network.traffic.push(traffic("rpc", Kind::Requests(requests), 10 * MILLISECOND));
    let (_, kept) = run(network, Parts::default(), 1, Wishes::default(), 11 * MILLISECOND);
    // Frames of 100 and 1,000 bytes of data with 66 of headers, 24 of overhead, twice on a link each; in front of an answer, and of a
    // request that is not the first, an acknowledgement goes out.
    let exchange = 4 * MICROSECOND + 2 * (190 + 1090) * 800;
    let acknowledgement = 90 * 800;
    for (number, flow) in (0u64..).zip(&kept.flows) {
        let took = exchange + acknowledgement * (1 + u64::from(number > 0));
        assert_eq!(flow.end, Some(flow.start + took), "{number}");
    }
    let next = exchange + 2 * acknowledgement;
    assert_eq!(kept.flows.len() as u64, (10 * MILLISECOND + acknowledgement).div_ceil(next));
}

/// Each round of an incast is a flow of each sender.
#[test]
fn rounds_of_an_incast() {
    let mut network = star(9, Switch::default(), line(10 * GIGABIT));
    let hosts = hosts(&network);
    let incast = Incast {
        from: hosts[1..].to_vec(),
        to: hosts[0],
        bytes: 14_480,
        period: 5 * MILLISECOND,
        jitter: 0,
        transport: Transport::Tcp(tcp::Settings {
            minimum_timeout: MILLISECOND,
            initial_timeout: MILLISECOND,
            ..tcp::Settings::default()
        }),
    };
    network.traffic.push(traffic("incast", Kind::Incast(incast), 20 * MILLISECOND));
    let (_, kept) = run(network, Parts::default(), 1, Wishes::default(), 40 * MILLISECOND);
    assert_eq!(kept.flows.len(), 4 * 8);
    for flow in &kept.flows {
        assert_eq!((flow.to, flow.start % (5 * MILLISECOND)), (0, 0));
        assert!(flow.end.is_some_and(|end| end >= flow.start + flow.ideal), "{flow:?}");
    }
}

/// Jitter is uniform: its mean is half of it, all of it occurs, and packets stay in order.
#[test]
fn jitter_is_uniform_and_keeps_the_order() {
    let mut network = star(2, Switch::default(), line(10 * GIGABIT));
    network.links[1].directions[1].jitter = 2 * MICROSECOND;
    // Sparse, so that none waits for the one before, then dense.
    for (rate, overtaken) in [(GIGABIT, false), (9 * GIGABIT, true)] {
        let mut network = network.clone();
        let kind = constant(&network, 0, 1, 1226, rate);
        network.traffic.push(traffic("a", kind, 100 * MILLISECOND));
        let wishes = Wishes { packets: true, ..Wishes::default() };
        let (_, kept) = run(network, Parts::default(), 1, wishes, 101 * MILLISECOND);
        assert!(kept.deliveries.is_sorted_by_key(|packet| packet.sent));
        let alone = 2 * (1250 * 800 + MICROSECOND);
        let extra: Vec<Time> =
            kept.deliveries.iter().map(|packet| packet.at - packet.sent - alone).collect();
        let mean = extra.iter().sum::<Time>() as f64 / extra.len() as f64;
        assert!(extra.iter().all(|extra| *extra <= 2 * MICROSECOND));
        // A packet may have to wait for the one before, which was sent 1,089.8 ns earlier, but hardly for one before that:
        // the mean of what another one's 0 to 2 us are more than its own and the gap is (2 - gap)^3 / (6 * 2^2) us.
        let gap = 1226.0 * 8.0 / 9.0 * 1e-3;
        let more = if overtaken { (2.0f64 - gap).powi(3) / 24.0 } else { 0.0 };
        let expected = MICROSECOND as f64 * (1.0 + more);
        // Five standard errors of a uniform distribution.
        let error = 5.0 * 2.0 * MICROSECOND as f64 / (12.0 * extra.len() as f64).sqrt();
        assert!((mean - expected).abs() < error, "{mean} {expected} {error}");
    }
}

/// What cannot be simulated is refused with a sentence.
#[test]
fn invalid_networks_are_refused() {
    let refused = |network: Network| {
        Simulation::new(network, Parts::default(), 1, Wishes::default()).err().map(|error| error.0)
    };
    let good = || star(3, Switch::default(), line(GIGABIT));
    assert_eq!(refused(good()), None);
    let mut network = good();
    network.links[0].directions[1].rate = 0;
    assert!(refused(network).is_some_and(|text| text.contains("not a rate")));
    let mut network = good();
    network.links[1] = network.links[0].clone();
    assert!(refused(network).is_some_and(|text| text.contains("two links")));
    let mut network = good();
    network.links.pop();
    assert!(refused(network).is_some_and(|text| text.contains("0 links")));
    let mut network = good();
    network.traffic.push(traffic(
        "x",
        Kind::Stream(Stream { from: 0, to: 1, bytes: 100, pattern: Pattern::Constant { rate: 1 } }),
        1,
    ));
    assert!(refused(network).is_some_and(|text| text.contains("s0 is not a host")));
    let mut network = good();
    network.nodes[0].kind = ww_sim::network::NodeKind::Program;
    assert!(refused(network).is_some_and(|text| text.contains("no program")));
}
