//! One direction of a 10GBASE-R line, character by character: where frames are between idle characters.
//!
//! Characters are counted from the start of the sender's oscillator, eight of them in a tick and in a block. A frame takes its
//! preamble, its bytes (60 at least) and its FCS; it begins in lane 0 or 4, behind a gap of 12 characters in the mean (the deficit
//! idle count of IEEE 802.3 clause 46.3.1.4).

use crate::pending::Time;
use std::collections::VecDeque;
use ww_dtp::simulation::oscillator::Oscillator;
use ww_phy::stream::{LEAST_GAP, PREAMBLE, Placement, Rounding};

/// Characters per block, and per tick.
const BLOCK: u64 = 8;
/// Shortest frame without FCS, bytes.
const LEAST_FRAME: u64 = 60;
const FCS: u64 = 4;
/// Attoseconds per picosecond.
const PICOSECOND: u128 = 1_000_000;

/// See the module.
#[derive(Clone, Debug)]
pub struct Wire {
    oscillator: Oscillator,
    placement: Placement,
    /// The character behind the last frame.
    at: u64,
    /// Ranges of blocks that contain part of a frame, if idle blocks are queried: first, and one past the last.
    busy: Option<VecDeque<(u64, u64)>>,
}

impl Wire {
    /// An idle line. `asked`: [`idle_from`](Self::idle_from) will be called.
    pub fn new(oscillator: Oscillator, asked: bool) -> Self {
        Self {
            oscillator,
            placement: Placement::new(Rounding::Mean),
            at: 0,
            busy: asked.then(VecDeque::new),
        }
    }

    /// Sends a frame of `bytes` without FCS as early as possible. Returns when its preamble begins, and when the last bit of
    /// its FCS has left.
    pub fn send(&mut self, now: Time, bytes: u32) -> (Time, Time) {
        let ready = self.character_from(now).next_multiple_of(4);
        // The block with the terminate is the last one's.
        let least = (self.at / BLOCK + 1) * BLOCK;
        let start = self.placement.place(ready.max(self.at + LEAST_GAP), least);
        self.at = start + PREAMBLE + u64::from(bytes).max(LEAST_FRAME) + FCS;
        if let Some(busy) = &mut self.busy {
            busy.push_back((start / BLOCK, self.at / BLOCK + 1));
        }
        (self.time_of(start), self.time_of(self.at))
    }

    /// The link goes down: frames that have not begun to leave never will.
    pub fn cut(&mut self, now: Time) {
        let next = self.character_from(now);
        self.at = self.at.min(next);
        if let Some(busy) = &mut self.busy {
            while busy.back().is_some_and(|(from, _)| from * BLOCK >= next) {
                busy.pop_back();
            }
        }
    }

    /// The first idle block from `block` on. What was before it is forgotten.
    pub fn idle_from(&mut self, block: u64) -> u64 {
        let busy = self.busy.get_or_insert_default();
        while busy.front().is_some_and(|(_, to)| *to <= block) {
            busy.pop_front();
        }
        // Frames that follow each other closely leave none between them.
        let mut idle = block;
        for (from, to) in busy {
            if *from > idle {
                break;
            }
            idle = *to;
        }
        idle
    }

    /// The first character that is not before a time.
    fn character_from(&self, now: Time) -> u64 {
        let since = (u128::from(now) * PICOSECOND).saturating_sub(self.oscillator.phase.into());
        since.div_ceil(self.character()) as u64
    }

    /// When a character begins, rounded up to a picosecond.
    fn time_of(&self, character: u64) -> Time {
        let at = u128::from(self.oscillator.phase) + u128::from(character) * self.character();
        at.div_ceil(PICOSECOND) as Time
    }

    /// Attoseconds of a character: periods are multiples of 64.
    fn character(&self) -> u128 {
        (self.oscillator.period / BLOCK).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames of 64 bytes in a row: 84 characters in the mean, and each second gap has an idle block (spec 000 section 2.3).
    #[test]
    fn frames_in_a_row() {
        let mut wire = Wire::new(Oscillator::new(0.0, 0), true);
        let sent: Vec<_> = (0..4000).map(|_| wire.send(0, 60)).collect();
        assert_eq!(sent[0], (12 * 800, 84 * 800), "the gap counts from the start");
        assert!(sent.windows(2).all(|pair| pair[1].0 - pair[0].0 == 84 * 800));
        let mut idle = 0;
        let mut block = wire.idle_from(2);
        let end = wire.at / BLOCK;
        while block < end {
            (idle, block) = (idle + 1, wire.idle_from(block + 1));
        }
        assert_eq!(idle, 2000);
    }

    /// 14,880,952 frames a second, and 100 ppm of them more or less.
    #[test]
    fn the_oscillator_is_the_rate() {
        for (ppm, least, most) in [(0.0, 0, 0), (100.0, 1487, 1489), (-100.0, -1489, -1487)] {
            let mut wire = Wire::new(Oscillator::new(ppm, 3_000_000_000), false);
            let mut sent = 0i64;
            while wire.send(0, 60).1 < 1_000_000_000_000 {
                sent += 1;
            }
            let more = sent - 14_880_952;
            assert!((least..=most).contains(&more), "{ppm}: {more}");
        }
    }

    #[test]
    fn idle_blocks_and_cuts() {
        let mut wire = Wire::new(Oscillator::new(0.0, 0), true);
        // Ready at character 16: S0, 8 D, T0.
        let (begins, ends) = wire.send(16 * 800, 60);
        assert_eq!((begins, ends), (16 * 800, 88 * 800));
        assert_eq!(
            [1, 2, 11, 12, 13].map(|block| wire.clone().idle_from(block)),
            [1, 12, 12, 12, 13]
        );
        // A second one is right behind it. Both go with the line: the first has begun.
        wire.send(0, 60);
        assert_eq!(wire.clone().idle_from(5), 22);
        wire.cut(20 * 800);
        assert_eq!(wire.idle_from(12), 12);
        assert_eq!(wire.send(0, 60).0, 32 * 800);
    }
}
