//! The links of a lab as a dataplane: what comes in at one end of a link leaves at the other one when the link would
//! have brought it there.
//!
//! Link i has the ports 2i and 2i + 1, one at each end, so that a port's number is that of the direction that begins
//! there. The model is that of world sim: a queue that is first in, first out in front of a line with a rate, then a
//! delay, in which frames do not overtake each other; jitter and losses are drawn from the same streams of random
//! numbers (in another order on a link that has both). As frames are handed on with the time at which they are due, and
//! cannot be called back, what a cut would catch under way is dropped when it comes in.

use std::net::Ipv4Addr;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_packet::ecn;
use ww_sched::framework::fixed::Pace;
use ww_sim::forwarder::Start;
use ww_sim::frame;
use ww_sim::line::{Fate, Line};
use ww_sim::lookup::Lookup;
use ww_sim::measure::{Cause, Sample};
use ww_sim::network::{Change, Direction, LinkChange};
use ww_sim::random::Stream;
use ww_sim::simulation::link_stream;

/// Receivers listen at this port and the number of the piece of traffic, as in world sim.
pub const LISTENING: u16 = 5_001;

/// A link: its directions, and whether it is up at the start.
pub type LinkSettings = ([Direction; 2], bool);

/// Receives what the wires report while they run. Times are those of the run, from its start.
pub trait Notes: Send {
    /// A frame begins to leave through a direction that is captured.
    fn frame(&mut self, direction: u32, at: Picoseconds, frame: &[u8]);
    /// A direction at a time at which it is looked at.
    fn sample(&mut self, sample: &Sample);
}

/// Takes nothing.
impl Notes for () {
    fn frame(&mut self, _direction: u32, _at: Picoseconds, _frame: &[u8]) {}

    fn sample(&mut self, _sample: &Sample) {}
}

/// What the wires report, and when.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// Directions that are captured.
    pub captures: Vec<u32>,
    /// Directions of which samples are taken.
    pub sampled: Vec<u32>,
    /// So far apart; 0 for none.
    pub every: Picoseconds,
    /// Counters are noted at these times, in order.
    pub marks: Vec<Picoseconds>,
    /// Drops before are not counted for pieces of traffic.
    pub warmup: Picoseconds,
    /// How many pieces of traffic there are.
    pub traffic: usize,
    /// No sample is taken after this.
    pub end: Picoseconds,
}

/// Counters at one time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Of each direction.
    pub directions: Vec<Sample>,
    /// The most bytes that ever waited in front of each.
    pub deepest: Vec<u64>,
    /// Frames that were dropped, by [`Cause::ALL`].
    pub drops: [u64; Cause::ALL.len()],
    /// The same for each piece of traffic, after the warm-up.
    pub traffic_drops: Vec<[u64; Cause::ALL.len()]>,
    /// Frames that reach the other end.
    pub hops: u64,
}

/// One direction of a link.
#[derive(Debug)]
struct Wire {
    line: Line,
    delay: Picoseconds,
    jitter: Picoseconds,
    last: Picoseconds,
    loss: f64,
    corruption: f64,
    stream: Stream,
    up: bool,
    captured: bool,
}

/// The links of a lab. See the module.
pub struct Wires {
    wires: Vec<Wire>,
    changes: Vec<Change>,
    next_change: usize,
    wishes: Wishes,
    next_sample: Picoseconds,
    next_mark: usize,
    start: Start,
    drops: [u64; Cause::ALL.len()],
    traffic_drops: Vec<[u64; Cause::ALL.len()]>,
    hops: u64,
    marks: Vec<Counts>,
    notes: Box<dyn Notes>,
    nobody: Lookup<Ipv4Addr, u32>,
}

