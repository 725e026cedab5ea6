//! Scheduling policies in P4 as hardware: emitted, under Verilator, against their twins in Rust, stamp for
//! stamp.

use std::path::Path;
use ww_engine::engine::AnyEngine;
use ww_engine::policy::P4Program;
use ww_p4::policy::{Layout, Size};
use ww_rtl::emit::EmitOptions;
use ww_rtl::policy_block::policy_design;
use ww_rtl::runner::load::{Wanted, load};
use ww_sched::framework::fixed::Pace;
use ww_sched::framework::{Head, Packet, Parameters, Policy, Sent};
use ww_sched::policies::drr::DeficitRoundRobin;
use ww_sched::policies::program::Runner;
use ww_sched::policies::token_bucket::TokenBucket;
use ww_sched::policies::wf2q::Wf2q;

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ (a >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (b ^ (b >> 31)) % bound
    }
}

const NODES: u32 = 3;
const EACH: u32 = 5;
const REQUESTS: u32 = 3000;

fn pace(rate: u64) -> Pace {
    Pace::of_rate(rate).expect("in range")
}

/// The policy on a model of its hardware.
fn hardware(name: &str) -> Runner {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
    let policy = P4Program::load(&path.join(format!("{name}.p4"))).expect("a policy");
    let size = Size { nodes: NODES, children: NODES * EACH };
    let program = policy.lowered(size, Layout::Carried).expect("a v1model program");
    let wanted = Wanted::quick(name);
    let rtl = load(program, &wanted).unwrap_or_else(|error| panic!("{name}: {error}"));
    policy.carrying(size, AnyEngine::new(rtl))
}

/// Calls in any order, which no scheduler would make: what must agree is what the policies compute.
fn agree(name: &str, twin: impl Fn(Pace) -> Box<dyn Policy>) {
    let runner = hardware(name);
    let mut random = Random(name.len() as u64);
    let mut nodes: Vec<(Box<dyn Policy>, Box<dyn Policy>)> = Vec::new();
    for node in 0..NODES {
        let rate = pace(1_000_000_000 * u64::from(1 + node));
        let policy: Box<dyn Policy> = Box::new(runner.node(node, node * EACH, rate));
        let mut pair = (twin(rate), policy);
        for child in 0..EACH as usize {
            let parameters = Parameters {
                weight: 1 + random.below(9),
                priority: random.below(8),
                pace: pace(10_000_000 + random.below(900_000_000)),
                burst: 100 + random.below(9000),
                quantum: 300 + random.below(3000),
            };
            pair.0.configure(child, &parameters);
            pair.1.configure(child, &parameters);
        }
        nodes.push(pair);
    }
    let (mut now, mut compared) = (0, 0);
    for number in 0..REQUESTS {
        now += random.below(2_000_000);
        let (twin, policy) = &mut nodes[random.below(u64::from(NODES)) as usize];
        let child = random.below(u64::from(EACH)) as usize;
        let bytes = 1 + random.below(9000) as u32;
        let packet = Packet { bytes, arrival: now, ..Packet::default() };
        let head = Head { packet, fresh: random.below(3) == 0 };
        let call = random.below(8);
        let mut same = |a: u64, b: u64| {
            compared += 1;
            assert_eq!(a, b, "{name}, request {number}, call {call}, child {child}, {head:?}");
        };
        match call {
            0..=2 => {
                let stamps =
                    [twin.pre_enqueue(child, &head, now), policy.pre_enqueue(child, &head, now)];
                same(stamps[0].rank, stamps[1].rank);
                same(stamps[0].eligible, stamps[1].eligible);
            }
            3 => {
                let sent = Sent { bytes, stamped: 1 + random.below(9000) as u32 };
                twin.post_dequeue(child, &sent, now);
                policy.post_dequeue(child, &sent, now);
            }
            4 => {
                let least = (random.below(2) == 0).then(|| random.below(1 << 34));
                let least = least.map(|least| least.min(now << 8));
                same(twin.clock(now, least), policy.clock(now, least));
            }
            5 => {
                same(twin.may_send(child, &head).into(), policy.may_send(child, &head).into());
            }
            6 => same(twin.stays(child, &head).into(), policy.stays(child, &head).into()),
            _ if random.below(2) == 0 => {
                twin.emptied(child);
                policy.emptied(child);
            }
            _ => {
                twin.withdraw(child, bytes);
                policy.withdraw(child, bytes);
            }
        }
    }
    assert!(compared > REQUESTS / 2);
}

#[test]
fn wf2q() {
    agree("wf2q", |rate| Box::new(Wf2q::new(rate)));
}

#[test]
fn token_bucket() {
    agree("token_bucket", |_| Box::new(TokenBucket::default()));
}

#[test]
fn drr() {
    agree("drr", |_| Box::new(DeficitRoundRobin::default()));
}

/// What the scheduler must know of each policy. Kinds of requests: 2 clock, 3 may send, 4 stays, 5 withdraw, 6 emptied.
#[test]
fn blocks_with_the_policy_port() {
    let make = |name: &str, width, nodes, children| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
        let program = P4Program::load(&path.join(format!("{name}.p4"))).expect("a policy");
        let options = EmitOptions { width, ..EmitOptions::default() };
        policy_design(name, &program, Size { nodes, children }, &options).map(|made| made.block)
    };
    for (name, asks, head_words) in [
        ("fifo", 0b000_0011, 1),
        ("strict", 0b000_0011, 0),
        ("wfq", 0b010_0011, 0),
        ("wf2q", 0b010_0111, 0),
        ("stfq", 0b010_0011, 0),
        ("drr", 0b101_1011, 0),
        ("rcsp", 0b000_0011, 6),
        ("edf", 0b000_0011, 6),
    ] {
        let block = make(name, 128, 4, 16).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(block.module, format!("{name}_policy"));
        assert_eq!(block.asks, asks, "{name}: {:b}", block.asks);
        assert_eq!(block.head_words, head_words, "{name}");
    }
    let error = make("wf2q", 512, 4, 3).expect_err("too few children");
    assert!(error.contains("a node or more"), "{error}");
}
