//! Drops of packets with TPPs are told to a collector.

use super::*;
use crate::network::run;
use std::collections::BTreeSet;
use ww_sim::measure::Wishes;
use ww_sim::topology::Builder;
use ww_tpp::frame::strip;
use ww_tpp::switch::drops::{Drop, Reason, Settings};

const COLLECTOR: u16 = 7001;
const PROGRAM: &str = "PUSH [Switch:SwitchID]\nPUSH [Queue:QueueOccupancy]\n";

/// Host 0 sends 60 packets of 1 kB at 1 Gb/s to host 1, behind a queue of 10 kB and a link of 100 Mb/s, and one to nobody;
/// host 2 collects. Without a limit each packet that does not come is told; with 5 at once, as many as it permits.
#[test]
fn what_does_not_arrive_is_told() {
    for (burst, told) in [(1000, None), (5, Some(5))] {
        let mut builder = Builder::default();
        let switch = builder.switch("s0", SWITCH);
        builder.hosts(1, switch, line(1_000_000_000));
        builder.hosts(2, switch, core());
        let mut network = builder.finish();
        let own = End { mac: [2, 9, 9, 9, 9, 9], ip: [10, 9, 9, 9].into(), port: COLLECTOR };
        let drops = Settings { own, collector: end(2, COLLECTOR), rate: 1, burst };
        let mut parts = install(&mut network, 10_000, |c| Config { drops: Some(drops), ..c });
        let nobody = End { ip: [10, 8, 8, 8].into(), ..end(1, DATA) };
        let make = |to, n| (n, with_tpp(numbered(0, to, 1, n, 1000), PROGRAM, 2));
        let mut frames: Vec<(Time, Vec<u8>)> = (1..=60).map(|n| make(end(1, DATA), n)).collect();
        frames.push(make(nobody, 61));
        let log = Log::default();
        let hosts: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
        parts.agents.insert(hosts[0], Script::boxed(0, frames, &log));
        for n in [1, 2] {
            parts.agents.insert(hosts[n as usize], Script::boxed(n, Vec::new(), &log));
        }
        run(network, parts, 1, Wishes::default(), 1_000_000_000_000);
        let log = log.lock().expect("whole");
        let inner = |frame: &[u8]| {
            let mut frame = frame.to_vec();
            strip(&mut frame).expect("a TPP");
            frame
        };
        let at = |host: u32| log.iter().filter(move |(to, ..)| *to == host);
        let came: BTreeSet<u64> = at(1).map(|(.., frame)| number(&inner(frame))).collect();
        let lost: BTreeSet<u64> = (1..=61).filter(|number| !came.contains(number)).collect();
        assert!(lost.len() > 30 && came.len() > 9, "{came:?}");
        let reports: Vec<Drop> = at(2)
            .map(|(.., frame)| data(frame, COLLECTOR).and_then(Drop::parse).expect("a report"))
            .collect();
        // 8 bytes behind 28 of IPv4 and UDP: of 64, so that the number is there.
        let number_of = |drop: &Drop| {
            let at = 14 + 12 + 8 + 16 + 28;
            u64::from_be_bytes(*drop.copy[at..].first_chunk().expect("eight bytes"))
        };
        let numbers: BTreeSet<u64> = reports.iter().map(number_of).collect();
        assert_eq!(numbers.len(), reports.len(), "each once");
        match told {
            None => assert_eq!(numbers, lost),
            Some(told) => assert!(numbers.is_subset(&lost) && numbers.len() == told),
        }
        for drop in &reports {
            assert_eq!((drop.switch, drop.length, drop.copy.len()), (1, 1036, 14 + 36 + 64));
            let (reason, port) = match number_of(drop) {
                61 => (Reason::NoRoute, None),
                _ => (Reason::QueueFull, Some(1)),
            };
            assert_eq!((drop.reason, drop.output_port), (reason, port));
            let tpp = drop.tpp().expect("a TPP");
            // What it has read before it was dropped: the queue had no room for it.
            let words: Vec<u32> = tpp.words().collect();
            match reason {
                Reason::NoRoute => assert_eq!((tpp.hop, words[0]), (0, 0)),
                _ => assert!(tpp.hop == 1 && words[0] == 1 && words[1] + 1036 > 10_000),
            }
        }
    }
}
