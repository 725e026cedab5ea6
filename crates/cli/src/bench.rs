//! `ww bench`: an engine in memory, on one core.

pub mod frames;
mod hits;
mod outputs;
mod rounds;
mod workers;

use crate::args::{BenchArguments, EngineName};
use crate::engine::Request;
use crate::output::print;
use crate::{Failure, engine, load};
use frames::Frames;
use hits::{Hits, Watch};
use outputs::Outputs;
use rounds::{Driver, Length, Measurement};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Transmit};
use ww_p4::ir::Program;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::monitor::Monitor;
use ww_rtl::runner::pace::Pace;

/// Replays captures from memory and prints how fast the engine is.
pub fn bench(arguments: &BenchArguments) -> Result<(), Failure> {
    let captures: Vec<(PortId, PathBuf)> =
        arguments.pcap.iter().map(|text| capture(text)).collect::<Result<_, _>>()?;
    let path = &arguments.program.program;
    let clock = Instant::now();
    let (sources, program) = load::program(&arguments.program)?;
    let front_end = milliseconds(clock);
    if arguments.workers > 1 {
        if arguments.engine != EngineName::Jit {
            let message = "--workers: engine jit alone has several workers".to_owned();
            return Err(Failure::Usage(message));
        }
        return workers::bench(arguments, program, &Frames::load(&captures)?);
    }
    let clock = Instant::now();
    let request = Request {
        name: arguments.engine,
        path,
        sources: Some(&sources),
        rtl: &arguments.rtl,
        pace: Pace::BackToBack,
        gather: 1,
        effort: Effort::Fast,
        options: Default::default(),
    };
    request.check()?;
    let (mut engine, monitor) =
        request.load(Arc::clone(&program)).map_err(|error| Failure::Rejected(error.message()))?;
    let compile = milliseconds(clock);
    let clock = Instant::now();
    load::entries(arguments.entries.as_deref(), &mut engine)?;
    let entries = milliseconds(clock);
    let frames = Frames::load(&captures)?;

    // Before anything else, while the program's state is as the control plane left it.
    let batch = usize::from(arguments.batch);
    let mut outputs = Outputs::default();
    Driver::new(&frames, batch).pass(&mut engine, &mut outputs);
    let reference = Reference::new(arguments, path, program, &frames)?;
    if let Some(expected) = &reference.outputs
        && let Some(difference) = outputs.difference(expected)
    {
        return Err(Failure::Rejected(format!(
            "{}: engine {} and engine interp do not send the same: {difference}",
            path.display(),
            arguments.engine.word(),
        )));
    }

    let length = match (arguments.packets, arguments.seconds) {
        (Some(packets), _) => Length::Packets(packets),
        (None, seconds) => Length::Seconds(seconds),
    };
    let rounds = u32::from(arguments.rounds);
    let short = match length {
        Length::Seconds(_) => Length::Seconds(0.2),
        // One pass: then the same number of packets always does the same work.
        Length::Packets(_) => Length::Packets(1),
    };
    let work = || monitor.as_ref().map(Monitor::work).unwrap_or_default();
    let copies = Driver::new(&frames, batch).measure(&mut Nothing, rounds, short);
    let before = work();
    let measured = Driver::new(&frames, batch).measure(&mut engine, rounds, length);
    engine::fault(monitor.as_ref())?;
    let clocks = monitor.as_ref().map(|_| {
        let after = work();
        let per = |count: u64| (after.packet_clocks - before.packet_clocks) as f64 / count as f64;
        [per(after.frames_in - before.frames_in), per(after.beats_in - before.beats_in)]
    });
    let report = Report {
        engine: arguments.engine,
        batch,
        times: [front_end, compile, entries],
        frames: &frames,
        outputs: &outputs,
        reference: &reference,
        copies: &copies,
        measured: &measured,
        clocks,
    };
    print(&match arguments.json {
        true => format!("{}\n", report.json()),
        false => report.text(),
    })
}

fn milliseconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64() * 1e3
}

/// `N=F` or `F`, which comes in at port 0.
pub fn capture(text: &str) -> Result<(PortId, PathBuf), Failure> {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match text.split_once('=') {
        Some((port, file)) if number(port) => match port.parse() {
            Ok(port) if u64::from(port) < ww_p4::architecture::v1model::DROP_PORT => {
                Ok((port, file.into()))
            }
            _ => Err(Failure::Usage(format!("--pcap {text}: there is no port {port}"))),
        },
        _ => Ok((0, text.into())),
    }
}

/// What the reference engine has to say about the frames.
struct Reference {
    /// With `--verify`: what it sends.
    outputs: Option<Outputs>,
    /// How often tables hit for the first frames.
    hits: Hits,
    /// How many these were.
    sample: usize,
}