impl Wires {
    /// Links at rest. `changes` are in the order of their times, which count from the start.
    ///
    /// # Errors
    /// An impossible rate, or a change of an unknown link.
    pub fn new(
        links: &[LinkSettings],
        changes: Vec<Change>,
        seed: u64,
        wishes: Wishes,
        start: Start,
        notes: Box<dyn Notes>,
    ) -> Result<Self, String> {
        let mut wires = Vec::new();
        for (number, (direction, up)) in
            (0u32..).zip(links.iter().flat_map(|(both, up)| both.iter().map(move |one| (one, *up))))
        {
            let pace = Pace::of_rate(direction.rate).ok_or_else(|| {
                format!("link {}: {} b/s is not a rate", number / 2, direction.rate)
            })?;
            wires.push(Wire {
                line: Line::new(pace, direction.overhead, direction.limits),
                delay: direction.delay,
                jitter: direction.jitter,
                last: 0,
                loss: direction.loss,
                corruption: direction.corruption,
                stream: link_stream(seed, number),
                up,
                captured: wishes.captures.contains(&number),
            });
        }
        if let Some(change) = changes.iter().find(|change| change.link as usize >= links.len()) {
            return Err(format!("a change of the unknown link {}", change.link));
        }
        Ok(Self {
            wires,
            changes,
            next_change: 0,
            next_sample: 0,
            next_mark: 0,
            start,
            drops: [0; Cause::ALL.len()],
            traffic_drops: vec![[0; Cause::ALL.len()]; wishes.traffic],
            wishes,
            hops: 0,
            marks: Vec::new(),
            notes,
            nobody: Lookup::default(),
        })
    }

    /// Counters at this time of the world, and those at the times that were wished for and have come.
    pub fn counts(&mut self, now: Picoseconds) -> (Counts, Vec<Counts>) {
        (self.count(now), std::mem::take(&mut self.marks))
    }

    fn count(&mut self, now: Picoseconds) -> Counts {
        let directions = 0..self.wires.len() as u32;
        Counts {
            directions: directions.map(|direction| self.sample(direction, now)).collect(),
            deepest: self.wires.iter().map(|wire| wire.line.counts().deepest).collect(),
            drops: self.drops,
            traffic_drops: self.traffic_drops.clone(),
            hops: self.hops,
        }
    }

    fn sample(&mut self, direction: u32, now: Picoseconds) -> Sample {
        let line = &mut self.wires[direction as usize].line;
        let queued = line.depth(now);
        let counts = line.counts();
        let at = now.saturating_sub(self.start.get().unwrap_or(now));
        let sent = counts.bytes.saturating_sub(queued);
        Sample { at, direction, queued, sent, dropped: counts.dropped, marked: counts.marked }
    }

    /// The earliest thing that is due besides frames, as a time of the world.
    fn due(&self) -> Option<Picoseconds> {
        let start = self.start.get()?;
        let change = self.changes.get(self.next_change).map(|change| change.at);
        let mark = self.wishes.marks.get(self.next_mark).copied();
        let sampling = self.wishes.every > 0 && self.next_sample <= self.wishes.end;
        let sample = sampling.then_some(self.next_sample);
        [change, mark, sample].into_iter().flatten().min().map(|at| start.saturating_add(at))
    }

    /// Does what is due by now, in the order of time.
    fn pass(&mut self, now: Picoseconds) {
        while let (Some(due), Some(start)) = (self.due(), self.start.get())
            && due <= now
        {
            let at = due - start;
            if let Some(change) =
                self.changes.get(self.next_change).filter(|change| change.at == at)
            {
                self.next_change += 1;
                change_wires(&mut self.wires[2 * change.link as usize..][..2], change.what, due);
            } else if self.wishes.marks.get(self.next_mark) == Some(&at) {
                self.next_mark += 1;
                let counts = self.count(due);
                self.marks.push(counts);
            } else {
                self.next_sample += self.wishes.every;
                for place in 0..self.wishes.sampled.len() {
                    let sample = self.sample(self.wishes.sampled[place], due);
                    self.notes.sample(&sample);
                }
            }
        }
    }

