//! The arguments of `ww lab`.

use clap::{Args, Subcommand, ValueEnum};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use ww_lab::plan::World;
use ww_lab::seeds::{COUNT, FIRST};

/// `ww lab`
#[derive(Args)]
pub struct LabArguments {
    /// What to do.
    #[command(subcommand)]
    pub command: LabCommand,
}

/// What can be done with labs.
#[derive(Subcommand)]
pub enum LabCommand {
    /// Run a lab and judge its expectations: 0 all are met, 1 some are missed
    Run(LabRunArguments),
    /// Run a lab for each combination of values; what has been run is not run again
    Sweep(LabSweepArguments),
    /// Run labs on fresh seeds: which expectations hold, on how many, by what margin
    Seeds(LabSeedsArguments),
    /// Show the labs there are, one a line, the name first
    List,
    /// Write a lab to begin with
    New(LabNewArguments),
    /// Check a lab's files: all mistakes at once
    Check(LabCheckArguments),
    /// Remove the namespaces that runs in world netns have left behind which were killed
    Clean,
    /// A process of world netns: carries the frames of all links
    #[command(hide = true)]
    Element,
    /// A process of world netns: a plain switch
    #[command(hide = true)]
    Switch,
    /// A process of world netns: between a host's stack and its link
    #[command(hide = true)]
    Shim,
    /// A process of world netns: a host's traffic
    #[command(hide = true)]
    Host,
}

/// The worlds.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WorldName {
    /// Virtual time
    Sim,
    /// Linux namespaces, real time
    Netns,
}

impl From<WorldName> for World {
    fn from(name: WorldName) -> Self {
        match name {
            WorldName::Sim => Self::Sim,
            WorldName::Netns => Self::Netns,
        }
    }
}

/// What of a lab is run.
#[derive(Args)]
pub struct LabChoice {
    /// A folder with a lab.toml, a file, or the name of a lab
    #[arg(value_name = "LAB")]
    pub lab: String,
    /// Take the lab's own short durations and wide tolerances
    #[arg(long)]
    pub quick: bool,
    /// Set a key of the lab, such as traffic.web.load=0.5 or topology.edge.rate="25 Gb/s"
    #[arg(long, value_name = "KEY=VALUE")]
    pub set: Vec<String>,
    /// Begin with this seed instead of the lab's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Run on N threads; results do not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
}

/// `ww lab run`
#[derive(Args)]
pub struct LabRunArguments {
    /// What is run.
    #[command(flatten)]
    pub choice: LabChoice,
    /// Where it is run
    #[arg(long, value_name = "WORLD", default_value = "sim")]
    pub world: WorldName,
    /// Write results.json, report.html and what the lab measures to DIR
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Print results.json instead of a summary
    #[arg(long)]
    pub json: bool,
}

/// `ww lab sweep`
#[derive(Args)]
pub struct LabSweepArguments {
    /// What is run.
    #[command(flatten)]
    pub choice: LabChoice,
    /// A key and its values; several make all combinations [default: the lab's own, from its table sweep]
    #[arg(long, value_name = "KEY=A,B,C")]
    pub over: Vec<String>,
    /// Write sweep.json, report.html and a folder for each point to DIR
    #[arg(long, value_name = "DIR", default_value = "sweep")]
    pub out: PathBuf,
    /// Run the points on the Dask cluster of this scheduler, such as tcp://10.0.0.1:8786; needs the Python package
    /// wirewright[dask], in the python3 of the path or in that of WW_PYTHON
    #[arg(long, value_name = "ADDRESS", conflicts_with = "workers")]
    pub dask: Option<String>,
}

/// `ww lab seeds`
#[derive(Args)]
pub struct LabSeedsArguments {
    /// Labs: folders with a lab.toml, files, or names [default: all labs]
    #[arg(value_name = "LAB")]
    pub labs: Vec<String>,
    /// Try each lab N times; try K uses the seeds FIRST + K n to FIRST + (K + 1) n - 1, where n is the lab's own number of
    /// seeds
    #[arg(long, value_name = "N", default_value_t = COUNT)]
    pub count: NonZeroU32,
    /// The first seed
    #[arg(long, value_name = "SEED", default_value_t = FIRST)]
    pub first: u64,
    /// Where they are run
    #[arg(long, value_name = "WORLD", default_value = "sim")]
    pub world: WorldName,
    /// Take the labs' own short durations and wide tolerances
    #[arg(long)]
    pub quick: bool,
    /// Run on N threads; results do not depend on it [default: one a core]
    #[arg(long, value_name = "N")]
    pub workers: Option<NonZeroUsize>,
    /// Print an array with an object for each expectation
    #[arg(long)]
    pub json: bool,
}

/// `ww lab new`
#[derive(Args)]
pub struct LabNewArguments {
    /// The lab's name; its folder is made in labs/, if that is there, or here
    #[arg(value_name = "NAME")]
    pub name: String,
}

/// `ww lab check`
#[derive(Args)]
pub struct LabCheckArguments {
    /// A folder with a lab.toml, a file, or the name of a lab
    #[arg(value_name = "LAB")]
    pub lab: String,
}