impl Reference {
    fn new(
        arguments: &BenchArguments,
        path: &Path,
        program: Arc<Program>,
        frames: &Frames,
    ) -> Result<Self, Failure> {
        let mut outputs = None;
        let sample = frames.len().min(arguments.sample as usize);
        if sample == 0 && !arguments.verify {
            return Ok(Self { outputs, hits: Hits::default(), sample });
        }
        let mut interp =
            engine::interp(path, program, Default::default()).map_err(Failure::Rejected)?;
        load::entries(arguments.entries.as_deref(), &mut interp)?;
        if arguments.verify {
            let mut expected = Outputs::default();
            let batch = usize::from(arguments.batch);
            Driver::new(frames, batch).pass(&mut interp, &mut expected);
            outputs = Some(expected);
        }
        let watch = Watch::start(&mut interp);
        let mut ignored = Vec::new();
        for (port, frame) in frames.first(sample) {
            interp.receive(port, 0, frame, &mut ignored);
            ignored.clear();
        }
        Ok(Self { outputs, hits: watch.stop(&mut interp), sample })
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

    fn next_event(&self) -> Option<Picoseconds> {
        None
    }
}

/// Everything that is printed.
struct Report<'r> {
    engine: EngineName,
    batch: usize,
    /// Milliseconds: front end, loading into the engine, entries.
    times: [f64; 3],
    frames: &'r Frames,
    outputs: &'r Outputs,
    reference: &'r Reference,
    copies: &'r Measurement,
    measured: &'r Measurement,
    /// Of engine rtl: clocks a packet and clocks a beat.
    clocks: Option<[f64; 2]>,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let measured = self.measured;
        let (fastest, slowest) = measured.extremes();
        let rounds: Vec<f64> = measured.rounds.iter().map(rounds::Round::nanoseconds).collect();
        json!({
            "engine": self.engine.word(),
            "packets": measured.packets(),
            "seconds": measured.seconds(),
            "mpps": 1e3 / measured.nanoseconds(),
            "ns_per_packet": measured.nanoseconds(),
            "fastest_ns": fastest,
            "slowest_ns": slowest,
            "rounds_ns": rounds,
            "copy_ns": self.copies.nanoseconds(),
            "batch": self.batch,
            "frames": self.frames.len(),
            "frame_bytes": self.frames.bytes(),
            "transmitted": measured.transmitted,
            "transmitted_bytes": measured.bytes_out,
            "front_end_ms": self.times[0],
            "compile_ms": self.times[1],
            "entries_ms": self.times[2],
            "output": self.outputs.json(),
            "verified": self.reference.outputs.is_some(),
            "sample": self.reference.sample,
            "tables": self.reference.hits.json(),
            "clocks_per_packet": self.clocks.map(|[packet, _]| packet),
            "clocks_per_beat": self.clocks.map(|[_, beat]| beat),
        })
    }

    fn text(&self) -> String {
        let measured = self.measured;
        let (fastest, slowest) = measured.extremes();
        let [front_end, compile, entries] = self.times;
        let sample = match self.reference.sample {
            0 => String::new(),
            n => format!("tables, for the first {n} frames:\n{}", self.reference.hits.text()),
        };
        let clocks = self.clocks.map_or(String::new(), |[packet, beat]| {
            format!("{packet:.2} clocks a packet, {beat:.3} clocks a beat\n")
        });
        format!(
            "engine {}: {:.3} million packets a second, {:.1} ns a packet\n\
             median of {} rounds, {fastest:.1} to {slowest:.1} ns; {} packets in {:.2} s, batches \
             of {}\n\
             of these ns, {:.1} are the benchmark's own (copies of the frames)\n\
             {} frames sent for {} that came in, each pass the same {}; output {:016x}{}\n\
             front end {front_end:.1} ms, loading the program {compile:.1} ms, entries \
             {entries:.1} ms\n{clocks}{sample}",
            self.engine.word(),
            1e3 / measured.nanoseconds(),
            measured.nanoseconds(),
            measured.rounds.len(),
            measured.packets(),
            measured.seconds(),
            self.batch,
            self.copies.nanoseconds(),
            measured.transmitted,
            measured.packets(),
            self.frames.len(),
            self.outputs.hash(),
            match self.reference.outputs {
                Some(_) => ", the same as engine interp's",
                None => "",
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_and_their_ports() {
        let of = |text| capture(text).map_err(|_| ());
        assert_eq!(of("in.pcap"), Ok((0, "in.pcap".into())));
        assert_eq!(of("7=a=b.pcap"), Ok((7, "a=b.pcap".into())));
        assert_eq!(of("a=b.pcap"), Ok((0, "a=b.pcap".into())));
        assert_eq!(of("511=x"), Err(()));
        assert_eq!(of("99999999999=x"), Err(()));
    }
}
