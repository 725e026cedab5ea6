//! When the good frames of a bitstream start, as they are or behind the model of a device.

use super::line::Pages;
use crate::Failure;
use crate::phy_args::{DeviceName, TimesArguments};
use ww_phy::device::{Device, Kind};
use ww_phy::stream::{Captured, Reader, Verdict};

/// Longest frame in bytes.
const LONGEST: usize = 9018;

/// `visit` gets the place of each start, in characters.
pub fn starts(arguments: &TimesArguments, mut visit: impl FnMut(u64)) -> Result<(), Failure> {
    let mut input = Pages::open(&arguments.input)?;
    let mut device = arguments.through.map(|device| {
        let kind = match device {
            DeviceName::CutThrough => Kind::CutThrough,
            DeviceName::StoreAndForward => Kind::StoreAndForward,
        };
        Device::new(kind, arguments.seed)
    });
    let mut reader = Reader::new(LONGEST);
    let mut frame = |found: Captured<'_>| {
        if found.verdict == Verdict::Good {
            let bytes = found.frame.len() as u64;
            visit(device.as_mut().map_or(found.start, |device| device.forward(found.start, bytes)));
        }
    };
    while let Some(page) = input.page()? {
        reader.blocks(&page.headers, &page.payloads, &mut frame);
    }
    reader.finish_stream(&mut frame);
    Ok(())
}
