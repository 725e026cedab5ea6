//! What all engines are to those who run them.

use crate::arch::Unsupported;
use crate::interp::Interp;
use std::sync::Arc;
use ww_dataplane::control::{Answer, Control, Error, Request, Schema};
use ww_dataplane::traffic::TrafficManager;
use ww_dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Status, Transmit};
use ww_tpp::switch::{Config, Tcpu};

/// An engine with a program in it.
pub trait Engine: Control + Dataplane + Send {
    /// Replaces the output queues, which must be empty: call this before the first packet.
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>);

    /// Gives the switch a TCPU, or another one: call this before the first packet. The program must have been loaded
    /// for it ([`crate::interp::Options::tcpu`]).
    ///
    /// # Errors
    /// The engine has no place for one.
    fn set_tcpu(&mut self, _config: Config) -> Result<(), Unsupported> {
        Err(Unsupported::new("this engine has no TCPU"))
    }

    /// The TCPU, if there is one.
    fn tcpu(&mut self) -> Option<&mut Tcpu> {
        None
    }
}

impl Engine for Interp {
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        Interp::set_traffic_manager(self, traffic);
    }

    fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
        Interp::set_tcpu(self, config)
    }

    fn tcpu(&mut self) -> Option<&mut Tcpu> {
        Interp::tcpu(self)
    }
}

/// An engine of any kind.
pub struct AnyEngine(Box<dyn Engine>);

impl AnyEngine {
    /// Takes an engine in.
    pub fn new(engine: impl Engine + 'static) -> Self {
        Self(Box::new(engine))
    }
}

impl Control for AnyEngine {
    fn schema(&self) -> Arc<Schema> {
        self.0.schema()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        Control::handle(&mut *self.0, request)
    }
}

impl Dataplane for AnyEngine {
    fn receive(&mut self, port: PortId, now: Picoseconds, frame: &[u8], out: &mut Vec<Transmit>) {
        self.0.receive(port, now, frame, out);
    }

    fn receive_batch(&mut self, now: Picoseconds, frames: &mut [Frame<'_>], sink: &mut dyn Sink) {
        self.0.receive_batch(now, frames, sink);
    }

    fn advance(&mut self, now: Picoseconds, out: &mut Vec<Transmit>) {
        self.0.advance(now, out);
    }

    fn status(&self) -> Status {
        self.0.status()
    }

    fn handle(&mut self, request: Request) -> Result<Answer, Error> {
        Control::handle(self, request)
    }
}

impl Engine for AnyEngine {
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.0.set_traffic_manager(traffic);
    }

    fn set_tcpu(&mut self, config: Config) -> Result<(), Unsupported> {
        self.0.set_tcpu(config)
    }

    fn tcpu(&mut self) -> Option<&mut Tcpu> {
        self.0.tcpu()
    }
}
