//! The arguments of `ww fabric`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

/// `ww fabric`
#[derive(Args)]
pub struct FabricArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: FabricCommand,
}

/// What can be done with a fabric of circuit switches.
#[derive(Subcommand)]
pub enum FabricCommand {
    /// Print the schedule: who sends to whom in which slot, and what each switch does
    Schedule(ScheduleArguments),
    /// Simulate hosts that send flows over the fabric, cell by cell
    Sim(SimArguments),
}

/// In which order hosts meet.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OrderName {
    /// Host i meets i + 1, i + 2, ...
    Plain,
    /// A reply leaves half an epoch after what it answers
    Reordered,
}

/// `ww fabric schedule`
#[derive(Args)]
pub struct ScheduleArguments {
    /// Hosts: 2 to 4096
    #[arg(long, value_name = "N")]
    pub hosts: usize,
    /// The order in which hosts meet
    #[arg(long, value_name = "ORDER", default_value = "plain")]
    pub order: OrderName,
    /// Channels of a host: at most one for each of its peers
    #[arg(long, value_name = "C", default_value_t = 1)]
    pub channels: usize,
    /// Print what the switches of a folded Clos network with so many leaves do for channel 0, too; L divides N
    #[arg(long, value_name = "L")]
    pub leaves: Option<usize>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// By which rules hosts send.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RulesName {
    /// Those of the authors' public simulator: plain order, one channel, no delay, slots of 5.632 ns
    Published,
}

/// `ww fabric sim`
#[derive(Args)]
pub struct SimArguments {
    /// What is to be sent: a line id,src,dst,cells,start_slot for each flow, in the order of starts
    #[arg(value_name = "FLOWS")]
    pub flows: PathBuf,
    /// By which rules hosts send
    #[arg(long, value_name = "RULES")]
    pub rules: RulesName,
    /// Hosts: 2 to 4096
    #[arg(long, value_name = "N")]
    pub hosts: usize,
    /// The order in which hosts meet
    #[arg(long, value_name = "ORDER", default_value = "plain")]
    pub order: OrderName,
    /// Channels of a host
    #[arg(long, value_name = "C", default_value_t = 1)]
    pub channels: usize,
    /// How long a cell travels, in nanoseconds
    #[arg(long, value_name = "D", default_value_t = 0.0)]
    pub delay_ns: f64,
    /// End after so many epochs
    #[arg(long, value_name = "E", value_parser = clap::value_parser!(u64).range(1..))]
    pub epochs: Option<u64>,
    /// Slots at the start that do not count for the throughput
    #[arg(long, value_name = "SLOTS", default_value_t = 0)]
    pub warmup: u64,
    /// End when so many flows have finished
    #[arg(long, value_name = "F", value_parser = clap::value_parser!(u64).range(1..))]
    pub finish: Option<u64>,
    /// Hold back cells of young flows; their age counts in steps of so many slots. 0: do not
    #[arg(long, value_name = "G", default_value_t = 0)]
    pub gate: u64,
    /// Per cent of the hosts that have failed, those with the least numbers; their flows are ignored
    #[arg(long, value_name = "PCT", default_value_t = 0.0)]
    pub fail: f64,
    /// Threads, at most one for each host; results do not depend on it
    #[arg(long, value_name = "W", default_value_t = 1)]
    pub workers: usize,
    /// Write a line for each finished flow, with its times and rates
    #[arg(long, value_name = "FILE")]
    pub flows_out: Option<PathBuf>,
    /// Write each cell that is sent, as CSV: slot,from,to,src,dst,seq
    #[arg(long, value_name = "FILE")]
    pub trace: Option<PathBuf>,
    /// Print figures as JSON
    #[arg(long)]
    pub json: bool,
}
