//! Labs in virtual time.

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use ww_config::mistakes::Report;
use ww_lab::inspect::{self, Inspected};
use ww_lab::lab::Request;
use ww_lab::plan::World;
use ww_lab::programs::Engines;
use ww_lab::results::{Results, write};
use ww_lab::sweep::cluster::Cluster;
use ww_lab::sweep::run::{Workers, run as run_sweep};
use ww_lab::sweep::{Over, report};
use ww_lab::world::{Watch, sim};

/// How often Python is asked whether it has a signal to handle.
const LOOK: Duration = Duration::from_millis(20);

fn wrong(report: Report) -> PyErr {
    PyValueError::new_err(report.to_string())
}

fn threads(workers: Option<usize>) -> usize {
    workers.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, |cores| cores.get()))
}

/// All that is wrong with a lab's files, its programs and their entries, as one text; None if nothing is.
#[pyfunction]
pub fn check(py: Python<'_>, lab: PathBuf) -> Option<String> {
    let read = || inspect::every_way(&inspect::open(&lab)?, &Engines::default());
    py.detach(read).err().map(|report: Report| report.to_string())
}

/// Ends the runs when Python has a signal to handle.
struct Interruptible(AtomicBool);

impl Watch for Interruptible {
    fn progress(&self, _run: usize, _share: f64) {}

    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Does a long piece of work beside the interpreter, until it is done or a signal handler of Python raises.
fn beside<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&dyn Watch) -> PyResult<T> + Send,
) -> PyResult<T> {
    let watch = Interruptible(AtomicBool::new(false));
    py.detach(|| {
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(sim::STACK);
            let job = builder.spawn_scoped(scope, || work(&watch))?;
            let mut raised = None;
            while !job.is_finished() {
                std::thread::sleep(LOOK);
                if raised.is_none()
                    && let Err(signal) = Python::attach(|py| py.check_signals())
                {
                    watch.0.store(true, Ordering::Relaxed);
                    raised = Some(signal);
                }
            }
            let done =
                job.join().unwrap_or_else(|_| Err(PyRuntimeError::new_err("the run has failed")));
            raised.map_or(done, Err)
        })
    })
}

/// Runs a lab in virtual time and returns its results as JSON. With `out`, results.json and what the lab measures are
/// written there. ValueError: what is wrong with the lab; Error: it cannot be run.
#[pyfunction]
#[pyo3(signature = (lab, out=None, quick=false, set=Vec::new(), seed=None, workers=None))]
pub fn run(
    py: Python<'_>,
    lab: PathBuf,
    out: Option<PathBuf>,
    quick: bool,
    set: Vec<String>,
    seed: Option<u64>,
    workers: Option<usize>,
) -> PyResult<String> {
    let request = Request { quick, set, seed };
    beside(py, |watch| {
        let lab = inspect::open(&lab).map_err(wrong)?;
        let engines = Engines::default();
        let Inspected { planned, expectations } =
            inspect::to_run(&lab, &request, &engines).map_err(wrong)?;
        if let Some(out) = &out {
            std::fs::create_dir_all(out)?;
        }
        let outcomes = sim::run_all(&planned, &engines, out.as_deref(), threads(workers), watch)
            .map_err(PyRuntimeError::new_err)?;
        let results = Results::new(World::Sim, &lab, &request, &planned, outcomes, &expectations)
            .map_err(PyRuntimeError::new_err)?;
        let text = results.text();
        if let Some(out) = out
            && !watch.stopped()
        {
            write(&out.join("results.json"), &text).map_err(PyRuntimeError::new_err)?;
        }
        Ok(text)
    })
}

/// Runs a lab for each combination of values, as `ww lab sweep` does, on threads here or on the cluster of a Dask
/// scheduler, and returns the folder and the results of each point. ValueError: what is wrong with the lab or the values;
/// Error: a point cannot be run.
#[pyfunction]
#[pyo3(signature = (lab, over, out, quick=false, set=Vec::new(), seed=None, workers=None, scheduler=None, python="python3".into()))]
#[expect(
    clippy::too_many_arguments,
    reason = "they are the keyword arguments of a Python function"
)]
pub fn sweep(
    py: Python<'_>,
    lab: PathBuf,
    over: Vec<(String, Vec<String>)>,
    out: PathBuf,
    quick: bool,
    set: Vec<String>,
    seed: Option<u64>,
    workers: Option<usize>,
    scheduler: Option<String>,
    python: PathBuf,
) -> PyResult<Vec<(String, String)>> {
    let request = Request { quick, set, seed };
    let over: Vec<Over> = over.into_iter().map(|(key, values)| Over { key, values }).collect();
    let cluster = scheduler.map(|scheduler| Cluster { scheduler, python });
    beside(py, |watch| {
        let lab = inspect::open(&lab).map_err(wrong)?;
        let engines = Engines::default();
        let Inspected { expectations, .. } =
            inspect::to_run(&lab, &request, &engines).map_err(wrong)?;
        let workers = match &cluster {
            Some(cluster) => Workers::Cluster(cluster),
            None => Workers::Threads(threads(workers)),
        };
        let place = (out.as_path(), workers);
        let done = run_sweep(&lab, &request, &over, &expectations, place, &engines, watch)
            .map_err(PyRuntimeError::new_err)?;
        report::write(&lab, &request, &over, &done, &out).map_err(PyRuntimeError::new_err)?;
        let text = |value| format!("{value:#}\n");
        Ok(done.points.into_iter().map(|(point, value)| (point.folder, text(value))).collect())
    })
}
