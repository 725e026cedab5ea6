//! Writing captures: pcap with nanoseconds, or pcapng.

use super::output::{OutputError, PendingFile};
use super::{LINKTYPE_ETHERNET, MAX_FRAME};
use crate::time::{SECOND, UtcTime};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The format of an output file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputFormat {
    /// pcap with nanosecond timestamps.
    Pcap,
    /// pcapng with nanosecond timestamps and named interfaces.
    Pcapng,
}

impl OutputFormat {
    /// The format and whether to compress, from a name: `.pcapng` is pcapng, all
    /// else pcap; a further `.gz` compresses.
    pub fn from_name(path: &Path) -> (Self, bool) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let (stem, gzip) = match name.strip_suffix(".gz") {
            Some(stem) => (stem, true),
            None => (&name[..], false),
        };
        (if stem.ends_with(".pcapng") { Self::Pcapng } else { Self::Pcap }, gzip)
    }
}

enum Sink {
    Plain(BufWriter<PendingFile>),
    Gzip(GzEncoder<BufWriter<PendingFile>>),
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
        }
    }
}

/// Writes Ethernet frames to a capture file, which appears under its name when
/// [`finish`](Self::finish) succeeds and not at all otherwise.
pub struct CaptureWriter {
    path: PathBuf,
    format: OutputFormat,
    sink: Sink,
    interfaces: usize,
    /// A pcapng block in the making.
    block: Vec<u8>,
    /// Times in pcapng are picoseconds since this second of UTC; nanoseconds since 1970 without.
    second: Option<i64>,
}

impl CaptureWriter {
    /// Opens the file. Format and compression follow from the name, see
    /// [`OutputFormat::from_name`]. pcapng records the interfaces' names; pcap
    /// has no place for them.
    pub fn create(path: &Path, interfaces: &[&str]) -> Result<Self, OutputError> {
        Self::open(path, interfaces, None)
    }

    /// The same with times that are not before `start`: in pcapng they are then exact to the picosecond, for 213 days.
    pub fn create_from(
        path: &Path,
        interfaces: &[&str],
        start: UtcTime,
    ) -> Result<Self, OutputError> {
        let second = i64::try_from(start.0.div_euclid(SECOND))
            .map_err(|_| OutputError::new(path, "the start is outside what pcapng holds"))?;
        Self::open(path, interfaces, Some(second))
    }

    fn open(path: &Path, interfaces: &[&str], second: Option<i64>) -> Result<Self, OutputError> {
        let (format, gzip) = OutputFormat::from_name(path);
        let fail = |e: io::Error| OutputError::io(path, &e);
        let out = BufWriter::with_capacity(65536, PendingFile::create(path).map_err(fail)?);
        let sink = if gzip {
            Sink::Gzip(GzEncoder::new(out, Compression::default()))
        } else {
            Sink::Plain(out)
        };
        let mut writer = Self {
            path: path.to_owned(),
            format,
            sink,
            interfaces: interfaces.len().max(1),
            block: Vec::new(),
            second,
        };
        match format {
            OutputFormat::Pcap => writer.pcap_header(),
            OutputFormat::Pcapng => writer.pcapng_header(interfaces),
        }
        .map_err(fail)?;
        Ok(writer)
    }

    fn pcap_header(&mut self) -> io::Result<()> {
        let mut header = Vec::with_capacity(24);
        header.extend_from_slice(&0xa1b2_3c4du32.to_le_bytes());
        header.extend_from_slice(&2u16.to_le_bytes());
        header.extend_from_slice(&4u16.to_le_bytes());
        header.extend_from_slice(&[0; 8]);
        header.extend_from_slice(&(MAX_FRAME as u32).to_le_bytes());
        header.extend_from_slice(&u32::from(LINKTYPE_ETHERNET).to_le_bytes());
        self.sink.write_all(&header)
    }

    fn pcapng_header(&mut self, interfaces: &[&str]) -> io::Result<()> {
        self.block.extend_from_slice(&0x1a2b_3c4du32.to_le_bytes());
        self.block.extend_from_slice(&1u16.to_le_bytes());
        self.block.extend_from_slice(&0u16.to_le_bytes());
        self.block.extend_from_slice(&u64::MAX.to_le_bytes()); // section length not given
        self.option(4, concat!("Wirewright ", env!("CARGO_PKG_VERSION")).as_bytes());
        self.option(0, &[]);
        self.end_block(0x0a0d_0d0a)?;
        let unnamed = [""];
        for name in if interfaces.is_empty() { &unnamed } else { interfaces } {
            self.block.extend_from_slice(&LINKTYPE_ETHERNET.to_le_bytes());
            self.block.extend_from_slice(&[0; 2]);
            self.block.extend_from_slice(&(MAX_FRAME as u32).to_le_bytes());
            if !name.is_empty() {
                self.option(2, name.as_bytes());
            }
            match self.second {
                None => self.option(9, &[9]), // nanoseconds
                Some(second) => {
                    self.option(9, &[12]);
                    self.option(14, &second.to_le_bytes());
                }
            }
            self.option(0, &[]);
            self.end_block(1)?;
        }
        Ok(())
    }

