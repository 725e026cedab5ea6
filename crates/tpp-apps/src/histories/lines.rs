//! Records as lines of JSON, as collectors write them.

use std::io::{self, BufRead, Read};
use ww_host::record::Record;

/// Bytes of a line, at most: a record has at most 127 words.
const MAX_LINE: u64 = 1 << 14;

/// Reads records one after the other.
pub struct Lines<R> {
    from: R,
    line: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    /// From here.
    pub fn new(from: R) -> Self {
        Self { from, line: String::new(), number: 0 }
    }

    /// The next one; `None` at the end. Empty lines are passed over.
    ///
    /// # Errors
    /// Those of reading; a line is no record.
    pub fn record(&mut self) -> io::Result<Option<Record>> {
        loop {
            self.line.clear();
            self.number += 1;
            let wrong = |number: u64, message: &dyn std::fmt::Display| {
                io::Error::new(io::ErrorKind::InvalidData, format!("line {number}: {message}"))
            };
            let read = (&mut self.from).take(MAX_LINE).read_line(&mut self.line);
            let length = read.map_err(|error| wrong(self.number, &error))?;
            if length == 0 {
                return Ok(None);
            }
            if length as u64 == MAX_LINE && !self.line.ends_with('\n') {
                let message = format!("more than {MAX_LINE} bytes");
                return Err(wrong(self.number, &message));
            }
            if self.line.trim().is_empty() {
                continue;
            }
            let record = serde_json::from_str(&self.line);
            return record.map(Some).map_err(|error| wrong(self.number, &error));
        }
    }
}
