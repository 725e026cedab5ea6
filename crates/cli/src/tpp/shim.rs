//! `ww tpp shim`: the shim of a host as a process between its stack and its wire.

use super::read_text;
use crate::Failure;
use crate::output::print;
use crate::tpp_args::ShimArguments;
use parking_lot::Mutex;
use serde_json::json;
use std::any::Any;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use ww_engine::dataplane::{Dataplane, Picoseconds, PortId, Transmit};
use ww_host::control;
use ww_host::record::Record;
use ww_host::rules_file::{self, RulesFile};
use ww_host::shim::{Received, Sent, Shim};
use ww_io::spec::{PortAssignment, parse_ports};
use ww_io::stop::Stop;
use ww_io::world::live::{Options, Pinning, World};
use ww_io::world::{OwnedDataplane, RunReport, pcap};
use ww_tpp::packet::{Repr, Tpp};
use ww_tpp::policy_file::FileError;
use ww_tpp::protection::Protection;

const STACK: PortId = 0;
const WIRE: PortId = 1;

/// The shim as something with two ports.
struct Plane {
    /// Its control plane changes it between packets.
    shim: Arc<Mutex<Shim>>,
    collector: Option<Collector>,
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

    fn next_event(&self) -> Option<Picoseconds> {
        None
    }
}

impl Plane {
    fn collect(&mut self, now: Picoseconds, how: &str, tpp: &[u8]) {
        if let (Some(collector), Ok(tpp)) = (&mut self.collector, Tpp::new(tpp))
            && let Some(record) = Record::of(now, &Repr::parse(&tpp), &self.frame)
        {
            collector.write(how, &record);
        }
    }
}

/// Writes what arrives, a line of JSON each. A file that cannot be written any more ends the collection, not the shim.
struct Collector {
    out: BufWriter<Box<dyn Write + Send>>,
    failed: Option<io::Error>,
}

impl Collector {
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

/// Runs until the capture files end or somebody stops it, and prints what it has done.
pub fn shim(arguments: &ShimArguments) -> Result<(), Failure> {
    let rejected = |error: &dyn std::fmt::Display| Failure::Rejected(error.to_string());
    let specs = [format!("{STACK}={}", arguments.stack), format!("{WIRE}={}", arguments.wire)];
    let ports = parse_ports(&specs).map_err(|error| Failure::Usage(error.to_string()))?;
    let collector = arguments.collect.as_deref().map(|path| {
        Collector::new(path).map_err(|error| {
            Failure::Rejected(format!("cannot write '{}': {error}", path.display()))
        })
    });
    let shim = Arc::new(Mutex::new(made(arguments)?));
    let plane =
        Plane { shim: Arc::clone(&shim), collector: collector.transpose()?, frame: Vec::new() };
    let server = arguments.control.as_deref().map(|socket| {
        let plane = control::Plane::new(Arc::clone(&shim), arguments.state.clone());
        plane.and_then(|plane| control::Server::start(socket, plane)).map_err(Failure::Rejected)
    });
    let server = server.transpose()?;
    let stop = Stop::new().map_err(|error| rejected(&error))?;
    let _signals = stop.on_signals().map_err(|error| rejected(&error))?;
    let (world, plane) = drive(plane, &ports, &stop)?;
    drop(server);
    if let Some(error) = plane.collector.and_then(|collector| collector.failed) {
        eprintln!("warning: what arrived later was not collected: {error}");
    }
    let counters = shim.lock().counters();
    let report = json!({
        "stamped": counters.stamped,
        "too_long": counters.too_long,
        "refused": counters.refused,
        "stripped": counters.stripped,
        "echoed": counters.echoed,
        "returned": counters.returned,
        "world": world,
    });
    print(&match arguments.json {
        true => format!("{report:#}\n"),
        false => format!(
            "{} stamped, {} without as they would have been too long, {} of the stack refused\n\
             {} stripped, {} sent back, {} returned\n",
            counters.stamped,
            counters.too_long,
            counters.refused,
            counters.stripped,
            counters.echoed,
            counters.returned,
        ),
    })
}

/// A shim with the rules of the file, or without any if a control plane is to bring them.
fn made(arguments: &ShimArguments) -> Result<Shim, Failure> {
    let Some(path) = &arguments.rules else {
        let mtu = arguments.mtu.unwrap_or(1500);
        return Ok(Shim::new(mtu.into(), Protection::new(&[]), 0));
    };
    let file = rules(path)?;
    let mut shim = Shim::new(file.mtu, file.protection, file.seed);
    shim.add_all(file.rules);
    Ok(shim)
}

fn rules(path: &Path) -> Result<RulesFile, Failure> {
    let text = read_text(path)?;
    rules_file::parse(&text).map_err(|errors| {
        let line = |error: &FileError| format!("{}:{error}", path.display());
        Failure::Rejected(errors.iter().map(line).collect::<Vec<_>>().join("\n"))
    })
}

fn drive(
    mut plane: Plane,
    ports: &[PortAssignment],
    stop: &Stop,
) -> Result<(RunReport, Plane), Failure> {
    let rejected = |error: ww_io::world::RunError| Failure::Rejected(error.to_string());
    if ports.iter().all(|port| port.spec.is_files()) {
        let report = pcap::run(ports, &mut plane, stop).map_err(rejected)?;
        return Ok((report, plane));
    }
    let options = Options {
        workers: NonZeroUsize::MIN,
        pinning: Pinning::None,
        notice: Arc::new(|text| eprintln!("note: {text}")),
    };
    let dataplane: OwnedDataplane = Box::new(plane);
    let world = World::open(ports, &options, stop).map_err(rejected)?;
    let (report, mut dataplanes) = world.run(vec![dataplane]).map_err(rejected)?;
    let back = dataplanes.pop().and_then(|plane| (plane as Box<dyn Any>).downcast().ok());
    match back {
        Some(plane) => Ok((report, *plane)),
        None => Err(Failure::Rejected("the shim was lost".to_owned())),
    }
}
