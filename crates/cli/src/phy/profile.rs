//! `ww phy profile`: times between frames.

use super::line::{commit, text_file};
use super::times::starts;
use crate::Failure;
use crate::output::print;
use crate::phy_args::ProfileArguments;
use serde_json::json;
use std::io::Write as _;
use ww_io::overwrite::Files;
use ww_phy::profile::Intervals;

const QUANTILES: [(&str, f64); 5] =
    [("p1", 0.01), ("p25", 0.25), ("p50", 0.5), ("p75", 0.75), ("p99", 0.99)];

/// Prints mean, deviation and quantiles.
pub fn profile(arguments: &ProfileArguments) -> Result<(), Failure> {
    if let Some(path) = &arguments.cdf {
        Files::default().reads("the bitstream", &arguments.times.input).writes("--cdf", path)?;
    }
    let mut intervals = Intervals::default();
    starts(&arguments.times, |at| intervals.start(at))?;
    let nanoseconds = |characters: u64| characters as f64 * 0.8;
    let Some(((mean, deviation), (least, most))) = intervals.moments().zip(intervals.range())
    else {
        let name = arguments.times.input.display();
        return Err(Failure::Rejected(format!("{name}: expected two good frames or more")));
    };
    if let Some(path) = &arguments.cdf {
        let mut out = text_file(path)?;
        for (interval, count) in intervals.distribution() {
            let share = count as f64 / intervals.count() as f64;
            // An error shows again when the file is committed.
            let _ = writeln!(out, "{:.1} {share:.6}", nanoseconds(interval));
        }
        commit(path, out)?;
    }
    let quantiles = QUANTILES
        .map(|(name, share)| (name, nanoseconds(intervals.quantile(share).unwrap_or(most))));
    if arguments.times.json {
        let mut figures = json!({
            "intervals": intervals.count(),
            "mean_ns": mean * 0.8,
            "sigma_ns": deviation * 0.8,
            "least_ns": nanoseconds(least),
            "most_ns": nanoseconds(most),
        });
        for (name, value) in quantiles {
            figures[format!("{name}_ns")] = json!(value);
        }
        return print(&format!("{figures:#}\n"));
    }
    let quantiles: Vec<String> =
        quantiles.iter().map(|(name, value)| format!("{name} {value:.1}")).collect();
    print(&format!(
        "{} intervals: mean {:.3} ns, standard deviation {:.3} ns\n{:.1} to {:.1} ns; {}\n",
        intervals.count(),
        mean * 0.8,
        deviation * 0.8,
        nanoseconds(least),
        nanoseconds(most),
        quantiles.join(", ")
    ))
}
