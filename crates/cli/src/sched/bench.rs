//! `ww sched bench`: pairs of dequeue and enqueue a second.

use crate::Failure;
use crate::output::print;
use crate::sched_args::SchedBenchArguments;
use serde_json::json;
use std::fmt::Write;
use std::time::{Duration, Instant};
use ww_sched::list::MAX_ELEMENTS;
use ww_sched::rate::{Eligibility, Load, measure};

/// Measures and prints.
pub fn bench(arguments: &SchedBenchArguments) -> Result<(), Failure> {
    if !(arguments.seconds > 0.0 && arguments.seconds <= 3600.0) {
        return Err(Failure::Usage("--seconds must be more than 0 and at most 3600".into()));
    }
    if let Some(flows) = arguments.flows.iter().find(|f| !(1..=MAX_ELEMENTS).contains(*f)) {
        return Err(Failure::Usage(format!("--flows must be 1 to {MAX_ELEMENTS}, not {flows}")));
    }
    let time = Duration::from_secs_f64(arguments.seconds);
    let start = Instant::now();
    let clock = || start.elapsed();
    let mut rates = Vec::new();
    for rank_bits in [16, 64] {
        for &flows in &arguments.flows {
            for eligibility in [Eligibility::All, Eligibility::Rising, Eligibility::Random] {
                rates.extend(measure(Load { flows, rank_bits, eligibility }, time, &clock));
            }
        }
    }
    if arguments.json {
        let rows = rates.iter().map(|rate| {
            json!({
                "list": rate.name,
                "rank_bits": rate.load.rank_bits,
                "flows": rate.load.flows,
                "eligible": rate.load.eligibility.word(),
                "mpairs": rate.pairs_per_second / 1e6,
                "empty": rate.empty,
            })
        });
        let rows: Vec<_> = rows.collect();
        return print(&format!("{}\n", json!({ "seconds": arguments.seconds, "rates": rows })));
    }
    let mut text = String::from("rank bits      flows  eligible  list       million pairs/s\n");
    for rate in &rates {
        let Load { flows, rank_bits, eligibility } = rate.load;
        let (eligible, name, millions) =
            (eligibility.word(), rate.name, rate.pairs_per_second / 1e6);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{rank_bits:9} {flows:10}  {eligible:8}  {name:9} {millions:16.2}");
    }
    print(&text)
}
