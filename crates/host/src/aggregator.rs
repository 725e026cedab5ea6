//! Passes on what a shim has collected: reads the file of `ww tpp shim --collect` as it grows, and sends records to a
//! [`crate::collector`].
//!
//! A record is sent until the collector has said that it has it, and where it is in the file goes with it. So none is lost
//! if the collector, the network or this process fails, and a duplicate can be recognised: host and offset are the
//! same.

use crate::record::Record;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Bytes of a line of the protocol or of a shim's file, at most: a record has at most 127 words.
pub const MAX_LINE: usize = 1 << 14;

/// Bytes of the file that are sent before the collector must answer.
const BATCH: usize = 1 << 16;

/// Between two looks at a file that has not grown, or two attempts to reach a collector.
const PAUSE: Duration = Duration::from_millis(100);

/// How long a collector may take for an answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Flows whose last path is remembered; beyond, all are forgotten.
const FLOWS: usize = 1 << 16;

/// The first line of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// The name of the host.
    pub host: String,
}

/// A record on its way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sent {
    /// Bytes of the host's file as far as this record's end.
    pub offset: u64,
    /// It.
    pub record: Record,
}

/// A collector has all records as far as this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Taken {
    /// See [`Sent::offset`].
    pub offset: u64,
}

/// What an aggregator does.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What a shim writes.
    pub file: PathBuf,
    /// The name of this host.
    pub host: String,
    /// Where the collector is: a name or an address, and a port.
    pub to: String,
    /// Tags of applications; none for all.
    pub apps: Vec<u8>,
    /// Whether a record is passed on only if its words differ from those of its flow's last one.
    pub changes: bool,
    /// Where it notes how far it is.
    pub state: Option<PathBuf>,
    /// Whether it ends at the end of the file.
    pub once: bool,
}

/// What it has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Records that the collector has.
    pub sent: u64,
    /// Records that were not for it, or no change.
    pub left_out: u64,
    /// Lines that are no record.
    pub malformed: u64,
}

/// The flow that a record belongs to: application, addresses, protocol, ports.
type Flow = (u8, u32, u32, u8, [u16; 2]);

/// See the module.
pub struct Aggregator {
    settings: Settings,
    file: File,
    /// How far the collector has the file.
    offset: u64,
    last: HashMap<Flow, Vec<u32>>,
    counters: Counters,
}

/// Lines for a collector.
struct Batch {
    bytes: Vec<u8>,
    records: u64,
    /// How far they go.
    end: u64,
}

impl Aggregator {
    /// At the beginning of the file, or where its state says.
    ///
    /// # Errors
    /// The file or the state cannot be read, with which one it is.
    pub fn new(settings: Settings) -> io::Result<Self> {
        let told = |path: &Path, error: io::Error| {
            io::Error::new(error.kind(), format!("'{}': {error}", path.display()))
        };
        let file = File::open(&settings.file).map_err(|error| told(&settings.file, error))?;
        let offset = match &settings.state {
            Some(path) => offset(path).map_err(|error| told(path, error))?,
            None => 0,
        };
        Ok(Self { settings, file, offset, last: HashMap::new(), counters: Counters::default() })
    }

    /// Works until `stop` says so, which is asked ten times a second, or with [`Settings::once`] to the end of the file.
    /// `told` is called with a sentence when the connection to the collector is lost, and when it is restored.
    ///
    /// # Errors
    /// The file cannot be read any more, or the state cannot be written.
    pub fn run(
        &mut self,
        stop: impl Fn() -> bool,
        mut told: impl FnMut(&str),
    ) -> io::Result<Counters> {
        let mut collector: Option<BufReader<TcpStream>> = None;
        let mut is_lost = false;
        while !stop() {
            let batch = self.batch()?;
            if batch.end == self.offset {
                if self.settings.once {
                    break;
                }
                std::thread::sleep(PAUSE);
                continue;
            }
            // The same lines again, until it has them.
            while let Err(error) = self.pass_on(&mut collector, &batch) {
                if !std::mem::replace(&mut is_lost, true) {
                    told(&format!("no collector at '{}': {error}", self.settings.to));
                }
                collector = None;
                if stop() {
                    return Ok(self.counters);
                }
                std::thread::sleep(PAUSE);
            }
            if batch.records > 0 && std::mem::take(&mut is_lost) {
                told("the collector is there again");
            }
            self.counters.sent += batch.records;
            self.offset = batch.end;
            if let Some(path) = &self.settings.state {
                note(path, self.offset)?;
            }
        }
        Ok(self.counters)
    }

