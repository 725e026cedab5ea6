//! The way out: from a dataplane to the ports of one worker.

use super::counters::{Lateness, PortCounters};
use super::outbox::Outbox;
use crate::live::Transmitter;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;
use ww_dataplane::{Picoseconds, PortId, Sink, Transmit};

/// Port numbers that are looked up without hashing: those of v1model.
const NEAR: usize = 512;
/// No such port.
const NOWHERE: u16 = u16::MAX;

/// Positions of ports by number.
struct Targets {
    near: [u16; NEAR],
    far: HashMap<PortId, u16>,
}

impl Targets {
    fn find(&self, port: PortId) -> Option<usize> {
        let position = match self.near.get(port as usize) {
            Some(position) => *position,
            None => self.far.get(&port).copied().unwrap_or(NOWHERE),
        };
        (position != NOWHERE).then_some(usize::from(position))
    }
}

/// The way out through one port.
pub(super) struct Exit {
    pub port: PortId,
    pub counters: Arc<PortCounters>,
    pub transmitter: Option<Box<dyn Transmitter>>,
}

/// One worker's ports as a [`Sink`]: what is due goes to its port at once, the rest waits.
pub(super) struct Exits {
    targets: Targets,
    /// By position; `None` while the port is gone.
    pub transmitters: Vec<Option<Box<dyn Transmitter>>>,
    counters: Vec<Arc<PortCounters>>,
    unattached: Arc<PortCounters>,
    lateness: Arc<Lateness>,
    /// Frames that are not due yet, and what [`advance`] appends to.
    ///
    /// [`advance`]: ww_dataplane::Dataplane::advance
    pub outbox: Outbox,
    now: Picoseconds,
    /// Positions with frames that were not flushed, each once.
    dirty: Vec<usize>,
    is_dirty: Vec<bool>,
}

impl Exits {
    /// Exits to the given ports, by position.
    pub fn new(ports: Vec<Exit>, unattached: Arc<PortCounters>, lateness: Arc<Lateness>) -> Self {
        let mut targets = Targets { near: [NOWHERE; NEAR], far: HashMap::new() };
        let (mut transmitters, mut counters) = (Vec::new(), Vec::new());
        for (position, exit) in ports.into_iter().enumerate() {
            match targets.near.get_mut(exit.port as usize) {
                Some(near) => *near = position as u16,
                None => drop(targets.far.insert(exit.port, position as u16)),
            }
            transmitters.push(exit.transmitter);
            counters.push(exit.counters);
        }
        let is_dirty = vec![false; counters.len()];
        let (outbox, dirty) = (Outbox::default(), Vec::new());
        Self {
            targets,
            transmitters,
            counters,
            unattached,
            lateness,
            outbox,
            now: 0,
            dirty,
            is_dirty,
        }
    }

    /// Sends what is due by `now`, which is what the sink goes by from then on.
    pub fn release(&mut self, now: Picoseconds) {
        self.now = now;
        if self.outbox.is_empty() {
            return;
        }
        let mut outbox = std::mem::take(&mut self.outbox);
        let result = outbox.release(now, |Transmit { port, at, frame }| {
            self.lateness.count(now.saturating_sub(at));
            self.send(port, at, &frame);
            Ok::<(), Infallible>(())
        });
        let Ok(()) = result;
        self.outbox = outbox;
    }

    fn send(&mut self, port: PortId, at: Picoseconds, frame: &[u8]) {
        let Some(position) = self.targets.find(port) else {
            self.unattached.sent(1, frame.len() as u64);
            return;
        };
        match &mut self.transmitters[position] {
            Some(transmitter) => {
                transmitter.send(at, frame);
                if !self.is_dirty[position] {
                    self.is_dirty[position] = true;
                    self.dirty.push(position);
                }
            }
            None => self.counters[position].tx_drops.add(1),
        }
    }

    /// Sends what the ports hold back to send it together.
    pub fn flush(&mut self) {
        for position in self.dirty.drain(..) {
            self.is_dirty[position] = false;
            if let Some(transmitter) = &mut self.transmitters[position] {
                transmitter.flush();
            }
        }
    }
}

impl Sink for Exits {
    fn transmit(&mut self, port: PortId, at: Picoseconds, frame: &[u8]) {
        if at <= self.now {
            if at < self.now {
                self.lateness.count(self.now - at);
            }
            self.send(port, at, frame);
        } else {
            self.outbox.fresh.push(Transmit { port, at, frame: frame.to_vec() });
        }
    }
}
