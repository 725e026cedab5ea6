//! What a lab has measured, as JSON whose bytes depend on the lab, on what was set, and on the seeds alone.

mod clocks;
pub mod collect;
pub mod curve;
pub mod numbers;
pub mod statistics;
pub mod tpp;

use crate::expect::{self, Expectation, Verdict};
use crate::lab::{Lab, Planned, Request, Variant};
use crate::plan::World;
use crate::world::sim::Outcome;
use numbers::{Figures, number};
use serde_json::{Map, Value, json};
use std::io::Write;
use std::path::Path;
use ww_io::capture::PendingFile;

/// Results of a lab.
#[derive(Debug)]
pub struct Results<'l> {
    /// The lab.
    pub lab: &'l Lab,
    /// What of it was run.
    pub request: &'l Request,
    /// The plans.
    pub planned: &'l Planned,
    /// What each variant's runs gave.
    pub outcomes: Vec<Vec<Outcome>>,
    /// The figures of each variant.
    pub figures: Vec<Figures>,
    /// What became of expectations.
    pub verdicts: Vec<Verdict>,
    /// Digest of the lab, see [`digest`].
    pub digest: String,
    /// Where it was run.
    pub world: World,
}

impl<'l> Results<'l> {
    /// Of all runs of a lab in a world, and judged.
    ///
    /// # Errors
    /// Those of [`digest`].
    pub fn new(
        world: World,
        lab: &'l Lab,
        request: &'l Request,
        planned: &'l Planned,
        outcomes: Vec<Vec<Outcome>>,
        expectations: &[Expectation],
    ) -> Result<Self, String> {
        let figures: Vec<Figures> = outcomes
            .iter()
            .map(|runs| {
                let numbers: Vec<_> = runs.iter().map(|run| run.numbers.clone()).collect();
                Figures::of(&numbers)
            })
            .collect();
        let find = |path: &[String]| find(planned, &figures, path);
        let mean = |path: &[String]| find(path).map(statistics::Figure::mean);
        let interval = |path: &[String]| find(path).and_then(statistics::Figure::interval);
        let (expectations, short) = match world {
            World::Sim => (expectations.to_vec(), request.quick),
            World::Netns => {
                let there = |one: &Expectation| Expectation { quick: one.netns, ..one.clone() };
                (expectations.iter().map(there).collect(), true)
            }
        };
        let verdicts = expect::judge(&expectations, short, &mean, &interval);
        let digest = digest(lab, request, planned)?;
        Ok(Self { lab, request, planned, outcomes, figures, verdicts, digest, world })
    }

    /// When runs were stopped before their ends: variant, seed, and the time, ps. Runs that never began are told with 0.
    pub fn stopped(&self) -> Vec<(&'l Variant, u64, u64)> {
        let mut list = Vec::new();
        for (variant, outcomes) in self.planned.variants.iter().zip(&self.outcomes) {
            let run = &variant.plan.run;
            for number in 0..run.seeds {
                let seed = run.seed.wrapping_add(number.into());
                match outcomes.iter().find(|outcome| outcome.seed == seed) {
                    None => list.push((variant, seed, 0)),
                    Some(outcome) => list.extend(outcome.stopped.map(|at| (variant, seed, at))),
                }
            }
        }
        list
    }

    /// Why figures may not be what they look like: variant, seed, and what there is to say.
    pub fn notes(&self) -> Vec<(&'l Variant, u64, &str)> {
        let runs = self.planned.variants.iter().zip(&self.outcomes);
        let runs = runs.flat_map(|(variant, outcomes)| outcomes.iter().map(move |o| (variant, o)));
        runs.flat_map(|(variant, outcome)| {
            outcome.notes.iter().map(move |note| (variant, outcome.seed, note.as_str()))
        })
        .collect()
    }

    /// How many expectations were missed.
    pub fn missed(&self) -> usize {
        self.verdicts.iter().filter(|verdict| verdict.is_met() == Some(false)).count()
    }

