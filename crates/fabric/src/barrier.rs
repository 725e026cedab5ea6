//! Threads that work in step: a barrier for short phases.

use crate::schedule::BadFabric;
use std::hint;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

/// How often a thread looks before it sleeps. A phase takes microseconds if all threads run; if other programs have the
/// processors, a thread that sleeps gets one back sooner than one that lets others pass.
const SPINS: u32 = 1000;

/// All threads wait until the last has arrived.
#[derive(Debug)]
pub struct Barrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    abandoned: AtomicBool,
    /// Threads that sleep or are about to.
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    alarm: Condvar,
}

impl Barrier {
    /// For so many threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            abandoned: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            bed: Mutex::new(()),
            alarm: Condvar::new(),
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
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake();
            return true;
        }
        let waits = || self.round.load(Ordering::SeqCst) == round;
        for _ in 0..SPINS {
            if !waits() {
                return true;
            }
            if self.abandoned.load(Ordering::Relaxed) {
                return false;
            }
            hint::spin_loop();
        }
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever ends the round sees this, or has ended it before the next look.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        while waits() && !self.abandoned.load(Ordering::SeqCst) {
            bed = self.alarm.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
        !waits()
    }

    /// Tells all who wait, and will wait, that somebody never comes.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::SeqCst);
        self.wake();
    }

    fn wake(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            // A sleeper that has looked has the lock until it sleeps.
            drop(self.bed.lock());
            self.alarm.notify_all();
        }
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
