//! Several workers at a time: the native engine with a thread for each.

use super::frames::Frames;
use super::outputs::Count;
use super::rounds::{Driver, Length};
use crate::engine;
use crate::error::Error;
use crate::program::Program;
use crate::{entries, watcher::Watcher};
use std::path::Path;
use std::sync::mpsc;
use std::time::Instant;
use ww_dataplane::Dataplane;
use ww_engine::interp::Options;

/// How fast several workers are together. Rates in million packets a second.
#[derive(Clone, Debug)]
pub struct Together {
    /// Of one worker alone.
    pub one: f64,
    /// Of all at once, by round, the slowest first.
    pub rounds: Vec<f64>,
}

impl Together {
    /// Of all workers in the median round.
    pub fn all(&self) -> f64 {
        self.rounds.get(self.rounds.len() / 2).copied().unwrap_or(f64::NAN)
    }
}

/// How several workers are measured.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// How many.
    pub count: usize,
    /// Runtime commands to carry out before.
    pub entries: Option<&'a Path>,
    /// Frames that are handed over at a time.
    pub batch: usize,
    /// Rounds, of which the median counts.
    pub rounds: u16,
    /// About how long all takes.
    pub seconds: f64,
}

impl Workers<'_> {
    /// Measures one worker on its share of the frames, and then all of them at once on theirs.
    ///
    /// # Errors
    /// The engine does not run the program, its entries are wrong, frames are too few, or there are no threads.
    pub fn measure(
        &self,
        program: &Program,
        frames: &Frames,
        watcher: &dyn Watcher,
    ) -> Result<Together, Error> {
        let Self { count, entries, batch, rounds, seconds } = *self;
        // The control plane stays where it is: workers lean on it.
        let (mut control, mut workers) = engine::workers(program, Options::default(), count)?;
        entries::load(entries, &mut control, watcher)?;
        let shares: Vec<Frames> = (0..count).map(|n| frames.share(n, count)).collect();
        let (Some(first), Some(share)) = (workers.first_mut(), shares.first()) else {
            return Err(Error::Usage("--workers: at least one".to_owned()));
        };
        if share.is_empty() {
            return Err(Error::Usage(format!("{} frames are too few", frames.len())));
        }
        let length = Length::Seconds(seconds / 2.0);
        let alone = Driver::new(share, batch).measure(first, rounds.into(), length);
        let passes = alone.rounds.first().map_or(1, |round| round.packets / share.len() as u64);
        let mut all = together(&mut workers, &shares, batch, rounds, passes)?;
        all.sort_by(f64::total_cmp);
        Ok(Together { one: 1e3 / alone.nanoseconds(), rounds: all })
    }
}

/// Million packets a second of all workers together, by round.
fn together<D: Dataplane + Send>(
    workers: &mut [D],
    shares: &[Frames],
    batch: usize,
    rounds: u16,
    passes: u64,
) -> Result<Vec<f64>, Error> {
    let packets: usize = shares.iter().map(Frames::len).sum();
    let (done, finished) = mpsc::channel();
    std::thread::scope(|scope| {
        // Threads end when nobody is left who could start another round.
        let mut starts = Vec::new();
        for (worker, share) in workers.iter_mut().zip(shares) {
            let (start, started) = mpsc::channel::<()>();
            let done = done.clone();
            let work = move || {
                let mut driver = Driver::new(share, batch);
                let mut count = Count::default();
                driver.pass(worker, &mut count);
                while done.send(()).is_ok() && started.recv().is_ok() {
                    for _ in 0..passes {
                        driver.pass(worker, &mut count);
                    }
                }
            };
            std::thread::Builder::new()
                .spawn_scoped(scope, work)
                .map_err(|error| Error::Failed(format!("cannot start a worker: {error}")))?;
            starts.push(start);
        }
        let all = finished.iter().take(starts.len()).count();
        let round = |_| {
            let clock = Instant::now();
            for start in &starts {
                let _ = start.send(());
            }
            finished.iter().take(all).for_each(drop);
            passes as f64 * packets as f64 / clock.elapsed().as_secs_f64() / 1e6
        };
        Ok((0..rounds).map(round).collect())
    })
}
