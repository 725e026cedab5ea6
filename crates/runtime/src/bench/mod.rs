//! How fast an engine is in memory, on one core or with several workers: what `ww bench` measures.

pub mod frames;
pub mod hits;
pub mod outputs;
pub mod rounds;
pub mod workers;

use crate::engine::{self, EngineName};
use crate::error::Error;
use crate::hardware::{self, RtlSettings};
use crate::program::Program;
use crate::{entries, watcher::Watcher};
use frames::Frames;
use hits::{Hits, Watch};
use outputs::Outputs;
use rounds::{Driver, Length, Measurement};
use std::path::{Path, PathBuf};
use std::time::Instant;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_engine::interp::Options;
use ww_io::frame_memory::FrameMemory;
use ww_p4::architecture::ports_of;
use ww_rtl::runner::monitor::Monitor;

/// How long the benchmark measures itself, in seconds.
const COPIES: f64 = 0.2;

/// What is measured, and how.
#[derive(Clone, Debug)]
pub struct Settings<'s> {
    /// What executes the program.
    pub engine: EngineName,
    /// Of engine rtl.
    pub rtl: &'s RtlSettings,
    /// Runtime commands to carry out before.
    pub entries: Option<&'s Path>,
    /// Bytes that the frames may take together.
    pub memory: u64,
    /// Frames that are handed over at a time.
    pub batch: usize,
    /// How long.
    pub length: Length,
    /// Rounds, of which the median counts.
    pub rounds: u32,
    /// Whether all frames go through engine interp too, and what leaves is compared.
    pub verify: bool,
    /// For how many of the first frames tables' hits are counted, by engine interp.
    pub sample: usize,
}

/// What was measured.
pub struct Report {
    /// Milliseconds: loading the program into the engine, and its entries.
    pub loading: [f64; 2],
    /// What left.
    pub outputs: Outputs,
    /// How often tables hit for the first frames.
    pub hits: Hits,
    /// How many these were.
    pub sample: usize,
    /// What the benchmark itself takes.
    pub copies: Measurement,
    /// What all takes.
    pub measured: Measurement,
    /// Of engine rtl: clocks a packet and clocks a beat.
    pub clocks: Option<[f64; 2]>,
}

/// Measures an engine with frames in memory.
///
/// # Errors
/// The engine does not run the program, its entries are wrong, or the engines do not send the same.
pub fn measure(
    settings: &Settings<'_>,
    program: &Program,
    captures: &[(PortId, PathBuf)],
    watcher: &dyn Watcher,
) -> Result<(Report, Frames), Error> {
    let Settings { engine: name, batch, rounds, length, .. } = *settings;
    let clock = Instant::now();
    let (mut engine, monitor) = engine::load(name, program, Options::default(), settings.rtl)?;
    let loading = milliseconds(clock);
    let clock = Instant::now();
    entries::load(settings.entries, &mut engine, watcher)?;
    let entering = milliseconds(clock);
    let frames = Frames::load(captures, usize::MAX, FrameMemory::new(settings.memory, 1))?;

    // Before anything else, while the program's state is as the control plane left it.
    let mut outputs = Outputs::default();
    Driver::new(&frames, batch).pass(&mut engine, &mut outputs);
    let (hits, sample) = reference(settings, program, &frames, &outputs)?;

    let short = match length {
        Length::Seconds(_) => Length::Seconds(COPIES),
        // One pass: then the same number of packets always does the same work.
        Length::Packets(_) => Length::Packets(1),
    };
    let work = || monitor.as_ref().map(Monitor::work).unwrap_or_default();
    let copies = Driver::new(&frames, batch).measure(&mut Nothing, rounds, short);
    let before = work();
    let measured = Driver::new(&frames, batch).measure(&mut engine, rounds, length);
    hardware::fault(monitor.as_ref())?;
    let clocks = monitor.as_ref().map(|_| {
        let after = work();
        let per = |count: u64| (after.packet_clocks - before.packet_clocks) as f64 / count as f64;
        [per(after.frames_in - before.frames_in), per(after.beats_in - before.beats_in)]
    });
    let loading = [loading, entering];
    Ok((Report { loading, outputs, hits, sample, copies, measured, clocks }, frames))
}

