//! The arguments of `ww fabric`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use ww_fabric::configuration::{Profile, Rules, picoseconds};
use ww_fabric::offsets::HostOffset;
use ww_fabric::relay::{self, failures::HostAt};
use ww_fabric::rotors::{self, RotorOptions};
use ww_fabric::schedule::Order;

/// `ww fabric`
#[derive(Args)]
pub struct FabricArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: FabricCommand,
}

/// What can be done with a fabric.
#[derive(Subcommand)]
pub enum FabricCommand {
    /// Print who sends to whom in each slot, and what each switch does for it
    Schedule(ScheduleArguments),
    /// Simulate the hosts cell by cell
    Sim(SimArguments),
    /// Print the matchings of switches that turn slowly, as JSON: takes the arguments of sim
    Matchings(SimArguments),
    /// Write flows for the simulator
    Flows(FlowsArguments),
    /// Compare power, cost and parts with networks of packet switches
    Report(FabricReportArguments),
}

/// In which order hosts meet.
#[derive(Clone, Copy, ValueEnum)]
pub enum OrderArgument {
    /// Shifts 1, 2, 3 ... as they come
    Plain,
    /// A host meets another half an epoch after that one met it
    Reordered,
}

impl From<OrderArgument> for Order {
    fn from(order: OrderArgument) -> Self {
        match order {
            OrderArgument::Plain => Self::Plain,
            OrderArgument::Reordered => Self::Reordered,
        }
    }
}

/// `ww fabric schedule`
#[derive(Args)]
pub struct ScheduleArguments {
    /// Hosts
    #[arg(long, value_name = "N")]
    pub hosts: usize,
    /// In which order hosts meet
    #[arg(long, value_enum, default_value = "plain")]
    pub order: OrderArgument,
    /// Channels of a host, each with a circuit of its own
    #[arg(long, value_name = "C", default_value_t = 1)]
    pub channels: usize,
    /// Show the switches of a folded Clos network with so many leaves, for channel 0
    #[arg(long, value_name = "L")]
    pub leaves: Option<usize>,
    /// Print JSON: slots[channel][slot][host], switches.NAME[slot][output]
    #[arg(long)]
    pub json: bool,
}

/// By which rules hosts send.
#[derive(Clone, Copy, ValueEnum)]
pub enum RulesArgument {
    /// Those of the authors' public simulator: plain order, one channel, slots of 5.632 ns
    Published,
    /// The length of a queue is told, and one cell of each subflow is under way (S22)
    Basic,
    /// With ready queues and equation 3.6 as printed (S23)
    Literal,
    /// With ready queues and equation 3.6 that counts a queue's own cell once (S23)
    Consistent,
    /// Ours: it is told when a cell leaves; both the queue bound and the throughput are kept
    Shoal,
    /// Switches that turn slowly, all at once; cells take one or two hops
    Rotornet,
    /// Switches that turn slowly, one after the other; short flows take several hops at once
    Opera,
    /// Switches that turn slowly, with matchings for the demand of FLOWS; one hop
    Vermilion,
}

impl From<RulesArgument> for Rules {
    fn from(rules: RulesArgument) -> Self {
        match rules {
            RulesArgument::Published => Self::Published,
            RulesArgument::Basic => Self::Relay(relay::Rules::Basic),
            RulesArgument::Literal => Self::Relay(relay::Rules::Literal),
            RulesArgument::Consistent => Self::Relay(relay::Rules::Consistent),
            RulesArgument::Shoal => Self::Relay(relay::Rules::Shoal),
            RulesArgument::Rotornet => Self::Rotors(rotors::Rules::RotorNet),
            RulesArgument::Opera => Self::Rotors(rotors::Rules::Opera),
            RulesArgument::Vermilion => Self::Rotors(rotors::Rules::Vermilion),
        }
    }
}

/// A fabric that was described.
#[derive(Clone, Copy, ValueEnum)]
pub enum ProfileArgument {
    /// 512 hosts, 4 channels, slots of 23.25 ns, no delay
    Paper,
    /// 8 hosts, one channel, slots of 76.8 ns, 1576 ns from host to host
    Prototype,
}

impl From<ProfileArgument> for Profile {
    fn from(profile: ProfileArgument) -> Self {
        match profile {
            ProfileArgument::Paper => Self::Paper,
            ProfileArgument::Prototype => Self::Prototype,
        }
    }
}

