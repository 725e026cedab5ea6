//! Files of blocks as a line carries them.
//!
//! | bytes | what, little-endian |
//! |---|---|
//! | 0-7 | `WWPHY66B` |
//! | 8-11 | version, 1 |
//! | 12-15 | flags: bit 0, payloads are scrambled; others are zero |
//! | 16-23 | bits a second on the line |
//! | 24-31 | start: seconds since 1970 (UTC), signed |
//! | 32-39 | start: picoseconds beyond these seconds |
//! | 40-63 | reserved, zero |
//!
//! Behind it are [`page`](crate::page)s; the last one is filled up with idle. A second of 10GBASE-R is 315,020 pages, 1.29 GB.

use std::fmt;
use std::io::{self, Read, Write};

use crate::page::{PAGE_BYTES, Page};

const MAGIC: &[u8; 8] = b"WWPHY66B";
const VERSION: u32 = 1;
/// Bytes in front of the first page.
pub const HEADER_BYTES: usize = 64;

/// What is said of a bitstream in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// Whether payloads are scrambled, as on a line; a scrambler and a descrambler begin with ones.
    pub scrambled: bool,
    /// Bits a second, sync headers counted.
    pub line_rate: u64,
    /// Time of the first bit: seconds since 1970, and picoseconds beyond, fewer than 10^12.
    pub start: (i64, u64),
}

impl Default for Header {
    fn default() -> Self {
        Self { scrambled: true, line_rate: crate::LINE_RATE, start: (0, 0) }
    }
}

/// Why a file is no bitstream.
#[derive(Debug)]
pub enum BitstreamError {
    /// It cannot be read.
    Io(io::Error),
    /// What was expected, and what was found.
    Content(String),
}

impl fmt::Display for BitstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "cannot read: {error}"),
            Self::Content(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for BitstreamError {}

impl Header {
    /// Its bytes.
    pub fn to_bytes(self) -> [u8; HEADER_BYTES] {
        let mut bytes = [0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC);
        bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
        bytes[12..16].copy_from_slice(&u32::from(self.scrambled).to_le_bytes());
        bytes[16..24].copy_from_slice(&self.line_rate.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.start.0.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.start.1.to_le_bytes());
        bytes
    }

    /// The header of bytes.
    pub fn of_bytes(bytes: &[u8; HEADER_BYTES]) -> Result<Self, BitstreamError> {
        let wrong = |problem: String| Err(BitstreamError::Content(problem));
        let four = |at: usize| u32::from_le_bytes(std::array::from_fn(|n| bytes[at + n]));
        let eight = |at: usize| u64::from_le_bytes(std::array::from_fn(|n| bytes[at + n]));
        if &bytes[..8] != MAGIC {
            let found = String::from_utf8_lossy(&bytes[..8]).escape_default().to_string();
            return wrong(format!(
                "expected a bitstream, which begins with \"WWPHY66B\", found \"{found}\""
            ));
        }
        if four(8) != VERSION {
            return wrong(format!("expected version {VERSION} of the format, found {}", four(8)));
        }
        if four(12) > 1 {
            return wrong(format!("expected the flags 0 or 1, found {:#x}", four(12)));
        }
        if eight(16) == 0 || eight(32) >= 1_000_000_000_000 {
            return wrong(
                "expected a line rate above 0 and fewer than 10^12 picoseconds".to_owned(),
            );
        }
        let start = (eight(24) as i64, eight(32));
        Ok(Self { scrambled: four(12) == 1, line_rate: eight(16), start })
    }
}

/// Writes a bitstream.
pub struct BitstreamWriter<W> {
    out: W,
}

impl<W: Write> BitstreamWriter<W> {
    /// Writes the header.
    pub fn new(mut out: W, header: Header) -> io::Result<Self> {
        out.write_all(&header.to_bytes())?;
        Ok(Self { out })
    }

    /// Writes whole pages: 496 headers and payloads each.
    pub fn pages(&mut self, headers: &[u8], payloads: &[u64]) -> io::Result<()> {
        Page::all_of(headers, payloads).try_for_each(|page| self.out.write_all(&page.to_bytes()))
    }

    /// What it was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

/// Reads a bitstream.
pub struct BitstreamReader<R> {
    input: R,
    header: Header,
    pages: u64,
}

impl<R: Read> BitstreamReader<R> {
    /// Reads the header.
    pub fn new(mut input: R) -> Result<Self, BitstreamError> {
        let mut bytes = [0; HEADER_BYTES];
        let found = fill(&mut input, &mut bytes)?;
        if found < HEADER_BYTES {
            let problem = format!("expected a header of {HEADER_BYTES} bytes, found {found}");
            return Err(BitstreamError::Content(problem));
        }
        Ok(Self { header: Header::of_bytes(&bytes)?, input, pages: 0 })
    }

    /// What the file says of itself.
    pub fn header(&self) -> Header {
        self.header
    }

    /// The next page.
    pub fn page(&mut self) -> Result<Option<Page>, BitstreamError> {
        let mut bytes = [0; PAGE_BYTES];
        match fill(&mut self.input, &mut bytes)? {
            0 => Ok(None),
            PAGE_BYTES => {
                self.pages += 1;
                Ok(Some(Page::of_bytes(&bytes)))
            }
            found => Err(BitstreamError::Content(format!(
                "the file is cut short: page {} has {found} bytes instead of {PAGE_BYTES}",
                self.pages
            ))),
        }
    }
}

/// Reads until the buffer is full or the input ends.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Result<usize, BitstreamError> {
    let mut found = 0;
    while found < buffer.len() {
        match input.read(&mut buffer[found..]) {
            Ok(0) => break,
            Ok(count) => found += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(BitstreamError::Io(error)),
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_back() {
        let header =
            Header { scrambled: false, line_rate: 10_312_500_000, start: (-5, 999_999_999_999) };
        let mut writer = BitstreamWriter::new(Vec::new(), header).expect("memory takes it");
        let page = Page::default();
        writer.pages(&page.headers, &page.payloads).expect("memory takes it");
        let mut bytes = writer.into_inner();
        assert_eq!(bytes.len(), 64 + 4096);
        let mut reader = BitstreamReader::new(&bytes[..]).expect("it is one");
        assert_eq!(reader.header(), header);
        assert_eq!(reader.page().expect("a page"), Some(page));
        assert_eq!(reader.page().expect("the end"), None);
        bytes.truncate(3000);
        let error = BitstreamReader::new(&bytes[..]).expect("a header").page();
        let message = error.expect_err("it is cut").to_string();
        assert_eq!(message, "the file is cut short: page 0 has 2936 bytes instead of 4096");
    }

    #[test]
    fn invalid_bitstreams_are_refused() {
        let good = Header::default().to_bytes();
        for (at, value, expected) in [
            (0, b'x', "expected a bitstream"),
            (8, 2, "expected version 1"),
            (12, 2, "expected the flags 0 or 1, found 0x2"),
            (39, 1, "fewer than 10^12 picoseconds"),
        ] {
            let mut bytes = good;
            bytes[at] = value;
            let message = Header::of_bytes(&bytes).expect_err("it is wrong").to_string();
            assert!(message.contains(expected), "{message}");
        }
        let message = BitstreamReader::new(&good[..63]).err().expect("too short").to_string();
        assert_eq!(message, "expected a header of 64 bytes, found 63");
    }
}
