//! The shim of a host, frame by frame.

use ww_host::registry::Registry;
use ww_host::shim::{Received, Rule, RuleId, Sent, Shim};
use ww_packet::ipv4;
use ww_packet::protocol::ethertype;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::frame::{insert, insert_standalone};
use ww_tpp::header::flag;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::protection::Protection;

const JUMBO: usize = 9000;

/// A UDP datagram in a frame, to a port, with so many bytes of data.
fn datagram(ports: [u16; 2], bytes: usize) -> Vec<u8> {
    let length = (8 + bytes) as u16;
    let header = ipv4::Repr {
        source: [10, 0, 0, 1].into(),
        destination: [10, 0, 0, 2].into(),
        protocol: 17,
        ttl: 64,
        dscp: 0,
        ecn: 0,
        identification: 0,
        dont_fragment: true,
        payload_length: length,
    };
    let mut frame = vec![2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1];
    frame.extend(ethertype::IPV4.to_be_bytes());
    frame.extend(header.emit());
    frame.extend(ports.iter().flat_map(|port| port.to_be_bytes()));
    frame.extend(length.to_be_bytes());
    frame.extend([0, 0]);
    frame.resize(frame.len() + bytes, 0x5a);
    frame
}

fn tpp(program: &str) -> Vec<u8> {
    let options = Options { hops: Some(5), ..Options::default() };
    assemble(program, &options).expect("a good program").emit()
}

fn rule(filter: &str, program: &str, every: u32, priority: i32) -> Rule {
    let filter = filter.parse().expect("a good filter");
    Rule { filter, tpp: tpp(program), every, priority }
}

/// A shim for an application with tag 1 that may read all of the switch.
fn shim(mtu: usize) -> Shim {
    let mut registry = Registry::new();
    let id = registry.register("one").expect("registered");
    registry.grant(id, false, 0, 0x0fff).expect("granted");
    Shim::new(mtu, registry.protection(), 3)
}

#[test]
fn what_goes_in_comes_out() {
    let mut shim = shim(JUMBO);
    let id = shim.add(rule("-p udp --dport 5000", "PUSH [Switch:ID]", 1, 0));
    let plain = datagram([1, 5000], 100);
    let mut frame = plain.clone();
    assert_eq!(shim.transmit(&mut frame), Sent::Stamped(id));
    assert_eq!(frame.len(), plain.len() + 12 + 4 + 5 * 4);
    let Received::Stripped(taken) = shim.receive(&mut frame) else { panic!("no TPP") };
    assert_eq!((frame, taken), (plain, tpp("PUSH [Switch:ID]")));
    for mut other in [datagram([1, 5001], 100), vec![0xff; 60], Vec::new()] {
        let before = other.clone();
        assert_eq!(shim.transmit(&mut other), Sent::Plain);
        assert_eq!(shim.receive(&mut other), Received::Plain);
        assert_eq!(other, before);
    }
    assert!(shim.remove(id) && !shim.remove(id));
    assert_eq!(shim.transmit(&mut datagram([1, 5000], 100)), Sent::Plain);
}

#[test]
fn priorities_decide_and_no_packet_has_two() {
    let mut shim = shim(JUMBO);
    let low = shim.add(rule("", "PUSH [Switch:Version]", 1, 0));
    let high = shim.add(rule("-p udp --dport 5000:5010", "PUSH [Switch:ID]", 1, 5));
    let same = shim.add(rule("-p udp", "PUSH [Switch:Clock]", 1, 5));
    for (port, wanted) in [(5005, high), (6000, same)] {
        let mut frame = datagram([1, port], 50);
        assert_eq!(shim.transmit(&mut frame), Sent::Stamped(wanted));
        // It has one now; the shim judges it as one that the stack made.
        assert_eq!(shim.transmit(&mut frame), Sent::Refused);
    }
    assert!(shim.remove(high) && shim.remove(same));
    assert_eq!(shim.transmit(&mut datagram([1, 5005], 50)), Sent::Stamped(low));
}

/// Acceptance check 26 of spec 003: one in ten of 10^6 packets; 3.3 standard deviations are 0.001.
#[test]
fn one_in_ten() {
    let mut shim = shim(JUMBO);
    shim.add(rule("-p udp", "PUSH [Switch:ID]", 10, 0));
    let plain = datagram([1, 5000], 8);
    let mut frame = Vec::new();
    for _ in 0..1_000_000 {
        frame.clone_from(&plain);
        shim.transmit(&mut frame);
    }
    let share = shim.counters().stamped as f64 / 1e6;
    assert!((share - 0.1).abs() < 0.001, "{share}");
}