/// What the hosts and switches are.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineArgument {
    /// A simulator, for all rules and fabrics
    Model,
    /// The hardware of the prototype under Verilator: with --profile prototype
    Rtl,
}

/// `ww fabric sim`
#[derive(Args)]
pub struct SimArguments {
    /// The flows: lines of id,src,dst,cells,start_slot and, with shoal, perhaps class: 0 to 7, 0 goes first
    #[arg(value_name = "FLOWS")]
    pub flows: PathBuf,
    /// By which rules hosts send (shoal with a profile)
    #[arg(long, value_enum)]
    pub rules: Option<RulesArgument>,
    /// A fabric that was described; other options override it
    #[arg(long, value_enum)]
    pub profile: Option<ProfileArgument>,
    /// Hosts
    #[arg(long, value_name = "N")]
    pub hosts: Option<usize>,
    /// In which order hosts meet (plain if not said)
    #[arg(long, value_enum)]
    pub order: Option<OrderArgument>,
    /// Channels of a host (1 if not said)
    #[arg(long, value_name = "C")]
    pub channels: Option<usize>,
    /// Nanoseconds of a slot, with at most three decimals (23.25 if not said)
    #[arg(long, value_name = "X", value_parser = picoseconds)]
    pub slot_ns: Option<u64>,
    /// Nanoseconds from the begin of a cell's slot until it may leave the next host (0 if not said)
    #[arg(long, value_name = "D", value_parser = picoseconds)]
    pub delay_ns: Option<u64>,
    /// End after so many epochs
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: Option<u64>,
    /// Slots that do not count for the throughput
    #[arg(long, value_name = "SLOTS", default_value_t = 0)]
    pub warmup: u64,
    /// End when so many flows have finished
    #[arg(long, value_name = "F")]
    pub finish: Option<u64>,
    /// Slots of a step of age by which young flows are held back; 0: they are not (an epoch with shoal, otherwise 0)
    #[arg(long, value_name = "G")]
    pub gate: Option<u64>,
    /// Per cent of the hosts that have failed, those with the least numbers
    #[arg(long, value_name = "PCT", default_value_t = 0.0)]
    pub fail: f64,
    /// Threads; the results do not depend on them
    #[arg(long, value_name = "W", default_value_t = 1)]
    pub workers: usize,
    /// What only rotornet, opera and vermilion have
    #[command(flatten)]
    pub rotors: RotorArguments,
    /// Probability that the header of a cell arrives with a bit error, 0 to less than 1 (with shoal)
    #[arg(long, value_name = "P")]
    pub flip: Option<f64>,
    /// Seed of these errors (1 if not said)
    #[arg(long, value_name = "S", requires = "flip")]
    pub flip_seed: Option<u64>,
    /// A host dies at the start of a slot; may be repeated (with shoal)
    #[arg(long, value_name = "HOST@SLOT")]
    pub kill: Vec<HostAt>,
    /// A dead host comes back at the start of a slot; may be repeated
    #[arg(long, value_name = "HOST@SLOT")]
    pub revive: Vec<HostAt>,
    /// After the last death, change to a schedule without the dead hosts
    #[arg(long)]
    pub repair: bool,
    /// What runs the flows
    #[arg(long, value_enum, default_value = "model")]
    pub engine: EngineArgument,
    /// Slots of a host begin so many nanoseconds late, or early if less than 0; may be repeated (with --engine rtl)
    #[arg(long, value_name = "HOST=NS", allow_hyphen_values = true)]
    pub offset: Vec<HostOffset>,
    /// Nanoseconds that receivers need after each reconfiguration to lock on the phase (0 if not said)
    #[arg(long, value_name = "NS", value_parser = picoseconds)]
    pub cdr_lock: Option<u64>,
    /// Write a line for each finished flow
    #[arg(long, value_name = "FILE")]
    pub flows_out: Option<PathBuf>,
    /// Write a row of CSV for each cell that is sent
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}

