//! `ww phy gen`: frames with exact gaps.

use super::line::Line;
use crate::Failure;
use crate::output::print;
use crate::phy_args::GenArguments;
use serde_json::{Value, json};
use std::net::Ipv4Addr;
use ww_packet::udp_frame::{self, End, HEADERS};
use ww_phy::fcs::{FCS_LENGTH, fcs};

/// Of the addresses for documentation and benchmarks (RFC 2544, RFC 7042).
const FROM: End =
    End { mac: [0x02, 0, 0x5e, 0, 0x53, 1], ip: Ipv4Addr::new(198, 18, 0, 1), port: 1024 };
const TO: End = End { mac: [0x02, 0, 0x5e, 0, 0x53, 2], ip: Ipv4Addr::new(198, 18, 0, 2), port: 9 };

/// A frame of so many bytes with a number.
pub fn numbered(number: u64, length: usize, frame: &mut Vec<u8>) {
    frame.clear();
    udp_frame::emit(&FROM, &TO, &number.to_be_bytes(), length - FCS_LENGTH - HEADERS, frame);
    frame.extend(fcs(frame).to_le_bytes());
}

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