    /// Appends an option to the block; longer values than an option takes are cut.
    fn option(&mut self, code: u16, value: &[u8]) {
        let value = &value[..value.len().min(usize::from(u16::MAX))];
        self.block.extend_from_slice(&code.to_le_bytes());
        self.block.extend_from_slice(&(value.len() as u16).to_le_bytes());
        self.block.extend_from_slice(value);
        self.pad();
    }

    fn pad(&mut self) {
        self.block.resize(self.block.len().next_multiple_of(4), 0);
    }

    /// Writes the block's body with type and lengths around it, and empties it.
    fn end_block(&mut self, kind: u32) -> io::Result<()> {
        let length = (self.block.len() as u32 + 12).to_le_bytes();
        self.sink.write_all(&kind.to_le_bytes())?;
        self.sink.write_all(&length)?;
        self.sink.write_all(&self.block)?;
        self.block.clear();
        self.sink.write_all(&length)
    }

    /// Appends a frame that left through interface `interface` (an index into
    /// the names given on creation; pcap ignores it). Time is rounded down to
    /// nanoseconds, see [`create_from`](Self::create_from). Fails on times the
    /// format cannot express: before 1970, and in pcap after 2106.
    pub fn write(
        &mut self,
        interface: usize,
        time: UtcTime,
        frame: &[u8],
    ) -> Result<(), OutputError> {
        self.write_part(interface, time, frame, frame.len())
    }

    /// The same of the beginning of a frame that had `length` bytes.
    pub fn write_part(
        &mut self,
        interface: usize,
        time: UtcTime,
        frame: &[u8],
        length: usize,
    ) -> Result<(), OutputError> {
        let nanoseconds = time.nanoseconds();
        let result = match self.format {
            OutputFormat::Pcap => {
                let seconds = u32::try_from(nanoseconds.div_euclid(1_000_000_000));
                let Ok(seconds) = seconds else {
                    return Err(self.bad_time("pcap", "1970 to 2106; pcapng reaches further"));
                };
                let fraction = nanoseconds.rem_euclid(1_000_000_000) as u32;
                self.pcap_record(seconds, fraction, frame, length)
            }
            OutputFormat::Pcapng => {
                let (ticks, range) = match self.second {
                    None => (nanoseconds, "1970 to 2554"),
                    Some(second) => {
                        (time.0 - i128::from(second) * SECOND, "213 days from the start on")
                    }
                };
                let Ok(ticks) = u64::try_from(ticks) else {
                    return Err(self.bad_time("pcapng", range));
                };
                let interface = interface.min(self.interfaces - 1) as u32;
                self.enhanced_packet(interface, ticks, frame, length)
            }
        };
        result.map_err(|e| OutputError::io(&self.path, &e))
    }

    fn bad_time(&self, format: &str, range: &str) -> OutputError {
        OutputError::new(&self.path, format!("a timestamp is outside what {format} holds: {range}"))
    }

    fn pcap_record(
        &mut self,
        seconds: u32,
        fraction: u32,
        frame: &[u8],
        length: usize,
    ) -> io::Result<()> {
        let mut header = [0; 16];
        header[..4].copy_from_slice(&seconds.to_le_bytes());
        header[4..8].copy_from_slice(&fraction.to_le_bytes());
        header[8..12].copy_from_slice(&(frame.len() as u32).to_le_bytes());
        header[12..].copy_from_slice(&(length as u32).to_le_bytes());
        self.sink.write_all(&header)?;
        self.sink.write_all(frame)
    }

    fn enhanced_packet(
        &mut self,
        interface: u32,
        ticks: u64,
        frame: &[u8],
        length: usize,
    ) -> io::Result<()> {
        let (kept, length) = (frame.len() as u32, length as u32);
        for word in [interface, (ticks >> 32) as u32, ticks as u32, kept, length] {
            self.block.extend_from_slice(&word.to_le_bytes());
        }
        self.block.extend_from_slice(frame);
        self.pad();
        self.end_block(6)
    }

    /// Writes what is buffered and gives the file its name.
    pub fn finish(self) -> Result<(), OutputError> {
        let Self { path, sink, .. } = self;
        let buffered = match sink {
            Sink::Plain(out) => Ok(out),
            Sink::Gzip(out) => out.finish(),
        };
        buffered
            .and_then(|out| out.into_inner().map_err(io::IntoInnerError::into_error))
            .and_then(PendingFile::commit)
            .map_err(|e| OutputError::io(&path, &e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_from_name() {
        let of = |name: &str| OutputFormat::from_name(Path::new(name));
        assert_eq!(of("out.pcap"), (OutputFormat::Pcap, false));
        assert_eq!(of("a/out.PCAPNG"), (OutputFormat::Pcapng, false));
        assert_eq!(of("out.pcapng.gz"), (OutputFormat::Pcapng, true));
        assert_eq!(of("out.pcap.gz"), (OutputFormat::Pcap, true));
        assert_eq!(of("out"), (OutputFormat::Pcap, false));
    }
}
