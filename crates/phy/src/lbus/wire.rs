//! One direction of a 100G link between two buses: `ww_lbus_wire`.

use super::{Clock, SEGMENTS, Segment};
use std::collections::VecDeque;

/// Segments that are on the wire, at most.
const DEPTH: usize = 64;
/// A clock of 322.265625 MHz carries 1,280 parts, of which a byte at 100 Gb/s takes 33.
const CLOCK: i32 = 1_280;
const BYTE: i32 = 33;
/// Preamble, check sequence and the least gap, in bytes.
const PREAMBLE: i32 = 8;
const CHECK: i32 = 4;
const GAP: i32 = 12;

/// Outputs of [`Wire`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Carried {
    /// What arrives.
    pub segments: Clock,
    /// Within a frame nothing was there to send.
    pub underflow: bool,
}

/// A wire: each frame takes (n + 24) 33 / 1280 clocks, exactly, and what is left of a clock counts in the next one.
#[derive(Clone, Debug)]
pub struct Wire {
    rotates: bool,
    queue: VecDeque<Segment>,
    /// Of these, carried over.
    carried: usize,
    credit: i32,
    in_frame: bool,
    leaving: bool,
    first_lane: usize,
    ready: bool,
}

impl Wire {
    /// Frames arrive from segment 0 on, or with `rotates` from another one each time.
    pub fn new(rotates: bool) -> Self {
        Self {
            rotates,
            queue: VecDeque::new(),
            carried: 0,
            credit: 0,
            in_frame: false,
            leaving: false,
            first_lane: 0,
            ready: false,
        }
    }

    /// Whether the wire wants segments in this clock.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// One clock.
    pub fn clock(&mut self, input: &Clock) -> Carried {
        let (carried, came) = (self.carried, self.queue.len());
        let underflow = self.carry();
        let segments = self.arrive(carried);
        let left = segments.iter().flatten().count();
        self.queue.extend(input.iter().flatten());
        self.ready = came + input.iter().flatten().count() < DEPTH - 16;
        self.queue.drain(..left);
        self.carried -= left;
        Carried { segments, underflow }
    }

    /// Carries what this clock's time is enough for.
    fn carry(&mut self) -> bool {
        self.credit += CLOCK;
        let mut underflow = false;
        for _ in 0..SEGMENTS {
            let Some(segment) = self.queue.get(self.carried) else {
                if self.credit > 0 {
                    underflow = self.in_frame && self.credit >= CLOCK;
                    self.credit = 0;
                }
                continue;
            };
            let edges = i32::from(segment.start) * PREAMBLE + i32::from(segment.end) * CHECK;
            let cost = BYTE * (16 - i32::from(segment.empty) + edges);
            if self.credit >= cost {
                self.credit -= cost + i32::from(segment.end) * BYTE * GAP;
                self.in_frame = !segment.end;
                self.carried += 1;
            }
        }
        underflow
    }

    /// What was carried before arrives: four segments of a frame, or up to its end.
    fn arrive(&mut self, carried: usize) -> Clock {
        let mut clock = Clock::default();
        let (mut left, mut whole, mut leaving) = (0, false, self.leaving);
        for (lane, place) in clock.iter_mut().enumerate() {
            if (self.leaving || lane >= self.first_lane) && left < carried {
                let segment = self.queue[left];
                *place = Some(segment);
                leaving = !segment.end;
                whole = lane + 1 == SEGMENTS || segment.end;
                left += 1;
            }
        }
        if !whole {
            return Clock::default();
        }
        self.leaving = leaving;
        if self.rotates && !leaving {
            self.first_lane = (self.first_lane + 1) % SEGMENTS;
        }
        clock
    }
}
