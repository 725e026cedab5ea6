//! `ww trace`

use crate::args::TraceArguments;
use crate::output::print;
use crate::{Failure, engine, load};
use std::io::{ErrorKind, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use ww_control::trace_text::{JsonTrace, TextTrace};
use ww_engine::trace::{Observer, PacketTag, TraceEvent};
use ww_io::spec::parse_ports;
use ww_io::stop::Stop;
use ww_io::world;
use ww_p4::source::SourceMap;

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
    let (sources, program) = load::program(&arguments.program)?;
    let path = &arguments.program.program;
    let mut engine = engine::interp(path, program).map_err(Failure::Rejected)?;
    load::check_ports(&ports)?;
    let output = load::entries(arguments.entries.as_deref(), &mut engine)?;
    if !arguments.json {
        for text in &output {
            print(&format!("{text}\n"))?;
        }
    }
    let stop = Stop::new().map_err(|error| Failure::Rejected(error.to_string()))?;
    let writer = Arc::new(Mutex::new(Writer {
        renderer: Renderer::new(sources, arguments.json),
        only: arguments.packet,
        seen: 0,
        text: String::new(),
        failed: None,
        stop: stop.clone(),
    }));
    engine.set_observer(Some(Box::new(Tap(Arc::clone(&writer)))));
    let result = world::run(&ports, &mut engine, &stop);
    let mut writer = lock(&writer);
    writer.finish();
    if let Some(error) = writer.failed.take() {
        return match error.kind() {
            ErrorKind::BrokenPipe => Ok(()),
            _ => Err(Failure::Rejected(format!("cannot write to standard output: {error}"))),
        };
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

    fn finish(&mut self) {
        if let Renderer::Json(trace) = &mut self.renderer {
            trace.finish(&mut self.text);
        }
        self.flush();
    }

    /// Writes what was collected; when nobody reads any more, the run is over.
    fn flush(&mut self) {
        let mut stdout = std::io::stdout().lock();
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
