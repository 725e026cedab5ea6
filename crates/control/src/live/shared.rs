//! An engine whose packets and requests take turns, for live control.
//!
//! The engine stands behind a fair lock: whoever waits gets it next, so that neither a stream of
//! packets keeps requests waiting nor the other way round. Packets take it once a batch.

use super::Replaceable;
use parking_lot::lock_api::ArcMutexGuard;
use parking_lot::{FairMutex, RawFairMutex};
use std::sync::Arc;
use ww_dataplane::control::{Answer, Control, Error, Request, Schema};
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};

/// The packets' side of a shared engine.
pub struct Shared<E>(Arc<FairMutex<E>>);

impl<E> Clone for Shared<E> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// The requests' side of a shared engine.
pub struct SharedControl<E> {
    engine: Arc<FairMutex<E>>,
    /// A copy, so that nobody waits for the lock who only looks names up.
    schema: Arc<Schema>,
    held: Option<ArcMutexGuard<RawFairMutex, E>>,
    retire: Option<Box<dyn FnMut(E) + Send>>,
}

/// Splits an engine into its two sides.
pub fn share<E: Control>(engine: E) -> (Shared<E>, SharedControl<E>) {
    let schema = engine.schema();
    let engine = Arc::new(FairMutex::new(engine));
    let control = SharedControl { engine: Arc::clone(&engine), schema, held: None, retire: None };
    (Shared(engine), control)
}

impl<E> Shared<E> {
    /// Does something with the engine between two batches.
    pub fn with<R>(&self, work: impl FnOnce(&mut E) -> R) -> R {
        work(&mut self.0.lock())
    }
}

impl<E> SharedControl<E> {
    /// Has every engine that was replaced given to `retire`, to read its last counters.
    pub fn on_retire(mut self, retire: impl FnMut(E) + Send + 'static) -> Self {
        self.retire = Some(Box::new(retire));
        self
    }
}

impl<E: Dataplane> Dataplane for Shared<E> {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.lock().receive(port, now, frame, out);
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        self.0.lock().receive_batch(now, frames, sink);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.0.lock().advance(now, out);
    }

    fn status(&self) -> Status {
        self.0.lock().status()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        self.0.lock().handle(request)
    }
}

impl<E: Control + Send> Replaceable for SharedControl<E> {
    fn replace(&mut self, mut new: Self) {
        new.held = None;
        let mut engine = self.held.take().unwrap_or_else(|| FairMutex::lock_arc(&self.engine));
        std::mem::swap(&mut *engine, &mut *new.engine.lock());
        drop(engine);
        self.schema = new.schema;
        // Nobody else has it, unless the caller kept its packets' side.
        let old = Arc::into_inner(new.engine).map(FairMutex::into_inner);
        if let (Some(retire), Some(old)) = (&mut self.retire, old) {
            retire(old);
        }
    }
}

impl<E: Control> Control for SharedControl<E> {
    fn schema(&self) -> Arc<Schema> {
        Arc::clone(&self.schema)
    }

    /// While changes are held, packets wait.
    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        match (request, &mut self.held) {
            (request @ Request::Hold {}, None) => {
                let mut engine = FairMutex::lock_arc(&self.engine);
                let answer = engine.handle(request)?;
                self.held = Some(engine);
                Ok(answer)
            }
            (request @ Request::Release {}, held) => match held.take() {
                Some(mut engine) => engine.handle(request),
                None => Ok(Answer::Done),
            },
            (Request::Hold {}, Some(_)) => Ok(Answer::Done),
            (request, Some(engine)) => engine.handle(request),
            (request, None) => self.engine.lock().handle(request),
        }
    }
}
