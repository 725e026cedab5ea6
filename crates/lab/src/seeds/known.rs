//! Expectations that are known to fail on fresh seeds: a file beside labs, which gets shorter.

use super::Tries;
use crate::lab::Lab;
use crate::plan::World;
use crate::starter;
use std::path::Path;
use ww_config::Reader;

/// The file beside the folders of labs.
pub const FILE: &str = "known_seed_failures.toml";

/// A known failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// The lab.
    pub lab: String,
    /// The expectation's name.
    pub expectation: String,
    /// Where it fails.
    pub world: World,
    /// In quick runs; otherwise in whole ones.
    pub quick: bool,
    /// Tries on which it held when it was listed.
    pub holds: u32,
    /// All those tries.
    pub seeds: u32,
    /// By how much it failed, and what is known about the cause.
    pub why: String,
}

impl Known {
    /// Whether it is about an expectation of a lab, in the world and at the length of these tries.
    pub fn applies(&self, lab: &Lab, expectation: &str, tries: &Tries) -> bool {
        self.lab == lab.name
            && self.expectation == expectation
            && (self.world, self.quick) == (tries.world, tries.quick)
    }
}

/// The known failures of the folder that a lab is in; those of the labs that come with Wirewright, if the lab is one of them
/// that was unpacked.
///
/// # Errors
/// All that is wrong with the file.
pub fn beside(lab: &Lab) -> Result<Vec<Known>, String> {
    let file = lab.folder.as_deref().map(|folder| folder.join("..").join(FILE));
    match file.filter(|file| file.is_file()) {
        Some(file) => {
            let text = ww_config::text(&file).map_err(|report| report.to_string())?;
            parse(&text, &file)
        }
        None if starter::text(&lab.name) == Some(lab.text.as_str()) => {
            parse(starter::KNOWN_SEED_FAILURES, Path::new(FILE))
        }
        None => Ok(Vec::new()),
    }
}

/// Reads a list.
///
/// # Errors
/// All that is wrong with it.
pub fn parse(text: &str, file: &Path) -> Result<Vec<Known>, String> {
    let list = ww_config::parse(&file.display().to_string(), text, |reader| {
        Some(reader.each("known", known))
    });
    list.map_err(|report| report.to_string())
}

fn known(reader: &Reader<'_>) -> Option<Known> {
    let lab = reader.need::<String>("lab", "\"mm1\"");
    let expectation = reader.need::<String>("expectation", "\"Mean wait, us\"");
    let world = match reader.has("world") {
        true => reader.choice("world", &[("sim", World::Sim), ("netns", World::Netns)]),
        false => Some(World::Sim),
    };
    let quick = reader.need::<bool>("quick", "true");
    let seeds = reader.needed_within("seeds", 1..=u32::MAX, "32");
    let holds = reader.need::<u32>("holds", "4");
    let why = reader.need::<String>("why", "\"below by up to 3 us\"");
    let (holds, seeds) = (holds?, seeds?);
    if holds >= seeds {
        reader.wrong("holds", format!("expected fewer than the {seeds} of 'seeds', found {holds}"));
        return None;
    }
    Some(Known {
        lab: lab?,
        expectation: expectation?,
        world: world?,
        quick: quick?,
        holds,
        seeds,
        why: why?,
    })
}
