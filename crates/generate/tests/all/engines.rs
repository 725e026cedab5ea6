//! The native engine against the reference engine, on generated programs with entries and
//! packets. `WW_SEEDS=FIRST..LAST` runs other seeds than the first 2,000; a program on which the
//! two differ is printed with its steps, made small.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use ww_control::Switch;
use ww_engine::interp::{Interp, Options};
use ww_engine::jit::Jit;
use ww_generate::case::{Case, Source, compile};
use ww_generate::compare::compare;
use ww_generate::profile::Profile;
use ww_generate::shrink::shrink;

/// Programs of each run.
const SEEDS: std::ops::Range<u64> = 0..2000;

/// More cases with differences than these are not looked for.
const ENOUGH: usize = 3;

/// Most programs that are tried to make one small.
const QUESTIONS: usize = 4000;

fn interp(source: &Source) -> Result<Box<dyn Switch>, String> {
    let engine = Interp::new(source.program.clone(), Options::default());
    Ok(Box::new(engine.map_err(|e| e.to_string())?))
}

fn jit(source: &Source) -> Result<Box<dyn Switch>, String> {
    let engine = Jit::new(source.program.clone(), Options::default());
    Ok(Box::new(engine.map_err(|e| e.to_string())?))
}

fn seeds() -> std::ops::Range<u64> {
    let Ok(text) = std::env::var("WW_SEEDS") else { return SEEDS };
    let (first, last) = text.split_once("..").expect("WW_SEEDS is FIRST..LAST");
    first.parse().expect("a number")..last.parse().expect("a number")
}

/// What the two engines make of a program differently.
fn check(seed: u64) -> Option<String> {
    let (case, source) = match Case::generate(seed, &Profile::for_seed(seed)) {
        Ok(made) => made,
        Err(error) => return Some(format!("seed {seed}: {error}")),
    };
    let difference = compare(&case, &source, &interp, &jit)?;
    let mut small = case;
    if std::env::var_os("WW_WHOLE").is_none() {
        let mut fails = |case: &Case| {
            compile(case.program.text())
                .is_ok_and(|source| compare(case, &source, &interp, &jit).is_some())
        };
        small = shrink(&small, QUESTIONS, &mut fails).case;
    }
    Some(format!("seed {seed}: {difference}\n{}", small.listing()))
}

#[test]
fn engines_agree_on_generated_programs() {
    let seeds = seeds();
    let next = AtomicU64::new(seeds.start);
    let found = Mutex::new(Vec::new());
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let enough =
                        found.lock().is_ok_and(|found: std::sync::MutexGuard<'_, Vec<String>>| {
                            found.len() >= ENOUGH
                        });
                    if seed >= seeds.end || enough {
                        return;
                    }
                    if let Some(problem) = check(seed) {
                        found.lock().expect("nobody panics with it").push(problem);
                    }
                }
            });
        }
    });
    let found = found.into_inner().expect("nobody panics with it");
    assert!(found.is_empty(), "{}", found.join("\n\n"));
}
