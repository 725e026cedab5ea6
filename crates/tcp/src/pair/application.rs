//! The applications at both ends: one sends a stream that the other knows.

use super::Plan;
use super::stack::{News, Stack};
use crate::settings::Nanoseconds;

/// Bytes after which a stream's content repeats: a prime, so that a byte at the wrong place is seen.
const PERIOD: usize = 65_521;

/// Where streams begin in the content: further on by so much for each connection.
const STEP: usize = 7_919;

/// Bytes that streams consist of: from [`place`] on, up to a jumbo segment of them.
pub fn content() -> Vec<u8> {
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut bytes: Vec<u8> = (0..PERIOD)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        })
        .collect();
    // So that any piece up to a jumbo segment is one slice.
    bytes.extend_from_within(..16_384);
    bytes
}

#[derive(Clone, Copy, Debug, Default)]
struct Stream {
    /// Bytes sent or received.
    position: u64,
    closed: bool,
    gone: bool,
    /// The other side has closed.
    ended: bool,
}

/// The applications of one end.
#[derive(Debug)]
pub(super) struct Party {
    sends: bool,
    segment: usize,
    bytes: Option<u64>,
    streams: Vec<Stream>,
    content: Vec<u8>,
    /// Bytes that were given to it.
    pub delivered: u64,
    /// Bytes that are not what was sent there, or too many.
    pub wrong: u64,
    /// Streams that are not over.
    open: usize,
}

impl Party {
    pub(super) fn new(plan: &Plan, sends: bool) -> Self {
        Self {
            sends,
            segment: usize::from(plan.segment),
            bytes: plan.bytes,
            streams: vec![Stream::default(); plan.sessions],
            content: content(),
            delivered: 0,
            wrong: 0,
            open: plan.sessions,
        }
    }

    /// Whether all streams are over.
    pub(super) fn is_done(&self) -> bool {
        self.open == 0
    }

    /// Does what there is to be done.
    pub(super) fn work(&mut self, stack: &mut dyn Stack, now: Nanoseconds) {
        while let Some(news) = stack.news(now) {
            match news {
                News::Look(connection) => self.look(connection, stack, now),
                News::Gone(connection) => self.end(connection),
            }
        }
    }

    fn end(&mut self, connection: usize) {
        let stream = &mut self.streams[connection];
        if !stream.gone {
            stream.gone = true;
            self.open -= 1;
        }
    }

    fn look(&mut self, connection: usize, stack: &mut dyn Stack, now: Nanoseconds) {
        self.read(connection, stack, now);
        if self.sends {
            self.send(connection, stack, now);
        }
        let at_end = stack.is_at_end(connection, now);
        let stream = &mut self.streams[connection];
        if at_end && !stream.ended {
            stream.ended = true;
            if !stream.closed {
                stream.closed = true;
                stack.close(connection, now);
            }
        }
        if stream.ended && stream.closed {
            self.end(connection);
        }
    }

    fn read(&mut self, connection: usize, stack: &mut dyn Stack, now: Nanoseconds) {
        let Self { streams, content, delivered, wrong, bytes, sends, .. } = self;
        let stream = &mut streams[connection];
        stack.read(connection, now, &mut |mut piece| {
            *delivered += piece.len() as u64;
            if *sends {
                // Nobody has sent us anything.
                *wrong += piece.len() as u64;
                return;
            }
            while !piece.is_empty() {
                let at = place(connection, stream.position);
                let length = piece.len().min(PERIOD - at);
                let (now, rest) = piece.split_at(length);
                let expected = &content[at..at + length];
                if now != expected {
                    *wrong += now.iter().zip(expected).filter(|(a, b)| a != b).count() as u64;
                }
                stream.position += length as u64;
                piece = rest;
            }
            if let Some(bytes) = *bytes
                && stream.position > bytes
            {
                *wrong += stream.position - bytes;
            }
        });
    }

    fn send(&mut self, connection: usize, stack: &mut dyn Stack, now: Nanoseconds) {
        let stream = &mut self.streams[connection];
        while !stream.closed {
            let left = self.bytes.map_or(u64::MAX, |bytes| bytes - stream.position);
            let piece = left.min(self.segment as u64) as usize;
            if piece > 0 {
                // Whole writes: each is a segment.
                if stack.room(connection, now) < piece {
                    return;
                }
                let at = place(connection, stream.position);
                stack.write(connection, &self.content[at..at + piece], now);
                stream.position += piece as u64;
            }
            if self.bytes.is_some_and(|bytes| stream.position >= bytes) {
                stream.closed = true;
                stack.close(connection, now);
            }
        }
    }
}

/// Where a position of a connection's stream stands in the content.
pub fn place(connection: usize, position: u64) -> usize {
    ((connection * STEP) as u64 + position).rem_euclid(PERIOD as u64) as usize
}
