//! `ww clock`: this host's clock beside others.

use crate::Failure;
use crate::clock_args::{ClockArguments, ClockCommand, PtpArguments};
use crate::output::print;
use serde_json::json;
use ww_runtime::ptp::{Offsets, Settings, compare};
use ww_runtime::signals;

/// Does what the arguments say.
pub fn clock(arguments: &ClockArguments) -> Result<(), Failure> {
    match &arguments.command {
        ClockCommand::Ptp(arguments) => ptp(arguments),
    }
}

/// Prints by how much this host's clock is ahead of the master's, and how long the way is.
fn ptp(arguments: &PtpArguments) -> Result<(), Failure> {
    if !(arguments.delay.is_finite() && arguments.delay >= 0.001) {
        let message = format!("--delay: expected 0.001 seconds or more, found {}", arguments.delay);
        return Err(Failure::Rejected(message));
    }
    let PtpArguments { own, domain, seconds, delay, .. } = *arguments;
    let (stop, _signals) = signals::stop()?;
    let Offsets { offsets, delay } = compare(&Settings { own, domain, seconds, delay }, &stop)?;
    let quantile = |share: f64| offsets[(share * (offsets.len() - 1) as f64).round() as usize];
    let (least, median, largest) = (quantile(0.0), quantile(0.5), quantile(1.0));
    if arguments.json {
        return print(&format!(
            "{:#}\n",
            json!({
                "samples": offsets.len(),
                "offset_ns": { "least": least, "p50": median, "largest": largest },
                "delay_ns": delay,
            })
        ));
    }
    print(&format!(
        "{} samples\nahead of the master by, ns: median {median:.0}, {least:.0} to {largest:.0}\nthe way takes {delay:.0} ns\n",
        offsets.len(),
    ))
}
