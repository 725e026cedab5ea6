//! One configuration for the hardware and for the scheduler in Rust.

use crate::two_level::equality::Random;
use std::path::{Path, PathBuf};
use ww_engine::policy::P4Program;
use ww_p4::policy::Size;
use ww_rtl::design::SourceFile;
use ww_rtl::emit::EmitOptions;
use ww_rtl::policy_block::policy_design;
use ww_rtl::two_level::{Level, PolicyBlock, Shape, TwoLevel};
use ww_sched::framework::fixed::Pace;
use ww_sched::framework::scheduler::Scheduler;
use ww_sched::framework::{ChildSpec, NodeSpec, Parameters, Policy, Trigger};
use ww_sched::policies::{
    drr, fair_shaper, fifo, rcsp, stfq, strict, token_bucket, urgency, wf2q, wfq,
};

/// The policies of the levels, by the names of their files in `p4/schedulers`; those in SystemVerilog are `token_bucket` and
/// `wf2q`.
#[derive(Clone, Copy, Debug)]
pub struct Policies {
    pub root: &'static str,
    pub leaf: &'static str,
}

/// A policy in Rust.
fn twin(name: &str, rate: u64) -> Box<dyn Policy> {
    use urgency::Urgency;
    let rate = pace(rate);
    match name {
        "fifo" => Box::new(fifo::Fifo),
        "strict" => Box::new(strict::StrictPriority::default()),
        // Stochastic fair queueing is this policy behind a hash, which the classifier has.
        "drr" | "sfq" => Box::new(drr::DeficitRoundRobin::default()),
        "stfq" => Box::new(stfq::StartTime::new(rate)),
        "wfq" => Box::new(wfq::Wfq::new(rate)),
        "wf2q" => Box::new(wf2q::Wf2q::new(rate)),
        "token_bucket" => Box::new(token_bucket::TokenBucket::default()),
        "fair_shaper" => Box::new(fair_shaper::FairShaper::new(rate)),
        "rcsp" => Box::new(rcsp::Rcsp::default()),
        "sjf" => Box::new(Urgency::ShortestJob),
        "srtf" => Box::new(Urgency::ShortestRemaining),
        "lstf" => Box::new(Urgency::LeastSlack),
        "edf" => Box::new(Urgency::EarliestDeadline),
        other => panic!("no policy {other}"),
    }
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

fn schedulers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4/schedulers")
}

/// The policies of `p4/schedulers`.
pub fn names_in_p4() -> Vec<String> {
    let files = std::fs::read_dir(schedulers()).expect("a folder").flatten();
    let files =
        files.map(|file| file.path()).filter(|path| path.extension() == Some("p4".as_ref()));
    files.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()).collect()
}

/// Picoseconds of a clock: 250 MHz.
pub const PERIOD: u64 = 4000;

fn pace(rate: u64) -> Pace {
    Pace::of_rate(rate).expect("in range")
}

fn parameters(&(weight, rate, burst): &(u64, u64, u64)) -> Parameters {
    Parameters {
        weight,
        priority: priority(rate),
        pace: pace(rate),
        burst,
        quantum: quantum(burst),
    }
}

/// Some priorities are those of several children.
fn priority(rate: u64) -> u64 {
    rate % 4
}

/// Less and more than a packet.
fn quantum(burst: u64) -> u64 {
    500 + burst / 2
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
        let nodes = self.nodes.iter().zip(&self.flows).map(|(node, flows)| {
            let children = flows.iter().map(|flow| (parameters(flow), ChildSpec::Flow)).collect();
            let policy = twin(self.policies.leaf, node.1);
            (
                parameters(node),
                ChildSpec::Node(NodeSpec { policy, trigger: Trigger::Output, children }),
            )
        });
        let root = NodeSpec {
            policy: twin(self.policies.root, self.link),
            trigger: Trigger::Output,
            children: nodes.collect(),
        };
        Scheduler::new(root).expect("a tree")
    }

    pub fn hardware(&self, files: &[SourceFile]) -> TwoLevel {
        if self.p4 {
            return self.hardware_in_p4(files);
        }
        let block = |name| match name {
            "wf2q" => PolicyBlock::wf2q(),
            "token_bucket" => PolicyBlock::token_bucket(),
            other => panic!("no {other} in SystemVerilog"),
        };
        let Policies { root, leaf } = self.policies;
        let (root_virtual, leaf_virtual) = (root == "wf2q", leaf == "wf2q");
        let (root, leaf) = (block(root), block(leaf));
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
        let Policies { root, leaf } = self.policies;
        let block = |level: &str, name: &str, nodes, children| {
            let program = P4Program::load(&schedulers().join(format!("{name}.p4"))).expect(name);
            let options = EmitOptions { width: 512, ..EmitOptions::default() };
            let size = Size { nodes, children };
            let design = policy_design(&format!("{level}_{name}"), &program, size, &options);
            design.unwrap_or_else(|error| panic!("{error}")).block
        };
        let Shape { nodes, flows, .. } = self.shape;
        let root = block("root", root, 1, nodes.max(4));
        let leaf = block("leaf", leaf, nodes, nodes * flows.next_power_of_two());
        let hardware = TwoLevel::with_files(self.shape, &root, &leaf, PERIOD, files);
        let mut hardware = hardware.unwrap_or_else(|error| panic!("{error}"));
        let mut set = |level, rate, children: Vec<(u32, (u64, u64, u64))>| {
            let sum = children.iter().map(|(_, (weight, ..))| weight).sum();
            for (child, (weight, limit, burst)) in children {
                let fields = [
                    ("child", u64::from(child)),
                    ("weight", weight),
                    ("priority", priority(limit)),
                    ("pace", pace(limit).multiplier()),
                    ("share", pace(rate).share(weight, sum).multiplier()),
                    ("node_pace", pace(rate).multiplier()),
                    ("burst", burst),
                    ("quantum", quantum(burst)),
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
