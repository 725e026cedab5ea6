//! All that is wrong with a lab, in one report: in its file, in what is expected of it, in its programs and their entries.
//!
//! Each part is looked at as far as it could be read, whatever is wrong with the others; what follows from a mistake that is told
//! already is not told.

use crate::expect::{self, Expectation, Expected};
use crate::lab::{Lab, Planned, Reading, Request};
use crate::plan::{Draft, Named, Program};
use crate::programs::Engines;
use crate::world::netns;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use ww_config::mistakes::{Mistakes, Report, Sources};

/// A lab without mistakes.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// What is run.
    pub planned: Planned,
    /// What is expected of it.
    pub expectations: Vec<Expectation>,
}

/// Opens a lab: a folder with a `lab.toml`, or the file itself.
///
/// # Errors
/// It cannot be read; then what is wrong with the file beside it is told, too.
pub fn open(path: &Path) -> Result<Lab, Report> {
    Lab::open(path).map_err(|report| {
        let folder = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
        let other = if path.exists() { expect::open(folder).err() } else { None };
        other.into_iter().fold(report, Report::and)
    })
}

/// Reads a lab as it is to be run, with all that belongs to it.
///
/// # Errors
/// All that is wrong.
pub fn to_run(lab: &Lab, request: &Request, engines: &Engines) -> Result<Inspected, Report> {
    inspect(lab, request, false, engines)
}

/// Reads a lab in every way that it names: as it is, quick, at the points of its sweep; and looks whether it can be run in the worlds
/// that it names.
///
/// # Errors
/// All that is wrong.
pub fn every_way(lab: &Lab, engines: &Engines) -> Result<Inspected, Report> {
    inspect(lab, &Request::default(), true, engines)
}

fn inspect(
    lab: &Lab,
    request: &Request,
    every_way: bool,
    engines: &Engines,
) -> Result<Inspected, Report> {
    let (mut sources, mistakes) = (Sources::default(), Mistakes::default());
    let file = sources.file(&lab.file, &lab.text);
    let reading = lab.read(request, file, &mut sources, &mistakes);
    let (expected, unread) = expected(lab, &mut sources, &mistakes);
    if reading.named {
        let variants: Vec<(&str, &Named)> =
            reading.variants.iter().map(|(name, draft)| (name.as_str(), &draft.named)).collect();
        expect::names::check(&expected.measures, &variants, &mistakes);
    }
    let mut judge = Judge { engines, known: HashSet::new(), hasher: RandomState::new() };
    judge.programs(&reading, &mut sources, &mistakes);
    if every_way {
        reading.variants.iter().for_each(|(_, draft)| check_netns(draft, &mistakes));
        lab.read_otherwise(file, &mut sources, &mistakes, &mut |other, sources| {
            judge.programs(&other, sources, &mistakes);
        });
    }
    match mistakes.report(&sources).into_iter().chain(unread).reduce(Report::and) {
        None => Ok(Inspected { planned: reading.planned(), expectations: expected.list }),
        Some(report) => Err(report),
    }
}

/// What is expected of a lab; and why that could not be read.
fn expected(lab: &Lab, sources: &mut Sources, mistakes: &Mistakes) -> (Expected, Option<Report>) {
    match lab.folder.as_deref().map_or(Ok(None), expect::text) {
        Ok(None) => (Expected::default(), None),
        Ok(Some((text, shown))) => {
            let source = sources.file(shown, &text);
            (expect::read(&text, source, mistakes), None)
        }
        Err(report) => (Expected::default(), Some(report)),
    }
}

/// Looks at programs, each once.
struct Judge<'e> {
    engines: &'e Engines,
    known: HashSet<u64>,
    hasher: RandomState,
}

impl Judge<'_> {
    fn programs(&mut self, reading: &Reading, sources: &mut Sources, mistakes: &Mistakes) {
        for program in reading.variants.iter().flat_map(|(_, draft)| &draft.plan.programs) {
            let Program { file, entries, engine, place, .. } = program;
            let key = (file, entries, *engine as u8, program.scheduler.is_some(), place);
            if self.known.insert(self.hasher.hash_one(key)) {
                self.engines.inspect(program, sources, mistakes);
            }
        }
    }
}

/// A lab that says that it is for world netns must not be refused there on every machine.
fn check_netns(draft: &Draft, mistakes: &Mistakes) {
    let (Ok(()), Some(place)) = (&draft.plan.worlds.netns, &draft.worlds_place) else { return };
    let problems = netns::refused(&draft.plan);
    if let Some((first, more)) = problems.split_first() {
        let more = match more.len() {
            0 => String::new(),
            count => format!(" (and {count} more)"),
        };
        let message = format!("'worlds' names netns, which would refuse the lab: {first}{more}");
        let advice = "or say why it is not for netns: worlds = [\"sim\"], netns = \"cannot: ...\"";
        mistakes.advise(place, message, Some(advice.to_owned()));
    }
}
