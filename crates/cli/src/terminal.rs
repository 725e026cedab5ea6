//! What the terminal shows while something runs.

use crate::output::{is_watched, print_diagnostics, tell};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::Duration;
use ww_p4::diagnostic::Diagnostics;
use ww_p4::source::SourceMap;
use ww_runtime::watcher::Watcher;

/// A line on a terminal that is drawn anew while something takes its time.
fn line(template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// A line that says what takes its time.
pub fn waiting(what: &str) -> ProgressBar {
    let bar = line("{spinner} {msg}, {elapsed}");
    bar.set_message(what.to_owned());
    bar
}

/// How long it takes until a command that has not begun to print says what it does.
const PATIENCE: Duration = Duration::from_secs(2);

/// Says on a terminal that a program is being compiled, if that takes longer than two seconds, until it is dropped.
pub struct Compiling {
    done: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Compiling {
    /// Begins to wait.
    pub fn new(program: &Path) -> Self {
        if !is_watched() {
            return Self { done: None, thread: None };
        }
        let (done, end) = mpsc::channel::<()>();
        let text = format!("compiling {}", program.display());
        let wait = move || {
            if end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let bar = waiting(&text);
                let _ = end.recv();
                bar.finish_and_clear();
            }
        };
        // Without the thread nothing is said.
        let thread = std::thread::Builder::new().name("progress".into()).spawn(wait).ok();
        Self { done: Some(done), thread }
    }
}

impl Drop for Compiling {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Prints what there is to tell on standard error, and counts packets of capture files on a terminal.
#[derive(Default)]
pub struct Terminal {
    /// Appears with the first packets.
    bar: OnceLock<ProgressBar>,
}

impl Terminal {
    /// Nothing is shown yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the line away.
    pub fn finish(&self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

impl Watcher for Terminal {
    fn note(&self, text: &str) {
        tell(format_args!("note: {text}"));
    }

    fn control(&self, message: &str) {
        tell(format_args!("control: {message}"));
    }

    fn warn(&self, diagnostics: &Diagnostics, sources: &SourceMap) {
        print_diagnostics(diagnostics, sources);
    }

    fn packets(&self, count: u64) {
        let template = "{spinner} {human_pos} packets, {per_sec}, {elapsed}";
        self.bar.get_or_init(|| line(template)).set_position(count);
    }
}