/// The time since then.
pub fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// What the reference engine has to say about the frames: how often tables hit for how many of them.
fn reference(
    settings: &Settings<'_>,
    program: &Program,
    frames: &Frames,
    outputs: &Outputs,
) -> Result<(Hits, usize), Error> {
    let sample = frames.len().min(settings.sample);
    if sample == 0 && !settings.verify {
        return Ok((Hits::default(), sample));
    }
    let mut interp = engine::interp(program, Options::default())?;
    // What there is to say of the entries has been said.
    entries::load(settings.entries, &mut interp, &())?;
    if settings.verify {
        let mut expected = Outputs::default();
        Driver::new(frames, settings.batch).pass(&mut interp, &mut expected);
        if let Some(difference) = outputs.difference(&expected) {
            return Err(Error::Failed(format!(
                "{}: engine {} and engine interp do not send the same: {difference}",
                program.path.display(),
                settings.engine,
            )));
        }
    }
    let watch = Watch::start(&mut interp);
    let mut ignored = Vec::new();
    for (port, frame) in frames.first(sample) {
        interp.receive(port, 0, frame, &mut ignored);
        ignored.clear();
    }
    Ok((watch.stop(&mut interp), sample))
}

/// `N=F`: the frames of F come in at port N; or `F`, at port 0.
///
/// # Errors
/// The program cannot name such a port.
pub fn capture(text: &str, program: &Program) -> Result<(PortId, PathBuf), Error> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('=') {
        Some((number, file)) if is_number(number) => {
            let ports = ports_of(&program.ir);
            let has = |port: &PortId| ports.is_none_or(|ports| ports.has(u64::from(*port)));
            match number.parse().ok().filter(has) {
                Some(port) => Ok((port, file.into())),
                None => {
                    let why = ports.map_or(String::new(), |ports| format!(": {ports}"));
                    let message = format!("--pcap {text}: there is no port {number}{why}");
                    Err(Error::Usage(message))
                }
            }
        }
        _ => Ok((0, text.into())),
    }
}

/// A dataplane that does nothing: what the benchmark itself takes.
struct Nothing;

impl Dataplane for Nothing {
    fn receive(&mut self, _: PortId, _: Picoseconds, _: &[u8], _: &mut Vec<Transmit>) {}

    fn receive_batch(&mut self, _: Picoseconds, frames: &mut [Frame<'_>], _: &mut dyn Sink) {
        std::hint::black_box(frames);
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ww_p4::preprocess::Options;

    #[test]
    fn captures_and_their_ports() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let open = |path: &str, options: &Options| {
            Program::open(&root.join(path), options).expect("a good program")
        };
        let v1model = open("p4/programs/udp_count/udp_count.p4", &Options::default());
        let folder = root.join("tests/arch/tiny");
        let options = Options {
            architectures: vec![folder.join("tiny.arch.toml")],
            include_dirs: vec![folder],
            ..Options::default()
        };
        let tiny = open("tests/arch/tiny/reflect.p4", &options);
        let of = |text| capture(text, &v1model).map_err(|_| ());
        assert_eq!(of("in.pcap"), Ok((0, "in.pcap".into())));
        assert_eq!(of("7=a=b.pcap"), Ok((7, "a=b.pcap".into())));
        assert_eq!(of("a=b.pcap"), Ok((0, "a=b.pcap".into())));
        assert_eq!(of("511=x"), Err(()));
        assert_eq!(capture("511=x", &tiny).map_err(|_| ()), Ok((511, "x".into())));
        let error = capture("65535=x", &tiny).expect_err("it means drop").to_string();
        assert!(error.ends_with("tiny has the ports 0 to 65534; 65535 means drop"), "{error}");
        assert_eq!(of("99999999999=x"), Err(()));
    }
}
