//! Capture files as ports of a live run: their frames come in at the pace of their
//! timestamps, and what leaves is written with the time of day.

use super::counters::PortCounters;
use crate::capture::{CaptureError, CaptureWriter, OrderedReader, OutputError};
use crate::live::Transmitter;
use crate::time::UtcTime;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink};

/// Where the frames of a file port come from. One worker has all of them.
pub(super) struct PacedInput {
    reader: OrderedReader,
    port: PortId,
    counters: Arc<PortCounters>,
}

impl PacedInput {
    pub fn open(
        path: &Path,
        port: PortId,
        counters: Arc<PortCounters>,
    ) -> Result<Self, CaptureError> {
        Ok(Self { reader: OrderedReader::open(path)?, port, counters })
    }

    /// The timestamp of the next frame.
    pub fn peek(&mut self) -> Result<Option<UtcTime>, CaptureError> {
        self.reader.peek()
    }

    /// When the next frame is due, if the run began at `start`; `None` at the end.
    pub fn next_due(&mut self, start: UtcTime) -> Result<Option<Picoseconds>, CaptureError> {
        let stamp = self.reader.peek()?;
        Ok(stamp.map(|stamp| stamp.since(start).unwrap_or(Picoseconds::MAX)))
    }

    /// Gives the next frame to the dataplane at `now`.
    pub fn deliver(
        &mut self,
        now: Picoseconds,
        dataplane: &mut dyn Dataplane,
        sink: &mut dyn Sink,
    ) -> Result<(), CaptureError> {
        let Some(mut next) = self.reader.next_frame()? else { return Ok(()) };
        self.counters.rx_truncated.add(u64::from(next.truncated));
        let mut frames = [Frame { port: self.port, bytes: &mut next.frame }];
        self.counters.received(&frames);
        dataplane.receive_batch(now, &mut frames, sink);
        self.reader.recycle(next);
        Ok(())
    }
}

/// The output file of a port, into which all workers write.
pub(super) struct FileOutput {
    /// The first error ends the writing.
    state: Mutex<(Option<CaptureWriter>, Option<OutputError>)>,
    /// The time of day at the start of the run.
    start: UtcTime,
}

impl FileOutput {
    /// Opens a file; without one what leaves is only counted.
    pub fn create(path: Option<&Path>, port: PortId, start: UtcTime) -> Result<Self, OutputError> {
        let name = format!("port{port}");
        let writer = path.map(|path| CaptureWriter::create(path, &[&name])).transpose()?;
        Ok(Self { state: Mutex::new((writer, None)), start })
    }

    fn write(&self, at: Picoseconds, frame: &[u8]) {
        let (writer, error) = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = writer
            && let Err(e) = open.write(0, self.start.after(at), frame)
        {
            *writer = None;
            *error = Some(e);
        }
    }

    /// The error that ended the writing, once.
    pub fn error(&self) -> Option<OutputError> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).1.take()
    }

    /// Gives the file its name.
    pub fn finish(&self) -> Result<(), OutputError> {
        let (writer, error) = &mut *self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match (error.take(), writer.take()) {
            (Some(error), _) => Err(error),
            (None, Some(writer)) => writer.finish(),
            (None, None) => Ok(()),
        }
    }
}

/// One worker's way into an output file.
pub(super) struct FileTransmitter {
    pub output: Arc<FileOutput>,
    pub counters: Arc<PortCounters>,
}

impl Transmitter for FileTransmitter {
    fn send(&mut self, at: Picoseconds, frame: &[u8]) {
        self.counters.sent(1, frame.len() as u64);
        self.output.write(at, frame);
    }

    fn flush(&mut self) {}
}
