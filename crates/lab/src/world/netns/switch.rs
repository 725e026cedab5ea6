//! The process of a plain switch: `ww lab switch`.

use super::clock::monotonic;
use super::element::hear;
use super::spec::{Answer, SwitchSpec, TppSwitchSpec, read, write};
use std::io::{BufRead, BufReader, Read, Write};
use ww_io::spec::{Access, PortAssignment, PortSpec};
use ww_io::stop::Stop;
use ww_io::world::live::{Options, World};
use ww_sched::policy_file;
use ww_sim::forwarder::tcpu::TppForwarder;
use ww_sim::forwarder::{Forwarder, Start};
use ww_tpp::switch::Tcpu;

/// The interface at a port of a switch or a program.
pub fn interface(port: u32) -> String {
    format!("eth{port}")
}

/// Does what the first line of the input says until it is told to end.
///
/// # Errors
/// A sentence, which has been sent as an answer, too.
pub fn run<R: Read + Send + 'static>(input: R, out: &mut impl Write) -> Result<(), String> {
    forward(BufReader::new(input), out).inspect_err(|error| {
        // Who does not hear this sees the exit status.
        let _ = write(out, &Answer::Failed(error.clone()));
    })
}

fn forward<R: BufRead + Send + 'static>(mut orders: R, out: &mut impl Write) -> Result<(), String> {
    let spec: SwitchSpec = read(&mut orders)?.ok_or("nothing to do")?;
    let start = Start::unknown();
    let stop = Stop::new().map_err(|error| error.to_string())?;
    let port = |port: &u32| PortAssignment {
        port: *port,
        spec: PortSpec::Interface(interface(*port), Access::Packet),
    };
    let ports: Vec<_> = spec.ports.iter().map(port).collect();
    let world =
        World::open(&ports, &Options::default(), &stop).map_err(|error| error.to_string())?;
    hear(orders, monotonic(), start.clone(), stop);
    write(out, &Answer::Ready)?;
    let mut forwarder = Forwarder::new(spec.settings, start);
    let dropped = match spec.tpp {
        None => {
            world.run_lent(&mut forwarder).map_err(|error| error.to_string())?;
            forwarder.dropped
        }
        Some(TppSwitchSpec { config, queues, rates }) => {
            let policy = policy_file::Plan::parse(&queues).map_err(|error| error.to_string())?;
            let manager = policy.traffic_manager_at(&rates);
            let mut plane = TppForwarder::new(forwarder, Tcpu::new(config, 0), manager);
            world.run_lent(&mut plane).map_err(|error| error.to_string())?;
            plane.dropped()
        }
    };
    write(out, &Answer::Switch(dropped))
}
