//! What the application has written and the peer has not acknowledged, with the ends of the writes.

use crate::sequence::Sequence;
use std::collections::VecDeque;

/// Ends of writes that are kept. If there are more, the last one moves: the end of all that was written is always kept.
const MOST_ENDS: usize = 64;

/// The send buffer of a session.
#[derive(Clone, Debug, Default)]
pub struct SendQueue {
    data: VecDeque<u8>,
    /// The first byte of `data`.
    start: Sequence,
    /// Where writes end that have not been sent as a whole: segments that end there carry PSH.
    ends: VecDeque<Sequence>,
}

impl SendQueue {
    /// Begins with the byte `first`.
    pub fn new(first: Sequence) -> Self {
        Self { start: first, ..Self::default() }
    }

    /// Behind the last byte that was written.
    pub fn end(&self) -> Sequence {
        self.start + self.data.len() as u32
    }

    /// Bytes that are kept.
    pub fn kept(&self) -> u32 {
        self.data.len() as u32
    }

    /// Appends a write's bytes; `ends` is whether the write ends with them.
    pub fn write(&mut self, bytes: &[u8], ends: bool) {
        self.data.extend(bytes);
        if ends && !bytes.is_empty() {
            self.ends.truncate(MOST_ENDS - 1);
            self.ends.push_back(self.end());
        }
    }

    /// A segment up to `end` leaves for the first time: whether a write ends just there.
    pub fn pass(&mut self, end: Sequence) -> bool {
        let mut last = None;
        while let Some(&mark) = self.ends.front().filter(|mark| !mark.after(end)) {
            last = Some(mark);
            self.ends.pop_front();
        }
        last == Some(end)
    }

    /// Appends the bytes from `start` to `end` to `out`; both lie within what is kept.
    pub fn copy(&self, start: Sequence, end: Sequence, out: &mut Vec<u8>) {
        let (from, to) = ((start - self.start) as usize, (end - self.start) as usize);
        let (first, second) = self.data.as_slices();
        let split = first.len();
        if from < split {
            out.extend_from_slice(&first[from..to.min(split)]);
        }
        if to > split {
            out.extend_from_slice(&second[from.max(split) - split..to - split]);
        }
    }

    /// Forgets what is acknowledged.
    pub fn acknowledge(&mut self, acknowledged: Sequence) {
        let count = acknowledged.beyond(self.start).min(self.kept());
        self.data.drain(..count as usize);
        self.start += count;
        if self.data.is_empty() && self.data.capacity() > 1 << 16 {
            self.data.shrink_to(1 << 12);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_ends_of_writes() {
        let first = Sequence(u32::MAX - 2);
        let mut queue = SendQueue::new(first);
        queue.write(b"abc", true);
        queue.write(b"def", false);
        queue.write(b"gh", true);
        assert!(queue.pass(first + 3));
        assert!(!queue.pass(first + 6));
        assert!(queue.pass(first + 8));
        let mut out = Vec::new();
        queue.copy(first + 1, first + 7, &mut out);
        assert_eq!(out, b"bcdefg");
        queue.acknowledge(first + 4);
        assert_eq!(queue.kept(), 4);
        out.clear();
        queue.copy(first + 4, queue.end(), &mut out);
        assert_eq!(out, b"efgh");
    }

    #[test]
    fn a_segment_over_two_writes_ends_one() {
        let mut queue = SendQueue::new(Sequence(0));
        queue.write(b"abc", true);
        queue.write(b"def", true);
        assert!(!queue.pass(Sequence(5)));
        assert!(queue.pass(Sequence(6)));
    }
}
