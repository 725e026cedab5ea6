//! The fabric in the place of a switch.

use ww_fabric::configuration::{Options, Rules};
use ww_fabric::node::{FabricNode, FabricReport, Source, cells_of};
use ww_fabric::relay;
use ww_fabric::schedule::Order;
use ww_sim::line::Limits;
use ww_sim::measure::{Delivery, Observer, Wishes};
use ww_sim::network::traffic::{Kind, Pattern, Stream, Traffic};
use ww_sim::network::{Direction, Network, Phy, Switch};
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology;

/// A slot: 64 bytes at 10 Gb/s and 25.6 ns for the circuits to change.
const SLOT: u64 = 76_800;
const RATE: u64 = 10_000_000_000;
const DELAY: u64 = 100_000;

/// Keeps what is delivered.
#[derive(Default)]
struct Kept(Vec<Delivery>);

impl Observer for Kept {
    fn delivered(&mut self, delivery: &Delivery) {
        self.0.push(*delivery);
    }
}

/// Lines of hosts.
fn line() -> Direction {
    Direction {
        rate: RATE,
        delay: DELAY,
        jitter: 0,
        overhead: 24,
        limits: Limits { bytes: 1 << 20, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::Bytes,
    }
}

/// Hosts around a fabric with one channel, each sending to another: the bytes of its frames, and how.
fn run(
    hosts: u32,
    delay_slots: u64,
    source: Source,
    streams: &[(u32, u32, u32, Pattern)],
    until: u64,
) -> (Simulation, Vec<Delivery>, FabricReport) {
    let mut network: Network = topology::star(hosts, Switch::default(), line());
    for &(from, to, bytes, pattern) in streams {
        // The star's first node is its switch.
        let kind = Kind::Stream(Stream { from: from + 1, to: to + 1, bytes, pattern });
        let name = format!("{from} to {to}");
        network.traffic.push(Traffic { name, start: 0, stop: until / 2, class: 0, kind });
    }
    let options = Options {
        rules: Some(Rules::Relay(relay::Rules::Shoal)),
        hosts: Some(hosts as usize),
        order: Some(Order::Reordered),
        slot_ps: Some(SLOT),
        delay_ps: Some(delay_slots * SLOT),
        ..Options::default()
    };
    let fabric = FabricNode::new(&options.configuration().unwrap(), 0, source).unwrap();
    let mut parts = Parts::default();
    parts.nodes.insert(0, Box::new(fabric));
    let mut simulation =
        Simulation::new(network, parts, 1, Wishes { packets: true, ..Wishes::default() }).unwrap();
    let mut kept = Kept::default();
    simulation.run(until, &mut kept);
    let [report] = <[FabricReport; 1]>::try_from(simulation.inspect().take()).unwrap();
    (simulation, kept.0, report)
}

const LARGE: Source = Source { cells: 1 << 20, mark: None };

/// Two hosts have one slot in an epoch of two: reordered, the shift of half of the hosts has two slots, one for each host.
/// A frame that has come waits for the next slot; its cells leave in every second one, and the last arrives some slots
/// later. Then it has a line of its own to cross.
#[test]
fn a_frame_alone_takes_the_slots_of_its_cells() {
    for (bytes, cells) in [(60, 2), (111, 2), (112, 3), (1514, 28)] {
        assert_eq!(cells_of(bytes), cells);
        for delay in [1, 5] {
            let rate = u64::from(bytes) * 8 * 1000;
            let stream = (0, 1, bytes, Pattern::Constant { rate });
            let (_, delivered, report) = run(2, delay, LARGE, &[stream], 4_000_000_000);
            assert!(delivered.len() >= 2);
            let line = (u64::from(bytes) + 24) * 8 * 1_000_000_000_000 / RATE + DELAY;
            for delivery in delivered {
                let slot = (delivery.sent + line) / SLOT + 1;
                let in_fabric = 2 * (cells - 1) + delay;
                // The first of its slots is the next or the one behind it.
                let first = slot * SLOT + in_fabric * SLOT + line;
                let found = delivery.at;
                assert!(
                    found == first || found == first + SLOT,
                    "{bytes} bytes, delay {delay}: at {found}, expected {first} or a slot later"
                );
            }
            assert_eq!(report.source_cells_max, cells);
            assert_eq!(report.outcome.reorder_cells, 0);
        }
    }
}

/// Frames of random lengths from each host to two others at half of what the fabric carries: all arrive, those of a pair in
/// the order in which they were sent, although their cells do not.
#[test]
fn frames_of_a_pair_stay_in_order() {
    let hosts = 9;
    let pattern = Pattern::Exponential { rate: 800_000_000 };
    let streams: Vec<_> = (0..hosts)
        .flat_map(|from| [1, 4].map(|shift| (from, (from + shift) % hosts, 700, pattern)))
        .collect();
    let (simulation, delivered, report) = run(hosts, 6, LARGE, &streams, 2_000_000_000);
    let sent: u64 = simulation.sums().iter().map(|sums| sums.sent).sum();
    assert_eq!(simulation.drops().iter().sum::<u64>(), 0);
    assert_eq!(delivered.len() as u64, sent);
    assert!(sent > 2_000, "{sent} frames");
    let mut last = vec![0; streams.len()];
    for delivery in &delivered {
        let last = &mut last[delivery.traffic as usize];
        assert!(*last < delivery.sent, "{delivery:?} came after a later one");
        *last = delivery.sent;
    }
    assert!(report.outcome.reorder_cells > 0);
    assert_eq!(report.outcome.bound_violations, 0);
}

/// A source that is offered more than the fabric carries marks, and drops what it has no room for; no frame is lost
/// otherwise.
#[test]
fn a_full_source_marks_and_drops() {
    let source = Source { cells: 100, mark: Some(40) };
    let stream = (0, 1, 1514, Pattern::Constant { rate: 9_000_000_000 });
    let (simulation, delivered, report) = run(2, 1, source, &[stream], 200_000_000);
    let sums = &simulation.sums()[0];
    let [queue, others @ ..] = simulation.drops();
    assert!(queue > 10 && others.iter().sum::<u64>() == 0, "{:?}", simulation.drops());
    assert_eq!(sums.sent, delivered.len() as u64 + queue);
    assert!(report.source_cells_max <= 100 && report.source_cells_max > 100 - cells_of(1514));
    // The first frames find less than 40 cells; once the source has been full, none does.
    assert!(
        !delivered[0].marked && delivered[delivered.len() / 2..].iter().all(|found| found.marked)
    );
    // Of each two slots one carries a cell, for 100 us; then what waits is sent.
    let cells = 100_000_000 / (2 * SLOT);
    let frames = cells / cells_of(1514)..=(cells + 100) / cells_of(1514);
    assert!(frames.contains(&(delivered.len() as u64)), "{} of {frames:?}", delivered.len());
}

#[test]
fn other_rules_do_not_get_cells_while_they_run() {
    let options = Options { rules: Some(Rules::Published), hosts: Some(8), ..Options::default() };
    let error = FabricNode::new(&options.configuration().unwrap(), 0, LARGE).unwrap_err().0;
    assert!(error.contains("--rules basic|literal|consistent|shoal"), "{error}");
    assert!(error.contains("found published"), "{error}");
}

#[test]
fn a_fabric_needs_a_link_to_each_host() {
    let network = topology::star(7, Switch::default(), line());
    let options = Options {
        rules: Some(Rules::Relay(relay::Rules::Shoal)),
        hosts: Some(8),
        ..Options::default()
    };
    let fabric = FabricNode::new(&options.configuration().unwrap(), 0, LARGE).unwrap();
    let mut parts = Parts::default();
    parts.nodes.insert(0, Box::new(fabric));
    let error = Simulation::new(network, parts, 1, Wishes::default()).unwrap_err().0;
    assert_eq!(error, "s0 is a fabric of 8 hosts, and there is none at port 7");
}
