//! `ww lab sweep`

use super::programs::Programs;
use super::run::{make, request};
use super::watch::{Watcher, workers};
use super::{open, rejected};
use crate::Failure;
use crate::lab_args::LabSweepArguments;
use crate::output::{counted, print};
use ww_lab::results::write;
use ww_lab::sweep::{Over, html, json, points, run};

/// Runs what has no results yet, and puts all points together.
pub fn sweep(arguments: &LabSweepArguments) -> Result<(), Failure> {
    let choice = &arguments.choice;
    let (lab, expectations) = open(&choice.lab)?;
    let request = request(choice);
    lab.plan(&request).map_err(rejected)?;
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
    make(out)?;
    let watch = Watcher::new(all.len())?;
    let place = (out.as_path(), workers(choice.workers));
    let done = run(&lab, &request, &over, &expectations, place, &Programs::default(), &watch);
    watch.finish();
    let done = done.map_err(Failure::Rejected)?;
    let merged = format!("{:#}\n", json(&lab, &request, &over, &done));
    write(&out.join("sweep.json"), &merged).map_err(Failure::Rejected)?;
    write(&out.join("report.html"), &html(&lab, &over, &done)).map_err(Failure::Rejected)?;
    let finished = counted(done.points.len() as u64, "point");
    let text = format!(
        "{finished}, {} of them from before; {}/sweep.json and report.html have them all\n",
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
