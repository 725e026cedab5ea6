//! `ww trace`

use crate::Failure;
use crate::args::TraceArguments;
use crate::output::{print, stdout, written};
use crate::terminal::{Compiling, Terminal};
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ww_control::trace_text::{JsonTrace, TextTrace};
use ww_dataplane::trace::{Observer, PacketTag, TraceEvent};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_engine::engine::AnyEngine;
use ww_engine::interp::Interp;
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::world;
use ww_p4::source::SourceMap;
use ww_rtl::runner::compile::Effort;
use ww_rtl::runner::monitor::Monitor;
use ww_rtl::runner::pace::Pace;
use ww_runtime::engine::{self, EngineName};
use ww_runtime::error::Error;
use ww_runtime::program::{Program, files};
use ww_runtime::run::check_ports;
use ww_runtime::signals::Ending;
use ww_runtime::{entries, hardware};

/// Text that is collected before it is written.
const CHUNK: usize = 1 << 16;

/// Runs the packets of capture files and prints what happens to them.
pub fn trace(arguments: &TraceArguments) -> Result<(), Failure> {
    // Here an input file alone is enough.
    let input = |text: &String| match text.contains(':') {
        true => text.clone(),
        false => format!("{text}:"),
    };
    let ports = parse_ports(arguments.ports.iter().map(input))
        .map_err(|error| Failure::Usage(error.to_string()))?;
    if let Some(port) = ports.iter().find(|port| !port.spec.is_files()) {
        let message = format!("port {}: a trace takes packets from capture files", port.port);
        return Err(Failure::Usage(message));
    }
    let _ending = Ending::new()?;
    let compiling = Compiling::new(&arguments.program.program);
    let program = Program::open(&arguments.program.program, &arguments.program.options())?;
    let mut inputs = files(&program.sources);
    for path in ports.iter().filter_map(|port| port.spec.input()) {
        inputs.reads("an input of --port", path);
    }
    arguments.entries.iter().for_each(|path| _ = inputs.reads("the file of --entries", path));
    arguments.rtl.keep_inputs(&mut inputs)?;
    let mut model = model(arguments, &program)?;
    let mut engine = engine::interp(&program, Default::default()).map_err(Error::from)?;
    drop(compiling);
    check_ports(&ports, &program)?;
    let commands = arguments.entries.as_deref();
    let output = entries::load(commands, &mut engine, &Terminal::new())?;
    if let Some((model, _)) = &mut model {
        // What there is to say of the entries has been said.
        entries::load(commands, model, &())?;
    }
    if !arguments.json {
        for text in &output {
            print(&format!("{text}\n"))?;
        }
    }
    let stop = Stop::new().map_err(|error| Failure::Rejected(error.to_string()))?;
    let writer = Arc::new(Mutex::new(Writer {
        renderer: Renderer::new(Arc::clone(&program.sources), arguments.json),
        only: arguments.packet,
        seen: 0,
        text: String::new(),
        failed: None,
        stop: stop.clone(),
    }));
    engine.set_observer(Some(Box::new(Tap(Arc::clone(&writer)))));
    let result = match &mut model {
        None => world::run(&ports, &mut engine, &stop),
        Some((model, monitor)) => {
            let mut both = Both { engine, model, monitor, writer: Arc::clone(&writer) };
            let result = world::run(&ports, &mut both, &stop);
            hardware::fault(Some(monitor))?;
            result
        }
    };
    let mut writer = lock(&writer);
    writer.finish();
    if let Some(error) = writer.failed.take() {
        return written(Err(error));
    }
    result.map_err(|error| Failure::Rejected(error.to_string()))?;
    match arguments.packet {
        Some(wanted) if wanted > writer.seen => {
            let message = format!("there is no packet {wanted}: {} came in", writer.seen);
            Err(Failure::Rejected(message))
        }
        _ => Ok(()),
    }
}

