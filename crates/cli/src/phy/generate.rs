//! `ww phy gen`: frames with exact gaps.

use super::line::Line;
use crate::Failure;
use crate::output::print;
use crate::phy_args::GenArguments;
use serde_json::{Value, json};
use ww_runtime::pace::numbered;

/// Writes frames, which are datagrams with their number, and prints figures.
pub fn generate(arguments: &GenArguments) -> Result<(), Failure> {
    let length = arguments.len as usize;
    let line = Line::new(arguments.output.as_deref(), &arguments.bitstream, (0, 0));
    let mut number = 0u64;
    let totals = line.write(|_, frame| {
        if number == arguments.count {
            return Ok(None);
        }
        numbered(number, length, frame);
        // The line begins with a start.
        let gap = if number == 0 { 0 } else { arguments.ipg };
        number += 1;
        Ok(Some(gap))
    })?;
    // With whole blocks, the period is longer than what was asked for.
    let period = match totals.rates() {
        Some((ipd, _)) => ipd / 0.8,
        None => (8 + u64::from(arguments.len) + arguments.ipg) as f64,
    };
    let rate = 10.0 * f64::from(arguments.len + 8) / period;
    let (ipd, pps) = (period * 0.8, 1.25e9 / period);
    if arguments.json {
        let mut figures = totals.json();
        for (name, value) in [
            ("len", json!(arguments.len)),
            ("ipg", json!(arguments.ipg)),
            ("ipd_ns", json!(ipd)),
            ("pps", json!(pps)),
            ("rate_gbps", json!(rate)),
        ] {
            figures.insert(name.to_owned(), value);
        }
        return print(&format!("{:#}\n", Value::Object(figures)));
    }
    print(&format!(
        "{} frames of {} bytes, {} characters apart\n{pps:.0} frames a second, one each {ipd:.1} ns; {rate:.3} Gb/s with preambles\nblocks: {}\n",
        totals.frames,
        arguments.len,
        arguments.ipg,
        totals.blocks()
    ))
}
