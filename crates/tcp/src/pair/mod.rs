//! Two hosts and the line between them, in simulated time (spec S53): what `ww tcp pair` runs.

mod application;
mod engine;
mod impairment;
mod line;
mod measure;
mod smoltcp;
mod stack;

use crate::engine::Engine;
use crate::engine::endpoint::Endpoint;
use crate::settings::{Behaviour, Nanoseconds, Settings};
pub use application::{content, place};
pub use engine::{FIRST_PORT, IP, MAC, PORT, settings};
pub use impairment::Impairments;
use line::Line;
pub use measure::Measure;
use serde_json::{Value, json};
use stack::Stack;

/// Picoseconds since the run's start.
pub type Picoseconds = u64;

/// A clock of 322.265625 MHz has 33 ticks in 102,400 ps.
const CLOCK_PS: (u64, u64) = (102_400, 33);

/// Clocks before the measured ones, beside ten times the round trip.
const WARM_UP: u64 = 50_000;

/// A run ends at the latest so long after its beginning.
const LONGEST: Picoseconds = 100_000 * 1_000_000_000_000;

/// A run ends when nothing was delivered for so long: longer than the longest timeout.
const PATIENCE: Picoseconds = 1_000 * 1_000_000_000_000;

/// What is at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// The model.
    Model,
    /// Hardware.
    Rtl,
    /// smoltcp, untouched.
    Smoltcp,
}

impl Peer {
    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Rtl => "rtl",
            Self::Smoltcp => "smoltcp",
        }
    }
}

/// How the two hosts are connected (spec S53).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// By 100G Ethernet: a frame takes its bytes and 24 more.
    Wire,
    /// Stream to stream: a beat of 64 bytes a clock.
    Stream,
}

/// Where buffers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// DDR4, which takes 125 Gb/s of whole lines of 64 bytes and 117.5 Gb/s of others (spec S49).
    Ddr4,
    /// Memory in the chip, which is no bound.
    Uram,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is at the other end.
    pub peer: Peer,
    /// How they are connected.
    pub scheme: Scheme,
    /// Where buffers are, at both ends.
    pub memory: Memory,
    /// Payload of each segment, of each write, and the MSS: 1 to 8,960.
    pub segment: u16,
    /// Connections at the same time.
    pub sessions: usize,
    /// Bytes of each connection; `None`: without end, measured for `cycles`.
    pub bytes: Option<u64>,
    /// Clocks that are measured.
    pub cycles: u64,
    /// Added round trip.
    pub rtt: Nanoseconds,
    /// What happens to frames.
    pub impairments: Impairments,
    /// All randomness follows from it.
    pub seed: u64,
    /// The peer sends.
    pub receive: bool,
    /// TCP of both ends (of the model's ones); `mss` is that of `segment`.
    pub tcp: Behaviour,
}

/// What came of a run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The figures, for `--json`.
    pub figures: Value,
    /// Whether no byte was wrong and, with `bytes`, each stream came as a whole.
    pub whole: bool,
}

/// The clocks that have begun by a time.
pub fn clocks(time: Picoseconds) -> u64 {
    (u128::from(time) * u128::from(CLOCK_PS.1) / u128::from(CLOCK_PS.0)) as u64
}

/// The first picosecond of a clock.
pub fn picoseconds(clocks: u64) -> Picoseconds {
    (u128::from(clocks) * u128::from(CLOCK_PS.0)).div_ceil(u128::from(CLOCK_PS.1)) as u64
}

/// Makes an engine in hardware with these [`settings`], known to nobody and without a listener.
pub type Hardware<'a> = dyn FnMut(Settings) -> Result<Box<dyn Endpoint>, String> + 'a;

/// Runs a pair with the model at its first end.
///
/// # Errors
/// The plan asks for hardware at the other end.
pub fn run(plan: &Plan) -> Result<Outcome, String> {
    run_with(plan, Peer::Model, &mut |_| Err("hardware is the peer of hardware alone".to_owned()))
}

/// Runs a pair with `engine`, the model or hardware, at its first end. Hardware takes and gives whole frames, and takes no time itself.
///
/// # Errors
/// The hardware cannot be had, or an assertion stops it.
pub fn run_with(plan: &Plan, engine: Peer, hardware: &mut Hardware<'_>) -> Result<Outcome, String> {
    let tcp = Behaviour { mss: plan.segment, ..plan.tcp };
    let plan = &Plan { tcp, ..plan.clone() };
    let mut run = Run::new(plan, [engine, plan.peer], hardware)?;
    run.go(plan)?;
    Ok(run.outcome(plan))
}

struct Run {
    now: Picoseconds,
    ends: [Box<dyn Stack>; 2],
    parties: [application::Party; 2],
    /// Towards the second end, and back.
    lines: [Line; 2],
    measure: Measure,
    delivered_at: Picoseconds,
}

