//! What a packet says of its delay, against what is worked out by hand.

use super::*;
use crate::network::run;
use ww_sim::measure::Wishes;
use ww_sim::topology::Builder;
use ww_tpp::frame::strip;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp_apps::paths::{DISCOVER, Delay, breakdown, hops};

/// Three switches in a row with links of 100 Mb/s, and a link of 1 Gb/s to the first. Four packets of 1,000 bytes and one
/// of 1,000 with a TPP of 92 come right behind each other.
///
/// With 24 bytes more on the line each of the four takes 8.192 us on the first link and 81.92 us on the others; the fifth
/// 8.928 us and 89.28 us; each link is 1 us long. At the first switch the first one is there after 9.192 us, the fifth
/// after 4 * 8.192 + 8.928 + 1 = 42.696 us, when three wait. They have left after 9.192 + 4 * 81.92 = 336.872 us, and the
/// fifth is at the second switch 90.28 us later: 384.456 us after it was at the first one. There nobody waits.
#[test]
fn delays_by_hand() {
    let mut builder = Builder::default();
    let switches: Vec<NodeId> = (0..3).map(|n| builder.switch(format!("s{n}"), SWITCH)).collect();
    builder.hosts(1, switches[0], line(1_000_000_000));
    for pair in switches.windows(2) {
        builder.link(pair[0], pair[1], core());
    }
    builder.hosts(1, switches[2], core());
    let mut network = builder.finish();
    let mut parts = install(&mut network, 60_000, |config| config);
    let mut frames: Vec<(Time, Vec<u8>)> =
        (0..5).map(|n| (0, numbered(0, end(1, DATA), 1, n, 1000))).collect();
    frames[4].1 = with_tpp(frames[4].1.clone(), DISCOVER, 3);
    assert_eq!(frames[4].1.len(), 1092);
    let log = Log::default();
    let hosts: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
    parts.agents.insert(hosts[0], Script::boxed(0, frames, &log));
    parts.agents.insert(hosts[1], Script::boxed(1, Vec::new(), &log));
    run(network, parts, 1, Wishes::default(), 1_000_000_000);
    let log = log.lock().expect("whole");
    assert_eq!(log.len(), 5);
    let tpp = strip(&mut log[4].2.clone()).expect("a TPP");
    let tpp = Repr::parse(&Tpp::new(tpp).expect("a good TPP"));
    let words: Vec<u32> = tpp.words().collect();
    let found = hops(&words, tpp.hop);
    let path: Vec<(u32, u32, u32)> =
        found.iter().map(|hop| (hop.switch, hop.input, hop.output)).collect();
    assert_eq!(path, [(1, 0, 1), (2, 0, 1), (3, 0, 1)]);
    assert_eq!((found[0].clock, found[0].queued), (42_696, 3000));
    let delay = |to_next, queueing| Delay { to_next, queueing: Some(queueing) };
    let wanted = [delay(Some(384_456), 240_000), delay(Some(90_280), 0), delay(None, 0)];
    assert_eq!(breakdown(&found, |_| Some(RATE)), wanted);
}
