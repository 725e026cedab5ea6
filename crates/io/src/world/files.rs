//! A port made of capture files: where its frames come from and go to.

use super::{PortReport, RunError};
use crate::capture::{CaptureError, CaptureWriter, OrderedFrame, OrderedReader};
use crate::spec::{PortAssignment, PortSpec};
use crate::time::UtcTime;
use ww_dataplane::Picoseconds;

/// An open file port. Its output appears when [`finish`](Self::finish) is called.
pub(super) struct FilePort {
    reader: Option<OrderedReader>,
    writer: Option<CaptureWriter>,
    pub report: PortReport,
}

impl FilePort {
    /// Opens both files of `port`. `None` when it is not a file port.
    pub fn open(port: &PortAssignment) -> Result<Option<Self>, RunError> {
        let PortSpec::Files { input, output } = &port.spec else { return Ok(None) };
        let reader = input.as_deref().map(OrderedReader::open).transpose()?;
        let name = format!("port{}", port.port);
        let writer =
            output.as_deref().map(|path| CaptureWriter::create(path, &[&name])).transpose()?;
        let report =
            PortReport { port: port.port, spec: port.spec.to_string(), ..PortReport::default() };
        Ok(Some(Self { reader, writer, report }))
    }

    /// The time of the next frame to come in; `None` when there are no more.
    pub fn peek(&mut self) -> Result<Option<UtcTime>, CaptureError> {
        self.reader.as_mut().map_or(Ok(None), OrderedReader::peek)
    }

    /// The next frame to come in with its time since `start`, counted.
    pub fn next_frame(
        &mut self,
        start: UtcTime,
    ) -> Result<Option<(Picoseconds, OrderedFrame)>, CaptureError> {
        let Some(reader) = &mut self.reader else { return Ok(None) };
        let Some(frame) = reader.next_frame()? else { return Ok(None) };
        let Some(now) = frame.timestamp.since(start) else {
            let problem = "is more than 213 days after the run's first packet";
            return Err(reader.packet_error(frame.number, problem));
        };
        self.report.rx.count(frame.frame.len());
        self.report.rx_truncated += u64::from(frame.truncated);
        Ok(Some((now, frame)))
    }

    /// Takes a frame's buffer back.
    pub fn recycle(&mut self, frame: OrderedFrame) {
        if let Some(reader) = &mut self.reader {
            reader.recycle(frame);
        }
    }

    /// Writes a frame that leaves at `time`.
    pub fn send(&mut self, time: UtcTime, frame: &[u8]) -> Result<(), RunError> {
        self.report.tx.count(frame.len());
        if let Some(writer) = &mut self.writer {
            writer.write(0, time, frame)?;
        }
        Ok(())
    }

    /// Gives the output file its name.
    pub fn finish(self) -> Result<PortReport, RunError> {
        if let Some(writer) = self.writer {
            writer.finish()?;
        }
        Ok(self.report)
    }
}