/// What only fabrics have whose switches turn slowly.
#[derive(Args)]
pub struct RotorArguments {
    /// Nanoseconds from one turn of the switches to the next (200000; opera 100000, in which one of them turns)
    #[arg(long, value_name = "T", value_parser = picoseconds)]
    pub matching_ns: Option<u64>,
    /// Nanoseconds of these in which a switch that turns carries nothing (20000; opera 10000)
    #[arg(long, value_name = "R", value_parser = picoseconds)]
    pub reconfiguration_ns: Option<u64>,
    /// rotornet: the most hops of a cell, 1 or 2 (2 if not said)
    #[arg(long, value_name = "HOPS")]
    pub hops: Option<u64>,
    /// opera: flows of so many bytes and more wait for their circuit (15000000 if not said)
    #[arg(long, value_name = "BYTES")]
    pub bulk_bytes: Option<u64>,
    /// vermilion: matchings of a cycle, of hosts - 1 each; all but one part follow the demand (3 if not said)
    #[arg(long, value_name = "K")]
    pub factor: Option<u64>,
}

impl From<&RotorArguments> for RotorOptions {
    fn from(arguments: &RotorArguments) -> Self {
        Self {
            matching_ps: arguments.matching_ns,
            reconfiguration_ps: arguments.reconfiguration_ns,
            hops: arguments.hops,
            bulk_bytes: arguments.bulk_bytes,
            factor: arguments.factor,
        }
    }
}

/// `ww fabric flows`
#[derive(Args)]
pub struct FlowsArguments {
    /// What traffic
    #[command(subcommand)]
    pub pattern: PatternCommand,
    /// Hosts
    #[arg(long, value_name = "N", global = true, default_value_t = 512)]
    pub hosts: usize,
    /// Seed of all that is drawn
    #[arg(long, value_name = "S", global = true, default_value_t = 1)]
    pub seed: u64,
    /// Give flows classes, drawn at random: shares of classes 0, 1, ..., such as 1,4
    #[arg(long, value_name = "SHARES", global = true, value_delimiter = ',')]
    pub classes: Vec<f64>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE", global = true)]
    pub out: Option<PathBuf>,
}

/// The traffic.
#[derive(Subcommand)]
pub enum PatternCommand {
    /// Hosts send a flow each, to a host each
    Permutation {
        /// How many of the hosts send (all if not said)
        #[arg(long, value_name = "N")]
        pairs: Option<usize>,
        /// Cells of a flow
        #[arg(long, value_name = "N", default_value_t = 1000)]
        cells: u64,
    },
    /// Hosts send to host 0 at once
    Incast {
        /// How many hosts send (all others if not said)
        #[arg(long, value_name = "N")]
        senders: Option<usize>,
        /// Cells of a flow: 2,322 are 130 KB
        #[arg(long, value_name = "N", default_value_t = 2322)]
        cells: u64,
    },
    /// Flows between random hosts, all at once
    Random {
        /// Flows
        #[arg(long, value_name = "N", default_value_t = 512)]
        flows: usize,
        /// Cells of a flow
        #[arg(long, value_name = "N", default_value_t = 1000)]
        cells: u64,
    },
    /// Poisson arrivals, sizes of a Pareto distribution
    Pareto {
        /// Flows
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        flows: usize,
        /// Cells to send in a slot, of one a host and channel: 0 to 1
        #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
        load: f64,
        /// Channels of a host
        #[arg(long, value_name = "C", default_value_t = 1)]
        channels: usize,
        /// Exponent of the distribution
        #[arg(long, value_name = "ALPHA", default_value_t = 1.05)]
        shape: f64,
        /// Mean size in bytes
        #[arg(long, value_name = "BYTES", default_value_t = 100e3)]
        mean: f64,
        /// Largest size in bytes: larger draws are drawn again
        #[arg(long, value_name = "BYTES", default_value_t = 100e6)]
        largest: f64,
    },
    /// Flows between processors, memories and disks: synthetic, in the shape of traces that are not public
    Applications {
        /// Which: batch-records, batch-text, graph, interactive, relational-scan, relational-join
        #[arg(long, value_name = "NAME", default_value = "batch-records")]
        name: String,
        /// Flows
        #[arg(long, value_name = "N", default_value_t = 20_000)]
        flows: usize,
        /// Slots from flow to flow, in the mean: 12.65 ns in slots of 23.25 ns
        #[arg(long, value_name = "SLOTS", default_value_t = 12.65 / 23.25)]
        every: f64,
    },
}

/// `ww fabric report`
#[derive(Args)]
pub struct FabricReportArguments {
    /// Assume NAME=VALUE instead of what was published; --json shows the names
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
