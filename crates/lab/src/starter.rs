//! The labs that come with Wirewright, for where its tree is not.

use std::fs;
use std::path::{Path, PathBuf};

/// A file of a lab: the lab's name, the file's name, and what stands in it.
type File = (&'static str, &'static str, &'static str);

macro_rules! files {
    ($($lab:literal / $file:literal),* $(,)?) => {
        [$(($lab, $file, include_str!(concat!("../../../labs/", $lab, "/", $file)))),*]
    };
}

const FILES: &[File] = &files![
    "hello" / "lab.toml",
    "hello" / "expected.toml",
    "hello" / "router.p4",
    "stack" / "lab.toml",
    "stack" / "expected.toml",
    "stack" / "router.p4",
    "incast" / "lab.toml",
    "incast" / "expected.toml",
    "leaf-spine" / "lab.toml",
    "leaf-spine" / "expected.toml",
    "dctcp" / "lab.toml",
    "dctcp" / "expected.toml",
    "shoal-incast" / "lab.toml",
    "shoal-incast" / "expected.toml",
    "shoal-permutation" / "lab.toml",
    "shoal-permutation" / "expected.toml",
    "shoal-load" / "lab.toml",
    "shoal-load" / "expected.toml",
    "shoal-failures" / "lab.toml",
    "shoal-failures" / "expected.toml",
    "shoal-tcp" / "lab.toml",
    "shoal-tcp" / "expected.toml",
    "shoal-epoch" / "lab.toml",
    "shoal-epoch" / "expected.toml",
    "shoal-applications" / "lab.toml",
    "shoal-applications" / "expected.toml",
    "shoal-fairness" / "lab.toml",
    "shoal-fairness" / "expected.toml",
    "shoal-senders" / "lab.toml",
    "shoal-senders" / "expected.toml",
    "shoal-packets" / "lab.toml",
    "shoal-packets" / "expected.toml",
    "shoal-torus" / "lab.toml",
    "shoal-torus" / "expected.toml",
    "rotors" / "lab.toml",
    "rotors" / "expected.toml",
    "limago-throughput" / "lab.toml",
    "limago-throughput" / "expected.toml",
    "limago-connections" / "lab.toml",
    "limago-connections" / "expected.toml",
    "limago-window" / "lab.toml",
    "limago-window" / "expected.toml",
    "limago-loss" / "lab.toml",
    "limago-loss" / "expected.toml",
    "schedulers" / "lab.toml",
    "schedulers" / "expected.toml",
    "schedulers" / "fifo.toml",
    "schedulers" / "strict.toml",
    "schedulers" / "wf2q.toml",
    "max-min" / "lab.toml",
    "max-min" / "expected.toml",
    "max-min" / "fifo.toml",
    "max-min" / "wf2q.toml",
    "fat-tree" / "lab.toml",
    "fat-tree" / "expected.toml",
    "dumbbell" / "lab.toml",
    "dumbbell" / "expected.toml",
    "md1" / "lab.toml",
    "md1" / "expected.toml",
    "mm1" / "lab.toml",
    "mm1" / "expected.toml",
    "micro-bursts" / "lab.toml",
    "micro-bursts" / "expected.toml",
    "micro-bursts" / "queues.tpp",
    "rcp" / "lab.toml",
    "rcp" / "expected.toml",
    "rcp-overhead" / "lab.toml",
    "rcp-overhead" / "expected.toml",
    "tcp-overhead" / "lab.toml",
    "tcp-overhead" / "expected.toml",
    "conga" / "lab.toml",
    "conga" / "expected.toml",
    "dtp" / "lab.toml",
    "dtp" / "expected.toml",
    "dtp-hops" / "lab.toml",
    "dtp-hops" / "expected.toml",
    "ptp" / "lab.toml",
    "ptp" / "expected.toml",
    "drops" / "lab.toml",
    "drops" / "expected.toml",
    "paths" / "lab.toml",
    "paths" / "expected.toml",
    "convergence" / "lab.toml",
    "convergence" / "expected.toml",
    "silent-drops" / "lab.toml",
    "silent-drops" / "expected.toml",
    "histories" / "lab.toml",
    "histories" / "expected.toml",
    "histories" / "router.p4",
    "histories" / "rules.toml",
    "sketch" / "lab.toml",
    "sketch" / "expected.toml",
    "update" / "lab.toml",
    "update" / "expected.toml",
    "vendors" / "lab.toml",
    "vendors" / "expected.toml",
];

/// Names and titles of the labs.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<&str> = FILES.iter().map(|(lab, ..)| *lab).collect();
    names.dedup();
    names
}

/// The text of a lab's own file.
pub fn text(name: &str) -> Option<&'static str> {
    FILES
        .iter()
        .find(|(lab, file, _)| *lab == name && *file == crate::lab::FILE)
        .map(|(.., text)| *text)
}

/// Writes the files of a lab into a folder of its name below `folder`, and says where. `None`: there is no such lab.
///
/// # Errors
/// A sentence.
pub fn unpack(name: &str, folder: &Path) -> Option<Result<PathBuf, String>> {
    let files: Vec<&File> = FILES.iter().filter(|(lab, ..)| *lab == name).collect();
    if files.is_empty() {
        return None;
    }
    let target = folder.join(name);
    let write = || -> std::io::Result<()> {
        fs::create_dir_all(&target)?;
        files.iter().try_for_each(|(_, file, text)| fs::write(target.join(file), text))
    };
    let written = write().map_err(|error| format!("cannot write '{}': {error}", target.display()));
    Some(written.map(|()| target))
}

/// Expectations of these labs that are known to fail on fresh seeds.
pub const KNOWN_SEED_FAILURES: &str = include_str!("../../../labs/known_seed_failures.toml");

/// A lab to begin with, commented.
pub const TEMPLATE: &str = include_str!("template.toml");
/// Expectations to begin with.
pub const EXPECTED: &str = include_str!("template_expected.toml");
