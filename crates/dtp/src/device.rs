//! A device: one counter, and a port for each link.
//!
//! The published logic has a counter for each port and one of the device, which is the largest of all; a port's counter follows the
//! device's, in hardware after the fixed latency of a tree of comparators, which is compensated. Here they are one. A NIC is a
//! device with one port.

use crate::counter::Counter;
use crate::message::Message;
use crate::port::{Config, Effect, Port};

/// One oscillator's counter and its ports.
#[derive(Debug, Clone)]
pub struct Device {
    /// The counter at tick 0 of the oscillator: it moves when a larger one is heard of, and else stands.
    origin: Counter,
    ports: Vec<Port>,
    range: i128,
}

impl Device {
    /// With some ports, none of which has a link; the counter is 0 at tick 0.
    pub fn new(ports: usize, config: Config) -> Self {
        let range = config.range;
        Self { origin: Counter::default(), ports: vec![Port::new(config); ports], range }
    }

    /// The counter at a tick.
    pub fn counter(&self, tick: u64) -> Counter {
        self.origin.plus(i128::from(tick))
    }

    /// Sets the counter: before links are up, or a device that misbehaves.
    pub fn set_counter(&mut self, tick: u64, value: Counter) {
        self.origin = value.plus(-i128::from(tick));
    }

    /// A port.
    pub fn port(&self, port: usize) -> &Port {
        &self.ports[port]
    }

    /// A link comes up.
    pub fn link_up(&mut self, port: usize) {
        self.ports[port].link_up();
    }

    /// A link goes down. If it was the last one, the counter restarts when a link comes up.
    pub fn link_down(&mut self, port: usize, tick: u64) {
        self.ports[port].link_down();
        if !self.ports.iter().any(Port::is_up) {
            self.set_counter(tick, Counter::default());
        }
    }

    /// The tick from which on a port has something to send.
    pub fn wants(&self, port: usize, tick: u64) -> Option<u64> {
        self.ports[port].wants(tick)
    }

    /// An idle block leaves: what it carries.
    pub fn slot(&mut self, port: usize, tick: u64) -> Option<Message> {
        let counter = self.counter(tick);
        self.ports[port].slot(tick, counter)
    }

    /// A message came.
    pub fn receive(&mut self, port: usize, message: Message, tick: u64) {
        let effect = self.hear(port, message, tick);
        self.adopt(port, effect, tick);
    }

    /// The first half of it: what the port takes from a message, and what it requests. Hardware receives on all ports at once, and
    /// compares counters that are far away some ticks later, when they are larger by as many.
    pub fn hear(&mut self, port: usize, message: Message, tick: u64) -> Effect {
        let counter = self.counter(tick);
        self.ports[port].receive(message, tick, counter)
    }

    /// The second half: the counter follows.
    pub fn adopt(&mut self, port: usize, effect: Effect, tick: u64) {
        let counter = self.counter(tick);
        match effect {
            Effect::None => {}
            Effect::Near(now) => {
                if now.ahead_of(counter) > 0 {
                    self.set_counter(tick, now);
                }
            }
            Effect::Far(now) => {
                let ahead = now.ahead_of(counter);
                if ahead > 0 {
                    self.set_counter(tick, now);
                    // The others hear of it; those that are near need no more than beacons.
                    if ahead > self.range {
                        let others = self.ports.iter_mut().enumerate();
                        others.filter(|(n, _)| *n != port).for_each(|(_, port)| port.join());
                    }
                } else if ahead < -self.range {
                    // The peer is behind, and may not know.
                    self.ports[port].join();
                }
            }
        }
    }
}
