//! Sketches of links made at hosts, pushed to two instances of the service, against sketches of what captures say was on
//! each link.

use super::*;
use crate::network::{MILLISECOND, run};
use std::collections::HashSet;
use ww_host::agent::Report;
use ww_host::shim::{Rule, Shim};
use ww_sim::measure::Wishes;
use ww_sim::random::Stream;
use ww_sim::topology::leaf_spine;
use ww_tpp::protection::Protection;
use ww_tpp_apps::sketch::agent::{Collector, Element, Monitor, Settings};
use ww_tpp_apps::sketch::bitmap::relative_error;
use ww_tpp_apps::sketch::service::{Service, instance_of};
use ww_tpp_apps::sketch::{COLLECT, Link, hash};

const BITS: usize = 1024;
const PUSHES: u16 = 7100;
const GAP: Time = 200 * MICROSECOND;
const STOP: Time = 1000 * MILLISECOND;

/// A monitoring host that sends packets from many addresses to the others.
struct Sender {
    monitor: Monitor,
    number: u32,
    next: Time,
    draws: Stream,
}

impl Agent for Sender {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        self.monitor.receive(now, frame);
        Received::Taken
    }

    fn poll(&mut self, now: Time, out: &mut Vec<Vec<u8>>) -> Option<Time> {
        let pushes = self.monitor.poll(now, out).expect("a next push");
        if now >= self.next && now < STOP {
            self.next = now + GAP;
            let to = (self.number + 1 + self.draws.below(3) as u32) % 4;
            // 4,000 addresses, the first ones more often than the last ones.
            let (one, two) = (self.draws.below(4000), self.draws.below(4000));
            let source =
                End { ip: (0x0b00_0000 + one.min(two) as u32).into(), ..end(self.number, 1) };
            let mut frame = datagram(source, end(to, DATA), &[0; 60]);
            assert!(self.monitor.transmit(now, &mut frame));
            out.push(frame);
        }
        Some(if now < STOP { pushes.min(self.next) } else { pushes })
    }
}

/// A collector that the test can look into.
struct Shared(Arc<Mutex<Collector>>);

impl Agent for Shared {
    fn receive(&mut self, now: Time, frame: &mut Vec<u8>) -> Received {
        self.0.lock().expect("whole").receive(now, frame)
    }

    fn report(&mut self) -> Report {
        self.0.lock().expect("whole").report()
    }
}

/// Acceptance check 22 of spec 003, with packets: hosts 0 to 3 send and receive, 4 and 5 have the service.
#[test]
fn what_hosts_push_is_what_links_have_carried() {
    let mut network = leaf_spine((3, 2, 2), SWITCH, core(), core());
    let mut parts = install(&mut network, 300_000, |config| config);
    let hosts: Vec<NodeId> = network.hosts().map(|(node, _)| node).collect();
    let options = Options { hops: Some(3), app_tag: Some(9), ..Options::default() };
    let tpp = assemble(COLLECT, &options).expect("a good program").emit();
    for number in 0..4 {
        let mut shim = Shim::new(1500, Protection::new(&[]), number.into());
        let filter = "-p udp".parse().expect("a good filter");
        shim.add(Rule { filter, tpp: tpp.clone(), every: 1, priority: 0 });
        let settings = Settings {
            app: 9,
            element: Element::Source,
            bits: BITS,
            room: 64,
            period: 100 * MILLISECOND,
            epoch: 1000 * STOP,
            last: Time::MAX,
            own: end(number, PUSHES),
            services: vec![end(4, PUSHES), end(5, PUSHES)],
        };
        let monitor = Monitor::new(settings, shim).expect("a good size");
        let draws = Stream::new(1, 77, number);
        let next = Time::from(number) * 50 * MICROSECOND;
        let sender = Sender { monitor, number, next, draws };
        parts.agents.insert(hosts[number as usize], Box::new(sender));
    }
    let services: Vec<Arc<Mutex<Collector>>> = (0..2)
        .map(|n| {
            let service = Service::new(BITS, 64, (n, 2)).expect("a good size");
            Arc::new(Mutex::new(Collector::new(PUSHES, service)))
        })
        .collect();
    for (host, service) in hosts[4..].iter().zip(&services) {
        parts.agents.insert(*host, Box::new(Shared(service.clone())));
    }
    let captures = (0..2 * network.links.len() as u32).collect();
    let wishes = Wishes { captures, ..Wishes::default() };
    let (simulation, kept) = run(network.clone(), parts, 1, wishes, 1300 * MILLISECOND);
    assert_eq!(simulation.drops().iter().sum::<u64>(), 0, "else links carry what no host sees");
    // A sketch in the switch: a flag for each bit and link; and the truth.
    let mut switches: BTreeMap<Link, (Vec<bool>, HashSet<u32>)> = BTreeMap::new();
    for (direction, _, frame) in &kept.frames {
        let end = network.links[*direction as usize / 2].ends[*direction as usize % 2];
        if end.node >= 5 || frame[12..14] != [0x66, 0x66] {
            continue;
        }
        let link = Link { switch: end.node as u16 + 1, port: end.port as u16 };
        let ip = 14 + usize::from(u16::from_be_bytes([frame[14], frame[15]])) + 12;
        let source = u32::from_be_bytes(*frame[ip..].first_chunk().expect("an address"));
        let (bits, truth) = switches.entry(link).or_insert((vec![false; BITS], HashSet::new()));
        bits[hash(source.into()) as usize % BITS] = true;
        truth.insert(source);
    }
    // Four to hosts, four up, four down.
    assert_eq!(switches.len(), 12);
    let mut outside = 0;
    for (link, (bits, truth)) in &switches {
        let collector = services[instance_of(*link, 2) as usize].lock().expect("whole");
        let epoch = collector.service().epoch(0).expect("the first epoch");
        let merged = epoch.bitmap(*link).expect("a bitmap");
        let found = (0..BITS).map(|bit| merged[bit / 64] >> (bit % 64) & 1 == 1);
        assert!(found.eq(bits.iter().copied()), "{link:?}");
        let number = truth.len() as f64;
        assert!(number > 300.0, "{number}");
        let error = epoch.estimate(*link).expect("an estimate").least() / number - 1.0;
        outside += u32::from(error.abs() > 3.0 * relative_error(BITS, number));
    }
    assert_eq!(outside, 0, "of 12 links, within three standard deviations");
    for service in &services {
        let figures = service.lock().expect("whole").report().figures;
        assert!(figures[0].1 > 0.0 && figures[1].1 == 0.0, "{figures:?}");
    }
}
