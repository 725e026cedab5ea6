//! How well a clock in software follows the counter of a network card: differences of its estimate and the counter, at the same instants
//! (spec 000 section 2.6, figure 4.32).
//!
//! ```text
//! cargo run --release -p wirewright-dtp --example daemon
//! ```

use ww_dtp::daemon::Smoothing;
use ww_dtp::simulation::host::daemon_errors;

const READS: u64 = 20_000;

fn main() {
    println!(
        "{READS} reads, 100 us apart; ticks of 6.4 ns from the counter, in the middle between two reads"
    );
    for (name, smoothing) in [
        ("the last read", Smoothing::Last),
        ("the mean of ten", Smoothing::Mean),
        ("the quickest 3 of 32", Smoothing::Quickest),
    ] {
        let mut errors = daemon_errors(smoothing, READS, 7);
        errors.sort_unstable();
        let share = |part: f64| errors[(part * (errors.len() - 1) as f64) as usize];
        let within = |ticks| {
            let count = errors.iter().filter(|error| **error <= ticks).count();
            count as f64 / errors.len() as f64 * 100.0
        };
        let (median, most, largest) = (share(0.5), share(0.99), share(1.0));
        println!(
            "  {name:<21} median {median}, 99 % {most}, largest {largest}; within 4: {:.1} %, within 16: {:.1} %",
            within(4),
            within(16)
        );
    }
}
