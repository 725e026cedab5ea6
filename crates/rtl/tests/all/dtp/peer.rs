//! What the ports are told: by peers that behave, and by others.

use crate::dtp::{MESSAGE_CLOCKS, Random};
use std::collections::VecDeque;
use ww_dtp::counter::{Counter, LOW_MASK};
use ww_dtp::message::Message;

/// The other end of a port.
#[derive(Default)]
pub struct Peer {
    /// 56 bits, sent one a block.
    queue: VecDeque<u64>,
    /// An answer, and when.
    answer: Option<(u64, u64)>,
    pub habit: Habit,
}

/// How it behaves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Habit {
    /// Beacons around the counter, JOINs that mean it.
    #[default]
    Good,
    /// Beacons that are always ahead.
    Jumps,
    /// No answers.
    Silent,
    /// Any message.
    Noise,
    /// A beacon that is one tick ahead when it is acted on, every twelve ticks.
    Steady,
}

impl Peer {
    /// The port sent this.
    pub fn sees(&mut self, message: Message, tick: u64, random: &mut Random) {
        let Message::Init(ticks) = message else { return };
        if self.habit == Habit::Silent {
            return;
        }
        // There and back, a wait, and at times a wait that is too long to be believed or longer than all.
        let (way, wait) = match random.below(8) {
            0 => (random.below(200), random.below(6000)),
            1 => (random.below(17_000), random.below(4200)),
            _ => (60 + random.below(100), random.below(192)),
        };
        let answer = Message::InitAck(ticks.wrapping_add(wait) & LOW_MASK);
        let ticks = if random.below(8) == 0 { way } else { way + wait };
        self.answer = Some((tick + ticks, answer.to_bits()));
    }

    /// The 56 bits of the next block.
    pub fn bits(&mut self, tick: u64, counter: Counter, delay: i64, random: &mut Random) -> u64 {
        if let Some((_, bits)) = self.answer.take_if(|(due, _)| *due <= tick) {
            self.queue.push_back(bits);
        }
        if self.habit == Habit::Steady {
            let low = counter.plus(-i128::from(delay) + i128::from(MESSAGE_CLOCKS) + 1).low();
            let beacon = tick.is_multiple_of(12).then(|| Message::Beacon(low).to_bits());
            return self.queue.pop_front().or(beacon).unwrap_or(0);
        }
        if self.queue.is_empty() && random.below(12) == 0 {
            self.say(counter.plus(-i128::from(delay)), random);
        }
        let bits = self.queue.pop_front().unwrap_or(0);
        if bits != 0 && random.below(40) == 0 { bits ^ 1 << random.below(56) } else { bits }
    }

    /// `counter` is what a peer that is in step sends.
    fn say(&mut self, counter: Counter, random: &mut Random) {
        let off =
            |random: &mut Random, most: u64| random.below(2 * most + 1) as i128 - most as i128;
        let mut push = |message: Message| self.queue.push_back(message.to_bits());
        match (self.habit, random.below(40)) {
            (Habit::Noise, 0..30) => self.queue.push_back(random.bits() >> 8),
            (Habit::Jumps, 0..30) => {
                push(Message::Beacon(counter.plus(10 + off(random, 4)).low()));
            }
            (_, 0..28) => push(Message::Beacon(counter.plus(3 + off(random, 12)).low())),
            (_, 28..30) => push(Message::Log(random.bits() & LOW_MASK)),
            (_, 30) => push(Message::Init(random.bits() & LOW_MASK)),
            (_, 31) => self.queue.push_back(random.bits() >> 8),
            (_, 32) => push(Message::Msb(counter.high())),
            (_, 33) => push(Message::Join(counter.plus(off(random, 20)).low())),
            (_, kind) => {
                // MSBs and JOINs of a counter that is near, far, or next to where the low half wraps.
                let apart = match kind {
                    34 => off(random, 40),
                    35 => off(random, 1 << 20),
                    36 => off(random, 1 << 54),
                    37 => 30 + off(random, 24),
                    38 => i128::from(LOW_MASK - counter.low()) + off(random, 30),
                    _ => off(random, 1 << 62),
                };
                let counter = counter.plus(apart);
                (0..random.below(4)).for_each(|_| push(Message::Msb(counter.high())));
                for n in 0..1 + random.below(4) {
                    push(Message::Join(counter.plus(i128::from(n) + off(random, 3)).low()));
                }
            }
        }
    }

    /// The link went down: nothing of before arrives.
    pub fn forget(&mut self) {
        self.queue.clear();
        self.answer = None;
    }
}
