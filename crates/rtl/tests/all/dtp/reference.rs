//! The device of `ww_dtp`, used as hardware uses it: all ports hear at once, and what JOINs say is compared one at a time.

use std::collections::VecDeque;
use ww_dtp::counter::Counter;
use ww_dtp::device::Device;
use ww_dtp::message::Message;
use ww_dtp::port::{Config, Effect};

/// Ticks from a JOIN until what it says may be taken.
const JOIN_TICKS: u64 = 4;

/// What is compared.
#[derive(Clone, Copy)]
enum Step {
    Idle,
    Compare(Source, Counter),
    Adopt(Source, Counter),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Port(usize),
    User,
}

/// Counters here are those at tick 0 of the oscillator.
pub struct Reference {
    pub device: Device,
    ports: usize,
    step: Step,
    /// When, of which port: what two JOINs said, or that they did not agree.
    joins: VecDeque<(u64, usize, Option<Counter>)>,
    waiting: Vec<Option<Counter>>,
    /// How often a far counter was larger, or was smaller.
    pub ahead: u64,
    pub behind: u64,
    pub restarts: u64,
}

impl Reference {
    pub fn new(ports: usize, config: Config) -> Self {
        Self {
            device: Device::new(ports, config),
            ports,
            step: Step::Idle,
            joins: VecDeque::new(),
            waiting: vec![None; ports],
            ahead: 0,
            behind: 0,
            restarts: 0,
        }
    }

    /// Messages come, then links change to what `links` says. `set`: the user has the counter set.
    pub fn tick(
        &mut self,
        tick: u64,
        heard: &[Option<Message>],
        links: &[bool],
        set: Option<Counter>,
    ) {
        let origin = |now: Counter| now.plus(-i128::from(tick));
        let at = |origin: Counter| origin.plus(i128::from(tick));
        while let Some((_, port, said)) = self.joins.pop_front_if(|(due, ..)| *due == tick) {
            self.waiting[port] = said;
        }
        let changes: Vec<bool> =
            (0..self.ports).map(|port| self.device.port(port).is_up() != links[port]).collect();

        let mut near = Vec::new();
        for (port, message) in heard.iter().enumerate() {
            let Some(message) = message else { continue };
            let is_join = matches!(message, Message::Join(_));
            let in_step = self.device.port(port).delay().is_some();
            let effect = self.device.hear(port, *message, tick);
            match effect {
                Effect::Near(_) => near.push((port, effect)),
                Effect::Far(now) => {
                    self.joins.push_back((tick + JOIN_TICKS, port, Some(origin(now))));
                }
                Effect::None if is_join && in_step => {
                    self.joins.push_back((tick + JOIN_TICKS, port, None));
                }
                Effect::None => {}
            }
        }

        let step = self.step;
        if let Step::Adopt(Source::Port(port), far) = step {
            let ahead = at(far).ahead_of(self.device.counter(tick));
            self.ahead += u64::from(ahead > 0);
            self.behind += u64::from(ahead < 0);
            self.device.adopt(port, Effect::Far(at(far)), tick);
        }
        near.into_iter().for_each(|(port, effect)| self.device.adopt(port, effect, tick));
        if let Step::Adopt(Source::User, value) = step {
            self.device.set_counter(tick, at(value));
        }
        self.step = match step {
            Step::Idle => self.next(&changes, set.map(|value| origin(value.plus(-1)))),
            Step::Compare(Source::Port(port), _) if changes[port] => Step::Idle,
            Step::Compare(source, far) => Step::Adopt(source, far),
            Step::Adopt(..) => Step::Idle,
        };

        for port in (0..self.ports).filter(|port| changes[*port]) {
            self.waiting[port] = None;
            self.joins.retain(|(_, other, _)| *other != port);
            if links[port] {
                self.device.link_up(port);
            }
        }
        for port in (0..self.ports).filter(|port| changes[*port] && !links[*port]) {
            self.device.link_down(port, tick);
        }
        let any_up = links.contains(&true);
        if changes.contains(&true) && !any_up {
            self.restarts += 1;
            if !matches!(self.step, Step::Compare(Source::User, _) | Step::Adopt(Source::User, _)) {
                self.step = Step::Idle;
            }
        }
    }

    /// What is compared next: what the user sets, or what the first port waits with.
    fn next(&mut self, changes: &[bool], set: Option<Counter>) -> Step {
        if let Some(value) = set {
            return Step::Compare(Source::User, value);
        }
        let ready = (0..self.ports).find(|port| self.waiting[*port].is_some() && !changes[*port]);
        let taken = ready.and_then(|port| Some((port, self.waiting[port].take()?)));
        taken.map_or(Step::Idle, |(port, far)| Step::Compare(Source::Port(port), far))
    }
}
