//! The start of a run: a time of the world that is told while the world runs already.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shared between who is told of the start and who waits for it.
#[derive(Clone, Debug)]
pub struct Start(Arc<AtomicU64>);

/// Not known yet.
const UNKNOWN: u64 = u64::MAX;

impl Start {
    /// Not known yet.
    pub fn unknown() -> Self {
        Self(Arc::new(AtomicU64::new(UNKNOWN)))
    }

    /// At this time of the world, ps.
    pub fn at(time: u64) -> Self {
        Self(Arc::new(AtomicU64::new(time)))
    }

    /// Makes it known, as a time of the world in ps.
    pub fn set(&self, time: u64) {
        self.0.store(time.min(UNKNOWN - 1), Ordering::Relaxed);
    }

    /// The time of the world, ps, once it is known.
    pub fn get(&self) -> Option<u64> {
        Some(self.0.load(Ordering::Relaxed)).filter(|time| *time != UNKNOWN)
    }
}
