//! `ww lab`: networks in virtual time and in namespaces.

mod check;
mod netns;
mod run;
mod seeds;
mod sweep;
mod watch;

use crate::Failure;
use crate::lab_args::{LabArguments, LabCommand};
use crate::output::{print, tell};
use std::path::PathBuf;
use ww_config::mistakes::Report;
use ww_lab::inspect;
use ww_lab::lab::{self, Lab};
use ww_lab::starter;
use ww_rtl::runner::cache::Cache;

/// Does what the arguments say.
pub fn lab(arguments: &LabArguments) -> Result<(), Failure> {
    match &arguments.command {
        LabCommand::Run(arguments) => run::run(arguments),
        LabCommand::Sweep(arguments) => sweep::sweep(arguments),
        LabCommand::Seeds(arguments) => seeds::seeds(arguments),
        LabCommand::List => list(),
        LabCommand::New(arguments) => check::new(&arguments.name),
        LabCommand::Check(arguments) => check::check(&arguments.lab),
        LabCommand::Clean => netns::clean(),
        LabCommand::Element => netns::element(),
        LabCommand::Switch => netns::switch(),
        LabCommand::Host => netns::host(),
        LabCommand::Shim => netns::shim(),
    }
}

/// The folders `labs` from here upwards.
fn folders() -> Vec<PathBuf> {
    std::env::current_dir().map(|here| lab::folders(&here)).unwrap_or_default()
}

/// Opens the lab that a word names.
fn open(word: &str) -> Result<Lab, Failure> {
    let path = match lab::find(word, &folders()) {
        Ok(path) => path,
        Err(error) => match starter::unpack(word, &unpacked()?) {
            Some(unpacked) => unpacked.map_err(Failure::Rejected)?,
            None => return Err(Failure::Rejected(error)),
        },
    };
    inspect::open(&path).map_err(rejected)
}

/// Where labs that come with the program are written to be run: a folder of the user's own.
fn unpacked() -> Result<PathBuf, Failure> {
    let place = Cache::place().ok_or_else(|| {
        Failure::Rejected("set HOME, or WW_CACHE to a folder for the lab's files".to_owned())
    })?;
    Ok(place.join(format!("labs-{}", env!("CARGO_PKG_VERSION"))))
}

/// The labs there are: those of the folders `labs` from here upwards, and those that come with the program.
fn every_name() -> Vec<String> {
    let ours = starter::names().into_iter().map(str::to_owned);
    let mut names: Vec<String> =
        folders().iter().flat_map(|folder| lab::names(folder)).chain(ours).collect();
    names.sort();
    names.dedup();
    names
}

/// Prints all mistakes.
fn rejected(report: Report) -> Failure {
    tell(&report);
    Failure::Rejected(match report.count() {
        1 => "1 mistake".to_owned(),
        count => format!("{count} mistakes"),
    })
}

/// A line for each lab: its name, and what it is.
fn list() -> Result<(), Failure> {
    let mut labs: Vec<(String, String)> = Vec::new();
    for folder in folders() {
        for name in lab::names(&folder) {
            if !labs.iter().any(|(known, _)| *known == name) {
                let title = Lab::open(&folder.join(&name)).ok().and_then(|lab| lab.title());
                labs.push((name, title.unwrap_or_default()));
            }
        }
    }
    for name in starter::names() {
        if !labs.iter().any(|(known, _)| known == name) {
            let text = starter::text(name).unwrap_or_default();
            let title = Lab::of_text(name, text).title().unwrap_or_default();
            labs.push((name.to_owned(), title));
        }
    }
    labs.sort();
    let wide = labs.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let lines: String =
        labs.iter().map(|(name, title)| format!("{name:wide$}  {title}\n")).collect();
    print(&lines)
}
