//! `ww run`

use crate::args::RunArguments;
use crate::output::print;
use crate::summary::Summary;
use crate::{Failure, engine, load};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;
use ww_engine::dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_engine::engine::AnyEngine;
use ww_io::spec::{PortAssignment, parse_ports};
use ww_io::stop::Stop;
use ww_io::world;

/// Runs a program until its capture files end or somebody stops it, and prints the counters.
pub fn run(arguments: &RunArguments) -> Result<(), Failure> {
    let ports = parse_ports(&arguments.ports).map_err(|error| Failure::Usage(error.to_string()))?;
    let path = &arguments.program.program;
    let (_, program) = load::program(&arguments.program)?;
    let mut engine = engine::load(arguments.engine, path, program).map_err(Failure::Rejected)?;
    load::check_ports(&ports)?;
    let output = load::entries(arguments.entries.as_deref(), &mut engine)?;
    if !arguments.json {
        for text in &output {
            print(&format!("{text}\n"))?;
        }
    }
    let system = |error: std::io::Error| Failure::Rejected(error.to_string());
    let stop = Stop::new().map_err(system)?;
    let _signals = stop.on_signals().map_err(system)?;
    if std::io::stderr().is_terminal() && !ports.iter().all(|port| port.spec.is_files()) {
        eprintln!("running until Ctrl-C, which prints the counters");
    }
    let mut watched = Watched { engine: &mut engine, bar: progress(&ports), packets: 0 };
    let result = world::run(&ports, &mut watched, &stop);
    watched.bar.finish_and_clear();
    let report = result.map_err(|error| Failure::Rejected(error.to_string()))?;
    let summary = Summary::new(report, &mut engine);
    print(&match arguments.json {
        true => summary.json(&output),
        false => summary.text(),
    })
}

/// A line that counts packets: only for files, and only on a terminal.
fn progress(ports: &[PortAssignment]) -> ProgressBar {
    if !ports.iter().all(|port| port.spec.is_files()) {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
    let template = "{spinner} {human_pos} packets, {per_sec}, {elapsed}";
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

/// The engine with somebody who counts.
struct Watched<'e> {
    engine: &'e mut AnyEngine,
    bar: ProgressBar,
    packets: u64,
}

/// Packets between two updates of the progress line.
const UPDATE: u64 = 256;

impl Dataplane for Watched<'_> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.packets += 1;
        if self.packets.is_multiple_of(UPDATE) {
            self.bar.set_position(self.packets);
        }
        self.engine.receive(port, now, frame, out);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.engine.advance(now, out);
    }

    fn next_event(&self) -> Option<Picoseconds> {
        self.engine.next_event()
    }
}
