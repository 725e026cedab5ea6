//! Dataplanes that run for real, on capture files and on interfaces.

use pyo3::exceptions::{PyConnectionError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use ww_control::live::CallError;
use ww_io::spec::parse_ports;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;
use ww_runtime::background::Background;
use ww_runtime::engine::EngineName;
use ww_runtime::error::Error;
use ww_runtime::program;
use ww_runtime::run::{GATHERED, Settings};
use ww_runtime::watcher::Watcher;

/// How often Python is asked whether it has a signal to handle.
const LOOK: Duration = Duration::from_millis(50);

/// The same text as the command line's, as an exception.
fn raised(error: &Error) -> PyErr {
    match error {
        Error::Usage(_) | Error::Mistakes(_) => PyValueError::new_err(error.to_string()),
        Error::Unsupported(_) | Error::Failed(_) => PyRuntimeError::new_err(error.to_string()),
    }
}

/// Keeps what there is to tell. It calls nothing of Python's: threads of a dataplane never wait for the interpreter.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Notes {
    fn keep(&self, text: String) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(text);
    }
}

impl Watcher for Notes {
    fn note(&self, text: &str) {
        self.keep(text.to_owned());
    }

    fn control(&self, message: &str) {
        self.keep(format!("control: {message}"));
    }

    fn warn(&self, diagnostics: &Diagnostics, sources: &SourceMap) {
        let text = diagnostics.render(sources, false);
        if !text.is_empty() {
            self.keep(text.trim_end().to_owned());
        }
    }
}

/// A dataplane that runs.
#[pyclass(frozen, module = "wirewright")]
pub struct Dataplane {
    background: Background,
    notes: Arc<Notes>,
}

#[pymethods]
impl Dataplane {
    /// Asks it to end; returns at once.
    fn stop(&self) {
        self.background.stop();
    }

    /// Waits for the end, for `timeout` seconds at most. True: it has ended. RuntimeError: it has failed.
    #[pyo3(signature = (timeout=None))]
    fn wait(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<bool> {
        let timeout = timeout.map(Duration::try_from_secs_f64).transpose();
        let timeout = timeout.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let deadline = timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        loop {
            let left = deadline.map_or(LOOK, |end| end.saturating_duration_since(Instant::now()));
            match py.detach(|| self.background.wait(left.min(LOOK))) {
                Some(Ok(_)) => return Ok(true),
                Some(Err(error)) => return Err(raised(&error)),
                None if left.is_zero() => return Ok(false),
                None => py.check_signals()?,
            }
        }
    }

    /// Makes a request of docs/control.md, in JSON, and gives the answer. ValueError: it is refused; ConnectionError: the
    /// dataplane takes no requests (any more).
    fn control(&self, py: Python<'_>, request: &str) -> PyResult<String> {
        let request = serde_json::from_str(request)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        match py.detach(|| self.background.control(request)) {
            Ok(answer) => Ok(answer.to_string()),
            Err(error @ CallError::Refused { .. }) => Err(PyValueError::new_err(error.to_string())),
            Err(CallError::Connection(message)) => Err(PyConnectionError::new_err(message)),
        }
    }

    /// Counters, in JSON.
    fn statistics(&self, py: Python<'_>) -> String {
        py.detach(|| self.background.statistics().to_string())
    }

    /// Whether it ends by itself.
    #[getter]
    fn finite(&self) -> bool {
        self.background.is_finite()
    }

    /// Whether it has not ended.
    #[getter]
    fn running(&self) -> bool {
        self.background.wait(Duration::ZERO).is_none()
    }

    /// What the commands of the entries' file printed.
    #[getter]
    fn output(&self) -> Vec<String> {
        self.background.output().to_vec()
    }

    /// What the user should know, so far.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Starts a dataplane; the arguments are those of `ww run`. ValueError: what is wrong with them or with a file; RuntimeError: it
/// cannot run.
#[pyfunction]
#[expect(
    clippy::too_many_arguments,
    reason = "they are the keyword arguments of a Python function"
)]
pub fn run(
    py: Python<'_>,
    program: PathBuf,
    ports: Vec<String>,
    engine: &str,
    entries: Option<PathBuf>,
    control: Option<PathBuf>,
    scheduler: Option<PathBuf>,
    tpp: Option<PathBuf>,
    workers: Option<usize>,
    cores: Option<Vec<usize>>,
    include: Vec<PathBuf>,
    define: Vec<String>,
    check: bool,
) -> PyResult<Dataplane> {
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let count = |workers| {
        NonZeroUsize::new(workers).ok_or_else(|| wrong(&"a dataplane needs one worker at least"))
    };
    let mut settings = Settings {
        program,
        preprocess: program::options(&include, &define),
        ports: parse_ports(&ports).map_err(|error| wrong(&error))?,
        engine: engine.parse::<EngineName>().map_err(|error| wrong(&error))?,
        workers: workers.map(count).transpose()?,
        cores,
        entries,
        scheduler,
        tpp,
        control,
        // The reference engine would not hear of requests.
        requests: !check,
        check,
        ..Settings::default()
    };
    settings.rtl.gather = GATHERED;
    let notes = Arc::new(Notes::default());
    let watcher: Arc<dyn Watcher> = Arc::clone(&notes) as _;
    let background = py.detach(|| Background::start(settings, watcher));
    Ok(Dataplane { background: background.map_err(|error| raised(&error))?, notes })
}