    /// Whether the link is cut after `now` and not later than `until`.
    fn is_cut(&self, link: u32, now: Picoseconds, until: Picoseconds) -> bool {
        let Some(start) = self.start.get() else { return false };
        let next = &self.changes[self.next_change..];
        let near = next.iter().take_while(|change| start.saturating_add(change.at) <= until);
        now <= until
            && near.into_iter().any(|change| change.link == link && change.what == LinkChange::Down)
    }

    fn drop(&mut self, cause: Cause, now: Picoseconds, frame: &[u8]) {
        self.drops[cause as usize] += 1;
        let warm =
            self.start.get().is_some_and(|start| now >= start.saturating_add(self.wishes.warmup));
        if !warm {
            return;
        }
        // The port at which its receivers listen identifies its piece of traffic.
        let [from, to] = frame::read(frame, &self.nobody, None, 0).ports;
        for port in [to, from] {
            let number = usize::from(port.wrapping_sub(LISTENING));
            if let Some(drops) = self.traffic_drops.get_mut(number) {
                drops[cause as usize] += 1;
                return;
            }
        }
    }

    /// When a frame that comes now leaves at the other end; `None` if it does not. `frame` is marked where it should be.
    fn carry(&mut self, port: PortId, now: Picoseconds, frame: &mut [u8]) -> Option<Picoseconds> {
        let wire = self.wires.get_mut(port as usize)?;
        if !wire.up {
            self.drop(Cause::Down, now, frame);
            return None;
        }
        let length = (frame.len() as u32).max(frame::SHORTEST);
        let Fate::Leaves { begins, at, marked } = wire.line.offer(now, length) else {
            self.drop(Cause::Queue, now, frame);
            return None;
        };
        if marked {
            ecn::mark(frame);
        }
        let mut arrives = at.saturating_add(wire.delay);
        if wire.jitter > 0 {
            arrives = arrives.saturating_add(wire.stream.below(wire.jitter.saturating_add(1)));
        }
        let arrives = arrives.max(wire.last);
        wire.last = arrives;
        if wire.captured {
            let at = begins.saturating_sub(self.start.get().unwrap_or(0));
            self.notes.frame(port, at, frame);
        }
        if self.is_cut(port / 2, now, arrives) {
            self.drop(Cause::Down, now, frame);
            return None;
        }
        self.hops += 1;
        let wire = &mut self.wires[port as usize];
        let cause = if wire.loss > 0.0 && wire.stream.happens(wire.loss) {
            Cause::Loss
        } else if wire.corruption > 0.0 && wire.stream.happens(wire.corruption) {
            Cause::Corruption
        } else {
            return Some(arrives);
        };
        self.drop(cause, now, frame);
        None
    }
}

fn change_wires(wires: &mut [Wire], what: LinkChange, now: Picoseconds) {
    for wire in wires {
        match what {
            LinkChange::Down => {
                wire.up = false;
                wire.line.cut(now);
                wire.last = now;
            }
            LinkChange::Up => wire.up = true,
            LinkChange::Loss(loss) => wire.loss = loss,
            LinkChange::Delay(delay) => wire.delay = delay,
            LinkChange::Rate(rate) => {
                if let Some(pace) = Pace::of_rate(rate) {
                    wire.line.set_pace(pace);
                }
            }
        }
    }
}

impl Dataplane for Wires {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let mut frame = frame.to_vec();
        if let Some(at) = self.carry(port, now, &mut frame) {
            out.push(Transmit { port: port ^ 1, at, frame });
        }
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        for frame in frames {
            if let Some(at) = self.carry(frame.port, now, frame.bytes) {
                sink.transmit(frame.port ^ 1, at, frame.bytes);
            }
        }
    }

    fn advance(&mut self, now: Picoseconds, _out: &mut Vec<Transmit>) {
        self.pass(now);
    }

    fn status(&self) -> Status {
        Status { next_event: self.due(), refused: 0 }
    }
}
