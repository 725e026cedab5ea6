//! The points of a sweep on a Dask cluster.
//!
//! Dask is Python: the package `wirewright` (crates/python) hands the points to the scheduler and puts what comes back
//! into their folders. A point counts only if its results are there and belong to the lab as it is here.

use super::run::Job;
use crate::lab::{Lab, Request};
use crate::world::Watch;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf, absolute};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often it is looked whether the sweep shall stop.
const LOOK: Duration = Duration::from_millis(100);
/// What is told of the errors of Python.
const MAX_ERRORS: u64 = 16 << 10;

/// A cluster, and the Python that talks to it.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// Address of the scheduler, such as `tcp://10.0.0.1:8786`.
    pub scheduler: String,
    /// A Python with the packages wirewright and distributed.
    pub python: PathBuf,
}

impl Cluster {
    /// Runs points: places and results of those that were not stopped.
    pub(super) fn run(
        &self,
        lab: &Lab,
        request: &Request,
        jobs: &[Job],
        watch: &dyn Watch,
    ) -> Result<Vec<(usize, Value)>, String> {
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let order = self.order(lab, request, jobs)?;
        let mut child = Running(self.start()?);
        if let Some(mut input) = child.0.stdin.take() {
            // Without a reader there is an exit status that says more.
            let _ = input.write_all(order.to_string().as_bytes());
        }
        let errors = child.0.stderr.take().map(|errors| {
            std::thread::spawn(move || {
                let mut text = Vec::new();
                let mut errors = errors.take(MAX_ERRORS);
                let _ = errors.read_to_end(&mut text);
                let _ = std::io::copy(&mut errors.into_inner(), &mut std::io::sink());
                String::from_utf8_lossy(&text).trim().to_owned()
            })
        });
        let (sender, lines) = channel();
        if let Some(output) = child.0.stdout.take() {
            std::thread::spawn(move || {
                for line in BufReader::new(output).lines().map_while(Result::ok) {
                    if sender.send(line).is_err() {
                        break;
                    }
                }
            });
        }
        let mut done = Vec::new();
        loop {
            match lines.recv_timeout(LOOK) {
                Ok(line) => {
                    let (place, value) = came(&line, jobs)?;
                    watch.progress(place, 1.0);
                    done.push((place, value));
                }
                // The scheduler drops the points of a client that is gone.
                Err(RecvTimeoutError::Timeout) if watch.stopped() => return Ok(done),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let status = child.0.wait().map_err(|error| error.to_string())?;
        let errors = errors.and_then(|errors| errors.join().ok()).unwrap_or_default();
        match status.success() || watch.stopped() {
            true => Ok(done),
            false if errors.contains("No module named 'wirewright'") => Err(format!(
                "{} has no package wirewright; install wirewright[dask] there, or set WW_PYTHON to a Python that has it",
                self.python.display()
            )),
            false => Err(format!("the cluster {}: {errors}", self.scheduler)),
        }
    }

    fn start(&self) -> Result<Child, String> {
        Command::new(&self.python)
            .args(["-m", "wirewright.cluster", &self.scheduler])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let python = self.python.display();
                format!("cannot start {python}: {error}; set WW_PYTHON to a Python with the package wirewright[dask]")
            })
    }

    /// What Python is to have run.
    fn order(&self, lab: &Lab, request: &Request, jobs: &[Job]) -> Result<Value, String> {
        let whole =
            |path: &Path| absolute(path).map_err(|error| format!("'{}': {error}", path.display()));
        let points: Result<Vec<Value>, String> = jobs
            .iter()
            .map(|job| {
                let folder = whole(&job.folder)?;
                Ok(json!({ "place": job.place, "set": job.request.set, "folder": folder }))
            })
            .collect();
        Ok(json!({
            "lab": whole(Path::new(&lab.file))?,
            "quick": request.quick,
            "seed": request.seed,
            "points": points?,
        }))
    }
}

/// A line of Python's: a place with results, or with an error.
fn came(line: &str, jobs: &[Job]) -> Result<(usize, Value), String> {
    let said: Value = serde_json::from_str(line).unwrap_or_default();
    let place =
        said.get("place").and_then(Value::as_u64).and_then(|place| usize::try_from(place).ok());
    let job = place.and_then(|place| jobs.iter().find(|job| job.place == place));
    let Some(job) = job else {
        return Err(format!(
            "the cluster's client has said {line:?}, which is no point of the sweep"
        ));
    };
    if let Some(error) = said.get("error").and_then(Value::as_str) {
        return Err(format!("{}: {error}", job.request.set.join(", ")));
    }
    let value = job.results().ok_or_else(|| {
        format!(
            "{}: '{}' has no results of this lab",
            job.request.set.join(", "),
            job.folder.display()
        )
    })?;
    Ok((job.place, value))
}

/// Ends with whoever waits for it.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
