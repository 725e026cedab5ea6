//! Captures in the order of their timestamps.
//!
//! Capture programs that read several queues write frames slightly out of order.
//! A window of frames read ahead puts them right; a file that needs more is
//! refused with a hint, rather than held in memory whole.

use super::{CaptureError, CaptureReader, LINKTYPE_ETHERNET};
use crate::time::UtcTime;
use std::collections::VecDeque;
use std::path::Path;

/// Frames read ahead at most.
const WINDOW_FRAMES: usize = 4096;
/// Bytes read ahead at most.
const WINDOW_BYTES: usize = 16 * 1024 * 1024;

/// A frame and what the world needs to know about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderedFrame {
    /// When it was captured.
    pub timestamp: UtcTime,
    /// Position in the file, from 1.
    pub number: u64,
    /// Whether bytes were lost to a snapshot length.
    pub truncated: bool,
    /// The bytes.
    pub frame: Vec<u8>,
}

/// Reads Ethernet frames of one capture by timestamp, equal ones as in the file.
pub struct OrderedReader {
    reader: CaptureReader,
    window: VecDeque<OrderedFrame>,
    bytes: usize,
    at_end: bool,
    /// Time and number of the last frame handed out.
    last: Option<(UtcTime, u64)>,
    /// Buffers to use again.
    spare: Vec<Vec<u8>>,
}

impl OrderedReader {
    /// Opens a capture file.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        CaptureReader::open(path).map(Self::new)
    }

    /// Orders the frames of `reader`.
    pub fn new(reader: CaptureReader) -> Self {
        Self {
            reader,
            window: VecDeque::new(),
            bytes: 0,
            at_end: false,
            last: None,
            spare: Vec::new(),
        }
    }

    fn fill(&mut self) -> Result<(), CaptureError> {
        while !self.at_end && self.window.len() < WINDOW_FRAMES && self.bytes < WINDOW_BYTES {
            let mut frame = self.spare.pop().unwrap_or_default();
            let Some(info) = self.reader.next_frame(&mut frame)? else {
                self.at_end = true;
                break;
            };
            if info.link_type != LINKTYPE_ETHERNET {
                let problem = format!(
                    "has link type {}, expected {LINKTYPE_ETHERNET} (Ethernet)",
                    info.link_type
                );
                return Err(self.reader.packet_error(info.number, problem));
            }
            if let Some((last, number)) = self.last
                && info.timestamp < last
            {
                let problem = format!(
                    "is older than packet {number} before it, by more packets than the \
                     {WINDOW_FRAMES} that are put in order; sort the file (for example with \
                     reordercap)"
                );
                return Err(self.reader.packet_error(info.number, problem));
            }
            self.bytes += frame.len();
            let truncated = (frame.len() as u64) < u64::from(info.original_length);
            let ordered =
                OrderedFrame { timestamp: info.timestamp, number: info.number, truncated, frame };
            if self.window.back().is_none_or(|back| back.timestamp <= info.timestamp) {
                self.window.push_back(ordered);
            } else {
                let at = self.window.partition_point(|held| held.timestamp <= info.timestamp);
                self.window.insert(at, ordered);
            }
        }
        Ok(())
    }

    /// The time of the next frame; `None` at the end.
    pub fn peek(&mut self) -> Result<Option<UtcTime>, CaptureError> {
        self.fill()?;
        Ok(self.window.front().map(|front| front.timestamp))
    }

    /// The next frame; `None` at the end.
    pub fn next_frame(&mut self) -> Result<Option<OrderedFrame>, CaptureError> {
        self.fill()?;
        let Some(front) = self.window.pop_front() else { return Ok(None) };
        self.bytes -= front.frame.len();
        self.last = Some((front.timestamp, front.number));
        Ok(Some(front))
    }

    /// Takes a frame's buffer back, to save allocations.
    pub fn recycle(&mut self, frame: OrderedFrame) {
        self.spare.push(frame.frame);
    }

    /// An error about packet `number` of this file.
    pub fn packet_error(&self, number: u64, problem: impl Into<String>) -> CaptureError {
        self.reader.packet_error(number, problem)
    }
}
