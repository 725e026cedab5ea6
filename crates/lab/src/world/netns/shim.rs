//! The process between a host's stack and its wire, with the application of TPPs that the lab gives the host:
//! `ww lab shim`. The stack has a TAP device with the host's addresses, the wire is the end of the host's link.

use super::clock::monotonic;
use super::element::hear;
use super::spec::{Answer, ShimReport, ShimSpec, read, write};
use std::io::{BufRead, BufReader, Read, Write};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};
use ww_host::agent::{Agent, Received};
use ww_io::spec::{Access, PortAssignment, PortSpec};
use ww_io::stop::Stop;
use ww_io::world::live::{Options, World};
use ww_sim::forwarder::Start;
use ww_tpp_apps::pace::BURST;

/// The interface at a host's link where a shim is between it and the stack.
pub const WIRE_INTERFACE: &str = "wire";
/// The interface of a host's stack.
pub const STACK_INTERFACE: &str = "eth0";

/// From one time that an agent is asked, because it wants to be, to the next one.
const SHORTEST_PAUSE: Picoseconds = 1_000_000;

const STACK: PortId = 0;
const WIRE: PortId = 1;

/// An agent as something with two ports. It begins when the run does.
struct Plane {
    agent: Box<dyn Agent>,
    start: Start,
    /// When the agent wants to be asked, after the start.
    next: Option<Picoseconds>,
    /// How long it was held up for more than it can make up for, ps.
    lost: Picoseconds,
    frame: Vec<u8>,
    out: Vec<Vec<u8>>,
}

impl Plane {
    fn new(agent: Box<dyn Agent>, start: Start) -> Self {
        Self { agent, start, next: Some(0), lost: 0, frame: Vec::new(), out: Vec::new() }
    }

    /// The time since the start of the run, if it has begun.
    fn time(&self, now: Picoseconds) -> Option<Picoseconds> {
        now.checked_sub(self.start.get()?)
    }

    fn poll(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let Some(time) = self.time(now) else { return };
        self.lost += self.next.map_or(0, |next| time.saturating_sub(next + BURST));
        // Whoever runs before all others must not run for ever.
        let next = self.agent.poll(time, &mut self.out);
        self.next = next.map(|next| next.max(time + SHORTEST_PAUSE));
        out.extend(self.out.drain(..).map(|frame| Transmit { port: WIRE, at: now, frame }));
    }
}

impl Dataplane for Plane {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.frame.clear();
        self.frame.extend_from_slice(frame);
        let time = self.time(now).unwrap_or(0);
        let to = match port {
            STACK => self.agent.transmit(time, &mut self.frame).then_some(WIRE),
            _ => match self.agent.receive(time, &mut self.frame) {
                Received::Deliver => Some(STACK),
                Received::Taken => None,
                Received::SendBack => Some(WIRE),
            },
        };
        out.extend(to.map(|port| Transmit { port, at: now, frame: self.frame.clone() }));
        if port == WIRE {
            self.poll(now, out);
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        let due = self.next.is_some_and(|next| self.time(now).is_some_and(|time| next <= time));
        if due {
            self.poll(now, out);
        }
    }

    fn status(&self) -> Status {
        let next = self.start.get().zip(self.next).map(|(start, next)| start.saturating_add(next));
        Status { next_event: next, refused: 0 }
    }
}

/// Does what the first line of the input says until it is told to end.
///
/// # Errors
/// A sentence, which has been sent as an answer, too.
pub fn run<R: Read + Send + 'static>(input: R, out: &mut impl Write) -> Result<(), String> {
    pass(BufReader::new(input), out).inspect_err(|error| {
        // Who does not hear this sees the exit status.
        let _ = write(out, &Answer::Failed(error.clone()));
    })
}

fn pass<R: BufRead + Send + 'static>(mut orders: R, out: &mut impl Write) -> Result<(), String> {
    let ShimSpec { application } = read(&mut orders)?.ok_or("nothing to do")?;
    let agent = application.agent()?;
    let start = Start::unknown();
    let stop = Stop::new().map_err(|error| error.to_string())?;
    let wire = PortSpec::Interface(WIRE_INTERFACE.to_owned(), Access::Packet);
    let ports = [(STACK, PortSpec::Tap(STACK_INTERFACE.to_owned())), (WIRE, wire)]
        .map(|(port, spec)| PortAssignment { port, spec });
    let world =
        World::open(&ports, &Options::default(), &stop).map_err(|error| error.to_string())?;
    hear(orders, monotonic(), start.clone(), stop);
    write(out, &Answer::Ready)?;
    let mut plane = Plane::new(agent, start);
    world.run_lent(&mut plane).map_err(|error| error.to_string())?;
    let (report, lost) = (plane.agent.report(), plane.lost);
    write(out, &Answer::Shim(Box::new(ShimReport { report, lost })))
}
