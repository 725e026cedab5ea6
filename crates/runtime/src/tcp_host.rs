//! A TCP/IP host on a port: capture files, a TAP device, an interface.

use crate::error::Error;
use serde_json::Value;
use std::fs;
use std::net::SocketAddrV4;
use std::path::PathBuf;
use std::time::Duration;
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_io::spec::{PortAssignment, PortSpec};
use ww_io::stop::Stop;
use ww_io::world::{self, live};
use ww_tcp::engine::endpoint::Endpoint;
use ww_tcp::host::{Application, Host, Load, Protocol};
use ww_tcp::settings::{Nanoseconds, SECOND};

/// Picoseconds of a nanosecond, in which the host counts.
const NANOSECOND: Picoseconds = 1_000;

/// How long the host goes on after the last frame of a capture.
const AFTER_CAPTURE: Picoseconds = SECOND * NANOSECOND;

/// How often it is looked whether a device is up, and whether to stop.
const LOOK: Picoseconds = 10_000_000_000;

/// Frames that leave at one time at most, before frames that have come are looked at.
const BURST: usize = 256;

/// What a host runs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What listens.
    pub listen: Vec<(Protocol, u16, Application)>,
    /// What it opens.
    pub connect: Vec<(SocketAddrV4, Application)>,
    /// When it stops by itself.
    pub duration: Option<Duration>,
}

/// Runs a host with an engine on a port until the capture ends, its time is over or `stop` is raised. `ready` is called
/// when the port is open. Returns the report.
///
/// # Errors
/// The port cannot be had, or fails; too many ports listen, or an assertion stops the hardware.
pub fn run(
    plan: &Plan,
    engine: impl Endpoint,
    port: PortAssignment,
    stop: &Stop,
    ready: impl FnOnce() -> Result<(), Error>,
) -> Result<Value, Error> {
    let load = plan.duration.map_or(Load::default(), |duration| Load {
        duration: Load::default().duration.min(duration.as_nanos() as u64),
    });
    let mut host = Host::new(engine, load);
    for &(protocol, number, application) in &plan.listen {
        if !host.listen(protocol, number, application) {
            let message = format!(
                "port {number} cannot listen: one that listens, or more than the engine has"
            );
            return Err(Error::Usage(message));
        }
    }
    for &(peer, application) in &plan.connect {
        host.connect(peer, application);
    }
    let captured = port.spec.is_files();
    let end = plan.duration.map(|duration| duration.as_nanos() as u64 * NANOSECOND);
    // The world stops when the host has closed what was open.
    let done = Stop::new().map_err(Error::failed)?;
    let mut on_port = OnPort {
        host,
        port: port.port,
        horizon: captured.then_some(AFTER_CAPTURE),
        end,
        device: device(&port.spec),
        stop: stop.clone(),
        done: done.clone(),
        looked: 0,
        now: 0,
        wakes: Some(0),
        busy: false,
        frame: Vec::new(),
    };
    if captured {
        ready()?;
        world::pcap::run(&[port], &mut on_port, stop).map_err(Error::failed)?;
    } else {
        let world =
            live::World::open(&[port], &live::Options::default(), &done).map_err(Error::failed)?;
        ready()?;
        world.run_lent(&mut on_port).map_err(Error::failed)?;
    }
    match on_port.host.engine().failure() {
        Some(failure) => Err(Error::failed(failure)),
        None => Ok(on_port.host.report()),
    }
}

/// Where the kernel tells whether a device is up.
fn device(spec: &PortSpec) -> Option<PathBuf> {
    let name = match spec {
        PortSpec::Tap(name) | PortSpec::Interface(name, _) => name,
        _ => return None,
    };
    Some(PathBuf::from(format!("/sys/class/net/{name}/flags")))
}

/// A host as the dataplane of one port.
struct OnPort<E> {
    host: Host<E>,
    port: PortId,
    /// With captures, nothing happens behind this time.
    horizon: Option<Picoseconds>,
    end: Option<Picoseconds>,
    /// Set until the device was found up.
    device: Option<PathBuf>,
    stop: Stop,
    done: Stop,
    looked: Picoseconds,
    now: Picoseconds,
    /// When the host wants to be looked at; kept for [`Dataplane::status`].
    wakes: Option<Picoseconds>,
    /// It has more to send than one burst.
    busy: bool,
    frame: Vec<u8>,
}

impl<E: Endpoint> OnPort<E> {
    /// Whether the device is up. What cannot be read counts as up: another way will tell.
    fn is_up(&mut self) -> bool {
        /// IFF_UP of linux/if.h.
        const UP: u64 = 1;
        let Some(path) = &self.device else { return true };
        let flags = fs::read_to_string(path)
            .ok()
            .and_then(|text| u64::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok());
        let up = flags.is_none_or(|flags| flags & UP != 0);
        if up {
            self.device = None;
        }
        up
    }

    fn look(&mut self) {
        if self.horizon.is_some() {
            return;
        }
        self.looked = self.now;
        let over = self.end.is_some_and(|end| self.now >= end);
        if over || self.stop.is_raised() {
            self.host.drain(nanoseconds(self.now));
        }
        if self.host.is_drained() || self.host.engine().failure().is_some() {
            self.done.raise();
        }
    }

    /// Sends what is to leave now.
    fn send(&mut self, out: &mut Vec<Transmit>) {
        let now = self.now;
        for _ in 0..BURST {
            if !self.host.transmit(&mut self.frame, nanoseconds(now)) {
                self.busy = false;
                return;
            }
            out.push(Transmit { port: self.port, at: now, frame: self.frame.clone() });
        }
        self.busy = true;
    }

    /// Lets what is due happen, each at its time, up to `now`.
    fn pass(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        while let Some(due) = self.host.wakes().map(picoseconds).filter(|due| *due < now) {
            if self.horizon.is_some_and(|horizon| due > horizon) {
                break;
            }
            self.now = self.now.max(due);
            self.host.advance(nanoseconds(self.now));
            self.send(out);
            // Live, time has passed already.
            if self.horizon.is_none() {
                break;
            }
        }
        self.now = self.now.max(now);
    }
}

fn nanoseconds(time: Picoseconds) -> Nanoseconds {
    time / NANOSECOND
}

/// The first picosecond at which a nanosecond has begun.
fn picoseconds(time: Nanoseconds) -> Picoseconds {
    time.saturating_mul(NANOSECOND)
}

impl<E: Endpoint> Dataplane for OnPort<E> {
    fn receive(&mut self, _: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.pass(now, out);
        if let Some(horizon) = &mut self.horizon {
            *horizon = now + AFTER_CAPTURE;
        }
        // A frame proves that the device is up.
        self.device = None;
        self.host.receive(frame, nanoseconds(self.now));
        self.send(out);
        self.wakes = self.host.wakes().map(picoseconds);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.pass(now, out);
        self.look();
        if self.is_up() {
            self.host.advance(nanoseconds(self.now));
            self.send(out);
        }
        self.wakes = self.host.wakes().map(picoseconds);
    }

    fn status(&self) -> Status {
        let next_event = match self.horizon {
            Some(horizon) => self.wakes.filter(|due| *due <= horizon),
            None if self.busy => Some(self.now),
            None => {
                let look = self.looked + LOOK;
                Some(self.wakes.filter(|_| self.device.is_none()).map_or(look, |due| due.min(look)))
            }
        };
        Status { next_event, refused: 0 }
    }
}
