//! What can be said of a model's work, for those who have it as an engine of any kind.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Counts of a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Clocks, those of control accesses included.
    pub clocks: u64,
    /// Clocks while packets were inside.
    pub packet_clocks: u64,
    /// Frames that went in.
    pub frames_in: u64,
    /// Beats of these.
    pub beats_in: u64,
    /// Frames that came out.
    pub frames_out: u64,
    /// The last frame that went in alone: clocks from its first beat in to the first beat out,
    /// and to the last.
    pub latency: Option<(u64, u64)>,
    /// Why the model does not go on.
    pub fault: Option<String>,
}

/// A window into an engine.
#[derive(Clone, Debug, Default)]
pub struct Monitor(Arc<Mutex<Work>>);

impl Monitor {
    /// The counts now.
    pub fn work(&self) -> Work {
        self.lock().clone()
    }

    /// Why the model does not go on, if it does not.
    pub fn fault(&self) -> Option<String> {
        self.lock().fault.clone()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Work> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
