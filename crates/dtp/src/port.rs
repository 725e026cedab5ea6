//! The protocol at one end of a link (spec 000 section 2.6).
//!
//! The published listing leaves gaps, which are closed so: an INIT is answered in every state, and the answer carries how long it
//! had to wait for an idle block, so that a delay measured on a full link is right; an INIT that is lost is sent again; what is to be sent is a flag for each kind, and
//! never a queue; the delay is measured with the oscillator's ticks, which do not jump as the counter may; an answer counts only
//! if it belongs to the INIT that is open; counters that are far away are adopted after two MSBs and two JOINs that agree.

use crate::counter::{Counter, LOW_MASK};
use crate::message::Message;

/// How ports behave. What they count is a tick of the oscillator, or a fraction of one: then all of this is in fractions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Config {
    /// Fractions of a tick that are counted, a power of two: 1 as published.
    pub phases: u64,
    /// From beacon to beacon: 200 ticks fit between frames of 1,522 bytes, 1,200 between those of 9,000.
    pub interval: u64,
    /// What is taken off the time there and back, so that the delay is never too large: 3.
    pub alpha: i64,
    /// A beacon that is further away than this is not believed: 8 ticks.
    pub range: i128,
    /// Beacons of a period in which jumps are added up.
    pub period: u64,
    /// Jumps in a period that are too many: the peer is faulty.
    pub most_jumps: u64,
}

/// Difference of two oscillators at most, in parts per million: each is off by 100.
const MOST_PPM: u64 = 200;

impl Config {
    /// As published, with an interval in ticks between beacons; three times the jumps that oscillators explain, and 16 ticks more,
    /// are too many.
    pub fn new(interval: u64) -> Self {
        Self::with_phases(interval, 1)
    }

    /// The same protocol in fractions of a tick, for devices that measure when a message comes to such a fraction, and are off by no more
    /// than one of them; an interval in ticks. Eight phases keep neighbours within a tick.
    pub fn with_phases(interval: u64, phases: u64) -> Self {
        assert!(phases.is_power_of_two(), "{phases} phases are no power of two");
        let (interval, period) = (interval * phases, 1000);
        let explained = period * interval * MOST_PPM / 1_000_000;
        Self {
            phases,
            interval,
            alpha: 3,
            range: 8 * i128::from(phases),
            period,
            most_jumps: 3 * explained + 16 * phases,
        }
    }
}

/// Longest wait of an answer for an idle block that is believed, in ticks: more than three jumbo frames.
pub const LONGEST_WAIT: u64 = 4096;

/// Ticks after which an INIT without an answer is sent anew: it is lost if the peer's receiver was not yet in step. What comes later
/// is not believed. There and back over a kilometre, and the longest wait, are less than half of it.
pub const PATIENCE: u64 = 16384;

/// Beacons between two messages with the high half.
pub const BEACONS_TO_MSB: u64 = 1024;

/// JOINs and MSBs that are sent for each reason: two that agree are believed, and one may be lost.
const JOINS: u8 = 3;
const MSBS: u8 = 3;

/// What is known of the peer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No link.
    Down,
    /// INIT is to be sent, or was sent at this tick.
    Init(Option<u64>),
    /// The delay is known, in ticks.
    Sync(i64),
    /// The peer jumps: it is not listened to until the link comes up anew.
    Faulty,
}

/// What a port has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PortCounts {
    /// Messages sent.
    pub sent: u64,
    /// Beacons that were believed.
    pub beacons: u64,
    /// How often a beacon moved the counter.
    pub jumps: u64,
    /// The largest such move, in ticks.
    pub largest_jump: u64,
    /// Beacons that were too far away to be believed.
    pub out_of_range: u64,
    /// Unsolicited messages, or messages that came too early.
    pub unexpected: u64,
}

impl PortCounts {
    /// Adds another port's.
    pub fn add(&mut self, other: &Self) {
        self.sent += other.sent;
        self.beacons += other.beacons;
        self.jumps += other.jumps;
        self.largest_jump = self.largest_jump.max(other.largest_jump);
        self.out_of_range += other.out_of_range;
        self.unexpected += other.unexpected;
    }
}

/// One end of a link.
#[derive(Debug, Clone)]
pub struct Port {
    config: Config,
    state: State,
    /// The tick at which the next beacon is due.
    beacon_due: u64,
    beacons_sent: u64,
    /// Of an INIT that came: its payload, and when.
    answer: Option<(u64, u64)>,
    joins: u8,
    msbs: u8,
    /// The peer's high half: of the MSB that came last, and of the last two that agreed.
    heard: Option<u64>,
    high: Option<u64>,
    /// The counter of the JOIN that came last, less the tick at which it came.
    joined: Option<Counter>,
    jumped: u64,
    beacons_left: u64,
    counts: PortCounts,
}

/// What a message asks of the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The peer's counter now, as a beacon has it.
    Near(Counter),
    /// The peer's counter now, which may be far away.
    Far(Counter),
}

impl Port {
    /// Without a link.
    pub fn new(config: Config) -> Self {
        Self {
            config,
            state: State::Down,
            beacon_due: 0,
            beacons_sent: 0,
            answer: None,
            joins: 0,
            msbs: 0,
            heard: None,
            high: None,
            joined: None,
            jumped: 0,
            beacons_left: config.period,
            counts: PortCounts::default(),
        }
    }

    /// The link is up: the delay is measured anew.
    pub fn link_up(&mut self) {
        *self = Self { state: State::Init(None), counts: self.counts, ..Self::new(self.config) };
    }

    /// The link is down.
    pub fn link_down(&mut self) {
        *self = Self { counts: self.counts, ..Self::new(self.config) };
    }

