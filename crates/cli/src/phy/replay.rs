//! `ww phy replay`: frames at their times.

use super::encode::{Frames, report};
use super::line::Line;
use crate::Failure;
use crate::phy_args::ReplayArguments;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use ww_io::overwrite::Files;
use ww_io::time::{SECOND, UtcTime};
use ww_phy::CHARACTER_PS;
use ww_phy::fcs::fcs;
use ww_phy::stream::Writer;

/// Longest line of a list.
const LONGEST_LINE: u64 = 200;

/// Writes a bitstream of a list or of a capture.
pub fn replay(arguments: &ReplayArguments) -> Result<(), Failure> {
    Files::default().reads("the source", &arguments.input).writes("--output", &arguments.output)?;
    let name = arguments.input.to_string_lossy().to_ascii_lowercase();
    let stem = name.strip_suffix(".gz").unwrap_or(&name);
    if [".pcap", ".pcapng", ".cap"].iter().any(|ending| stem.ends_with(ending)) {
        capture(arguments)
    } else {
        list(arguments)
    }
}

/// Frames of a capture: each starts at its time after the first one, to the character. A time that is not a whole
/// number of characters is rounded on its own, so that what is left over does not add up.
fn capture(arguments: &ReplayArguments) -> Result<(), Failure> {
    let mut frames = Frames::open(&arguments.input)?;
    let mut frame = Vec::new();
    let Some(first) = frames.next(&mut frame)? else {
        let message = format!("{}: there is no frame", arguments.input.display());
        return Err(Failure::Rejected(message));
    };
    let UtcTime(begin) = first.timestamp;
    let start = (begin.div_euclid(SECOND) as i64, begin.rem_euclid(SECOND) as u64);
    let line = Line::new(Some(&arguments.output), &arguments.bitstream, start);
    let mut waiting = Some(frame);
    let totals = line.write(|writer: &Writer, frame| {
        if let Some(first) = waiting.take() {
            *frame = first;
            return Ok(Some(0));
        }
        let Some(info) = frames.next(frame)? else { return Ok(None) };
        let after = info.timestamp.since(first.timestamp).ok_or_else(|| {
            let problem =
                "its time is before that of the first packet: sort the capture (reordercap)";
            Failure::Rejected(format!(
                "{}: packet {}: {problem}",
                arguments.input.display(),
                info.number
            ))
        })?;
        let at = (after + CHARACTER_PS / 2) / CHARACTER_PS;
        // What cannot be in time is as early as it can.
        Ok(Some(at.saturating_sub(writer.at())))
    })?;
    report(&totals, arguments.json)
}

/// Lines `LENGTH GAP`: frames of zeros with their check sequence.
fn list(arguments: &ReplayArguments) -> Result<(), Failure> {
    let path = arguments.input.display();
    let fail = |problem: String| Failure::Rejected(format!("{path}: {problem}"));
    let file =
        File::open(&arguments.input).map_err(|error| fail(format!("cannot open: {error}")))?;
    let mut lines = BufReader::new(file);
    let mut number = 0u64;
    let line = Line::new(Some(&arguments.output), &arguments.bitstream, (0, 0));
    let totals = line.write(|_, frame| {
        loop {
            number += 1;
            let mut text = Vec::new();
            let limited = lines.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut text);
            if limited.map_err(|error| fail(format!("cannot read: {error}")))? == 0 {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&text);
            let text = text.trim();
            if text.is_empty() || text.starts_with('#') {
                continue;
            }
            let wrong = || {
                fail(format!(
                    "line {number}: expected 'LENGTH GAP', a length of 64 to 65535 bytes and a gap in characters, found '{}'",
                    text.escape_default()
                ))
            };
            let (length, gap) = text.split_once(char::is_whitespace).ok_or_else(wrong)?;
            let length: usize = length.parse().map_err(|_| wrong())?;
            let gap: u64 = gap.trim().parse().map_err(|_| wrong())?;
            // A year of characters is enough.
            if !(64..=65_535).contains(&length) || gap > 1 << 55 {
                return Err(wrong());
            }
            frame.clear();
            frame.resize(length - 4, 0);
            frame.extend(fcs(frame).to_le_bytes());
            return Ok(Some(gap));
        }
    })?;
    report(&totals, arguments.json)
}
