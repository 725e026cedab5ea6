//! A worker: one thread that takes frames from its part of every port, runs them to
//! completion and sends what leaves.

use super::clock::Clock;
use super::exits::Exits;
use super::handle::{OwnedDataplane, Shared};
use super::paced::{FileOutput, PacedInput};
use super::{PortCounters, RunError};
use crate::live::{self, Attachment, BATCH, Receiver};
use crate::time::UtcTime;
use libc::pollfd;
use std::sync::Arc;
use std::time::Duration;
use ww_dataplane::{Dataplane, Picoseconds, Sink};

/// How often ports are looked after, in picoseconds.
const CHECK_INTERVAL: Picoseconds = 200_000_000_000;

/// Looks at ports without a frame before the worker sleeps, all ports together. A look takes a fraction of a
/// microsecond, so a burst is met awake and an idle port costs nothing. A worker with many ports that counted rounds
/// would never sleep at a frame each 50 us, and real-time processes are stopped for that (sched_rt_runtime_us).
const SPIN: usize = 128;

/// A worker's dataplane.
pub(super) enum Engine<'d> {
    /// Lent by the caller.
    Lent(&'d mut dyn Dataplane),
    /// The worker's own.
    Owned(OwnedDataplane),
}

impl Engine<'_> {
    fn dataplane(&mut self) -> &mut dyn Dataplane {
        match self {
            Self::Lent(dataplane) => *dataplane,
            Self::Owned(dataplane) => &mut **dataplane,
        }
    }

    fn into_owned(self) -> Option<OwnedDataplane> {
        match self {
            Self::Lent(_) => None,
            Self::Owned(dataplane) => Some(dataplane),
        }
    }
}

/// A port as a worker sees it.
pub(super) struct Place {
    /// `None`: made of files.
    pub attachment: Option<Arc<Attachment>>,
    /// `None` while it is gone, and for files.
    pub receiver: Option<Box<dyn Receiver>>,
    pub counters: Arc<PortCounters>,
}

/// One of the threads that a world runs.
pub(super) struct Worker {
    pub index: usize,
    pub shared: Arc<Shared>,
    pub clock: Clock,
    pub places: Vec<Place>,
    pub exits: Exits,
    /// File ports to read from; the first worker has them all.
    pub inputs: Vec<PacedInput>,
    pub outputs: Vec<Arc<FileOutput>>,
    /// The earliest timestamp in the input files: it stands for the run's start.
    pub files_start: UtcTime,
    /// Whether the run ends when nothing comes in any more.
    pub finite: bool,
    pub notice: Arc<dyn Fn(&str) + Send + Sync>,
    pub descriptors: Vec<pollfd>,
    pub next_check: Picoseconds,
}

/// What is left of a worker at its end.
pub(super) struct Ended {
    /// The dataplane in place; `None`: it was lent.
    pub dataplane: Option<OwnedDataplane>,
    pub clock: Clock,
}

impl Worker {
    /// Works until the run is to stop or, if all ports are finite, until nothing is left
    /// to do. Never returns while the dataplane is at work on a frame.
    pub fn run(mut self, mut engine: Engine<'_>) -> Result<Ended, RunError> {
        let mut retiring: Option<Engine<'_>> = None;
        let mut idle = 0;
        let result = loop {
            if self.shared.stop.is_raised() {
                break Ok(());
            }
            if let Some(new) = self.shared.seats[self.index].attend(engine.dataplane()) {
                // The handle allows one exchange at a time, so nobody else is retiring.
                retiring = Some(std::mem::replace(&mut engine, Engine::Owned(new)));
            }
            if let Some(old) = retiring.take() {
                retiring = self.retire(old);
            }
            match self.round(engine.dataplane()) {
                Err(error) => break Err(error),
                Ok(0) => idle += 1,
                Ok(_) => {
                    idle = 0;
                    continue;
                }
            }
            let mut due = engine.dataplane().next_event();
            if let Some(old) = &mut retiring {
                due = earliest(due, old.dataplane().next_event());
            }
            if due.is_none() && self.is_finished() {
                break Ok(());
            }
            if idle * self.places.len().max(1) < SPIN {
                std::hint::spin_loop();
            } else if let Err(error) = self.sleep(due) {
                break Err(error);
            }
        };
        self.exits.flush();
        for place in &mut self.places {
            place.receiver.iter_mut().for_each(|receiver| receiver.count());
        }
        let seat = &self.shared.seats[self.index];
        if let Some(old) = retiring {
            seat.retire(old.into_owned());
        }
        if let Some(new) = seat.end() {
            // It came too late to see a frame; its predecessor goes back by the same door.
            seat.retire(std::mem::replace(&mut engine, Engine::Owned(new)).into_owned());
        }
        result.map(|()| Ended { dataplane: engine.into_owned(), clock: self.clock })
    }

