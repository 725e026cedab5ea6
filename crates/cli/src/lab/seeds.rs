//! `ww lab seeds`

use super::run::digits;
use super::watch::{Watcher, workers};
use super::{every_name, netns, open, rejected};
use crate::Failure;
use crate::lab_args::LabSeedsArguments;
use crate::output::{counted, print, tell};
use std::fmt::Write;
use ww_lab::expect::Expectation;
use ww_lab::inspect::{self, Inspected};
use ww_lab::lab::{Lab, Request};
use ww_lab::plan::World;
use ww_lab::programs::Engines;
use ww_lab::seeds::{Row, Status, Tries, known};
use ww_lab::world::{PartWatch, sim};

/// Runs labs on fresh seeds and says which expectations hold. Status 1 if one fails that is not known to, or if one that is
/// known to fail holds again.
pub fn seeds(arguments: &LabSeedsArguments) -> Result<(), Failure> {
    let tries = Tries {
        first: arguments.first,
        count: arguments.count.get(),
        quick: arguments.quick,
        world: arguments.world.into(),
    };
    let chosen = !arguments.labs.is_empty();
    let names = if chosen { arguments.labs.clone() } else { every_name() };
    // What is wrong with any of them is told before the first one runs.
    let mut labs = Vec::new();
    for name in names {
        let lab = open(&name)?;
        let request = Request { quick: tries.quick, ..Request::default() };
        let Inspected { planned, expectations } =
            inspect::to_run(&lab, &request, &Engines::default()).map_err(rejected)?;
        match planned.variants[0].plan.worlds.possible(tries.world) {
            Ok(()) => labs.push((lab, expectations)),
            Err(reason) if chosen => {
                let world = tries.world.word();
                return Err(Failure::Rejected(format!(
                    "'{name}' is not for world {world}: {reason}"
                )));
            }
            Err(reason) => tell(format_args!("skipped {name}: {reason}")),
        }
    }
    let mut rows = Vec::new();
    if !arguments.json {
        let Tries { first, count, world, .. } = tries;
        print(&format!("tries: {count}, first seed: {first}, world: {}\n", world.word()))?;
    }
    for (lab, expectations) in &labs {
        let of_lab = run(lab, expectations, &tries, arguments)?;
        if !arguments.json {
            print(&text(&of_lab))?;
        }
        rows.extend(of_lab);
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&rows);
        print(&format!("{}\n", text.map_err(|error| Failure::Rejected(error.to_string()))?))?;
    }
    let bad = rows.iter().filter(|row| !row.is_good()).count();
    match bad {
        0 => Ok(()),
        bad => Err(Failure::Rejected(format!(
            "{bad} of {} are not as they should be",
            counted(rows.len() as u64, "expectation")
        ))),
    }
}

/// All tries of one lab.
fn run(
    lab: &Lab,
    expectations: &[Expectation],
    tries: &Tries,
    arguments: &LabSeedsArguments,
) -> Result<Vec<Row>, Failure> {
    let known = known::beside(lab).map_err(Failure::Rejected)?;
    let watch = Watcher::new(tries.count as usize)?;
    let engines = Engines::default();
    // Namespaces are of the whole machine: one try after the other.
    let threads = match tries.world {
        World::Sim => workers(arguments.workers),
        World::Netns => 1,
    };
    let rows = tries.run(lab, expectations, &known, threads, &|number, planned| {
        let part = PartWatch::new(number, planned, &watch);
        match tries.world {
            World::Sim => sim::run_all(planned, &engines, None, 1, &part),
            World::Netns => netns::run(planned, None, &watch),
        }
    });
    watch.finish();
    match rows.map_err(Failure::Rejected)? {
        Some(rows) => Ok(rows),
        None => Err(Failure::Rejected(format!("stopped in lab '{}'", lab.name))),
    }
}

/// The rows of a lab, for people.
fn text(rows: &[Row]) -> String {
    let mut text = String::new();
    if let Some(row) = rows.first() {
        let _ = writeln!(text, "{}", row.lab);
    }
    for row in rows {
        let word = match row.status() {
            Status::Holds => "holds",
            Status::FailsAsKnown => "fails, known",
            Status::Fails => "FAILS",
            Status::HoldsAgain => "HOLDS AGAIN",
        };
        let figure = |value: Option<f64>| value.map_or("-".to_owned(), digits);
        let _ = writeln!(
            text,
            "  {word:12} {:3} of {:3}  {}: {} to {}, median {}, margin {}",
            row.holds,
            row.seeds,
            row.expectation,
            figure(row.min),
            figure(row.max),
            figure(row.median),
            figure(row.margin),
        );
        if row.status() == Status::HoldsAgain {
            let _ = writeln!(text, "               remove it from {}", known::FILE);
        }
    }
    text
}
