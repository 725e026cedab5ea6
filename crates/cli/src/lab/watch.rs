//! Looking on while labs run: a progress bar, and Ctrl-C.

use crate::Failure;
use crate::output::{is_watched, tell};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use ww_io::stop::{SignalGuard, Stop};
use ww_lab::world::Watch;
use ww_runtime::signals;

/// Steps of the bar for each run.
const STEPS: f64 = 1000.0;

/// Shows how far all runs together have come.
pub struct Watcher {
    bar: ProgressBar,
    shares: Mutex<Vec<f64>>,
    stop: Stop,
    _signals: SignalGuard,
}

impl Watcher {
    /// For so many runs. Without a terminal nothing is shown.
    pub fn new(runs: usize) -> Result<Self, Failure> {
        let (stop, signals) = signals::stop()?;
        let bar = match is_watched() {
            true => ProgressBar::new((runs as f64 * STEPS) as u64),
            false => ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()),
        };
        let template =
            "{bar:40} {percent} % of {msg}, {elapsed}, {eta} to go (Ctrl-C keeps what there is)";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(if runs == 1 { "1 run".to_owned() } else { format!("{runs} runs") });
        bar.enable_steady_tick(Duration::from_millis(200));
        Ok(Self { bar, shares: Mutex::new(vec![0.0; runs]), stop, _signals: signals })
    }

    /// Says a sentence beside the bar.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| tell(format_args!("note: {text}")));
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watch for Watcher {
    fn progress(&self, run: usize, share: f64) {
        let mut shares = self.shares.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = shares.get_mut(run) {
            *slot = share;
        }
        self.bar.set_position((shares.iter().sum::<f64>() * STEPS) as u64);
    }

    fn stopped(&self) -> bool {
        self.stop.is_raised()
    }
}

/// As many threads as said, or as there are cores.
pub fn workers(wanted: Option<NonZeroUsize>) -> usize {
    wanted.or_else(|| std::thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get)
}
