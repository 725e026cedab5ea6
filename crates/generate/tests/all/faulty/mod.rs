//! An engine with a fault.

use std::sync::Arc;
use ww_control::Switch;
use ww_dataplane::control::{Answer, Control, CounterValue, Digest, Error, Request, Schema};
use ww_dataplane::{Dataplane, Picoseconds, PortId, Status, Transmit};

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The last bit of frames that leave this port.
    FlipOnPort(PortId),
    /// Digests are lost.
    NoDigests,
    /// Writes to registers are forgotten.
    ForgetRegisters,
    /// All entries have the same priority.
    ForgetPriority,
    /// Counters stand still.
    NoCounts,
}

/// An engine that is right but for one fault.
pub struct Faulty {
    inner: Box<dyn Switch>,
    fault: Fault,
}

impl Faulty {
    pub fn new(inner: Box<dyn Switch>, fault: Fault) -> Self {
        Self { inner, fault }
    }
}

impl Dataplane for Faulty {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        let first = out.len();
        self.inner.receive(port, now, frame, out);
        for sent in &mut out[first..] {
            if self.fault == Fault::FlipOnPort(sent.port)
                && let Some(last) = sent.frame.last_mut()
            {
                *last ^= 1;
            }
        }
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.inner.advance(now, out);
    }

    fn status(&self) -> Status {
        self.inner.status()
    }
}

impl Control for Faulty {
    fn schema(&self) -> Arc<Schema> {
        self.inner.schema()
    }

    fn handle(&mut self, mut request: Request) -> Result<Answer, Error> {
        match (&mut request, self.fault) {
            (Request::TableInsert { entry, .. }, Fault::ForgetPriority) => entry.priority = 0,
            (Request::RegisterWrite { .. }, Fault::ForgetRegisters) => return Ok(Answer::Done),
            _ => {}
        }
        match (Control::handle(&mut *self.inner, request)?, self.fault) {
            (Answer::Counter(_), Fault::NoCounts) => Ok(CounterValue::default().into()),
            (Answer::Digests(_), Fault::NoDigests) => Ok(Vec::<Digest>::new().into()),
            (answer, _) => Ok(answer),
        }
    }
}
