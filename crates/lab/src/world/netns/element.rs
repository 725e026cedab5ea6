//! The process that carries the frames of all links: `ww lab element`.
//!
//! It runs in a namespace of its own that has both ends of every link, as one loop of [`ww_io::world::live`] with
//! [`Wires`] as its dataplane. First it measures what it can ([`super::calibration`]).

use super::calibration;
use super::clock::monotonic;
use super::spec::{Answer, ElementReport, ElementSpec, Order, read, write};
use super::wires::{Notes, Wires};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use ww_dataplane::Picoseconds;
use ww_io::capture::CaptureWriter;
use ww_io::spec::{Access, PortAssignment, PortSpec};
use ww_io::stop::Stop;
use ww_io::time::UtcTime;
use ww_io::world::live::{Options, World};
use ww_sim::forwarder::Start;
use ww_sim::measure::Sample;

/// The interface at an end of a link: `l0a`, `l0b`, `l1a`, ...
pub fn interface(port: u32) -> String {
    format!("l{}{}", port / 2, if port.is_multiple_of(2) { 'a' } else { 'b' })
}

/// Hears orders until the end, on a thread of its own. `base` is the time of CLOCK_MONOTONIC, ns, at which the world's
/// time began. Without whom it is ordered by, a process ends.
pub(super) fn hear<R: BufRead + Send + 'static>(
    mut orders: R,
    base: u64,
    start: Start,
    stop: Stop,
) {
    std::thread::spawn(move || {
        while let Ok(Some(order)) = read(&mut orders) {
            match order {
                Order::Start(at) => start.set(at.saturating_sub(base).saturating_mul(1000)),
                Order::End => break,
            }
        }
        stop.raise();
    });
}

/// Does what the first line of the input says until it is told to end.
///
/// # Errors
/// A sentence, which has been sent as an answer, too.
pub fn run<R: Read + Send + 'static>(input: R, out: &mut impl Write) -> Result<(), String> {
    let mut orders = BufReader::new(input);
    carry(&mut orders, out).and_then(|job| job.run(orders, out)).inspect_err(|error| {
        // Who does not hear this sees the exit status.
        let _ = write(out, &Answer::Failed(error.clone()));
    })
}

struct Job {
    spec: ElementSpec,
}

fn carry(orders: &mut impl BufRead, out: &mut impl Write) -> Result<Job, String> {
    let spec: ElementSpec = read(orders)?.ok_or("nothing to do")?;
    write(out, &Answer::Calibrated(calibration::calibrate()?))?;
    Ok(Job { spec })
}

impl Job {
    fn run<R: BufRead + Send + 'static>(
        self,
        orders: R,
        out: &mut impl Write,
    ) -> Result<(), String> {
        let Self { spec } = self;
        let start = Start::unknown();
        let stop = Stop::new().map_err(|error| error.to_string())?;
        let files = Arc::new(Mutex::new(Files::create(&spec)?));
        let notes = Box::new(SharedFiles(Arc::clone(&files)));
        let links = spec.links();
        let mut wires =
            Wires::new(&links, spec.changes(), spec.seed, spec.wishes(), start.clone(), notes)?;
        let port = |port| PortAssignment {
            port,
            spec: PortSpec::Interface(interface(port), Access::Packet),
        };
        let ports: Vec<_> = (0..2 * links.len() as u32).map(port).collect();
        let world =
            World::open(&ports, &Options::default(), &stop).map_err(|error| error.to_string())?;
        let handle = world.handle();
        hear(orders, monotonic(), start, stop);
        write(out, &Answer::Ready)?;
        let report = world.run_lent(&mut wires).map_err(|error| error.to_string())?;
        let (end, marks) = wires.counts(report.end);
        drop(wires);
        Files::finish(&files)?;
        let lost = |port: &ww_io::world::PortReport| {
            port.rx_drops + port.rx_errors + port.tx_drops + port.tx_errors
        };
        let report = ElementReport {
            marks: marks.into_iter().map(Into::into).collect(),
            end: end.into(),
            lateness: handle.lateness().into_iter().filter(|(_, count)| *count > 0).collect(),
            lost: report.ports.iter().map(lost).sum(),
        };
        write(out, &Answer::Element(Box::new(report)))
    }
}

/// Where samples and captured frames go.
struct Files {
    samples: Option<BufWriter<File>>,
    capture: Option<CaptureWriter>,
    /// Of each captured direction, the number of its interface.
    captured: Vec<u32>,
    error: Option<String>,
}

struct SharedFiles(Arc<Mutex<Files>>);

impl Files {
    fn create(spec: &ElementSpec) -> Result<Self, String> {
        let wrong = |path: &Path, error: &std::io::Error| {
            format!("cannot write '{}': {error}", path.display())
        };
        let samples = match &spec.samples_file {
            Some(path) => {
                Some(BufWriter::new(File::create(path).map_err(|error| wrong(path, &error))?))
            }
            None => None,
        };
        let names: Vec<&str> = spec.capture_names.iter().map(String::as_str).collect();
        let capture = match &spec.capture_file {
            Some(path) => {
                Some(CaptureWriter::create(path, &names).map_err(|error| error.to_string())?)
            }
            None => None,
        };
        Ok(Self { samples, capture, captured: spec.captures.clone(), error: None })
    }

    fn finish(files: &Mutex<Self>) -> Result<(), String> {
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(samples) = &mut files.samples {
            samples.flush().map_err(|error| error.to_string())?;
        }
        if let Some(capture) = files.capture.take() {
            capture.finish().map_err(|error| error.to_string())?;
        }
        files.error.take().map_or(Ok(()), Err)
    }
}

impl Notes for SharedFiles {
    fn frame(&mut self, direction: u32, at: Picoseconds, frame: &[u8]) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let files = &mut *files;
        let interface = files.captured.iter().position(|captured| *captured == direction);
        if let (Some(capture), Some(interface)) = (&mut files.capture, interface)
            && let Err(error) = capture.write(interface, UtcTime(at.into()), frame)
        {
            files.error.get_or_insert(error.to_string());
        }
    }

    fn sample(&mut self, sample: &Sample) {
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(samples) = &mut files.samples else { return };
        if let Err(error) = samples.write_all(&bytes_of(sample)) {
            files.error.get_or_insert(error.to_string());
        }
    }
}

const SAMPLE: usize = 6 * 8;

fn bytes_of(sample: &Sample) -> [u8; SAMPLE] {
    let Sample { at, direction, queued, sent, dropped, marked } = *sample;
    let mut bytes = [0; SAMPLE];
    for (to, value) in
        bytes.chunks_exact_mut(8).zip([at, direction.into(), queued, sent, dropped, marked])
    {
        to.copy_from_slice(&value.to_le_bytes());
    }
    bytes
}

/// Reads samples that an element has written.
///
/// # Errors
/// They cannot be read.
pub fn samples(path: &Path, mut take: impl FnMut(&Sample)) -> Result<(), String> {
    let wrong = |error: std::io::Error| format!("cannot read '{}': {error}", path.display());
    let mut input = BufReader::new(File::open(path).map_err(wrong)?);
    let mut bytes = [0; SAMPLE];
    while !input.fill_buf().map_err(wrong)?.is_empty() {
        input.read_exact(&mut bytes).map_err(wrong)?;
        let mut words = [0; SAMPLE / 8];
        for (word, bytes) in words.iter_mut().zip(bytes.as_chunks().0) {
            *word = u64::from_le_bytes(*bytes);
        }
        let [at, direction, queued, sent, dropped, marked] = words;
        take(&Sample { at, direction: direction as u32, queued, sent, dropped, marked });
    }
    Ok(())
}
