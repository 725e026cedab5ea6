//! The two-level scheduler of `rtl/scheduler` under Verilator, clock by clock.
//!
//! [`TwoLevel`] drives it; [`experiment`] is the published one, rate limits of nodes and fair shares of their flows.

pub mod experiment;
mod wrapper;

use crate::bench::{Bench, Top};
use crate::design::SourceFile;
use crate::runner::Error;
use crate::runner::model::Signal;
use ww_sched::framework::Meta;
use ww_sched::framework::fixed::Pace;

/// How large it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Nodes below the root, 2 to 64.
    pub nodes: u32,
    /// Flows of each node, 2 to 256.
    pub flows: u32,
    /// Packets that a flow's queue holds, a power of two from 2 to 4,096.
    pub depth: u32,
}

impl Shape {
    /// The published one: 10 nodes of 10 flows.
    pub fn published() -> Self {
        Self { nodes: 10, flows: 10, depth: 16 }
    }

    /// The number of a flow among the children of all nodes: `{node, flow}` in hardware.
    pub fn leaf(&self, node: u32, flow: u32) -> u32 {
        (node << ceil_log2(self.flows)) | flow
    }

    fn check(&self) -> Result<(), Error> {
        let depth = self.depth.is_power_of_two() && (2..=4096).contains(&self.depth);
        match (2..=64).contains(&self.nodes) && (2..=256).contains(&self.flows) && depth {
            true => Ok(()),
            false => Err(Error::Model(format!("no scheduler is simulated with {self:?}"))),
        }
    }
}

/// Bits that numbers below `count` need.
fn ceil_log2(count: u32) -> u32 {
    count.next_power_of_two().trailing_zeros()
}

/// Which of the two lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The nodes.
    Root,
    /// The flows of all nodes.
    Leaf,
}

/// A module with the policy port of `rtl/scheduler/README.md`. Its parameters are `NODES` and `CHILDREN`.
#[derive(Clone, Debug)]
pub struct PolicyBlock {
    /// Its name.
    pub module: String,
    /// Files that it needs and that are not in `rtl/`.
    pub files: Vec<SourceFile>,
    /// The requests to which it has an answer: bit k stands for kind k.
    pub asks: u8,
    /// Words that it reads of a packet: 0; 1, its arrival; 6, its job too.
    pub head_words: u32,
    /// Its configuration port besides `cfg_valid` and `cfg_ready`: names without `cfg_`, and their widths.
    pub configuration: Vec<(String, Width)>,
}

/// The width of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// So many bits, 1 to 64.
    Bits(u32),
    /// As many as the number of a child in the list has.
    Child,
}

impl PolicyBlock {
    /// `ww_policy_token_bucket`.
    pub fn token_bucket() -> Self {
        let configuration = [("child", Width::Child), ("pace", Width::Bits(51))];
        Self::ours(
            "ww_policy_token_bucket",
            0b011,
            &[configuration[0], configuration[1], ("burst", Width::Bits(64))],
        )
    }

    /// `ww_policy_wf2q`.
    pub fn wf2q() -> Self {
        let configuration =
            [("is_node", Width::Bits(1)), ("index", Width::Child), ("pace", Width::Bits(51))];
        Self::ours("ww_policy_wf2q", 0b111, &configuration)
    }

    fn ours(module: &str, asks: u8, configuration: &[(&str, Width)]) -> Self {
        let configuration = configuration.iter().map(|&(name, width)| (name.to_owned(), width));
        let configuration = configuration.collect();
        Self { module: module.to_owned(), files: Vec::new(), asks, head_words: 0, configuration }
    }
}

/// A packet that comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// Where to.
    pub node: u32,
    /// Among the flows of the node.
    pub flow: u32,
    /// Bytes, up to 65,535; with 0 it is dropped.
    pub bytes: u32,
    /// The caller's name for it.
    pub handle: u16,
}

/// A packet that leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Departure {
    /// The packet.
    pub packet: Arrival,
    /// The wall clock when its choice began, picoseconds.
    pub time: u64,
}

/// What happens in a clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// The packet that was offered is taken.
    pub accepted: bool,
    /// A choice begins.
    pub attempt: bool,
    /// A packet leaves.
    pub departure: Option<Departure>,
}

/// A scheduler in simulation. Its wall clock is the number of clocks times their period.
pub struct TwoLevel {
    bench: Bench,
    shape: Shape,
    period: u64,
    clocks: u64,
}

impl TwoLevel {
    /// Builds the model, or takes the one that is kept, and resets it. A clock takes `period` picoseconds.
    ///
    /// # Errors
    /// The shape is too large, the tools are missing, or the model does not work.
    pub fn new(
        shape: Shape,
        root: &PolicyBlock,
        leaf: &PolicyBlock,
        period: u64,
    ) -> Result<Self, Error> {
        Self::with_files(shape, root, leaf, period, &[])
    }

