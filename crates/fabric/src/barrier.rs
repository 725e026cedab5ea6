//! Threads that work in step: a barrier for short phases.

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