    /// As JSON; keys are sorted.
    pub fn json(&self) -> Value {
        let mut results = Map::new();
        for (variant, figures) in self.planned.variants.iter().zip(&self.figures) {
            let Value::Object(mut tree) = figures.json() else { continue };
            tree.insert("run".into(), run_json(variant));
            match variant.name.is_empty() {
                true => results.extend(tree),
                false => {
                    results.insert(variant.name.clone(), Value::Object(tree));
                }
            }
        }
        let mut all = json!({
            "format": 1,
            "lab": self.lab.name,
            "title": self.planned.variants[0].plan.title,
            "world": self.world.word(),
            "version": env!("CARGO_PKG_VERSION"),
            "digest": self.digest,
            "quick": self.request.quick,
            "set": self.request.set,
            "statement": STATEMENT,
            "results": results,
            "expectations": self.verdicts.iter().map(verdict_json).collect::<Vec<_>>(),
        });
        let stopped = self.stopped();
        if let (Value::Object(all), false) = (&mut all, stopped.is_empty()) {
            let line = |(variant, seed, at): &(&Variant, u64, u64)| json!({ "variant": variant.name, "seed": seed, "stopped_at_us": number(*at as f64 / 1e6) });
            all.insert("stopped".into(), stopped.iter().map(line).collect());
        }
        let notes = self.notes();
        if let (Value::Object(all), false) = (&mut all, notes.is_empty()) {
            let line = |(variant, seed, note): &(&Variant, u64, &str)| json!({ "variant": variant.name, "seed": seed, "note": note });
            all.insert("notes".into(), notes.iter().map(line).collect());
        }
        all
    }

    /// The JSON as a file: indented, with a line's end at the end.
    pub fn text(&self) -> String {
        format!("{:#}\n", self.json())
    }
}

/// What readers must know of all figures.
const STATEMENT: &str = "Figures are means over the runs; with several runs, intervals hold the true mean with a probability of 95 % \
(Student's t). What was sent or started during the warm-up is not counted. Flow completion times are those of flows that finished; \
'unfinished' says how many did not. Quantiles are at most 1/128 too large. Times are in microseconds, rates in bits a second. An offered \
load counts the bytes of flows, not headers.";

/// The figure at a path; with variants the first name is one of theirs.
fn find<'f>(
    planned: &Planned,
    figures: &'f [Figures],
    path: &[String],
) -> Option<&'f statistics::Figure> {
    let unnamed = planned.variants.first()?.name.is_empty();
    let (place, rest) = match unnamed {
        true => (0, path),
        false => {
            let (name, rest) = path.split_first()?;
            (planned.variants.iter().position(|variant| variant.name == *name)?, rest)
        }
    };
    figures.get(place)?.list.get(rest)
}

fn run_json(variant: &Variant) -> Value {
    let run = &variant.plan.run;
    let us = |ps: u64| number(ps as f64 / 1e6);
    json!({
        "duration_us": us(run.duration),
        "warmup_us": us(run.warmup),
        "drain_us": us(run.drain),
        "seed": run.seed,
        "seeds": run.seeds,
    })
}

fn verdict_json(verdict: &Verdict) -> Value {
    let expectation = &verdict.expectation;
    let mut line = json!({
        "name": expectation.name,
        "measure": expectation.measure,
        "published": number(expectation.published),
        "source": expectation.source,
        "tolerance": verdict.tolerance.map(super::expect::Tolerance::words),
        "verdict": verdict.word(),
    });
    if let Value::Object(line) = &mut line {
        match &verdict.measured {
            Ok(measured) => line.insert("measured".into(), number(*measured)),
            Err(error) => line.insert("problem".into(), json!(error)),
        };
        if let Some((low, high)) = verdict.interval {
            line.insert("interval".into(), json!([number(low), number(high)]));
        }
    }
    line
}

/// A digest of what results depend on: the lab's text, what was set, the entries and files of programs and policies
/// as far as the lab names them, and the version of Wirewright. Files that programs include are not seen.
///
/// # Errors
/// One of the files cannot be read. A lab without an `expected.toml` is no error.
pub fn digest(lab: &Lab, request: &Request, planned: &Planned) -> Result<String, String> {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    hash.text(env!("CARGO_PKG_VERSION"));
    hash.text(&lab.text);
    hash.text(&format!("{request:?}"));
    for program in planned.variants.iter().flat_map(|variant| &variant.plan.programs) {
        hash.text(&program.entries);
        let wrong = |error| format!("cannot read '{}': {error}", program.file.display());
        hash.bytes(&std::fs::read(&program.file).map_err(wrong)?);
    }
    for plan in planned.variants.iter().map(|variant| &variant.plan) {
        let policies = plan
            .schedulers
            .values()
            .chain(plan.programs.iter().filter_map(|program| program.scheduler.as_ref()));
        policies.for_each(|policy| hash.text(&policy.outline()));
    }
    if let Some(folder) = &lab.folder {
        let expected = expect::text(folder).map_err(|report| report.to_string())?;
        hash.text(&expected.map_or(String::new(), |(text, _)| text));
    }
    Ok(format!("{:016x}", hash.0))
}

/// FNV-1a with 64 bits: it tells labs apart, and keeps nobody from making two that are alike.
struct Fnv(u64);

impl Fnv {
    fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes.len().to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }
}

/// Writes a file that appears whole or not at all.
///
/// # Errors
/// A sentence.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let written = PendingFile::create(path).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.commit()
    });
    written.map_err(|error| format!("cannot write '{}': {error}", path.display()))
}
