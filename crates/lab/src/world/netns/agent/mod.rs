//! A host's traffic on sockets of the kernel: `ww lab host`.
//!
//! Receivers listen at port 5,001 and the number of the piece of traffic. A UDP packet begins with what world sim
//! writes there, its number and the time at which it was sent, and then its flow's number. A TCP flow begins with two
//! numbers of 64 bits that count as part of it: which flow it is, and its bytes.

mod datagrams;
mod flows;
mod sockets;

pub use datagrams::packets;
pub use flows::HEAD;

use super::clock::monotonic;
use super::spec::{Answer, Asked, HostReport, HostSpec, Order, Received, Sent, Tally, read, write};
use std::collections::BTreeMap;
use std::io::{BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Problems that are reported.
const PROBLEMS: usize = 5;
/// Bytes of stack of a thread for a flow.
const STACK: usize = 256 << 10;

/// What all threads of a host write to.
#[derive(Debug)]
struct Host {
    spec: HostSpec,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The start, ns of CLOCK_MONOTONIC.
    start: u64,
    tallies: BTreeMap<u32, Tally>,
    received: BTreeMap<u64, Received>,
    sent: BTreeMap<u64, Sent>,
    asked: Vec<Asked>,
    problems: Vec<String>,
    /// Connections of flows that are being sent.
    open: BTreeMap<u64, TcpStream>,
    /// Clients that wait for answers, by their connections' numbers.
    waiting: BTreeMap<u64, std::sync::mpsc::Sender<u64>>,
}

impl Host {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The time of the run, ps.
    fn now(&self) -> u64 {
        let start = self.state().start;
        monotonic().saturating_sub(start).saturating_mul(1000)
    }

    /// A time of the run as one of CLOCK_MONOTONIC, ns.
    fn clock(&self, time: u64) -> u64 {
        self.state().start.saturating_add(time / 1000)
    }

    /// Bytes for an application have come at this time of the run.
    fn goodput(&self, traffic: u32, at: u64, bytes: u64) {
        if at < self.spec.warmup {
            return;
        }
        let mut state = self.state();
        let tally = state.tallies.entry(traffic).or_default();
        tally.all_goodput += bytes;
        if at < self.spec.duration {
            tally.goodput += bytes;
        }
    }

    fn problem(&self, text: String) {
        let mut state = self.state();
        if state.problems.len() < PROBLEMS {
            state.problems.push(text);
        }
    }
}

/// Starts a thread that may last as long as the process.
fn thread(work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let started = std::thread::Builder::new().stack_size(STACK).spawn(work);
    started.map(drop).map_err(|error| format!("cannot start a thread: {error}"))
}

/// Does what the first line of the input says until it is told to end.
///
/// # Errors
/// A sentence, which has been sent as an answer, too.
pub fn run<R: Read>(input: R, out: &mut impl Write) -> Result<(), String> {
    serve(input, out).inspect_err(|error| {
        // Who does not hear this sees the exit status.
        let _ = write(out, &Answer::Failed(error.clone()));
    })
}

fn serve<R: Read>(input: R, out: &mut impl Write) -> Result<(), String> {
    let mut orders = BufReader::new(input);
    let spec: HostSpec = read(&mut orders)?.ok_or("nothing to do")?;
    let host = Arc::new(Host { spec, state: Mutex::default() });
    let packets = datagrams::Packets::create(host.spec.packets_file.as_deref())?;
    // Listens before anybody sends; what comes is counted from the start.
    for listen in host.spec.listen.clone() {
        match listen.tcp {
            Some(_) => flows::listen(&host, listen)?,
            None => datagrams::listen(&host, listen, &packets)?,
        }
    }
    let streams = (0..host.spec.streams.len()).map(|place| datagrams::Stream::open(&host, place));
    let streams: Vec<_> = streams.collect::<Result<_, _>>()?;
    write(out, &Answer::Ready)?;
    match read(&mut orders)? {
        Some(Order::Start(at)) => host.state().start = at,
        Some(Order::End) | None => return Ok(()),
    }
    for stream in streams {
        stream.start()?;
    }
    flows::start(&host)?;
    // Without whom it is ordered by, a process ends.
    while let Some(Order::Start(_)) = read(&mut orders)? {}
    packets.finish()?;
    flows::finish(&host);
    let mut state = host.state();
    let state = std::mem::take(&mut *state);
    let report = HostReport {
        tallies: state.tallies.into_iter().collect(),
        received: state.received.into_values().collect(),
        sent: state.sent.into_values().collect(),
        asked: state.asked,
        problems: state.problems,
    };
    write(out, &Answer::Host(Box::new(report)))
}
