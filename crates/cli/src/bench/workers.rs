//! Several workers at a time: the native engine with a thread for each.

use super::frames::Frames;
use super::outputs::Count;
use super::rounds::{Driver, Length};
use crate::args::BenchArguments;
use crate::output::print;
use crate::{Failure, load};
use serde_json::json;
use std::sync::{Arc, mpsc};
use std::time::Instant;
use ww_dataplane::Dataplane;
use ww_engine::interp::Options;
use ww_engine::jit::Jit;
use ww_p4::ir::Program;

/// Measures one worker on its share of the frames, and then all of them at once on theirs.
pub fn bench(
    arguments: &BenchArguments,
    program: Arc<Program>,
    frames: &Frames,
) -> Result<(), Failure> {
    let count = usize::from(arguments.workers);
    let path = &arguments.program.program;
    let mut jit = Jit::with_workers(program, Options::default(), count)
        .map_err(|error| Failure::Rejected(format!("{}: engine jit: {error}", path.display())))?;
    load::entries(arguments.entries.as_deref(), &mut jit)?;
    // The control plane stays where it is: workers lean on it.
    let (_control, mut workers) = jit.split();
    let shares: Vec<Frames> = (0..count).map(|n| frames.share(n, count)).collect();
    let (Some(first), Some(share)) = (workers.first_mut(), shares.first()) else {
        return Err(Failure::Usage("--workers: at least one".to_owned()));
    };
    if share.len() == 0 {
        return Err(Failure::Usage(format!("{} frames are too few", frames.len())));
    }
    let batch = usize::from(arguments.batch);
    let rounds = arguments.rounds;
    let seconds = arguments.seconds / 2.0;
    let alone = Driver::new(share, batch).measure(first, rounds.into(), Length::Seconds(seconds));
    let one = 1e3 / alone.nanoseconds();
    let passes = alone.rounds.first().map_or(1, |round| round.packets / share.len() as u64);
    let mut rates = together(&mut workers, &shares, batch, rounds, passes)?;
    rates.sort_by(f64::total_cmp);
    let all = rates.get(rates.len() / 2).copied().unwrap_or(f64::NAN);
    print(&match arguments.json {
        true => {
            let results = json!({
                "engine": "jit", "workers": count, "one_mpps": one, "mpps": all,
                "ratio": all / one, "rounds_mpps": rates,
            });
            format!("{results}\n")
        }
        false => format!(
            "one worker {one:.3}, {count} workers {all:.3} million packets a second: {:.2} times \
             as much (medians of {rounds} rounds)\n",
            all / one
        ),
    })
}

/// Million packets a second of all workers together, by round.
fn together<D: Dataplane + Send>(
    workers: &mut [D],
    shares: &[Frames],
    batch: usize,
    rounds: u16,
    passes: u64,
) -> Result<Vec<f64>, Failure> {
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
                .map_err(|error| Failure::Rejected(format!("cannot start a worker: {error}")))?;
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
