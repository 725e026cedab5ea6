//! Links of characters, and clocks that are kept together over them.
//!
//! spec: 000-p4fpga-sonic-dtp 2.3, 2.6, checks 8, 30

use crate::common;

use common::{Kept, MICROSECOND, MILLISECOND, run, traffic};
use std::collections::BTreeMap;
use ww_clocks::keeper::Keeper;
use ww_clocks::ptp::{master::Master, slave};
use ww_clocks::servo::Stamps;
use ww_dtp::port::Config;
use ww_sim::clock::Clock;
use ww_sim::line::Limits;
use ww_sim::measure::Wishes;
use ww_sim::network::clocks::{Dtp, Kept as Seen};
use ww_sim::network::traffic::{Kind, Pattern, Stream};
use ww_sim::network::{Change, Direction, LinkChange, Network, Phy, Switch};
use ww_sim::nodes::dtp::DtpReport;
use ww_sim::nodes::keepers::KeptReport;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology;

/// Hosts 1 to 3 at switch 0, with 10 m of cable.
fn star(latency: u64) -> Network {
    let edge = Direction {
        rate: Phy::TEN_GIGABIT,
        delay: 50_000,
        jitter: 0,
        overhead: 24,
        limits: Limits { bytes: 300_000, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::TenGigabit,
    };
    topology::star(3, Switch { routes: false, latency }, edge)
}

fn stream(from: u32, to: u32, bytes: u32, rate: u64) -> Kind {
    Kind::Stream(Stream { from, to, bytes, pattern: Pattern::Constant { rate } })
}

fn dtp(pairs: Vec<[u32; 2]>) -> Option<Dtp> {
    Some(Dtp { config: Config::new(200), pairs, errors_one_in: 0 })
}

/// A frame of 1,514 bytes and its FCS: 8 + 1,518 characters for each of two links, 36 ticks of transceivers, 50 ns of cable; and up to a
/// column, 3.2 ns, until the next one begins, at each.
#[test]
fn a_frame_takes_its_characters() {
    let mut network = star(0);
    network.traffic.push(traffic("one", stream(1, 2, 1514, 1_000_000_000), 10 * MICROSECOND));
    let wishes = Wishes { packets: true, ..Wishes::default() };
    let (_, kept) = run(network, Parts::default(), 1, wishes, MILLISECOND);
    let first = kept.deliveries.first().expect("it arrived");
    let least = 2 * ((8 + 1518) * 800 + 36 * 6400 + 50_000);
    let most = least + 2 * 3200 + 12 * 800;
    assert!((least..=most).contains(&(first.at - first.sent)), "{} ps", first.at - first.sent);
}

/// Check 8: frames of 64 bytes in a row, however many more are offered.
#[test]
fn a_full_line_is_as_fast_as_its_oscillator() {
    let mut delivered = Vec::new();
    for ppm in [-100, 0, 100] {
        let mut network = star(0);
        network.nodes[1].clock = Clock::new(0, ppm * 1000);
        // The switch can carry what comes.
        network.nodes[0].clock = Clock::new(0, 100_000);
        let sends = stream(1, 2, 60, 20_000_000_000);
        network.traffic.push(traffic("full", sends, 200 * MILLISECOND));
        let (simulation, _) =
            run(network, Parts::default(), 1, Wishes::default(), 100 * MILLISECOND);
        delivered.push(simulation.sums()[0].delivered as f64);
    }
    // 14,880,952.4 a second (check 8), in 100 ms.
    for (frames, ppm) in delivered.iter().zip([-100.0, 0.0, 100.0]) {
        let expected = 1_488_095.24 * (1.0 + ppm * 1e-6);
        // Some are on the way at the end.
        assert!((expected - frames).abs() < 20.0, "{ppm} ppm: {frames}, expected {expected}");
    }
}

fn loaded() -> Network {
    let mut network = star(500_000);
    network.clocks.spread = 100_000;
    let times = 3 * MILLISECOND;
    network.traffic.push(traffic("first", stream(1, 2, 1510, 9_000_000_000), times));
    network.traffic.push(traffic("second", stream(2, 3, 60, 4_000_000_000), times));
    network.traffic.push(traffic("third", stream(3, 1, 9000, 12_000_000_000), times));
    network
}

fn run_loaded(network: Network) -> (Simulation, Kept) {
    let wishes = Wishes { packets: true, warmup: MILLISECOND, ..Wishes::default() };
    run(network, Parts::default(), 3, wishes, 4 * MILLISECOND)
}

fn dtp_report(simulation: &mut Simulation) -> DtpReport {
    simulation.inspect().take().pop().expect("clocks are synchronised")
}

/// Check 30: packets are the same to the picosecond with clock synchronisation and without.
#[test]
fn dtp_does_not_change_packets() {
    let (_, without) = run_loaded(loaded());
    let mut network = loaded();
    network.clocks.dtp = dtp(vec![[1, 0], [1, 2]]);
    let (mut simulation, with) = run_loaded(network);
    assert!(without.deliveries.len() > 3000);
    assert_eq!(with, without);
    let report = dtp_report(&mut simulation);
    assert!(report.counts.beacons > 5_000, "{report:?}");
    assert_eq!((report.counts.out_of_range, report.faulty), (0, 0));
    assert!(report.pairs[0].offsets.largest() <= 5 && report.pairs[1].offsets.largest() <= 9);
    // 3 ms are 468,750 ticks: a tick is 2.1 ppm.
    assert!((report.rate_ppm - report.fastest_ppm).abs() < 5.0, "{report:?}");
}

/// A link that is down keeps nobody together; one that comes back does.
#[test]
fn dtp_resynchronises_after_link_failure() {
    let offsets = |up: bool| {
        let mut network = star(0);
        network.nodes[0].clock = Clock::new(0, 100_000);
        network.nodes[1].clock = Clock::new(0, -100_000);
        network.clocks.dtp = dtp(vec![[0, 1]]);
        let change = |at, what| Change { at, link: 0, what };
        network.changes.push(change(MICROSECOND * 500, LinkChange::Down));
        if up {
            network.changes.push(change(MICROSECOND * 3900, LinkChange::Up));
        }
        let wishes = Wishes { warmup: 4 * MILLISECOND, ..Wishes::default() };
        let (mut simulation, _) = run(network, Parts::default(), 1, wishes, 5 * MILLISECOND);
        dtp_report(&mut simulation).pairs[0].offsets.largest()
    };
    assert!(offsets(true) <= 5);
    // 200 ppm of 3.5 ms, 546,875 ticks, are 109.
    assert!(offsets(false) > 100);
}

#[test]
fn dtp_pair_without_phy_is_refused() {
    let mut network = star(0);
    for direction in network.links.iter_mut().flat_map(|link| &mut link.directions) {
        direction.phy = Phy::Bytes;
    }
    network.clocks.dtp = dtp(vec![[0, 1]]);
    let wrong = Simulation::new(network, Parts::default(), 1, Wishes::default());
    assert_eq!(
        wrong.map(|_| ()).map_err(|error| error.0),
        Err("node 0 has no link of 10GBASE-R".into())
    );
}

/// Hosts 2 and 3 follow host 1. Gives the largest offset of 2 after 1.5 s, ns.
fn ptp(latency: u64, transparent: bool, load: bool) -> f64 {
    let mut network = star(latency);
    network.clocks.spread = 50_000;
    network.clocks.kept = Some(Seen {
        reference: 1,
        stamps: Stamps::Hardware,
        resolution: 0,
        interrupt: 0,
        transparent,
        wander: 0.0,
        every: MILLISECOND,
    });
    if load {
        // 1 and 3 fill half of the way to 2 with bursts, which the Syncs meet and the requests do not.
        let bursts =
            Pattern::OnOff { rate: 10_000_000_000, on: 100 * MICROSECOND, off: 100 * MICROSECOND };
        let kind = Kind::Stream(Stream { from: 3, to: 2, bytes: 1514, pattern: bursts });
        network.traffic.push(traffic("load", kind, 10_000 * MILLISECOND));
        let kind = stream(1, 2, 1514, 2_000_000_000);
        network.traffic.push(traffic("more", kind, 10_000 * MILLISECOND));
    }
    let address = |node| network.host(node).expect("a host").ip;
    let slave = |node: u32| {
        let settings = slave::Settings {
            clock: [node as u8; 8],
            domain: 0,
            master: address(1),
            sync_interval: 1.0 / 128.0,
            delay_interval: 1.0 / 128.0,
            stamps: Stamps::Hardware,
            free_running: false,
        };
        Box::new(slave::Slave::new(settings)) as Box<dyn Keeper>
    };
    let master = Master::new([9; 8], 0, vec![address(2), address(3)], 1.0 / 128.0);
    let mut keepers = BTreeMap::from([(2, slave(2)), (3, slave(3))]);
    keepers.insert(1, Box::new(master));
    let parts = Parts { keepers, ..Parts::default() };
    let wishes = Wishes { warmup: 1500 * MILLISECOND, ..Wishes::default() };
    let (mut simulation, _) = run(network, parts, 5, wishes, 2000 * MILLISECOND);
    let reports: Vec<KeptReport> = simulation.inspect().take();
    assert_eq!(reports.len(), 2, "the reference is left out");
    let largest = reports[0].offsets.range().expect("compared").1;
    largest as f64 / 1000.0
}

/// Symmetric and idle, a slave comes to within a column of characters; behind a queue it does not, unless the switch says how long that
/// was: then what is left is the 50 ppm of the switch's oscillator.
#[test]
fn ptp_and_queues() {
    let idle = ptp(500_000, false, false);
    assert!(idle < 20.0, "{idle} ns");
    let queued = ptp(500_000, false, true);
    let corrected = ptp(500_000, true, true);
    assert!(queued > 5_000.0, "{queued} ns");
    assert!(corrected < 100.0, "{corrected} ns");
}
