//! A line that is written: to a file or only counted.

use crate::Failure;
use crate::phy_args::{BitstreamArguments, RoundingName};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::Path;
use ww_io::capture::PendingFile;
use ww_phy::bitstream::{BitstreamReader, BitstreamWriter, Header};
use ww_phy::block::{CONTROL, DATA, TYPE_CONTROL, TYPE_START_0, TYPE_START_4, TYPES_TERMINATE};
use ww_phy::page::Page;
use ww_phy::scrambler::{Descrambler, Scrambler};
use ww_phy::stream::{Ring, Rounding, Writer};

/// What went over a line.
#[derive(Default)]
pub struct Totals {
    /// Blocks of data.
    data: u64,
    /// Control blocks by their type.
    control: [u64; 32],
    /// Frames.
    pub frames: u64,
    /// Their bytes, with check sequences.
    pub bytes: u64,
    /// Characters from the first start to the last one.
    pub between_starts: u64,
    first: Option<u64>,
}

/// Types of control blocks and what they are called.
const NAMES: [(u8, &str); 11] = [
    (TYPE_CONTROL, "E"),
    (TYPE_START_0, "S0"),
    (TYPE_START_4, "S4"),
    (TYPES_TERMINATE[0], "T0"),
    (TYPES_TERMINATE[1], "T1"),
    (TYPES_TERMINATE[2], "T2"),
    (TYPES_TERMINATE[3], "T3"),
    (TYPES_TERMINATE[4], "T4"),
    (TYPES_TERMINATE[5], "T5"),
    (TYPES_TERMINATE[6], "T6"),
    (TYPES_TERMINATE[7], "T7"),
];

/// What a block of a type is called.
pub fn name(block_type: u8) -> &'static str {
    NAMES.iter().find(|(known, _)| *known == block_type).map_or("?", |(_, name)| name)
}

impl Totals {
    /// Notes where a frame starts.
    pub fn start(&mut self, at: u64, bytes: usize) {
        self.frames += 1;
        self.bytes += bytes as u64;
        self.between_starts = at - *self.first.get_or_insert(at);
    }

    fn count(&mut self, headers: &[u8], payloads: &[u64]) {
        for (header, payload) in headers.iter().zip(payloads) {
            if *header == DATA {
                self.data += 1;
            } else if let Some(n) = NAMES.iter().position(|(t, _)| *t == *payload as u8) {
                debug_assert_eq!(*header, CONTROL);
                self.control[n] += 1;
            }
        }
    }

    /// Blocks by what they are called, those of the last page that are only there to fill it included.
    pub fn blocks(&self) -> Value {
        let mut blocks = Map::new();
        blocks.insert("D".to_owned(), self.data.into());
        for ((_, name), count) in NAMES.iter().zip(self.control) {
            if count > 0 {
                blocks.insert((*name).to_owned(), count.into());
            }
        }
        Value::Object(blocks)
    }

    /// Mean time between starts in nanoseconds, and starts a second; of two frames or more.
    pub fn rates(&self) -> Option<(f64, f64)> {
        let gaps = self.frames.checked_sub(1).filter(|gaps| *gaps > 0)?;
        let characters = self.between_starts as f64 / gaps as f64;
        Some((characters * 0.8, 1.25e9 / characters))
    }

    /// What `--json` prints of any line.
    pub fn json(&self) -> Map<String, Value> {
        let mut figures = Map::new();
        figures.insert("frames".to_owned(), self.frames.into());
        figures.insert("bytes".to_owned(), self.bytes.into());
        figures.insert("blocks".to_owned(), self.blocks());
        if let Some((ipd, pps)) = self.rates() {
            figures.insert("ipd_ns".to_owned(), json!(ipd));
            figures.insert("pps".to_owned(), json!(pps));
        }
        figures
    }
}

/// Writes frames to a file, if there is one, and counts.
pub struct Line<'a> {
    pub writer: Writer,
    path: Option<&'a Path>,
    header: Header,
}

