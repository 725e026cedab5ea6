//! Running the points that have no results yet.

use super::cluster::Cluster;
use super::{Done, Over, Point, points};
use crate::expect::Expectation;
use crate::lab::{Lab, Request};
use crate::plan::World;
use crate::results::{Results, digest, write};
use crate::world::{PartWatch, Programs, Watch, sim};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use ww_config::mistakes::Report;

/// Where the points of a sweep are run.
pub enum Workers<'w> {
    /// Here, on so many threads.
    Threads(usize),
    /// On a cluster.
    Cluster(&'w Cluster),
}

/// A point with what makes it known again.
pub(super) struct Job {
    /// Its place among the points.
    pub place: usize,
    /// All that is set.
    pub request: Request,
    /// Its folder, absolute or seen from here.
    pub folder: PathBuf,
    /// What its results must say that they belong to.
    digest: String,
}

impl Job {
    /// Its results, if they are there and belong to the lab as it is now.
    pub fn results(&self) -> Option<Value> {
        let bytes = fs::read(self.folder.join("results.json")).ok()?;
        let value: Value = serde_json::from_slice(&bytes).ok()?;
        (value.get("digest")?.as_str()? == self.digest).then_some(value)
    }
}

/// Runs the points that have no results yet.
///
/// # Errors
/// A point cannot be planned or run; the others' results stay.
pub fn run(
    lab: &Lab,
    request: &Request,
    over: &[Over],
    expectations: &[Expectation],
    (out, workers): (&Path, Workers<'_>),
    programs: &dyn Programs,
    watch: &dyn Watch,
) -> Result<Done, String> {
    let points = points(over)?;
    let folder = out.join("points");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make '{}': {error}", folder.display()))?;
    let mut results: Vec<Option<Value>> = vec![None; points.len()];
    let mut jobs = Vec::new();
    // Mistakes are told before anything runs, those of all points.
    let mut wrong: Option<Report> = None;
    for (place, point) in points.iter().enumerate() {
        let request = point_request(request, point);
        let planned = match lab.plan(&request) {
            Ok(planned) => planned,
            Err(report) => {
                wrong = Some(wrong.map_or(report.clone(), |wrong| wrong.and(report)));
                continue;
            }
        };
        let digest = digest(lab, &request, &planned)?;
        let job = Job { place, request, folder: folder.join(&point.folder), digest };
        results[place] = job.results();
        match results[place] {
            Some(_) => watch.progress(place, 1.0),
            None => jobs.push(job),
        }
    }
    if let Some(report) = wrong {
        return Err(report.to_string());
    }
    let found = points.len() - jobs.len();
    let ran = match workers {
        Workers::Threads(count) => {
            let sweep = Sweep { lab, expectations, programs, watch };
            sweep.run(&jobs, count)?
        }
        Workers::Cluster(cluster) => cluster.run(lab, request, &jobs, watch)?,
    };
    for (place, value) in ran {
        results[place] = Some(value);
    }
    let finished = points.into_iter().zip(results);
    let finished: Vec<_> = finished.filter_map(|(point, value)| Some((point, value?))).collect();
    let missing = found + jobs.len() - finished.len();
    Ok(Done { points: finished, found, missing })
}

fn point_request(request: &Request, point: &Point) -> Request {
    let mut request = request.clone();
    request.set.extend(point.set.iter().cloned());
    request
}

/// What all points of a sweep that is run here share.
struct Sweep<'s> {
    lab: &'s Lab,
    expectations: &'s [Expectation],
    programs: &'s dyn Programs,
    watch: &'s dyn Watch,
}

impl Sweep<'_> {
    /// Runs points on so many threads: places and results of those that were not stopped.
    fn run(&self, jobs: &[Job], threads: usize) -> Result<Vec<(usize, Value)>, String> {
        let next = AtomicUsize::new(0);
        let done = Mutex::new(Ok(Vec::new()));
        let work = || {
            while let Some(job) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.watch.stopped() {
                    break;
                }
                let result = self.point(job);
                let Ok(mut done) = done.lock() else { break };
                match (&mut *done, result) {
                    (Ok(list), Ok(value)) => list.extend(value.map(|value| (job.place, value))),
                    (Ok(_), Err(error)) => {
                        next.store(jobs.len(), Ordering::Relaxed);
                        *done = Err(error);
                    }
                    (Err(_), _) => {}
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.clamp(1, jobs.len().max(1)) {
                // Without another thread this one does all.
                let _ =
                    std::thread::Builder::new().stack_size(sim::STACK).spawn_scoped(scope, work);
            }
            work();
        });
        done.into_inner().unwrap_or_else(|_| Err("a point has failed".into()))
    }

    /// Runs a point. `None`: it was stopped.
    fn point(&self, job: &Job) -> Result<Option<Value>, String> {
        let planned = self.lab.plan(&job.request).map_err(|report| report.to_string())?;
        let watch = PartWatch::new(job.place, &planned, self.watch);
        let outcomes = sim::run_all(&planned, self.programs, Some(&job.folder), 1, &watch)?;
        let results = Results::new(
            World::Sim,
            self.lab,
            &job.request,
            &planned,
            outcomes,
            self.expectations,
        )?;
        if !results.stopped().is_empty() {
            return Ok(None);
        }
        write(&job.folder.join("results.json"), &results.text())?;
        Ok(Some(results.json()))
    }
}
