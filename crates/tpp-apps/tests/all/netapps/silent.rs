//! A line card that loses packets now and then while no switch counts a drop.

use super::*;
use crate::network::run;
use ww_sim::measure::{Cause, Wishes};
use ww_sim::network::{Change, LinkChange};
use ww_sim::topology::leaf_spine;
use ww_tpp::frame::strip;
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp_apps::silent::{COLLECT, Settings, Verdict, WORDS, Windows};

const SECOND: Time = 1_000_000_000_000;
const WINDOW: Time = 10 * SECOND;
/// From one packet of a flow to the next.
const GAP: Time = SECOND / 5;

/// Acceptance check 30 of spec 003: a link of twelve fails for the last 30 s of every 150 s. In each window of 10 s it is
/// found, and it alone; in all others nothing is. Of all drops that switches count there is none.
#[test]
fn the_faulty_link_is_found_and_no_other() {
    for loss in [0.2, 1.0] {
        let mut network = leaf_spine((4, 3, 2), SWITCH, core(), core());
        // Of leaf 2 and spine 1, nodes 1 and 5.
        let at = |link: &ww_sim::network::Link| link.ends.map(|end| end.node) == [1, 5];
        let faulty = network.links.iter().position(at).expect("a link") as u32;
        for period in 0..2 {
            for (second, what) in [(120, loss), (150, 0.0)] {
                let at = (150 * period + second) * SECOND;
                network.changes.push(Change { at, link: faulty, what: LinkChange::Loss(what) });
            }
        }
        // A link has an ID for each direction; what fails is both.
        let mut cables = BTreeMap::new();
        for (number, link) in (0u32..).zip(&network.links) {
            for end in link.ends {
                cables.insert((end.node + 1) << 8 | end.port, number);
            }
        }
        let mut parts = install(&mut network, 60_000, |config| config);
        let program = format!("{COLLECT}PUSH [Link:Drop-Packets]\n");
        let log = Log::default();
        let hosts: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
        let mut windows = Windows::new(WINDOW);
        let flow_of = |from: u64, to: u64, port: u64| from << 32 | to << 16 | port;
        for from in 0..8u32 {
            let mut frames = Vec::new();
            for to in (0..8u32).filter(|to| to / 2 != from / 2) {
                for port in 100..104u16 {
                    for n in 0..300 * SECOND / GAP {
                        // Not all at the same time.
                        let at = n * GAP
                            + Time::from(from * 97 + to * 11 + u32::from(port)) * 100 * MICROSECOND;
                        let frame = numbered(from, end(to, DATA), port, at, 80);
                        frames.push((at, with_tpp(frame, &program, 4)));
                        windows.sent(at, flow_of(from.into(), to.into(), port.into()));
                    }
                }
            }
            frames.sort_by_key(|(at, _)| *at);
            parts.agents.insert(hosts[from as usize], Script::boxed(from, frames, &log));
        }
        let (simulation, _) = run(network, parts, 1, Wishes::default(), 301 * SECOND);
        for (cause, count) in Cause::ALL.into_iter().zip(simulation.drops()) {
            assert_eq!(count > 0, cause == Cause::Loss, "{cause:?}: {count}");
        }
        for (to, _, frame) in log.lock().expect("whole").iter() {
            let mut frame = frame.clone();
            let tpp = strip(&mut frame).expect("a TPP");
            let tpp = Repr::parse(&Tpp::new(tpp).expect("a good TPP"));
            let words: Vec<u32> = tpp.words().collect();
            let hops = words.chunks_exact(WORDS + 1).take(tpp.hop.into());
            assert!(hops.clone().all(|hop| hop[WORDS] == 0), "no switch has counted a drop");
            let links = hops.map(|hop| (cables[&hop[0]], hop[1]));
            let from = u64::from(frame[29]) - 1;
            let port = u16::from_be_bytes([frame[34], frame[35]]);
            windows.received(number(&frame), flow_of(from, u64::from(*to), port.into()), links);
        }
        for window in 0..30 {
            let verdict = windows.verdict(window, &Settings::default());
            match verdict {
                Verdict::Link { link, loss: found } if window % 15 >= 12 => {
                    // A link's packets are about 900 in a window; three standard deviations of that.
                    assert_eq!(link, faulty);
                    assert!((found - loss).abs() < 0.06, "{window}: {found}");
                }
                verdict => {
                    assert!(window % 15 < 12 && verdict == Verdict::Clean, "{window}: {verdict:?}")
                }
            }
        }
    }
}