impl<'a> Line<'a> {
    /// A line to `path`, or to nowhere, whose first bit is at `start`.
    pub fn new(path: Option<&'a Path>, options: &BitstreamArguments, start: (i64, u64)) -> Self {
        let rounding = match options.rounding {
            RoundingName::Mean => Rounding::Mean,
            RoundingName::Block => Rounding::Block,
        };
        let header = Header { scrambled: !options.plain, start, ..Header::default() };
        Self { writer: Writer::new(rounding), path, header }
    }

    /// Writes frames: `next` gives the gap in front of the next one, and puts it into the buffer.
    pub fn write(
        mut self,
        mut next: impl FnMut(&Writer, &mut Vec<u8>) -> Result<Option<u64>, Failure>,
    ) -> Result<Totals, Failure> {
        let path = self.path.unwrap_or(Path::new(""));
        let fail = |error: io::Error| {
            Failure::Rejected(format!("cannot write '{}': {error}", path.display()))
        };
        let mut file = match self.path {
            Some(path) => {
                let out =
                    BufWriter::with_capacity(1 << 20, PendingFile::create(path).map_err(fail)?);
                Some(BitstreamWriter::new(out, self.header).map_err(fail)?)
            }
            None => None,
        };
        let mut totals = Totals::default();
        let mut starts = Totals::default();
        let mut scrambler = Scrambler::default();
        let scrambled = self.header.scrambled;
        let mut ring = Ring::new(|headers: &[u8], payloads: &mut [u64]| {
            totals.count(headers, payloads);
            if let Some(file) = &mut file {
                if scrambled {
                    scrambler.scramble(payloads);
                }
                file.pages(headers, payloads).map_err(fail)?;
            }
            Ok::<(), Failure>(())
        });
        let mut frame = Vec::new();
        while let Some(gap) = next(&self.writer, &mut frame)? {
            let before = self.writer.at();
            let gap = self.writer.frame(&mut ring, gap, &frame)?;
            starts.start(before + gap, frame.len());
        }
        ring.finish()?;
        if let Some(file) = file {
            let out = file.into_inner().into_inner().map_err(|error| fail(error.into_error()))?;
            out.commit().map_err(fail)?;
        }
        Ok(Totals { data: totals.data, control: totals.control, ..starts })
    }
}

/// A bitstream that is read.
pub struct Pages<'a> {
    path: &'a Path,
    input: BitstreamReader<BufReader<File>>,
    descrambler: Descrambler,
}

impl<'a> Pages<'a> {
    /// Opens a file.
    pub fn open(path: &'a Path) -> Result<Self, Failure> {
        let fail = |problem: String| Failure::Rejected(format!("{}: {problem}", path.display()));
        let file = File::open(path).map_err(|error| fail(format!("cannot open: {error}")))?;
        let input = BitstreamReader::new(BufReader::with_capacity(1 << 20, file))
            .map_err(|error| fail(error.to_string()))?;
        Ok(Self { path, input, descrambler: Descrambler::default() })
    }

    /// The file's header.
    pub fn header(&self) -> Header {
        self.input.header()
    }

    /// The next page, its payloads descrambled; `None` at the end.
    pub fn page(&mut self) -> Result<Option<Page>, Failure> {
        let page = self
            .input
            .page()
            .map_err(|error| Failure::Rejected(format!("{}: {error}", self.path.display())))?;
        let scrambled = self.input.header().scrambled;
        Ok(page.map(|mut page| {
            if scrambled {
                self.descrambler.descramble(&mut page.payloads);
            }
            page
        }))
    }
}

/// Writes text to a file that appears whole or not at all.
pub fn text_file(path: &Path) -> Result<BufWriter<PendingFile>, Failure> {
    let file = PendingFile::create(path).map_err(|error| {
        Failure::Rejected(format!("cannot write '{}': {error}", path.display()))
    })?;
    Ok(BufWriter::new(file))
}

/// Writes what is buffered, and gives a file its name.
pub fn commit(path: &Path, mut file: BufWriter<PendingFile>) -> Result<(), Failure> {
    file.flush()
        .and_then(|()| file.into_inner().map_err(io::IntoInnerError::into_error))
        .and_then(PendingFile::commit)
        .map_err(|error| Failure::Rejected(format!("cannot write '{}': {error}", path.display())))
}
