//! `ww phy cap`: the frames of a bitstream.

use super::line::{Pages, commit, text_file};
use crate::Failure;
use crate::output::print;
use crate::phy_args::CapArguments;
use serde_json::json;
use std::collections::BTreeMap;
use std::io::Write as _;
use ww_io::capture::CaptureWriter;
use ww_io::overwrite::Files;
use ww_io::time::{SECOND, UtcTime};
use ww_phy::fcs::FCS_LENGTH;
use ww_phy::profile::Intervals;
use ww_phy::stream::{Captured, Reader, Verdict};

/// Bytes of a record that a capturer keeps: the first 48 of the frame, the gap, length and offset (spec 000 section 2.4).
const RECORD_SNAP: u64 = 48;
const RECORD_FIELDS: u64 = 12;

/// Reads blocks, writes frames, prints figures.
pub fn cap(arguments: &CapArguments) -> Result<(), Failure> {
    let mut files = Files::default();
    files.reads("the bitstream", &arguments.input);
    if let Some(path) = &arguments.output {
        files.writes("--output", path)?;
    }
    if let Some(path) = &arguments.list {
        files.writes("--list", path)?;
    }
    let mut input = Pages::open(&arguments.input)?;
    let header = input.header();
    let start = UtcTime(i128::from(header.start.0) * SECOND + i128::from(header.start.1));
    let mut capture = match &arguments.output {
        Some(path) => Some(
            CaptureWriter::create_from(path, &[], start)
                .map_err(|error| Failure::Rejected(error.to_string()))?,
        ),
        None => None,
    };
    let mut list = match &arguments.list {
        Some(path) => Some((path, text_file(path)?)),
        None => None,
    };
    let mut reader = Reader::new(arguments.longest as usize);
    let mut verdicts: BTreeMap<Verdict, u64> = BTreeMap::new();
    let mut intervals = Intervals::default();
    let (mut bytes, mut records) = (0u64, 0u64);
    let mut trouble = None;
    let mut visit = |found: Captured<'_>| {
        *verdicts.entry(found.verdict).or_default() += 1;
        if found.verdict != Verdict::Good {
            return;
        }
        intervals.start(found.start);
        bytes += found.frame.len() as u64;
        records += RECORD_FIELDS + RECORD_SNAP.min(found.frame.len() as u64);
        if let Some((_, out)) = &mut list {
            // An error shows again when it is committed.
            let _ = writeln!(out, "{} {}", found.frame.len(), found.gap);
        }
        if let Some(capture) = &mut capture {
            let frame = &found.frame[..found.frame.len() - FCS_LENGTH];
            let kept = arguments.snap.map_or(frame.len(), |snap| frame.len().min(snap as usize));
            let time = start.after(found.start * ww_phy::CHARACTER_PS);
            let written = capture.write_part(0, time, &frame[..kept], frame.len());
            trouble = trouble.take().or(written.err());
        }
    };
    while let Some(page) = input.page()? {
        reader.blocks(&page.headers, &page.payloads, &mut visit);
    }
    reader.finish_stream(&mut visit);
    if let Some(error) = trouble {
        return Err(Failure::Rejected(error.to_string()));
    }
    if let Some(capture) = capture {
        capture.finish().map_err(|error| Failure::Rejected(error.to_string()))?;
    }
    if let Some((path, out)) = list {
        commit(path, out)?;
    }
    let counts = reader.counts();
    let count = |verdict| verdicts.get(&verdict).copied().unwrap_or(0);
    let moments = intervals.moments().zip(intervals.range());
    if arguments.json {
        let mut figures = json!({
            "blocks": counts.blocks,
            "bad_blocks": counts.bad_blocks,
            "frames": counts.frames,
            "good": counts.good,
            "bad_fcs": count(Verdict::BadFcs),
            "cut": count(Verdict::Cut),
            "runt": count(Verdict::Runt),
            "oversize": count(Verdict::Oversize),
            "bad_preamble": count(Verdict::BadPreamble),
            "short_gaps": counts.short_gaps,
            "bytes": bytes,
            "record_bytes": records,
        });
        if let Some(((mean, deviation), (least, most))) = moments {
            figures["ipd_ns"] = json!(mean * 0.8);
            figures["ipd_sigma_ns"] = json!(deviation * 0.8);
            figures["ipd_least_ns"] = json!(least as f64 * 0.8);
            figures["ipd_most_ns"] = json!(most as f64 * 0.8);
            figures["pps"] = json!(1.25e9 / mean);
        }
        return print(&format!("{figures:#}\n"));
    }
    let mut text = format!(
        "{} blocks, {} of them bad\n{} frames, {} good",
        counts.blocks, counts.bad_blocks, counts.frames, counts.good
    );
    for (verdict, words) in [
        (Verdict::BadFcs, "with a wrong check sequence"),
        (Verdict::Cut, "cut by an error"),
        (Verdict::Runt, "too short"),
        (Verdict::Oversize, "too long"),
        (Verdict::BadPreamble, "without a preamble"),
    ] {
        if count(verdict) > 0 {
            text.push_str(&format!(", {} {words}", count(verdict)));
        }
    }
    text.push('\n');
    if let Some(((mean, deviation), (least, most))) = moments {
        text.push_str(&format!(
            "one each {:.3} ns in the mean ({:.0} a second), standard deviation {:.3} ns, {:.1} to {:.1} ns\n",
            mean * 0.8,
            1.25e9 / mean,
            deviation * 0.8,
            least as f64 * 0.8,
            most as f64 * 0.8
        ));
    }
    if counts.short_gaps > 0 {
        text.push_str(&format!("{} gaps of fewer than 12 characters\n", counts.short_gaps));
    }
    print(&text)
}
