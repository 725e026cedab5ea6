//! `ww lab sweep`

use super::run::{make, request};
use super::watch::{Watcher, workers};
use super::{open, rejected};
use crate::Failure;
use crate::lab_args::LabSweepArguments;
use crate::output::{counted, print};
use std::env::var_os;
use ww_lab::inspect::{self, Inspected};
use ww_lab::programs::Engines;
use ww_lab::sweep::cluster::Cluster;
use ww_lab::sweep::run::{Workers, run};
use ww_lab::sweep::{Over, points, report};

/// Runs what has no results yet, and puts all points together.
pub fn sweep(arguments: &LabSweepArguments) -> Result<(), Failure> {
    let choice = &arguments.choice;
    let lab = open(&choice.lab)?;
    let (request, engines) = (request(choice), Engines::default());
    let Inspected { expectations, .. } =
        inspect::to_run(&lab, &request, &engines).map_err(rejected)?;
    let over: Vec<Over> = match arguments.over.is_empty() {
        false => {
            let parsed: Result<_, String> =
                arguments.over.iter().map(|text| Over::parse(text)).collect();
            parsed.map_err(Failure::Usage)?
        }
        true => lab.default_sweep().into_iter().map(|(key, values)| Over { key, values }).collect(),
    };
    if over.is_empty() {
        let message = "what to sweep over? --over KEY=A,B,C, or a table [sweep] in the lab";
        return Err(Failure::Usage(message.to_owned()));
    }
    let all = points(&over).map_err(Failure::Rejected)?;
    let out = &arguments.out;
    if let Some(other) = report::lab_in(out).filter(|other| *other != lab.name) {
        let message = format!("'{}' has a sweep of '{other}': choose another --out", out.display());
        return Err(Failure::Rejected(message));
    }
    let mut files = lab.files();
    for name in [report::FILE, "report.html"] {
        files.writes("--out", &out.join(name))?;
    }
    make(out)?;
    let watch = Watcher::new(all.len())?;
    let cluster = arguments.dask.as_ref().map(|scheduler| Cluster {
        scheduler: scheduler.clone(),
        python: var_os("WW_PYTHON").unwrap_or_else(|| "python3".into()).into(),
    });
    let place = match &cluster {
        Some(cluster) => Workers::Cluster(cluster),
        None => Workers::Threads(workers(choice.workers)),
    };
    let place = (out.as_path(), place);
    let done = run(&lab, &request, &over, &expectations, place, &engines, &watch);
    watch.finish();
    let done = done.map_err(Failure::Rejected)?;
    report::write(&lab, &request, &over, &done, out).map_err(Failure::Rejected)?;
    let finished = counted(done.points.len() as u64, "point");
    let missed = match done.missed() {
        0 => String::new(),
        missed => format!(", {missed} miss an expectation"),
    };
    let text = format!(
        "{finished}, {} of them from before{missed}; {}/sweep.json and report.html have them all\n",
        done.found,
        out.display()
    );
    print(&text)?;
    match done.missing {
        0 => Ok(()),
        missing => Err(Failure::Rejected(format!(
            "stopped: {} left; the same command goes on",
            counted(missing as u64, "point")
        ))),
    }
}
