//! From a stream to the bus: `ww_axis_to_lbus`.

use super::{Beat, Clock, SEGMENT_BYTES, SEGMENTS, Segment};
use std::collections::VecDeque;

/// Outputs of [`FromAxis`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transmitted {
    /// What goes to the MAC.
    pub segments: Clock,
    /// A frame was cut: its source waited within it.
    pub underflow: bool,
}

/// The transmit side. A frame begins in segment 0, and has no gap: it is sent when its end is there, or `start` beats of
/// it.
#[derive(Clone, Debug)]
pub struct FromAxis {
    start: usize,
    /// Beats that wait, the one at the output too.
    queue: VecDeque<Beat>,
    /// The first of them can be taken.
    shown: bool,
    ready: bool,
    in_frame: bool,
    discards: bool,
}

impl FromAxis {
    /// With room for twice `start` beats, 1 or more.
    pub fn new(start: usize) -> Self {
        let queue = VecDeque::new();
        Self { start, queue, shown: false, ready: false, in_frame: false, discards: false }
    }

    /// Whether a beat that is offered in this clock is taken.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// One clock: the beat that is offered, and whether the MAC takes segments.
    pub fn clock(&mut self, offered: Option<Beat>, mac_ready: bool) -> Transmitted {
        let push = offered.filter(|_| self.ready);
        let first = self.queue.front().copied().filter(|_| self.shown);
        let ends = self.queue.iter().any(|beat| beat.last);
        let starts = first.is_some() && !self.in_frame && (ends || self.queue.len() >= self.start);
        let goes_on = if self.in_frame { first.is_some() } else { starts };
        let sends = mac_ready && !self.discards && goes_on;
        let cuts = mac_ready && self.in_frame && first.is_none() && !self.discards;
        let takes = sends || self.discards;

        let mut output = Transmitted { underflow: cuts, ..Transmitted::default() };
        if let (true, Some(beat)) = (sends, first) {
            output.segments = segments(&beat, !self.in_frame);
            self.in_frame = !beat.last;
        }
        if cuts {
            // What the segment has in it does not matter: the frame is bad.
            output.segments[0] = Some(Segment { end: true, error: true, ..Segment::default() });
            self.in_frame = false;
        }
        let discarded = self.discards && first.is_some_and(|beat| beat.last);
        self.discards = (self.discards && !discarded) || cuts;

        // The queue: a memory, and a register that shows its first beat.
        let stored = self.queue.len() - usize::from(self.shown);
        let fetch = stored > 0 && (!self.shown || takes);
        if takes && self.shown {
            self.queue.pop_front();
        }
        self.shown = fetch || (self.shown && !takes);
        self.ready = fetch || stored + usize::from(push.is_some()) < 2 * self.start;
        self.queue.extend(push);
        output
    }
}

fn segments(beat: &Beat, begins: bool) -> Clock {
    let mut clock = Clock::default();
    let bytes = usize::from(beat.bytes);
    let used = bytes.div_ceil(SEGMENT_BYTES);
    for (place, segment) in clock.iter_mut().enumerate().take(used.min(SEGMENTS)) {
        let end = beat.last && place + 1 == used;
        let mut data = [0; SEGMENT_BYTES];
        data.copy_from_slice(&beat.data[SEGMENT_BYTES * place..][..SEGMENT_BYTES]);
        *segment = Some(Segment {
            start: begins && place == 0,
            end,
            error: end && beat.bad,
            empty: (SEGMENT_BYTES * (place + 1)).saturating_sub(bytes) as u8,
            data,
        });
    }
    clock
}
