//! From the bus to a stream: `ww_lbus_to_axis`.

use super::{Beat, Clock, SEGMENT_BYTES, SEGMENTS, Segment};
use std::collections::VecDeque;

/// Outputs of [`ToAxis`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// A beat, which cannot be held back.
    pub beat: Option<Beat>,
    /// A frame was cut, or some are lost, for want of room.
    pub overflow: bool,
    /// Segments came without a start.
    pub stray: bool,
}

/// The receive side. Each frame begins in lane 0 of a beat of its own; three clocks from a segment to its beat.
#[derive(Clone, Debug)]
pub struct ToAxis {
    rows: usize,
    queue: VecDeque<Segment>,
    /// Of the queue, those that can be read in this clock.
    visible: usize,
    in_frame: bool,
    was_bad: bool,
}

impl ToAxis {
    /// With a queue of `rows` rows of four segments, 8 or more.
    pub fn new(rows: usize) -> Self {
        Self { rows, queue: VecDeque::new(), visible: 0, in_frame: false, was_bad: false }
    }

    /// One clock.
    pub fn clock(&mut self, input: &Clock) -> Received {
        let mut output = Received::default();
        let full = self.queue.len() > SEGMENTS * self.rows - SEGMENTS - 1;
        let written = self.queue.len();
        for segment in input.iter().flatten() {
            let mut segment = *segment;
            if !segment.start && !self.in_frame {
                output.stray = true;
                continue;
            }
            // The start of a frame within another one.
            segment.error |= segment.start && self.in_frame;
            if !full {
                self.queue.push_back(segment);
                self.in_frame = !segment.end;
                continue;
            }
            output.overflow = true;
            // A frame that has begun ends here.
            if self.in_frame {
                self.queue.push_back(Segment { end: true, error: true, ..segment });
            }
            self.in_frame = false;
        }
        output.beat = self.take();
        self.visible = written - written.min(self.taken(output.beat));
        output
    }

    /// Segments that a beat has taken.
    fn taken(&self, beat: Option<Beat>) -> usize {
        beat.map_or(0, |beat| usize::from(beat.bytes).div_ceil(SEGMENT_BYTES))
    }

    /// A beat: four segments of one frame, or up to its end.
    fn take(&mut self) -> Option<Beat> {
        let there = self.visible.min(SEGMENTS);
        let end = self.queue.iter().take(there).position(|segment| segment.end);
        let count = match end {
            Some(place) => place + 1,
            None if there == SEGMENTS => SEGMENTS,
            None => return None,
        };
        let mut beat = Beat { data: [0; 64], bytes: 64, last: end.is_some(), bad: self.was_bad };
        for (place, segment) in self.queue.drain(..count).enumerate() {
            beat.data[SEGMENT_BYTES * place..][..SEGMENT_BYTES].copy_from_slice(&segment.data);
            beat.bad |= segment.error;
            if segment.end {
                beat.bytes = (SEGMENT_BYTES * (place + 1)) as u8 - segment.empty;
            }
        }
        self.was_bad = beat.bad && !beat.last;
        Some(beat)
    }
}