    /// The same with files that stand for those of `rtl/` of the same name.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_files(
        shape: Shape,
        root: &PolicyBlock,
        leaf: &PolicyBlock,
        period: u64,
        files: &[SourceFile],
    ) -> Result<Self, Error> {
        shape.check()?;
        let top = "ww_hierarchy";
        let mut design =
            Top::of(top).file(&format!("{top}.sv"), wrapper::text(top, &shape, root, leaf));
        for file in root.files.iter().chain(&leaf.files).chain(files) {
            design = design.file(&file.name, file.text.as_str());
        }
        let mut scheduler = Self { bench: Bench::new(&design)?, shape, period, clocks: 0 };
        scheduler.bench.set("rst", 1);
        scheduler.clock(None, false)?;
        scheduler.clock(None, false)?;
        scheduler.bench.set("rst", 0);
        scheduler.clocks = 0;
        scheduler.bench.set("now", 0);
        Ok(scheduler)
    }

    /// What a policy knows of the packets that are offered from now on; zeros before.
    pub fn set_job(&mut self, job: &Meta) {
        let Meta { size, remaining, slack, deadline, release } = *job;
        let words = [size, remaining, slack, deadline, release].map(u64::to_le_bytes);
        self.bench.set_bytes("enq_job", 0, words.as_flattened());
    }

    /// Clocks since reset.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// The wall clock of the next clock, picoseconds.
    pub fn now(&self) -> u64 {
        self.clocks * self.period
    }

    /// Its size.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Packets that were dropped because their queue was full, and those without bytes or to no flow.
    pub fn dropped(&self) -> (u64, u64) {
        (self.bench.get("dropped_packets"), self.bench.get("invalid_packets"))
    }

    /// Whether no arrival and no departure is under way.
    pub fn is_idle(&self) -> bool {
        self.bench.get("idle") != 0
    }

    /// One clock: a packet is offered, or none, and the link takes one, or does not.
    ///
    /// # Errors
    /// The model stopped.
    pub fn clock(&mut self, offered: Option<&Arrival>, link_ready: bool) -> Result<Events, Error> {
        self.bench.set("now", self.clocks * self.period);
        self.bench.set("enq_valid", u64::from(offered.is_some()));
        if let Some(arrival) = offered {
            self.bench.set("enq_node", u64::from(arrival.node));
            self.bench.set("enq_flow", u64::from(arrival.flow));
            self.bench.set("enq_length", u64::from(arrival.bytes));
            self.bench.set("enq_handle", u64::from(arrival.handle));
        }
        self.bench.set("dep_ready", u64::from(link_ready));
        self.bench.settle()?;
        let departure = (link_ready && self.bench.get("dep_valid") != 0).then(|| Departure {
            packet: Arrival {
                node: self.bench.get("dep_node") as u32,
                flow: self.bench.get("dep_flow") as u32,
                bytes: self.bench.get("dep_length") as u32,
                handle: self.bench.get("dep_handle") as u16,
            },
            time: self.bench.get("dep_time"),
        });
        let events = Events {
            accepted: offered.is_some() && self.bench.get("enq_ready") != 0,
            attempt: self.bench.get("attempt") != 0,
            departure,
        };
        self.bench.edge()?;
        self.clocks += 1;
        Ok(events)
    }

    /// Writes a word to the configuration port of a policy, without arrivals and departures meanwhile.
    ///
    /// # Errors
    /// There is no such field, or the policy does not take it.
    pub fn configure(&mut self, level: Level, fields: &[(&str, u64)]) -> Result<(), Error> {
        let level = match level {
            Level::Root => "root",
            Level::Leaf => "leaf",
        };
        let port = |name: &str| self.bench.port(&format!("{level}_cfg_{name}"));
        let (valid, ready) = (port("valid")?, port("ready")?);
        let fields: Vec<(Signal, u64)> = fields
            .iter()
            .map(|&(name, value)| Ok((port(name)?, value)))
            .collect::<Result<_, Error>>()?;
        for (signal, value) in fields {
            self.bench.set(signal, value);
        }
        self.bench.set(valid, 1);
        // It clears its state after reset.
        let patience = 1000 + 4 * u64::from(self.shape.nodes * self.shape.flows);
        for _ in 0..patience {
            self.bench.settle()?;
            let taken = self.bench.get(ready) != 0;
            self.clock(None, false)?;
            if taken {
                self.bench.set(valid, 0);
                return Ok(());
            }
        }
        Err(Error::Model("the policy does not take its configuration".to_owned()))
    }

    /// Limits a child of a token bucket.
    ///
    /// # Errors
    /// The policy of this level is another one.
    pub fn set_limit(
        &mut self,
        level: Level,
        child: u32,
        pace: Pace,
        burst_bytes: u64,
    ) -> Result<(), Error> {
        let burst = pace.tag(burst_bytes);
        let fields = [("child", child.into()), ("pace", pace.multiplier()), ("burst", burst)];
        self.configure(level, &fields)
    }

    /// Sets the weights of the children of a node of WF2Q+ that is served at this pace; `children` are their
    /// numbers in the list and weights. Node 0 is the one of the root's level.
    ///
    /// # Errors
    /// The policy of this level is another one.
    pub fn set_shares(
        &mut self,
        level: Level,
        node: u32,
        pace: Pace,
        children: &[(u32, u64)],
    ) -> Result<(), Error> {
        let sum = children.iter().map(|&(_, weight)| weight).sum();
        let served = pace.multiplier();
        self.configure(level, &[("is_node", 1), ("index", node.into()), ("pace", served)])?;
        for &(child, weight) in children {
            let pace = pace.share(weight, sum).multiplier();
            self.configure(level, &[("is_node", 0), ("index", child.into()), ("pace", pace)])?;
        }
        Ok(())
    }
}
