//! The arguments of `ww sched`.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use ww_rtl::sched_report::Part;

/// `ww sched`
#[derive(Args)]
pub struct SchedArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: SchedCommand,
}

/// What can be done with schedulers.
#[derive(Subcommand)]
pub enum SchedCommand {
    /// Execute operations on an ordered list, one a line; prints a line for each
    Exec(ExecArguments),
    /// Check a policy file, or a policy in P4, and print the hierarchy that it describes
    Check(SchedCheckArguments),
    /// Measure the fast list in memory, on one core, beside maps, a heap and a queue of bitmaps
    Bench(SchedBenchArguments),
    /// Measure schedulers beside what was published of PIEO: tables, plots, verdicts
    Report(SchedReportArguments),
}

/// `ww sched exec`
#[derive(Args)]
pub struct ExecArguments {
    /// What executes the operations
    #[arg(long = "impl", value_name = "IMPL", default_value = "list")]
    pub implementation: ImplementationName,
    /// Elements that the list holds; ids are 0 to N-1
    #[arg(long, value_name = "N", default_value_t = 1024)]
    pub capacity: u32,
    /// Bits of a rank, 1 to 64
    #[arg(long, value_name = "W", default_value_t = 16)]
    pub rank_bits: u32,
    /// Bits of a time, 1 to 64
    #[arg(long, value_name = "W", default_value_t = 16)]
    pub time_bits: u32,
    /// The operations: a file, or `-` for standard input
    #[arg(value_name = "OPS")]
    pub operations: PathBuf,
}

/// The implementations of an ordered list.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImplementationName {
    /// The reference: a sorted vector
    List,
    /// Trees that know eligible times; the decisions of `list`
    Fast,
    /// Rank alone decides; eligibility is ignored
    Pifo,
    /// Arrival alone decides
    Fifo,
    /// `rtl/pieo/ww_pieo` under Verilator: the published architecture
    Rtl,
    /// `rtl/pieo/ww_pieo_fast` under Verilator
    RtlFast,
    /// `rtl/pieo/ww_pieo_pipelined` under Verilator
    RtlPipelined,
}

/// `ww sched bench`
#[derive(Args)]
pub struct SchedBenchArguments {
    /// Flows in the list
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [32768, 1048576])]
    pub flows: Vec<u32>,
    /// Seconds for each list and load
    #[arg(long, value_name = "S", default_value_t = 0.5)]
    pub seconds: f64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `ww sched report`
#[derive(Args)]
pub struct SchedReportArguments {
    /// Write results.json and report.html into this folder
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Only these parts
    #[arg(long, value_name = "PART,..", value_delimiter = ',', value_parser = part())]
    pub only: Vec<Part>,
    /// Fewer seeds and shorter runs
    #[arg(long)]
    pub quick: bool,
    /// Do not simulate RTL blocks
    #[arg(long)]
    pub no_rtl: bool,
    /// Print the results as JSON
    #[arg(long)]
    pub json: bool,
    /// Hardware figures: a file of scripts/pieo_figures.py instead of those that come with ww
    #[arg(long, value_name = "FILE")]
    pub hardware: Option<PathBuf>,
    /// Measure hardware figures anew first (in the source tree; it takes long) and report those
    #[arg(long)]
    pub measure: bool,
    /// With --measure: numbers of elements
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_values_t = [16, 64, 256], requires = "measure")]
    pub sizes: Vec<u32>,
    /// With --measure: seconds that a point may take
    #[arg(long, value_name = "SECONDS", default_value_t = 600, requires = "measure")]
    pub limit: u32,
    /// Write the plots of the gallery into this folder, and nothing else
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "only", "json", "measure"])]
    pub gallery: Option<PathBuf>,
}

/// A part by its word.
fn part() -> impl TypedValueParser<Value = Part> {
    PossibleValuesParser::new(Part::ALL.map(Part::word))
        .try_map(|word| Part::ALL.into_iter().find(|part| part.word() == word).ok_or("no part"))
}

/// `ww sched check`
#[derive(Args)]
pub struct SchedCheckArguments {
    /// The policy file, or a policy in P4
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}