/// The hardware whose clocks are shown, if they are to be.
fn model(
    arguments: &TraceArguments,
    program: &Program,
) -> Result<Option<(AnyEngine, Monitor)>, Failure> {
    arguments.rtl.check(arguments.engine)?;
    match arguments.engine {
        EngineName::Interp => return Ok(None),
        EngineName::Rtl => {}
        EngineName::Jit => {
            let message = "engine jit does not tell its steps; `--engine interp` does".to_owned();
            return Err(Failure::Usage(message));
        }
    }
    if arguments.json {
        let message = "--json is for `--engine interp`".to_owned();
        return Err(Failure::Usage(message));
    }
    let rtl = arguments.rtl.settings(Pace::Serial, 1, Effort::Quick)?;
    let loaded = engine::load(EngineName::Rtl, program, Default::default(), &rtl);
    let (model, monitor) = loaded.map_err(Error::from)?;
    Ok(monitor.map(|monitor| (model, monitor)))
}

/// The reference engine, which tells its steps, and hardware, whose clocks are told behind them.
struct Both<'b> {
    engine: Interp,
    model: &'b mut AnyEngine,
    monitor: &'b Monitor,
    writer: Arc<Mutex<Writer>>,
}

impl Dataplane for Both<'_> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.engine.receive(port, now, frame, out);
        let before = self.monitor.work();
        let mut sent = Vec::new();
        self.model.receive(port, now, frame, &mut sent);
        let after = self.monitor.work();
        let beats = after.beats_in - before.beats_in;
        let text = match after.latency {
            Some((first, last)) => format!(
                "  rtl: {beats} beat(s) in, {} frame(s) out; first beat out {first} clocks after \
                 the first beat in, last beat {last}\n",
                sent.len()
            ),
            None => format!("  rtl: {beats} beat(s) in, nothing out\n"),
        };
        lock(&self.writer).remark(&text);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.engine.advance(now, out);
    }

    fn status(&self) -> Status {
        self.engine.status()
    }
}

/// Both forms.
enum Renderer {
    Text(TextTrace),
    Json(JsonTrace),
}

impl Renderer {
    fn new(sources: Arc<SourceMap>, json: bool) -> Self {
        match json {
            true => Self::Json(JsonTrace::new(sources)),
            false => Self::Text(TextTrace::new(sources)),
        }
    }
}

/// Prints what it is told.
struct Writer {
    renderer: Renderer,
    only: Option<u64>,
    /// The last packet that came in.
    seen: u64,
    text: String,
    failed: Option<std::io::Error>,
    stop: Stop,
}

impl Writer {
    fn event(&mut self, tag: PacketTag, event: &TraceEvent) {
        self.seen = self.seen.max(tag.packet);
        if self.only.is_some_and(|only| only != tag.packet) || self.failed.is_some() {
            return;
        }
        match &mut self.renderer {
            Renderer::Text(trace) => trace.event(tag, event, &mut self.text),
            Renderer::Json(trace) => trace.event(tag, event, &mut self.text),
        }
        if self.text.len() >= CHUNK {
            self.flush();
        }
    }

    /// A line about the packet that came last.
    fn remark(&mut self, text: &str) {
        if self.only.is_none_or(|only| only == self.seen) && self.failed.is_none() {
            self.text.push_str(text);
        }
    }

    fn finish(&mut self) {
        if let Renderer::Json(trace) = &mut self.renderer {
            trace.finish(&mut self.text);
        }
        self.flush();
    }

    /// Writes what was collected; when nobody reads any more, the run is over.
    fn flush(&mut self) {
        let mut stdout = stdout();
        let result = stdout.write_all(self.text.as_bytes()).and_then(|()| stdout.flush());
        self.text.clear();
        if let Err(error) = result {
            self.failed.get_or_insert(error);
            self.stop.raise();
        }
    }
}

fn lock(writer: &Mutex<Writer>) -> MutexGuard<'_, Writer> {
    writer.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The writer as the engine sees it.
struct Tap(Arc<Mutex<Writer>>);

impl Observer for Tap {
    fn event(&mut self, packet: PacketTag, event: TraceEvent) {
        lock(&self.0).event(packet, &event);
    }
}
