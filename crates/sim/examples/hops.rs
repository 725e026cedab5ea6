//! Packet hops a second on one core: 16 hosts at four leaves and two spines at a load of 80 %, or a fat tree of 128
//! hosts at a load of 60 %, hosts at 10 Gb/s. With `udp` each host sends to four others at Poisson times, with `tcp`
//! flows of the web search distribution are between all.
//!
//! `cargo run --release -p wirewright-sim --example hops [leaf-spine|fat-tree] [udp|tcp] [MILLISECONDS]`

use std::sync::Arc;
use std::time::Instant;
use ww_sim::line::Limits;
use ww_sim::measure::Wishes;
use ww_sim::network::traffic::{Arrivals, Flows, Kind, Pairs, Pattern, Stream, Traffic, Transport};
use ww_sim::network::{Direction, NodeId, Phy, Switch};
use ww_sim::pending::Time;
use ww_sim::simulation::{Parts, Simulation};
use ww_sim::topology::{fat_tree, leaf_spine};
use ww_sim::transport::tcp;
use ww_sim::workload::sizes::Sizes;

const MILLISECOND: Time = 1_000_000_000;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let shape = arguments.get(1).map_or("leaf-spine", String::as_str);
    let kind = arguments.get(2).map_or("tcp", String::as_str);
    let milliseconds: u64 = arguments.get(3).and_then(|text| text.parse().ok()).unwrap_or(100);
    let stop = milliseconds * MILLISECOND;
    let line = |rate| Direction {
        rate,
        delay: 1_000_000,
        jitter: 0,
        overhead: 24,
        limits: Limits { bytes: 300_000, mark: None },
        loss: 0.0,
        corruption: 0.0,
        phy: Phy::Bytes,
    };
    let plain = Switch { routes: true, latency: 0 };
    let edge = line(10_000_000_000);
    let (mut network, load) = match shape {
        "fat-tree" => (fat_tree(8, plain, edge, edge), 0.6),
        _ => (leaf_spine((4, 2, 4), plain, edge, line(20_000_000_000)), 0.8),
    };
    let hosts: Vec<NodeId> = network.hosts().map(|(id, _)| id).collect();
    let traffic = |name: String, kind| Traffic { name, start: 0, stop, class: 0, kind };
    if kind == "udp" {
        for (number, from) in hosts.iter().enumerate() {
            for other in 1..5 {
                let to = hosts[(number + other * hosts.len() / 5) % hosts.len()];
                let pattern = Pattern::Poisson { rate: (load * 2.5e9) as u64 };
                let stream = Stream { from: *from, to, bytes: 1500, pattern };
                network.traffic.push(traffic(format!("{number}.{other}"), Kind::Stream(stream)));
            }
        }
    } else {
        let sizes = Arc::new(Sizes::named("web-search").expect("known"));
        let rate = load * hosts.len() as f64 * 10e9 / 8.0 / sizes.mean();
        let transport = Transport::Tcp(tcp::Settings::default());
        let (pairs, arrivals) = (Pairs::AllToAll(hosts), Arrivals::Poisson { rate });
        let flows = Flows { pairs, arrivals, sizes, transport };
        network.traffic.push(traffic("search".to_owned(), Kind::Flows(flows)));
    }
    let mut simulation =
        Simulation::new(network, Parts::default(), 1, Wishes::default()).expect("good");
    let begin = Instant::now();
    simulation.run(stop, &mut ());
    let seconds = begin.elapsed().as_secs_f64();
    let (hops, events) = (simulation.hops(), simulation.events());
    let arrived: u64 = simulation.sums().iter().map(|sums| sums.delivered).sum();
    println!(
        "{shape}, {kind}: {arrived} packets arrived, {hops} packet hops, {events} events in {seconds:.3} s: {:.4} million packets a second, {:.2} million hops, {:.2} million events; {} flows left, drops {:?}",
        arrived as f64 / seconds / 1e6,
        hops as f64 / seconds / 1e6,
        events as f64 / seconds / 1e6,
        simulation.unfinished(),
        simulation.drops(),
    );
}
