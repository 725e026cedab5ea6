//! `ww phy covert`: a channel in the times between frames.

use super::line::Line;
use super::times::starts;
use crate::Failure;
use crate::output::print;
use crate::phy_args::{
    BitstreamArguments, CovertCommand, CovertDetectArguments, CovertSendArguments, RoundingName,
    TimesArguments,
};
use serde_json::json;
use ww_phy::covert::{self, Suspicion};
use ww_phy::device::Stamps;
use ww_phy::stream::PREAMBLE;
use ww_runtime::pace::numbered;

/// Does what the arguments say.
pub fn covert(command: &CovertCommand) -> Result<(), Failure> {
    match command {
        CovertCommand::Send(arguments) => send(arguments),
        CovertCommand::Receive(arguments) => receive(arguments),
        CovertCommand::Detect(arguments) => detect(arguments),
    }
}

fn send(arguments: &CovertSendArguments) -> Result<(), Failure> {
    let message = arguments.message.as_bytes();
    let (length, gap, shift) = (arguments.len, arguments.ipg, arguments.shift);
    let period = PREAMBLE + u64::from(length) + gap;
    if message.len() > covert::LONGEST {
        let longest = covert::LONGEST;
        let found = message.len();
        return Err(Failure::Usage(format!(
            "a message has at most {longest} bytes, found {found}"
        )));
    }
    if !period.is_multiple_of(4) || !shift.is_multiple_of(4) {
        return Err(Failure::Usage(format!(
            "starts stand in lanes 0 and 4: 8 + --len + --ipg and --shift must be multiples of 4, found {period} and {shift}"
        )));
    }
    if gap < shift + 5 {
        return Err(Failure::Usage(format!(
            "a gap has 5 characters or more: --ipg must be {} or more with this --shift, found {gap}",
            shift + 5
        )));
    }
    let around = || std::iter::repeat_n(gap, arguments.around as usize);
    let mut gaps =
        std::iter::once(0).chain(around()).chain(covert::gaps(message, gap, shift)).chain(around());
    let options = BitstreamArguments { rounding: RoundingName::Mean, plain: false };
    let line = Line::new(Some(&arguments.output), &options, (0, 0));
    let mut number = 0;
    let totals = line.write(|_, frame| {
        numbered(number, length as usize, frame);
        number += 1;
        Ok(gaps.next())
    })?;
    // Two frames for each bit.
    let rate = 1.25e9 / period as f64 / 2.0;
    if arguments.json {
        let mut figures = totals.json();
        figures.insert("bits_per_second".to_owned(), json!(rate));
        figures.insert("shift_ns".to_owned(), json!(shift as f64 * 0.8));
        return print(&format!("{:#}\n", serde_json::Value::Object(figures)));
    }
    print(&format!(
        "{} frames, {rate:.0} bits a second, gaps longer and shorter by {:.1} ns\n",
        totals.frames,
        shift as f64 * 0.8
    ))
}

fn intervals(arguments: &TimesArguments) -> Result<Vec<u64>, Failure> {
    let (mut last, mut intervals) = (None, Vec::new());
    starts(arguments, |at| {
        intervals.extend(last.replace(at).map(|last| at - last));
    })?;
    Ok(intervals)
}

fn receive(arguments: &TimesArguments) -> Result<(), Failure> {
    let found = covert::receive(&intervals(arguments)?);
    if arguments.json {
        let list: Vec<_> = found
            .iter()
            .map(|one| {
                json!({
                    "message": String::from_utf8_lossy(&one.message),
                    "good": one.good,
                    "interval": one.at,
                })
            })
            .collect();
        return print(&format!("{:#}\n", json!({ "messages": list })));
    }
    if found.is_empty() {
        return print("no message\n");
    }
    found.iter().try_for_each(|one| {
        let text = String::from_utf8_lossy(&one.message).escape_debug().to_string();
        let verdict = if one.good { "" } else { " (its check sequence is wrong)" };
        print(&format!("{text}{verdict}\n"))
    })
}

fn detect(arguments: &CovertDetectArguments) -> Result<(), Failure> {
    let (seen, spread) = (intervals(&arguments.times)?, arguments.stamp_error / 0.8);
    if !spread.is_finite() || spread < 0.0 {
        return Err(Failure::Usage("--stamp-error must be 0 or more".to_owned()));
    }
    let mut stamps = Stamps::new(spread, arguments.times.seed);
    let seen: Vec<f64> = seen.iter().map(|interval| stamps.interval(*interval)).collect();
    let suspicion = Suspicion::of(&seen);
    let speaks = suspicion.is_some_and(Suspicion::is_channel);
    if arguments.times.json {
        let mut figures = json!({ "intervals": seen.len(), "channel": speaks });
        if let Some(suspicion) = suspicion {
            figures["sigma_ns"] = json!(suspicion.deviation * 0.8);
            figures["kurtosis"] = json!(suspicion.kurtosis);
        }
        return print(&format!("{figures:#}\n"));
    }
    let verdict = if speaks { "somebody speaks" } else { "nothing to be seen" };
    let figures = suspicion.map_or(String::from("all intervals are the same"), |suspicion| {
        format!(
            "standard deviation {:.3} ns, kurtosis {:.2}",
            suspicion.deviation * 0.8,
            suspicion.kurtosis
        )
    });
    print(&format!("{verdict}: {} intervals, {figures}\n", seen.len()))
}
