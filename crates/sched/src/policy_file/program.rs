//! Policies in P4 that files name: finding them, and engines for them.

use super::{NodePlan, PolicyName};
use crate::framework::fixed::Pace;
use crate::policies::program::{Compiler, EngineName, PolicyProgram, ProgramPolicy, Runner};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_dataplane::policy::Size;

/// The policy of a node.
#[derive(Clone, Debug)]
pub(super) enum PolicyPlan {
    /// One of ours.
    Named(PolicyName),
    /// One in P4.
    P4(P4Plan),
}

/// A policy in P4 and what runs it.
#[derive(Clone, Debug)]
pub(super) struct P4Plan {
    program: Arc<dyn PolicyProgram>,
    engine: Option<EngineName>,
    /// As the file writes it.
    word: String,
}

impl PolicyPlan {
    /// As files write it.
    pub fn word(&self) -> &str {
        match self {
            Self::Named(name) => name.word(),
            Self::P4(plan) => &plan.word,
        }
    }

    /// One of ours, if it is.
    pub fn name(&self) -> Option<PolicyName> {
        match self {
            Self::Named(name) => Some(*name),
            Self::P4(_) => None,
        }
    }

    /// Whether it is this one of ours.
    pub fn is(&self, name: PolicyName) -> bool {
        self.name() == Some(name)
    }

    /// The keys that it reads in its children. One in P4 may read all.
    pub fn reads(&self) -> &'static [&'static str] {
        match self {
            Self::Named(name) => name.reads(),
            Self::P4(_) => &["weight", "priority", "rate", "burst", "quantum"],
        }
    }
}

/// Where files are looked for, and what compiles them.
pub(super) struct Loader<'c> {
    place: Place<'c>,
    known: BTreeMap<PathBuf, Arc<dyn PolicyProgram>>,
}

enum Place<'c> {
    Nowhere,
    Folder(PathBuf, &'c dyn Compiler),
    /// This one, whatever it is called.
    Only(PathBuf, &'c dyn Compiler),
}

impl<'c> Loader<'c> {
    /// Finds nothing.
    pub fn nowhere() -> Self {
        Self { place: Place::Nowhere, known: BTreeMap::new() }
    }

    /// Finds files from a folder on.
    pub fn of(folder: &Path, compiler: &'c dyn Compiler) -> Self {
        Self { place: Place::Folder(folder.into(), compiler), known: BTreeMap::new() }
    }

    /// Finds one file.
    pub fn only(file: &Path, compiler: &'c dyn Compiler) -> Self {
        Self { place: Place::Only(file.into(), compiler), known: BTreeMap::new() }
    }

    /// The policy in P4 that a node names by this path.
    ///
    /// # Errors
    /// What is wrong with it, perhaps in several lines.
    pub fn policy(&mut self, word: &str, engine: Option<EngineName>) -> Result<P4Plan, String> {
        let (path, word, compiler) = match &self.place {
            Place::Folder(folder, compiler) => (folder.join(word), word.to_owned(), compiler),
            Place::Only(path, compiler) => (path.clone(), path.display().to_string(), compiler),
            Place::Nowhere => return Err(format!("there is no folder in which '{word}' could be")),
        };
        let program = match self.known.get(&path) {
            Some(program) => Arc::clone(program),
            None => {
                let program = compiler.load(&path)?;
                Arc::clone(self.known.entry(path).or_insert(program))
            }
        };
        Ok(P4Plan { program, engine, word })
    }
}

/// The engines of a scheduler: one for each policy in P4, which all its nodes share.
pub(super) struct Runners(Vec<Shared>);

struct Shared {
    plan: P4Plan,
    runner: Runner,
    /// Nodes and children that have their states.
    used: Size,
}

impl P4Plan {
    fn shares_engine(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.program, &other.program) && self.engine == other.engine
    }
}

impl Runners {
    /// Engines for all nodes of a plan.
    ///
    /// # Errors
    /// Several lines: what in a policy its engine does not run.
    pub fn of(root: &NodePlan) -> Result<Self, String> {
        let mut sizes = Vec::new();
        sum(root, 1, &mut sizes);
        let shared = sizes.into_iter().map(|(plan, size)| {
            let runner = Runner::new(&*plan.program, size, plan.engine)?;
            Ok(Shared { plan: plan.clone(), runner, used: Size { nodes: 0, children: 0 } })
        });
        Ok(Self(shared.collect::<Result<_, String>>()?))
    }

    /// The policy of the next node with this plan.
    pub fn node(&mut self, plan: &P4Plan, children: u32, pace: Pace) -> ProgramPolicy {
        let shared = self.0.iter_mut().find(|shared| shared.plan.shares_engine(plan));
        let shared = shared.expect("engines were made for all nodes of the plan");
        let Size { nodes, children: first } = shared.used;
        shared.used = Size { nodes: nodes + 1, children: first + children };
        shared.runner.node(nodes, first, pace)
    }
}

/// Adds `times` nodes like this one, and all below. Files have few nodes; their counts are bounded.
fn sum<'p>(node: &'p NodePlan, times: u32, sizes: &mut Vec<(&'p P4Plan, Size)>) {
    if let PolicyPlan::P4(plan) = &node.policy {
        let place = sizes.iter().position(|(other, _)| other.shares_engine(plan));
        let place = place.unwrap_or_else(|| {
            sizes.push((plan, Size { nodes: 0, children: 0 }));
            sizes.len() - 1
        });
        let size = &mut sizes[place].1;
        size.nodes += times;
        size.children += times * node.children();
    }
    for child in &node.children {
        if let Some(below) = &child.node {
            sum(below, times * child.count, sizes);
        }
    }
}

impl NodePlan {
    /// How many children it has.
    pub fn children(&self) -> u32 {
        self.children.iter().map(|child| child.count).sum()
    }
}

/// The file that a policy alone stands for: docs/scheduling.md has it.
pub(super) fn one_node() -> String {
    let mut text = String::from("rate = \"10 Gb/s\"\n[root]\npolicy = \"policy.p4\"\n");
    let mut classes = String::new();
    for queue in 0..8 {
        text += &format!("[[root.children]]\nname = \"queue{queue}\"\npriority = {}\n", 7 - queue);
        classes += &format!("[[traffic.classes]]\nflow = \"queue{queue}\"\nqueue = {queue}\n");
    }
    text + &classes
}
