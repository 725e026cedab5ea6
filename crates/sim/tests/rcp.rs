//! RCP* with packets: senders that pace themselves, registers in switches, standalone TPPs that are echoed.

mod common;

use common::{MILLISECOND, datagram, line, run};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use ww_sched::policy_file::Plan;
use ww_sim::forwarder::tcpu::TppForwarder;
use ww_sim::measure::Wishes;
use ww_sim::network::Switch;
use ww_sim::pending::Time;
use ww_sim::simulation::Parts;
use ww_sim::topology::parking_lot;
use ww_tpp::apps::rcp::{COLLECT, Controller, Fairness, Settings, samples, update};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::frame::insert_standalone;
use ww_tpp::host::agent::{Agent, Received};
use ww_tpp::host::registry::{Registry, Space};
use ww_tpp::host::shim::{self, Sent, Shim};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::switch::ports::PortConfig;
use ww_tpp::switch::{Config, Tcpu};

const CORE: u64 = 100_000_000;
const EDGE: u64 = 1_000_000_000;
/// Between two collections of a flow.
const PERIOD: Time = 20 * MILLISECOND;
/// UDP ports: of data, of collections, of updates.
const PORTS: [u16; 3] = [7000, 7001, 7002];
const FRAME: usize = 1000;
const FIFO: &str = "rate = \"1 Gb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n\
                    [traffic.queue]\nbytes = 150_000\n";

/// Wire bytes of data by receiver, in steps of 100 ms; TPP bytes that senders sent.
#[derive(Default)]
struct Log {
    data: BTreeMap<u32, Vec<u64>>,
    control: u64,
}

/// A flow's sender.
struct Sender {
    from: u32,
    to: u32,
    controller: Controller,
    collect: Repr,
    shim: Shim,
    next_data: Time,
    next_collect: Time,
    updates: Vec<Repr>,
    log: Arc<Mutex<Log>>,
}

impl Sender {
    fn tpp(&mut self, port: u16, tpp: &Repr, out: &mut Vec<Vec<u8>>) {
        let mut frame = datagram(self.from, self.to, [port, 0x6666], &[], 42);
        insert_standalone(&mut frame, &tpp.emit()).expect("it fits");
        assert_eq!(self.shim.transmit(&mut frame), Sent::Plain, "the registry has let it pass");
        self.log.lock().expect("whole").control += frame.len() as u64 + 24;
        out.push(frame);
    }
}

impl Agent for Sender {
    fn transmit(&mut self, _: Time, _: &mut Vec<u8>) -> bool {
        true
    }

    fn receive(&mut self, _: Time, frame: &mut Vec<u8>) -> Received {
        if let shim::Received::Returned { tpp, port } = self.shim.receive(frame)
            && port == PORTS[1]
        {
            let tpp = Repr::parse(&Tpp::new(tpp).expect("a good TPP"));
            let changes = self.controller.collected(&samples(&tpp));
            self.updates.extend(update(&changes, self.collect.app_tag));
        }
        Received::Taken
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        for tpp in std::mem::take(&mut self.updates) {
            self.tpp(PORTS[2], &tpp, out);
        }
        if now >= self.next_collect {
            let tpp = self.collect.clone();
            self.tpp(PORTS[1], &tpp, out);
            self.next_collect = now + PERIOD;
        }
        if now >= self.next_data {
            out.push(datagram(self.from, self.to, [PORTS[0]; 2], &[], FRAME));
            let bits = (FRAME + 24) as f64 * 8.0;
            self.next_data = now + (bits / self.controller.rate() * 1e12) as Time;
        }
        Some(self.next_data.min(self.next_collect))
    }
}

/// A flow's receiver.
struct Receiver {
    number: u32,
    shim: Shim,
    log: Arc<Mutex<Log>>,
}

impl Agent for Receiver {
    fn transmit(&mut self, _: Time, _: &mut Vec<u8>) -> bool {
        true
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        match self.shim.receive(frame) {
            shim::Received::Echo => Received::SendBack,
            _ => {
                let mut log = self.log.lock().expect("whole");
                let steps = log.data.entry(self.number).or_default();
                let step = (now / (100 * MILLISECOND)) as usize;
                steps.resize(steps.len().max(step + 1), 0);
                steps[step] += frame.len() as u64 + 24;
                Received::Taken
            }
        }
    }
}

