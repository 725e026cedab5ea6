//! The seam between a dataplane and the world that gives it wires and time.
//!
//! A dataplane never reads a clock or a socket: frames and the time come in as
//! arguments and frames leave as values. That is why the same engine serves
//! capture files, live interfaces and simulated networks.

use crate::control::{Answer, Error, Request};

/// The number of a port. v1model programs see the low 9 bits.
pub type PortId = u32;

/// Time in picoseconds since the start of the run (a `u64` spans 213 days).
pub type Picoseconds = u64;

/// A frame that leaves the dataplane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transmit {
    /// The port through which the frame leaves. It need not be attached to
    /// anything: the world counts frames that leave through thin air.
    pub port: PortId,
    /// When the first bit leaves, in picoseconds since the start of the run.
    /// Not before the time of the call before the one that produced it, so that
    /// frames can be put in order; later than `now` means "hold it until then".
    pub at: Picoseconds,
    /// The whole frame from the destination address on, without FCS.
    pub frame: Vec<u8>,
}

/// A received frame in memory that the dataplane may use as it likes.
#[derive(Debug)]
pub struct Frame<'a> {
    /// The port on which it arrived.
    pub port: PortId,
    /// The whole frame without FCS. What it holds after the call is undefined: engines build the
    /// frame that leaves in the same place where they can.
    pub bytes: &'a mut [u8],
}

/// Takes the frames that leave, in order.
pub trait Sink {
    /// Takes a frame whose first bit leaves `port` at `at`. The bytes are the dataplane's: copy
    /// what must outlive the call.
    fn transmit(&mut self, port: PortId, at: Picoseconds, frame: &[u8]);
}

impl Sink for Vec<Transmit> {
    fn transmit(&mut self, port: PortId, at: Picoseconds, frame: &[u8]) {
        self.push(Transmit { port, at, frame: frame.to_vec() });
    }
}

/// What a world drives: packets in, time in, packets out.
///
/// The world calls with times that never decrease. It calls [`advance`] at the
/// latest at [`next_event`], and before [`receive`] when an event is due at or
/// before the time of the new frame.
///
/// [`advance`]: Dataplane::advance
/// [`next_event`]: Dataplane::next_event
/// [`receive`]: Dataplane::receive
pub trait Dataplane {
    /// Takes in one whole frame (without FCS) that arrived on `port` at `now`.
    /// What leaves by then is appended to `out`.
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>);

    /// Takes in frames that arrived together, in order, at `now`; the same as
    /// [`receive`](Dataplane::receive) for one after the other. Engines made for speed overlap
    /// the work on them.
    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        let mut out = Vec::new();
        for frame in frames {
            self.receive(frame.port, now, frame.bytes, &mut out);
            for Transmit { port, at, frame } in out.drain(..) {
                sink.transmit(port, at, &frame);
            }
        }
    }

    /// Lets time pass up to `now` (queues drain, timers fire). What leaves by
    /// then is appended to `out`.
    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>);

    /// What is pending inside, and how many packets its queues have refused so far. Worlds ask
    /// after every packet.
    fn status(&self) -> Status;

    /// When [`advance`](Dataplane::advance) must be called next; `None` when nothing is pending.
    fn next_event(&self) -> Option<Picoseconds> {
        self.status().next_event
    }

    /// Answers a request, for those who have only the packets' side: workers give their
    /// [statistics](Request::Statistics). What is a [`Control`](crate::control::Control) too
    /// answers as that does. A wrapper passes on what it does not handle.
    ///
    /// # Errors
    /// [`Error::Refused`] if nobody here handles such requests; any other error means that the
    /// request was understood and is wrong.
    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        Err(request.refused_by(std::any::type_name::<Self>()))
    }
}

/// What a [`Dataplane`] has inside.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// When [`Dataplane::advance`] must be called next; `None` when nothing is pending.
    pub next_event: Option<Picoseconds>,
    /// Packets that its queues had no room for, so far.
    pub refused: u64,
}

macro_rules! pass_on {
    ($($type:ty),*) => {$(
        impl<D: Dataplane + ?Sized> Dataplane for $type {
            fn receive(
                &mut self,
                port: PortId,
                now: Picoseconds,
                frame: &[u8],
                out: &mut Vec<Transmit>,
            ) {
                (**self).receive(port, now, frame, out);
            }

            fn receive_batch(
                &mut self,
                now: Picoseconds,
                frames: &mut [Frame<'_>],
                sink: &mut dyn Sink,
            ) {
                (**self).receive_batch(now, frames, sink);
            }

            fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
                (**self).advance(now, out);
            }

            fn status(&self) -> Status {
                (**self).status()
            }

            fn handle(&mut self, request: Request) -> Result<Answer, Error> {
                (**self).handle(request)
            }
        }
    )*};
}

pass_on!(&mut D, Box<D>);
