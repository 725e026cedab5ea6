//! What all engines are to those who run them.

use crate::dataplane::{Dataplane, Frame, Picoseconds, PortId, Sink, Transmit};
use crate::interp::{Counters, Interp};
use crate::runtime::Control;
use crate::traffic::TrafficManager;

/// An engine with a program in it.
pub trait Engine: Control + Dataplane + Send {
    /// What became of the packets so far.
    fn counters(&self) -> Counters;

    /// Replaces the output queues, which must be empty: call this before the first packet.
    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>);
}

impl Engine for Interp {
    fn counters(&self) -> Counters {
        Interp::counters(self)
    }

    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        Interp::set_traffic_manager(self, traffic);
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

crate::forward_control!(AnyEngine, 0);

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

    fn next_event(&self) -> Option<Picoseconds> {
        self.0.next_event()
    }
}

impl Engine for AnyEngine {
    fn counters(&self) -> Counters {
        self.0.counters()
    }

    fn set_traffic_manager(&mut self, traffic: Box<dyn TrafficManager>) {
        self.0.set_traffic_manager(traffic);
    }
}
