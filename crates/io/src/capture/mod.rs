//! Capture files: pcap and pcapng, plain or gzip, read as streams.
//!
//! Readers hold one record (pcapng: one block) at a time, whatever the file
//! claims about its sizes; see [`MAX_FRAME`] and [`MAX_BLOCK`].

mod ordered;
mod output;
mod pcap;
mod pcapng;
mod source;
mod write;

pub use ordered::{OrderedFrame, OrderedReader};
pub use output::{OutputError, PendingFile};
pub use write::{CaptureWriter, OutputFormat};

use crate::time::UtcTime;
use flate2::read::MultiGzDecoder;
use source::Source;
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The longest frame a capture may hold, in bytes.
pub const MAX_FRAME: usize = 256 * 1024;

/// The longest pcapng block, in bytes.
pub const MAX_BLOCK: usize = 16 * 1024 * 1024;

/// LINKTYPE_ETHERNET in the registry of link types.
pub const LINKTYPE_ETHERNET: u16 = 1;

/// What a capture says about one frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameInfo {
    /// Position in the file, from 1.
    pub number: u64,
    /// When it was captured.
    pub timestamp: UtcTime,
    /// Its length on the wire in bytes; above the bytes there are when the
    /// capture was limited by a snapshot length.
    pub original_length: u32,
    /// Type of its first header, from the registry of link types.
    pub link_type: u16,
    /// Index of the interface within the pcapng section; 0 in pcap.
    pub interface: u32,
}

/// Why a capture cannot be read, and where.
#[derive(Debug)]
pub struct CaptureError {
    /// Name of the file.
    pub file: String,
    /// Number of the packet concerned, from 1; `None` outside packets.
    pub packet: Option<u64>,
    /// Where the record or block begins, in bytes of the (uncompressed) file.
    pub offset: Option<u64>,
    /// What was expected and what was found.
    pub problem: String,
}

impl fmt::Display for CaptureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.file)?;
        match (self.packet, self.offset) {
            (Some(packet), Some(at)) => write!(f, "packet {packet} at byte offset {at}: ")?,
            (Some(packet), None) => write!(f, "packet {packet}: ")?,
            (None, Some(at)) => write!(f, "byte offset {at}: ")?,
            (None, None) => {}
        }
        f.write_str(&self.problem)
    }
}

impl std::error::Error for CaptureError {}

/// Reads frames from a capture, one after the other.
pub struct CaptureReader {
    source: Source,
    format: Format,
    /// Frames read so far.
    count: u64,
    truncated: u64,
}

enum Format {
    Pcap(pcap::Pcap),
    Pcapng(pcapng::Pcapng),
}

impl CaptureReader {
    /// Opens a file and reads its first header. The format is told from the
    /// content, never from the name.
    pub fn open(path: &Path) -> Result<Self, CaptureError> {
        let name = path.display().to_string();
        let fail = |problem: String| CaptureError {
            file: name.clone(),
            packet: None,
            offset: None,
            problem,
        };
        let file = File::open(path).map_err(|e| fail(describe(&e)))?;
        if file.metadata().is_ok_and(|m| m.is_dir()) {
            return Err(fail("is a directory, expected a capture file".into()));
        }
        Self::from_reader(&name, file)
    }

    /// Reads a capture from any stream of bytes; `name` stands in messages.
    pub fn from_reader(
        name: &str,
        mut input: impl Read + Send + 'static,
    ) -> Result<Self, CaptureError> {
        let mut magic = [0; 4];
        let mut have = 0;
        while have < magic.len() {
            match input.read(&mut magic[have..]) {
                Ok(0) => break,
                Ok(n) => have += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => {
                    return Err(CaptureError {
                        file: name.into(),
                        packet: None,
                        offset: None,
                        problem: describe(&e),
                    });
                }
            }
        }
        let whole = io::Cursor::new(magic[..have].to_vec()).chain(input);
        let source = if magic[..2] == [0x1f, 0x8b] {
            Source::new(name, MultiGzDecoder::new(io::BufReader::with_capacity(65536, whole)))
        } else {
            Source::new(name, whole)
        };
        Self::start(source)
    }

    fn start(mut source: Source) -> Result<Self, CaptureError> {
        let mut magic = [0; 4];
        let have = source.fill(&mut magic, None, 0)?;
        let problem = match magic {
            _ if have == 0 => "is empty, expected a pcap or pcapng file",
            [0x0a, 0x0d, 0x0d, 0x0a] => {
                let format = Format::Pcapng(pcapng::Pcapng::start(&mut source)?);
                return Ok(Self { source, format, count: 0, truncated: 0 });
            }
            [0x28, 0xb5, 0x2f, 0xfd] => "is compressed with zstd; only gzip is read",
            [0xfd, b'7', b'z', b'X'] => "is compressed with xz; only gzip is read",
            [0x04, 0x22, 0x4d, 0x18] => "is compressed with lz4; only gzip is read",
            [b'B', b'Z', b'h', _] => "is compressed with bzip2; only gzip is read",
            _ => match pcap::Pcap::start(magic, &mut source)? {
                Some(pcap) => {
                    let format = Format::Pcap(pcap);
                    return Ok(Self { source, format, count: 0, truncated: 0 });
                }
                None => "is neither pcap nor pcapng: unknown magic number",
            },
        };
        Err(source.error(None, None, problem))
    }

    /// Reads the next frame into `frame` (whose content is replaced).
    /// `None` at the end of the file. After an error the reader is at its end.
    pub fn next_frame(&mut self, frame: &mut Vec<u8>) -> Result<Option<FrameInfo>, CaptureError> {
        let number = self.count + 1;
        let info = match &mut self.format {
            Format::Pcap(pcap) => pcap.next_frame(&mut self.source, number, frame)?,
            Format::Pcapng(pcapng) => pcapng.next_frame(&mut self.source, number, frame)?,
        };
        if let Some(info) = &info {
            self.count = number;
            if (frame.len() as u64) < u64::from(info.original_length) {
                self.truncated += 1;
            }
        }
        Ok(info)
    }

    /// Name of the file, as in messages.
    pub fn name(&self) -> &str {
        self.source.name()
    }

    /// How many of the frames read so far had lost bytes to a snapshot length.
    pub fn truncated(&self) -> u64 {
        self.truncated
    }

    /// An error about packet `number` of this file.
    pub fn packet_error(&self, number: u64, problem: impl Into<String>) -> CaptureError {
        self.source.error(Some(number), None, problem)
    }
}

/// An I/O error in words, without the number that `io::Error` appends.
pub(crate) fn describe(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such file".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => error.to_string(),
    }
}

/// Takes the frame check sequence off a frame that was captured with it. A frame
/// cut by the snapshot length has lost it already.
fn strip_fcs(frame: &mut Vec<u8>, original_length: &mut u32, fcs: usize) {
    if fcs > 0 && frame.len() as u64 == u64::from(*original_length) {
        let length = frame.len().saturating_sub(fcs);
        frame.truncate(length);
        *original_length = length as u32;
    }
}
