//! How far apart two neighbours' counters come: at random, and with an adversary at the crossings between clocks.
//!
//! `cargo run --release -p wirewright-dtp --example bound`

use ww_dtp::port::Config;
use ww_dtp::simulation::crossing::{Crossing, Crossings, Random};
use ww_dtp::simulation::offsets::Offsets;
use ww_dtp::simulation::oscillator::{NOMINAL_PERIOD, Oscillator};
use ww_dtp::simulation::{Cable, Simulation};

/// Differences of the counters of two neighbours, the first 100 ppm fast and the second 100 ppm slow.
fn offsets<C: Crossings>(
    interval: u64,
    fraction: u64,
    phase: u64,
    ticks: u64,
    crossings: C,
) -> Offsets {
    let oscillators = vec![Oscillator::new(100.0, 0), Oscillator::new(-100.0, phase)];
    let cable = Cable { latency: 8 * NOMINAL_PERIOD + fraction, ..Cable::new([(0, 0), (1, 0)], 0) };
    let mut simulation = Simulation::new(Config::new(interval), oscillators, &[cable], crossings);
    simulation.all_up();
    simulation.run(10 * interval);
    simulation.watch(0, 1);
    simulation.run(ticks);
    simulation.take_offsets().remove(0)
}

fn main() {
    println!("at random, 16 links of 10^7 ticks each");
    for interval in [200, 1200, 4000] {
        let mut largest = 0;
        let mut above = 0.0;
        for seed in 0..16 {
            let mut random = Random::new(seed);
            let (fraction, phase) = (random.below(NOMINAL_PERIOD), random.below(NOMINAL_PERIOD));
            let found = offsets(interval, fraction, phase, 10_000_000, random);
            largest = largest.max(found.largest());
            above += found.share_above(4) / 16.0;
        }
        println!("  interval {interval}: at most {largest} ticks, {:.5} % above 4", above * 100.0);
    }
    println!(
        "an adversary: delays measured as short as can be, counters told as late as can be; 100 ways by 100 phases"
    );
    for interval in [200, 1200, 4000] {
        let mut worst = (0, 0, 0);
        for way in 0..100 {
            for phase in 0..100 {
                let adversary = |crossing: Crossing| u64::from(!crossing.measures);
                let (fraction, phase) = (way * NOMINAL_PERIOD / 100, phase * NOMINAL_PERIOD / 100);
                let found = offsets(interval, fraction, phase, 30_000, adversary).largest();
                worst = worst.max((found, fraction, phase));
            }
        }
        let (largest, fraction, phase) = worst;
        let hundredths = |time: u64| time * 100 / NOMINAL_PERIOD;
        println!(
            "  interval {interval}: {largest} ticks, the way {}/100 and the phase {}/100 of a tick more",
            hundredths(fraction),
            hundredths(phase)
        );
    }
}
