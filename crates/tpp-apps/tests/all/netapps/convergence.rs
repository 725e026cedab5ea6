//! A link fails, switches notice it later: what packets say of it.

use super::*;
use crate::network::{MILLISECOND, run};
use ww_sim::measure::Wishes;
use ww_sim::network::{Change, LinkChange};
use ww_sim::topology::leaf_spine;
use ww_tpp::frame::strip;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp_apps::convergence::{Arrival, COLLECT, change, suspects};

const DOWN: Time = 50 * MILLISECOND;
const REROUTE: Time = 20 * MILLISECOND;
const FLOWS: u16 = 8;

/// Three leaves (1 to 3), two spines (4, 5), a host at each leaf. Host 0 sends 8 flows to each of the others, a packet a
/// millisecond; at 50 ms the link of leaf 1 with a spine fails, and at 70 ms switches know.
#[test]
fn flows_leave_the_link_when_switches_notice() {
    let mut network = leaf_spine((3, 2, 1), SWITCH, core(), core());
    let failed = network
        .links
        .iter()
        .position(|link| link.ends.map(|end| end.node) == [0, 3])
        .expect("the link of leaf 1 and spine 4");
    network.routing.reroute = REROUTE;
    network.changes = vec![Change { at: DOWN, link: failed as u32, what: LinkChange::Down }];
    let mut parts = install(&mut network, 60_000, |config| config);
    let mut frames = Vec::new();
    for n in 0..100u64 {
        for to in [1, 2] {
            for flow in 0..FLOWS {
                let frame = numbered(0, end(to, DATA), 100 + flow, n, 100);
                let at = n * MILLISECOND + Time::from(flow) * 10 * MICROSECOND;
                frames.push((at, with_tpp(frame, COLLECT, 4)));
            }
        }
    }
    frames.sort_by_key(|(at, _)| *at);
    let log = Log::default();
    let hosts: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
    parts.agents.insert(hosts[0], Script::boxed(0, frames, &log));
    for n in [1, 2] {
        parts.agents.insert(hosts[n as usize], Script::boxed(n, Vec::new(), &log));
    }
    run(network, parts, 1, Wishes::default(), 200 * MILLISECOND);
    let mut flows: BTreeMap<(u32, u16), Vec<Arrival>> = BTreeMap::new();
    for (host, at, frame) in log.lock().expect("whole").iter() {
        let mut frame = frame.clone();
        let tpp = Repr::parse(&Tpp::new(strip(&mut frame).expect("a TPP")).expect("a good TPP"));
        let path = tpp.words().take(tpp.hop.into()).collect();
        let port = u16::from_be_bytes([frame[34], frame[35]]);
        let arrival = Arrival { sequence: number(&frame), at: *at, path };
        flows.entry((*host, port)).or_default().push(arrival);
    }
    assert_eq!(flows.len(), 2 * usize::from(FLOWS));
    let (mut broken, mut working) = (Vec::new(), Vec::new());
    for ((host, _), arrivals) in &flows {
        let Some(change) = change(arrivals) else {
            working.push(arrivals[0].path.clone());
            assert_eq!(arrivals.len(), 100);
            continue;
        };
        assert_eq!(
            (&change.old[..], &change.new[..]),
            (&[1, 4, host + 1][..], &[1, 5, host + 1][..])
        );
        // Those of 50 to 69 ms; the one of 70 ms comes within a millisecond.
        let outage = change.outage.expect("packets were lost");
        assert!(
            (19..=21).contains(&outage.packets) && change.missing == outage.packets,
            "{change:?}"
        );
        assert!((49..=51).contains(&outage.first));
        let after = |at: Time| (at - DOWN - REROUTE) < 2 * MILLISECOND;
        assert!(after(change.left) && change.left == change.settled, "{change:?}");
        assert!(change.loops.is_empty() && change.mixed.is_empty());
        broken.push(change.old);
    }
    assert!(broken.len() > 2 && working.len() > 2);
    assert_eq!(suspects(&broken, &working), [(1, 4)].into());
}
