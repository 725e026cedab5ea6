//! CONGA* with packets: the example of the CONGA paper with demands of 50 and 120 Mb/s (spec 003, section 2.18).

mod common;

use common::{MILLISECOND, datagram, line};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use ww_sched::policy_file::Plan;
use ww_sim::forwarder::tcpu::TppForwarder;
use ww_sim::measure::Wishes;
use ww_sim::network::{Network, NodeId, Switch};
use ww_sim::pending::Time;
use ww_sim::random::Stream;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::Builder;
use ww_tpp::apps::conga::{Balancer, COLLECT, Settings, samples};
use ww_tpp::assemble::{Options, assemble};
use ww_tpp::frame::{insert, strip};
use ww_tpp::host::agent::{Agent, Received};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::switch::{Config, Tcpu};

const RATE: u64 = 100_000_000;
const EDGE: u64 = 1_000_000_000;
/// Flows of 5 Mb/s with a packet each 2.4 ms in the mean, 1.2 ms at least: every packet is a flowlet.
const FRAME: usize = 1476;
const GAP: Time = (FRAME as Time + 24) * 8 * 1_000_000_000_000 / 5_000_000;
const REPORTS: u16 = 9000;
const FIFO: &str = "rate = \"100 Mb/s\"\n[root]\npolicy = \"fifo\"\n[[root.children]]\nname = \"all\"\n\
                    [traffic.queue]\nbytes = 50_000\n";

/// What flows: bytes on the line by sender from the second half of the run on, and what TPPs and reports took of it.
#[derive(Default)]
struct Log {
    data: [u64; 2],
    control: u64,
}

/// Many flows from one host to another.
struct Sender {
    from: u32,
    to: u32,
    /// When each flow sends next.
    flows: Vec<Time>,
    /// One for all: each packet takes the tag that it says. `None`: flows keep the tags that they were given.
    balancer: Option<Balancer>,
    tags: Vec<u16>,
    collect: Vec<u8>,
    /// When a packet of each tag may carry a TPP again.
    probes: BTreeMap<u16, Time>,
    core: Vec<u32>,
    draws: Stream,
    log: Arc<Mutex<Log>>,
}

impl Agent for Sender {
    fn transmit(&mut self, _: Time, _: &mut Vec<u8>) -> bool {
        true
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        // A report: tags and TPPs, one behind the other.
        let mut rest = &frame[42..];
        while let Some((tag, tpp)) = rest.split_first_chunk::<2>()
            && let Ok(tpp) = Tpp::new(tpp)
        {
            let tag = u16::from_be_bytes(*tag);
            let links = samples(&Repr::parse(&tpp));
            let shares = links.into_iter().filter(|(link, _)| self.core.contains(link));
            if let Some(balancer) = &mut self.balancer {
                balancer.report(now, tag, shares);
            }
            rest = &rest[2 + tpp.length()..];
        }
        Received::Taken
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        for (flow, next) in self.flows.iter_mut().enumerate() {
            if *next > now {
                continue;
            }
            // Packets of a strict rhythm would drop those of the other sender, always.
            *next = now + GAP / 2 + self.draws.below(GAP);
            let fixed = self.tags[flow % self.tags.len()];
            let tag =
                self.balancer.as_mut().map_or(fixed, |balancer| balancer.tag(now, flow as u64));
            let mut frame = datagram(self.from, self.to, [7000, tag], &[], FRAME);
            let probe = self.probes.entry(tag).or_default();
            if self.balancer.is_some() && now >= *probe {
                *probe = now + MILLISECOND;
                insert(&mut frame, &self.collect).expect("it fits");
                self.log.lock().expect("whole").control += self.collect.len() as u64;
            }
            out.push(frame);
        }
        self.flows.iter().min().copied()
    }
}

/// Counts what arrives, and sends back what packets have collected, once a millisecond.
struct Receiver {
    number: u32,
    /// By sender and tag, the last TPP.
    collected: BTreeMap<(u32, u16), Vec<u8>>,
    next: Time,
    log: Arc<Mutex<Log>>,
}

/// When counting begins.
const WARM: Time = 1000 * MILLISECOND;
const END: Time = 3000 * MILLISECOND;

impl Agent for Receiver {
    fn transmit(&mut self, _: Time, _: &mut Vec<u8>) -> bool {
        true
    }

    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        let tpp = strip(frame);
        let sender = u32::from_be_bytes([frame[26], frame[27], frame[28], frame[29]]) - 0x0a00_0001;
        let tag = u16::from_be_bytes([frame[36], frame[37]]);
        if let Some(tpp) = tpp {
            self.collected.insert((sender, tag), tpp);
        }
        if now >= WARM {
            self.log.lock().expect("whole").data[usize::from(sender != 0)] +=
                frame.len() as u64 + 24;
        }
        Received::Taken
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        if now >= self.next {
            self.next = now + MILLISECOND;
            let mut reports: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
            for ((sender, tag), tpp) in std::mem::take(&mut self.collected) {
                let report = reports.entry(sender).or_default();
                report.extend(tag.to_be_bytes());
                report.extend(tpp);
            }
            for (sender, report) in reports {
                let length = 42 + report.len();
                self.log.lock().expect("whole").control += length as u64 + 24;
                out.push(datagram(self.number, sender, [REPORTS; 2], &report, length));
            }
        }
        Some(self.next)
    }
}

