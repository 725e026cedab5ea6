//! The TPP shim of a host as a process between its stack and its wire.

use crate::error::Error;
use crate::watcher::Watcher;
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_host::control;
use ww_host::record::Record;
use ww_host::shim::{Counters, Received, Sent, Shim};
use ww_io::overwrite::{Files, Overwrite};
use ww_io::spec::{PortAssignment, parse_ports};
use ww_io::stop::Stop;
use ww_io::world::live::{Options, World};
use ww_io::world::{OwnedDataplane, RunReport, pcap};
use ww_tpp::packet::{Repr, Tpp};

const STACK: PortId = 0;
const WIRE: PortId = 1;

/// The shim as something with two ports.
struct Plane {
    /// Its control plane changes it between packets.
    shim: Arc<Mutex<Shim>>,
    collector: Option<Arc<Mutex<Collector>>>,
    /// The frame at work.
    frame: Vec<u8>,
}

impl Dataplane for Plane {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.frame.clear();
        self.frame.extend_from_slice(frame);
        let to = match port {
            STACK => match self.shim.lock().transmit(&mut self.frame) {
                Sent::Plain | Sent::Stamped(_) => WIRE,
                Sent::Refused => return,
            },
            _ => {
                let received = self.shim.lock().receive(&mut self.frame);
                match received {
                    Received::Plain => STACK,
                    Received::Stripped(tpp) => {
                        self.collect(now, "stripped", &tpp);
                        STACK
                    }
                    Received::Echo => WIRE,
                    // Whoever has sent it waits at a socket of the stack.
                    Received::Returned { tpp, .. } => {
                        self.collect(now, "returned", &tpp);
                        STACK
                    }
                }
            }
        };
        out.push(Transmit { port: to, at: now, frame: self.frame.clone() });
    }

    fn advance(&mut self, _: Picoseconds, _: &mut Vec<Transmit>) {}

    fn status(&self) -> Status {
        Status::default()
    }
}

impl Plane {
    fn collect(&mut self, now: Picoseconds, how: &str, tpp: &[u8]) {
        if let (Some(collector), Ok(tpp)) = (&self.collector, Tpp::new(tpp))
            && let Some(record) = Record::of(now, &Repr::parse(&tpp), &self.frame)
        {
            collector.lock().write(how, &record);
        }
    }
}

/// Writes what arrives, a line of JSON each. A file that cannot be written any more ends the collection, not the shim.
struct Collector {
    out: BufWriter<Box<dyn Write + Send>>,
    failed: Option<io::Error>,
}

impl Collector {
    /// `-` is standard output.
    fn new(path: &Path) -> io::Result<Self> {
        let out: Box<dyn Write + Send> = match path.as_os_str() == "-" {
            true => Box::new(io::stdout()),
            false => Box::new(File::create(path)?),
        };
        Ok(Self { out: BufWriter::new(out), failed: None })
    }

    fn write(&mut self, how: &str, record: &Record) {
        if self.failed.is_some() {
            return;
        }
        let mut line = json!(record);
        line["how"] = how.into();
        self.failed = writeln!(self.out, "{line}").and_then(|()| self.out.flush()).err();
    }
}

/// Where a shim is, and who hears of it.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The port to the stack, as on the command line.
    pub stack: String,
    /// The port to the wire.
    pub wire: String,
    /// What arrives is written here, a line of JSON each; `-` is standard output.
    pub collect: Option<PathBuf>,
    /// A Unix socket for requests while it runs.
    pub control: Option<PathBuf>,
    /// Where applications and rules are kept that requests have brought.
    pub state: Option<PathBuf>,
    /// The file that the rules came from.
    pub rules: Option<PathBuf>,
}

impl Settings {
    /// Refuses outputs that are inputs.
    fn keep_inputs(&self, ports: &[PortAssignment]) -> Result<(), Overwrite> {
        let mut files = Files::default();
        self.rules.iter().for_each(|path| _ = files.reads("the file of rules", path));
        for (port, option) in ports.iter().zip(["--stack", "--wire"]) {
            let what = || format!("the input of {option}");
            port.spec.input().into_iter().for_each(|path| _ = files.reads(what(), path));
        }
        for (port, option) in ports.iter().zip(["--stack", "--wire"]) {
            if let Some(path) = port.spec.output() {
                files.writes(option, path)?;
            }
        }
        if let Some(path) = self.collect.as_deref().filter(|path| path.as_os_str() != "-") {
            files.writes("--collect", path)?;
        }
        if let Some(path) = &self.state {
            files.writes("--state", path)?;
        }
        Ok(())
    }
}

/// What a shim has done.
#[derive(Clone, Debug)]
pub struct Report {
    /// TPPs by what became of them.
    pub counters: Counters,
    /// Ports and workers.
    pub world: RunReport,
    /// Why what arrived later was not collected.
    pub uncollected: Option<String>,
}

impl Report {
    /// For programs; docs/command-line.md has the fields.
    pub fn json(&self) -> Value {
        let counters = &self.counters;
        json!({
            "stamped": counters.stamped,
            "too_long": counters.too_long,
            "refused": counters.refused,
            "stripped": counters.stripped,
            "echoed": counters.echoed,
            "returned": counters.returned,
            "world": self.world,
        })
    }
}

/// Runs a shim until its capture files end or `stop` is raised.
///
/// # Errors
/// Ports, files or the socket cannot be used.
pub fn run(
    settings: &Settings,
    shim: Shim,
    stop: &Stop,
    watcher: Arc<dyn Watcher>,
) -> Result<Report, Error> {
    let specs = [format!("{STACK}={}", settings.stack), format!("{WIRE}={}", settings.wire)];
    let ports = parse_ports(&specs).map_err(|error| Error::Usage(error.to_string()))?;
    settings.keep_inputs(&ports)?;
    let collector = settings.collect.as_deref().map(|path| {
        Collector::new(path)
            .map_err(|error| Error::Failed(format!("cannot write '{}': {error}", path.display())))
    });
    let collector = collector.transpose()?.map(|collector| Arc::new(Mutex::new(collector)));
    let shim = Arc::new(Mutex::new(shim));
    let plane = Plane { shim: Arc::clone(&shim), collector: collector.clone(), frame: Vec::new() };
    let server = settings.control.as_deref().map(|socket| {
        let plane = control::Plane::new(Arc::clone(&shim), settings.state.clone());
        plane.and_then(|plane| control::Server::start(socket, plane)).map_err(Error::Failed)
    });
    let server = server.transpose()?;
    let world = drive(plane, &ports, stop, watcher)?;
    drop(server);
    let failed = |collector: &Arc<Mutex<Collector>>| {
        collector.lock().failed.as_ref().map(io::Error::to_string)
    };
    let counters = shim.lock().counters();
    Ok(Report { counters, world, uncollected: collector.as_ref().and_then(failed) })
}

fn drive(
    mut plane: Plane,
    ports: &[PortAssignment],
    stop: &Stop,
    watcher: Arc<dyn Watcher>,
) -> Result<RunReport, Error> {
    if ports.iter().all(|port| port.spec.is_files()) {
        return pcap::run(ports, &mut plane, stop).map_err(Error::failed);
    }
    let options =
        Options { notice: Arc::new(move |text| watcher.note(text)), ..Options::default() };
    let dataplane: OwnedDataplane = Box::new(plane);
    let world = World::open(ports, &options, stop).map_err(Error::failed)?;
    Ok(world.run(vec![dataplane]).map_err(Error::failed)?.0)
}
