//! One configuration for the hardware and for the scheduler in Rust.

use crate::equality::Random;
use std::path::Path;
use ww_p4::policy::Size;
use ww_rtl::design::SourceFile;
use ww_rtl::emit::EmitOptions;
use ww_rtl::policy_block::policy_design;
use ww_rtl::two_level::{Level, PolicyBlock, Shape, TwoLevel};
use ww_sched::framework::fixed::Pace;
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, NodeSpec, Parameters, Policy, Trigger};
use ww_sched::policies::p4::program::P4Program;
use ww_sched::policies::token_bucket::TokenBucket;
use ww_sched::policies::wf2q::Wf2q;

/// Which levels have WF2Q+; the others have token buckets.
#[derive(Clone, Copy, Debug)]
pub struct Policies {
    pub root_virtual: bool,
    pub leaf_virtual: bool,
}

/// A hierarchy with its parameters.
#[derive(Clone, Debug)]
pub struct Setup {
    pub policies: Policies,
    pub shape: Shape,
    /// At which the root is served.
    pub link: u64,
    /// Of nodes: weight, limit, burst in bytes.
    pub nodes: Vec<(u64, u64, u64)>,
    /// Of flows, node by node.
    pub flows: Vec<Vec<(u64, u64, u64)>>,
    /// The hardware has the policies of `p4/schedulers`; the reference has those in Rust.
    pub p4: bool,
}

/// Picoseconds of a clock: 250 MHz.
pub const PERIOD: u64 = 4000;

fn pace(rate: u64) -> Pace {
    Pace::of_rate(rate).expect("in range")
}

fn parameters(&(weight, rate, burst): &(u64, u64, u64)) -> Parameters {
    Parameters { weight, priority: 0, pace: pace(rate), burst, quantum: 1500 }
}

impl Setup {
    pub fn random(policies: Policies, shape: Shape, seed: u64) -> Self {
        let mut random = Random(seed ^ 0x5e70);
        let mut child = |fastest: u64| {
            let rate = fastest / (1 + random.below(4)) + random.below(1000);
            (1 + random.below(5), rate, 1 + random.below(6000))
        };
        let nodes =
            (0..shape.nodes).map(|_| child(40_000_000_000 / u64::from(shape.nodes))).collect();
        let flows =
            (0..shape.nodes).map(|_| (0..shape.flows).map(|_| child(4_000_000_000)).collect());
        Self { policies, shape, link: 40_000_000_000, nodes, flows: flows.collect(), p4: false }
    }

    pub fn reference(&self) -> Scheduler {
        let policy = |is_virtual: bool, rate: u64| -> Box<dyn Policy> {
            match is_virtual {
                true => Box::new(Wf2q::new(pace(rate))),
                false => Box::new(TokenBucket::default()),
            }
        };
        let nodes = self.nodes.iter().zip(&self.flows).map(|(node, flows)| {
            let children = flows.iter().map(|flow| (parameters(flow), ChildSpec::Flow)).collect();
            let policy = policy(self.policies.leaf_virtual, node.1);
            (
                parameters(node),
                ChildSpec::Node(NodeSpec { policy, trigger: Trigger::Output, children }),
            )
        });
        let root = NodeSpec {
            policy: policy(self.policies.root_virtual, self.link),
            trigger: Trigger::Output,
            children: nodes.collect(),
        };
        Scheduler::new(root).expect("a tree")
    }

    pub fn hardware(&self, files: &[SourceFile]) -> TwoLevel {
        if self.p4 {
            return self.hardware_in_p4(files);
        }
        let block = |is_virtual| match is_virtual {
            true => PolicyBlock::wf2q(),
            false => PolicyBlock::token_bucket(),
        };
        let Policies { root_virtual, leaf_virtual } = self.policies;
        let (root, leaf) = (block(root_virtual), block(leaf_virtual));
        let hardware = TwoLevel::with_files(self.shape, &root, &leaf, PERIOD, files);
        let mut hardware = hardware.unwrap_or_else(|error| panic!("{error}"));
        let mut set = |level, is_virtual, node, rate, children: Vec<(u32, (u64, u64, u64))>| {
            if is_virtual {
                let weights: Vec<_> =
                    children.iter().map(|&(child, (weight, ..))| (child, weight)).collect();
                hardware.set_shares(level, node, pace(rate), &weights).expect("WF2Q+ takes it");
            } else {
                for (child, (_, rate, burst)) in children {
                    hardware.set_limit(level, child, pace(rate), burst).expect("a bucket takes it");
                }
            }
        };
        set(
            Level::Root,
            root_virtual,
            0,
            self.link,
            (0..).zip(self.nodes.iter().copied()).collect(),
        );
        for (node, flows) in (0..).zip(&self.flows) {
            let children =
                (0..).zip(flows).map(|(flow, &values)| (self.shape.leaf(node, flow), values));
            set(Level::Leaf, leaf_virtual, node, self.nodes[node as usize].1, children.collect());
        }
        hardware
    }

    fn hardware_in_p4(&self, files: &[SourceFile]) -> TwoLevel {
        let Policies { root_virtual, leaf_virtual } = self.policies;
        let block = |level: &str, is_virtual, nodes, children| {
            let name = if is_virtual { "wf2q" } else { "token_bucket" };
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers");
            let program = P4Program::load(&folder.join(format!("{name}.p4"))).expect(name);
            let options = EmitOptions { width: 512, ..EmitOptions::default() };
            let size = Size { nodes, children };
            let design = policy_design(&format!("{level}_{name}"), &program, size, &options);
            design.unwrap_or_else(|error| panic!("{error}")).block
        };
        let Shape { nodes, flows, .. } = self.shape;
        let root = block("root", root_virtual, 1, nodes.max(4));
        let leaf = block("leaf", leaf_virtual, nodes, nodes * flows.next_power_of_two());
        let hardware = TwoLevel::with_files(self.shape, &root, &leaf, PERIOD, files);
        let mut hardware = hardware.unwrap_or_else(|error| panic!("{error}"));
        let mut set = |level, rate, children: Vec<(u32, (u64, u64, u64))>| {
            let sum = children.iter().map(|(_, (weight, ..))| weight).sum();
            for (child, (weight, limit, burst)) in children {
                let fields = [
                    ("child", u64::from(child)),
                    ("weight", weight),
                    ("priority", 0),
                    ("pace", pace(limit).multiplier()),
                    ("share", pace(rate).share(weight, sum).multiplier()),
                    ("node_pace", pace(rate).multiplier()),
                    ("burst", burst),
                    ("quantum", 1500),
                ];
                hardware.configure(level, &fields).expect("it takes its configuration");
            }
        };
        set(Level::Root, self.link, (0..).zip(self.nodes.iter().copied()).collect());
        for (node, flows) in (0..).zip(&self.flows) {
            let children =
                (0..).zip(flows).map(|(flow, &values)| (self.shape.leaf(node, flow), values));
            set(Level::Leaf, self.nodes[node as usize].1, children.collect());
        }
        hardware
    }
}
