//! What others hold of a running world: its counters, its end, and the exchange of
//! dataplanes.

use super::counters::{Counters, WorkerReport};
use super::report::{PortReport, Traffic};
use crate::stop::Stop;
use std::fmt;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use ww_dataplane::control::{Answer, Error, Request};
use ww_dataplane::{Dataplane, Picoseconds};

/// A dataplane that belongs to a worker, and may go from thread to thread. What it has counted is
/// asked of it by [`Dataplane::handle`].
pub type OwnedDataplane = Box<dyn Dataplane + Send>;

/// A handle to a running world; clones are handles to the same one.
#[derive(Clone)]
pub struct Handle(pub(super) Arc<Shared>);

/// Why a dataplane was not exchanged.
pub enum ReplaceError {
    /// There is no such worker, or it has come to its end. Contains the dataplane that
    /// was to be put in.
    Ended(OwnedDataplane),
    /// The worker is still busy with an exchange that was asked for before. Contains the
    /// dataplane that was to be put in.
    Busy(OwnedDataplane),
}

impl fmt::Display for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ended(_) => "the worker has come to its end",
            Self::Busy(_) => "the worker is still exchanging its dataplane",
        })
    }
}

impl fmt::Debug for ReplaceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplaceError({self})")
    }
}

impl std::error::Error for ReplaceError {}

impl Handle {
    /// Frames by how long after their time they were let go: at most so many picoseconds, and how many. The limits are
    /// in order. Frames that had no time to wait for are not counted.
    pub fn lateness(&self) -> Vec<(Picoseconds, u64)> {
        self.0.counters.lateness()
    }

    /// Number of workers.
    pub fn workers(&self) -> usize {
        self.0.seats.len()
    }

    /// Gives a worker another dataplane, which takes over between two batches: every
    /// frame goes to one of the two. The one before it goes on to be advanced until it has
    /// nothing pending; [`retired`](Self::retired) hands it back then. Returns at once.
    pub fn replace(&self, worker: usize, new: OwnedDataplane) -> Result<(), ReplaceError> {
        let Some(seat) = self.0.seats.get(worker) else { return Err(ReplaceError::Ended(new)) };
        let mut exchange = seat.lock();
        if exchange.ended {
            return Err(ReplaceError::Ended(new));
        }
        if exchange.busy || exchange.retired.is_some() {
            return Err(ReplaceError::Busy(new));
        }
        exchange.busy = true;
        exchange.successor = Some(new);
        drop(exchange);
        seat.asked.store(true, Ordering::Release);
        seat.wake();
        Ok(())
    }

