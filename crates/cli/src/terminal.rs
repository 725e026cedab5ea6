//! What the terminal shows while something runs.

use crate::output::{print_diagnostics, tell};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::OnceLock;
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
