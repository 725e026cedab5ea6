//! One TPP changes all switches of a path in the time that it takes to its end.

use super::*;
use crate::network::run;
use ww_sim::measure::Wishes;
use ww_sim::topology::Builder;
use ww_tpp::frame::strip;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp_apps::update::{Change, Outcome, outcomes, program};

/// Four switches in a row, hosts 0 and 1 at the ends. Nobody knows 10.9.0.0/16; the TPP leads it to host 1, and the packet
/// right behind the TPP comes there.
#[test]
fn half_a_round_trip_for_all_switches() {
    let mut builder = Builder::default();
    let switches: Vec<NodeId> = (0..4).map(|n| builder.switch(format!("s{n}"), SWITCH)).collect();
    builder.hosts(1, switches[0], core());
    for pair in switches.windows(2) {
        builder.link(pair[0], pair[1], core());
    }
    builder.hosts(1, switches[3], core());
    let mut network = builder.finish();
    let mut parts = install(&mut network, 60_000, |config| Config { routes: Some(1), ..config });
    // Port 0 of a switch leads back, port 1 on.
    let change = Change { old: 0, address: 0x0a09_0000, mask: 0xffff_0000, port: 1 };
    let changes = [change; 4];
    let update = program(1, 0, &changes, 1).expect("a TPP").emit();
    let unknown = End { ip: "10.9.1.2".parse().expect("an address"), ..end(1, DATA) };
    let mut carrier = numbered(0, end(1, DATA), 1, 100, 200);
    insert(&mut carrier, &update).expect("it fits");
    let length = carrier.len() as u64;
    let begin = 1_000_000_000;
    let frames = vec![
        (begin, numbered(0, unknown, 1, 1, 200)),
        (begin, carrier),
        (begin, numbered(0, unknown, 1, 2, 200)),
    ];
    let log = Log::default();
    let hosts: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
    parts.agents.insert(hosts[0], Script::boxed(0, frames, &log));
    parts.agents.insert(hosts[1], Script::boxed(1, Vec::new(), &log));
    run(network, parts, 1, Wishes::default(), 2 * begin);
    let log = log.lock().expect("whole");
    let numbers: Vec<u64> = log
        .iter()
        .map(|(_, _, frame)| {
            let mut frame = frame.clone();
            strip(&mut frame);
            number(&frame)
        })
        .collect();
    assert_eq!(numbers, [100, 2], "the packet before it was dropped, the one behind arrives");
    // One frame in front of it on the first link; five links of 100 Mb/s, 80 ns a byte, and 1 us each.
    let on_line = |bytes: u64| (bytes + 24) * 80_000;
    let half = on_line(200) + 5 * (on_line(length) + 1_000_000);
    assert_eq!(log[0].1 - begin, half);
    assert_eq!(log[1].1 - log[0].1, on_line(200), "right behind");
    let tpp = strip(&mut log[0].2.clone()).expect("a TPP");
    let tpp = Repr::parse(&Tpp::new(tpp).expect("a good TPP"));
    assert_eq!(outcomes(&tpp, &changes), [Outcome::Done; 4]);
}
