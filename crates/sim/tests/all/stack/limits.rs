//! Buffers, what is refused, and who may talk to whom.

use crate::common::{MILLISECOND, run, traffic};
use crate::stack::{ATTACHED, Said, attach, capturing, direction, pair, read, transfer};
use std::net::Ipv4Addr;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Kind, Pattern, Ping, Stream, Traffic};
use ww_sim::network::{Network, NodeKind, Switch};
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::stack::{Attachment, Settings};
use ww_sim::topology::star;

/// A receiver with room for 8 KiB lets so much be under way, once a round trip of 20 ms; a sender that keeps 8 KiB
/// sends no more either.
#[test]
fn buffers_bound_bytes_in_flight() {
    let wide = Settings::default();
    for settings in
        [Settings { receive_buffer: 8_192, ..wide }, Settings { send_buffer: 8_192, ..wide }]
    {
        let mut network = pair(10 * MILLISECOND);
        network.traffic.push(traffic(
            "file",
            transfer(0, 1, 400_000, settings),
            5_000 * MILLISECOND,
        ));
        let (_, kept) = run(network, Parts::default(), 1, capturing(&[0, 1]), 5_000 * MILLISECOND);
        let end = kept.flows[0].end.expect("complete");
        // 49 windows, the first sent after ARP and the handshake, the last one's round trip half.
        assert!(end >= (2 + 48) * 20 * MILLISECOND, "{settings:?} {end}");
        // What the sender has sent and not been told of when it sends: never more.
        let (mut told, mut most) = (None, 0);
        for (way, _, frame) in &kept.frames {
            let Said::Tcp { sequence, acknowledgement, data, .. } = read(frame) else { continue };
            match way {
                1 => told = Some(acknowledgement),
                _ => {
                    let end = sequence.wrapping_add(data.len() as u32);
                    most = most.max(told.map_or(0, |told| end.wrapping_sub(told)));
                }
            }
        }
        assert!((4_000..=8_192).contains(&most), "{settings:?} {most}");
    }
}

/// A host that does not exist gets one ARP request a second, and nothing spins.
#[test]
fn unanswered_connection_is_aborted() {
    let mut network = star(3, Switch::default(), direction(0));
    attach(&mut network, ATTACHED);
    // The third host goes off.
    network.links[2].up = false;
    let kind = transfer(1, 3, 1_000, Settings::default());
    network.traffic.push(traffic("file", kind, MILLISECOND));
    let (simulation, kept) =
        run(network, Parts::default(), 1, capturing(&[0, 1]), 10_000 * MILLISECOND);
    let requests = kept.frames.iter().filter(|(.., frame)| read(frame) == Said::Arp(1)).count();
    assert!((9..=11).contains(&requests), "{requests}");
    assert!(simulation.events() < 500, "{}", simulation.events());
    assert_eq!(kept.flows[0].end, None);
}

/// More connections at once than a host has sockets: those without one end at once, the others arrive.
#[test]
fn too_many_sockets() {
    use ww_sim::network::traffic::{Arrivals, Flows, Pairs, Transport};
    let mut network = pair(MILLISECOND);
    let small = Settings { send_buffer: 2_048, receive_buffer: 2_048, ..Settings::default() };
    network.traffic.push(traffic(
        "many",
        Kind::Flows(Flows {
            pairs: Pairs::Listed(vec![(0, 1); 1_500]),
            arrivals: Arrivals::Once,
            sizes: std::sync::Arc::new(ww_sim::workload::sizes::Sizes::Fixed(1_000)),
            transport: Transport::Stack(small),
        }),
        MILLISECOND,
    ));
    let (_, kept) = run(network, Parts::default(), 1, Wishes::default(), 8_000 * MILLISECOND);
    let ended = kept.flows.iter().filter(|flow| flow.end.is_some()).count();
    assert_eq!((kept.flows.len(), ended), (1_500, 1_024));
}

fn refusal(network: Network) -> String {
    match Simulation::new(network, Parts::default(), 1, Wishes::default()) {
        Ok(_) => String::new(),
        Err(error) => error.0,
    }
}

fn attached(change: impl Fn(&mut ww_sim::network::Host)) -> Network {
    let mut network = pair(0);
    let NodeKind::Host(host) = &mut network.nodes[0].kind else { panic!("a host") };
    change(host);
    network
}

/// What cannot work is refused with a sentence.
#[test]
fn refused() {
    let long =
        |bytes| Stream { from: 0, to: 1, bytes, pattern: Pattern::Constant { rate: 1_000_000 } };
    let with = |traffic: Traffic, network: Network| {
        let mut network = network;
        network.traffic.push(traffic);
        refusal(network)
    };
    let file = || traffic("file", transfer(0, 1, 1, Settings::default()), MILLISECOND);
    let ping = |bytes| {
        let ping = Ping { from: 0, to: 1, bytes, period: MILLISECOND };
        traffic("ping", Kind::Ping(ping), MILLISECOND)
    };
    assert_eq!(with(file(), pair(0)), "");
    assert_eq!(with(ping(1_472), pair(0)), "");
    assert_eq!(with(traffic("s", Kind::Stream(long(1_514)), MILLISECOND), pair(0)), "");
    let mut dscp = file();
    dscp.class = 10;
    let half = || attached(|host| host.stack = None);
    let none = || {
        let mut network = pair(0);
        for node in &mut network.nodes {
            let NodeKind::Host(host) = &mut node.kind else { continue };
            host.stack = None;
        }
        network
    };
    let router = |ip: [u8; 4]| {
        attached(move |host| {
            let router = Some(Ipv4Addr::from(ip));
            host.stack = Some(Attachment { prefix: 24, router, mtu: 1_500 });
        })
    };
    let cases = [
        (with(file(), half()), "'h1' has a stack and 'h0' has none"),
        (with(ping(56), none()), "no echoes"),
        (with(file(), none()), "no TCP of that kind"),
        (with(ping(1_473), pair(0)), "1501 bytes"),
        (with(traffic("s", Kind::Stream(long(1_515)), MILLISECOND), pair(0)), "1501 bytes"),
        (with(dscp, pair(0)), "DSCP"),
        (
            refusal(attached(|host| host.stack = Some(Attachment { prefix: 33, ..ATTACHED }))),
            "33 bits",
        ),
        (
            refusal(attached(|host| host.stack = Some(Attachment { mtu: 100, ..ATTACHED }))),
            "MTU of 100",
        ),
        (refusal(router([10, 0, 1, 1])), "not another host of its network 10.0.0.1/24"),
        (refusal(router([10, 0, 0, 1])), "not another host"),
        (refusal(router([224, 0, 0, 1])), "not the address of one host"),
        (refusal(attached(|host| host.mac = [1, 0, 0, 0, 0, 0])), "not that of one host"),
        (refusal(attached(|host| host.ip = Ipv4Addr::BROADCAST)), "not the address of one host"),
    ];
    for (found, expected) in cases {
        assert!(found.contains(expected), "{found:?} {expected}");
    }
}
