//! DCTCP over a folded Clos network, against what can be worked out by hand.

use crate::common::{MICROSECOND, MILLISECOND, line, run, traffic};
use std::sync::Arc;
use ww_sim::line::Limits;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{Network, NodeId, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::Parts;
use ww_sim::topology::{Clos, clos};
use ww_sim::transport::tcp::{Control, Settings};
use ww_sim::workload::sizes::Sizes;

const RATE: u64 = 10_000_000_000;
/// Each leaf has one link to each of four spines.
const SHAPE: Clos = Clos { ports: 8, leaves: 8, hosts: 4 };
/// Bytes of an application in a segment, and what that is on the line: with headers, FCS, preamble and gap.
const SEGMENT: u64 = 1_448;
const ON_LINE: u64 = SEGMENT + 14 + 20 + 32 + 24;

fn dctcp() -> Transport {
    let control = Control::Dctcp { gain: 1.0 / 16.0 };
    Transport::Tcp(Settings { control, ecn: true, ..Settings::default() })
}

/// Links of this delay that mark from 65 packets on.
fn network(
    (spray, delay): (bool, Time),
    pairs: impl Fn(&[NodeId]) -> Vec<(NodeId, NodeId)>,
    bytes: u64,
) -> Network {
    let mut link = line(RATE);
    link.delay = delay;
    link.limits = Limits { bytes: 600_000, mark: Some(65 * 1_514) };
    let mut network = clos(SHAPE, Switch::default(), link, link).expect("even");
    network.routing.spray = spray;
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let flows = Flows {
        pairs: Pairs::Listed(pairs(&hosts)),
        arrivals: Arrivals::Once,
        sizes: Arc::new(Sizes::Fixed(bytes)),
        transport: dctcp(),
    };
    network.traffic.push(traffic("flows", Kind::Flows(flows), 100 * MILLISECOND));
    network
}

/// The share of its line that a host's application gets on average, when each host sends to one of the next leaf without an
/// end: each leaf's four flows need four uplinks. Counted for a millisecond from 1 ms on. And the segments that were sent again.
fn shifted(spray: bool, delay: Time, seed: u64) -> (f64, u64) {
    let pairs = |hosts: &[NodeId]| (0..32).map(|n| (hosts[n], hosts[(n + 4) % 32])).collect();
    let wishes = Wishes { warmup: MILLISECOND, ..Wishes::default() };
    let until = wishes.warmup + MILLISECOND;
    let network = network((spray, delay), pairs, 1 << 30);
    let (simulation, kept) = run(network, Parts::default(), seed, wishes, until);
    let full = RATE as f64 / 8.0 * 1e-3 * SEGMENT as f64 / ON_LINE as f64;
    let again = kept.flows.iter().map(|flow| flow.retransmitted).sum();
    (simulation.sums()[0].goodput as f64 / full / 32.0, again)
}

/// An acknowledgement of 90 bytes on the line for two segments goes the other way: that much of each line is not for data.
const DATA_SHARE: f64 = 1.0 / (1.0 + 90.0 / (2.0 * ON_LINE as f64));

/// Sprayed, each flow has its whole line if packets of different paths are apart by less than a quarter of the round trip; those
/// that are later than that RACK takes for lost (RFC 8985, section 6.2), and on links of 1 us that is 1.6 packets. With a path for each flow, a leaf's four flows fall like balls into four bins, and those
/// in one bin share its line.
#[test]
fn dctcp_fills_a_sprayed_clos_and_collides_with_ecmp() {
    let mut shares = Vec::new();
    for seed in 1..=6 {
        if seed <= 2 {
            let (share, again) = shifted(true, 10 * MICROSECOND, seed);
            assert!((0.95 * DATA_SHARE..1.0).contains(&share), "seed {seed}: {share}");
            assert_eq!(again, 0, "seed {seed}");
            let (share, again) = shifted(true, MICROSECOND, seed);
            assert!(share < 0.8 && again > 0, "seed {seed}: {share} {again}");
        }
        shares.push(shifted(false, MICROSECOND, seed).0);
    }
    // The probability that an uplink is hit by one of four flows.
    let expected = (1.0 - 0.75f64.powi(4)) * DATA_SHARE;
    let mean = shares.iter().sum::<f64>() / shares.len() as f64;
    // Of one leaf, the standard deviation of the share of uplinks that are hit is 0.168; these are 48 leaves.
    let error = 4.0 * 0.168 / 48f64.sqrt();
    assert!((mean - expected).abs() < error, "{mean} {expected} {error} {shares:?}");
}

/// Eight hosts of eight leaves send to one. Its line is never idle from the first packet on, so the last flow ends after the time
/// of all segments at its rate and a round trip; DCTCP keeps a queue there, so nothing is lost, and 2 % are allowed for what
/// the line is idle while windows are cut.
#[test]
fn dctcp_incast_ends_when_the_line_has_carried_it() {
    const SEGMENTS: u64 = 400;
    for (seed, spray) in [(1, false), (2, false), (3, true), (4, true)] {
        // The first host of each other leaf, and another host of the receiver's.
        let pairs = |hosts: &[NodeId]| {
            let senders = (1..8).map(|leaf| leaf * 4).chain([1]);
            senders.map(|n| (hosts[n], hosts[0])).collect()
        };
        let network = network((spray, MICROSECOND), pairs, SEGMENTS * SEGMENT);
        let (simulation, kept) =
            run(network, Parts::default(), seed, Wishes::default(), 20 * MILLISECOND);
        assert_eq!(simulation.sums()[0].finished, 8);
        let ends = kept.flows.iter().map(|flow| flow.end.expect("it is complete"));
        let last = ends.max().expect("flows") as f64;
        let carried = (8 * SEGMENTS * ON_LINE * 8) as f64 * 1e12 / RATE as f64;
        // Of four links there and back; the handshake takes another one if there is one.
        let trip = 8e6 + 8.0 * 1.23e6;
        assert!(
            (carried..carried * 1.02 + 2.0 * trip).contains(&last),
            "seed {seed}: {last} {carried}"
        );
    }
}