/// The same check: of two applications at 1 % the second has what the first leaves, 0.99 %.
#[test]
fn a_sampling_miss_falls_through() {
    let mut shim = shim(JUMBO);
    let first = shim.add(rule("-p udp", "PUSH [Switch:ID]", 100, 1));
    let second = shim.add(rule("-p udp --dport 5000", "PUSH [Switch:Clock]", 100, 0));
    let never = shim.add(rule("-p udp", "PUSH [Switch:Clock]", 0, 9));
    let plain = datagram([1, 5000], 8);
    let (mut counts, mut frame) = ([0u32; 3], Vec::new());
    for _ in 0..1_000_000 {
        frame.clone_from(&plain);
        if let Sent::Stamped(id) = shim.transmit(&mut frame) {
            let place = [first, second, never].iter().position(|one| *one == id);
            counts[place.expect("one of them")] += 1;
        }
    }
    // 4 standard deviations of 10,000 are 400.
    assert!(counts[0].abs_diff(10_000) < 400 && counts[1].abs_diff(9_900) < 400, "{counts:?}");
    assert_eq!(counts[2], 0);
}

#[test]
fn packets_that_would_be_too_long_go_without() {
    let mut shim = shim(1500);
    let extra = tpp("PUSH [Switch:ID]").len();
    shim.add(rule("", "PUSH [Switch:ID]", 1, 0));
    let longest = 1500 - 20 - 8 - extra;
    assert!(matches!(shim.transmit(&mut datagram([1, 2], longest)), Sent::Stamped(_)));
    assert_eq!(shim.transmit(&mut datagram([1, 2], longest + 1)), Sent::Plain);
    let counters = shim.counters();
    assert_eq!((counters.stamped, counters.too_long), (1, 1));
}

/// Acceptance check 30: a stack sends no TPP that its host's applications may not.
#[test]
fn the_stack_is_policed() {
    let write = ".memory 9\nSTORE [Link:AppSpecific_0], [Packet:Word[0]]";
    let made = |program: &str, app: u8| {
        let tpp = Tpp::new(tpp(program)).expect("a TPP");
        let mut frame = datagram([1, 5000], 40);
        insert(&mut frame, &Repr { app_tag: app, ..Repr::parse(&tpp) }.emit()).expect("it fits");
        frame
    };
    let mut trusted = shim(JUMBO);
    assert_eq!(trusted.transmit(&mut made("PUSH [Switch:ID]", 1)), Sent::Plain);
    assert_eq!(trusted.transmit(&mut made("PUSH [Switch:ID]", 2)), Sent::Refused, "a spoofed tag");
    assert_eq!(trusted.transmit(&mut made(write, 1)), Sent::Refused);
    let mut broken = made("PUSH [Switch:ID]", 1);
    broken[22] ^= 1;
    assert_eq!(trusted.transmit(&mut broken), Sent::Refused, "malformed");
    let mut untrusted = Shim::new(JUMBO, Protection::new(&[]), 1);
    assert_eq!(untrusted.transmit(&mut made("PUSH [Switch:ID]", 1)), Sent::Refused);
    assert_eq!(trusted.counters().refused, 3);
}

/// Acceptance check 4, at the host: one echo, then the TPP is at home.
#[test]
fn datagrams_come_back_once() {
    let mut there = shim(JUMBO);
    let mut here = shim(JUMBO);
    let mut frame = datagram([5000, 0x6666], 0);
    insert_standalone(&mut frame, &tpp(".app 1\nPUSH [Switch:ID]")).expect("it fits");
    assert_eq!(here.transmit(&mut frame), Sent::Plain);
    assert_eq!(there.receive(&mut frame), Received::Echo);
    // What goes back is not judged as something new.
    assert_eq!(there.transmit(&mut frame.clone()), Sent::Plain);
    let Received::Returned { tpp, port } = here.receive(&mut frame) else { panic!("not returned") };
    assert_eq!(port, 5000);
    assert!(Tpp::new(tpp).expect("a TPP").flags() & flag::DONE != 0);
    assert_eq!((there.counters().echoed, here.counters().returned), (1, 1));
    // Nobody echoes an echo.
    assert!(!matches!(there.receive(&mut frame), Received::Echo));
}

#[test]
fn many_rules_at_once_are_the_same_as_one_after_the_other() {
    let rules: Vec<Rule> = (0..200)
        .map(|n| rule(&format!("-p udp --dport {}:{}", n, n + n % 7), "PUSH [Switch:ID]", 1, n % 5))
        .collect();
    let (mut one, mut all) = (shim(JUMBO), shim(JUMBO));
    let ids: Vec<RuleId> = rules.iter().cloned().map(|rule| one.add(rule)).collect();
    assert_eq!(all.add_all(rules), ids);
    for port in 0..210 {
        let mut frame = datagram([1, port], 10);
        assert_eq!(one.transmit(&mut frame.clone()), all.transmit(&mut frame), "{port}");
    }
}
