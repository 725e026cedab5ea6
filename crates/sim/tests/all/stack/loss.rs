//! Frames that are lost on purpose.

use crate::common::{MICROSECOND, MILLISECOND, run, traffic};
use crate::stack::{Said, Wire, across, capturing, pattern, read, stream, transfer};
use std::collections::BTreeSet;
use ww_packet::tcp::flags;
use ww_sim::clock::Clock;
use ww_sim::measure::{FlowRecord, Wishes};
use ww_sim::network::{Change, LinkChange};
use ww_sim::pending::Time;
use ww_sim::stack::{Congestion, Settings};

const SECOND: Time = 1_000 * MILLISECOND;

/// What comes from the sender is numbered; those of these numbers are lost. What arrives, and how the flow ended.
fn losing(
    lost: &[usize],
    wanted: fn(&Said) -> bool,
    settings: Settings,
    clock: Clock,
) -> (Vec<(Time, Vec<u8>)>, FlowRecord) {
    let lost: BTreeSet<usize> = lost.iter().copied().collect();
    let mut number = 0;
    let wire = Wire(move |port, frame: &mut Vec<u8>| {
        if port != 0 || !wanted(&read(frame)) {
            return true;
        }
        number += 1;
        !lost.contains(&(number - 1))
    });
    let (mut network, parts) = across(MICROSECOND, wire);
    network.nodes[1].clock = clock;
    let kind = transfer(1, 2, 300_000, settings);
    network.traffic.push(traffic("file", kind, 20 * SECOND));
    // Link 0 is the first host's, link 1 the second's: what leaves the node between for it, and what the first sends.
    let (_, kept) = run(network, parts, 1, capturing(&[3]), 60 * SECOND);
    let [flow] = kept.flows[..] else { panic!("{:?}", kept.flows) };
    let arrived: Vec<Vec<u8>> = kept.frames.iter().map(|(.., frame)| frame.clone()).collect();
    let (bytes, _) = stream(arrived.iter().map(|frame| &frame[..]));
    assert!(bytes == pattern(300_000), "other bytes have come");
    let times = kept.frames.into_iter().map(|(_, at, frame)| (at, frame));
    (times.collect(), flow)
}

fn has_data(said: &Said) -> bool {
    matches!(said, Said::Tcp { data, .. } if !data.is_empty())
}

fn is_syn(said: &Said) -> bool {
    matches!(said, Said::Tcp { flags, .. } if flags & self::flags::SYN != 0)
}

/// One segment in the middle of many: three duplicate acknowledgements bring it again, long before the timer.
#[test]
fn one_segment() {
    for congestion in [Congestion::None, Congestion::Reno, Congestion::Cubic] {
        let settings = Settings { congestion, ..Settings::default() };
        let (_, flow) = losing(&[100], has_data, settings, Clock::exact());
        assert!(flow.end.is_some_and(|end| end < SECOND), "{congestion:?} {flow:?}");
        assert!(flow.retransmitted >= 1 && flow.timeouts == 0, "{congestion:?} {flow:?}");
    }
}

/// The last segment (of 300,000 bytes in 1,460s: number 205) has nothing behind it: the timer brings it, after 1 s at least
/// (RFC 6298, section 2.4).
#[test]
fn the_last_segment() {
    let settings = Settings::default();
    let (_, flow) = losing(&[205], has_data, settings, Clock::exact());
    assert!(flow.end.is_some_and(|end| end > SECOND && end < 2 * SECOND), "{flow:?}");
    assert_eq!((flow.retransmitted, flow.timeouts), (1, 1), "{flow:?}");
}

/// Many segments, some of them again and again.
#[test]
fn many_segments() {
    let lost: Vec<usize> = (20..600).filter(|number| number % 7 == 3 || number % 11 == 2).collect();
    let (_, flow) = losing(&lost, has_data, Settings::default(), Clock::exact());
    assert!(flow.end.is_some() && flow.received == 300_000, "{flow:?}");
    assert!(flow.retransmitted >= 40, "{flow:?}");
}

/// A lost SYN comes again after the initial timeout of 1 s (RFC 6298, section 2.1), to the microsecond, by the host's
/// own clock: one that is 1 % fast needs 1 s / 1.01.
#[test]
fn a_syn_by_the_clock_of_its_host() {
    for (clock, second) in
        [(Clock::exact(), SECOND), (Clock::new(0, 10_000_000), SECOND * 100 / 101)]
    {
        let (times, flow) = losing(&[0], is_syn, Settings::default(), clock);
        assert!(flow.end.is_some());
        let again = times.iter().find(|(_, frame)| is_syn(&read(frame))).expect("it comes").0;
        // ARP request and reply through the node between, and the SYN on its first link.
        let hop = |bytes: Time| (bytes + 24) * 8_000 + MICROSECOND;
        let first = 4 * hop(60) + hop(66);
        assert!(again.abs_diff(first + second) <= MICROSECOND, "{again} {first}");
    }
}

/// The ARP request is lost: smoltcp asks again after 1 s.
#[test]
fn an_arp_request() {
    let is_arp = |said: &Said| matches!(said, Said::Arp(1));
    let (_, flow) = losing(&[0], is_arp, Settings::default(), Clock::exact());
    assert!(
        flow.end.is_some_and(|end| end > SECOND && end < SECOND + 100 * MILLISECOND),
        "{flow:?}"
    );
}

/// The last acknowledgement, FINs and whatever else may be lost: at random, both ways.
#[test]
fn at_random() {
    for seed in 0..20 {
        let (mut network, parts) = across(MICROSECOND, Wire(|_, _: &mut Vec<u8>| true));
        for link in &mut network.links {
            for direction in &mut link.directions {
                direction.loss = 0.02;
            }
        }
        let kind = transfer(1, 2, 100_000, Settings::default());
        network.traffic.push(traffic("file", kind, SECOND));
        let (simulation, kept) = run(network, parts, seed, Wishes::default(), 600 * SECOND);
        let flow = kept.flows[0];
        assert!(flow.end.is_some() && flow.received == 100_000, "{seed}: {flow:?}");
        assert_eq!(simulation.sums()[0].wrong, 0);
        assert!(simulation.events() < 20_000, "{seed}: it spins: {}", simulation.events());
    }
}

/// The link is cut while the file is on its way, and comes back: nothing spins meanwhile, and the timer brings the rest.
#[test]
fn tcp_survives_a_link_outage() {
    let (mut network, parts) = across(MICROSECOND, Wire(|_, _: &mut Vec<u8>| true));
    for (at, what) in [(MILLISECOND, LinkChange::Down), (1_500 * MILLISECOND, LinkChange::Up)] {
        network.changes.push(Change { at, link: 0, what });
    }
    let kind = transfer(1, 2, 300_000, Settings { nagle: false, ..Settings::default() });
    network.traffic.push(traffic("file", kind, SECOND));
    let (simulation, kept) = run(network, parts, 1, Wishes::default(), 60 * SECOND);
    let [flow] = kept.flows[..] else { panic!("{:?}", kept.flows) };
    assert!(flow.end.is_some_and(|end| end > 1_500 * MILLISECOND && end < 10 * SECOND), "{flow:?}");
    assert!(flow.timeouts >= 1 && flow.received == 300_000, "{flow:?}");
    assert!(simulation.events() < 5_000, "{}", simulation.events());
}
