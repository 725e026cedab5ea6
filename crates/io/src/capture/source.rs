//! A byte stream that knows its name and its position.

use super::{CaptureError, describe};
use std::io::{self, BufReader, Read};

/// The bytes of a capture, uncompressed.
pub(super) struct Source {
    name: String,
    input: BufReader<Box<dyn Read + Send>>,
    offset: u64,
}

impl Source {
    pub fn new(name: &str, input: impl Read + Send + 'static) -> Self {
        let input: Box<dyn Read + Send> = Box::new(input);
        Self { name: name.into(), input: BufReader::with_capacity(65536, input), offset: 0 }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Bytes consumed so far.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    pub fn error(
        &self,
        packet: Option<u64>,
        offset: Option<u64>,
        problem: impl Into<String>,
    ) -> CaptureError {
        CaptureError { file: self.name.clone(), packet, offset, problem: problem.into() }
    }

    fn io_error(&self, packet: Option<u64>, start: u64, error: &io::Error) -> CaptureError {
        let problem = match error.kind() {
            io::ErrorKind::UnexpectedEof => "the compressed data ends early".into(),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                format!("the compressed data is damaged ({error})")
            }
            _ => describe(error),
        };
        self.error(packet, Some(start), problem)
    }

    /// Reads until `buffer` is full or the stream ends; returns the bytes read.
    /// `packet` and `start` (of the record) go into errors.
    pub fn fill(
        &mut self,
        buffer: &mut [u8],
        packet: Option<u64>,
        start: u64,
    ) -> Result<usize, CaptureError> {
        let mut have = 0;
        while have < buffer.len() {
            match self.input.read(&mut buffer[have..]) {
                Ok(0) => break,
                Ok(n) => have += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(self.io_error(packet, start, &e)),
            }
        }
        self.offset += have as u64;
        Ok(have)
    }

    /// Reads a header of packet `number`; `false` if the file ends in front of it.
    pub fn header(
        &mut self,
        buffer: &mut [u8],
        number: u64,
        what: &str,
    ) -> Result<bool, CaptureError> {
        let (start, needed) = (self.offset, buffer.len());
        let found = self.fill(buffer, Some(number), start)?;
        if found > 0 && found < needed {
            return Err(self.cut_short(Some(number), start, what, needed, found));
        }
        Ok(found > 0)
    }

    /// Replaces the content of `buffer` by the next `length` bytes, or fails with
    /// a message that names `what` was cut. Memory grows with the bytes that are
    /// there, not with those that are claimed.
    pub fn read_exactly(
        &mut self,
        buffer: &mut Vec<u8>,
        length: usize,
        packet: Option<u64>,
        start: u64,
        what: &str,
    ) -> Result<(), CaptureError> {
        buffer.clear();
        let result = (&mut self.input).take(length as u64).read_to_end(buffer);
        if let Err(e) = result {
            return Err(self.io_error(packet, start, &e));
        }
        self.offset += buffer.len() as u64;
        if buffer.len() < length {
            let found = buffer.len();
            return Err(self.cut_short(packet, start, what, length, found));
        }
        Ok(())
    }

    /// The error for a file that ends inside `what`.
    pub fn cut_short(
        &self,
        packet: Option<u64>,
        start: u64,
        what: &str,
        needed: usize,
        found: usize,
    ) -> CaptureError {
        self.error(
            packet,
            Some(start),
            format!("the file is cut short: {what} takes {needed} bytes, found {found}"),
        )
    }
}