    /// The next whole lines.
    fn batch(&mut self) -> io::Result<Batch> {
        // A shim that begins anew begins its file anew.
        if self.file.metadata()?.len() < self.offset {
            self.offset = 0;
        }
        self.file.seek(SeekFrom::Start(self.offset))?;
        let mut read = Vec::new();
        (&mut self.file).take(BATCH as u64).read_to_end(&mut read)?;
        let whole = read.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let mut batch = Batch { bytes: Vec::new(), records: 0, end: self.offset };
        if whole == 0 && read.len() > MAX_LINE {
            // No line is so long.
            self.counters.malformed += 1;
            batch.end += read.len() as u64;
        }
        for line in read[..whole].split_inclusive(|byte| *byte == b'\n') {
            batch.end += line.len() as u64;
            if line.trim_ascii().is_empty() {
                continue;
            }
            let Ok(record) = serde_json::from_slice::<Record>(line) else {
                self.counters.malformed += 1;
                continue;
            };
            if !self.concerns(&record) {
                self.counters.left_out += 1;
                continue;
            }
            serde_json::to_writer(&mut batch.bytes, &Sent { offset: batch.end, record })?;
            batch.bytes.push(b'\n');
            batch.records += 1;
        }
        Ok(batch)
    }

    fn concerns(&mut self, record: &Record) -> bool {
        let Settings { apps, changes, .. } = &self.settings;
        if !apps.is_empty() && !apps.contains(&record.app) {
            return false;
        }
        if !changes {
            return true;
        }
        if self.last.len() >= FLOWS {
            self.last.clear();
        }
        let Record { app, source, destination, protocol, ports, .. } = *record;
        let flow = (app, source, destination, protocol, ports);
        let before = self.last.insert(flow, record.words.clone());
        before.as_ref() != Some(&record.words)
    }

    /// Sends lines, and waits until the collector has them.
    fn pass_on(
        &self,
        collector: &mut Option<BufReader<TcpStream>>,
        batch: &Batch,
    ) -> io::Result<()> {
        if batch.records == 0 {
            return Ok(());
        }
        let to = match collector {
            Some(to) => to,
            None => {
                let to = TcpStream::connect(&self.settings.to)?;
                to.set_read_timeout(Some(PATIENCE))?;
                to.set_write_timeout(Some(PATIENCE))?;
                to.set_nodelay(true)?;
                let mut hello = serde_json::to_vec(&Hello { host: self.settings.host.clone() })?;
                hello.push(b'\n');
                (&to).write_all(&hello)?;
                collector.insert(BufReader::new(to))
            }
        };
        to.get_ref().write_all(&batch.bytes)?;
        let mut line = String::new();
        loop {
            line.clear();
            if to.take(MAX_LINE as u64).read_line(&mut line)? == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            let taken: Taken = serde_json::from_str(&line)
                .map_err(|_| io::Error::other(format!("it says: {}", line.trim_end())))?;
            // The end may be behind lines that are not for it.
            if taken.offset >= last_offset(batch) {
                return Ok(());
            }
        }
    }
}

/// The offset of the last record of a batch.
fn last_offset(batch: &Batch) -> u64 {
    let line = batch.bytes.trim_ascii_end().rsplit(|byte| *byte == b'\n').next();
    line.and_then(|line| serde_json::from_slice::<Sent>(line).ok()).map_or(0, |sent| sent.offset)
}

/// Reads a state; 0 if there is none yet.
fn offset(path: &Path) -> io::Result<u64> {
    match std::fs::read_to_string(path) {
        Ok(text) => serde_json::from_str::<Taken>(&text)
            .map(|taken| taken.offset)
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, error.to_string())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    }
}

/// Writes a state: the old one or the new one is there, whatever happens.
fn note(path: &Path, offset: u64) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    std::fs::write(&name, serde_json::to_vec(&Taken { offset })?)?;
    std::fs::rename(&name, path)
}
