//! What a policy in P4 costs a packet, beside its twin in Rust, in one run.
//!
//! `cargo run -p wirewright-sched --example policy_cost`: a node with 64 flows that always have
//! packets of 64 to 1,500 bytes, on a link of 10 Gb/s; nanoseconds for an arrival and a departure
//! together, the list included. The best of five rounds, in which the implementations take turns.

use std::path::Path;
use std::time::Instant;
use ww_engine::policy::P4Program;
use ww_p4::policy::Size;
use ww_sched::framework::fixed::Pace;
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, NodeSpec, Packet, Parameters, Policy, Trigger};
use ww_sched::policies::program::{EngineName, Runner};
use ww_sched::policies::{drr, fair_shaper, fifo, stfq, strict, token_bucket, wf2q, wfq};

/// Makes a policy in Rust.
type Twin<'t> = dyn Fn() -> Box<dyn Policy> + 't;

const FLOWS: usize = 64;
const ROUNDS: usize = 5;
const PACKETS: u32 = 100_000;

fn main() {
    let link = Pace::of_rate(10_000_000_000).expect("in range");
    let policies: [(&str, &Twin); 8] = [
        ("fifo", &|| Box::new(fifo::Fifo)),
        ("strict", &|| Box::new(strict::StrictPriority::default())),
        ("drr", &|| Box::new(drr::DeficitRoundRobin::default())),
        ("stfq", &|| Box::new(stfq::StartTime::new(link))),
        ("wfq", &|| Box::new(wfq::Wfq::new(link))),
        ("wf2q", &|| Box::new(wf2q::Wf2q::new(link))),
        ("token_bucket", &|| Box::new(token_bucket::TokenBucket::default())),
        ("fair_shaper", &|| Box::new(fair_shaper::FairShaper::new(link))),
    ];
    println!("policy        Rust ns   jit ns   interp ns   jit/Rust   jit - Rust ns");
    for (name, twin) in policies {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
        let program = P4Program::load(&folder.join(format!("{name}.p4")));
        let program = program.unwrap_or_else(|error| panic!("{error}"));
        let size = Size { nodes: 1, children: FLOWS as u32 };
        let p4 = |engine| -> Box<dyn Policy> {
            let runner =
                Runner::new(&program, size, Some(engine)).unwrap_or_else(|e| panic!("{e}"));
            Box::new(runner.node(0, 0, link))
        };
        let mut best = [f64::INFINITY; 3];
        for _ in 0..ROUNDS {
            best[0] = best[0].min(measure(twin(), link, PACKETS));
            best[1] = best[1].min(measure(p4(EngineName::Jit), link, PACKETS));
            best[2] = best[2].min(measure(p4(EngineName::Interp), link, PACKETS / 20));
        }
        let [rust, jit, interp] = best;
        let (ratio, more) = (jit / rust, jit - rust);
        println!("{name:12} {rust:8.0} {jit:8.0} {interp:11.0} {ratio:10.1} {more:15.0}");
    }
}

/// Nanoseconds for a packet.
fn measure(policy: Box<dyn Policy>, link: Pace, packets: u32) -> f64 {
    let children = (0..FLOWS as u64).map(|flow| {
        let parameters = Parameters {
            weight: 1 + flow % 4,
            priority: flow % 8,
            pace: Pace::of_rate(200_000_000).expect("in range"),
            burst: 3000,
            quantum: 1500,
        };
        (parameters, ChildSpec::Flow)
    });
    let node = NodeSpec { policy, trigger: Trigger::Output, children: children.collect() };
    let mut scheduler = Scheduler::new(node).expect("a node");
    let (mut bytes, mut now) = (64, 0);
    let mut packet = || {
        bytes = 64 + (bytes * 73 + 11) % 1437;
        Packet { bytes, ..Packet::default() }
    };
    for flow in 0..2 * FLOWS {
        scheduler.enqueue(flow % FLOWS, packet(), now);
    }
    let begin = Instant::now();
    let mut left = 0;
    while left < packets {
        match scheduler.dequeue(now) {
            Some((flow, sent)) => {
                now += link.picoseconds(u64::from(sent.bytes));
                scheduler.enqueue(flow, packet(), now);
                left += 1;
            }
            None => now = scheduler.next_event(now).expect("packets wait").max(now + 1),
        }
    }
    begin.elapsed().as_nanos() as f64 / f64::from(packets)
}