    /// Serves every port once; says how many frames came in.
    fn round(&mut self, dataplane: &mut dyn Dataplane) -> Result<usize, RunError> {
        let Self { clock, places, exits, .. } = self;
        let mut taken = 0;
        clock.tick();
        clock.tick_today();
        pass_time(clock, dataplane, exits);
        for place in places {
            let Some(receiver) = &mut place.receiver else { continue };
            taken += receiver.receive(&mut |stamp, frames| {
                clock.tick();
                let now = clock.arrival(stamp);
                if dataplane.next_event().is_some_and(|event| event <= now) {
                    dataplane.advance(now, &mut exits.outbox.fresh);
                }
                exits.release(clock.end());
                dataplane.receive_batch(now, frames, exits as &mut dyn Sink);
                exits.flush();
            });
        }
        for input in &mut self.inputs {
            for _ in 0..BATCH {
                let Some(due) = input.next_due(self.files_start)? else { break };
                if due > clock.now {
                    break;
                }
                let now = clock.at(due);
                pass_time(clock, dataplane, exits);
                input.deliver(now, dataplane, exits)?;
                taken += 1;
            }
        }
        exits.flush();
        if clock.now >= self.next_check {
            self.next_check = clock.now.saturating_add(CHECK_INTERVAL);
            self.check()?;
        }
        Ok(taken)
    }

    /// Lets a dataplane that was replaced catch up. Hands it back once it has nothing
    /// pending, else returns it.
    fn retire<'d>(&mut self, mut old: Engine<'d>) -> Option<Engine<'d>> {
        self.clock.tick();
        pass_time(&mut self.clock, old.dataplane(), &mut self.exits);
        self.exits.flush();
        if old.dataplane().next_event().is_some() {
            return Some(old);
        }
        self.shared.seats[self.index].retire(old.into_owned());
        None
    }

    /// Whether nothing will come in any more and nothing waits to go out.
    fn is_finished(&mut self) -> bool {
        self.finite
            && self.exits.outbox.is_empty()
            && self
                .places
                .iter()
                .all(|place| place.receiver.as_ref().is_none_or(|receiver| receiver.is_finished()))
            && self.inputs.iter_mut().all(|input| matches!(input.peek(), Ok(None)))
    }

    /// Looks after the ports: those that vanished, those that are back, files that
    /// cannot be written.
    fn check(&mut self) -> Result<(), RunError> {
        for output in &self.outputs {
            if let Some(error) = output.error() {
                return Err(error.into());
            }
        }
        for (position, place) in self.places.iter_mut().enumerate() {
            let Some(attachment) = &place.attachment else { continue };
            // One voice is enough.
            let tell = |what: &str| {
                if self.index == 0 {
                    let (port, name) = (attachment.port(), attachment.name());
                    (self.notice)(&format!("port {port}: interface `{name}` {what}"));
                }
            };
            if let Some(receiver) = &mut place.receiver {
                receiver.count();
                if receiver.is_alive() {
                    continue;
                }
                place.receiver = None;
                self.exits.transmitters[position] = None;
                tell("vanished; the run goes on without it until it is back");
            }
            if attachment.may_be_back()
                && let Ok(opened) = attachment.open(self.index, Arc::clone(&place.counters))
            {
                place.receiver = Some(opened.receiver);
                self.exits.transmitters[position] = Some(opened.transmitter);
                place.counters.reopened.add(u64::from(self.index == 0));
                tell("is back");
            }
        }
        Ok(())
    }

    /// Waits for frames, for the next thing that is due (`due`: in the dataplanes), or
    /// until ports are to be looked after.
    fn sleep(&mut self, due: Option<Picoseconds>) -> Result<(), RunError> {
        let mut due = earliest(due, self.exits.outbox.next_due()).unwrap_or(Picoseconds::MAX);
        due = due.min(self.next_check);
        for input in &mut self.inputs {
            due = due.min(input.next_due(self.files_start)?.unwrap_or(Picoseconds::MAX));
        }
        let mut timeout = self.clock.until(due);
        let entry = |fd| pollfd { fd, events: libc::POLLIN, revents: 0 };
        self.descriptors.clear();
        self.descriptors.push(entry(self.shared.stop.descriptor()));
        self.descriptors.push(entry(self.shared.seats[self.index].descriptor()));
        for place in &self.places {
            let descriptor = place.receiver.as_ref().and_then(|receiver| {
                timeout = timeout.min(receiver.patience());
                receiver.descriptor()
            });
            // A negative descriptor is passed over, and keeps the places aligned.
            self.descriptors.push(entry(descriptor.unwrap_or(-1)));
        }
        live::wait(&mut self.descriptors, timeout.min(Duration::from_secs(3600)))?;
        for (place, entry) in self.places.iter_mut().zip(&self.descriptors[2..]) {
            if entry.revents & (libc::POLLERR | libc::POLLHUP | libc::POLLNVAL) != 0
                && let Some(receiver) = &mut place.receiver
            {
                receiver.clear_error();
            }
        }
        Ok(())
    }
}

/// The earlier of two points in time that may never come.
fn earliest(a: Option<Picoseconds>, b: Option<Picoseconds>) -> Option<Picoseconds> {
    a.into_iter().chain(b).min()
}

/// Lets the dataplane catch up with the clock, and sends what is due.
fn pass_time(clock: &mut Clock, dataplane: &mut dyn Dataplane, exits: &mut Exits) {
    if dataplane.next_event().is_some_and(|event| event <= clock.now) {
        let now = clock.at(clock.now);
        dataplane.advance(now, &mut exits.outbox.fresh);
    }
    exits.release(clock.end());
}
