//! Tiny packet programs in a network: what packets read in switches against what captures of all links say of them.

use crate::common;

use common::{Kept, MILLISECOND, line, run, traffic};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use ww_host::agent::{Agent, Received};
use ww_host::registry::Registry;
use ww_host::shim::{self, Rule, Shim};
use ww_sched::policy_file::Plan;
use ww_sim::forwarder::tcpu::TppForwarder;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Transport};
use ww_sim::network::{Network, NodeId, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::dumbbell;
use ww_sim::workload::sizes::Sizes;
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::packet::Tpp;
use ww_tpp::switch::{Config, Tcpu};

const RATE: u64 = 100_000_000;
/// Of the hosts' links, so that no burst is lost on them.
const EDGE: u64 = RATE;
const MICRO_BURSTS: &str = ".word 16\n.hops 5\nPUSH [Switch:SwitchID]\n\
                            PUSH [PacketMetadata:OutputPort]\nPUSH [Queue:QueueOccupancy]";

const FIFO: &str = "rate = \"100 Mb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n\
                    [traffic.queue]\nbytes = 60_000\n";

/// TPPs that have reached a host: when, the frame without TPP, and the TPP.
type Log = Arc<Mutex<Vec<(Time, Vec<u8>, Vec<u8>)>>>;

/// A shim whose aggregator keeps everything.
struct Keeping {
    shim: Shim,
    log: Log,
}

impl Agent for Keeping {
    fn transmit(&mut self, _: Time, frame: &mut Vec<u8>) -> bool {
        self.shim.transmit(frame) != shim::Sent::Refused
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        match self.shim.receive(frame) {
            shim::Received::Stripped(tpp) => {
                self.log.lock().expect("whole").push((now, frame.clone(), tpp));
                Received::Deliver
            }
            shim::Received::Plain => Received::Deliver,
            shim::Received::Echo => Received::SendBack,
            shim::Received::Returned { .. } => Received::Taken,
        }
    }
}

/// Two switches with three hosts each. All send 10 kB to one another now and then: 375 times a second each, 30 % of
/// their links (spec 003, section 5).
fn network(tpps: bool) -> (Network, Parts, Log) {
    let switch = Switch { routes: false, latency: 0 };
    let mut network = dumbbell(3, 3, switch, line(EDGE), line(RATE));
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let flows = Flows {
        pairs: Pairs::AllToAll(hosts.clone()),
        arrivals: Arrivals::Poisson { rate: 6.0 * 375.0 },
        sizes: Arc::new(Sizes::Fixed(10_000)),
        transport: Transport::Udp { rate: RATE, bytes: 1400 },
    };
    network.traffic.push(traffic("messages", Kind::Flows(flows), 2000 * MILLISECOND));
    let log = Log::default();
    let mut parts = Parts::default();
    if !tpps {
        return (network, parts, log);
    }
    let mut registry = Registry::new();
    let id = registry.register("micro-bursts").expect("registered");
    for name in ["Switch:SwitchID", "PacketMetadata:OutputPort", "Queue:QueueOccupancy"] {
        let address = ww_tpp::map::lookup(name).expect("a name");
        registry.grant(id, false, address, address).expect("granted");
    }
    let bytes = assemble(MICRO_BURSTS, &Options::default()).expect("a good program").emit();
    let tpp = registry.authorise(id, &bytes).expect("it may");
    let plan = Plan::parse(FIFO).expect("a good policy");
    for (node, id) in [(0, 1), (1, 2)] {
        let config = Config { protection: Some(registry.protection()), ..Config::new(id) };
        let switch = (node, Tcpu::new(config, 0), plan.traffic_manager());
        TppForwarder::install(&mut network, &mut parts, 1, switch);
    }
    for host in hosts {
        let mut shim = Shim::new(1500, registry.protection(), host.into());
        let filter = "-p udp".parse().expect("a good filter");
        shim.add(Rule { filter, tpp: tpp.clone(), every: 1, priority: 0 });
        parts.agents.insert(host, Box::new(Keeping { shim, log: log.clone() }));
    }
    (network, parts, log)
}

/// A frame's own bytes, without its TPP; no two packets of the run have the same.
fn inner(frame: &[u8]) -> Vec<u8> {
    let mut frame = frame.to_vec();
    ww_tpp::frame::strip(&mut frame);
    frame
}

/// What was in the queue of a direction whenever a packet joined it, by the packet: reconstructed from the times at
/// which frames begin to be sent on the links into the switch and out of it.
struct Queues {
    /// By direction out of a switch: when each packet joined, and when it left.
    stays: HashMap<u32, Vec<(Time, Time, u32)>>,
    joined: HashMap<(u32, Vec<u8>), Time>,
}

impl Queues {
    fn of(network: &Network, kept: &Kept) -> Self {
        let (mut arrived, mut stays, mut joined) =
            (HashMap::new(), HashMap::<u32, Vec<_>>::new(), HashMap::new());
        let ends = |direction: u32| {
            let link = &network.links[direction as usize / 2];
            let (from, to) = (direction as usize % 2, 1 - direction as usize % 2);
            (link.ends[from].node, link.ends[to].node, &link.directions[from])
        };
        for (direction, at, frame) in &kept.frames {
            let (from, to, line) = ends(*direction);
            let bytes = frame.len() as u64 + 24;
            let whole = at + bytes * 8 * 1_000_000_000_000 / line.rate + line.delay;
            if from < 2 {
                let came = arrived[&(from, inner(frame))];
                stays.entry(*direction).or_default().push((came, *at, frame.len() as u32));
                joined.insert((*direction, inner(frame)), came);
            }
            arrived.insert((to, inner(frame)), whole);
        }
        Self { stays, joined }
    }

    /// Bytes in the queue when a packet joined; `None` if another one joined or left at the same instant.
    fn found(&self, direction: u32, packet: &[u8]) -> Option<u32> {
        let at = self.joined[&(direction, packet.to_vec())];
        let stays = &self.stays[&direction];
        // The packet itself is one of those that came at that time, and may have left at once.
        let came = stays.iter().filter(|(came, ..)| *came == at).count();
        let left = stays.iter().any(|(came, left, _)| *left == at && *came != at);
        if came > 1 || left {
            return None;
        }
        let there = stays.iter().filter(|(came, left, _)| *came < at && at < *left);
        Some(there.map(|(_, _, bytes)| bytes).sum())
    }
}

fn captured(network: &Network) -> Wishes {
    let captures = (0..2 * network.links.len() as u32).collect();
    Wishes { captures, ..Wishes::default() }
}

/// Acceptance check 17 of spec 003: each occupancy that a packet has read is what was in the queue at that instant;
/// one host sees all queues that lie on its packets' ways; much of the time queues are empty.
#[test]
fn tpps_read_queue_lengths() {
    let (network, parts, log) = network(true);
    let wishes = captured(&network);
    let (_, kept) = run(network.clone(), parts, 1, wishes, 2100 * MILLISECOND);
    let queues = Queues::of(&network, &kept);
    let direction = |switch: u32, port: u32| {
        let at = |(link, end): (usize, usize)| {
            let end_of = &network.links[link].ends[end];
            (end_of.node, end_of.port) == (switch, port)
        };
        let all = (0..network.links.len()).flat_map(|link| [(link, 0), (link, 1)]);
        let (link, end) = all.into_iter().find(|place| at(*place)).expect("a port with a link");
        2 * link as u32 + end as u32
    };
    let (mut compared, mut ties, mut empty) = (0, 0, HashMap::<(u32, u32), (u32, u32)>::new());
    for (_, frame, tpp) in log.lock().expect("whole").iter() {
        let tpp = Tpp::new(tpp.as_slice()).expect("a good TPP");
        let words: Vec<u32> = tpp.words().collect();
        assert!(tpp.hop() == 1 || tpp.hop() == 2);
        for hop in words.chunks(3).take(tpp.hop().into()) {
            let [id, port, occupancy] = hop else { panic!("three a hop") };
            let sums = empty.entry((*id, *port)).or_default();
            sums.0 += u32::from(*occupancy == 0);
            sums.1 += 1;
            match queues.found(direction(id - 1, *port), frame) {
                Some(found) => {
                    assert_eq!(*occupancy, found & 0xffff, "switch {id}, port {port}");
                    compared += 1;
                }
                None => ties += 1,
            }
        }
    }
    assert!(compared > 20_000 && ties < compared / 10, "{compared} {ties}");
    // Six links to hosts and the core both ways.
    assert_eq!(empty.len(), 8);
    let shares = empty.values().map(|(empty, all)| f64::from(*empty) / f64::from(*all));
    assert!(shares.clone().all(|share| (0.1..0.99).contains(&share)), "{empty:?}");
}

/// With TPPs in all packets applications get what they get without: the same flows, complete, only later.
#[test]
fn tpps_are_invisible_to_applications() {
    let finished = |tpps: bool| {
        let (network, parts, _) = network(tpps);
        let (simulation, kept): (Simulation, Kept) =
            run(network, parts, 1, Wishes::default(), 2500 * MILLISECOND);
        let flows: BTreeMap<u64, (u32, u32, u64)> =
            kept.flows.iter().map(|f| (f.serial, (f.from, f.to, f.received))).collect();
        (flows, simulation.sums()[0].sent)
    };
    let ((with, sent_with), (without, sent)) = (finished(true), finished(false));
    assert_eq!(sent_with, sent);
    assert_eq!(with.len(), without.len());
    let whole = |flows: &BTreeMap<u64, (u32, u32, u64)>| {
        flows.values().filter(|(.., received)| *received == 10_000).count()
    };
    assert!(whole(&with) * 100 > with.len() * 95, "{} of {}", whole(&with), with.len());
}

#[test]
fn tpp_runs_with_equal_seeds_are_identical() {
    let once = || {
        let (network, parts, log) = network(true);
        run(network, parts, 7, Wishes::default(), 300 * MILLISECOND);
        Vec::clone(&log.lock().expect("whole"))
    };
    let first = once();
    assert!(first.len() > 1000);
    assert_eq!(first, once());
}
