//! `ww bench`: an engine in memory, on one core.

use crate::Failure;
use crate::args::BenchArguments;
use crate::output::print;
use crate::terminal::Terminal;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Instant;
use ww_dataplane::PortId;
use ww_io::frame_memory::{DEFAULT_MEMORY, FrameMemory};
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::pace::Pace;
use ww_runtime::bench::frames::Frames;
use ww_runtime::bench::rounds::{Length, Round};
use ww_runtime::bench::workers::Workers;
use ww_runtime::bench::{self, Settings, capture, measure, milliseconds};
use ww_runtime::engine::EngineName;
use ww_runtime::program::{Program, files};
use ww_runtime::signals::Ending;

/// Replays captures from memory and prints how fast the engine is.
pub fn bench(arguments: &BenchArguments) -> Result<(), Failure> {
    let _ending = Ending::new()?;
    let clock = Instant::now();
    let program = Program::open(&arguments.program.program, &arguments.program.options())?;
    let front_end = milliseconds(clock);
    let captures: Vec<(PortId, PathBuf)> =
        arguments.pcap.iter().map(|text| capture(text, &program)).collect::<Result<_, _>>()?;
    let memory = arguments.memory.unwrap_or(DEFAULT_MEMORY);
    if arguments.workers > 1 {
        if arguments.engine != EngineName::Jit {
            let message = "--workers: engine jit alone has several workers".to_owned();
            return Err(Failure::Usage(message));
        }
        // Each worker has its frames once more.
        let memory = FrameMemory::new(memory, 2);
        return workers(arguments, &program, &Frames::load(&captures, usize::MAX, memory)?);
    }
    arguments.rtl.check(arguments.engine)?;
    let mut inputs = files(&program.sources);
    captures.iter().for_each(|(_, path)| _ = inputs.reads("a file of --pcap", path));
    arguments.entries.iter().for_each(|path| _ = inputs.reads("the file of --entries", path));
    arguments.rtl.keep_inputs(&mut inputs)?;
    let settings = Settings {
        engine: arguments.engine,
        rtl: &arguments.rtl.settings(Pace::BackToBack, 1, Effort::Fast)?,
        entries: arguments.entries.as_deref(),
        memory,
        batch: arguments.batch.into(),
        length: match (arguments.packets, arguments.seconds) {
            (Some(packets), _) => Length::Packets(packets),
            (None, seconds) => Length::Seconds(seconds),
        },
        rounds: arguments.rounds.into(),
        verify: arguments.verify,
        sample: arguments.sample as usize,
    };
    let (measured, frames) = measure(&settings, &program, &captures, &Terminal::new())?;
    let report = Report { settings: &settings, front_end, frames: &frames, measured: &measured };
    print(&match arguments.json {
        true => format!("{}\n", report.json()),
        false => report.text(),
    })
}

/// Prints how fast several workers are.
fn workers(arguments: &BenchArguments, program: &Program, frames: &Frames) -> Result<(), Failure> {
    let (count, rounds) = (usize::from(arguments.workers), arguments.rounds);
    let workers = Workers {
        count,
        entries: arguments.entries.as_deref(),
        batch: arguments.batch.into(),
        rounds,
        seconds: arguments.seconds,
    };
    let together = workers.measure(program, frames, &Terminal::new())?;
    let (one, all) = (together.one, together.all());
    print(&match arguments.json {
        true => {
            let results = json!({
                "engine": "jit", "workers": count, "one_mpps": one, "mpps": all,
                "ratio": all / one, "rounds_mpps": together.rounds,
            });
            format!("{results}\n")
        }
        false => format!(
            "one worker {one:.3}, {count} workers {all:.3} million packets a second: {:.2} times \
             as much (medians of {rounds} rounds)\n",
            all / one
        ),
    })
}

/// Everything that is printed.
struct Report<'r> {
    settings: &'r Settings<'r>,
    /// Milliseconds.
    front_end: f64,
    frames: &'r Frames,
    measured: &'r bench::Report,
}

impl Report<'_> {
    fn json(&self) -> Value {
        let bench::Report { loading: [compile, entries], outputs, hits, .. } = self.measured;
        let measured = &self.measured.measured;
        let (fastest, slowest) = measured.extremes();
        let rounds: Vec<f64> = measured.rounds.iter().map(Round::nanoseconds).collect();
        json!({
            "engine": self.settings.engine.word(),
            "packets": measured.packets(),
            "seconds": measured.seconds(),
            "mpps": 1e3 / measured.nanoseconds(),
            "ns_per_packet": measured.nanoseconds(),
            "fastest_ns": fastest,
            "slowest_ns": slowest,
            "rounds_ns": rounds,
            "copy_ns": self.measured.copies.nanoseconds(),
            "batch": self.settings.batch,
            "frames": self.frames.len(),
            "frame_bytes": self.frames.bytes(),
            "transmitted": measured.transmitted,
            "transmitted_bytes": measured.bytes_out,
            "front_end_ms": self.front_end,
            "compile_ms": compile,
            "entries_ms": entries,
            "output": outputs.json(),
            "verified": self.settings.verify,
            "sample": self.measured.sample,
            "tables": hits.json(),
            "clocks_per_packet": self.measured.clocks.map(|[packet, _]| packet),
            "clocks_per_beat": self.measured.clocks.map(|[_, beat]| beat),
        })
    }

    fn text(&self) -> String {
        let bench::Report { loading: [compile, entries], outputs, hits, .. } = self.measured;
        let measured = &self.measured.measured;
        let (fastest, slowest) = measured.extremes();
        let front_end = self.front_end;
        let sample = match self.measured.sample {
            0 => String::new(),
            n => format!("tables, for the first {n} frames:\n{}", hits.text()),
        };
        let clocks = self.measured.clocks.map_or(String::new(), |[packet, beat]| {
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
            self.settings.engine.word(),
            1e3 / measured.nanoseconds(),
            measured.nanoseconds(),
            measured.rounds.len(),
            measured.packets(),
            measured.seconds(),
            self.settings.batch,
            self.measured.copies.nanoseconds(),
            measured.transmitted,
            measured.packets(),
            self.frames.len(),
            outputs.hash(),
            match self.settings.verify {
                true => ", the same as engine interp's",
                false => "",
            },
        )
    }
}
