//! The matchings that switches hold.

use super::settings;
use ww_fabric::flows::Flow;
use ww_fabric::rotors::{Rules, Settings, report};

/// How often each pair meets in all places of all switches; every table must be a partial permutation without i->i.
fn meetings(settings: &Settings, flows: &[Flow]) -> Vec<u32> {
    let hosts = settings.hosts;
    let (switches, _) = settings.network(flows).unwrap();
    let mut met = vec![0; hosts * hosts];
    for switch in 0..switches.switches() {
        for place in 0..switches.places() {
            let mut received = vec![false; hosts];
            for host in 0..hosts {
                let Some(peer) = switches.peer(switch, place, host) else { continue };
                assert_ne!(host, peer);
                assert!(!std::mem::replace(&mut received[peer], true), "two senders to {peer}");
                met[host * hosts + peer] += 1;
            }
        }
    }
    met
}

#[test]
fn rotornet_and_opera_let_each_pair_meet_once() {
    for (rules, hosts, channels) in [
        (Rules::RotorNet, 9, 4),
        (Rules::RotorNet, 64, 7),
        (Rules::Opera, 16, 4),
        (Rules::Opera, 60, 5),
    ] {
        let met = meetings(&settings(rules, hosts, channels, 100, 5), &[]);
        for (pair, count) in met.into_iter().enumerate() {
            assert_eq!(count, u32::from(pair / hosts != pair % hosts), "{rules} {hosts}: {pair}");
        }
    }
}

/// What does not divide is held twice, nothing more often, and every pair meets.
#[test]
fn every_pair_meets_whatever_the_channels() {
    for rules in Rules::ALL {
        for channels in 3..7 {
            for hosts in 8..24 {
                let settings = settings(rules, hosts, channels, 100, 5);
                let met = meetings(&settings, &super::permutation(hosts, |i| (i + 1) % hosts));
                let others = (0..hosts * hosts).filter(|pair| pair / hosts != pair % hosts);
                assert!(
                    others.map(|pair| met[pair]).all(|count| count >= 1),
                    "{rules} {hosts} {channels}"
                );
            }
        }
    }
}

/// With three of four switches up, h hops reach at most 3 + 9 + ... + 3^h hosts: 511 others take six or more. An expander
/// needs not many more; fixed shifts would need dozens. From host 0, by a search of the test's own.
#[test]
fn large_operas_are_expanders() {
    let settings = settings(Rules::Opera, 512, 4, 4000, 400);
    let (switches, timing) = settings.network(&[]).unwrap();
    for slice in (0..512).step_by(37) {
        let mut reached = vec![false; 512];
        reached[0] = true;
        let mut hops = 0;
        while reached.contains(&false) {
            hops += 1;
            assert!(hops <= 10, "slice {slice}");
            for host in (0..512).filter(|&host| reached[host]).collect::<Vec<_>>() {
                for switch in (0..4).filter(|switch| slice % 4 != *switch) {
                    let place = timing.place(switch, slice as u64);
                    if let Some(peer) = switches.peer(switch, place, host) {
                        reached[peer] = true;
                    }
                }
            }
        }
    }
}

#[test]
fn a_report_has_matchings_and_the_clock() {
    let made = report(&settings(Rules::Opera, 12, 3, 90, 9), &[]).unwrap();
    assert_eq!(made["switches"].as_array().unwrap().len(), 3);
    assert_eq!(made["switches"][2][3].as_array().unwrap().len(), 12);
    assert_eq!(made["slices"].as_array().unwrap().len(), 12);
    assert_eq!((&made["slices"][7]["turns"], &made["staggered"]), (&1.into(), &true.into()));
    // Nine of 270 slots are dark.
    assert!((made["duty_cycle"].as_f64().unwrap() - 261.0 / 270.0).abs() < 1e-12);
    assert_eq!(made["cycle_slots"], 12 * 90);
    let made = report(&settings(Rules::RotorNet, 13, 3, 90, 9), &[]).unwrap();
    assert_eq!((&made["cycle_slots"], &made["slices"]), (&(4 * 90).into(), &().into()));
    assert_eq!(made["switches"][1][2][11], 6, "shift 8 is the third of switch 1");
}
