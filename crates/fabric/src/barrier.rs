//! Threads that work in step: a barrier for short phases.

use crate::schedule::BadFabric;
use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

/// How often a thread looks before it lets another one run.
const SPINS: u32 = 200;

/// All threads wait until the last has arrived. A phase takes microseconds, so they do not sleep.
#[derive(Debug)]
pub struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    abandoned: AtomicBool,
}

impl Barrier {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            abandoned: AtomicBool::new(false),
        }
    }

    /// Waits for the others; false if they never come.
    pub fn wait(&self) -> bool {
        if self.threads == 1 {
            return true;
        }
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return true;
        }
        let mut spins = 0;
        while self.round.load(Ordering::Acquire) == round {
            if self.abandoned.load(Ordering::Relaxed) {
                return false;
            }
            spins += 1;
            if spins < SPINS {
                hint::spin_loop();
            } else {
                thread::yield_now();
            }
        }
        true
    }

    /// Tells all who wait, and will wait, that somebody never comes.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }
}

/// A thread that panics never arrives.
struct AbandonOnPanic<'a>(&'a Barrier);

impl Drop for AbandonOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.abandon();
        }
    }
}

/// Runs `work(me)` for each thread of a barrier but the first, `me` from 1, and `first` here; what they return is in order.
/// A thread that cannot be had is an error: the others find the barrier abandoned.
///
/// # Panics
///
/// If a thread does.
pub fn in_step<T: Send>(
    barrier: &Barrier,
    work: impl Fn(usize) -> T + Sync,
    first: impl FnOnce() -> T,
) -> Result<Vec<T>, BadFabric> {
    let work = |me| {
        let _guard = AbandonOnPanic(barrier);
        work(me)
    };
    let first = || {
        let _guard = AbandonOnPanic(barrier);
        first()
    };
    thread::scope(|scope| {
        let mut others = Vec::new();
        for me in 1..barrier.threads {
            let work = &work;
            let name = format!("worker {me}");
            match thread::Builder::new().name(name).spawn_scoped(scope, move || work(me)) {
                Ok(thread) => others.push(thread),
                Err(error) => {
                    barrier.abandon();
                    return Err(BadFabric(format!(
                        "{} workers: no thread for each: {error}; ask for fewer with --workers",
                        barrier.threads
                    )));
                }
            }
        }
        let mut results = vec![first()];
        for thread in others {
            results.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        Ok(results)
    })
}
