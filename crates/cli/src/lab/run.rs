//! `ww lab run`

use super::watch::{Watcher, workers};
use super::{netns, open, rejected};
use crate::Failure;
use crate::lab_args::{LabChoice, LabRunArguments};
use crate::output::print;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use ww_lab::expect::Verdict;
use ww_lab::inspect::{self, Inspected};
use ww_lab::lab::Request;
use ww_lab::plan::World;
use ww_lab::programs::Engines;
use ww_lab::report;
use ww_lab::results::numbers::Figures;
use ww_lab::results::{Results, write};
use ww_lab::rows;
use ww_lab::world::sim;

/// Results in the folder of `--out`: of a whole run, and of one that was stopped.
const RESULTS: [&str; 2] = ["results.json", "results.partial.json"];

/// Runs a lab, writes and prints what came of it. Status 1 if an expectation is missed.
pub fn run(arguments: &LabRunArguments) -> Result<(), Failure> {
    let choice = &arguments.choice;
    let lab = open(&choice.lab)?;
    let (request, engines) = (request(choice), Engines::default());
    let Inspected { planned, expectations } =
        inspect::to_run(&lab, &request, &engines).map_err(rejected)?;
    let world: World = arguments.world.into();
    if let Err(why) = planned.variants[0].plan.worlds.possible(world) {
        let (name, word) = (&lab.name, world.word());
        return Err(Failure::Rejected(format!("'{name}' is not for world {word}: {why}")));
    }
    let runs: u32 = planned.variants.iter().map(|variant| variant.plan.run.seeds).sum();
    let watch = Watcher::new(runs as usize)?;
    let out = arguments.out.as_deref();
    if let Some(out) = out {
        let mut files = lab.files();
        for name in RESULTS.iter().chain(&rows::NAMES).chain(&["report.html"]) {
            files.writes("--out", &out.join(name))?;
        }
        make(out)?;
        clear(out)?;
    }
    let outcomes = match world {
        World::Sim => sim::run_all(&planned, &engines, out, workers(choice.workers), &watch),
        World::Netns => netns::run(&planned, out, &watch),
    };
    watch.finish();
    let outcomes = outcomes.map_err(Failure::Rejected)?;
    let results = Results::new(world, &lab, &request, &planned, outcomes, &expectations)
        .map_err(Failure::Rejected)?;
    let stopped = results.stopped();
    if let Some(out) = out {
        let [whole, partial] = RESULTS;
        let (name, other) = if stopped.is_empty() { (whole, partial) } else { (partial, whole) };
        // What is there from before belongs to another run.
        let _ = fs::remove_file(out.join(other));
        write(&out.join(name), &results.text()).map_err(Failure::Rejected)?;
        write(&out.join("report.html"), &report::html(&results)).map_err(Failure::Rejected)?;
    }
    print(&match arguments.json {
        true => results.text(),
        false => summary(&results, out),
    })?;
    if !stopped.is_empty() {
        let mut text = String::from("stopped:");
        for (variant, seed, at) in &stopped {
            let name =
                if variant.name.is_empty() { String::new() } else { format!("{}, ", variant.name) };
            let end = variant.plan.run.duration + variant.plan.run.drain;
            let _ = write!(
                text,
                "\n  {name}seed {seed}: at {:.3} ms of {:.3} ms",
                *at as f64 / 1e9,
                end as f64 / 1e9
            );
        }
        return Err(Failure::Rejected(text));
    }
    match (results.missed(), results.verdicts.len()) {
        (0, _) => Ok(()),
        (missed, all) => Err(Failure::Rejected(format!("{missed} of {all} expectations missed"))),
    }
}

/// What of the lab is to be run.
pub fn request(choice: &LabChoice) -> Request {
    Request { quick: choice.quick, set: choice.set.clone(), seed: choice.seed }
}

/// Makes a folder, if it is not there.
pub fn make(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|error| Failure::Rejected(format!("cannot make '{}': {error}", folder.display())))
}

/// Removes the rows of an earlier run from its folder, so that nobody takes them for those of this one.
fn clear(out: &Path) -> Result<(), Failure> {
    if RESULTS.iter().any(|name| out.join(name).is_file()) {
        rows::remove(out).map_err(Failure::Rejected)?;
    }
    Ok(())
}

/// Links between two counters of which a lab's summary speaks at most.
const MOST_HOPS: u32 = 64;

