//! Seeds that no run had before.

/// The first of a row of seeds: that of the clock, printed, or `WW_SEED`, which repeats a run.
pub fn first_seed() -> u64 {
    let asked = std::env::var("WW_SEED").ok();
    let seed = asked.map_or_else(
        || {
            let since = std::time::UNIX_EPOCH.elapsed().expect("the clock is past 1970");
            since.as_secs() * 1_000
        },
        |seed| seed.parse().expect("WW_SEED is a number"),
    );
    println!("WW_SEED={seed}");
    seed
}