    /// The delay to the peer in ticks, once it is measured.
    pub fn delay(&self) -> Option<i64> {
        match self.state {
            State::Sync(delay) => Some(delay),
            _ => None,
        }
    }

    /// Whether there is a link.
    pub fn is_up(&self) -> bool {
        self.state != State::Down
    }

    /// Whether the peer was found to jump.
    pub fn is_faulty(&self) -> bool {
        self.state == State::Faulty
    }

    /// What it has seen.
    pub fn counts(&self) -> PortCounts {
        self.counts
    }

    /// The tick from which on there is something to send; `None` for nothing.
    pub fn wants(&self, tick: u64) -> Option<u64> {
        match self.state {
            State::Down => None,
            State::Init(None) => Some(tick),
            _ if self.answer.is_some() => Some(tick),
            State::Sync(_) if self.joins > 0 || self.msbs > 0 => Some(tick),
            State::Sync(_) => Some(self.beacon_due.max(tick)),
            State::Init(Some(sent)) => Some((sent + PATIENCE * self.config.phases).max(tick)),
            State::Faulty => None,
        }
    }

    /// An idle block leaves at this tick: what it carries.
    pub fn slot(&mut self, tick: u64, counter: Counter) -> Option<Message> {
        let message = self.choose(tick, counter)?;
        self.counts.sent += 1;
        Some(message)
    }

    fn choose(&mut self, tick: u64, counter: Counter) -> Option<Message> {
        if self.state == State::Down {
            return None;
        }
        if let Some((init, came)) = self.answer.take() {
            return Some(Message::InitAck(init.wrapping_add(tick - came) & LOW_MASK));
        }
        match self.state {
            State::Init(sent)
                if sent.is_none_or(|sent| tick - sent >= PATIENCE * self.config.phases) =>
            {
                self.state = State::Init(Some(tick));
                Some(Message::Init(tick & LOW_MASK))
            }
            State::Sync(_) if self.msbs > 0 => {
                self.msbs -= 1;
                Some(Message::Msb(counter.high()))
            }
            State::Sync(_) if self.joins > 0 => {
                self.joins -= 1;
                Some(Message::Join(counter.low()))
            }
            State::Sync(_) if tick >= self.beacon_due => {
                self.beacon_due = tick + self.config.interval;
                self.beacons_sent += 1;
                if self.beacons_sent.is_multiple_of(BEACONS_TO_MSB) {
                    self.msbs = MSBS;
                }
                Some(Message::Beacon(counter.low()))
            }
            _ => None,
        }
    }

    /// Tells the peer the counter, wherever its own is.
    pub fn join(&mut self) {
        if let State::Sync(_) = self.state {
            self.joins = JOINS;
            self.msbs = MSBS;
        }
    }

    /// A message came at this tick.
    pub fn receive(&mut self, message: Message, tick: u64, counter: Counter) -> Effect {
        match (message, self.state) {
            (_, State::Down) => {}
            (Message::Init(ticks), _) => {
                self.answer = Some((ticks, tick));
                return Effect::None;
            }
            (Message::InitAck(ticks), State::Init(Some(sent))) => {
                // The answer's payload is the INIT's, later by as long as it waited.
                let waited = ticks.wrapping_sub(sent) & LOW_MASK;
                let since = tick - sent;
                let there_and_back = since.checked_sub(waited);
                let believed = waited <= LONGEST_WAIT * self.config.phases
                    && since < PATIENCE * self.config.phases;
                if let (true, Some(ticks)) = (believed, there_and_back) {
                    self.state = State::Sync((ticks as i64 - self.config.alpha).div_euclid(2));
                    self.beacon_due = tick;
                    self.join();
                    return Effect::None;
                }
            }
            (Message::Beacon(low), State::Sync(delay)) => {
                let now = counter.nearest(low).plus(i128::from(delay));
                let ahead = now.ahead_of(counter);
                if ahead.abs() > self.config.range {
                    self.counts.out_of_range += 1;
                    return Effect::None;
                }
                return self.believe(now, ahead);
            }
            (Message::Msb(high), State::Sync(_)) => {
                // A wrong bit makes an MSB of a beacon, but not two with the same payload.
                if self.heard.replace(high) == Some(high) {
                    self.high = Some(high);
                }
                return Effect::None;
            }
            (Message::Join(low), State::Sync(delay)) => {
                let sent = match self.high {
                    Some(high) => Counter::of_halves(high, low),
                    None => counter.nearest(low),
                };
                let now = sent.plus(i128::from(delay));
                let origin = now.plus(-i128::from(tick));
                // Two that agree: a wrong bit does not move a network by a year.
                let before = self.joined.replace(origin);
                if before.is_some_and(|before| origin.ahead_of(before).abs() <= self.config.range) {
                    return Effect::Far(now);
                }
                return Effect::None;
            }
            (Message::Log(_), _) => return Effect::None,
            _ => {}
        }
        self.counts.unexpected += 1;
        Effect::None
    }

    /// A beacon in range; unless the peer has jumped too much.
    fn believe(&mut self, now: Counter, ahead: i128) -> Effect {
        self.counts.beacons += 1;
        if ahead > 0 {
            let jump = ahead as u64;
            self.counts.jumps += 1;
            self.counts.largest_jump = self.counts.largest_jump.max(jump);
            self.jumped += jump;
            if self.jumped > self.config.most_jumps {
                self.state = State::Faulty;
                return Effect::None;
            }
        }
        self.beacons_left -= 1;
        if self.beacons_left == 0 {
            self.beacons_left = self.config.period;
            self.jumped = 0;
        }
        Effect::Near(now)
    }
}