impl Run {
    fn new(plan: &Plan, ends: [Peer; 2], hardware: &mut Hardware<'_>) -> Result<Self, String> {
        let mut stack = |end: usize| -> Result<Box<dyn Stack>, String> {
            let engine: Box<dyn Endpoint> = match ends[end] {
                Peer::Model => Box::new(Engine::new(settings(plan, end))),
                Peer::Rtl => hardware(settings(plan, end))?,
                Peer::Smoltcp => return Ok(Box::new(smoltcp::SmoltcpStack::new(plan))),
            };
            Ok(Box::new(engine::EngineStack::new(engine, plan, end)))
        };
        let ends = [stack(0)?, stack(1)?];
        let sender = usize::from(plan.receive);
        Ok(Self {
            now: 0,
            ends,
            parties: [0, 1].map(|end| application::Party::new(plan, end == sender)),
            lines: [0, 1].map(|end| Line::new(plan, end)),
            measure: Measure::new(sender),
            delivered_at: 0,
        })
    }

    /// # Errors
    /// Hardware was stopped.
    fn go(&mut self, plan: &Plan) -> Result<(), String> {
        let warm = WARM_UP + clocks(plan.rtt.saturating_mul(10_000));
        let end = match plan.bytes {
            Some(_) => LONGEST,
            None => {
                self.measure.window = Some((picoseconds(warm), picoseconds(warm + plan.cycles)));
                picoseconds(warm + plan.cycles)
            }
        };
        self.ends[1].listen();
        for session in 0..plan.sessions {
            self.ends[0].connect(session, 0);
        }
        let mut frame = Vec::new();
        loop {
            for end in 0..2 {
                self.work(end);
                while self.lines[end].is_free(self.now)
                    && self.ends[end].transmit(&mut frame, nanoseconds(self.now))
                {
                    self.measure.departs(end, &frame, self.now);
                    self.lines[end].send(&frame, self.now);
                    // There may be room for more.
                    self.work(end);
                }
            }
            if let Some(failure) = self.ends.iter().find_map(|end| end.failure()) {
                return Err(failure);
            }
            if plan.bytes.is_some() && self.is_over() {
                break;
            }
            let Some(next) = self.next() else { break };
            if next > end || next > self.delivered_at.saturating_add(PATIENCE) {
                self.now = next.min(end);
                break;
            }
            self.now = next;
            for end in 0..2 {
                while let Some((arrived, began)) = self.lines[1 - end].arrived(self.now) {
                    self.measure.arrives(end, &arrived, began);
                    self.ends[end].receive(&arrived, nanoseconds(self.now));
                    self.lines[1 - end].recycle(arrived);
                }
                self.ends[end].advance(nanoseconds(self.now));
            }
        }
        Ok(())
    }

    fn work(&mut self, end: usize) {
        let before = self.parties[end].delivered;
        self.parties[end].work(&mut *self.ends[end], nanoseconds(self.now));
        if self.parties[end].delivered > before {
            self.delivered_at = self.now;
            self.measure.delivered_by = self.now;
        }
    }

    fn is_over(&self) -> bool {
        self.parties.iter().all(application::Party::is_done)
    }

    /// When something happens next.
    fn next(&mut self) -> Option<Picoseconds> {
        let now = self.now;
        let lines = self.lines.iter().filter_map(|line| line.next(now)).min();
        // A time in nanoseconds is over with the first picosecond of the next one.
        let ends = self
            .ends
            .iter_mut()
            .filter_map(|end| end.wakes(nanoseconds(now)))
            .map(|at| at.saturating_mul(1_000).max(now + 1))
            .min();
        [lines, ends].into_iter().flatten().min()
    }

    fn outcome(&mut self, plan: &Plan) -> Outcome {
        let sum = |of: fn(&application::Party) -> u64| self.parties.iter().map(of).sum();
        let tally = Tally {
            delivered: sum(|party| party.delivered),
            wrong: sum(|party| party.wrong),
            resent: self.ends.iter().map(|end| end.resent()).sum(),
            timeouts: self.ends.iter().map(|end| end.timeouts()).sum(),
        };
        outcome(plan, plan.peer, &self.measure, &tally, self.now)
    }
}

/// What both ends have counted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Bytes that receiving applications were given.
    pub delivered: u64,
    /// Bytes that are not what was sent there, or too many.
    pub wrong: u64,
    /// Segments that were sent again.
    pub resent: u64,
    /// Timeouts.
    pub timeouts: u64,
}

/// The figures of a run that has ended at `now`.
pub fn outcome(
    plan: &Plan,
    peer: Peer,
    measure: &Measure,
    tally: &Tally,
    now: Picoseconds,
) -> Outcome {
    let expected = plan.bytes.map(|bytes| bytes * plan.sessions as u64);
    let whole = tally.wrong == 0 && expected.is_none_or(|expected| tally.delivered == expected);
    let mut figures = json!({
        "peer": peer.name(),
        "segment": plan.segment,
        "sessions": plan.sessions,
        "frame_gbps": measure.frame_gbps(),
        "setup_cycles": measure.setup_cycles(),
        "segment_cycles": measure.segment_cycles(),
        "delivered_bytes": tally.delivered,
        "wrong_bytes": tally.wrong,
        "retransmitted": tally.resent,
        "timeouts": tally.timeouts,
        "goodput_gbps": measure.goodput_gbps(tally.delivered),
        "clocks": clocks(now),
        "seconds": now as f64 / 1e12,
    });
    if plan.bytes.is_some() {
        figures["whole"] = whole.into();
    }
    Outcome { figures, whole }
}

fn nanoseconds(time: Picoseconds) -> Nanoseconds {
    time / 1_000
}