/// Leaves 0 to 2, spines 3 and 4: the first leaf has one spine, the others have both. A host at each leaf.
fn network() -> Network {
    let mut builder = Builder::default();
    let switch = Switch { routes: false, latency: 0 };
    let leaves = [0, 1, 2].map(|n| builder.switch(format!("leaf{n}"), switch));
    let spines = [0, 1].map(|n| builder.switch(format!("spine{n}"), switch));
    for leaf in leaves {
        builder.hosts(1, leaf, line(EDGE));
    }
    for (leaf, spine) in [(0, 0), (1, 0), (1, 1), (2, 0), (2, 1)] {
        builder.link(leaves[leaf], spines[spine], line(RATE));
    }
    builder.finish()
}

/// Mb/s of the two demands, the largest utilisation of a link between switches, and the share of control bytes.
fn result(balanced: bool) -> ([f64; 2], f64, f64) {
    let mut network = network();
    let plan = Plan::parse(FIFO).expect("a good policy");
    let mut parts = Parts::default();
    let mut core = Vec::new();
    for node in 0..5 {
        let mut config = Config::new(node + 1);
        config.other_ports.rate = RATE;
        // Port 0 of a leaf leads to its host.
        let rates: BTreeMap<u32, u64> = if node < 3 { [(0, EDGE)].into() } else { BTreeMap::new() };
        core.extend((u32::from(node < 3)..3).map(|port| config.other_ports.link_id + port));
        let switch = (node, Tcpu::new(config, 0), plan.traffic_manager_at(&rates));
        TppForwarder::install(&mut network, &mut parts, 1, switch);
    }
    let options = Options { hops: Some(3), ..Options::default() };
    let collect = assemble(COLLECT, &options).expect("a good program").emit();
    assert_eq!(collect.len(), 32);
    let log = Arc::new(Mutex::new(Log::default()));
    let nodes: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
    // Which tag takes which spine is the switch's affair (it hashes); half of these take each.
    let tags = tags_of_both_paths(&network);
    for (from, flows) in [(0u32, 10u64), (1, 24)] {
        let balancer =
            (balanced && from == 1).then(|| Balancer::new(Settings::default(), tags.clone()));
        let sender = Sender {
            from,
            to: 2,
            flows: (0..flows).map(|n| n * GAP / flows).collect(),
            balancer,
            tags: if from == 1 { tags.clone() } else { vec![7000] },
            collect: collect.clone(),
            probes: BTreeMap::new(),
            core: core.clone(),
            draws: Stream::new(1, 99, from),
            log: log.clone(),
        };
        parts.agents.insert(nodes[from as usize], Box::new(sender));
    }
    let receiver = Receiver { number: 2, collected: BTreeMap::new(), next: 0, log: log.clone() };
    parts.agents.insert(nodes[2], Box::new(receiver));
    let links = network.links.len() as u32;
    let mut simulation =
        Simulation::new(network, parts, 1, Wishes::default()).expect("a good network");
    let sent = |simulation: &mut Simulation| -> Vec<u64> {
        (6..2 * links).map(|direction| simulation.direction(direction).sent).collect()
    };
    let mut nobody = common::Kept::default();
    simulation.run(WARM, &mut nobody);
    let before = sent(&mut simulation);
    simulation.run(END, &mut nobody);
    let seconds = (END - WARM) as f64 / 1e12;
    let busiest = sent(&mut simulation)
        .iter()
        .zip(before)
        .map(|(after, before)| (after - before) as f64 * 8.0 / seconds / RATE as f64)
        .fold(0.0, f64::max);
    let log = log.lock().expect("whole");
    let rates = log.data.map(|bytes| bytes as f64 * 8.0 / seconds / 1e6);
    let all: u64 = log.data.iter().sum();
    // Control was counted from the start, data from the warm-up on.
    let control = log.control as f64 * seconds / (END as f64 / 1e12) / all as f64;
    (rates, busiest, control)
}

/// Two UDP ports whose packets from host 1 to host 2 take one spine each.
fn tags_of_both_paths(network: &Network) -> Vec<u16> {
    let salt = ww_sim::simulation::salt(1, 1);
    let way = |tag: u16| {
        let hash = ww_sim::frame::hash(1, 2, [7000, tag]);
        ww_sim::simulation::choose(hash, salt, 2)
    };
    assert_eq!(network.hosts().count(), 3);
    [0, 1].map(|wanted| (8000..).find(|tag| way(*tag) == wanted).expect("one of them")).to_vec()
}

/// Acceptance check 21 of spec 003: ECMP 45, 115 Mb/s and a full link; CONGA* 50, 120 and 85 %; 3 Mb/s, 3 points.
#[test]
fn flowlets_find_the_free_link() {
    let near = |found: f64, wanted: f64| (found - wanted).abs() < 3.0;
    for (balanced, [first, second], busiest) in
        [(false, [45.0, 115.0], 100.0), (true, [50.0, 120.0], 85.0)]
    {
        let (rates, utilisation, control) = result(balanced);
        println!(
            "balanced {balanced}: {rates:.1?} Mb/s, {:.1} %, control {:.2} %",
            utilisation * 100.0,
            control * 100.0
        );
        assert!(near(rates[0], first) && near(rates[1], second), "{balanced}: {rates:?}");
        assert!(near(utilisation * 100.0, busiest), "{balanced}: {utilisation}");
        assert!(control < 0.01, "{control}");
    }
}
