//! RCP* in a fluid network, with the registers of switches and CSTOREs of the golden model.

use std::collections::BTreeMap;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::execute::{Settings as Switch, execute};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::switch_memory::PlainMemory;
use ww_tpp_apps::rcp::{
    COLLECT, Change, Controller, Fairness, Settings, next_rate, samples, update,
};

const CAPACITY: f64 = 100e6;

/// A link as a fluid: bits flow in, and what is above the capacity waits.
struct Link {
    id: u32,
    memory: PlainMemory,
    queue: f64,
}

impl Link {
    fn new(id: u32) -> Self {
        Self { id, memory: PlainMemory::new(), queue: 0.0 }
    }

    fn show(&mut self, offered: f64) {
        let register = self.memory.get(address("Link:AppSpecific_0")).unwrap_or(0);
        self.memory = PlainMemory::new()
            .with("Link:ID", self.id)
            .with("Link:QueueSize", (self.queue / 8.0) as u32)
            .with("Link:RX-Utilization", ((offered / CAPACITY) * 32768.0).min(65535.0) as u32)
            .with("Link:AppSpecific_0", register);
    }
}

fn address(name: &str) -> u16 {
    ww_tpp::map::lookup(name).expect("a name")
}

fn carry(tpp: &Repr, links: &mut [Link], path: &[usize]) -> Repr {
    let mut bytes = tpp.emit();
    for link in path {
        let mut tpp = Tpp::new(bytes.as_mut_slice()).expect("a good TPP");
        execute(&mut tpp, &mut links[*link].memory, &Switch::default());
    }
    Repr::parse(&Tpp::new(bytes).expect("a good TPP"))
}

/// The paper's three flows: a over both links, b over the first, c over the second; all from 1 Mb/s. Rates after every
/// round-trip time of 20 ms.
fn run(settings: Settings, rounds: usize) -> Vec<[f64; 3]> {
    let paths: [&[usize]; 3] = [&[0, 1], &[0], &[1]];
    let mut links = [Link::new(1), Link::new(2)];
    let capacities: BTreeMap<u32, f64> = [(1, CAPACITY), (2, CAPACITY)].into();
    let mut flows = paths.map(|_| Controller::new(settings, capacities.clone(), 1e6));
    let collect =
        assemble(COLLECT, &Options { hops: Some(2), ..Options::default() }).expect("good");
    let mut history = Vec::new();
    for _ in 0..rounds {
        let rates = [0, 1, 2].map(|flow: usize| flows[flow].rate());
        let offered = [rates[0] + rates[1], rates[0] + rates[2]];
        for (link, offered) in links.iter_mut().zip(offered) {
            link.queue = (link.queue + (offered - CAPACITY) * settings.period).max(0.0);
            link.show(offered);
        }
        // All read before anybody writes, so that of the updates of a link one succeeds.
        let changes: Vec<Vec<Change>> = (0..3)
            .map(|flow| {
                let tpp = carry(&collect, &mut links, paths[flow]);
                flows[flow].collected(&samples(&tpp))
            })
            .collect();
        for (flow, changes) in changes.iter().enumerate() {
            carry(&update(changes, 1).expect("two hops"), &mut links, paths[flow]);
        }
        history.push(rates.map(|rate| rate / 1e6));
    }
    history
}

fn within(found: [f64; 3], wanted: [f64; 3], share: f64) -> bool {
    found.iter().zip(wanted).all(|(found, wanted)| (found / wanted - 1.0).abs() < share)
}

/// Acceptance check 18 of spec 003 in the fluid model, and its own figures: 50/50/50, 33.3/66.7/66.7, 41.4/58.6/58.6
/// Mb/s, within 5 % for good after 0.3 s, which are 15 round-trip times.
#[test]
fn shares_of_three_flows() {
    for (fairness, wanted) in [
        (Fairness::MaxMin, [50.0, 50.0, 50.0]),
        (Fairness::Alpha(1.0), [100.0 / 3.0, 200.0 / 3.0, 200.0 / 3.0]),
        (Fairness::Alpha(2.0), [41.42, 58.58, 58.58]),
    ] {
        let history = run(Settings { fairness, ..Settings::default() }, 200);
        let last = *history.last().expect("rounds");
        assert!(within(last, wanted, 0.002), "{fairness:?}: {last:?}");
        let settled = history.iter().rposition(|rates| !within(*rates, wanted, 0.05));
        assert!(settled.is_some_and(|round| round <= 18), "{fairness:?}: {settled:?}");
    }
}

/// Other gains of the specification arrive at the same place.
#[test]
fn other_gains() {
    for (load_gain, queue_gain, rounds) in [(0.4, 0.226, 200), (0.1, 1.0, 400)] {
        let history = run(Settings { load_gain, queue_gain, ..Settings::default() }, rounds);
        assert!(within(*history.last().expect("rounds"), [50.0; 3], 0.01), "{load_gain}");
    }
}

#[test]
fn the_law_and_its_bounds() {
    let settings = Settings::default();
    // At capacity without a queue nothing changes.
    assert_eq!(next_rate(40e6, 100e6, 100e6, 0.0, &settings), 40e6);
    // 1 - 0.5 * (50 - 100) / 100 = 1.25; a queue of 2 Mb takes 0.25 * 100 Mb/s.
    assert!((next_rate(40e6, 100e6, 50e6, 0.0, &settings) - 50e6).abs() < 1.0);
    assert!((next_rate(40e6, 100e6, 100e6, 2e6, &settings) - 30e6).abs() < 1.0);
    assert_eq!(next_rate(90e6, 100e6, 0.0, 0.0, &settings), 100e6);
    assert_eq!(next_rate(1e6, 100e6, 200e6, 1e9, &settings), settings.least);
    assert_eq!(Fairness::MaxMin.combine(&[3.0, 2.0]), 2.0);
    // A power that would underflow: a large alpha is the minimum.
    assert!((Fairness::Alpha(500.0).combine(&[1e8, 2e8]) / 1e8 - 1.0).abs() < 1e-9);
    assert!((Fairness::Alpha(1.0).combine(&[60e6, 30e6]) - 20e6).abs() < 1.0);
}

/// A link's register changes once for each reading: the second of two controllers that have read the same comes too
/// late, so that gains do not multiply (spec 003, 2.16).
#[test]
fn updates_of_what_has_changed_do_nothing() {
    let mut links = [Link::new(1)];
    links[0].show(0.0);
    let change = |old, new| [Change { link: 1, old, new }];
    for (old, new, is) in [(0, 1000, 1000), (0, 2000, 1000), (1000, 3000, 3000)] {
        carry(&update(&change(old, new), 1).expect("one hop"), &mut links, &[0]);
        assert_eq!(links[0].memory.get(address("Link:AppSpecific_0")), Some(is));
    }
    assert!(update(&[change(0, 1)[0]; 32], 1).is_none(), "32 hops of 8 bytes are 256");
}
