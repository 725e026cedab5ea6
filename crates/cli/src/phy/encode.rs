//! `ww phy encode`: the frames of a capture at one gap.

use super::line::{Line, Totals};
use crate::Failure;
use crate::output::print;
use crate::phy_args::EncodeArguments;
use serde_json::Value;
use std::path::Path;
use ww_io::capture::{CaptureReader, FrameInfo};
use ww_io::overwrite::Files;
use ww_phy::fcs::fcs;

/// Bytes of the shortest frame without its check sequence.
const SHORTEST: usize = 60;

/// Frames of a capture as a line carries them: padded, with a check sequence.
pub struct Frames {
    reader: CaptureReader,
}

impl Frames {
    /// Opens a capture.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let reader =
            CaptureReader::open(path).map_err(|error| Failure::Rejected(error.to_string()))?;
        Ok(Self { reader })
    }

    /// The next frame. One that was cut when it was captured is filled up with zeros to its length.
    pub fn next(&mut self, frame: &mut Vec<u8>) -> Result<Option<FrameInfo>, Failure> {
        let info =
            self.reader.next_frame(frame).map_err(|error| Failure::Rejected(error.to_string()))?;
        if let Some(info) = info {
            let length = (info.original_length as usize).clamp(frame.len(), 1 << 16);
            frame.resize(length.max(SHORTEST), 0);
            frame.extend(fcs(frame).to_le_bytes());
        }
        Ok(info)
    }
}

/// Writes a bitstream.
pub fn encode(arguments: &EncodeArguments) -> Result<(), Failure> {
    Files::default()
        .reads("the capture", &arguments.input)
        .writes("--output", &arguments.output)?;
    let mut frames = Frames::open(&arguments.input)?;
    let line = Line::new(Some(&arguments.output), &arguments.bitstream, (0, 0));
    let mut first = true;
    let totals = line.write(|_, frame| {
        let gap = if std::mem::take(&mut first) { 0 } else { arguments.ipg };
        Ok(frames.next(frame)?.map(|_| gap))
    })?;
    report(&totals, arguments.json)
}

/// Prints what went over a line.
pub fn report(totals: &Totals, json: bool) -> Result<(), Failure> {
    if json {
        return print(&format!("{:#}\n", Value::Object(totals.json())));
    }
    let rates = totals.rates().map_or(String::new(), |(ipd, pps)| {
        format!(", one each {ipd:.3} ns in the mean ({pps:.0} a second)")
    });
    print(&format!("{} frames of {} bytes in all{rates}\n", totals.frames, totals.bytes))
}
