//! A dataplane that runs on threads of its own, beside whoever has started it.

use crate::deep_stack::STACK;
use crate::error::Error;
use crate::run::{Run, Settings};
use crate::summary::Summary;
use crate::watcher::Watcher;
use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use std::sync::{Arc, mpsc};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use ww_control::live::{CallError, Client};
use ww_io::stop::Stop;
use ww_io::world::Handle;

/// A dataplane that runs; it is stopped when this is dropped.
pub struct Background {
    stop: Stop,
    ready: Ready,
    finite: bool,
    end: Arc<End>,
    thread: Option<JoinHandle<()>>,
}

/// What is there once a dataplane is ready.
struct Ready {
    client: Option<Mutex<Client>>,
    handle: Option<Handle>,
    output: Vec<String>,
}

/// How a run has ended.
type Outcome = Result<Arc<Summary>, Arc<Error>>;

#[derive(Default)]
struct End {
    outcome: Mutex<Option<Outcome>>,
    news: Condvar,
}

impl Background {
    /// Prepares a dataplane and starts it.
    ///
    /// # Errors
    /// See [`Run::prepare`].
    pub fn start(settings: Settings, watcher: Arc<dyn Watcher>) -> Result<Self, Error> {
        let stop = Stop::new().map_err(Error::failed)?;
        let finite = settings.ports.iter().all(|port| port.spec.is_finite());
        let end = Arc::new(End::default());
        let (tell, told) = mpsc::channel();
        let (stopped, ended) = (stop.clone(), Arc::clone(&end));
        let work = move || {
            let requests = settings.requests;
            let ready = Run::prepare(settings, &stopped, watcher).and_then(|run| {
                let client = requests.then(|| run.client()).transpose()?.map(Mutex::new);
                let (handle, output) = (run.handle(), run.output().to_vec());
                Ok((run, Ready { client, handle, output }))
            });
            let run = match ready {
                Ok((run, ready)) => tell.send(Ok(ready)).ok().map(|()| run),
                Err(error) => tell.send(Err(error)).ok().and(None),
            };
            let Some(run) = run else { return };
            let outcome = run.run().map(Arc::new).map_err(Arc::new);
            *ended.outcome.lock() = Some(outcome);
            ended.news.notify_all();
        };
        let thread = Builder::new().name("ww run".to_owned()).stack_size(STACK).spawn(work);
        let thread =
            thread.map_err(|error| Error::Failed(format!("cannot start a thread: {error}")))?;
        let lost = || Error::Failed("a fault in ww while it prepared the dataplane".to_owned());
        let ready = told.recv().map_err(|_| lost())??;
        Ok(Self { stop, ready, finite, end, thread: Some(thread) })
    }

    /// What the commands of the entries' file printed.
    pub fn output(&self) -> &[String] {
        &self.ready.output
    }

    /// Whether it ends by itself: all ports are capture files, or memory.
    pub fn is_finite(&self) -> bool {
        self.finite
    }

    /// Asks it to end, as Ctrl-C does with `ww run`. Returns at once.
    pub fn stop(&self) {
        self.stop.raise();
    }

    /// Waits for the end, for so long at most. `None`: it still runs.
    pub fn wait(&self, patience: Duration) -> Option<Outcome> {
        let deadline = Instant::now() + patience;
        let mut outcome = self.end.outcome.lock();
        while outcome.is_none() {
            if self.thread.as_ref().is_none_or(JoinHandle::is_finished) {
                let lost = "a fault in ww while the dataplane ran".to_owned();
                return outcome.clone().or(Some(Err(Arc::new(Error::Failed(lost)))));
            }
            if self.end.news.wait_until(&mut outcome, deadline).timed_out() {
                break;
            }
        }
        outcome.clone()
    }

    /// Makes a request of docs/control.md: an object with `request` and its fields.
    ///
    /// # Errors
    /// It is refused, or the dataplane takes no requests (any more).
    pub fn control(&self, request: Value) -> Result<Value, CallError> {
        match &self.ready.client {
            Some(client) => client.lock().call(request),
            None => Err(CallError::Connection("this dataplane takes no requests".to_owned())),
        }
    }

    /// All counters after the end, as `ww run --json` prints them; before, those of live ports and of workers.
    pub fn statistics(&self) -> Value {
        if let Some(Ok(summary)) = &*self.end.outcome.lock() {
            return summary.json();
        }
        let handle = self.ready.handle.as_ref();
        json!({
            "world": {
                "ports": handle.map(Handle::port_counters).unwrap_or_default(),
                "unattached": handle.map(Handle::unattached).unwrap_or_default(),
                "workers": handle.map(Handle::worker_counters).unwrap_or_default(),
            },
        })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.stop.raise();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