    /// Waits for the dataplane that [`replace`](Self::replace) put out of service, and
    /// takes it. `None` if it is not there within `patience`, or was lent to the
    /// world by a reference. Its counters are final, except after the end of the run: then it may
    /// have had something pending.
    pub fn retired(&self, worker: usize, patience: Duration) -> Option<OwnedDataplane> {
        let seat = self.0.seats.get(worker)?;
        let deadline = Instant::now().checked_add(patience);
        let mut exchange = seat.lock();
        loop {
            if let Some(old) = exchange.retired.take() {
                return Some(old);
            }
            let left =
                deadline.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
            if !exchange.busy || left.is_zero() {
                return None;
            }
            let woken = seat.done.wait_timeout(exchange, left.min(Duration::from_secs(3600)));
            exchange = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Asks a worker's dataplane, which answers between two batches. `None` if there is no such
    /// worker, it has come to its end, or there is no answer within `patience`.
    pub fn ask(
        &self,
        worker: usize,
        request: Request,
        patience: Duration,
    ) -> Option<Result<Answer, Error>> {
        let seat = self.0.seats.get(worker)?;
        let (reply, answer) = mpsc::sync_channel(1);
        let mut exchange = seat.lock();
        if exchange.ended {
            return None;
        }
        exchange.questions.push(Question { request, reply });
        drop(exchange);
        seat.asked.store(true, Ordering::Release);
        seat.wake();
        answer.recv_timeout(patience).ok()
    }

    /// The counters of all ports so far, by number. Each number is read by itself.
    pub fn port_counters(&self) -> Vec<PortReport> {
        self.0.counters.ports()
    }

    /// Frames sent to ports that are not attached to anything, so far.
    pub fn unattached(&self) -> Traffic {
        self.0.counters.unattached()
    }

    /// What each worker did so far.
    pub fn worker_counters(&self) -> Vec<WorkerReport> {
        let report = |worker| WorkerReport {
            core: self.0.cores.get(worker).copied().flatten(),
            rx: self.0.counters.received_by(worker),
        };
        (0..self.workers()).map(report).collect()
    }

    /// Asks the run to end, as Ctrl-C does.
    pub fn stop(&self) {
        self.0.stop.raise();
    }
}

/// What the workers and the handles share.
pub(super) struct Shared {
    pub seats: Vec<Seat>,
    /// The core that each worker is to have.
    pub cores: Vec<Option<usize>>,
    pub counters: Counters,
    pub stop: Stop,
}

/// The place of a worker's dataplane, seen from outside.
pub(super) struct Seat {
    /// Whether there is a successor or a question to look at: the one thing that a worker
    /// checks between batches.
    asked: AtomicBool,
    exchange: Mutex<Exchange>,
    done: Condvar,
    /// One byte from here to there ends a worker's wait for frames.
    sender: UnixStream,
    receiver: UnixStream,
}

#[derive(Default)]
struct Exchange {
    /// From the request until the old dataplane is handed back.
    busy: bool,
    successor: Option<OwnedDataplane>,
    retired: Option<OwnedDataplane>,
    questions: Vec<Question>,
    ended: bool,
}

/// A request for a worker's dataplane.
struct Question {
    request: Request,
    /// Has room for the answer; whoever asked may be gone.
    reply: SyncSender<Result<Answer, Error>>,
}

impl Seat {
    pub fn new() -> io::Result<Self> {
        let (sender, receiver) = UnixStream::pair()?;
        sender.set_nonblocking(true)?;
        receiver.set_nonblocking(true)?;
        Ok(Self {
            asked: AtomicBool::new(false),
            exchange: Mutex::default(),
            done: Condvar::new(),
            sender,
            receiver,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Exchange> {
        self.exchange.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake(&self) {
        // A full pipe means that the worker wakes anyway.
        let _ = (&self.sender).write(&[1]);
    }

    /// A descriptor that becomes readable when there is a successor or a question.
    pub fn descriptor(&self) -> RawFd {
        self.receiver.as_raw_fd()
    }

    /// Has the dataplane in place answer what was asked, and gives the successor, if somebody left
    /// one. Costs the worker next to nothing.
    pub fn attend(&self, dataplane: &mut dyn Dataplane) -> Option<OwnedDataplane> {
        if !self.asked.load(Ordering::Relaxed) {
            return None;
        }
        self.asked.store(false, Ordering::Relaxed);
        let mut bytes = [0; 16];
        while matches!((&self.receiver).read(&mut bytes), Ok(n) if n > 0) {}
        let mut exchange = self.lock();
        let (questions, successor) =
            (std::mem::take(&mut exchange.questions), exchange.successor.take());
        drop(exchange);
        for Question { request, reply } in questions {
            // Nobody waits for it any more: the answer is dropped.
            let _ = reply.try_send(dataplane.handle(request));
        }
        successor
    }

    /// Hands the predecessor back (`None`: it was lent) and is ready for the next one.
    pub fn retire(&self, old: Option<OwnedDataplane>) {
        let mut exchange = self.lock();
        exchange.busy = false;
        exchange.retired = old;
        self.done.notify_all();
    }

    /// No more exchanges: the worker has ended. Returns a successor that came too late.
    pub fn end(&self) -> Option<OwnedDataplane> {
        let mut exchange = self.lock();
        exchange.ended = true;
        exchange.busy = false;
        // Whoever waits for an answer sees that there will be none.
        exchange.questions.clear();
        self.done.notify_all();
        exchange.successor.take()
    }
}
