//! Hierarchies of policies as TOML: `ww sched check`, and what schedulers are built of.
//!
//! ```
//! let plan = ww_sched::policy_file::Plan::parse(r#"
//!     rate = "40 Gb/s"
//!     [root]
//!     policy = "token-bucket"
//!     [[root.children]]
//!     name = "tenant"
//!     count = 2
//!     rate = "10 Gb/s"
//!     policy = "wf2q+"
//!     [[root.children.children]]
//!     name = "web"
//!     weight = 3
//!     [[root.children.children]]
//!     name = "rest"
//! "#).expect("a good file");
//! assert_eq!(plan.flows(), ["tenant.0/web", "tenant.0/rest", "tenant.1/web", "tenant.1/rest"]);
//! let scheduler = plan.scheduler();
//! assert_eq!(scheduler.flows(), 4);
//! ```

mod build;
mod program;
mod read;
mod traffic;

use crate::framework::Trigger;
use crate::framework::fixed::Pace;
use crate::framework::scheduler::Scheduler;
use crate::policies::program::Compiler;
use program::PolicyPlan;
use std::path::Path;
use ww_config::Report;

/// Flows and classes that a file may have in all.
pub const MAX_CHILDREN: u64 = 1 << 20;
/// Levels that a file may have.
pub const MAX_DEPTH: usize = 16;

/// A file that has been checked.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The link's rate, bits a second.
    pub rate: u64,
    pace: Pace,
    root: NodePlan,
    traffic: traffic::TrafficPlan,
}

#[derive(Clone, Debug)]
struct NodePlan {
    policy: PolicyPlan,
    trigger: Trigger,
    /// Aging: picoseconds.
    threshold: u64,
    literal: bool,
    children: Vec<ChildPlan>,
}

#[derive(Clone, Debug)]
struct ChildPlan {
    name: String,
    count: u32,
    weight: u64,
    priority: u64,
    /// Bits a second.
    rate: Option<u64>,
    burst: u64,
    quantum: u64,
    node: Option<NodePlan>,
}

/// The policies by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyName {
    /// [`crate::policies::fifo`]
    Fifo,
    /// [`crate::policies::strict`]
    Strict,
    /// [`crate::policies::aging`]
    Aging,
    /// [`crate::policies::drr`]
    Drr,
    /// [`crate::policies::sfq`]
    Sfq,
    /// [`crate::policies::stfq`]
    Stfq,
    /// [`crate::policies::wfq`]
    Wfq,
    /// [`crate::policies::wf2q`]
    Wf2q,
    /// [`crate::policies::token_bucket`]
    TokenBucket,
    /// [`crate::policies::fair_shaper`]
    FairShaper,
    /// [`crate::policies::rcsp`]
    Rcsp,
    /// [`crate::policies::urgency`]
    Sjf,
    /// [`crate::policies::urgency`]
    Srtf,
    /// [`crate::policies::urgency`]
    Lstf,
    /// [`crate::policies::urgency`]
    Edf,
}

impl PolicyName {
    /// All of them.
    pub const ALL: [Self; 15] = [
        Self::Fifo,
        Self::Strict,
        Self::Aging,
        Self::Drr,
        Self::Sfq,
        Self::Stfq,
        Self::Wfq,
        Self::Wf2q,
        Self::TokenBucket,
        Self::FairShaper,
        Self::Rcsp,
        Self::Sjf,
        Self::Srtf,
        Self::Lstf,
        Self::Edf,
    ];

    /// As files write it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Fifo => "fifo",
            Self::Strict => "strict",
            Self::Aging => "aging",
            Self::Drr => "drr",
            Self::Sfq => "sfq",
            Self::Stfq => "stfq",
            Self::Wfq => "wfq",
            Self::Wf2q => "wf2q+",
            Self::TokenBucket => "token-bucket",
            Self::FairShaper => "fair-shaper",
            Self::Rcsp => "rcsp",
            Self::Sjf => "sjf",
            Self::Srtf => "srtf",
            Self::Lstf => "lstf",
            Self::Edf => "edf",
        }
    }

    /// The keys that it reads in its children.
    fn reads(self) -> &'static [&'static str] {
        match self {
            Self::Strict | Self::Aging | Self::Rcsp => &["priority"],
            Self::Drr | Self::Sfq => &["quantum"],
            Self::Stfq | Self::Wfq | Self::Wf2q => &["weight"],
            Self::TokenBucket => &["rate", "burst"],
            Self::FairShaper => &["weight", "rate", "burst"],
            _ => &[],
        }
    }
}

impl Plan {
    /// Reads and checks a text, which cannot name policies in P4: it has no folder.
    ///
    /// # Errors
    /// Everything that is wrong, with its place.
    pub fn parse(text: &str) -> Result<Self, Report> {
        read::parse("", text, &mut program::Loader::nowhere())
    }

    /// Reads and checks the text of the file called `name`; policies in P4 that it names are looked for from `folder` on
    /// and compiled by `compiler`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse). What is wrong with a policy in P4 takes several lines.
    pub fn parse_in(
        name: &str,
        text: &str,
        folder: &Path,
        compiler: &dyn Compiler,
    ) -> Result<Self, Report> {
        read::parse(name, text, &mut program::Loader::of(folder, compiler))
    }

    /// A node with this policy in P4 at each port: a link of 10 Gb/s and eight flows, `queue0` to `queue7`,
    /// for the values of v1model's `priority`; seven is the best priority. All else is as where a file
    /// says nothing.
    ///
    /// # Errors
    /// What is wrong with the policy: several lines.
    pub fn of_policy(file: &Path, compiler: &dyn Compiler) -> Result<Self, String> {
        let read =
            read::parse("", &program::one_node(), &mut program::Loader::only(file, compiler));
        read.map_err(|report| {
            let messages = report.mistakes.into_iter().map(|mistake| mistake.message);
            messages.collect::<Vec<_>>().join("\n")
        })
    }

    /// A scheduler with empty queues. Its flows are numbered as in [`Plan::flows`].
    pub fn scheduler(&self) -> Scheduler {
        build::scheduler(&self.root, self.pace)
    }

    /// The names of the flows, in order: the names from the root's child on, between slashes; with a
    /// number behind a dot where a child stands for several.
    pub fn flows(&self) -> Vec<String> {
        let mut names = Vec::new();
        build::names(&self.root, "", &mut names);
        names
    }

    /// The hierarchy as text, a line for each node and flow of the file.
    pub fn outline(&self) -> String {
        let mut text = format!("root: {}\n", build::description(&self.root));
        build::outline(&self.root, 1, &mut text);
        text
    }
}
