//! The start of a run: a time of the world that is told while the world runs already.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

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

/// Nanoseconds of CLOCK_MONOTONIC, which all processes of a machine share.
pub fn monotonic() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec, which the call fills.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Sleeps until that time of CLOCK_MONOTONIC, ns.
pub fn sleep_until(time: u64) {
    loop {
        let now = monotonic();
        if now >= time {
            return;
        }
        std::thread::sleep(Duration::from_nanos(time - now));
    }
}