/// How far clocks were apart.
fn clocks(variant: &str, figures: &Figures, text: &mut String) {
    let name = if variant.is_empty() { String::new() } else { format!("{variant}: ") };
    let hops = (1..=MOST_HOPS).filter_map(|hops| {
        let largest =
            figures.mean(&["clocks", "dtp", "hops", &hops.to_string(), "largest_ticks"])?;
        let links = if hops == 1 { "1 link".to_owned() } else { format!("{hops} links") };
        Some(format!("{links} {}", digits(largest)))
    });
    let hops: Vec<String> = hops.collect();
    if !hops.is_empty() {
        let _ = writeln!(text, "{name}counters apart, ticks at most: {}", hops.join(", "));
    }
    for protocol in ["ptp", "ntp"] {
        let figure = |key| figures.mean(&["clocks", protocol, key]).map(digits);
        if let (Some(median), Some(most), Some(largest)) =
            (figure("p50_ns"), figure("p99_ns"), figure("largest_ns"))
        {
            let _ = writeln!(
                text,
                "{name}{protocol}: clocks off by, ns: median {median}, 99 % {most}, largest {largest}"
            );
        }
    }
}

/// Traffic, clocks and verdicts, for people.
fn summary(results: &Results<'_>, out: Option<&Path>) -> String {
    let mut text = String::new();
    for (variant, figures) in results.planned.variants.iter().zip(&results.figures) {
        for traffic in &variant.plan.network.traffic {
            let name = match variant.name.is_empty() {
                true => traffic.name.clone(),
                false => format!("{}: {}", variant.name, traffic.name),
            };
            let figure = |path: &[&str]| {
                let path: Vec<&str> =
                    ["traffic", &traffic.name].iter().chain(path).copied().collect();
                figures.mean(&path)
            };
            let _ = write!(text, "{name}:");
            let mut put = |words: &str, value: Option<f64>, unit: &str| {
                if let Some(value) = value {
                    let _ = write!(text, " {words} {}{unit},", digits(value));
                }
            };
            let echo = figure(&["rtt_us", "mean"]);
            let goodput = figure(&["goodput_bps"]).filter(|_| echo.is_none());
            put("goodput", goodput.map(|value| value / 1e6), " Mb/s");
            put("round trip mean", echo, " us");
            put("answered", figure(&["packets", "answered"]), "");
            put("flows", figure(&["flows", "started"]), "");
            put("unfinished", figure(&["flows", "unfinished"]), "");
            put("FCT mean", figure(&["fct_us", "mean"]), " us");
            put("p99", figure(&["fct_us", "p99"]), " us");
            put("slowdown mean", figure(&["slowdown", "mean"]), "");
            put("packet latency mean", figure(&["latency_us", "mean"]), " us");
            put("dropped", figure(&["packets", "dropped_share"]).map(|value| value * 100.0), " %");
            let wrong = figure(&["wrong_bytes"]).filter(|bytes| *bytes > 0.0);
            put("WRONG BYTES", wrong, "");
            text.truncate(text.trim_end_matches(',').len());
            text.push('\n');
        }
        for command in &variant.plan.commands {
            let name = &command.name;
            let status = match figures.mean(&["commands", name, "exit_status"]) {
                Some(status) => format!("exit status {status}"),
                None if results.world == World::Sim => "not in world sim".to_owned(),
                None => "did not end by itself".to_owned(),
            };
            let _ = writeln!(text, "{name}: {status}");
        }
        clocks(&variant.name, figures, &mut text);
    }
    for verdict in &results.verdicts {
        text += &line(verdict);
    }
    match out {
        Some(out) => {
            let _ = writeln!(text, "{}/report.html has plots", out.display());
        }
        None => text += "--out DIR writes results.json and report.html\n",
    }
    text
}

fn line(verdict: &Verdict) -> String {
    let expectation = &verdict.expectation;
    let measured = match &verdict.measured {
        Ok(value) => digits(*value),
        Err(error) => error.clone(),
    };
    let interval = verdict
        .interval
        .map_or(String::new(), |(low, high)| format!(" ({} to {})", digits(low), digits(high)));
    let tolerance =
        verdict.tolerance.map_or("not judged".to_owned(), |tolerance| tolerance.words());
    format!(
        "{:10} {}: {measured}{interval}, expected {} ({tolerance})\n",
        verdict.word(),
        expectation.name,
        digits(expectation.published),
    )
}

/// Five digits that count, without zeros at the end.
pub fn digits(value: f64) -> String {
    if value == 0.0 || value.fract() == 0.0 && value.abs() < 1e7 {
        return format!("{value}");
    }
    let behind = (4 - value.abs().log10().floor() as i64).clamp(0, 9) as usize;
    let text = format!("{value:.behind$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}