/// Flow a crosses two links, b the first and c the second; all begin with 1 Mb/s. Mb/s of the three in steps of 100 ms,
/// and the share of control packets.
fn shares(fairness: Fairness) -> (Vec<[f64; 3]>, f64) {
    let switch = Switch { routes: false, latency: 0 };
    let mut network = parking_lot(2, 2, switch, line(EDGE), line(CORE));
    let mut registry = Registry::new();
    let id = registry.register("rcp").expect("registered");
    let range = registry.allocate(id, Space::Link, 1).expect("allocated");
    assert_eq!(range, (0xd000, 0xd000));
    for name in ["Link:ID", "Link:QueueSize", "Link:RX-Utilization"] {
        let address = ww_tpp::map::lookup(name).expect("a name");
        registry.grant(id, false, address, address).expect("granted");
    }
    let options = Options { hops: Some(3), ..Options::default() };
    let collect = assemble(COLLECT, &options).expect("a good program").emit();
    let collect = registry.authorise(id, &collect).expect("it may");
    let collect = Repr::parse(&Tpp::new(collect).expect("a good TPP"));

    let plan = Plan::parse(FIFO).expect("a good policy");
    let mut parts = Parts::default();
    // Of each switch its links to other switches: two hosts come first.
    for (node, core) in [(0, vec![2]), (1, vec![2, 3]), (2, vec![2])] {
        let mut config =
            Config { protection: Some(registry.protection()), ..Config::new(node + 1) };
        config.other_ports.rate = EDGE;
        for port in &core {
            let link_id = config.other_ports.link_id + port;
            config.ports.insert(*port, PortConfig { link_id, rate: CORE, outside: false });
        }
        let rates = core.into_iter().map(|port| (port, CORE)).collect();
        let switch = (node, Tcpu::new(config, 0), plan.traffic_manager_at(&rates));
        TppForwarder::install(&mut network, &mut parts, 1, switch);
    }
    let capacities: BTreeMap<u32, f64> = [(0x102, CORE as f64), (0x203, CORE as f64)].into();
    let settings = Settings { fairness, ..Settings::default() };
    let log = Arc::new(Mutex::new(Log::default()));
    let nodes: Vec<u32> = network.hosts().map(|(node, _)| node).collect();
    let shim = || Shim::new(1500, registry.protection(), 1);
    for (n, (from, to)) in (0..).zip([(0u32, 4u32), (1, 2), (3, 5)]) {
        let sender = Sender {
            from,
            to,
            controller: Controller::new(settings, capacities.clone(), 1e6),
            collect: collect.clone(),
            shim: shim(),
            next_data: 0,
            // Flows collect one after the other within a period.
            next_collect: n * PERIOD / 3,
            updates: Vec::new(),
            log: log.clone(),
        };
        parts.agents.insert(nodes[from as usize], Box::new(sender));
        let receiver = Receiver { number: n as u32, shim: shim(), log: log.clone() };
        parts.agents.insert(nodes[to as usize], Box::new(receiver));
    }
    run(network, parts, 1, Wishes::default(), 5000 * MILLISECOND);
    let log = log.lock().expect("whole");
    let steps = (0..50)
        .map(|step| {
            [0, 1, 2]
                .map(|flow| log.data[&flow].get(step).copied().unwrap_or(0) as f64 * 80.0 / 1e6)
        })
        .collect();
    let data: u64 = log.data.values().flatten().sum();
    (steps, log.control as f64 / data as f64)
}

/// Acceptance check 18 of spec 003, with packets: within 5 %. The rates count what frames take on the line; control
/// packets take some of the links, below one hundredth here.
#[test]
fn three_flows_share_two_links() {
    for (fairness, wanted) in [
        (Fairness::MaxMin, [50.0, 50.0, 50.0]),
        (Fairness::Alpha(1.0), [100.0 / 3.0, 200.0 / 3.0, 200.0 / 3.0]),
        (Fairness::Alpha(2.0), [41.42, 58.58, 58.58]),
    ] {
        let (steps, control) = shares(fairness);
        let mean = |flow: usize| steps[10..].iter().map(|step| step[flow]).sum::<f64>() / 40.0;
        let found = [0, 1, 2].map(mean);
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found / wanted - 1.0).abs() < 0.05, "{fairness:?}: {found:?} {wanted}");
        }
        assert!(control < 0.01, "{control}");
        println!("{fairness:?}: {found:.1?} Mb/s, control {:.2} %", control * 100.0);
    }
}
